import { luhnFits } from '@/lib/payment-card'
import { err, ok, type Result } from '@/lib/result'
import { groupFours } from '@/lib/text'

/**
 * Parses the card of the profile into its first six and last four digits. A full number never leaves the browser. A number that is
 * already masked stays as it is.
 */
export function parseProfileCard(text: string): Result<string, 'card_pan_invalid'> {
  const places = text.replace(/[\s-]/gu, '').replace(/•/gu, '*')
  if (/^\d{6}\*{6}\d{4}$/u.test(places)) return ok(places)
  if (!/^\d{16}$/u.test(places) || !luhnFits(places)) return err('card_pan_invalid')
  return ok(`${places.slice(0, 6)}******${places.slice(-4)}`)
}

/** The number in groups of four. */
export function groupCard(card: string): string {
  return groupFours(card)
}
