import { luhnFits } from '@/lib/payment-card'
import { accepted, refused, type Read } from '@/lib/result'
import { groupFours } from '@/lib/text'

/**
 * Reads the card of the profile and keeps only what recognises it: the first six and the last four digits. A full number
 * never leaves the browser; one that was saved before comes back masked and may stay as it is.
 */
export function parseProfileCard(text: string): Read<string, 'card_pan_invalid'> {
  const places = text.replace(/[\s-]/gu, '').replace(/•/gu, '*')
  if (/^\d{6}\*{6}\d{4}$/u.test(places)) return accepted(places)
  if (!/^\d{16}$/u.test(places) || !luhnFits(places)) return refused('card_pan_invalid')
  return accepted(`${places.slice(0, 6)}******${places.slice(-4)}`)
}

/** The number in groups of four. */
export function groupCard(card: string): string {
  return groupFours(card)
}
