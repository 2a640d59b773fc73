import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'

import type { CartItem } from '@/api/cart'
import { failureText } from '@/i18n/message-texts'
import { paymentKindText } from '@/lib/payment-kind'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { RecordNote, RecordRow, type RecordColumn } from '@/ui/record-table'
import { useFocusAfter } from '@/ui/use-focus-after'

import { CartItemRow } from './cart-item-row'
import { ItemChange } from './item-change'
import type { CartRow, CartSection } from './model'
import type { ItemCounts } from './use-item-count'
import type { Removal } from './use-removal'

/** The columns of the specification, in its order. The buttons share a column. */
export function useCartColumns(): readonly RecordColumn[] {
  const { t } = useLingui()
  return [
    { label: t`Створено` },
    { label: t`Платник`, ifRoom: true },
    { label: t`Отримувач і призначення`, wide: true },
    { label: t`Вид платежу` },
    { label: t`Кількість` },
    { label: t`Сума`, align: 'end' },
    { label: t`Дії`, hidden: true },
  ]
}

interface CartItemRowsProps {
  readonly row: CartRow
  readonly client: CartSection['client']
  readonly counts: ItemCounts
  readonly removal: Removal
}

/** The rows of an item: the item with its notices, or, after a deletion, the undo in its place. */
export function CartItemRows({ row, client, counts, removal }: CartItemRowsProps) {
  const { t } = useLingui()
  const columns = useCartColumns().length
  const { item } = row
  const failure = counts.failures.get(item.id) ?? removal.failures.get(item.id) ?? null
  const name = useItemName(item)
  const recipient = useRef<HTMLDivElement>(null)
  /** The pressed button is about to disappear, so the row takes the focus. */
  const takesFocus = useRef(false)
  const whole = !row.removed && item.change === null
  useEffect(() => {
    if (!whole || !takesFocus.current) return
    takesFocus.current = false
    if (document.activeElement === document.body) recipient.current?.focus()
  }, [whole])

  async function restore() {
    takesFocus.current = true
    if (await removal.restore(item.id)) announce(t`Повернено до кошика: ${name}`)
    else takesFocus.current = false
  }

  if (row.removed) {
    return (
      <RecordRow>
        <RecordNote columns={columns}>
          <RemovedNote
            name={name}
            restoring={removal.busy.has(item.id)}
            failure={failure}
            onRestore={() => void restore()}
          />
        </RecordNote>
      </RecordRow>
    )
  }

  return (
    <>
      <CartItemRow
        item={item}
        name={name}
        client={client}
        counts={counts}
        removal={removal}
        recipientRef={recipient}
      />
      {(item.change !== null || failure !== null) && (
        <RecordRow continued>
          <RecordNote columns={columns}>
            <ItemNotes
              item={item}
              failure={failure}
              removal={removal}
              onAccepted={() => {
                takesFocus.current = true
              }}
            />
          </RecordNote>
        </RecordRow>
      )}
    </>
  )
}

interface ItemNotesProps {
  readonly item: CartItem
  readonly failure: Error | null
  readonly removal: Removal
  /** Called as soon as today's price is accepted. */
  readonly onAccepted: () => void
}

/** Why an item cannot be paid as it was added, and why a change of it was not saved. */
function ItemNotes({ item, failure, removal, onAccepted }: ItemNotesProps) {
  const { i18n } = useLingui()
  return (
    <>
      {item.change !== null && (
        <ItemChange item={item} change={item.change} removal={removal} onAccepted={onAccepted} />
      )}
      {failure !== null && (
        <Notice tone="error" title={<Trans>Зміну не збережено</Trans>}>
          {failureText(failure, i18n)}
        </Notice>
      )}
    </>
  )
}

interface RemovedNoteProps {
  readonly name: string
  readonly restoring: boolean
  readonly failure: Error | null
  readonly onRestore: () => void
}

/** Shown in place of a deleted item. The undo takes the focus if the row had it. */
function RemovedNote({ name, restoring, failure, onRestore }: RemovedNoteProps) {
  const { i18n } = useLingui()
  const undo = useRef<HTMLButtonElement>(null)
  useFocusAfter(true, undo)
  return (
    <>
      <div role="status" className="flex flex-wrap items-center justify-between gap-3 text-ink-soft">
        <span>
          <Trans>Видалено: {name}</Trans>
        </span>
        <Button ref={undo} size="small" loading={restoring} onClick={onRestore}>
          <Trans>Повернути</Trans>
        </Button>
      </div>
      {failure !== null && (
        <p role="alert" className="text-danger">
          {failureText(failure, i18n)}
        </p>
      )}
    </>
  )
}

/** The name of an item in labels and announcements. */
function useItemName(item: CartItem): string {
  const { i18n } = useLingui()
  return (
    item.payment_type_option?.name ?? item.recipient_name ?? i18n._(paymentKindText[item.payment_type.slug])
  )
}
