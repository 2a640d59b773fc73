import { useLingui } from '@lingui/react/macro'

import { IconButton } from '@/ui/button'

/** The largest count that the server accepts (`Count` is 1 to 999). */
const COUNT_MAX = 999

interface CountControlProps {
  readonly name: string
  readonly count: number
  readonly onChange: (count: number) => void
}

/**
 * The count of an item. The minimum is one; deleting has its own button. A button at a limit is not disabled natively, since it
 * would lose the focus.
 */
export function CountControl({ name, count, onChange }: CountControlProps) {
  const { t } = useLingui()
  const least = count <= 1
  const most = count >= COUNT_MAX
  return (
    <div role="group" aria-label={t`Кількість: ${name}`} className="-my-2.5 -ml-3 inline-flex items-center">
      <IconButton
        icon="minus"
        label={t`Менше`}
        aria-disabled={least || undefined}
        onClick={() => {
          if (!least) onChange(count - 1)
        }}
      />
      <output aria-live="polite" className="min-w-6 text-center font-medium tabular-nums">
        {count}
      </output>
      <IconButton
        icon="plus"
        label={t`Більше`}
        aria-disabled={most || undefined}
        onClick={() => {
          if (!most) onChange(count + 1)
        }}
      />
    </div>
  )
}
