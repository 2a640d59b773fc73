/**
 * The colour theme: the system's, or the one chosen in this browser. `start.js` applies the choice before the first
 * paint.
 */
export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'cabinet.theme'

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Storage is not available: the choice lasts until the page is closed.
  }
}
