import { api } from './client'
import type { components } from './schema'

export type Config = components['schemas']['Config']

/** The configuration and when it was loaded, in milliseconds since the epoch. */
let known: { readonly config: Config; readonly at: number } | null = null
let asking: Promise<Config> | null = null
const listeners = new Set<() => void>()

function set(config: Config | null): void {
  known = config && { config, at: Date.now() }
  for (const listener of listeners) listener()
}

/** Loads the configuration again. Concurrent calls share one request. */
export function renewConfig(): Promise<Config> {
  asking ??= api
    .GET('/config')
    .then((config) => {
      set(config)
      return config
    })
    .finally(() => {
      asking = null
    })
  return asking
}

/** The configuration of the server, loaded once, and again after a failure. */
export async function loadConfig(): Promise<Config> {
  return known?.config ?? renewConfig()
}

/** The configuration if it is loaded; null before. */
export function knownConfig(): Config | null {
  return known?.config ?? null
}

/** The age of the configuration in milliseconds. */
export function configAge(): number {
  return known === null ? Number.POSITIVE_INFINITY : Date.now() - known.at
}

/** Calls back after every change. Returns a function that ends it. */
export function onConfig(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For tests, each of which has its own server. */
export function forgetConfig(): void {
  set(null)
}
