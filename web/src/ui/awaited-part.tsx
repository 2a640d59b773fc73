import { useEffect, type ReactNode } from 'react'
import { reloadForNewParts } from '@/lib/reload-for-new-parts'
import { Loading } from './spinner'

/** After so long a part is missing rather than slow. */
const missingAfterMilliseconds = 10_000

interface AwaitedPartProps {
  /** What is seen meanwhile; a spinner by default. */
  readonly children?: ReactNode
}

/**
 * Stands in the place of a part (`later`) that somebody waits for. A part that does not come is loaded by a reload of the page: use it
 * only where a reload loses nothing.
 */
export function AwaitedPart({ children }: AwaitedPartProps) {
  useEffect(() => {
    const timer = setTimeout(() => void reloadForNewParts(), missingAfterMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  return children === undefined ? <Loading /> : children
}
