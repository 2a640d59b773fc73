import { Trans, useLingui } from '@lingui/react/macro'

import type { OrderDetails } from '@/api/order-details'
import type { OrderItem } from '@/api/orders'
import { civilDate } from '@/lib/dates'
import { groupIban } from '@/lib/iban'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { DescriptionList } from '@/ui/description-list'
import { SlashedName } from '@/ui/slashed-name'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

import { transferLook, type Transfer } from './transfer-look'

type More = OrderDetails['items'][number]

interface ItemDetailsProps {
  readonly item: OrderItem
  /** What its kind is called. */
  readonly kind: string
  /** More about it, once it is known. */
  readonly more: More | undefined
  readonly transfers: readonly Transfer[]
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

/** The requisites of a payment of an order, its shares, and the way of its money. */
export function ItemDetails({ item, kind, more, transfers }: ItemDetailsProps) {
  const { t } = useLingui()
  const { payment_type_requisite: requisite } = item
  const recipient = requisite?.name ?? item.recipient_name
  const iban = requisite?.iban ?? item.iban
  return (
    <div className="mb-2 flex flex-col gap-3 rounded-sm bg-inset px-3 py-2.5">
      <DescriptionList
        inRow
        items={[
          ...line(t`Вид платежу`, kind),
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
      {transfers.length > 0 && <Transfers transfers={transfers} />}
    </div>
  )
}

/** Who gets which part of the amount, and the commission for it. */
function Shares({ item, more: { shares } }: { readonly item: OrderItem; readonly more: More }) {
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

/** The transfers of a payment; their own page, to which the order's file leads, says what can be done about them. */
function Transfers({ transfers }: { readonly transfers: readonly Transfer[] }) {
  const { t, i18n } = useLingui()
  return (
    <ul aria-label={t`Перекази`} className="flex flex-col gap-1.5 border-t border-rule pt-2">
      {transfers.map((transfer) => {
        const look = transferLook(transfer)
        const { document_number: number } = transfer
        return (
          <li key={number} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <span className="whitespace-nowrap">
              <Trans>Переказ № {number}</Trans>
            </span>
            <span className="min-w-0">
              <SlashedName name={transfer.recipient_name} />
              <span className="text-ink-soft wrap-anywhere">
                {', '}
                {transfer.okpo}, {groupIban(transfer.iban)}
              </span>
            </span>
            <Sum value={fromHryvnias(transfer.amount)} className="font-semibold" />
            <StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>
            {transfer.status === 'called_off' && (
              <span className="text-ink-soft">
                <Trans>Кошти повернено на картку</Trans>
              </span>
            )}
            {transfer.on !== null && <span className="text-ink-soft">{civilDate(transfer.on)}</span>}
          </li>
        )
      })}
    </ul>
  )
}
