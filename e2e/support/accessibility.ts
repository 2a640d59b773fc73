import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * WCAG 2.2 at level AA, as far as a program can tell, and the good practice beyond it: no violation at all on the page as it
 * stands. A frame is a document of its own, so a page with one is asked for its good practice without it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  const framed = (await page.locator('iframe').count()) > 0
  const results = framed
    ? [
        await new AxeBuilder({ page }).withTags(WCAG).analyze(),
        await new AxeBuilder({ page }).withTags(['best-practice']).exclude('iframe').analyze(),
      ]
    : [await new AxeBuilder({ page }).withTags([...WCAG, 'best-practice']).analyze()]
  const violations = results
    .flatMap((result) => result.violations)
    .map((one) => ({
      rule: one.id,
      where: one.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    }))
  expect(violations, `accessibility of ${page.url()}`).toEqual([])
}

/** The page itself never scrolls sideways; a table may, inside its own frame. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const width = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  expect(width.page, `width of ${page.url()}`).toBeLessThanOrEqual(width.window)
}
