function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Has the browser ask before the page is loaded anew or its tab closed; answers the way to stop. */
export function askBeforeLeaving(): () => void {
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}
