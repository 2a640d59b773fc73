import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** WCAG 2.2 at level AA, as far as a program can tell: no violation at all on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  const result = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const violations = result.violations.map((one) => ({
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
