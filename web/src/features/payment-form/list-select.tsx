import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'

import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { Select, type SelectOption, type SelectProps } from '@/ui/select'

import type { List } from './lists'

interface ListSelectProps<Entry> extends Omit<SelectProps, 'options' | 'loading' | 'onChange' | 'value'> {
  readonly list: List<Entry>
  readonly toOption: (entry: Entry) => SelectOption
  readonly value: string
  readonly onValueChange: (value: string) => void
  /** Said in place of the hint where the list has come and is empty. */
  readonly emptyText?: string
}

/** A select over a list of the server: says that it is loading, that it failed, or that it is empty. */
export function ListSelect<Entry>({
  list,
  toOption,
  value,
  onValueChange,
  emptyText,
  disabledReason,
  ...select
}: ListSelectProps<Entry>) {
  const { t, i18n } = useLingui()
  const waiting = Boolean(disabledReason)
  const empty = !waiting && !list.loading && list.failure === null && list.entries.length === 0
  // Stands over another try, with the pressed button in it.
  const [failure, setFailure] = useState(list.failure)
  const shown = waiting ? null : (list.failure ?? (list.retrying ? failure : null))
  if (shown !== failure) setFailure(shown)
  // The button goes with the failure: what has come takes the focus over.
  const place = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    if (shown !== null || !pressed.current) return
    pressed.current = false
    // Whoever has gone on meanwhile stays there.
    if (document.activeElement === document.body) place.current?.querySelector('select')?.focus()
  }, [shown])
  return (
    <div ref={place} className="flex flex-col gap-2">
      <Select
        {...select}
        placeholder={t`Виберіть…`}
        options={list.entries.map(toOption)}
        value={value}
        onChange={({ target }) => onValueChange(target.value)}
        loading={!waiting && list.loading}
        disabledReason={disabledReason ?? (empty ? emptyText : undefined)}
      />
      {shown !== null && (
        <Notice
          tone="error"
          title={<Trans>Список не вдалося завантажити</Trans>}
          actions={
            <Button
              size="small"
              icon="refresh"
              loading={list.retrying}
              onClick={() => {
                pressed.current = true
                list.retry()
              }}
            >
              <Trans>Спробувати ще раз</Trans>
            </Button>
          }
        >
          {failureText(shown, i18n)}
        </Notice>
      )}
    </div>
  )
}
