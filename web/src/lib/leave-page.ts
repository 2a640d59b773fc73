/** Leaves the cabinet for another site; the address has been checked by `externalUrl`. */
export function leavePage(address: string): void {
  window.location.assign(address)
}
