import { useEffect, type RefObject } from 'react'
import { focusHeading } from './focus-heading'

/**
 * When a pressed button disappears (`gone`), its focus moves to `next`, or to the heading of the page. A focus that has moved
 * elsewhere meanwhile stays.
 */
export function useFocusAfter(gone: boolean, next: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!gone || document.activeElement !== document.body) return
    if (next.current === null) focusHeading()
    else next.current.focus()
  }, [gone, next])
}
