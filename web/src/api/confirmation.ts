/** Confirming the session by a fresh code, before an action that could cost money. */
import { signByPasskey } from '@/lib/passkeys'
import { api, type WhatToProve } from './client'
import { Refusal } from './failure'
import type { components } from './schema'

export { confirmBy, type WhatToProve } from './client'

/** Sends a code to the notary's phone, or calls it. The code of a payment or a passkey proves this alone. */
export async function startConfirmation(wanted: WhatToProve = null) {
  const body = bodyOf(wanted)
  try {
    return await api.POST('/auth/confirmation', { body })
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    // The refusal names the phone, which is no field of the page whose request waits.
    throw new Refusal(failure.status, failure.key, {}, failure.retryAfter, failure.extra)
  }
}

function bodyOf(wanted: WhatToProve) {
  if (wanted !== null && 'act' in wanted) return { passkey: wanted }
  return wanted === null
    ? { client_id: null, order_id: null, part: null, card_figures: null }
    : subjectOf(wanted)
}

/** A payment, a returned part that goes to another account, or larger figures for saved cards. */
export type PaymentToProve = components['schemas']['AskedProof']

/** Asks what a passkey of the notary's shall sign to prove a payment, and what it proves: the payment as it is now. */
export const startPasskeyProof = (wanted: PaymentToProve) =>
  api.POST('/auth/confirmation/passkey/options', { body: subjectOf(wanted) })

const subjectOf = ({ client_id, order_id, part, card_figures }: PaymentToProve) => ({
  client_id,
  order_id,
  part,
  card_figures,
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

/** Confirms the session with the code from the message. */
export const confirmByCode = (body: { readonly otp_code: string; readonly operation_id: string }) =>
  api.POST('/auth/confirmation/otp', { body })

/** Confirms the session by a call in which the key was pressed. */
export const confirmByPhoneCall = (transactionId: string, signal: AbortSignal) =>
  api.POST('/auth/confirmation/phone-call', { body: { transaction_id: transactionId }, signal })

export type StartedConfirmation = Awaited<ReturnType<typeof startConfirmation>>
