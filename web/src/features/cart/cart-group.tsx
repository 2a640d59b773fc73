import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'

import { useSumPartsText } from '@/i18n/orders/sum-parts-text'
import { keepArrivingClient } from '@/lib/arriving-client'
import { later } from '@/lib/later'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons'
import { RecordTable } from '@/ui/record-table'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'

import { CartItemRows, useCartColumns } from './cart-item-rows'
import type { GroupFold } from './folds'
import type { CartSection } from './model'
import type { ItemCounts } from './use-item-count'
import type { Removal } from './use-removal'

const GroupAct = later(async () => (await import('./group-act')).load())

interface CartGroupProps {
  readonly section: CartSection
  readonly counts: ItemCounts
  readonly removal: Removal
  /** The buttons by which the notary pays, and the client herself, where something is to be paid. */
  readonly pay: ReactNode
  readonly link: ReactNode
  /** How its payments are folded away, where the cart has many clients. */
  readonly fold: GroupFold | null
}

/** A client's payments: the list, the total, and the buttons for all of them. */
export function CartGroup({ section, counts, removal, pay, link, fold }: CartGroupProps) {
  const { t } = useLingui()
  const { client, rows, items } = section
  const columns = useCartColumns()
  const clientName = client.full_name
  const code = client.inn
  const isFolded = fold?.isFolded === true
  return (
    <Sheet
      // Two clients may have the same name.
      aria-label={`${clientName}, ${code}`}
      className={cx(isFolded && 'folded-sheet')}
      heading={
        fold === null ? (
          clientName
        ) : (
          <button
            type="button"
            aria-expanded={!isFolded}
            onClick={fold.toggle}
            className="-my-1 flex min-h-11 items-center gap-2 text-left"
          >
            <Icon
              name="chevron"
              size={20}
              className={cx(
                'shrink-0 transition-transform motion-reduce:transition-none',
                !isFolded && 'rotate-180',
              )}
            />
            {clientName}
          </button>
        )
      }
      caption={<Trans>Код {code}</Trans>}
      bar={
        items.length > 0 && (
          <>
            <GroupTotal section={section} isFolded={isFolded} />
            <div className={cx('flex flex-col sm:items-end xl:max-w-lg', isFolded && 'max-sm:hidden')}>
              {pay}
            </div>
          </>
        )
      }
      foot={items.length > 0 && <GroupFoot section={section} link={link} />}
    >
      <RecordTable dense caption={t`Платежі клієнта ${clientName}`} columns={columns}>
        {rows.map((row) => (
          <CartItemRows key={row.item.id} row={row} client={client} counts={counts} removal={removal} />
        ))}
      </RecordTable>
    </Sheet>
  )
}

interface GroupTotalProps extends Pick<CartGroupProps, 'section'> {
  readonly isFolded: boolean
}

/** How many payments there are, and what they come to. */
function GroupTotal({ section: { items, amount, parts }, isFolded }: GroupTotalProps) {
  const partsText = useSumPartsText()
  const itemsCount = items.length
  return (
    <div className="sm:max-xl:grow xl:text-right">
      <p
        className={cx(
          'flex flex-wrap items-baseline gap-x-3 xl:justify-end',
          isFolded && 'max-sm:flex-col-reverse max-sm:items-end',
        )}
      >
        <span className="text-sm text-ink-soft">
          <Plural value={itemsCount} one="# платіж" few="# платежі" many="# платежів" other="# платежу" />
        </span>
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className={cx('text-sm text-ink-soft', isFolded && 'max-sm:sr-only')}>
            <Trans>Разом</Trans>
          </span>
          <Sum value={amount} className="font-semibold" />
        </span>
      </p>
      <p className={cx('text-xs text-ink-soft', isFolded && 'max-sm:hidden')}>{partsText(parts)}</p>
    </div>
  )
}

/** The notarial act, and what can be done with the group beside paying it. */
function GroupFoot({ section: { client, act, items }, link }: Pick<CartGroupProps, 'section' | 'link'>) {
  return (
    <div className="flex flex-wrap items-start justify-end gap-x-6 gap-y-2">
      {act !== null && (
        <div className="min-w-64 flex-1 [&>details]:border-t-0 [&>details]:pt-0">
          <Suspense fallback={<div className="min-h-11" />}>
            <GroupAct group={{ client, act, items }} />
          </Suspense>
        </div>
      )}
      <div className="actions">
        <AddPayment client={client} />
        {link}
        <Link to="/" className="link inline-flex min-h-9 flex-wrap items-center gap-x-2 text-sm">
          <Trans>Скасувати</Trans>{' '}
          <span className="text-xs text-ink-soft">
            <Trans>повернутися до платежів, кошик не зміниться</Trans>
          </span>
        </Link>
      </div>
    </div>
  )
}

/** Opens the form with this client without putting name or code into an address. */
function AddPayment({ client }: { readonly client: CartSection['client'] }) {
  const navigate = useNavigate()
  function add() {
    keepArrivingClient(client)
    void navigate({ to: '/' })
  }
  return (
    <Button size="small" icon="plus" onClick={add}>
      <Trans>Додати платіж</Trans>
    </Button>
  )
}
