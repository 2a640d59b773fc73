import type { Page, Route } from '@playwright/test'
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
