import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client'
import type { components } from './schema'

export type Config = components['schemas']['Config']

let loading: Promise<Config> | null = null
let known: Config | null = null

/** For pages whose sums depend on it: a tariff may change while the cabinet stays open. */
export const configQuery = () =>
  queryOptions({
    queryKey: ['config'],
    queryFn: ({ signal }) => unwrap(api.GET('/config', { signal })),
    staleTime: 5 * 60_000,
  })

/** What the browser needs to know of the server; asked for once, and again after a failure. */
export function loadConfig(): Promise<Config> {
  loading ??= unwrap(api.GET('/config')).then(
    (config) => {
      known = config
      return config
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** The same where it has been told already; null before. */
export function knownConfig(): Config | null {
  return known
}
