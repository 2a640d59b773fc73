import type { PaymentType } from '@/api/payment-types'

/** The kind that the list began with the last time, by which its fields are asked for without waiting for the list. */
const FIRST_TYPE = 'cabinet.first-type'

export function firstTypeOfLastTime(): string | null {
  try {
    return localStorage.getItem(FIRST_TYPE)
  } catch {
    return null
  }
}

export function keepFirstType([first]: readonly PaymentType[]): void {
  try {
    if (first !== undefined) localStorage.setItem(FIRST_TYPE, first.id)
  } catch {
    // Storage is not available: the fields are asked for once the list is there.
  }
}
