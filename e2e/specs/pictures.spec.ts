import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { CLIENT, Notary } from '../support/notary.ts'
import { PEOPLE } from '../support/people.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('pictures')

/** The folder: that of the documents for `make screenshots`, otherwise that of the test results. */
const FOLDER = resolve(
  import.meta.dirname,
  process.env['E2E_PICTURES'] === '1' ? '../../docs/images' : '../results/pictures',
)

test.use({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 })

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  // Which part of a page comes last differs.
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: resolve(FOLDER, `${name}.png`), animations: 'disabled' })
}

test('the pictures of the documents', async ({ page, context, cabinet }) => {
  const notary = await Notary.logIn(context, cabinet, PEOPLE.byCode)
  const screens = new Screens(page)
  await screens.openForm()
  await screens.fillPayment('admin_payment', CLIENT)
  expect(await screens.totalOfForm()).toBeGreaterThan(0)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await picture(page, 'payment')

  await notary.addToCart('admin_payment')
  await notary.addToCart('registry_payment')
  await screens.openCart()
  await expect(screens.payButton(CLIENT)).toBeVisible()
  await picture(page, 'cart')

  await page.goto('/archive')
  await expect(page.locator('section').getByText('Сплачено').first()).toBeVisible()
  await picture(page, 'archive')

  const paid = await notary.paidOrder('requisites_payment', CARDS.pays, {
    inn: '2933812345',
    full_name: 'Мельник Андрій Васильович',
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`/order/${paid.id}/success`)
  await screens.expectResult('Оплата успішна!')
  await expect(page.getByRole('region', { name: 'Хронологія' })).toBeVisible()
  await picture(page, 'result-dark')
})
