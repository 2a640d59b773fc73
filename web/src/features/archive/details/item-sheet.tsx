import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type ReactNode } from 'react'

import type { OrderDetails } from '@/api/order-details'
import type { Order, OrderItem } from '@/api/orders'
import { useDownloads } from '@/api/use-download'
import { failureText } from '@/i18n/message-texts'
import { groupIban } from '@/lib/iban'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { itemLook, itemStatus } from '@/lib/order-status'
import { paymentKindText } from '@/lib/payment-kind'
import { useLocale } from '@/lib/use-locale'
import { DescriptionList } from '@/ui/description-list'
import { Sheet } from '@/ui/sheet'
import { SlashedName } from '@/ui/slashed-name'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { ItemActions } from './item-actions'

type ItemDetails = OrderDetails['items'][number]

interface ItemSheetProps {
  readonly item: OrderItem
  /** More about it. */
  readonly more: ItemDetails | undefined
  readonly order: Order
}

const line = (term: string, text: string | null | undefined, lang?: 'uk') =>
  text
    ? [
        {
          term,
          description: (
            <span lang={lang} className="wrap-anywhere">
              {text}
            </span>
          ),
        },
      ]
    : []

/** A payment of an order with its requisites and shares. */
export function ItemSheet({ item, more, order }: ItemSheetProps) {
  const { t, i18n } = useLingui()
  const downloads = useDownloads()
  const kind = i18n._(paymentKindText[item.payment_type.slug])
  const look = itemLook(item, order)
  const { payment_type_requisite: requisite } = item
  const recipient = requisite?.name ?? item.recipient_name
  const iban = requisite?.iban ?? item.iban
  return (
    <Sheet
      heading={kind}
      aside={
        itemStatus(item, order) !== order.status && (
          <StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>
        )
      }
      foot={
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p>
            <Sum value={fromHryvnias(item.sum_total)} size="total" />
            {item.count > 1 && (
              <span className="ml-3 text-ink-soft whitespace-nowrap">
                {item.count} × <Sum value={fromHryvnias(item.sum_full)} />
              </span>
            )}
          </p>
          <ItemActions item={item} order={order} downloads={downloads} name={kind} />
          {downloads.failure !== null && (
            <p role="alert" className="basis-full text-sm text-danger">
              {failureText(downloads.failure, i18n)}
            </p>
          )}
        </div>
      }
    >
      <Details
        summary={
          order.items.length > 1
            ? [recipient, item.payment_type_option?.name, item.payment_type_option_term?.period]
                .filter(Boolean)
                .join(', ')
            : null
        }
      >
        <DescriptionList
          items={[
            ...line(t`Послуга`, item.payment_type_option?.name),
            ...line(t`Строк`, item.payment_type_option_term?.period),
            ...line(t`Регіон`, more?.region?.name),
            ...(recipient ? [{ term: t`Отримувач`, description: <SlashedName name={recipient} /> }] : []),
            ...line(t`Код отримувача`, requisite?.okpo ?? item.okpo),
            ...line(t`Рахунок IBAN`, iban && groupIban(iban)),
            ...line(t`Код класифікації доходів бюджету`, more?.cbc_code),
            ...line(t`Призначення платежу`, item.purpose, 'uk'),
            ...(more ? [{ term: t`Сума та комісія`, description: <Shares item={item} more={more} /> }] : []),
          ]}
        />
      </Details>
    </Sheet>
  )
}

interface DetailsProps {
  /** What stands in place of the details until they are unfolded; null where they are not folded. */
  readonly summary: string | null
  readonly children: ReactNode
}

/** The details of one of several payments are folded away. On paper they are whole. */
function Details({ summary, children }: DetailsProps) {
  const folded = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const unfold = () => {
      if (folded.current !== null) folded.current.open = true
    }
    window.addEventListener('beforeprint', unfold)
    return () => window.removeEventListener('beforeprint', unfold)
  }, [])
  if (summary === null) return children
  return (
    <details ref={folded}>
      <summary className="cursor-pointer text-sm wrap-anywhere text-ink-soft">{summary}</summary>
      {children}
    </details>
  )
}

/** Who gets which part of the amount, and the commission for it. */
function Shares({ item, more: { shares } }: { readonly item: OrderItem; readonly more: ItemDetails }) {
  const locale = useLocale()
  const whole = shares.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <ul className="flex flex-col gap-1">
      {shares.map(({ role, amount, commission }) => {
        const percent = Math.round((100 * amount) / whole)
        const part = formatHryvnias(fromHryvnias(amount), locale)
        const fee = formatHryvnias(fromHryvnias(commission), locale)
        const own = item.iban === null ? '' : groupIban(item.iban)
        return (
          <li key={role}>
            {role === 'notary' ? (
              <Trans>
                {part} ({percent} %) на ваш рахунок {own}, комісія {fee}
              </Trans>
            ) : shares.length > 1 ? (
              <Trans>
                {part} ({percent} %) отримувачу, комісія {fee}
              </Trans>
            ) : (
              <Trans>
                {part} отримувачу, комісія {fee}
              </Trans>
            )}
          </li>
        )
      })}
    </ul>
  )
}
