import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type Ref } from 'react'

import type { CartItem } from '@/api/cart'
import { failureText } from '@/i18n/message-texts'
import { shortDate, timeOfDay } from '@/lib/dates'
import { groupIban } from '@/lib/iban'
import { paymentKindText } from '@/lib/payment-kind'
import { Button, IconButton } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { RecordCell, RecordNote, RecordRow, type RecordColumn } from '@/ui/record-table'
import { SlashedName } from '@/ui/slashed-name'
import { Sum } from '@/ui/sum'

import { ComplaintDialog } from './complaint-dialog'
import { CountControl } from './count-control'
import { ItemChange } from './item-change'
import { itemTotal, type CartRow, type CartSection } from './model'
import type { ItemCounts } from './use-item-count'
import type { Removal } from './use-removal'

/** What the specification lists, in its order; the date and the payer share a column, the two buttons another. */
export function useCartColumns(): readonly RecordColumn[] {
  const { t } = useLingui()
  return [
    { label: t`Створено, платник` },
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

/** An item of the cart, with what has to be said about it; or the place of a deleted one with its undo. */
export function CartItemRows({ row, client, counts, removal }: CartItemRowsProps) {
  const { t, i18n } = useLingui()
  const [complaining, setComplaining] = useState(false)
  const columns = useCartColumns().length
  const { item } = row
  const failure = counts.failures.get(item.id) ?? removal.failures.get(item.id) ?? null
  const name = useItemName(item)
  const recipient = useRef<HTMLDivElement>(null)
  /** What was pressed is about to go: the row takes the focus over. */
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
      <RecordRow>
        <RecordCell label={t`Створено, платник`}>
          <span className="whitespace-nowrap">
            {shortDate(item.created_at)} <span className="text-ink-soft">{timeOfDay(item.created_at)}</span>
          </span>
          <span className="block">{client.full_name}</span>
        </RecordCell>
        <RecordCell label={t`Отримувач і призначення`} className="min-w-52">
          <Recipient ref={recipient} item={item} />
        </RecordCell>
        <RecordCell label={t`Вид платежу`} className="min-w-32">
          {i18n._(paymentKindText[item.payment_type.slug])}
          {item.payment_type_option_term !== null && (
            <span className="block text-ink-soft">{item.payment_type_option_term.period}</span>
          )}
        </RecordCell>
        <RecordCell label={t`Кількість`} className="@max-2xl:items-center">
          <CountControl name={name} count={item.count} onChange={(count) => counts.change(item, count)} />
        </RecordCell>
        <RecordCell label={t`Сума`} align="end">
          <Sum value={itemTotal(item)} className="font-semibold" />
        </RecordCell>
        <RecordCell align="end">
          <div className="-my-2.5 -mr-3 flex justify-end @max-2xl:mx-0 @max-2xl:-ml-3 @max-2xl:justify-start">
            <IconButton
              icon="flag"
              label={t`Повідомити про помилку: ${name}`}
              onClick={() => setComplaining(true)}
            />
            <IconButton
              icon="trash"
              label={t`Видалити: ${name}`}
              aria-busy={removal.busy.has(item.id) || undefined}
              onClick={() => void removal.remove(item.id)}
            />
          </div>
          <ComplaintDialog
            open={complaining}
            onClose={() => setComplaining(false)}
            itemId={item.id}
            name={name}
          />
        </RecordCell>
      </RecordRow>
      {(item.change !== null || failure !== null) && (
        <RecordRow continued>
          <RecordNote columns={columns}>
            {item.change !== null && (
              <ItemChange
                item={item}
                change={item.change}
                removal={removal}
                onAccepted={() => {
                  takesFocus.current = true
                }}
              />
            )}
            {failure !== null && (
              <Notice tone="error" title={<Trans>Зміну не збережено</Trans>}>
                {failureText(failure, i18n)}
              </Notice>
            )}
          </RecordNote>
        </RecordRow>
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

/** In the place of a deleted item: its undo, which takes over the focus that the row had. */
function RemovedNote({ name, restoring, failure, onRestore }: RemovedNoteProps) {
  const { i18n } = useLingui()
  const undo = useRef<HTMLButtonElement>(null)
  useEffect(() => undo.current?.focus(), [])
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
      {failure !== null && <p className="text-danger">{failureText(failure, i18n)}</p>}
    </>
  )
}

/** What the item is called where one has to be told from another. */
function useItemName(item: CartItem): string {
  const { i18n } = useLingui()
  return (
    item.payment_type_option?.name ?? item.recipient_name ?? i18n._(paymentKindText[item.payment_type.slug])
  )
}

function Recipient({ ref, item }: { readonly ref: Ref<HTMLDivElement>; readonly item: CartItem }) {
  const recipient = item.payment_type_requisite?.name ?? item.recipient_name
  const ownIban =
    item.payment_type.slug === 'admin_payment' && item.iban !== null ? groupIban(item.iban) : null
  return (
    <div ref={ref} tabIndex={-1} className="flex flex-col gap-1 outline-offset-2 wrap-anywhere">
      {recipient !== null && (
        <span>
          <SlashedName name={recipient} />
        </span>
      )}
      {item.purpose !== '' && <span className="text-ink-soft">{item.purpose}</span>}
      {ownIban !== null && (
        <span className="text-ink-soft">
          <Trans>60 % – на ваш рахунок {ownIban}</Trans>
        </span>
      )}
    </div>
  )
}
