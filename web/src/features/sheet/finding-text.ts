import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { MessageKey } from '@/api/failure'
import { messageText } from '@/i18n/message-texts'
import { ibanSlip } from '@/lib/iban-slip'

import type { SheetRow } from './rows'

/** In a form these names are chosen from lists; here they are typed, so they are first of all in no list. */
const unlistedTexts: Partial<Record<MessageKey, MessageDescriptor>> = {
  option_not_for_type: msg`Такої послуги немає в переліку для цього виду платежу. Виберіть зі списку`,
  term_not_for_option: msg`Такого строку немає в переліку для цієї послуги. Виберіть зі списку`,
  region_unknown: msg`Такого регіону немає в переліку. Виберіть зі списку`,
  requisite_not_for_region: msg`Такого отримувача немає в переліку для цього регіону. Виберіть зі списку`,
}

/** What is wrong with a cell, otherwise in the words that the form of a payment has for it. */
export function findingText(
  { column, message }: SheetRow['findings'][number],
  cells: SheetRow['cells'],
  i18n: I18n,
): string {
  const slip = message === 'iban_invalid' ? ibanSlip(cells[column] ?? '') : null
  const unlisted = unlistedTexts[message]
  return slip ?? (unlisted ? i18n._(unlisted) : messageText(message, i18n))
}
