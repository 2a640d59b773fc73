/** How long another site is waited for; whoever has stopped the browser is still here then. */
const WAIT_MS_MAX = 20_000

let leaving = false

/** The browser is about to be sent to another site: what is opened meanwhile begins nothing of its own. */
export function beginLeaving(): void {
  leaving = true
}

export function isLeaving(): boolean {
  return leaving
}

/** Calls back where the page has stayed after all, or is shown again after the other site; answers the way to call that off. */
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
