/** The notary's passkeys, and signing in by one. */
import { queryOptions } from '@tanstack/react-query'
import { makePasskey, signByPasskey } from '@/lib/passkeys'
import { api } from './client'
import { Refusal } from './failure'
import type { components } from './schema'
import { securityKey } from './security'

export type Passkey = components['schemas']['Passkey']

/** The passkeys, the oldest first. */
export const passkeysQuery = () =>
  queryOptions({
    queryKey: [...securityKey, 'passkeys'],
    queryFn: ({ signal }) => api.GET('/me/passkeys', { signal }),
    staleTime: 2_000,
  })

/**
 * Adds a passkey of this device: the server asks for a code, and the browser for its user. Throws a `Failure` or a `PasskeyFailure`.
 */
export async function addPasskey(label: string): Promise<Passkey> {
  const { public_key: options } = await api.POST('/me/passkeys/options')
  const { id, response } = await makePasskey(options)
  const { clientDataJSON, authenticatorData } = response
  return api.POST('/me/passkeys/add', {
    body: { label, credential: { id, response: { clientDataJSON, authenticatorData } } },
  })
}

export const renamePasskey = (id: string, label: string) =>
  api.POST('/me/passkeys/{id}/rename', { params: { path: { id } }, body: { label } })

/** Removes a passkey. One that was removed meanwhile is no failure. */
export async function removePasskey(id: string): Promise<void> {
  try {
    await api.POST('/me/passkeys/{id}/remove', { params: { path: { id } } })
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.key === 'passkey_unknown')) throw failure
  }
}

/** Signs in by a passkey that the browser offers. Throws a `Failure` or a `PasskeyFailure`. */
export async function enterByPasskey() {
  const { public_key: options } = await api.POST('/auth/login/passkey/options')
  const { id, response } = await signByPasskey(options)
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
  return api.POST('/auth/login/passkey', {
    body: { credential: { id, response: { clientDataJSON, authenticatorData, signature, userHandle } } },
  })
}
