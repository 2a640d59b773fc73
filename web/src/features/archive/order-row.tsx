import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { memo, Suspense, useId, type MouseEvent } from 'react'

import type { Order } from '@/api/orders'
import { shortDate, timeOfDay } from '@/lib/dates'
import { later } from '@/lib/later'
import { fromHryvnias } from '@/lib/money'
import { orderLook } from '@/lib/order-status'
import { paymentKindText } from '@/lib/payment-kind'
import { AwaitedPart } from '@/ui/awaited-part'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons'
import { Skeleton } from '@/ui/skeleton'
import { SlashedName } from '@/ui/slashed-name'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { hasReceipts } from './chosen'

const RowActions = later(async () => (await import('./row-actions')).RowActions)
const OpenedOrder = later(async () => (await import('./details/load')).loadOpenedOrder())
const ReturnedParts = later(async () => (await import('@/forms/returned-parts')).load())

/** The names of the columns, above the rows of a wide window. A screen reader hears them in each row. */
export function OrderColumns() {
  return (
    <div
      aria-hidden="true"
      className="order-row hidden border-b border-edge px-4 py-1 text-sm text-ink-soft sm:px-6 @5xl:grid"
    >
      <span className="[grid-area:number]">
        <Trans>Номер, дата</Trans>
      </span>
      <span className="[grid-area:client]">
        <Trans>Клієнт</Trans>
      </span>
      <span className="[grid-area:what]">
        <Trans>Платіж</Trans>
      </span>
      <span className="text-right [grid-area:sum]">
        <Trans>Сума</Trans>
      </span>
      <span className="[grid-area:status]">
        <Trans>Статус</Trans>
      </span>
    </div>
  )
}

interface OrderRowProps {
  readonly order: Order
  readonly open: boolean
  readonly onToggle: (id: string) => void
  readonly chosen: boolean
  /** `range`: all from the order that was chosen before to this one. */
  readonly onChoose: (id: string, chosen: boolean, range: boolean) => void
}

const selectedText = () => window.getSelection()?.toString() ?? ''

/** What was selected when the mouse was last pressed. A press on selected text ends the selection only after its click. */
let selectedBefore = ''

/** Whether a press was of no control, and did not select text. */
const isPressBeside = ({ target }: MouseEvent) => {
  const selected = selectedText()
  return (
    target instanceof Element &&
    target.closest('a, button, input, label, dialog, [role=menu]') === null &&
    (selected === '' || selected === selectedBefore)
  )
}

