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
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons'
import { RecordCell, RecordRow } from '@/ui/record-table'
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
  const kind = i18n._(paymentKindText[item.payment_type.slug])
  const service = [
    item.payment_type_option?.name,
    item.payment_type_option_term?.period,
    filingYear !== undefined && t`подання у ${filingYear} році`,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <RecordRow places="cart-row">
      {/* A card tells it below the recipient. */}
      <RecordCell className="@max-2xl:hidden">
        <span className="whitespace-nowrap">
          {shortDate(item.created_at)}{' '}
          <span className="block text-ink-soft">{timeOfDay(item.created_at)}</span>
        </span>
      </RecordCell>
      {/* The heading of the group names the client, too. */}
      <RecordCell className="min-w-26 @max-4xl:hidden! @6xl:min-w-56">
        <span className="line-clamp-2" title={client.full_name}>
          {client.full_name}
        </span>
      </RecordCell>
      <RecordCell className="min-w-32 [grid-area:whom] @max-2xl:min-w-0">
        <Recipient ref={recipientRef} item={item} what={[kind, service].filter(Boolean).join(': ')} />
      </RecordCell>
      <RecordCell className="min-w-26 [grid-area:what] @max-2xl:min-w-0 @4xl:min-w-52 @6xl:min-w-68">
        <div className="@2xl:w-0 @2xl:min-w-full">
          <OneLine className={service === '' ? '' : '@max-2xl:hidden'}>{kind}</OneLine>
          <OneLine className="@2xl:text-ink-soft">{service}</OneLine>
        </div>
      </RecordCell>
      <RecordCell className="[grid-area:count]">
        <CountControl
          name={name}
          count={item.count}
          typed={counts.typed.get(item.id)}
          onChange={(count) => counts.change(item, count)}
          onType={(text) => counts.type(item, text)}
        />
      </RecordCell>
      <RecordCell align="end" className="[grid-area:sum] @max-2xl:text-right">
        <Sum value={itemTotal(item)} className="font-semibold" />
        <Commission item={item} />
      </RecordCell>
      <RecordCell align="end" className="[grid-area:acts] @max-2xl:text-right">
        <ItemActions item={item} name={name} removal={removal} />
        {item.complaint_number !== null && <Reported number={item.complaint_number} />}
      </RecordCell>
    </RecordRow>
  )
}

/** Marks an item that was reported to the support. */
function Reported({ number }: { readonly number: number }) {
  return (
    <span className="flex items-center justify-end gap-1.5 whitespace-nowrap text-caution">
      <Icon name="flag" size={16} className="shrink-0" />
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
      <div className="flex items-center justify-end gap-x-1 @max-2xl:-my-0.5">
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
    <span className="block text-xs whitespace-nowrap text-ink-soft">
      <Trans>комісія {commission}</Trans>
    </span>
  )
}

/** A line that is cut at the end of its column; unfolded, all of it stands below the recipient. */
function OneLine({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <span className={cx('block truncate', className)} title={children}>
      {children}
    </span>
  )
}

/** The recipient with the end of its account, and the purpose in one line; unfolded, all that is cut, and the accounts. */
function Recipient({
  ref,
  item,
  what,
}: {
  readonly ref: Ref<HTMLDivElement>
  readonly item: CartItem
  /** Kind and service, which their column may cut. */
  readonly what: string
}) {
  const { t } = useLingui()
  const isFee = item.payment_type_requisite !== null
  const recipient = item.payment_type_requisite?.name ?? item.recipient_name
  const account = item.payment_type_requisite?.iban ?? item.iban
  const ownIban = isFee && item.iban !== null ? groupIban(item.iban) : null
  const purpose = item.purpose || item.transfers.find(({ iban }) => iban === account)?.purpose
  const lastFour = account?.slice(-4)
  return (
    <div
      ref={ref}
      id={cartRowId(item.id)}
      tabIndex={-1}
      className="outline-offset-2 wrap-anywhere @2xl:w-0 @2xl:min-w-full"
    >
      <details className="group/whole text-ink-soft">
        {/* Two lines in a table, one in a card. A name that needs both leaves none to the purpose, until it is unfolded. */}
        <summary className="flex min-h-6 cursor-pointer list-none gap-x-2 overflow-hidden @max-2xl:-my-0.5 @max-2xl:items-start @2xl:max-h-[2.6em] group-open/whole:max-h-none [&::-webkit-details-marker]:hidden">
          <span className="min-w-0 @2xl:grow">
            {recipient !== null && (
              <span
                lang="uk"
                title={recipient}
                className="block text-ink @max-2xl:not-group-open/whole:truncate @2xl:line-clamp-2 group-open/whole:line-clamp-none"
              >
                {recipient}
              </span>
            )}{' '}
            <span
              lang="uk"
              className="block not-group-open/whole:truncate @max-2xl:not-group-open/whole:sr-only"
            >
              {purpose || <Trans>Реквізити</Trans>}
            </span>
          </span>{' '}
          <span className="flex shrink-0 flex-col items-end @max-2xl:grow @max-2xl:flex-row @max-2xl:justify-between">
            {lastFour !== undefined && (
              <span className="tabular-nums">
                <span className="sr-only">
                  <Trans>рахунок, що закінчується на</Trans>
                </span>{' '}
                •• {lastFour}
              </span>
            )}
            <Icon
              name="chevron"
              size={16}
              className="mt-0.5 ml-auto transition-transform group-open/whole:rotate-180 motion-reduce:transition-none"
            />
          </span>
        </summary>
        <p>{what}</p>
        <p className="@2xl:hidden">
          {t`Створено`} {shortDate(item.created_at)} {timeOfDay(item.created_at)}
        </p>
        {account !== null && (
          <p className="tabular-nums">
            <Trans>Рахунок {groupIban(account)}</Trans>
          </p>
        )}
        {ownIban !== null && (
          <p>
            <Trans>60 % – на ваш рахунок {ownIban}</Trans>
          </p>
        )}
      </details>
    </div>
  )
}
