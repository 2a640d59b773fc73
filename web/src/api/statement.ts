import { api } from './client'
import { ordersKey } from './orders'
import { queryClient } from './query-client'
import type { components } from './schema'

export type StatementReport = components['schemas']['StatementReport']
export type CreditedPart = components['schemas']['CreditedPart']
export type PaymentPart = components['schemas']['PaymentPart']

/** Says what of a bank's statement, in Base64, is the notary's part of payments by QR codes. Stores nothing. */
export const readStatement = (file: string) => api.POST('/order/statement/read', { body: { file } })

/** Marks payments as credited by the same statement. A repeated call marks nothing twice. */
export async function markStatement(file: string, items: string[]): Promise<StatementReport> {
  try {
    return await api.POST('/order/statement/mark', { body: { file, items } })
  } finally {
    // Also after a failure: of a lost answer nothing is known.
    void queryClient.invalidateQueries({ queryKey: ordersKey.all })
  }
}
