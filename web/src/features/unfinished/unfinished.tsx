import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState, type ReactNode } from 'react'
import type { UnfinishedOrder } from '@/api/orders'
import { unfinishedQuery } from '@/api/unfinished'
import { kyivDate, shortDate, timeOfDay } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { orderLook } from '@/lib/order-status'
import { Icon } from '@/ui/icons'
import { Sum } from '@/ui/sum'

type Part = 'waiting' | 'processing' | 'unpaid'

function partOf({ status, payment_state: state }: UnfinishedOrder): Part {
  // The charge may have gone through: nobody is told to pay.
  if (state === 'unknown' || state === 'under_review') return 'processing'
  return status === 'pending' ? 'waiting' : 'unpaid'
}

/** The end of a payment page: its time, with the day where that is not today. */
function endText(end: string): string {
  const time = timeOfDay(end).slice(0, 5)
  return kyivDate(new Date(end)) === kyivDate(new Date()) ? time : `${shortDate(end)}, ${time}`
}

/** The page that closes first. */
const firstEnd = (orders: readonly UnfinishedOrder[]) =>
  orders
    .flatMap(({ open_until: end }) => end ?? [])
    .reduce<string | undefined>((first, end) => (first === undefined || end < first ? end : first), undefined)

/**
 * The orders that are neither paid nor given up, in one line that leads to each: they are in no cart, so without it they are known to the
 * archive alone. Nothing is shown where there are none.
 */
export function Unfinished() {
  const { t } = useLingui()
  const { data: orders, isError, refetch } = useQuery(unfinishedQuery())
  const [opened, setOpened] = useState<Part | null>(null)
  const listId = useId()
  if (isError && orders === undefined) return <NotLoaded onRetry={() => void refetch()} />
  if (orders === undefined || orders.length === 0) return null

  const ordersOf = (part: Part) => orders.filter((order) => partOf(order) === part)
  const [waiting, processing, unpaid] = [ordersOf('waiting'), ordersOf('processing'), ordersOf('unpaid')]
  const shown = opened === null ? [] : ordersOf(opened)
  const end = firstEnd(waiting)
  const until = end === undefined ? null : endText(end)
  const waitingCount = waiting.length
  const processingCount = processing.length
  const unpaidCount = unpaid.length
  const waitingText = plural(waitingCount, {
    one: '# очікує оплати',
    few: '# очікують оплати',
    many: '# очікують оплати',
    other: '# очікує оплати',
  })
  const waitingUntil = until === null ? waitingText : t`${waitingText} до ${until}`
  const firstUntil = until === null ? waitingText : t`${waitingText}, найближче – до ${until}`
  const toggle = (part: Part) => setOpened(opened === part ? null : part)
  const parts = { opened, listId, onToggle: toggle }
  return (
    <section
      aria-label={t`Потребує вас`}
      className="mb-4 rounded-sm border-l-4 border-caution bg-caution-wash px-4 text-sm print:hidden"
    >
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="flex min-h-11 items-center gap-2 font-semibold">
          <Icon name="alert" size={20} className="shrink-0 text-caution" />
          <Trans>Потребує вас</Trans>
        </span>
        <PartOf part="waiting" orders={waiting} {...parts}>
          {waiting.length > 1 ? firstUntil : waitingUntil}
        </PartOf>
        <PartOf part="processing" orders={processing} {...parts}>
          {plural(processingCount, {
            one: '# обробляється',
            few: '# обробляються',
            many: '# обробляються',
            other: '# обробляється',
          })}
        </PartOf>
        <PartOf part="unpaid" orders={unpaid} {...parts}>
          {t`${unpaidCount} не сплачено`}
        </PartOf>
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

interface PartOfProps {
  readonly part: Part
  readonly orders: readonly UnfinishedOrder[]
  readonly opened: Part | null
  readonly listId: string
  readonly onToggle: (part: Part) => void
  readonly children: ReactNode
}

/** One order is opened at once, several are listed first. */
function PartOf({ part, orders, opened, listId, onToggle, children }: PartOfProps) {
  const [first, second] = orders
  if (first === undefined) return null
  if (second === undefined) {
    return (
      <Link to="/order/$id" params={{ id: first.id }} className="inline-flex min-h-11 items-center link">
        {children}
      </Link>
    )
  }
  const isOpen = opened === part
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? listId : undefined}
      onClick={() => onToggle(part)}
      className="inline-flex min-h-11 items-center gap-1 text-left link"
    >
      {children}
      <span className={isOpen ? 'rotate-180' : undefined}>
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
