import { useQueryClient } from '@tanstack/react-query'

import { orderExtract, saveOrderAct } from '@/api/notarial-act'
import type { Order } from '@/api/orders'
import { loadPaymentCodes, paymentCodesSheet } from '@/api/payment-codes'
import { useDownloads } from '@/api/use-download'
import { userQuery } from '@/api/user'
import { loadOrderFile } from '@/forms/order-file/load'

/** Loads the notarial act and the QR codes of an order, which the page can be shown without. */
export async function load() {
  const { OrderFile } = await loadOrderFile()
  return function FileOfOrder({ order }: { readonly order: Order }) {
    const { start, running, failure } = useDownloads()
    const owner = useQueryClient().getQueryData(userQuery().queryKey)?.id ?? null
    const loaders = { extract: orderExtract, codes: paymentCodesSheet }
    return (
      <OrderFile
        order={order}
        owner={owner}
        calls={{
          saveAct: saveOrderAct,
          loadCodes: loadPaymentCodes,
          download: (name) => start({ name, load: () => loaders[name](order.id) }),
          running,
          failure,
        }}
      />
    )
  }
}
