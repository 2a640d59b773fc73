import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Expects no violation of WCAG 2.2, level AA, and of axe's best practices on the current page. A frame is a document of its own,
 * so a page with one is checked for best practices without it.
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

/** Expects that the page does not scroll sideways. A table may, inside its own container. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const width = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  expect(width.page, `width of ${page.url()}`).toBeLessThanOrEqual(width.window)
}

/** Expects the focused element to have a focus ring and not to be covered at its middle. */
export async function expectFocusSeen(page: Page): Promise<void> {
  const fault = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      if (!(focused instanceof HTMLElement) || focused === document.body) return null
      const box = focused.getBoundingClientRect()
      const name = `${focused.tagName} ${focused.id} ${focused.textContent.trim().slice(0, 40)}`
      if (box.width === 0 || box.height === 0) return `${name} has the focus and no size`
      const style = getComputedStyle(focused)
      if (style.outlineStyle === 'none' || Number.parseFloat(style.outlineWidth) === 0)
        return `${name} has no ring`
      const x = Math.min(Math.max(box.left + box.width / 2, 0), window.innerWidth - 1)
      const y = Math.min(Math.max(box.top + box.height / 2, 0), window.innerHeight - 1)
      const top = document.elementFromPoint(x, y)
      const seen =
        top !== null &&
        (focused.contains(top) || top.contains(focused) || top.closest('label')?.contains(focused))
      return seen === true ? null : `${name} is covered by ${top?.tagName ?? 'nothing'}`
    })
  // Moving elements need a moment.
  await expect.poll(fault).toBeNull()
}
