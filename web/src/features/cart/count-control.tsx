import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'

import { messageText } from '@/i18n/message-texts'
import { IconButton } from '@/ui/button'
import { controlClass } from '@/ui/field'
import { cx } from '@/ui/cx'

import { COUNT_MAX, parseCount } from './model'

interface CountControlProps {
  readonly name: string
  readonly count: number
  /** What was typed, until it is taken. */
  readonly typed: string | undefined
  readonly onChange: (count: number) => void
  readonly onType: (text: string) => void
}

/**
 * The count of an item, by buttons or typed. The minimum is one; deleting has its own button. A button at a limit is not disabled
 * natively, since it would lose the focus.
 */
export function CountControl({ name, count, typed, onChange, onType }: CountControlProps) {
  const { t, i18n } = useLingui()
  const errorId = useId()
  const wrong = typed !== undefined && typed !== '' && parseCount(typed) === null
  const least = count <= 1
  const most = count >= COUNT_MAX
  return (
    <div className="flex flex-col gap-1 @max-2xl:gap-0">
      <div
        role="group"
        aria-label={t`Кількість: ${name}`}
        className="-ml-3 inline-flex items-center @max-2xl:-my-0.5"
      >
        <IconButton
          icon="minus"
          label={t`Менше`}
          aria-disabled={least || undefined}
          onClick={() => {
            if (!least) onChange(count - 1)
          }}
        />
        <input
          type="text"
          inputMode="numeric"
          autoComplete="off"
          aria-label={t`Кількість`}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? errorId : undefined}
          value={typed ?? String(count)}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
          // An emptied field goes back to the count that is paid.
          onBlur={() => {
            if (typed === '') onType(String(count))
          }}
          className={cx(
            controlClass,
            'min-h-8 w-14! px-1! py-0.5! text-center max-md:min-h-9 font-medium tabular-nums',
          )}
        />
        {/* Says a count that a button has changed. */}
        <output aria-live="polite" className="sr-only">
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
      <p id={errorId} aria-live="polite" className="max-w-36 text-sm font-medium text-danger">
        {wrong && messageText('count_invalid', i18n)}
      </p>
    </div>
  )
}
