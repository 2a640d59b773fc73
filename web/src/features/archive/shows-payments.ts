/** Whether every row of the archive is opened. It is chosen in this browser and kept there. */
const storageKey = 'cabinet.shows-payments'

export function showsPayments(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'on'
  } catch {
    return false
  }
}

export function keepShowsPayments(on: boolean): void {
  try {
    if (on) localStorage.setItem(storageKey, 'on')
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is not available: the choice lasts as long as the page.
  }
}
