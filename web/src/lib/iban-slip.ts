import { plural, t } from '@lingui/core/macro'

import { normaliseIban, parseIban } from './iban'

/** The number of digits of a Ukrainian IBAN after UA. */
const DIGITS = 27

/**
 * Returns a more exact text than that of `iban_invalid`: too few digits, too many, or wrong check digits. Null for a valid
 * account and for one of another form.
 */
export function ibanSlip(typed: string): string | null {
  const iban = normaliseIban(typed)
  if (parseIban(iban).ok || !/^UA\d+$/u.test(iban)) return null
  const count = iban.length - 2
  if (count === DIGITS) return t`Контрольне число рахунку IBAN не збігається. Перевірте рахунок`
  const entered = plural(count, { one: '# цифра', few: '# цифри', many: '# цифр', other: '# цифри' })
  return count < DIGITS
    ? t`У рахунку IBAN ${entered} із ${DIGITS}`
    : t`У рахунку IBAN ${entered}, а має бути ${DIGITS}`
}
