import { Link } from '@tanstack/react-router'

import type { Order } from '@/api/orders'
import { useOrderFile } from '@/api/use-order-file'
import { loadOrderFile } from '@/forms/order-file/load'

/** Loads the notarial act and the QR codes of an order, which the page can be shown without. */
export async function load() {
  const { OrderFile } = await loadOrderFile()
  return function FileOfOrder({ order }: { readonly order: Order }) {
    return (
      <OrderFile
        order={order}
        {...useOrderFile(order.id)}
        renderTransfersLink={(text) => (
          <Link to="/order/$id/transfers" params={{ id: order.id }}>
            {text}
          </Link>
        )}
      />
    )
  }
}
