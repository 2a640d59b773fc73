/** Leaves the cabinet for another site; the address has been checked by `externalUrl`. */
export function leavePage(address: string): void {
  window.location.assign(address)
}

/** Loads the page anew, with nothing of what it had in its memory. */
export function reloadPage(): void {
  window.location.reload()
}
