import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState, type Ref } from 'react'

import type { CartItem } from '@/api/cart'
import { cartRowId } from '@/lib/cart-row-id'
import { shortDate, timeOfDay } from '@/lib/dates'
import { groupIban } from '@/lib/iban'
import { formatHryvnias } from '@/lib/money'
import { paymentKindText } from '@/lib/payment-kind'
import { sumPartsOf } from '@/lib/sum-parts'
import { useLocale } from '@/lib/use-locale'
import { IconButton } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { RecordCell, RecordRow } from '@/ui/record-table'
import { SlashedName } from '@/ui/slashed-name'
import { Sum } from '@/ui/sum'

import { ComplaintDialog } from './complaint-dialog'
import { CountControl } from './count-control'
import { itemTotal, type CartSection } from './model'
import type { ItemCounts } from './use-item-count'
import type { Removal } from './use-removal'

interface ItemActionsProps {
  readonly item: CartItem
  /** Names the item in the labels of its controls. */
  readonly name: string
  readonly removal: Removal
}

interface CartItemRowProps extends ItemActionsProps {
  readonly client: CartSection['client']
  readonly counts: ItemCounts
  readonly recipientRef: Ref<HTMLDivElement>
}

/** The row of an item, in the columns of `useCartColumns`. */
export function CartItemRow({ item, name, client, counts, removal, recipientRef }: CartItemRowProps) {
  const { t, i18n } = useLingui()
  const filingYear = item.filing_year?.toString()
  return (
    <RecordRow>
      <RecordCell label={t`Створено`}>
        <span className="whitespace-nowrap">
          {shortDate(item.created_at)} <span className="text-ink-soft">{timeOfDay(item.created_at)}</span>
        </span>
      </RecordCell>
      <RecordCell label={t`Платник`}>{client.full_name}</RecordCell>
      <RecordCell label={t`Отримувач і призначення`} className="min-w-52">
        <Recipient ref={recipientRef} item={item} />
      </RecordCell>
      <RecordCell label={t`Вид платежу`} className="min-w-32">
        {i18n._(paymentKindText[item.payment_type.slug])}
        {item.payment_type_option_term !== null && (
          <span className="block text-ink-soft">{item.payment_type_option_term.period}</span>
        )}
        {item.filing_year !== null && (
          <span className="block text-ink-soft">
            <Trans>подання у {filingYear} році</Trans>
          </span>
        )}
      </RecordCell>
      <RecordCell label={t`Кількість`} className="@max-2xl:items-center">
        <CountControl
          name={name}
          count={item.count}
          typed={counts.typed.get(item.id)}
          onChange={(count) => counts.change(item, count)}
          onType={(text) => counts.type(item, text)}
        />
      </RecordCell>
      <RecordCell label={t`Сума`} align="end">
        <Sum value={itemTotal(item)} className="font-semibold" />
        <Commission item={item} />
      </RecordCell>
      <RecordCell align="end">
        <ItemActions item={item} name={name} removal={removal} />
        {item.complaint_number !== null && <Reported number={item.complaint_number} />}
      </RecordCell>
    </RecordRow>
  )
}

/** Marks an item that was reported to the support. */
function Reported({ number }: { readonly number: number }) {
  return (
    <span className="flex items-center justify-end gap-1.5 text-caution @max-2xl:justify-start">
      <Icon name="flag" size={18} className="shrink-0" />
      <Trans>Повідомлено: № {number}</Trans>
    </span>
  )
}

/** Changing the item, reporting a mistake in it, and deleting it. */
function ItemActions({ item, name, removal }: ItemActionsProps) {
  const { t } = useLingui()
  const [complaining, setComplaining] = useState(false)
  return (
    <>
      <div className="-my-2.5 flex flex-col items-end @max-2xl:flex-row @max-2xl:items-center @max-2xl:gap-3">
        <Link
          to="/cart/item/$id"
          params={{ id: item.id }}
          aria-label={t`Змінити: ${name}`}
          className="link inline-flex min-h-11 items-center"
        >
          <Trans>Змінити</Trans>
        </Link>
        <div className="-mr-3 flex">
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
      </div>
      {complaining && <ComplaintDialog onClose={() => setComplaining(false)} itemId={item.id} name={name} />}
    </>
  )
}

function Commission({ item }: { readonly item: CartItem }) {
  const commission = formatHryvnias(sumPartsOf([item]).commission, useLocale())
  return (
    <span className="block text-ink-soft">
      <Trans>з них комісія {commission}</Trans>
    </span>
  )
}

function Recipient({ ref, item }: { readonly ref: Ref<HTMLDivElement>; readonly item: CartItem }) {
  const recipient = item.payment_type_requisite?.name ?? item.recipient_name
  const ownIban =
    item.payment_type.slug === 'admin_payment' && item.iban !== null ? groupIban(item.iban) : null
  return (
    <div
      ref={ref}
      id={cartRowId(item.id)}
      tabIndex={-1}
      className="flex flex-col gap-1 outline-offset-2 wrap-anywhere"
    >
      {recipient !== null && (
        <span>
          <SlashedName name={recipient} />
        </span>
      )}
      {item.purpose !== '' && (
        <span lang="uk" className="text-ink-soft">
          {item.purpose}
        </span>
      )}
      {ownIban !== null && (
        <span className="text-ink-soft">
          <Trans>60 % – на ваш рахунок {ownIban}</Trans>
        </span>
      )}
    </div>
  )
}
