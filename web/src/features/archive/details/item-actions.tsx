import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

import type { Order, OrderItem } from '@/api/orders'
import { itemReceipt } from '@/api/receipts'
import type { Downloads } from '@/api/use-download'
import { itemStatus } from '@/lib/order-status'
import { buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu } from '@/ui/menu'
import { Spinner } from '@/ui/spinner'

import { PayLink } from '../pay-link'

interface ItemActionsProps {
  readonly item: OrderItem
  readonly order: Order
  readonly downloads: Downloads
  /** Tells the payment from others. */
  readonly name: string
}

/** What can be done with a payment in its status. */
export function ItemActions({ item, order, downloads, name }: ItemActionsProps) {
  const { t } = useLingui()
  const { id } = item
  const status = itemStatus(item, order)
  const small = buttonClass({ size: 'small' })
  const loading = [...downloads.running].some((wanted) => wanted.startsWith(`${id} `))
  return (
    <div className="flex flex-wrap justify-end gap-2 @max-2xl:justify-start @2xl:-my-1.5 @3xl:flex-nowrap">
      {loading && (
        <span className="flex items-center">
          <Spinner label={t`Завантажуємо квитанцію…`} />
        </span>
      )}
      {status === 'paid' && (
        <Menu
          size="small"
          align="end"
          icon="print"
          label={<span data-word="">{t`Квитанція`}</span>}
          accessibleLabel={t`Квитанція: ${name}`}
          items={[
            {
              id: 'payment',
              label: t`Квитанція про сплату`,
              onSelect: () =>
                downloads.start({ name: `${id} payment`, load: () => itemReceipt(id, 'payment') }),
            },
            {
              id: 'commission',
              label: t`Квитанція про комісію`,
              onSelect: () =>
                downloads.start({ name: `${id} commission`, load: () => itemReceipt(id, 'commission') }),
            },
          ]}
        />
      )}
      {status === 'pending' && <PayLink order={order} />}
      {status !== 'in_progress' && (
        <Link
          to="/"
          search={{ repeat_item_id: id }}
          className={small}
          aria-label={t`Повторити: ${name}`}
          title={t`Повторити: ${name}`}
        >
          <Icon name="repeat" size={18} className="shrink-0" />
          <span data-word="repeat">
            <Trans>Повторити</Trans>
          </span>
        </Link>
      )}
    </div>
  )
}
