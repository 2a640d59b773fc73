import { expectNoSidewaysScroll } from '../support/accessibility.ts'
import { invoiceOf, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { headingOf, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('unfinished')

test('an order that was left at the bank is told at home and above the empty cart until it is paid', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const waiting = await notary.orderCart()
  for (const path of ['/', '/cart', '/archive']) {
    await page.goto(path)
    await expect(headingOf(page)).toBeVisible()
    const line = page.getByRole('region', { name: 'Потребує вас' })
    await expect(line.getByRole('link', { name: /^1 очікує оплати до \d/u })).toBeVisible()
    await expect(
      page.getByRole('navigation', { name: 'Розділи' }).getByRole('link', { name: 'Архів', exact: true }),
    ).toHaveAccessibleDescription('Потребують вас: 1')
  }
  await page.goto('/cart')
  await expect(page.getByText('Незавершених замовлень: 1.')).toBeVisible()
  await page.getByRole('link', { name: /^1 очікує оплати/u }).click()
  await expect(page.getByRole('heading', { name: `Замовлення № ${waiting.number}` })).toBeVisible()
  await page.goto('/cart')
  await expect(page.getByRole('region', { name: 'Потребує вас' })).toBeVisible()
  await cabinet.sandbox.pay(invoiceOf(waiting.widget_url), CARDS.pays)
  // The news of the payment comes by the realtime channel.
  await expect(page.getByRole('region', { name: 'Потребує вас' })).toHaveCount(0)
  await expect(page.getByText('Тут зберігаються платежі клієнтів до оплати.')).toBeVisible()
})

test('several orders are listed on the narrowest phone', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  for (const kind of ['registry_payment', 'admin_payment', 'requisites_payment'] as const) {
    // One order after the other.
    // oxlint-disable-next-line no-await-in-loop
    await notary.addToCart(kind)
    // oxlint-disable-next-line no-await-in-loop
    await notary.orderCart()
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await speak(page, 'en')
  await page.goto('/cart')
  const line = page.getByRole('region', { name: 'Needs you' })
  await line.getByRole('button', { name: /^3 await payment, the first until/u }).click()
  await expect(line.getByRole('listitem')).toHaveCount(3)
  await expectNoSidewaysScroll(page)
})
