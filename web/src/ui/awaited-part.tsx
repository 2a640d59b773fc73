import { useEffect } from 'react'
import { reloadForNewParts } from '@/lib/reload-for-new-parts'
import { Loading } from './spinner'

/** After so long a part is missing rather than slow. */
const missingAfterMilliseconds = 10_000

/**
 * Stands in the place of a part (`later`) that somebody waits for. A part that does not come is loaded by a reload of the page: use it
 * only where a reload loses nothing.
 */
export function AwaitedPart() {
  useEffect(() => {
    const timer = setTimeout(() => void reloadForNewParts(), missingAfterMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  return <Loading />
}
