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
  const whenOf = ({ at, on }: TimelineEntry) => (at === null ? civilDate(on ?? '') : longMoment(at, locale))
  const shown = together(entries, whenOf).flatMap((group) => {
    const text = textOf(group)
    const [{ step, document_number: document }] = group
    const when = whenOf(group[0])
    return text === null ? [] : [{ key: `${step} ${document} ${when}`, text, when }]
  })
  return (
    <Sheet heading={<Trans>Хронологія</Trans>}>
      <ol className="flex flex-col border-l-2 border-rule">
        {shown.map(({ key, text, when }) => (
          <li key={key} className="relative flex flex-wrap items-baseline gap-x-3 py-0.5 pl-5 text-sm">
            <span
              aria-hidden="true"
              className="absolute top-[0.6em] -left-[0.3125rem] size-2 rounded-full bg-ink-soft"
            />
            <span className="min-w-0">{text}</span>
            <span className="text-ink-soft">{when}</span>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}

type Together = readonly [TimelineEntry, ...TimelineEntry[]]

/** The steps that all transfers of an order usually take on the same day. */
const COMMON: ReadonlySet<string> = new Set(['transfer_sent', 'transfer_credited'])

/** The entries, those of several transfers that did the same at the same time together. */
function together(
  entries: readonly TimelineEntry[],
  whenOf: (entry: TimelineEntry) => string,
): readonly Together[] {
  const groups: [TimelineEntry, ...TimelineEntry[]][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    const same = last?.[0].step === entry.step && COMMON.has(entry.step) && whenOf(last[0]) === whenOf(entry)
    if (last !== undefined && same) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** Returns the text of entries; null for a step that only a newer server knows. */
function useStepText(): (entries: Together) => string | null {
  const { t } = useLingui()
  return (entries) => {
    const number = entries.map(({ document_number: document }) => document ?? '').join(', ')
    const [{ step }] = entries
    const several = entries.length > 1
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
        return several ? t`Перекази № ${number} надіслано` : t`Переказ № ${number} надіслано`
      case 'transfer_credited':
        return several ? t`Перекази № ${number} зараховано` : t`Переказ № ${number} зараховано`
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
