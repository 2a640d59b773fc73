import type { DealKind, DealShare } from '@/api/deals'
import type { MessageKey } from '@/api/failure'
import { err, ok, type Result } from '@/lib/result'

/** What the form holds, as typed. */
type Typed = Readonly<Record<string, string>>

/** How many pay the taxes together. */
export const PAYERS = 'payers'

/** The limits of the server. */
const PAYERS_MAX = 20
const OF_MAX = 1000

export const shareField = (number: number) => `share ${number}`

/** Reads how many pay the taxes together; nothing typed is one. */
export function parsePayers(text: string): Result<number, MessageKey> {
  const typed = text.trim()
  if (typed === '') return ok(1)
  const count = /^[1-9]\d?$/u.test(typed) ? Number(typed) : Number.NaN
  return count <= PAYERS_MAX ? ok(count) : err('shares_invalid')
}

/** The numbers of those who pay a share each; none where one pays. */
export function sharersOf(kind: DealKind, values: Typed): readonly number[] {
  const read = kind.taxpayer === null ? ok(1) : parsePayers(values[PAYERS] ?? '')
  return read.ok && read.value > 1 ? Array.from({ length: read.value }, (_, index) => index + 1) : []
}

function parseShare(text: string): DealShare | null {
  const [, part, of] = /^\s*(\d{1,4})\s*\/\s*(\d{1,4})\s*$/u.exec(text) ?? []
  const share = { part: Number(part), of: Number(of) }
  return share.part >= 1 && share.part <= share.of && share.of <= OF_MAX ? share : null
}

/** Whether fractions are the whole together. Products of denominators exceed what a number holds exactly. */
function areWhole(shares: readonly DealShare[]): boolean {
  const common = shares.reduce((product, { of }) => product * BigInt(of), 1n)
  const parts = shares.map(({ part, of }) => (common / BigInt(of)) * BigInt(part))
  return parts.reduce((sum, part) => sum + part, 0n) === common
}

/** Reads the shares of those who pay together: equal ones where none is typed. Returns the field that is wrong with them. */
export function readShares(kind: DealKind, values: Typed): Result<readonly DealShare[], string> {
  const sharers = sharersOf(kind, values)
  const typed = sharers.map((number) => (values[shareField(number)] ?? '').trim())
  if (typed.every((text) => text === '')) return ok(sharers.map(() => ({ part: 1, of: sharers.length })))
  const shares: DealShare[] = []
  for (const [index, text] of typed.entries()) {
    const share = parseShare(text)
    if (share === null) return err(shareField(index + 1))
    shares.push(share)
  }
  return areWhole(shares) ? ok(shares) : err(shareField(sharers.length))
}
