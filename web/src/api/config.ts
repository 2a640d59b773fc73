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
    queryFn: askConfig,
    staleTime: 5 * 60_000,
  })

/** What the browser needs to know of the server; asked for once, and again after a failure. */
export function loadConfig(): Promise<Config> {
  return loading ?? askConfig()
}

function askConfig(): Promise<Config> {
  const asked = unwrap(api.GET('/config')).then(
    (config) => {
      known = config
      return config
    },
    (error: unknown) => {
      if (loading === asked) loading = null
      throw error
    },
  )
  loading = asked
  return asked
}

/** The same where it has been told already; null before. */
export function knownConfig(): Config | null {
  return known
}
