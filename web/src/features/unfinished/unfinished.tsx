import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { UnfinishedOrder } from '@/api/orders'
import { asksNotary, unfinishedQuery } from '@/api/unfinished'
import { kyivDate, shortDate, timeOfDay } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { orderLook } from '@/lib/order-status'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons'
import { Sum } from '@/ui/sum'

type Part = 'waiting' | 'processing' | 'unpaid' | 'reviewed'

function partOf(order: UnfinishedOrder): Part {
  if (!asksNotary(order)) return 'processing'
  if (order.payment_state === 'under_review') return 'reviewed'
  return order.status === 'pending' ? 'waiting' : 'unpaid'
}

/** Until when an order can be paid without the notary: the time, with the day where that is not today. */
function endText(end: string): string {
  const time = timeOfDay(end).slice(0, 5)
  return kyivDate(new Date(end)) === kyivDate(new Date()) ? time : `${shortDate(end)}, ${time}`
}

/** The end that comes first. */
const firstEnd = (orders: readonly UnfinishedOrder[]) =>
  orders
    .flatMap(({ open_until: end }) => end ?? [])
    .reduce<string | undefined>((first, end) => (first === undefined || end < first ? end : first), undefined)

/**
 * The orders that are neither paid nor given up, in one line that leads to each: they are in no cart, so without it they are known to the
 * archive alone. What asks nothing of the notary stands apart. Nothing is shown where there are none.
 */
export function Unfinished() {
  const { t } = useLingui()
  const { data: orders, isError, refetch } = useQuery(unfinishedQuery())
  if (isError && orders === undefined) return <NotLoaded onRetry={() => void refetch()} />
  if (orders === undefined || orders.length === 0) return null

  const ordersOf = (part: Part) => orders.filter((order) => partOf(order) === part)
  const [waiting, processing] = [ordersOf('waiting'), ordersOf('processing')]
  const [unpaid, reviewed] = [ordersOf('unpaid'), ordersOf('reviewed')]
  const end = firstEnd(waiting)
  const until = end === undefined ? null : endText(end)
  const waitingCount = waiting.length
  const processingCount = processing.length
  const unpaidCount = unpaid.length
  const reviewedCount = reviewed.length
  const waitingText = plural(waitingCount, {
    one: '# очікує оплати',
    few: '# очікують оплати',
    many: '# очікують оплати',
    other: '# очікує оплати',
  })
  const waitingUntil = until === null ? waitingText : t`${waitingText} до ${until}`
  const firstUntil = until === null ? waitingText : t`${waitingText}, найближче – до ${until}`
  const processingText = plural(processingCount, {
    one: '# обробляється',
    few: '# обробляються',
    many: '# обробляються',
    other: '# обробляється',
  })
  const reviewedText = plural(reviewedCount, {
    one: '# перевіряється',
    few: '# перевіряються',
    many: '# перевіряються',
    other: '# перевіряється',
  })
  return (
    <div className="mb-4 flex flex-wrap items-start gap-3 text-sm print:hidden">
      <Lane
        name={t`Потребує вас`}
        urgent
        parts={[
          { orders: waiting, text: waitingCount > 1 ? firstUntil : waitingUntil },
          { orders: unpaid, text: t`${unpaidCount} не сплачено` },
          { orders: reviewed, text: reviewedText },
        ]}
      />
      <Lane name={t`Чекаємо на банк`} parts={[{ orders: processing, text: processingText }]} />
    </div>
  )
}

interface PartOfLane {
  readonly orders: readonly UnfinishedOrder[]
  readonly text: string
}

interface LaneProps {
  readonly name: string
  /** The notary is to do something. */
  readonly urgent?: boolean
  readonly parts: readonly PartOfLane[]
}

function Lane({ name, urgent = false, parts }: LaneProps) {
  const [opened, setOpened] = useState<number | null>(null)
  const listId = useId()
  if (parts.every(({ orders }) => orders.length === 0)) return null
  const shown = opened === null ? [] : (parts[opened]?.orders ?? [])
  return (
    <section
      aria-label={name}
      className={cx(
        'min-w-0 grow rounded-sm border-l-4 px-4',
        urgent ? 'border-caution bg-caution-wash' : 'border-edge bg-inset',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="flex min-h-11 items-center gap-2 font-semibold">
          <Icon
            name={urgent ? 'alert' : 'info'}
            size={20}
            className={cx('shrink-0', urgent ? 'text-caution' : 'text-ink-soft')}
          />
          {name}
        </span>
        {parts.map((part, index) => (
          <OrdersOfPart
            // Each has its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            {...part}
            open={opened === index}
            listId={listId}
            onToggle={() => setOpened(opened === index ? null : index)}
          />
        ))}
      </div>
      {shown.length > 1 && (
        <ul id={listId} className="border-t border-rule pb-2">
          {shown.map((order) => (
            <UnfinishedRow key={order.id} order={order} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface OrdersOfPartProps extends PartOfLane {
  readonly open: boolean
  readonly listId: string
  readonly onToggle: () => void
}

/** One order is opened at once, several are listed first. */
function OrdersOfPart({ orders, text, open, listId, onToggle }: OrdersOfPartProps) {
  const [first, second] = orders
  if (first === undefined) return null
  if (second === undefined) {
    return (
      <Link to="/order/$id" params={{ id: first.id }} className="inline-flex min-h-11 items-center link">
        {text}
      </Link>
    )
  }
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? listId : undefined}
      onClick={onToggle}
      className="inline-flex min-h-11 items-center gap-1 text-left link"
    >
      {text}
      <span className={open ? 'rotate-180' : undefined}>
        <Icon name="chevron" size={18} />
      </span>
    </button>
  )
}

function UnfinishedRow({ order }: { readonly order: UnfinishedOrder }) {
  const { i18n } = useLingui()
  const { id, number, client_full_name: client, open_until: end } = order
  const part = partOf(order)
  const until = end === null || part !== 'waiting' ? null : endText(end)
  const { text } = orderLook(part === 'processing' ? { ...order, status: 'in_progress' } : order)
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-rule py-1 not-first:border-t">
      <Link to="/order/$id" params={{ id }} className="inline-flex min-h-11 items-center gap-x-2 link">
        <span className="whitespace-nowrap">№ {number}</span>
        <span className="wrap-anywhere">{client}</span>
      </Link>
      <Sum value={fromHryvnias(order.sum)} className="font-semibold" />
      <span className="text-ink-soft">
        {i18n._(text)}
        {until !== null && (
          <>
            {' '}
            <Trans>до {until}</Trans>
          </>
        )}
      </span>
    </li>
  )
}

/** Nobody must take "could not be loaded" for "there are none". */
function NotLoaded({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-3 text-sm text-ink-soft print:hidden">
      <Trans>Чи є неоплачені замовлення, дізнатися не вдалося.</Trans>
      <button type="button" onClick={onRetry} className="inline-flex min-h-11 items-center link">
        <Trans>Спробувати ще раз</Trans>
      </button>
    </p>
  )
}
