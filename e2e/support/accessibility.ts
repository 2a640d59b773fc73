import axe from 'axe-core'
import { expect, type Frame, type Page } from '@playwright/test'

/** Everything axe knows of WCAG 2.2, level AA, and its best practices. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What depends on the colours of a theme; the other rules read the document, which is the same in both themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * How long a frame may need to answer axe, in milliseconds. By default one that is silent for half a second is left out without a word,
 * and one that works for a minute fails: a busy machine reaches both.
 */
const FRAME_ANSWER_MAX = 60_000
const FRAME_WORK_MAX = 240_000

/** A rule of axe that the page breaks, and where. */
export interface Violation {
  readonly rule: string
  readonly where: readonly string[]
}

/** Loads axe into a document that lacks it. Frames answer the page's axe by messages, also those of another origin. */
async function loadAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => 'axe' in window)) return
  await frame.evaluate(`${axe.source};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`)
}

/** Looks for what breaks axe's rules on the page and in its frames. A frame is a document of its own, with no landmarks of a page. */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<Violation[]> {
  await page.evaluate(() => document.fonts.ready)
  for (const frame of page.frames()) await loadAxe(frame)
  const only: axe.RunOnly =
    rules === 'all' ? { type: 'tag', values: ALL_RULES } : { type: 'rule', values: COLOUR_RULES }
  const options: axe.RunOptions = {
    runOnly: only,
    resultTypes: ['violations'],
    pingWaitTime: FRAME_ANSWER_MAX,
    frameWaitTime: FRAME_WORK_MAX,
  }
  const found = await page.evaluate(async (given) => {
    const { axe: loaded } = window as unknown as { axe: typeof axe }
    return (await loaded.run(document, given)).violations
  }, options)
  return found
    .map(({ id, tags, nodes }) => ({
      rule: id,
      where: nodes
        .filter(({ target }) => target.length === 1 || !tags.includes('best-practice'))
        .map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    }))
    .filter(({ where }) => where.length > 0)
}

/** Expects no violation of WCAG 2.2, level AA, and of axe's best practices on the current page. */
export async function expectAccessible(page: Page, rules: 'all' | 'colours' = 'all'): Promise<void> {
  expect(await violations(page, rules), `accessibility of ${page.url()}`).toEqual([])
}

/** Expects that the page does not scroll sideways. A table may, inside its own container. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  // After the window has changed, the page is laid out anew.
  await expect.poll(beyond, `beyond the window at ${page.url()}`).toBeLessThanOrEqual(0)
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
