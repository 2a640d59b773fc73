import { useLingui } from '@lingui/react/macro'

import { IconButton } from '@/ui/button'

/** The server takes no more of one payment (`Count` is 1 to 999). */
const COUNT_MAX = 999

interface CountControlProps {
  readonly name: string
  readonly count: number
  readonly onChange: (count: number) => void
}

/**
 * How many units: minus, the number, plus. One is the least; deleting is another button. A button at its end keeps the
 * focus that it has been pressed with, so it is not disabled for the browser.
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
