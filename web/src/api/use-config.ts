import { useEffect, useState } from 'react'
import { knownConfig, loadConfig, type Config } from './config'

/**
 * What the server says of itself; null until it has, and while it cannot. For the parts of a page that can do without:
 * a page that cannot asks in its loader.
 */
export function useConfig(): Config | null {
  const [config, setConfig] = useState(knownConfig)
  useEffect(() => {
    let here = true
    loadConfig().then(
      (loaded) => {
        if (here) setConfig(loaded)
      },
      // Whoever needs it has words that hold without it.
      () => undefined,
    )
    return () => {
      here = false
    }
  }, [])
  return config
}
