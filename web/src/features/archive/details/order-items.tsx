import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useState } from 'react'
import { flushSync } from 'react-dom'

import type { OrderDetails } from '@/api/order-details'
import type { Order, OrderItem } from '@/api/orders'
import { useDownloads, type Downloads } from '@/api/use-download'
import { FailedLine } from '@/forms/failed'
import { fromHryvnias } from '@/lib/money'
import { itemLook, itemStatus } from '@/lib/order-status'
import { paymentKindText } from '@/lib/payment-kind'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons'
import { RecordCell, RecordNote, RecordRow, RecordTable } from '@/ui/record-table'
import { Sheet } from '@/ui/sheet'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { ItemActions } from './item-actions'
import { ItemDetails } from './item-details'
import { isNotable, tellingTransfer, transferLook, type Transfer } from './transfer-look'

interface OrderItemsProps {
  readonly order: Order
  /** More about its payments, once it is known. */
  readonly details: OrderDetails | undefined
}

/** The payments of an order, two lines each. Requisites, shares and transfers are unfolded below a payment; on paper all are. */
export function OrderItems({ order, details }: OrderItemsProps) {
  const { t } = useLingui()
  const downloads = useDownloads()
  const printed = useIsPrinted()
  // Of an order that was not paid here its own status says it for all its payments.
  const hasStates = order.paid_by === 'card' || order.items.some((item) => differs(item, order))
  return (
    <Sheet heading={<Trans>Платежі</Trans>}>
      <RecordTable
        dense
        caption={t`Платежі`}
        columns={[
          { label: t`Послуга` },
          { label: t`Отримувач`, wide: true },
          { label: t`Сума`, align: 'end' },
          ...(hasStates ? [{ label: t`Статус` }] : []),
          { label: t`Дії`, hidden: true },
        ]}
      >
        {order.items.map((item) => (
          <ItemRows
            key={item.id}
            item={item}
            order={order}
            more={details?.items.find(({ id }) => id === item.id)}
            transfers={details?.transfers.filter(({ item_id: of }) => of === item.id) ?? []}
            downloads={downloads}
            hasStates={hasStates}
            printed={printed}
          />
        ))}
      </RecordTable>
      <FailedLine failure={downloads.failure} className="mt-3 text-sm" />
    </Sheet>
  )
}

/** Whether a payment stands elsewhere than its order. */
const differs = (item: OrderItem, order: Order) => itemStatus(item, order) !== order.status

/** Whether the page is being printed. */
function useIsPrinted(): boolean {
  const [printed, setPrinted] = useState(false)
  useEffect(() => {
    // The browser takes the page as it is when the listener returns.
    const begin = () => flushSync(() => setPrinted(true))
    const end = () => setPrinted(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printed
}

interface ItemRowsProps {
  readonly item: OrderItem
  readonly order: Order
  readonly more: OrderDetails['items'][number] | undefined
  readonly transfers: readonly Transfer[]
  readonly downloads: Downloads
  readonly hasStates: boolean
  readonly printed: boolean
}

/** A payment, and below it what is unfolded of it: from the start where it is the only one or where its money did not go its way. */
function ItemRows({ item, order, more, transfers, downloads, hasStates, printed }: ItemRowsProps) {
  const { i18n } = useLingui()
  const detailsId = useId()
  const telling = tellingTransfer(transfers)
  const [unfolded, setUnfolded] = useState<boolean | null>(null)
  const open = unfolded ?? (order.items.length === 1 || isNotable(telling))
  const kind = i18n._(paymentKindText[item.payment_type.slug])
  const service = [item.payment_type_option?.name, item.payment_type_option_term?.period]
    .filter(Boolean)
    .join(', ')
  const look = telling === undefined ? differs(item, order) && itemLook(item, order) : transferLook(telling)
  return (
    <>
      <RecordRow places={hasStates ? 'payment-row payment-row-with-state' : 'payment-row'}>
        <RecordCell className="min-w-60 [grid-area:what] @max-2xl:min-w-0 @4xl:min-w-72">
          <div className="@2xl:w-0 @2xl:min-w-full">
            <Line className={service === '' ? '' : '@max-2xl:hidden'}>{kind}</Line>
            {service !== '' && <Line className="@2xl:text-ink-soft">{service}</Line>}
          </div>
        </RecordCell>
        <RecordCell className="min-w-40 [grid-area:whom] @max-2xl:min-w-0">
          <RecipientButton item={item} open={open} detailsId={detailsId} onPress={() => setUnfolded(!open)} />
        </RecordCell>
        <RecordCell align="end" className="[grid-area:sum] @max-2xl:self-start @max-2xl:text-right">
          <Sum value={fromHryvnias(item.sum_total)} className="font-semibold" />
          <span
            className={cx('block whitespace-nowrap text-ink-soft', item.count === 1 && '@max-2xl:hidden')}
          >
            {item.count} × <Sum value={fromHryvnias(item.sum_full)} />
          </span>
        </RecordCell>
        {/* In a narrower table the other columns have no room to give it. */}
        {hasStates && (
          <RecordCell className="[grid-area:state] @2xl:align-middle @min-[46.75rem]:min-w-[9.75rem] @4xl:min-w-58">
            {look && <StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>}
          </RecordCell>
        )}
        <RecordCell align="end" className="[grid-area:acts] @max-2xl:justify-self-end @2xl:align-middle">
          <ItemActions item={item} order={order} downloads={downloads} name={service || kind} />
        </RecordCell>
      </RecordRow>
      <RecordRow continued id={detailsId} hidden={!open && !printed}>
        <RecordNote columns={hasStates ? 5 : 4}>
          <ItemDetails item={item} kind={kind} more={more} transfers={transfers} />
        </RecordNote>
      </RecordRow>
    </>
  )
}

interface RecipientButtonProps {
  readonly item: OrderItem
  readonly open: boolean
  /** The id of what is unfolded. */
  readonly detailsId: string
  readonly onPress: () => void
}

/** The recipient with the account and the purpose, in two lines. It unfolds the rest of the payment. */
function RecipientButton({ item, open, detailsId, onPress }: RecipientButtonProps) {
  const { payment_type_requisite: requisite } = item
  const recipient = requisite?.name ?? item.recipient_name
  const account = requisite?.iban ?? item.iban
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={detailsId}
      onClick={onPress}
      className="block w-full min-w-0 text-left @max-2xl:-my-1 @max-2xl:min-h-8 @2xl:w-0 @2xl:min-w-full "
    >
      <span className="flex items-center gap-x-2">
        <span lang="uk" className="min-w-0 truncate">
          {recipient}
        </span>
        {account !== null && (
          <span className="shrink-0 text-ink-soft tabular-nums">
            <span className="sr-only">
              <Trans>рахунок, що закінчується на</Trans>
            </span>{' '}
            •• {account.slice(-4)}
          </span>
        )}
        <Icon
          name="chevron"
          size={16}
          className={cx(
            'shrink-0 text-ink-soft transition-transform motion-reduce:transition-none print:hidden',
            open && 'rotate-180',
          )}
        />
      </span>
      {item.purpose && (
        <span lang="uk" className="block truncate text-ink-soft @max-2xl:hidden">
          {item.purpose}
        </span>
      )}
    </button>
  )
}

/** A line that is cut at the end of its column; unfolded, all of it stands below. */
function Line({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <span className={cx('block truncate', className)} title={children}>
      {children}
    </span>
  )
}
