import { Trans } from '@lingui/react/macro'

import { Icon } from '@/ui/icons'

import { openDialog } from './opened'

interface PaletteButtonProps {
  /** Called when the button is pressed, to close the menu. */
  readonly onFollow?: () => void
}

/** Opens the palette for who does not know its keys; from there a button leads to the list of all shortcuts. */
export function PaletteButton({ onFollow }: PaletteButtonProps) {
  return (
    <button
      type="button"
      onClick={() => {
        onFollow?.()
        openDialog('palette')
      }}
      className="-ml-3 flex min-h-11 w-[calc(100%+0.75rem)] items-center gap-3 rounded-md border-l-2 border-transparent px-3 text-left text-ink-soft hover:bg-inset hover:text-ink"
    >
      <Icon name="search" className="shrink-0" />
      <span className="grow">
        <Trans>Знайти</Trans>
      </span>
      <kbd aria-hidden="true" className="text-sm whitespace-nowrap pointer-coarse:hidden">
        Ctrl K
      </kbd>
    </button>
  )
}
