import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test'

/** What a page has said: a toast, a status, an alert, a heading, or the description of a field. */
interface Said {
  readonly text: string
  /** The id of the field that the text describes; empty for everything else. */
  readonly field: string
}

const BINDING = 'keepWhatIsSaid'
const kept = new WeakMap<BrowserContext, Said[]>()

/**
 * Keeps everything that the pages of a context say from now on. Some of it stands for three seconds only, so whoever looks at the page
 * may look too late.
 */
export async function keepWhatIsSaid(context: BrowserContext): Promise<void> {
  const all: Said[] = []
  kept.set(context, all)
  await context.exposeBinding(BINDING, (_, said: Said) => {
    all.push(said)
  })
  await context.addInitScript((binding) => {
    if (window !== window.top) return
    const tell = (window as unknown as Record<string, (said: Said) => void>)[binding]
    let standing = new Map<string, Said>()
    function look(): void {
      const now = new Map<string, Said>()
      const add = (text: string | null | undefined, field: string): void => {
        const line = (text ?? '').replaceAll(/\s+/gu, ' ').trim()
        if (line !== '') now.set(`${field} ${line}`, { text: line, field })
      }
      for (const element of document.querySelectorAll('[data-toasts] > *, [role=status], [role=alert], h1'))
        add(element.textContent, '')
      for (const field of document.querySelectorAll('[id][aria-describedby]')) {
        const ids = (field.getAttribute('aria-describedby') ?? '').split(/\s+/u)
        add(ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' '), field.id)
      }
      for (const [key, said] of now) if (!standing.has(key)) tell?.(said)
      standing = now
    }
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['aria-describedby', 'id'],
    })
  }, BINDING)
}

/** Waits until these words have been said, and takes what was said from the list, so that it counts once. Returns the whole text. */
async function take(page: Page, words: string | RegExp, field: string): Promise<string> {
  const all = kept.get(page.context()) ?? []
  const wanted = typeof words === 'string' ? words.replaceAll(/\s+/gu, ' ').trim() : words
  const fits = (said: Said): boolean =>
    said.field === field && (typeof wanted === 'string' ? said.text.includes(wanted) : wanted.test(said.text))
  await expect.poll(() => all.some(fits), { message: `said: ${String(words)}` }).toBe(true)
  const [said] = all.splice(all.findIndex(fits), 1)
  return said?.text ?? ''
}

/** Expects that the page says this, or has said it since it was last expected: a toast, a status, an alert or a heading. Returns its text. */
export async function expectSaid(page: Page, words: string | RegExp): Promise<string> {
  return take(page, words, '')
}

/** Expects that this field is described so, or has been since it was last expected. */
export async function expectDescribed(field: Locator, words: string | RegExp): Promise<void> {
  await take(field.page(), words, (await field.getAttribute('id')) ?? '')
}
