import type { Config } from '@/api/config'
import type { PaymentKind } from '@/lib/commission'
import { isTreasury, normaliseIban } from '@/lib/iban'

import { YearNotices } from './later-parts'
import type { PaymentLists } from './list'
import { feeYearOf } from './lists'
import { hasListedRecipient, type PaymentValues } from './values'

interface NoticesOfYearProps {
  readonly kind: PaymentKind | null
  readonly values: PaymentValues
  readonly lists: PaymentLists
  readonly config: Config
}

/** The account that the payment goes to, as far as it is known. */
function recipientAccount(kind: PaymentKind, values: PaymentValues, lists: PaymentLists): string {
  if (!hasListedRecipient(kind)) return normaliseIban(values.iban)
  return lists.requisites.entries.find(({ id }) => id === values.requisiteId)?.iban ?? ''
}

/** What is to be said about the chosen payment around the end of a year. */
export function NoticesOfYear({ kind, values, lists, config }: NoticesOfYearProps) {
  const feeYear = feeYearOf(values, lists)
  const isToTreasury = kind !== null && isTreasury(recipientAccount(kind, values, lists))
  const treasuryLastDay = isToTreasury ? config.treasury_last_day : null
  if (feeYear === null && treasuryLastDay === null) return null
  return <YearNotices feeYear={feeYear} treasuryLastDay={treasuryLastDay} />
}
