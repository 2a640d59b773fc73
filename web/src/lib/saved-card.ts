import type { components } from '@/api/schema'

export type SavedCard = components['schemas']['SavedCard']

/** The shown parts of a saved card (specification, point 3). */
export interface ShownCard {
  readonly id: string
  readonly last4: string
  readonly mask: string
  /** The card system's name, the same in both languages; null if the first digit is unknown. */
  readonly brand: 'Visa' | 'Mastercard' | 'AmEx' | null
}

function brandOf(mask: string): ShownCard['brand'] {
  switch (mask.charAt(0)) {
    case '4':
      return 'Visa'
    case '5':
      return 'Mastercard'
    case '3':
      return 'AmEx'
    default:
      return null
  }
}

export function shownCard({ Token: id, MaskPan: mask }: SavedCard): ShownCard {
  return { id, mask, last4: mask.slice(-4), brand: brandOf(mask) }
}

/** The digits of a mask that are shown, in the same form for all its forms. */
const shownDigits = (mask: string) => `${mask.slice(0, 6)} ${mask.slice(-4)}`

/** Whether two masks are of one card. The acquirer hides more or fewer digits from payment to payment. */
export function isSameCard(first: string, second: string): boolean {
  return shownDigits(first) === shownDigits(second)
}
