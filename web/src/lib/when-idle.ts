/** So long at most is waited for a moment in which the browser has nothing else to do. */
const waitMilliseconds = 2_000

/** Calls back when the page stands and the browser has a moment; answers the way to call it off. */
export function whenIdle(callback: () => void): () => void {
  // Safari has no word for it.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 200)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: waitMilliseconds })
  return () => cancelIdleCallback(handle)
}
