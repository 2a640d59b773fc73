function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Makes the browser ask before the page is reloaded or its tab closed. Returns a function that stops it. */
export function askBeforeLeaving(): () => void {
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}
