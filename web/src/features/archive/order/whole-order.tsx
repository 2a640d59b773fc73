import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, type ReactNode } from 'react'

import type { Order } from '@/api/orders'
import { useSumPartsText } from '@/i18n/orders/sum-parts-text'
import { later } from '@/lib/later'
import { fromHryvnias } from '@/lib/money'
import { orderLook, type StatusLook } from '@/lib/order-status'
import { sumPartsOf } from '@/lib/sum-parts'
import { AwaitedPart } from '@/ui/awaited-part'
import { PageHeading } from '@/ui/page-heading'
import { usePageTitleInstead } from '@/ui/page-title'
import { Sheet } from '@/ui/sheet'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

const OrderParts = later(async () => (await import('../details/load')).loadOrderParts())

/** An order in one of its states. */
export interface OrderInStateProps {
  readonly order: Order
  /** `result`: the page is named after the state, as where the bank leads back to. `order`: it is named after the order. */
  readonly place: 'result' | 'order'
}

interface WholeOrderProps {
  readonly order: Order
  readonly children: ReactNode
}

interface OrderHeadProps extends OrderInStateProps {
  /** What the state is called. */
  readonly title: string
  /** A sentence under the heading. */
  readonly lead?: ReactNode
  /** The status mark, if it differs from that of the order's status. */
  readonly mark?: StatusLook
  /** The meaning of the state and the next steps. The buttons are not printed. */
  readonly children: ReactNode
}

/** The whole page of an order, a printable document: what its state means and offers, and below it all that is known of the order. */
export function WholeOrder({ order, children }: WholeOrderProps) {
  return (
    <div className="flex flex-col gap-3">
      {children}
      {/* As high as a screen, so that nothing in sight moves when the rest comes. */}
      <Suspense
        fallback={
          <AwaitedPart>
            <div className="min-h-screen" />
          </AwaitedPart>
        }
      >
        <OrderParts order={order} />
      </Suspense>
    </div>
  )
}

/** The head of the page: the name, the sum, what the state means, and the next steps. */
export function OrderHead({ order, place, title, lead, mark = orderLook(order), children }: OrderHeadProps) {
  const { t, i18n } = useLingui()
  const { number } = order
  const partsText = useSumPartsText()
  return (
    <>
      {place === 'result' && <TabTitle>{title}</TabTitle>}
      <PageHeading
        caption={place === 'result' ? <Trans>Замовлення № {number}</Trans> : <Trans>Архів</Trans>}
        lead={lead}
        aside={<StatusMark tone={mark.tone}>{i18n._(mark.text)}</StatusMark>}
      >
        {place === 'result' ? title : <Trans>Замовлення № {number}</Trans>}
      </PageHeading>
      <Sheet aria-label={t`Замовлення № ${number}`}>
        <div className="flex flex-wrap gap-x-8 gap-y-5">
          <p>
            <span className="caption-line block">
              <Trans>Сума</Trans>
            </span>
            <Sum value={fromHryvnias(order.sum)} size="big" />
            <span className="block text-sm text-ink-soft">{partsText(sumPartsOf(order.items))}</span>
          </p>
          <div className="flex min-w-0 flex-1 basis-96 flex-col gap-3">{children}</div>
        </div>
      </Sheet>
    </>
  )
}

function TabTitle({ children }: { readonly children: string }) {
  usePageTitleInstead(children)
  return null
}
