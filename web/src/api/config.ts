import { api } from './client'
import type { components } from './schema'

export type Config = components['schemas']['Config']

/** What the server has told last, and when: milliseconds. */
let known: { readonly config: Config; readonly at: number } | null = null
let asking: Promise<Config> | null = null
const listeners = new Set<() => void>()

function set(config: Config | null): void {
  known = config && { config, at: Date.now() }
  for (const listener of listeners) listener()
}

/** Asks the server again; however many ask at once, it is asked once. */
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

/** What the browser needs to know of the server: asked for once, and again after a failure. */
export async function loadConfig(): Promise<Config> {
  return known?.config ?? renewConfig()
}

/** The same where the server has told it; null before. */
export function knownConfig(): Config | null {
  return known?.config ?? null
}

/** How long ago the server has told it, in milliseconds. */
export function configAge(): number {
  return known === null ? Number.POSITIVE_INFINITY : Date.now() - known.at
}

/** Calls back after every change. Returns a function that ends it. */
export function onConfig(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For tests, each of which has a server of its own. */
export function forgetConfig(): void {
  set(null)
}
