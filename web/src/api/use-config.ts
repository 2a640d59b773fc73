import { useEffect, useSyncExternalStore } from 'react'
import { knownConfig, loadConfig, onConfig, type Config } from './config'

/**
 * What the server says of itself; null until it has, and while it cannot. For the parts of a page that can do without:
 * a page that cannot asks in its loader.
 */
export function useConfig(): Config | null {
  useEffect(() => {
    // Whoever needs it has words that hold without it.
    loadConfig().catch(() => undefined)
  }, [])
  return useSyncExternalStore(onConfig, knownConfig)
}
