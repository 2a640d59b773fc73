import { forEachAppearance } from '../support/appearance.ts'
import { invoiceOf, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { headingOf, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('accessibility-order')

forEachAppearance(test, (language, look) => {
  test('the pages of an order', async ({ page, context, cabinet }) => {
    await speak(page, language)
    const screens = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const paid = await notary.paidOrder('admin_payment', CARDS.pays)
    await notary.addToCart('requisites_payment')
    const unpaid = await notary.orderCart()

    await page.goto(`/order/${unpaid.id}/pending`)
    await expect(screens.heading('Оплата обробляється')).toBeVisible()
    await look(page)
    await cabinet.sandbox.pay(invoiceOf(unpaid.widget_url), CARDS.declined)
    await page.goto(`/order/${unpaid.id}/error`)
    await expect(screens.heading('Помилка оплати')).toBeVisible()
    await look(page)
    await page.goto(`/order/${paid.id}/success`)
    await expect(screens.heading('Оплата успішна!')).toBeVisible()
    await look(page)
    await page.goto('/archive')
    await expect(screens.order(paid.number).getByText(screens.say('Сплачено'))).toBeVisible()
    await look(page)
    await screens.openOrder(paid.number)
    await screens.openOrder(unpaid.number)
    await look(page)
    for (const { id, number } of [paid, unpaid]) {
      await page.goto(`/order/${id}`)
      await expect(headingOf(page)).toContainText(number)
      await look(page)
    }
    const palette = await screens.openPalette()
    await expect(palette.getByRole('option').first()).toBeVisible()
    await look(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog').getByRole('checkbox')).toBeVisible()
    await look(page)
  })
})