/** One order of the archive: a row that opens in place. */
export const OrderRow = memo(function OrderRow({ order, open, onToggle, chosen, onChoose }: OrderRowProps) {
  const { t, i18n } = useLingui()
  const bodyId = useId()
  const { number } = order
  const look = orderLook(order)
  return (
    <section
      aria-label={t`Замовлення № ${number}`}
      className="drawn-when-near @container not-first:border-t not-first:border-rule"
    >
      {/* oxlint-disable-next-line click-events-have-key-events, no-static-element-interactions -- a short way for the mouse: the button does the same */}
      <div
        onMouseDown={() => {
          selectedBefore = selectedText()
        }}
        onClick={(event) => {
          if (isPressBeside(event)) onToggle(order.id)
        }}
        className="order-row grid cursor-pointer items-center px-4 py-2 text-sm hover:bg-inset sm:px-6 @2xl:py-1 @2xl:leading-snug"
      >
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          aria-label={t`Подробиці замовлення № ${number}`}
          onClick={() => onToggle(order.id)}
          className="flex size-11 cursor-pointer items-center justify-center rounded-sm [grid-area:toggle] @2xl:-ml-2.5 print:hidden"
        >
          <span className={cx('transition-transform motion-reduce:transition-none', open && 'rotate-180')}>
            <Icon name="chevron" size={20} />
          </span>
        </button>
        {hasReceipts(order) && (
          <label className="flex size-11 cursor-pointer items-center justify-center [grid-area:check] @max-2xl:-ml-2.5 print:hidden">
            <input
              type="checkbox"
              checked={chosen}
              aria-label={t`Вибрати замовлення № ${number}`}
              className="size-5 cursor-pointer rounded-sm"
              onChange={({ target, nativeEvent }) =>
                onChoose(order.id, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          </label>
        )}
        <RowNumber order={order} />
        <RowClient order={order} />
        <RowSubject order={order} />
        <p className="text-right [grid-area:sum] @2xl:self-center">
          <Sum value={fromHryvnias(order.sum)} className="font-semibold" />
        </p>
        <p className="justify-self-end [grid-area:status] @max-[22rem]:justify-self-start @2xl:@max-5xl:-mt-1.5 @2xl:self-start @5xl:self-center @5xl:justify-self-start">
          <StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>
        </p>
        {!open && (
          // As high as the buttons, so that nothing moves when they come.
          <Suspense fallback={<div className="h-9 [grid-area:acts]" />}>
            <RowActions order={order} />
          </Suspense>
        )}
      </div>
      {order.status === 'paid' && (order.returned[0] ?? order.given_back) && (
        <div className="px-4 pb-4 sm:px-6">
          <Suspense>
            <ReturnedParts order={order} />
          </Suspense>
        </div>
      )}
      {open && (
        <div id={bodyId}>
          <Suspense
            fallback={
              <AwaitedPart>
                <Skeleton className="mx-6 mb-6 h-48" />
              </AwaitedPart>
            }
          >
            <OpenedOrder order={order} />
          </Suspense>
        </div>
      )}
    </section>
  )
})

interface PartProps {
  readonly order: Order
}

function RowNumber({ order: { id, number, created_at: created } }: PartProps) {
  const { t } = useLingui()
  return (
    <p className="min-w-0 [grid-area:number]">
      <Link
        to="/order/$id"
        params={{ id }}
        className="font-semibold whitespace-nowrap link"
        aria-label={t`Замовлення № ${number}`}
      >
        <Trans>№ {number}</Trans>
      </Link>{' '}
      <span className="text-ink-soft tabular-nums @2xl:block @2xl:text-xs @2xl:whitespace-nowrap">
        {shortDate(created)} {timeOfDay(created)}
      </span>
    </p>
  )
}

function RowClient({ order: { client, act } }: PartProps) {
  const register = act.register_number
  return (
    <p className="min-w-0 [grid-area:client]">
      <span className="block wrap-anywhere @max-2xl:line-clamp-2 @2xl:truncate" title={client.full_name}>
        {client.full_name}
      </span>
      <span className="block truncate text-ink-soft tabular-nums">
        {client.inn}
        {register !== null && (
          <>
            , <Trans>дія № {register}</Trans>
          </>
        )}
      </span>
    </p>
  )
}

/** What is paid for: the first payment, and how many others there are. */
function RowSubject({ order: { items } }: PartProps) {
  const { i18n } = useLingui()
  const [first] = items
  if (first === undefined) return null
  const others = items.length - 1
  const kind = i18n._(paymentKindText[first.payment_type.slug])
  return (
    <p className="min-w-0 [grid-area:what] @2xl:@max-5xl:flex @2xl:@max-5xl:gap-x-2">
      <span className="flex max-w-full shrink-0 gap-x-2">
        <span className="truncate" title={kind}>
          {kind}
        </span>
        {others > 0 && (
          <span aria-hidden="true" className="hidden shrink-0 text-ink-soft @2xl:inline">
            +{others}
          </span>
        )}
      </span>
      <span
        className="block truncate text-ink-soft"
        title={first.payment_type_option?.name ?? first.recipient_name ?? undefined}
      >
        {first.payment_type_option?.name ?? <SlashedName name={first.recipient_name ?? ''} />}
      </span>
      {others > 0 && (
        <span className="block text-ink-soft @2xl:sr-only">
          <Plural
            value={others}
            one="і ще # платіж"
            few="і ще # платежі"
            many="і ще # платежів"
            other="і ще # платежу"
          />
        </span>
      )}
    </p>
  )
}
