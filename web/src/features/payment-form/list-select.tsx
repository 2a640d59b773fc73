import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'

import { Failed } from '@/forms/failed'
import { cx } from '@/ui/cx'
import { Select, type SelectOption, type SelectProps } from '@/ui/select'

import type { List } from './list'

interface ListSelectProps<Entry> extends Omit<SelectProps, 'options' | 'loading' | 'onChange'> {
  readonly list: List<Entry>
  readonly toOption: (entry: Entry) => SelectOption
  /** Classes of the whole, for its place in a grid. */
  readonly place?: string
  /** Replaces the hint where the list is empty. */
  readonly emptyText?: string
}

/** A select over a list of the server, which may be loading, failed or empty. */
export function ListSelect<Entry>({
  list,
  toOption,
  place,
  emptyText,
  disabledReason,
  ...select
}: ListSelectProps<Entry>) {
  const { t } = useLingui()
  const waiting = Boolean(disabledReason)
  const empty = !waiting && !list.loading && list.failure === null && list.entries.length === 0
  // The notice stays during another try, since it contains the pressed button.
  const [failure, setFailure] = useState(list.failure)
  const shown = waiting ? null : (list.failure ?? (list.retrying ? failure : null))
  if (shown !== failure) setFailure(shown)
  // The pressed button disappears with the failure, so the select takes the focus.
  const whole = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    if (shown !== null || !pressed.current) return
    pressed.current = false
    // A focus that was moved meanwhile stays.
    if (document.activeElement === document.body) whole.current?.querySelector('select')?.focus()
  }, [shown])
  return (
    <div ref={whole} className={cx('flex min-w-0 flex-col gap-2', place)}>
      <Select
        {...select}
        placeholder={t`Виберіть…`}
        options={list.entries.map(toOption)}
        loading={!waiting && list.loading}
        disabledReason={disabledReason ?? (empty ? emptyText : undefined)}
      />
      {shown !== null && (
        <Failed
          failure={shown}
          title={<Trans>Список не вдалося завантажити</Trans>}
          retry={<Trans>Спробувати ще раз</Trans>}
          retrying={list.retrying}
          onRetry={() => {
            pressed.current = true
            list.retry()
          }}
        />
      )}
    </div>
  )
}
