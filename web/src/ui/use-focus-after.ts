import { useEffect, type RefObject } from 'react'

/**
 * Where the pressed button has `gone`, the focus went with it: it goes on to `next`, or to the heading of the page.
 * Whoever has moved on meanwhile stays there.
 */
export function useFocusAfter(gone: boolean, next: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!gone || document.activeElement !== document.body) return
    const heading = document.querySelector<HTMLElement>('[data-page-heading]')
    ;(next.current ?? heading)?.focus()
  }, [gone, next])
}
