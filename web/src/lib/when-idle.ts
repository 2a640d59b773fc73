/** The longest wait for an idle browser. */
const waitMilliseconds = 2_000

/** Calls back when the browser is idle. Returns a function that cancels it. */
export function whenIdle(callback: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 200)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: waitMilliseconds })
  return () => cancelIdleCallback(handle)
}
