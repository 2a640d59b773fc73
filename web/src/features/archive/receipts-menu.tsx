import { useLingui } from '@lingui/react/macro'

import type { Order } from '@/api/orders'
import { orderReceipt, orderReceipts } from '@/api/receipts'
import type { Downloads } from '@/api/use-download'
import { Menu } from '@/ui/menu'
import { Spinner } from '@/ui/spinner'

interface ReceiptsMenuProps {
  readonly order: Order
  readonly downloads: Downloads
  /** One of the small buttons of a closed row. */
  readonly small?: boolean
}

/** The receipts of a paid order. */
export function ReceiptsMenu({ order, downloads, small = false }: ReceiptsMenuProps) {
  const { t } = useLingui()
  const { id, number } = order
  const running = [...downloads.running].some((name) => name.startsWith(`${id} `))
  return (
    <div className="inline-flex items-center gap-3">
      {running && <Spinner label={t`Завантажуємо квитанцію…`} />}
      <Menu
        align={small ? 'start' : 'end'}
        size={small ? 'small' : 'normal'}
        icon={small ? 'receipt' : 'download'}
        label={small ? <span data-word="receipts">{t`Квитанції`}</span> : t`Завантажити квитанції`}
        accessibleLabel={t`Завантажити квитанції замовлення № ${number}`}
        items={[
          {
            id: 'payment',
            icon: 'receipt',
            label: t`Квитанція про сплату`,
            onSelect: () =>
              downloads.start({ name: `${id} payment`, load: () => orderReceipt(id, 'payment') }),
          },
          {
            id: 'commission',
            icon: 'receipt',
            label: t`Квитанція про комісію`,
            onSelect: () =>
              downloads.start({ name: `${id} commission`, load: () => orderReceipt(id, 'commission') }),
          },
          {
            id: 'all',
            icon: 'archive',
            label: t`Усі квитанції (ZIP)`,
            onSelect: () => downloads.start({ name: `${id} all`, load: () => orderReceipts(id) }),
          },
        ]}
      />
    </div>
  )
}
