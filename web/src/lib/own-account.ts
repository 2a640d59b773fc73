/** The notary's own account, for the 60 % of an administrative fee. The server checks the same. */
import { breaksBalanceCodeRule, isTreasury, parseIban } from './iban'
import { parseOkpo } from './okpo'
import { err, type Result } from './result'

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

type OwnIbanError =
  | 'your_iban_required'
  | 'iban_invalid'
  | 'your_iban_is_treasury'
  | 'iban_balance_code_by_okpo_rule'
type OwnOkpoError = 'your_okpo_required' | 'okpo_invalid' | 'your_okpo_not_yours'

interface OwnAccount {
  readonly iban: Result<string, OwnIbanError>
  readonly okpo: Result<string, OwnOkpoError>
}

/** Reads the notary's own account and its code as typed. */
export function readOwnAccount(ibanText: string, okpoText: string, notary: NotaryCodes): OwnAccount {
  const okpo = parseOkpo(okpoText)
  const iban = parseIban(ibanText)
  return { iban: ownIban(iban, okpo.ok ? okpo.value : null), okpo: ownOkpo(okpo, notary) }
}

function ownIban(read: ReturnType<typeof parseIban>, okpo: string | null): OwnAccount['iban'] {
  if (!read.ok) return err(read.error === 'iban_required' ? 'your_iban_required' : read.error)
  const refused = ownAccountError(read.value, okpo)
  return refused === null ? read : err(refused)
}

function ownOkpo(read: ReturnType<typeof parseOkpo>, notary: NotaryCodes): OwnAccount['okpo'] {
  if (!read.ok) return err(read.error === 'okpo_required' ? 'your_okpo_required' : read.error)
  return isForeignCode(read.value, notary) ? err('your_okpo_not_yours') : read
}
