import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client'
import type { components } from './schema'

export type User = components['schemas']['User']

/** The signed-in notary. */
export const userQuery = () =>
  queryOptions({ queryKey: ['user'], queryFn: ({ signal }) => unwrap(api.POST('/auth/me', { signal })) })
