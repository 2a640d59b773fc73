/** Whether single keys are shortcuts (WCAG 2.1.4). It is chosen in this browser and kept there. */
const storageKey = 'cabinet.shortcuts'

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

export function switchSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // Storage is not available: the shortcuts stay as they are.
  }
}
