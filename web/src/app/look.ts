/**
 * How the pages look: the colours (`light`, `dark`), and the room between and inside of controls (`roomy`, `compact`). `system` leaves
 * it to the system and the pointer: with a mouse controls are compact, with a finger or in a magnified window roomy. `start.js` applies what is chosen in this
 * browser before the first paint.
 */
export type LookPart = 'theme' | 'density'

export function currentLook(): Readonly<Record<LookPart, string>> {
  const { theme = 'system', density = 'system' } = document.documentElement.dataset
  return { theme, density }
}

export function chooseLook(part: LookPart, value: string): void {
  const { dataset } = document.documentElement
  if (value === 'system') delete dataset[part]
  else dataset[part] = value
  try {
    if (value === 'system') localStorage.removeItem(`cabinet.${part}`)
    else localStorage.setItem(`cabinet.${part}`, value)
  } catch {
    // Storage is not available: the choice lasts until the page is closed.
  }
}
