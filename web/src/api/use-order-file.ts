import { useQueryClient } from '@tanstack/react-query'

import { orderDealCalculation } from './order-deal'
import { orderExtract, saveOrderAct } from './notarial-act'
import { loadPaymentCodes, paymentCodesSheet } from './payment-codes'
import { useDownloads } from './use-download'
import { userQuery } from './user'

const documents = { extract: orderExtract, codes: paymentCodesSheet, deal: orderDealCalculation }

/** The signed-in notary, and the calls that the notarial act and the QR codes of an order need. */
export function useOrderFile(orderId: string) {
  const { start, running, failure } = useDownloads()
  const owner = useQueryClient().getQueryData(userQuery().queryKey)?.id ?? null
  const download = (name: keyof typeof documents) => start({ name, load: () => documents[name](orderId) })
  return { owner, calls: { saveAct: saveOrderAct, loadCodes: loadPaymentCodes, download, running, failure } }
}
