import { queryOptions } from '@tanstack/react-query'
import { api } from './client'
import { Refusal } from './failure'
import type { components } from './schema'
import { session } from './session'

export type User = components['schemas']['User']
export type ProfileRequest = components['schemas']['ProfileRequest']

async function loadUser(signal: AbortSignal): Promise<User> {
  try {
    return await api.POST('/auth/me', { signal })
  } catch (failure) {
    // The account does not exist any more, so the session is useless.
    if (failure instanceof Refusal && failure.key === 'user_not_found') session.expire()
    throw failure
  }
}

/** The signed-in notary. */
export const userQuery = () => queryOptions({ queryKey: ['user'], queryFn: ({ signal }) => loadUser(signal) })

/** Saves the profile and returns it as saved. */
export const saveProfile = (body: ProfileRequest) => api.POST('/me', { body })
