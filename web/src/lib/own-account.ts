/** The notary's own account, for the 60 % of an administrative fee. The server checks the same. */
import { breaksBalanceCodeRule, isTreasury } from './iban'

/** The codes of a notary's profile. */
export interface NotaryCodes {
  readonly inn: string
  readonly okpo: string
}

/** The code that the notary's own account must have: the tax id, or else a person's code in the profile. Null if neither is known. */
function ownCode({ inn, okpo }: NotaryCodes): string | null {
  return [/^\d{10}$/u.test(inn) ? inn : '', okpo].find((code) => code.length === 10) ?? null
}

/** Why an account can't be the notary's own; null if it can. */
export function ownAccountError(
  iban: string,
  okpo: string | null,
): 'your_iban_is_treasury' | 'iban_balance_code_by_okpo_rule' | null {
  if (isTreasury(iban)) return 'your_iban_is_treasury'
  return okpo !== null && breaksBalanceCodeRule(iban, okpo) ? 'iban_balance_code_by_okpo_rule' : null
}

/** Whether the code of the own account is somebody else's. */
export function isForeignCode(okpo: string, notary: NotaryCodes): boolean {
  const own = ownCode(notary)
  return own !== null && own !== okpo
}
