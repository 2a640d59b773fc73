import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { cartQuery } from '@/api/cart'
import { queryClient } from '@/api/query-client'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeading } from '@/ui/page-heading'
import { Sheet } from '@/ui/sheet'

import { CartGroup, type RenderPay } from './cart-group'
import { sectionsOf } from './model'
import { useItemCounts } from './use-item-count'
import { useRemoval } from './use-removal'

/** Loads the cart. A stale cached cart is shown and read again. */
export async function loadCart(): Promise<void> {
  await queryClient.ensureQueryData({ ...cartQuery(), revalidateIfStale: true })
}

/** The unpaid payments, grouped by client. */
export function Cart({ renderPay }: { readonly renderPay: RenderPay }) {
  const { t } = useLingui()
  const { data } = useSuspenseQuery(cartQuery())
  const counts = useItemCounts()
  const removal = useRemoval()
  const sections = sectionsOf(counts.over(data), removal.removed)

  return (
    <div className="flex flex-col gap-6">
      <PageHeading lead={sections.length > 1 && t`Платежі кожного клієнта сплачуються окремим замовленням.`}>
        <Trans>Кошик</Trans>
      </PageHeading>
      {sections.length === 0 ? (
        <EmptyCart />
      ) : (
        sections.map((section) => (
          <CartGroup
            key={section.client.id}
            section={section}
            counts={counts}
            removal={removal}
            renderPay={renderPay}
          />
        ))
      )}
    </div>
  )
}

function EmptyCart() {
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
        <Trans>Тут зберігаються платежі клієнтів до оплати.</Trans>
      </EmptyState>
    </Sheet>
  )
}
