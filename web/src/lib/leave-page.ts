/** Opens another site in place of the cabinet. The address must have passed `externalUrl`. */
export function leavePage(address: string): void {
  window.location.assign(address)
}

/** Reloads the page, which clears its memory. */
export function reloadPage(): void {
  window.location.reload()
}
