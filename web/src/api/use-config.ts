import { useEffect, useSyncExternalStore } from 'react'
import { knownConfig, loadConfig, onConfig, type Config } from './config'

/**
 * The configuration; null until it is loaded. For components that can do without it: a page that needs it loads it in
 * its loader.
 */
export function useConfig(): Config | null {
  useEffect(() => {
    // The components have a fallback.
    loadConfig().catch(() => undefined)
  }, [])
  return useSyncExternalStore(onConfig, knownConfig)
}
