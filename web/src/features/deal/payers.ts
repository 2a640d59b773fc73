import type { I18n } from '@lingui/core'

import type { DealParty, DealPayment } from '@/api/deals'

import { partyNames } from './party-names'

/** One of those who pay as a party, as requests name them: `seller`, and `seller:2` for the second of several. */
export type DealPayer = string

export const payerOf = ({ payer, payer_number: number }: DealPayment): DealPayer =>
  number === 1 ? payer : `${payer}:${number}`

/** The name of a payer, with her number where there are several of the party. */
export function payerName(payer: DealPayer, all: readonly DealPayer[], language: I18n): string {
  const [party = '', number = '1'] = payer.split(':')
  const name = language._(partyNames[party as DealParty])
  return all.some((other) => other.startsWith(`${party}:`)) ? `${name} ${number}` : name
}
