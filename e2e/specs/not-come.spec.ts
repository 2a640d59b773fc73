import type { Page } from '@playwright/test'
import { Notary } from '../support/notary.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

/** The page itself is not loaded: its scripts, its messages, or everything. */
const test = testWithCabinet('not-come')

/** Blocks every file whose address matches. Returns a function that ends it. */
async function lose(page: Page, parts: RegExp): Promise<() => Promise<void>> {
  await page.route(parts, (route) => route.abort())
  return () => page.unroute(parts)
}

async function expectSaid(page: Page): Promise<void> {
  await expect(page.getByText(/Сторінка не відкрилася/)).toBeVisible()
  await expect(page.getByText(/The page has not opened/)).toBeVisible()
}

/** The message is shown because of the failure, not because of the time limit. */
async function expectSaidAtOnce(page: Page): Promise<void> {
  await expect(page.locator('[data-not-come]')).toHaveCSS('animation-name', 'none')
  await expectSaid(page)
}

for (const [name, parts] of [
  ['first script', /\/assets\/frame-[^/]+\.js$/],
  ['shared scripts', /\/assets\/vendor-[^/]+\.js$/],
  ['words', /\/assets\/uk-[^/]+\.js$/],
] as const) {
  test(`without its ${name} the page says so in both languages, and opens by another try`, async ({
    page,
  }) => {
    const restore = await lose(page, parts)
    await page.goto('/login')
    await expectSaidAtOnce(page)
    await restore()
    await page.getByRole('link', { name: 'Спробувати ще раз' }).click()
    await expect(new Screens(page).heading('Вхід до кабінету')).toBeVisible()
    await expect(page.getByText(/The page has not opened/)).toHaveCount(0)
  })
}

test('a page that has not come opens by itself once there is a connection', async ({ page, context }) => {
  const restore = await lose(page, /\/assets\/uk-[^/]+\.js$/)
  await page.goto('/login')
  await expectSaidAtOnce(page)
  await restore()
  await context.setOffline(true)
  await context.setOffline(false)
  await expect(new Screens(page).heading('Вхід до кабінету')).toBeVisible()
})

test('where nothing comes for long the page says so, too', async ({ page, context }) => {
  // The request is never answered.
  await page.route(/\/assets\/.*\.js$/, () => undefined)
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.getByText(/Сторінка не відкрилася/)).toBeHidden()
  // An animation of the stylesheet shows it after 20 seconds; the rest of them pass in one.
  const animations = await context.newCDPSession(page)
  await animations.send('Animation.enable')
  await animations.send('Animation.setPlaybackRate', { playbackRate: 20 })
  await expectSaid(page)
  await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible()
})

test('a part of an open page that an update has taken away comes by a reload of the page', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const { number } = await notary.orderCart()
  const screens = new Screens(page)
  await page.goto('/archive')
  const toggle = screens.toggleOf(number)
  await expect(screens.order(number).getByRole('button', { name: /^Оновити статус/ })).toBeVisible()
  // The files of the open page are gone; those of the next one are there.
  let isGone = true
  await page.route(/\/assets\/.*\.js$/, (route) => (isGone ? route.abort() : route.fallback()))
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isGone = false
  })
  await toggle.click()
  await expect.poll(() => isGone).toBe(false)
  await expect(toggle).toBeVisible()
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click()
  await expect(screens.order(number).getByRole('table')).toBeVisible()
})
