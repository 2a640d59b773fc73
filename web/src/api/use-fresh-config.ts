import { useEffect, useSyncExternalStore } from 'react'
import { wait } from '@/lib/wait'
import { configAge, knownConfig, loadConfig, onConfig, renewConfig, type Config } from './config'
import { worthAnotherTry } from './query-client'

/** A tariff may change while the cabinet stays open. */
const freshForMilliseconds = 5 * 60_000

/** For the loader of a page that uses `useFreshConfig`. */
export async function requireConfig(failures = 0): Promise<Config> {
  try {
    return await loadConfig()
  } catch (failure) {
    if (!worthAnotherTry(failures, failure)) throw failure
    await wait(1000 * 2 ** failures)
    return requireConfig(failures + 1)
  }
}

/** The configuration, renewed if it is older than some minutes when the page is opened or returned to. */
export function useFreshConfig(): Config {
  const config = useSyncExternalStore(onConfig, knownConfig)
  useEffect(() => {
    function renew() {
      if (document.visibilityState === 'hidden' || configAge() < freshForMilliseconds) return
      // The known configuration stays in use.
      renewConfig().catch(() => undefined)
    }
    renew()
    addEventListener('visibilitychange', renew)
    addEventListener('online', renew)
    return () => {
      removeEventListener('visibilitychange', renew)
      removeEventListener('online', renew)
    }
  }, [])
  if (config === null) throw new Error('The loader of the page has not called requireConfig.')
  return config
}
