import type { I18n } from '@lingui/core'

import { messageText } from '@/i18n/message-texts'
import { ibanSlip } from '@/lib/iban-slip'

import type { SheetRow } from './rows'

/** What is wrong with a cell, in the words that the form of a payment has for it. */
export function findingText(
  { column, message }: SheetRow['findings'][number],
  cells: SheetRow['cells'],
  i18n: I18n,
): string {
  const slip = message === 'iban_invalid' ? ibanSlip(cells[column] ?? '') : null
  return slip ?? messageText(message, i18n)
}
