import { plural, t } from '@lingui/core/macro'

import { normaliseIban, parseIban } from './iban'

/** How many digits a Ukrainian IBAN has after UA. */
const DIGITS = 27

/**
 * What is wrong with a typed account, more exactly than the words of `iban_invalid`: too few digits, too many, or check digits that
 * do not match. Null where the account is right or has another form.
 */
export function ibanSlip(typed: string): string | null {
  const iban = normaliseIban(typed)
  if (parseIban(iban).ok || !/^UA\d+$/u.test(iban)) return null
  const count = iban.length - 2
  if (count === DIGITS) return t`Контрольне число не збігається. Перевірте рахунок`
  const entered = plural(count, { one: '# цифру', few: '# цифри', many: '# цифр', other: '# цифри' })
  return count < DIGITS ? t`Введено ${entered} із ${DIGITS}` : t`Введено ${entered}, а має бути ${DIGITS}`
}
