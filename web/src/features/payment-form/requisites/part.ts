/**
 * What the form can be shown without, in one script: the fields of typed accounts, and what the address book and the latest payments
 * give.
 */
export { openQuestion } from '@/forms/client-book/client'
export { CodeBook } from '@/forms/client-book/code-book'
export { NameBook } from '@/forms/client-book/name-book'
export { ibanSlip } from '@/lib/iban-slip'
export { parseMoney } from '@/lib/money-typed'

export { AddedNotice } from './added-notice'
export { withLastChoices } from '../last-choices'
export { ownTemplates } from '../own-recipients'
export { PriceChanged } from './price-changed'
export { loadTexts } from './load-texts'
export { OwnAccountFields } from './own-account-fields'
export { RepeatNotice } from './repeat-notice'
export { ReplacedNotice } from './replaced-notice'
export { readTypedRecipient } from './read-typed-recipient'
export { SamePayment } from './same-payment'
export { RequisitesFields } from './requisites-fields'
