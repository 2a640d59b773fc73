/** The types of what the server tells for the notarial file of an order, and of its QR codes. */
import type { components } from '@/api/schema'

type Schemas = components['schemas']

export type NotarialAct = Schemas['NotarialAct']
export type FiledOrder = Schemas['Order']
export type PaymentCodes = Schemas['PaymentCodes']
export type TransferCode = Schemas['TransferCode']
export type CodePicture = Schemas['CodePicture']

/** The cache key of the QR codes that are on the screen. */
export const shownCodesKey = (orderId: string) => ['payment-codes', orderId] as const
