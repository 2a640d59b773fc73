import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import type { testWithCabinet } from './test.ts'
import { LANGUAGES, type Language } from './words.ts'

type Look = (page: Page) => Promise<void>

/**
 * Adds tests in each language and theme. Their `look` checks the current page as on a desktop and on the smallest phone: no rule of
 * accessibility is broken, and nothing scrolls sideways. In the dark theme it checks the rules that depend on colours.
 */
export function forEachAppearance(
  test: ReturnType<typeof testWithCabinet>,
  add: (language: Language, look: Look) => void,
): void {
  for (const language of LANGUAGES) {
    for (const theme of ['light', 'dark'] as const) {
      test.describe(`${language}, ${theme}`, () => {
        test.use({ colorScheme: theme, locale: language === 'uk' ? 'uk-UA' : 'en-GB' })
        const rules = theme === 'light' ? 'all' : 'colours'
        add(language, async (page) => {
          await page.evaluate(() => window.scrollTo(0, 0))
          await expectAccessible(page, rules)
          await page.setViewportSize({ width: 320, height: 640 })
          await expectNoSidewaysScroll(page)
          await expectAccessible(page, rules)
          await page.setViewportSize({ width: 1280, height: 900 })
        })
      })
    }
  }
}
