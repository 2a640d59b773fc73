import { ageCodes, DAY_MINUTES } from '../support/database.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { PEOPLE } from '../support/people.ts'
import { blockRealtime } from '../support/realtime.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/**
 * Faults of the outside services (slow, overloaded, broken, silent, or with invalid answers), a lost connection, and a blocked
 * realtime channel. Each affected screen shows the fault, keeps what was typed, and works again afterwards.
 */
const test = testWithCabinet('faults')

/** The ways in which a service can fail at once. Silence has a test of its own, since it lasts as long as the cabinet waits. */
const AT_ONCE = ['status_429', 'status_500', 'garbage', 'reset', 'refuse'] as const

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('a code that cannot be sent, or is slow in coming', async ({ page, browser, cabinet }) => {
      const others = await browser.newContext()
      const { phone } = await Notary.signUp(others, cabinet)
      await others.close()
      await speak(page, language)
      const screens = new Screens(page, language)
      await page.goto('/login')
      const field = screens.field('Номер телефону')
      for (const kind of [...AT_ONCE, 'timeout_before'] as const) {
        await field.fill(phone)
        await cabinet.sandbox.failBeforeSending('sms', kind)
        await screens.button('Увійти').click()
        await expect(page.getByText(screens.message('otp_not_sent')).first(), kind).toBeVisible()
        await expect(field).toHaveValue(/\d{2}-\d{2}$/)
        // A code that may have been sent counts for the limits, so the next try is a day later.
        ageCodes(cabinet, phone, DAY_MINUTES)
      }
      // A slow answer: the button shows the wait.
      await cabinet.sandbox.recover()
      await cabinet.sandbox.setFaults([{ service: 'sms', kind: 'delay', delay_ms: 2_000, calls: 1000 }])
      await screens.button('Увійти').click()
      await expect(screens.field('Код із SMS')).toBeFocused()
      const [message] = await cabinet.sandbox.messages(phone)
      await screens.field('Код із SMS').fill(/(?<!\d)\d{4}(?!\d)/.exec(message?.text ?? '')?.[0] ?? '')
      await expect(screens.heading('Новий платіж')).toBeVisible()
    })

    test('a call that cannot be made', async ({ page, cabinet }) => {
      await speak(page, language)
      const screens = new Screens(page, language)
      await page.goto('/login')
      const field = screens.field('Номер телефону')
      for (const kind of [...AT_ONCE, 'timeout_before'] as const) {
        await field.fill(PEOPLE.byCall)
        await cabinet.sandbox.failBeforeSending('calls', kind)
        await screens.button('Увійти').click()
        await expect(page.getByText(screens.message('call_not_placed')).first(), kind).toBeVisible({
          timeout: 40_000,
        })
        ageCodes(cabinet, PEOPLE.byCall, DAY_MINUTES)
      }
    })

    test('an acquirer that fails while the payment page is asked for: one order, and no second payment', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      const before = (await cabinet.sandbox.ledger()).length
      // A slow answer: the wait is shown and ends.
      await notary.addToCart('registry_payment')
      await cabinet.sandbox.slowInvoices(3_000)
      await screens.openCart()
      await screens.payInPopup(CLIENT, null)
      await page.waitForURL(`${cabinet.sandbox.url}/**`)

      // The behaviour does not depend on the language, and the texts do not depend on the kind of failure, so each kind is tried
      // in one language.
      const failures =
        language === 'uk'
          ? (['status_500', 'garbage', 'reset', 'timeout_after'] as const)
          : (['status_500'] as const)
      for (const [index, kind] of failures.entries()) {
        await notary.addToCart('registry_payment')
        await cabinet.sandbox.failInvoices(kind)
        await screens.openCart()
        await screens.payInPopup(CLIENT, null)
        await expect(screens.heading('Оплата обробляється'), kind).toBeVisible({ timeout: 40_000 })
        await expect(page.getByText(screens.say('Не сплачуйте вдруге'), { exact: true })).toBeVisible()
        expect(
          (await notary.orders()).map(({ status }) => status),
          kind,
        ).toEqual([...Array.from({ length: index + 1 }, () => 'in_progress'), 'pending'])
        expect((await notary.cart()).items_count).toBe(0)
      }
      expect((await cabinet.sandbox.ledger()).length).toBe(before)
    })

    test('a payment page that was certainly not asked for can be asked for again at once', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.addToCart('registry_payment')
      await cabinet.sandbox.failInvoices('status_429')
      await screens.openCart()
      await screens.payInPopup(CLIENT, null)
      await expect(screens.heading('Помилка оплати')).toBeVisible()
      const sayNotSent = screens.say('Запит до банку не надіслано, кошти не списано')
      await expect(page.locator('#main').getByText(sayNotSent)).toBeVisible()
      await cabinet.sandbox.endFaults()
      const opened = context.waitForEvent('page')
      await screens.button('Повернутися до оплати').click()
      await (await opened).waitForURL(`${cabinet.sandbox.url}/**`)
      expect((await notary.orders()).map(({ status }) => status)).toEqual(['pending'])
    })

    test('a status that the bank does not tell is not shown as a fresh one', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.addToCart('registry_payment')
      const order = await notary.orderCartOnceReached()
      await page.goto('/archive')
      await screens.openOrder(order.number)
      const ask = page.getByRole('button', {
        name: screens.say('Оновити статус замовлення № {number}', { number: order.number }),
      })
      await expect(ask).toBeVisible()
      await cabinet.sandbox.failAcquirer('status_500', 'invoice/status')
      await ask.click()
      await expect(page.getByRole('alert').getByText(screens.message('acquirer_unavailable'))).toBeVisible()

      await page.goto(`/order/${order.id}/pending`)
      await expect(screens.heading('Оплата обробляється')).toBeVisible()
      await screens.button('Перевірити зараз').click()
      await expect(page.getByRole('alert').getByText(screens.message('acquirer_unavailable'))).toBeVisible()
      await cabinet.sandbox.endFaults()
      await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
      await expect(screens.heading('Оплата успішна!')).toBeVisible()
    })

    test('a report that is forged or names another sum pays nothing', async ({ page, context, cabinet }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.addToCart('registry_payment')
      const order = await notary.orderCartOnceReached()
      await page.goto(`/order/${order.id}/pending`)
      await expect(screens.heading('Оплата обробляється')).toBeVisible()
      await cabinet.sandbox.setFaults([
        { service: 'reports', kind: 'forge', calls: 1000 },
        { service: 'acquirer', kind: 'wrong_amount', path: 'invoice/status', calls: 1000 },
      ])
      await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
      const check = screens.button('Перевірити зараз')
      for (let time = 0; time < 2; time += 1) {
        await expect(check).not.toHaveAttribute('aria-busy')
        const answered = page.waitForResponse(/\/status$/)
        // By the keyboard: the page asks by itself too, and its answer may move the button away from under a pointer.
        await check.press('Enter')
        await answered
        // The page neither says that no money was taken nor offers to pay.
        await expect(page.getByText(screens.say('Не сплачуйте вдруге')).first()).toBeVisible()
        await expect(page.getByText(screens.message('order_under_review')).first()).toBeVisible()
      }
      // After the right report the page updates by itself.
      await cabinet.sandbox.endFaults()
      await expect(screens.heading('Оплата успішна!')).toBeVisible()
      expect((await notary.orders()).map(({ status }) => status)).toEqual(['paid'])
    })

    test('without a connection the banner says so, buttons explain, the draft stays, and work goes on', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      await notary.addToCart('registry_payment')
      const screens = new Screens(page, language)
      const banner = page.getByText(
        screens.say(
          'Немає зв’язку з інтернетом. Введені дані збережено. Робота продовжиться, щойно зв’язок відновиться.',
        ),
      )
      await screens.openForm()
      await screens.fillPayment('requisites_payment', CLIENT)
      const add = screens.button('Додати до кошика')
      await context.setOffline(true)
      await expect(banner).toBeVisible()
      await expect(add).toHaveAttribute('aria-disabled', 'true')
      await expect(add).toHaveAccessibleDescription(screens.say('Немає зв’язку з інтернетом'))
      await expect(screens.field('Призначення платежу')).toHaveValue(new RegExp(CLIENT.inn))
      await context.setOffline(false)
      await expect(banner).toHaveCount(0)
      await screens.addToCart()
      expect((await notary.cart()).items_count).toBe(2)

      await screens.openCart()
      await context.setOffline(true)
      await expect(banner).toBeVisible()
      await expect(screens.payButton(CLIENT)).toHaveAccessibleDescription(
        screens.say('Немає зв’язку з інтернетом'),
      )
      await context.setOffline(false)
      await screens.payButton(CLIENT).click()
      await screens.methods.getByRole('radio', { name: new RegExp(screens.say('Інша картка')) }).check()
      await screens.methods.getByRole('checkbox').check()
      const pay = screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ })
      await context.setOffline(true)
      await expect(pay).toHaveAccessibleDescription(
        `${screens.say('Оплата: на сторінці банку')} ${screens.say('Немає зв’язку з інтернетом')}`,
      )
      await context.setOffline(false)
      await expect(pay).not.toHaveAttribute('aria-disabled', 'true')
      await pay.click()
      await page.waitForURL(`${cabinet.sandbox.url}/**`)
      expect(await notary.orders()).toHaveLength(1)
    })
  })
}

test('without the realtime channel the pages ask by themselves', async ({ page, context, cabinet }) => {
  await blockRealtime(page)
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCartOnceReached()
  await page.goto('/archive')
  const block = screens.order(order.number)
  await expect(block.getByText(screens.say('Очікує оплати')).first()).toBeVisible()
  await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
  await notary.addToCart('registry_payment')
  await expect(block.getByText(screens.say('Сплачено')).first()).toBeVisible()
  await expect(page.getByRole('banner').getByText(/^1$/).first()).toBeVisible()
})
