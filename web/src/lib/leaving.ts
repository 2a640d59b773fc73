/** How long the page waits for another site to load. Somebody who stopped the navigation is still here afterwards. */
const WAIT_MS_MAX = 20_000

let leaving = false

/** Records that the browser is about to open another site, so that pages opened meanwhile start nothing. */
export function beginLeaving(): void {
  leaving = true
}

export function isLeaving(): boolean {
  return leaving
}

/** Calls back if the page was not left, or is shown again after the other site. Returns a function that cancels it. */
export function onStay(stay: () => void): () => void {
  const stayed = () => {
    leaving = false
    stay()
  }
  const timer = setTimeout(stayed, WAIT_MS_MAX)
  window.addEventListener('pageshow', stayed)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('pageshow', stayed)
    leaving = false
  }
}
