import { changeData } from '../support/database.ts'
import { CLIENT, invoiceOf, Notary, type OrderSummary } from '../support/notary.ts'
import { blockRealtime } from '../support/realtime.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** Every message of the cart, of orders and of saved cards, provoked as a person would meet it. */
const test = testWithCabinet('messages-orders')

async function ordered(notary: Notary): Promise<OrderSummary> {
  await notary.addToCart('registry_payment')
  return notary.orderCart()
}

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('each reason why a payment failed is told, and that no money was taken', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      const before = (await cabinet.sandbox.ledger()).length
      for (const [card, key] of [
        [CARDS.declined, 'payment_insufficient_funds'],
        [CARDS.refused, 'payment_declined'],
        [CARDS.blocked, 'payment_card_unusable'],
        [CARDS.overLimit, 'payment_limit_exceeded'],
        [CARDS.tooLate, 'payment_expired'],
        [CARDS.acquirerFails, 'acquirer_unavailable'],
        [CARDS.asksThreeDSecure, 'payment_not_confirmed'],
      ] as const) {
        const { id, widget_url } = await ordered(notary)
        const invoice = invoiceOf(widget_url)
        await cabinet.sandbox.pay(invoice, card)
        if (card === CARDS.asksThreeDSecure) await cabinet.sandbox.answerThreeDSecure(invoice, false)
        await page.goto(`/order/${id}/payment-status`)
        await expect(screens.heading('Помилка оплати'), key).toBeVisible()
        await expect(page.getByText(`${screens.message(key)}.`, { exact: true }), key).toBeVisible()
        // While the bank's page is open the text is only about this try.
        const nothingTaken = page.getByText(screens.say('Кошти не списано'), { exact: true })
        await expect(
          nothingTaken.or(page.getByText(screens.say('За цією спробою кошти не списано'), { exact: true })),
        ).toBeVisible()
        await expect(screens.backToPayment).toBeVisible()
      }
      expect((await cabinet.sandbox.ledger()).length).toBe(before)
    })

    test('an acquirer that refuses or is away is told, and the order stays payable', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      await notary.addToCart('registry_payment')
      const screens = new Screens(page, language)
      await screens.openCart()
      await cabinet.sandbox.failInvoices('refuse')
      await screens.payInPopup(CLIENT, null)
      await expect(screens.heading('Помилка оплати')).toBeVisible()
      await screens.expectMessage('acquirer_refused')

      // Another window, which gets no realtime messages of this one.
      const stale = new Screens(await context.newPage(), language)
      await blockRealtime(stale.page)
      await speak(stale.page, language)
      await stale.page.goto(page.url())
      await expect(stale.heading('Помилка оплати')).toBeVisible()

      await cabinet.sandbox.failInvoices('status_500')
      await stale.button('Повернутися до оплати').click()
      await expect(stale.page.getByText(stale.say('Посилання на оплату не отримано'))).toBeVisible()
      await stale.expectMessage('acquirer_unavailable')
      // The window with realtime messages shows the state of the order. The one without is stopped before a second payment.
      await expect(screens.heading('Оплата обробляється')).toBeVisible()
      const refused = stale.page.waitForResponse(/\/update\/pay-link$/)
      await stale.button('Повернутися до оплати').click()
      expect(((await (await refused).json()) as { message: string }).message).toBe('payment_outcome_unknown')
      // The screen is outdated: the refusal has it updated.
      await expect(stale.heading('Оплата обробляється')).toBeVisible()

      expect((await notary.orders()).map(({ status }) => status)).toEqual(['in_progress'])
    })

    test('a screen that has not heard of a change is told when it acts on what is gone', async ({
      page,
      context,
      cabinet,
    }) => {
      await blockRealtime(page)
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      const item = await notary.addToCart('requisites_payment')
      await notary.addToCart('requisites_payment')

      await screens.openCart()
      await notary.post('/cart/items/count', { cart_item_id: item, new_count: 2 })
      await screens.payInPopup(CLIENT, null)
      await expect(screens.methods.getByText(screens.message('price_changed'))).toBeVisible()
      await expect(
        screens.methods.getByText(screens.say('Замовлення не створено, кошти не списано')),
      ).toBeVisible()
      await page.keyboard.press('Escape')

      await page.reload()
      await expect(screens.payButton(CLIENT)).toBeVisible()
      await notary.post('/cart/item/delete', { cart_item_id: item })
      await screens.button('Більше').first().click()
      await expect(page.getByText(screens.say('Зміну не збережено'))).toBeVisible()
      await screens.expectMessage('cart_item_not_found')

      const [left] = (await notary.cart()).groups[0]?.items ?? []
      await page.reload()
      await expect(screens.payButton(CLIENT)).toBeVisible()
      await notary.post('/cart/item/delete', { cart_item_id: left?.id })
      await screens.payInPopup(CLIENT, null)
      await expect(screens.methods.getByText(screens.message('cart_group_empty'))).toBeVisible()

      // The same for an order that was refused here and paid by a new link meanwhile, and then refunded.
      await cabinet.sandbox.failInvoices('refuse')
      const order = await ordered(notary)
      await cabinet.sandbox.endFaults()
      await page.goto(`/order/${order.id}/payment-status`)
      await expect(screens.heading('Помилка оплати')).toBeVisible()
      const link = await notary.get<{ widget_url: string }>(`/order/${order.id}/update/pay-link`)
      const invoice = invoiceOf(link.widget_url)
      await cabinet.sandbox.pay(invoice, CARDS.pays)
      await expect.poll(async () => (await notary.order(order.id)).status).toBe('paid')
      const refused = page.waitForResponse(/\/update\/pay-link$/)
      await screens.button('Повернутися до оплати').click()
      expect(((await (await refused).json()) as { message: string }).message).toBe('order_not_payable')
      // The screen is outdated: the refusal has it updated.
      await expect(screens.heading('Оплата успішна!')).toBeVisible()

      await page.goto(`/order/${order.id}/success`)
      await expect(screens.heading('Оплата успішна!')).toBeVisible()
      await cabinet.sandbox.refund(invoice)
      await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('refunded')
      await screens.button('Квитанція про сплату').click()
      await expect(page.getByText(screens.say('Квитанцію не завантажено'))).toBeVisible()
      await screens.expectMessage('order_refunded')
      await page.reload()
      await expect(page.getByText(screens.say('Платіж скасовано, кошти повернено на картку'))).toBeVisible()

      // An old bookmark of a repeated payment, and a period that ends before it begins.
      await page.goto('/?repeat_item_id=00000000-0000-4000-8000-000000000000')
      await expect(page.getByText(screens.say('Попередній платіж не вдалося відкрити'))).toBeVisible()
      await screens.expectMessage('order_not_found')
      await page.goto('/archive?from=2026-02-01&to=2026-01-01')
      await expect(page.getByText(screens.say('Архів не вдалося завантажити'))).toBeVisible()
      await screens.expectMessage('period_invalid')
    })

    test("an order that can't be paid as it stands says why, and loses nothing", async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)

      // A month after the bank could not be reached.
      await cabinet.sandbox.failInvoices('status_429')
      const old = await ordered(notary)
      await cabinet.sandbox.endFaults()
      changeData(cabinet, 'update orders set created_at = created_at - 2764800000000')
      await page.goto(`/order/${old.id}/error`)
      await screens.button('Повернутися до оплати').click()
      const backInCart = screens.say('Платежі повернено до кошика')
      await expect(page.locator('#main').getByText(backInCart, { exact: true })).toBeVisible()
      await screens.expectMessage('order_returned_to_cart')
      expect((await notary.cart()).items_count).toBe(1)

      // The acquirer reports another sum.
      const doubted = await notary.orderCart()
      await cabinet.sandbox.setFaults([
        { service: 'acquirer', kind: 'wrong_amount', path: 'invoice/status', calls: 1000 },
        { service: 'reports', kind: 'wrong_amount', calls: 1000 },
      ])
      await cabinet.sandbox.pay(invoiceOf(doubted.widget_url), CARDS.pays)
      await notary.order(doubted.id, { ask: true })
      await page.goto(`/order/${doubted.id}/error`)
      await screens.expectMessage('order_under_review')
    })

    test('the same payments ordered in another window lead to that order', async ({
      page,
      context,
      cabinet,
    }) => {
      await blockRealtime(page)
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.addToCart('registry_payment')
      await screens.openCart()
      const order = await notary.orderCart()
      await screens.payInPopup(CLIENT, null)
      await expect(page).toHaveURL(new RegExp(`/order/${order.id}/(payment-status|pending)$`))
      await expect(screens.heading('Оплата обробляється')).toBeVisible()
      expect(await notary.orders()).toHaveLength(1)
    })

    test('saved cards that cannot be read, and one that is gone', async ({ page, context, cabinet }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.saveCard(CARDS.pays)
      await notary.addToCart('registry_payment')
      await screens.openCart()
      await cabinet.sandbox.failAcquirer('status_500', 'wallet')
      await screens.payButton(CLIENT).click()
      await expect(
        screens.methods.getByText(screens.say('Збережені картки не вдалося завантажити')),
      ).toBeVisible()
      await expect(screens.methods.getByText(screens.message('acquirer_unavailable'))).toBeVisible()
      await cabinet.sandbox.recover()
      await page.keyboard.press('Escape')
      await expect(screens.methods).toBeHidden()
      await screens.payButton(CLIENT).click()
      await screens.methods.getByRole('radio', { name: /4242$/ }).check()
      await screens.methods.getByRole('checkbox').check()
      const cards = await context.newPage()
      await cards.goto('/me/user-cards')
      const frame = cards.locator('iframe').contentFrame()
      const remove = frame.getByRole('button', { name: /^(Видалити картку|Delete the card) .*4242$/ })
      await remove.click()
      await expect(remove).toHaveCount(0)
      await screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
      await expect(screens.methods.getByText(screens.message('card_not_found'))).toBeVisible()
      await screens.methods.getByRole('radio', { name: new RegExp(screens.say('Інша картка')) }).check()
      await screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
      await page.waitForURL(`${cabinet.sandbox.url}/**`)
    })

    test('cards that cannot be read while one of them pays leave no doubt: nothing was ordered', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      await page.setViewportSize({ width: 390, height: 844 })
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
      await notary.addToCart('registry_payment')
      await screens.openCart()
      await screens.payButton(CLIENT).click()
      await screens.methods.getByRole('radio', { name: /4242$/ }).check()
      await screens.methods.getByRole('checkbox').check()
      await cabinet.sandbox.failAcquirer('status_500', 'wallet')
      const pay = screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ })
      await pay.click()
      await expect(
        screens.methods.getByText(screens.say('Замовлення не створено, кошти не списано')),
      ).toBeVisible()
      await expect(screens.methods.getByText(screens.message('acquirer_unavailable'))).toBeVisible()
      await page.screenshot({ path: `results/cards-away-${language}.png` })
      expect(await notary.orders()).toHaveLength(1)
      await cabinet.sandbox.recover()
      await pay.click()
      await expect(screens.heading('Архів'), 'the same press pays').toBeVisible()
      expect(await notary.orders()).toHaveLength(2)
    })

    test('a complaint without words, or with too many, is told and kept', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.addToCart('requisites_payment')
      await screens.openCart()
      await page
        .getByRole('button', {
          name: new RegExp(screens.say('Повідомити про помилку: {name}').split('{')[0] ?? ''),
        })
        .click()
      const dialog = page.getByRole('dialog', { name: screens.say('Помилка в платежі') })
      const text = dialog.getByRole('textbox')
      const send = dialog.getByRole('button', { name: screens.say('Надіслати'), exact: true })
      await send.click()
      await expect(text).toHaveAccessibleDescription(new RegExp(screens.message('complaint_text_required')))
      for (const [length, key] of [
        [2001, 'text_too_long'],
        [70_000, 'body_too_large'],
      ] as const) {
        await text.fill('а'.repeat(length))
        await send.click()
        await expect(dialog.getByText(screens.message(key)), key).toBeVisible()
        expect((await text.inputValue()).length).toBe(length)
      }
    })

    test('a fault of the server is told with a number for the support, and another try works', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const order = await ordered(notary)
      const screens = new Screens(page, language)
      changeData(cabinet, 'alter table orders rename to orders_away')
      await page.goto(`/order/${order.id}`)
      await expect(screens.heading('Сторінку не вдалося відкрити')).toBeVisible()
      await screens.expectMessage('internal_error')
      await expect(
        page.getByText(
          screens.say('Номер помилки для служби підтримки: <0>{requestId}</0>', { requestId: '' }).trim(),
        ),
      ).toBeVisible()
      changeData(cabinet, 'alter table orders_away rename to orders')
      await screens.button('Спробувати ще раз').click()
      await expect(page.getByRole('heading', { level: 1 })).toContainText(order.number)
    })
  })
}
