import { Trans, useLingui } from '@lingui/react/macro'

import type { TimelineEntry } from '@/api/order-details'
import { civilDate, longMoment } from '@/lib/dates'
import { useLocale } from '@/lib/use-locale'
import { Sheet } from '@/ui/sheet'

interface OrderTimelineProps {
  readonly entries: readonly TimelineEntry[]
}

/** What happened to an order, the earliest first. */
export function OrderTimeline({ entries }: OrderTimelineProps) {
  const locale = useLocale()
  const textOf = useStepText()
  const shown = entries.flatMap((entry) => {
    const text = textOf(entry)
    const when = entry.at === null ? civilDate(entry.on ?? '') : longMoment(entry.at, locale)
    return text === null ? [] : [{ key: `${entry.step} ${entry.document_number} ${when}`, text, when }]
  })
  return (
    <Sheet heading={<Trans>Хронологія</Trans>}>
      <ol className="flex flex-col border-l-2 border-rule">
        {shown.map(({ key, text, when }) => (
          <li key={key} className="relative py-2 pl-5">
            <span
              aria-hidden="true"
              className="absolute top-4 -left-[0.3125rem] size-2 rounded-full bg-ink-soft"
            />
            {text}
            <span className="block text-sm text-ink-soft">{when}</span>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}

/** Returns the text of an entry; null for a step that only a newer server knows. */
function useStepText(): (entry: TimelineEntry) => string | null {
  const { t } = useLingui()
  return ({ step, document_number: document }) => {
    const number = document ?? ''
    switch (step) {
      case 'created':
        return t`Замовлення створено`
      case 'awaits_payment':
        return t`Очікує оплати на сторінці банку`
      case 'begun_again':
        return t`Оплату почато повторно`
      case 'declined':
        return t`Оплату не здійснено`
      case 'expired':
        return t`Строк оплати минув`
      case 'cancelled':
        return t`Замовлення скасовано`
      case 'returned_to_cart':
        return t`Платежі повернено до кошика`
      case 'codes_given':
        return t`Показано QR-коди переказів`
      case 'paid_by_codes':
        return t`Позначено: сплачено за QR-кодами`
      case 'codes_payment_undone':
        return t`Позначку про сплату за QR-кодами скасовано`
      case 'paid':
        return t`Замовлення оплачено`
      case 'duplicate_refunded':
        return t`Зайву оплату повернено на картку`
      case 'refunded':
        return t`Кошти повернено на картку`
      case 'transfer_sent':
        return t`Переказ № ${number} надіслано`
      case 'transfer_credited':
        return t`Переказ № ${number} зараховано`
      case 'transfer_returned':
        return t`Переказ № ${number} повернув банк`
      case 'transfer_sent_again':
        return t`Кошти буде надіслано повторно переказом № ${number}`
      case 'part_refund_requested':
        return t`Запит на повернення переказу № ${number} на картку`
      case 'part_refunded':
        return t`Переказ № ${number} повернено на картку`
      default:
        return null
    }
  }
}
