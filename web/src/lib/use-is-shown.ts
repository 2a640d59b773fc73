import { useEffect, useRef } from 'react'

/** Returns a function that tells whether the component is still on the screen; for an answer that comes after the page was left. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return () => isShown.current
}
