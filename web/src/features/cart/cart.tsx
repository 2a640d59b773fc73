import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { cartQuery } from '@/api/cart'
import { queryClient } from '@/api/query-client'
import { unfinishedQuery } from '@/api/unfinished'
import { useSumPartsText } from '@/i18n/orders/sum-parts-text'
import { total } from '@/lib/money'
import type { PayableGroup } from '@/lib/payable-group'
import { sumPartsOf } from '@/lib/sum-parts'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeading } from '@/ui/page-heading'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'

import { CartGroup } from './cart-group'
import { useFolds } from './folds'
import { sectionsOf, type CartSection } from './model'
import { usePayable } from './payable'
import { useItemCounts } from './use-item-count'
import { useRemoval } from './use-removal'

/** Loads the cart. A stale cached cart is shown and read again. */
export async function loadCart(): Promise<void> {
  await queryClient.ensureQueryData({ ...cartQuery(), revalidateIfStale: true })
}

interface CartProps {
  /** The Pay button of a client, beside those of all. */
  readonly renderPay: (group: PayableGroup, all: readonly PayableGroup[]) => ReactNode
  /** The button by which the client gets a link to pay herself. */
  readonly renderLink: (group: PayableGroup) => ReactNode
  /** The button that pays several clients one after the other. */
  readonly renderPayAll: (all: readonly PayableGroup[]) => ReactNode
}

/** The unpaid payments, grouped by client. */
export function Cart({ renderPay, renderLink, renderPayAll }: CartProps) {
  const { t } = useLingui()
  const { data } = useSuspenseQuery(cartQuery())
  const counts = useItemCounts()
  const removal = useRemoval()
  const payableOf = usePayable(counts, removal)
  const sections = sectionsOf(counts.over(data), removal.removed)
  const paid = sections.filter(({ items }) => items.length > 0)
  const payable = paid.map(payableOf)
  const foldOf = useFolds(
    sections,
    (id) => counts.typed.has(id) || counts.failures.has(id) || removal.failures.has(id),
  )

  return (
    <div data-wide-page="" className="flex flex-col gap-3">
      <PageHeading lead={sections.length > 1 && t`Платежі кожного клієнта сплачуються окремим замовленням.`}>
        <Trans>Кошик</Trans>
      </PageHeading>
      {paid.length > 1 && <AllClients sections={paid}>{renderPayAll(payable)}</AllClients>}
      {sections.length === 0 ? (
        <EmptyCart />
      ) : (
        sections.map((section) => {
          const { id } = section.client
          const group = payable.find(({ clientId }) => clientId === id)
          return (
            <CartGroup
              key={id}
              section={section}
              counts={counts}
              removal={removal}
              pay={group && renderPay(group, payable)}
              link={group && renderLink(group)}
              fold={foldOf(section)}
            />
          )
        })
      )}
    </div>
  )
}

interface AllClientsProps {
  readonly sections: readonly CartSection[]
  /** The button for these clients. */
  readonly children: ReactNode
}

/** What the payments of all clients come to, and the button for all. */
function AllClients({ sections, children }: AllClientsProps) {
  const { t } = useLingui()
  const partsText = useSumPartsText()
  const clients = sections.length
  return (
    <section
      aria-label={t`Разом за всіх клієнтів`}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-sm bg-sheet px-4 py-2.5 shadow-sheet sm:px-6 print:shadow-none"
    >
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-ink-soft">
            <Plural
              value={clients}
              one="Разом за # клієнта"
              few="Разом за # клієнтів"
              many="Разом за # клієнтів"
              other="Разом за # клієнта"
            />
          </span>
          <Sum value={total(sections.map(({ amount }) => amount))} size="total" />
        </p>
        <p className="text-xs text-ink-soft">
          {partsText(sumPartsOf(sections.flatMap(({ items }) => items)))}
        </p>
      </div>
      <div className="flex flex-col max-sm:w-full sm:items-end">{children}</div>
    </section>
  )
}

function EmptyCart() {
  const unfinished = useQuery(unfinishedQuery()).data?.length ?? 0
  return (
    <Sheet>
      <EmptyState
        icon="cart"
        title={<Trans>Кошик порожній</Trans>}
        actions={
          <>
            <Link to="/" className={buttonClass({ variant: 'primary' })}>
              <Trans>Створити платіж</Trans>
            </Link>
            <Link to="/archive" className={buttonClass()}>
              <Trans>До архіву</Trans>
            </Link>
          </>
        }
      >
        {unfinished === 0 ? (
          <Trans>Тут зберігаються платежі клієнтів до оплати.</Trans>
        ) : (
          <Trans>Передане до оплати вже не в кошику. Незавершених замовлень: {unfinished}.</Trans>
        )}
      </EmptyState>
    </Sheet>
  )
}
