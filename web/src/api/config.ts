import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client'
import type { components } from './schema'

export type Config = components['schemas']['Config']

let loading: Promise<Config> | null = null

/** What the browser needs to know of the server; asked for once, and again after a failure. */
export function loadConfig(): Promise<Config> {
  loading ??= unwrap(api.GET('/config')).catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/** The same for components. */
export const configQuery = () =>
  queryOptions({ queryKey: ['config'], queryFn: loadConfig, staleTime: Number.POSITIVE_INFINITY })
