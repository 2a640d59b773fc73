/** Proving a payment or an act by a code or a passkey, before what could cost money. */
import { signByPasskey } from '@/lib/passkeys'
import { api, isConfirmed, type WhatToProve } from './client'
import { Refusal } from './failure'
import type { components } from './schema'

export { confirmBy, type WhatToProve } from './client'

/** Asks for the code that went to the contact of the register. Returns whether the account is confirmed. */
export const confirmAccount = () => isConfirmed({ account: true })

function bodyOf(wanted: WhatToProve) {
  if ('kinds' in wanted) return subjectOf(wanted)
  return 'account' in wanted ? wanted : { passkey: wanted }
}

/** Sends a code to the notary's phone, or to her contact in the register. It proves this alone. */
export async function startConfirmation(wanted: WhatToProve) {
  const body = bodyOf(wanted)
  try {
    return await api.POST('/auth/confirmation', { body })
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    // The refusal names the phone, which is no field of the page whose request waits.
    throw new Refusal(failure.status, failure.key, {}, failure.retryAfter, failure.extra)
  }
}

/** A payment, a returned part that goes to another account, larger figures for saved cards, or an act on the account. */
export type PaymentToProve = components['schemas']['AskedProof']

/** Asks what a passkey of the notary's shall sign to prove a payment or an act, and what it proves: the payment as it is now. */
export const startPasskeyProof = (wanted: PaymentToProve) =>
  api.POST('/auth/confirmation/passkey/options', { body: subjectOf(wanted) })

const subjectOf = ({ client_id, order_id, part, card_figures, act }: PaymentToProve) => ({
  client_id,
  order_id,
  part,
  card_figures,
  act,
})

/** Proves a payment by a passkey that the browser offers. Throws a `Failure` or a `PasskeyFailure`. */
export async function proveByPasskey({ public_key: options }: StartedPasskeyProof) {
  const { id, response } = await signByPasskey(options)
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
  return api.POST('/auth/confirmation/passkey', {
    body: { credential: { id, response: { clientDataJSON, authenticatorData, signature, userHandle } } },
  })
}

export type StartedPasskeyProof = Awaited<ReturnType<typeof startPasskeyProof>>

/** Proves what the code from the message was sent for. */
export const confirmByCode = (body: { readonly otp_code: string; readonly operation_id: string }) =>
  api.POST('/auth/confirmation/otp', { body })

export type StartedConfirmation = Awaited<ReturnType<typeof startConfirmation>>
