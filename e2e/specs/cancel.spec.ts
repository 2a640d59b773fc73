import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { invoiceOf, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('cancel')

for (const language of LANGUAGES) {
  test(`${language}: an unpaid order is cancelled by keyboard and its payments are in the cart again`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize(language === 'uk' ? { width: 1280, height: 900 } : { width: 390, height: 800 })
    await speak(page, language)
    const { say } = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('admin_payment')
    const order = await notary.orderCart()
    await page.goto(`/order/${order.id}/pending`)
    const fold = page.locator('summary').filter({ hasText: say('Скасувати замовлення') })
    await fold.focus()
    await page.keyboard.press('Enter')
    const back = page.getByRole('button', { name: say('Скасувати й повернути платежі до кошика') })
    await expect(back).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Tab')
    await expect(back).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/order/${order.id}/error$`))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('Замовлення скасовано'))
    await expect(page.getByText(say('Платежі повернено до кошика.'))).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    // The bank takes nothing any more.
    await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays).catch(() => undefined)
    expect((await notary.get<{ order: { status: string } }>(`/order/${order.id}`)).order.status).toBe(
      'expired',
    )
    await page
      .getByRole('link', { name: say('До кошика'), exact: true })
      .last()
      .click()
    await expect(page).toHaveURL(/\/cart$/)
    expect((await notary.get<{ items_count: number }>('/cart/items/count')).items_count).toBe(1)
  })
}

test('an order whose payments are dropped stays in the archive as cancelled', async ({
  page,
  context,
  cabinet,
}) => {
  await speak(page, 'uk')
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCart()
  await page.goto('/archive')
  await new Screens(page).openOrder(order.number)
  await page.locator('summary').filter({ hasText: 'Скасувати замовлення' }).click()
  await page.getByRole('button', { name: 'Скасувати, платежів до кошика не повертати' }).click()
  await expect(page.getByText('Платежі лишилися в цьому замовленні')).toBeVisible()
  await expect(page.getByText('Скасовано', { exact: true }).first()).toBeVisible()
  // What the head of the page half covers while it is scrolled is no small target.
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible(page)
  expect((await notary.get<{ items_count: number }>('/cart/items/count')).items_count).toBe(0)
})

test('a paid order is repeated as a whole in one press', async ({ page, context, cabinet }) => {
  await speak(page, 'uk')
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  await notary.addToCart('admin_payment')
  const order = await notary.orderCart()
  await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
  await page.goto(`/order/${order.id}/success`)
  // Her share goes to an account that her profile does not name, so that is proved again.
  await new Screens(page).doWithCode(cabinet, notary.phone, () =>
    page.getByRole('button', { name: 'Повторити все замовлення' }).click(),
  )
  await expect(page.getByText('До кошика додано 2 платежі')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'До кошика', exact: true }).last().click()
  await expect(page).toHaveURL(/\/cart$/)
  expect((await notary.get<{ items_count: number }>('/cart/items/count')).items_count).toBe(2)
})
