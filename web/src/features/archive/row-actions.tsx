import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'

import type { Order, OrderItem } from '@/api/orders'
import { useDownloads } from '@/api/use-download'
import { FailedLine } from '@/forms/failed'
import { itemStatus } from '@/lib/order-status'
import { paymentKindText } from '@/lib/payment-kind'
import { buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu } from '@/ui/menu'

import { PayLink } from './pay-link'
import { ReceiptsMenu } from './receipts-menu'
import { UpdateStatus } from './update-status'

/** What can be done with an order whose row is closed. The opened row has it at its payments. */
export function RowActions({ order }: { readonly order: Order }) {
  const downloads = useDownloads()
  const repeatable = order.items.filter((item) => itemStatus(item, order) !== 'in_progress')
  return (
    // In a table most icons stand alone, with their names in the tooltips.
    <div className="row-actions flex flex-wrap items-start [grid-area:acts] print:hidden">
      <UpdateStatus order={order} />
      {order.status === 'pending' && <PayLink order={order} />}
      {order.status === 'paid' && <ReceiptsMenu small order={order} downloads={downloads} />}
      <Repeat order={order} items={repeatable} />
      <FailedLine failure={downloads.failure} className="basis-full text-sm" />
    </div>
  )
}

/** Repeats the only payment of an order, or the one that is chosen. */
function Repeat({
  order: { number },
  items,
}: {
  readonly order: Order
  readonly items: readonly OrderItem[]
}) {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const [first, second] = items
  if (first === undefined) return null
  const name = t`Повторити платіж замовлення № ${number}`
  if (second === undefined) {
    return (
      <Link
        to="/"
        search={{ repeat_item_id: first.id }}
        className={buttonClass({ size: 'small' })}
        aria-label={name}
        title={name}
      >
        <Icon name="repeat" size={18} className="shrink-0" />
        <span data-word="">
          <Trans>Повторити</Trans>
        </span>
      </Link>
    )
  }
  return (
    <Menu
      size="small"
      icon="repeat"
      label={<span data-word="">{t`Повторити`}</span>}
      accessibleLabel={name}
      items={items.map((item) => ({
        id: item.id,
        label: [
          i18n._(paymentKindText[item.payment_type.slug]),
          item.payment_type_option?.name ?? item.recipient_name,
        ]
          .filter(Boolean)
          .join(': '),
        onSelect: () => void navigate({ to: '/', search: { repeat_item_id: item.id } }),
      }))}
    />
  )
}
