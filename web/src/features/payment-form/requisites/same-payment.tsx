import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { DuplicatePayment } from '@/api/cart'
import { shortDate, timeOfDay } from '@/lib/dates'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { orderLook } from '@/lib/order-status'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

interface SamePaymentProps {
  readonly both: DuplicatePayment
  readonly onAdd: () => void
  readonly onClose: () => void
}

/** Shows the same payment that is there already beside the new one, and asks whether it is wanted twice. */
export function SamePayment({ both, onAdd, onClose }: SamePaymentProps) {
  const { t } = useLingui()
  const { earlier, order, wanted } = both
  const number = order?.number
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Такий платіж уже є`}
      className="sm:w-[min(46rem,calc(100vw-2rem))]"
      actions={
        <>
          <Button variant="primary" onClick={onClose}>
            <Trans>Не додавати</Trans>
          </Button>
          <Button onClick={onAdd}>
            <Trans>Додати ще один</Trans>
          </Button>
          {order ? (
            <Link to="/order/$id" params={{ id: order.id }} className={buttonClass({ variant: 'quiet' })}>
              <Trans>Відкрити замовлення № {number}</Trans>
            </Link>
          ) : (
            <Link to="/cart" className={buttonClass({ variant: 'quiet' })}>
              <Trans>Відкрити кошик</Trans>
            </Link>
          )}
        </>
      }
    >
      <p>
        <Trans>
          Збігаються код клієнта, послуга, отримувач і сума за одиницю. Якщо другий платіж не потрібен, не
          додавайте його: введене залишиться у формі.
        </Trans>
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Side heading={<Trans>Уже є</Trans>} payment={earlier} other={wanted}>
          <Where both={both} />
        </Side>
        <Side heading={<Trans>Новий платіж</Trans>} payment={wanted} other={earlier}>
          <Trans>Ще не додано</Trans>
        </Side>
      </div>
    </Dialog>
  )
}

/** A moment as `DD.MM.YY hh:mm`. */
const moment = (iso: string) => `${shortDate(iso)} ${timeOfDay(iso).slice(0, 5)}`

/** Where the earlier payment is, and since when. */
function Where({ both: { order, added_at: addedAt } }: { readonly both: DuplicatePayment }) {
  const { i18n } = useLingui()
  if (!order) {
    const added = moment(addedAt)
    return <Trans>У кошику з {added}</Trans>
  }
  const { number } = order
  const look = orderLook(order)
  const made = moment(order.created_at)
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Trans>
        Замовлення № {number} від {made}
      </Trans>
      <StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>
    </span>
  )
}

interface SideProps {
  readonly heading: ReactNode
  readonly payment: DuplicatePayment['wanted']
  readonly other: DuplicatePayment['wanted']
  /** Where it is. */
  readonly children: ReactNode
}

/** One of the two payments. What differs from the other is marked. */
function Side({ heading, payment, other, children }: SideProps) {
  const { t } = useLingui()
  const { count } = payment
  const locale = useLocale()
  const unit = formatHryvnias(fromHryvnias(payment.sum_full), locale)
  return (
    <section className="flex flex-col gap-3 rounded-md border border-rule p-4">
      <div>
        <h3 className="font-semibold">{heading}</h3>
        <p className="text-sm text-ink-soft">{children}</p>
      </div>
      <p>
        <Sum value={fromHryvnias(payment.sum_total)} size="total" />
        {count > 1 && (
          <span className="block text-sm text-ink-soft">
            {count} × {unit}
          </span>
        )}
      </p>
      <dl className="flex flex-col gap-2 break-words">
        {[
          { term: t`Клієнт`, text: payment.full_name, is: payment.full_name === other.full_name },
          {
            term: t`Отримувач`,
            text: payment.recipient_name,
            is: payment.recipient_name === other.recipient_name,
          },
          { term: t`Призначення`, text: payment.purpose, is: payment.purpose === other.purpose },
        ].map(({ term, text, is }) => (
          <div key={term}>
            <dt className="text-sm text-ink-soft">{term}</dt>
            <dd>{is ? text : <strong>{text}</strong>}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
