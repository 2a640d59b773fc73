import type { Frame } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { headingOf } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('planted-faults')

const UNNAMED_IMAGE = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'
const FAULTS = `${UNNAMED_IMAGE}<input><button></button>
  <p id="faint">Too little contrast</p>
  <h6>A heading of the wrong level</h6><div role="navigator">No such role</div>`

/** Puts it at the beginning of the page's content. */
async function plant(frame: Frame, html: string): Promise<void> {
  await frame.evaluate((text) => {
    const place = document.querySelector('main') ?? document.body
    place.insertAdjacentHTML('afterbegin', text)
  }, html)
}

const rulesOf = (found: Awaited<ReturnType<typeof violations>>) => found.map(({ rule }) => rule).toSorted()

test('faults of accessibility are found, on a page and in a frame of another site', async ({
  page,
  cabinet,
}) => {
  await page.goto('/login')
  await expect(headingOf(page)).toBeVisible()
  expect(await violations(page)).toEqual([])

  await plant(page.mainFrame(), FAULTS)
  // The policy of the page lets no style in through the text.
  await page.locator('#faint').evaluate((faint) => {
    faint.style.color = 'rgb(120 120 120)'
    faint.style.background = 'rgb(130 130 130)'
  })
  const found = ['aria-roles', 'button-name', 'color-contrast', 'image-alt', 'label']
  // A colour is judged only once nothing of the page lies over the planted text, while the page may still be moving its parts.
  await expect.poll(async () => rulesOf(await violations(page))).toEqual(expect.arrayContaining(found))
  await expect.poll(async () => rulesOf(await violations(page, 'colours'))).toEqual(['color-contrast'])

  await page.goto('/login')
  await expect(headingOf(page)).toBeVisible()
  await plant(page.mainFrame(), `<main><iframe title="Another site"></iframe></main>`)
  await page
    .locator('iframe')
    .evaluate((frame: HTMLIFrameElement, url) => (frame.src = url), cabinet.sandbox.url)
  await expect(page.locator('iframe').contentFrame().locator('body *').first()).toBeVisible()
  const framed = page.frames().at(-1)
  if (framed === undefined) throw new Error('The page has no frame.')
  await plant(framed, UNNAMED_IMAGE)
  const inFrame = (await violations(page)).find(({ rule }) => rule === 'image-alt')
  expect(inFrame?.where).toHaveLength(1)
})
