import type { Page, Request, Route } from '@playwright/test'
import { Notary } from '../support/notary.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('first-screen')

/** What the form needs beside the session. */
const NEEDED = [
  '/api/auth/me',
  '/api/cart/client/last',
  '/api/cart/items/count',
  '/api/order/unfinished',
  '/api/payment-types',
  '/api/payment-types/fields',
]

/** Holds every call until it is let go. */
async function holdCalls(page: Page) {
  let held: Route[] = []
  await page.route('**/api/**', (route) => void held.push(route))
  return {
    paths: () => held.map((route) => new URL(route.request().url()).pathname).toSorted(),
    letGo: async () => {
      const all = held
      held = []
      await Promise.all(all.map((route) => route.continue()))
    },
  }
}

test('the form asks for all it needs at once, after the session', async ({ page, context, cabinet }) => {
  await Notary.signUp(context, cabinet)
  // The list of kinds is known from then on.
  await new Screens(page).openForm()
  await expect(new Screens(page).list('Послуга')).toBeEnabled()
  await page.close()
  const again = await context.newPage()
  const calls = await holdCalls(again)
  await again.goto('/', { waitUntil: 'commit' })
  await expect.poll(calls.paths).toContain('/api/auth/refresh')
  await calls.letGo()
  await expect.poll(calls.paths).toEqual(expect.arrayContaining(NEEDED))
  await calls.letGo()
  // Whatever is asked for from now on has no answer.
  const services = new Screens(again).list('Послуга')
  await expect(services).toBeEnabled()
  await expect(services.locator('option').nth(1)).toBeAttached()
})

test('how long the form took is told once for each load, and nothing of the notary', async ({
  page,
  context,
  cabinet,
}) => {
  await Notary.signUp(context, cabinet)
  const series = /^cabinet_page_load_duration_seconds_count\{screen="payment_form",until="usable"\} (\d+)$/gmu
  // Several processes may run.
  const timedForms = async () =>
    [...(await cabinet.metrics()).matchAll(series)].reduce((sum, [, count]) => sum + Number(count), 0)
  const before = await timedForms()
  const told: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/page-timing') told.push(request)
  })
  const screens = new Screens(page)
  await screens.openForm()
  await expect.poll(() => told.length).toBe(1)
  const milliseconds: unknown = expect.any(Number)
  expect(told[0]?.postDataJSON()).toEqual({
    screen: 'payment_form',
    first_paint: milliseconds,
    largest_paint: milliseconds,
    usable: milliseconds,
  })
  const headers = Object.keys((await told[0]?.allHeaders()) ?? {})
  expect(headers).toContain('content-type')
  for (const name of ['authorization', 'cookie', 'referer']) expect(headers).not.toContain(name)
  await expect.poll(timedForms).toBeGreaterThan(before)

  // The form that is opened again in the same document is no load.
  await page.getByRole('link', { name: 'Архів' }).first().click()
  await expect(screens.heading('Архів')).toBeVisible()
  await page.goBack()
  await expect(screens.heading('Новий платіж')).toBeVisible()
  await page.evaluate(async () => {
    await new Promise((resolve) => void requestIdleCallback(resolve))
  })
  expect(told).toHaveLength(1)
  await page.reload()
  await expect.poll(() => told.length).toBe(2)
})
