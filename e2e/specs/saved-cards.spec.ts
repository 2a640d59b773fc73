import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('saved-cards')

const OTHER_CLIENT = { inn: '2645008153', full_name: 'Мельник Петро Васильович' }

for (const language of LANGUAGES) {
  test(`${language}: after a decline another saved card pays the same order, once`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page, language)
    await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
    await notary.addToCart('admin_payment')
    const order = await notary.orderCart()
    await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.declined)
    const before = (await cabinet.sandbox.ledger()).length

    await page.goto(`/order/${order.id}/error`)
    await expect(screens.heading('Помилка оплати')).toBeVisible()
    const cards = page.getByRole('group', { name: screens.say('Сплатити іншою збереженою карткою') })
    await expect(cards.getByRole('radio', { name: /4242/ })).toBeChecked()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const pay = page.getByRole('button', {
      name: new RegExp(`^${screens.say('Сплатити {sum}').split('{')[0]}\\d`),
    })
    await pay.focus()
    // Her own account is new to the saved card.
    await screens.payWithCode(cabinet, notary.phone, () => page.keyboard.press('Enter'))
    await screens.expectResult('Оплата успішна!')

    const charges = (await cabinet.sandbox.ledger()).slice(before).filter(({ kind }) => kind === 'charge')
    expect(charges).toHaveLength(1)
    expect((await notary.order(order.id)).status).toBe('paid')
    expect(await notary.orders()).toHaveLength(2)
  })

  test(`${language}: several clients are paid with one agreement, an order each`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page, language)
    await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
    await notary.addToCart('registry_payment', CLIENT)
    await notary.addToCart('registry_payment', OTHER_CLIENT)
    const sums = (await notary.cart()).groups.map(({ amount }) => amount)
    const before = (await cabinet.sandbox.ledger()).length

    await screens.openCart()
    await page
      .getByRole('button', {
        name: new RegExp(`^${screens.say('Сплатити за всіх: {sum}').split('{')[0]}`),
      })
      .click()
    const dialog = page.getByRole('dialog', { name: screens.say('Сплатити за всіх') })
    await expect(dialog.getByRole('radio', { name: /4242/ })).toBeChecked()
    await expectAccessible(page)
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
    await expect(dialog.getByText(screens.say('Сплачено.'))).toHaveCount(2)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: screens.say('Повернутися до кошика') }).click()
    await expect(page.getByText(screens.say('Кошик порожній'))).toBeVisible()

    const charges = (await cabinet.sandbox.ledger()).slice(before).filter(({ kind }) => kind === 'charge')
    expect(charges).toHaveLength(2)
    const orders = await notary.orders()
    expect(orders.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
    expect(
      orders
        .slice(0, 2)
        .map(({ sum }) => sum)
        .toSorted(),
    ).toEqual(sums.toSorted())
    expect(new Set(orders.slice(0, 2).map(({ client }) => client.inn))).toEqual(
      new Set([CLIENT.inn, OTHER_CLIENT.inn]),
    )
  })
}
