import type { components } from '@/api/schema'

type User = Pick<components['schemas']['User'], 'id' | 'iban' | 'okpo' | 'notary_status'>

/** Kept in the browser, as the choice of the language is: `open` once a newcomer was seen here, `over` when all is done or hidden. */
type Kept = 'open' | 'over'

const keyOf = (notaryId: string) => `cabinet.first-steps.${notaryId}`

function kept(notaryId: string): string | null {
  try {
    return localStorage.getItem(keyOf(notaryId))
  } catch {
    return null
  }
}

export function setFirstSteps(notaryId: string, state: Kept): void {
  try {
    localStorage.setItem(keyOf(notaryId), state)
  } catch {
    // Without storage the list is shown while the account is missing.
  }
}

/** Whether the notary has what an administrative fee needs. A state notary gets no share and needs no account. */
export function hasAccount({ iban, okpo, notary_status: status }: User): boolean {
  return status === 'state' || Boolean(iban && okpo)
}

/** Whether the first steps are shown: to somebody who came without an account, until all is done or the list is hidden. */
export function takesFirstSteps(user: User): boolean {
  const state = kept(user.id)
  return state === 'open' || (state !== 'over' && !hasAccount(user))
}
