import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Language } from './words.ts'

/** The folder of the pictures of `make screenshots`; git ignores it. */
const FOLDER = resolve(import.meta.dirname, '../../screenshots')

const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
  /** The smallest phone, and a desktop at 400 %. */
  narrow: { width: 320, height: 640 },
} as const

type Size = keyof typeof SIZES

interface Framing {
  /** The whole page, or only what the window shows, for parts that float above the page. The whole page by default. */
  readonly whole?: boolean
  readonly sizes?: readonly Size[]
  /** An element that the window must show at every width. */
  readonly around?: Locator
}

/**
 * Takes the pictures of one language: each state of a screen at each width, light and dark, into `screenshots/LANGUAGE/WIDTH-
 * THEME/NAME.png`. Names begin with the screen, so that its states are sorted together.
 */
export class Album {
  private readonly language: Language

  constructor(language: Language) {
    this.language = language
  }

  async take(page: Page, name: string, framing: Framing = {}): Promise<void> {
    const { whole = true, sizes = ['desktop', 'phone'], around } = framing
    await page.evaluate(async () => {
      // Content that is rendered only near the window must be in the picture, too.
      const all = new CSSStyleSheet()
      all.replaceSync('* { content-visibility: visible !important }')
      document.adoptedStyleSheets = [all]
      await document.fonts.ready
    })
    for (const size of sizes) {
      await page.setViewportSize(SIZES[size])
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        if (whole) await page.evaluate(() => window.scrollTo(0, 0))
        await around?.scrollIntoViewIfNeeded()
        const path = resolve(FOLDER, this.language, `${size}-${theme}`, `${name}.png`)
        await page.screenshot({ path, fullPage: whole, animations: 'disabled' })
      }
    }
    await page.setViewportSize(SIZES.desktop)
    await page.emulateMedia({ colorScheme: 'light' })
  }

  /** Keeps a PDF as pictures of its pages, in `screenshots/LANGUAGE/documents`. */
  keep(document: Buffer, name: string): void {
    const folder = resolve(FOLDER, this.language, 'documents')
    mkdirSync(folder, { recursive: true })
    const file = resolve(folder, `${name}.pdf`)
    writeFileSync(file, document)
    execFileSync('pdftoppm', ['-r', '80', '-png', file, resolve(folder, name)])
  }
}
