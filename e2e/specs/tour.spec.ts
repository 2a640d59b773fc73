import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { Album } from '../support/album.ts'
import { Bank, OPERATOR } from '../support/bank.ts'
import { startCabinet } from '../support/cabinet.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { textOfPdf } from '../support/pdf.ts'
import { PEOPLE } from '../support/people.ts'
import { changed, loadReference } from '../support/reference.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/*
 * Takes pictures of every screen in every important state, for `make screenshots`. Other tests check the behaviour; here each
 * state is only awaited.
 */

const test = testWithCabinet('tour', OPERATOR)
test.describe.configure({ mode: 'parallel', timeout: 300_000 })

const WHOLE_AND_NARROW = { sizes: ['desktop', 'phone', 'narrow'] } as const
const WINDOW = { whole: false } as const
const COMPANY = { inn: '37193071', full_name: 'ТОВ «Нотаріальне бюро „Подільська брама“»' }
const LONG_NAME = {
  inn: '3068208400',
  full_name: 'Остроградська-Білокриницька Єлизавета-Вікторія Констянтинівна',
}

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })
    const album = new Album(language)
    const at = (page: Page): Screens => new Screens(page, language)

    test.beforeEach(async ({ page }) => {
      await speak(page, language)
    })

    test('a guest', async ({ page, cabinet }) => {
      const screens = at(page)
      const phone = screens.field('Номер телефону')
      const enter = screens.button('Увійти')
      await page.clock.install()
      await page.goto('/login')
      await expect(screens.heading('Вхід до кабінету')).toBeVisible()
      await album.take(page, 'login')
      await enter.click()
      await expect(phone).toHaveAttribute('aria-invalid', 'true')
      await album.take(page, 'login-wrong-phone')
      await page.getByRole('button', { name: screens.say('Вигляд') }).click()
      await album.take(page, 'login-theme-menu', WINDOW)
      await page.keyboard.press('Escape')

      await phone.fill(PEOPLE.notAgreed)
      await enter.click()
      await expect(page.getByRole('checkbox')).toBeVisible()
      await album.take(page, 'login-agreement')
      await enter.click()
      await expect(page.getByRole('checkbox')).toHaveAttribute('aria-invalid', 'true')
      await album.take(page, 'login-agreement-missed')

      await phone.fill('+380990000000')
      await page.getByRole('checkbox').check()
      await enter.click()
      await expect(phone).toHaveAttribute('aria-invalid', 'true')
      await album.take(page, 'login-unknown-phone')

      await page.goto('/login')
      await phone.fill(PEOPLE.legacyFlow)
      const code = await cabinet.sandbox.codeAfter(PEOPLE.legacyFlow, () => enter.click())
      const codeField = screens.field('Код із SMS')
      await expect(codeField).toBeFocused()
      await album.take(page, 'login-code')
      await enter.click()
      await expect(codeField).toHaveAttribute('aria-invalid', 'true')
      await album.take(page, 'login-code-missing')
      await codeField.fill(code === '0000' ? '1111' : '0000')
      await expect(
        page.getByText(screens.say('Неправильний код. Перевірте його й спробуйте ще раз')).first(),
      ).toBeVisible()
      await album.take(page, 'login-code-wrong')
      await page.clock.runFor('01:00')
      await expect(screens.button('Надіслати код ще раз')).toBeVisible()
      await album.take(page, 'login-code-resend')

      await page.goto('/login')
      await phone.fill(PEOPLE.byRegistryIdentifier)
      await enter.click()
      await expect(screens.heading('Підтвердьте, що це ви')).toBeVisible()
      await album.take(page, 'login-custom')
      await screens.field('Ідентифікатор у реєстрі').fill('NOTAR99999')
      await enter.click()
      await expect(
        page.getByText(screens.say('Неправильний ідентифікатор. Перевірте його й спробуйте ще раз')).first(),
      ).toBeVisible()
      await album.take(page, 'login-custom-wrong')

      await page.goto('/login')
      await cabinet.sandbox.refuseMessages()
      await phone.fill(PEOPLE.byCode)
      await enter.click()
      await expect(screens.button('Зателефонувати мені')).toBeVisible()
      await album.take(page, 'login-call-offered')
      await cabinet.sandbox.endFaults()

      await page.goto('/login')
      await phone.fill(PEOPLE.byCall)
      await enter.click()
      await expect(screens.heading('Зараз вам зателефонують')).toBeVisible()
      await album.take(page, 'login-call')
      const telephone = await page.context().newPage()
      await telephone.goto(`${cabinet.sandbox.url}/phone?lang=${language}`)
      await album.take(telephone, 'sandbox-phone-ringing')
      await telephone.close()
      const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
      await cabinet.sandbox.answerCall(call.sid, '2')
      await expect(page).toHaveURL(/\/login$/)
      await album.take(page, 'login-call-not-confirmed')

      await page.goto('/sign-up')
      await expect(screens.heading('Реєстрація')).toBeVisible()
      await album.take(page, 'sign-up')
      await screens.button('Зареєструватися').click()
      await expect(page.getByRole('alert').first()).toBeVisible()
      await album.take(page, 'sign-up-errors')
      const newPhone = `+38067${language === 'uk' ? '7' : '8'}112233`
      await screens.field('Прізвище, ім’я, по батькові').fill('Шевченко Оксана Іванівна')
      await phone.fill(newPhone)
      await screens.field('Ідентифікатор у реєстрі').fill('NOTAR777')
      await page.getByRole('checkbox').check()
      await cabinet.sandbox.codeAfter(newPhone, () => screens.button('Зареєструватися').click())
      await expect(screens.heading('Підтвердьте телефон')).toBeVisible()
      await album.take(page, 'sign-up-code')

      await page.goto('/no-such-page')
      await expect(screens.heading('Такої сторінки немає')).toBeVisible()
      await album.take(page, 'not-found-guest')
      await page.goto(`/offer?language=${language}`)
      await album.take(page, 'offer')
    })

    test('the form', async ({ page, context, cabinet }) => {
      const screens = at(page)
      const notary = await Notary.signUp(context, cabinet)
      await screens.openForm()
      await album.take(page, 'form-empty', WHOLE_AND_NARROW)
      for (const kind of ['admin_payment', 'registry_payment', 'requisites_payment'] as const) {
        await screens.fillPayment(kind, CLIENT)
        await screens.totalOfForm()
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
        await album.take(page, `form-filled-${kind.replaceAll('_', '-')}`, WHOLE_AND_NARROW)
      }
      await screens.field('Рахунок IBAN отримувача').fill('UA328999980999022090100300001')
      await screens.field('Призначення платежу').fill('Державне мито')
      await screens.field('Код клієнта').fill('3184710692')
      await screens.field('Код клієнта').blur()
      await album.take(page, 'form-budget-account')
      await screens.field('Код клієнта').fill('1111111111')
      await album.take(page, 'form-same-digits')
      await screens.field('Код клієнта').fill(CLIENT.inn)

      await screens.button('Очистити форму').click()
      await expect(page.getByText(screens.say('Форму очищено'))).toBeVisible()
      await album.take(page, 'form-cleared', WINDOW)
      await page.getByRole('checkbox').check()
      await album.take(page, 'form-legal-entity')
      await page.getByRole('checkbox').uncheck()
      await screens.kind('Платіж за реквізитами').check()
      await screens.button('Додати до кошика').click()
      await expect(page.getByRole('alert').first()).toBeFocused()
      await album.take(page, 'form-errors', WHOLE_AND_NARROW)

      await screens.fillPayment('requisites_payment', CLIENT)
      await screens.addToCart()
      await album.take(page, 'form-added', WHOLE_AND_NARROW)

      await screens.fillPayment('registry_payment', CLIENT)
      await context.setOffline(true)
      await expect(page.getByText(screens.say('Немає зв’язку з інтернетом'), { exact: true })).toBeVisible()
      await album.take(page, 'form-offline')
      await context.setOffline(false)

      await page.goto('/')
      await screens.fillPayment('requisites_payment', CLIENT)
      await cabinet.kill()
      await screens.button('Додати до кошика').click()
      await expect(page.getByText(screens.say('Сервер не підтвердив додавання'))).toBeVisible({
        timeout: 60_000,
      })
      await album.take(page, 'form-not-added')
      await screens.kind('Адміністративний збір (державний нотаріус)').check()
      await expect(page.getByText(screens.say('Список не вдалося завантажити')).first()).toBeVisible({
        timeout: 60_000,
      })
      await album.take(page, 'form-list-failed')
      await cabinet.start()

      await page.goto('/')
      await screens.button('Очистити форму').click()
      await screens.fillPayment('requisites_payment', CLIENT)
      await loadReference(cabinet, notary, { 'tariffs.csv': changed('2025-11-11', '1.5', '2.5') })
      await screens.button('Додати до кошика').click()
      await expect(page.getByText(screens.say('Сума змінилася')).first()).toBeVisible()
      await album.take(page, 'form-price-changed')

      await page.goto('/cart')
      await expect(screens.button('Видалити з кошика')).toBeVisible()
      await album.take(page, 'cart-price-changed', WHOLE_AND_NARROW)
      await page.goto('/archive')
      await expect(page.getByText(screens.say('Замовлень ще немає'))).toBeVisible()
      await album.take(page, 'archive-empty')
      await loadReference(cabinet, notary)
    })

    test('the cart and paying', async ({ page, context, cabinet }) => {
      const screens = at(page)
      const notary = await Notary.signUp(context, cabinet)
      await screens.openCart()
      await album.take(page, 'cart-empty')
      await notary.addToCart('admin_payment', CLIENT)
      await notary.addToCart('requisites_payment', CLIENT)
      await notary.addToCart('registry_payment', COMPANY)
      await notary.addToCart('admin_payment', LONG_NAME)
      await screens.openCart()
      const more = screens.button('Більше').first()
      for (let time = 0; time < 11; time += 1) await more.click()
      await expect
        .poll(async () =>
          (await notary.cart()).groups.some(({ items }) => items.some(({ count }) => count === 12)),
        )
        .toBe(true)
      await page.mouse.move(0, 0)
      await album.take(page, 'cart-full', WHOLE_AND_NARROW)

      await page
        .getByRole('button', { name: screens.say('Видалити: {name}', { name: '' }) })
        .last()
        .click()
      await expect(screens.button('Повернути')).toBeFocused()
      await album.take(page, 'cart-deleted', { ...WHOLE_AND_NARROW })
      await screens.button('Повернути').click()
      await expect(screens.button('Повернути')).toHaveCount(0)

      await page
        .getByRole('button', { name: screens.say('Повідомити про помилку: {name}', { name: '' }) })
        .first()
        .click()
      await album.take(page, 'cart-complaint', WINDOW)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: screens.say('Надіслати') })
        .click()
      await album.take(page, 'cart-complaint-empty', WINDOW)
      await page.getByRole('dialog').getByRole('textbox').fill('Назва отримувача з помилкою')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: screens.say('Надіслати') })
        .click()
      await expect(page.getByText(screens.say('Повідомлення надіслано до служби підтримки'))).toBeVisible()
      await album.take(page, 'cart-complaint-sent', WINDOW)
      const inbox = await context.newPage()
      await inbox.goto(`${cabinet.sandbox.url}/inbox?lang=${language}`)
      await expect(inbox.getByText('Назва отримувача з помилкою').first()).toBeVisible()
      await album.take(inbox, 'sandbox-inbox-letter')
      await inbox.close()

      await context.setOffline(true)
      await more.click()
      await expect(page.getByText(screens.say('Зміну не збережено'))).toBeVisible()
      await album.take(page, 'cart-offline')
      await context.setOffline(false)

      await page.reload()
      await screens.payButton(CLIENT).click()
      await expect(screens.methods).toBeVisible()
      await album.take(page, 'popup-without-cards', { whole: false, sizes: ['desktop', 'phone', 'narrow'] })
      await screens.methods.getByRole('radio', { name: new RegExp(screens.say('Інша картка')) }).check()
      await screens.methods.getByRole('checkbox').check()
      await cabinet.sandbox.slowInvoices(3000)
      await screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
      await album.take(page, 'popup-paying', WINDOW)
      await page.waitForURL(`${cabinet.sandbox.url}/**`)
      await cabinet.sandbox.endFaults()
      await page.goto(`${page.url().split('?')[0]}?lang=${language}`)
      await album.take(page, 'sandbox-pay')
      await page.getByRole('textbox', { name: 'CVV' }).fill('1')
      await page.getByRole('textbox', { name: /Номер картки|Card number/ }).fill('4242424242424243')
      await page.getByRole('button', { name: /^(Сплатити|Pay) / }).click()
      await album.take(page, 'sandbox-pay-errors')
      await new BankPage(page).pay(CARDS.pays)
      await notary.saveCard(CARDS.pays)
      await screens.expectResult('Оплата успішна!')

      await screens.openCart()
      await screens.payButton(COMPANY).click()
      await expect(screens.methods.getByRole('radio')).toHaveCount(2)
      await album.take(page, 'popup-with-cards', { whole: false, sizes: ['desktop', 'phone', 'narrow'] })
      await screens.methods.getByRole('radio').first().check()
      await screens.methods.getByRole('checkbox').check()
      await album.take(page, 'popup-ready', WINDOW)
      await cabinet.sandbox.setFaults([{ service: 'acquirer', kind: 'status_500', calls: 10 }])
      await screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
      await expect(screens.methods.or(page.getByRole('dialog')).getByText(/…|\./).first()).toBeVisible()
      await album.take(page, 'popup-after-paying', WINDOW)
      await cabinet.sandbox.endFaults()

      await screens.openCart()
      await screens.payButton(LONG_NAME).click()
      await screens.methods.getByRole('radio').first().check()
      await screens.methods.getByRole('checkbox').check()
      await screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
      await expect(page.getByText(screens.say('Платіж прийнято, повертаємося до кошика…'))).toBeVisible()
      await album.take(page, 'popup-leaving', WINDOW)

      await page.goto('/me/user-cards')
      const frame = page.locator('iframe').contentFrame()
      await expect(frame.locator('main')).toContainText('4242')
      await album.take(page, 'cards-with-a-card')
      await frame.getByRole('button', { name: /^(Додати картку|Add a card)$/ }).click()
      const number = frame.getByRole('textbox', { name: /Номер картки|Card number/ })
      await expect(number).toBeVisible()
      await album.take(page, 'cards-adding', WHOLE_AND_NARROW)
      const check = await number.evaluate((field) => field.ownerDocument.location.href)
      await page.goto(`${check.split('?')[0]}?lang=${language}`)
      await album.take(page, 'sandbox-card-check')
    })

    test('the pages of an order', async ({ page, context, cabinet }) => {
      const screens = at(page)
      const notary = await Notary.signUp(context, cabinet)
      await notary.addToCart('admin_payment')
      await notary.addToCart('requisites_payment')
      const order = await notary.orderCart()
      await page.goto(`/order/${order.id}/payment-status`)
      await expect(screens.heading('Перевіряємо оплату')).toBeVisible()
      await album.take(page, 'order-payment-status')
      await page.goto(`/order/${order.id}/pending`)
      await expect(screens.heading('Оплата обробляється')).toBeVisible()
      await album.take(page, 'order-pending', WHOLE_AND_NARROW)
      await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.declined)
      await page.goto(`/order/${order.id}/error`)
      await expect(screens.heading('Помилка оплати')).toBeVisible()
      await album.take(page, 'order-error', WHOLE_AND_NARROW)
      const paid = await notary.paidOrder('admin_payment', CARDS.pays, LONG_NAME)
      await page.goto(`/order/${paid.id}/success`)
      await expect(screens.heading('Оплата успішна!')).toBeVisible()
      await album.take(page, 'order-success', WHOLE_AND_NARROW)
      await page.emulateMedia({ media: 'print' })
      await album.take(page, 'order-success-printed', { sizes: ['desktop'] })
      await page.emulateMedia({ media: 'screen' })

      await notary.addToCart('registry_payment', COMPANY)
      const returned = await notary.orderCart()
      await cabinet.sandbox.pay(invoiceOf(returned.widget_url), CARDS.pays)
      await expect.poll(async () => (await notary.order(returned.id, { ask: true })).status).toBe('paid')
      const receipt = textOfPdf(await notary.getBytes(`/order/${returned.id}/receipt?receipt_type=payment`))
      const code =
        /\d+-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(receipt.replaceAll('\u2011', '-'))?.[0] ?? ''
      const checkReceipt = (asked: string) => page.goto(`/check?language=${language}&code=${asked}`)
      await checkReceipt('')
      await album.take(page, 'receipt-check')
      await checkReceipt(code)
      await expect(page.getByRole('status')).toContainText(returned.number)
      await album.take(page, 'receipt-check-genuine', WHOLE_AND_NARROW)
      await checkReceipt('100046-7KQ2-M4XD-01AB')
      await expect(page.getByRole('status')).toBeVisible()
      await album.take(page, 'receipt-check-unknown', WHOLE_AND_NARROW)
      await cabinet.sandbox.refund(invoiceOf(returned.widget_url))
      await expect.poll(async () => (await notary.order(returned.id, { ask: true })).status).toBe('refunded')
      await checkReceipt(code)
      await expect(page.getByRole('status')).toContainText(returned.number)
      await album.take(page, 'receipt-check-refunded')
      await page.goto(`/order/${returned.id}/error`)
      await expect(screens.heading('Кошти повернено')).toBeVisible()
      await album.take(page, 'order-refunded', WHOLE_AND_NARROW)

      await notary.addToCart('requisites_payment')
      const waiting = await notary.orderCart()
      // The bank reports neither the outcome of an order nor its status.
      await notary.addToCart('registry_payment')
      await cabinet.sandbox.setFaults([{ service: 'acquirer', kind: 'status_500', calls: 50 }])
      const client = (await notary.cart()).groups[0]?.client.id ?? ''
      await notary.send('POST', '/order/create', {
        body: { client_id: client, locale: 'uk' },
        headers: { 'idempotency-key': randomUUID() },
      })
      const orders = await notary.orders()
      await page.goto(`/order/${orders[0]?.id}/pending`)
      await expect(page.getByText(screens.say('Обробляється'), { exact: true })).toBeVisible()
      await album.take(page, 'order-unknown')
      await page.goto(`/order/${waiting.id}/pending`)
      await screens.button('Перевірити зараз').click()
      await expect(page.getByRole('alert')).toBeVisible()
      await album.take(page, 'order-pending-bank-silent', WHOLE_AND_NARROW)
      await cabinet.sandbox.endFaults()

      await page.goto('/order/00000000-0000-4000-8000-000000000000')
      await expect(screens.heading('Такої сторінки немає')).toBeVisible()
      await album.take(page, 'order-not-found')
      await page.goto(`/order/${paid.id}/success`)

      await screens.link('До архіву').click()
      await expect(screens.heading('Архів')).toBeVisible()
      await cabinet.kill()
      // After a minute the cached data is requested again.
      await page.clock.setFixedTime(Date.now() + 60_000)
      await page.goBack()
      await expect(screens.heading('Сторінку не вдалося відкрити')).toBeVisible({ timeout: 20_000 })
      await album.take(page, 'fault')
      await cabinet.start()
    })

    test('the archive', async ({ page, context, cabinet }) => {
      const screens = at(page)
      const notary = await Notary.logIn(context, cabinet, PEOPLE.byCode)
      await notary.addToCart('admin_payment', CLIENT)
      await notary.addToCart('requisites_payment', CLIENT)
      const failed = await notary.orderCart()
      await cabinet.sandbox.pay(invoiceOf(failed.widget_url), CARDS.declined)
      await expect.poll(async () => (await notary.order(failed.id, { ask: true })).status).toBe('failed')
      await notary.addToCart('registry_payment', LONG_NAME)
      await notary.orderCart()
      const orders = await notary.orders()
      await page.goto(`/order/${orders.find(({ status }) => status === 'expired')?.id}/error`)
      await expect(page.getByText(screens.say('Строк оплати минув, кошти не списано'))).toBeVisible()
      await album.take(page, 'order-expired', WHOLE_AND_NARROW)
      await page.goto('/archive')
      await expect(screens.orders.getByText(screens.say('Сплачено')).first()).toBeVisible()
      await album.take(page, 'archive', WHOLE_AND_NARROW)
      const paid = orders.find(({ status }) => status === 'paid')
      await screens.openOrder(paid?.number)
      await screens.openOrder(failed.number)
      await album.take(page, 'archive-opened', WHOLE_AND_NARROW)
      await page
        .locator('section')
        .getByRole('button', { name: new RegExp(screens.say('Квитанція: {name}', { name: '' })) })
        .first()
        .click()
      await album.take(page, 'archive-receipt-menu', { whole: false, around: page.getByRole('menu') })
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', {
          name: new RegExp(screens.say('Завантажити квитанції замовлення № {number}', { number: '' })),
        })
        .first()
        .click()
      await album.take(page, 'archive-receipts-menu', { whole: false, around: page.getByRole('menu') })
      await page.keyboard.press('Escape')
      await page.getByRole('searchbox').fill('нікого такого')
      await expect(page.getByText(screens.say('За цими фільтрами нічого не знайдено'))).toBeVisible()
      await album.take(page, 'archive-nothing-found')
      await screens.button('Скинути фільтри').first().click()
      await expect(screens.orders.getByText(screens.say('Сплачено')).first()).toBeVisible()

      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: screens.say('Меню') }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await album.take(page, 'menu', { whole: false, sizes: ['phone', 'narrow'] })
      await page.keyboard.press('Escape')

      const exported = page.waitForEvent('download')
      await screens.button('Експортувати в таблицю').click()
      await exported
      await expect(page.getByText(/\.xlsx/)).toBeVisible()
      await album.take(page, 'archive-exported', WINDOW)
      await page.emulateMedia({ media: 'print' })
      await album.take(page, 'archive-printed', { sizes: ['desktop'] })
      await page.emulateMedia({ media: 'screen' })
      await cabinet.kill()
      await screens.button('Експортувати в таблицю').click()
      await page
        .getByRole('button', {
          name: new RegExp(screens.say('Оновити статус замовлення № {number}', { number: '' })),
        })
        .first()
        .click()
      await expect(page.getByText(screens.say('Таблицю не завантажено'))).toBeVisible({ timeout: 60_000 })
      await expect(page.locator('section').getByRole('alert').first()).toBeVisible({ timeout: 60_000 })
      await album.take(page, 'archive-failures', { ...WINDOW, sizes: ['desktop', 'phone', 'narrow'] })
      await cabinet.start()

      await page.goto('/no-such-page')
      await expect(screens.heading('Такої сторінки немає')).toBeVisible()
      await album.take(page, 'not-found')
    })

    test('a slow line', async ({ page, context, cabinet }) => {
      const screens = at(page)
      const notary = await Notary.signUp(context, cabinet)
      await notary.paidOrder('admin_payment', CARDS.pays)
      await notary.addToCart('requisites_payment')
      const line = await context.newCDPSession(page)
      await line.send('Network.enable')
      const SLOW = { offline: false, latency: 8000, downloadThroughput: -1, uploadThroughput: -1 }
      const QUICK = { ...SLOW, latency: 0 }
      const follow = (name: string): Promise<void> =>
        page
          .getByRole('navigation')
          .getByRole('link', { name: screens.say(name) })
          .first()
          .click()
      for (const [name, from, lead, what] of [
        ['archive-loading', '/cart', () => follow('Архів'), 'main [role=status][aria-label]'],
        ['cards-loading', '/me', () => screens.link('Мої картки').click(), 'main [aria-busy=true]'],
        ['form-coming', '/', () => page.reload({ waitUntil: 'commit' }), '[aria-busy=true] h1'],
      ] as const) {
        await page.goto(from)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        // What the page loads when it is idle is here, so only what follows is slow or missing.
        await page.waitForLoadState('networkidle')
        await line.send('Network.emulateNetworkConditions', SLOW)
        await lead()
        // The document contains the first words of several pages; all but one are hidden.
        await expect(page.locator(what).filter({ visible: true }).first()).toBeVisible({ timeout: 60_000 })
        await album.take(page, name)
        await line.send('Network.emulateNetworkConditions', QUICK)
      }
      await page.goto('/')
      await screens.kind('Адміністративний збір').check()
      await screens.chooseFirst('Послуга')
      // What the page loads when it is idle is here, so only what follows is slow or missing.
      await page.waitForLoadState('networkidle')
      await line.send('Network.emulateNetworkConditions', SLOW)
      await screens.kind('Плата за користування реєстрами').check()
      await expect(screens.list('Послуга реєстру')).toBeDisabled()
      await album.take(page, 'form-lists-loading')
      await line.send('Network.emulateNetworkConditions', QUICK)
      await line.detach()

      await page.goto('/me')
      await expect(screens.heading('Картка нотаріуса')).toBeVisible()
      // What the page loads when it is idle is here, so only what follows is slow or missing.
      await page.waitForLoadState('networkidle')
      await cabinet.kill()
      await screens.link('Мої картки').click()
      await expect(page.getByText(screens.say('Сторінку карток не вдалося завантажити'))).toBeVisible({
        timeout: 60_000,
      })
      await album.take(page, 'cards-failed')
      await cabinet.start()
    })

    test('the notarial file, the codes, the returns and the reports', async ({ page, context, cabinet }) => {
      const screens = at(page)
      const { say } = screens
      const bank = new Bank(cabinet)
      const notary = await Notary.logIn(context, cabinet, PEOPLE.byCode)
      const fold = (text: string) =>
        page
          .locator('summary')
          .filter({ hasText: say(text) })
          .first()

      await notary.addToCart('admin_payment', LONG_NAME)
      await page.goto('/cart')
      await fold('Нотаріальна дія').click()
      await page.getByLabel(say('Реєстровий номер')).first().fill('1234')
      await page.getByLabel(say('Об’єкт')).first().fill('Квартира 12, вул. Антоновича, 5, м. Київ')
      await expect(page.getByText(say('Збережено'), { exact: true })).toBeVisible()
      await album.take(page, 'cart-notarial-act', WHOLE_AND_NARROW)
      const unpaid = await notary.orderCart()
      await cabinet.sandbox.pay(invoiceOf(unpaid.widget_url), CARDS.declined)
      await page.goto(`/order/${unpaid.id}/error`)
      await expect(screens.heading('Помилка оплати')).toBeVisible()
      await fold('Сплатити за QR-кодами').click()
      await screens.button('Закрити оплату карткою і показати коди').click()
      await expect(page.getByRole('list', { name: say('QR-коди переказів') })).toBeVisible()
      await album.take(page, 'order-codes', WHOLE_AND_NARROW)
      const sheet = page.waitForEvent('download')
      await screens.button('Коди для клієнта (PDF)').click()
      album.keep(readFileSync(await (await sheet).path()), 'codes')

      const paid = await notary.paidOrder('admin_payment', CARDS.pays, LONG_NAME)
      const { transfers } = await notary.get<{ transfers: { document_number: number }[] }>(
        `/order/${paid.id}/transfers`,
      )
      for (const [index, { document_number: number }] of transfers.entries())
        if (index === 0) await bank.sendBack(number, 'Рахунок закрито')
      await bank.payOut()
      await page.goto('/archive')
      await expect(
        page.getByText(say('Банк отримувача повернув кошти сервісу: отримувачу не зараховано')).first(),
      ).toBeVisible()
      await album.take(page, 'archive-returned', { ...WINDOW, sizes: ['desktop', 'phone', 'narrow'] })
      await page.goto(`/order/${paid.id}/transfers`)
      await expect(screens.heading('Перекази замовлення')).toBeVisible()
      await expect(screens.button('Виправити й надіслати повторно')).toBeVisible()
      await album.take(page, 'order-transfers', WHOLE_AND_NARROW)
      await screens.button('Виправити й надіслати повторно').click()
      await album.take(page, 'order-transfers-correction', WHOLE_AND_NARROW)
      for (const kind of ['payment', 'commission'])
        album.keep(
          await notary.getBytes(`/order/${paid.id}/receipt?receipt_type=${kind}&locale=${language}`),
          `receipt-${kind}-returned`,
        )
      album.keep(await notary.getBytes(`/order/${paid.id}/extract`), 'extract')

      await screens.button('Заява про повернення коштів з бюджету').click()
      await album.take(page, 'order-transfers-application', WHOLE_AND_NARROW)
      await screens.field('Причина повернення').fill('Збір сплачено двічі')
      await screens
        .field('Рахунок IBAN клієнта, на який повернути кошти')
        .fill('UA363220010000026000000012345')
      const application = page.waitForEvent('download')
      await screens.button('Завантажити заяву').click()
      album.keep(readFileSync(await (await application).path()), 'application')

      await page.goto('/reports')
      await expect(page.getByRole('heading', { name: say('За видами платежів') })).toBeVisible()
      await album.take(page, 'reports', WHOLE_AND_NARROW)
      await page.goto('/reports?by=crediting&from=2020-01-01&to=2020-01-31')
      await expect(screens.heading('Звіти')).toBeVisible()
      await album.take(page, 'reports-empty', WHOLE_AND_NARROW)
    })

    test('the profile', async ({ page, context, cabinet }) => {
      const screens = at(page)
      const notary = await Notary.signUp(context, cabinet)
      await page.goto('/me')
      await expect(screens.heading('Картка нотаріуса')).toBeVisible()
      await album.take(page, 'profile')
      await screens.field('Прізвище, ім’я, по батькові').fill('')
      await screens.field('Ваш рахунок IBAN').fill('UA363220010000026000000012346')
      await screens.button('Зберегти').click()
      await expect(page.getByRole('alert').first()).toBeFocused()
      await album.take(page, 'profile-errors')
      await page.setViewportSize({ width: 1280, height: 900 })
      await page
        .getByRole('navigation')
        .getByRole('link', { name: screens.say('Архів') })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await album.take(page, 'profile-leave', WINDOW)
      await page.keyboard.press('Escape')
      await screens.field('Прізвище, ім’я, по батькові').fill('Шевченко Оксана Іванівна')
      await screens.field('Ваш рахунок IBAN').fill('UA363220010000026000000012345')
      await screens.doWithCode(cabinet, notary.phone, () => screens.button('Зберегти').click())
      await expect(page.getByText(screens.say('Зміни збережено!'))).toBeVisible()
      await album.take(page, 'profile-saved', WINDOW)

      await page.goto('/me/user-cards')
      await expect(page.locator('iframe').contentFrame().locator('main')).toBeVisible()
      await expect(page.getByRole('main').getByRole('progressbar')).toHaveCount(0)
      await album.take(page, 'cards-empty')

      await page.goto('/me/security')
      await expect(page.getByText(screens.say('Змінено картку нотаріуса')).first()).toBeVisible()
      await album.take(page, 'security', WHOLE_AND_NARROW)

      cabinet.command('notary', 'set', notary.phone, '--end-sessions', '--reason', 'a browser test')
      await page
        .getByRole('navigation')
        .getByRole('link', { name: screens.say('Архів') })
        .first()
        .click()
      await expect(page.getByText(screens.say('Сеанс завершився')).first()).toBeVisible()
      await album.take(page, 'login-after-session')
    })

    test('the end of a session comes near', async ({ browser }) => {
      const cabinet = await startCabinet(`tour-session-${language}`, {
        CABINET_SESSIONS_ABSOLUTE_MINUTES: '3',
      })
      const context = await browser.newContext({ baseURL: cabinet.url, reducedMotion: 'reduce' })
      await Notary.signUp(context, cabinet)
      const page = await context.newPage()
      await speak(page, language)
      await page.goto('/')
      await expect(at(page).button('Продовжити сеанс')).toBeVisible()
      await album.take(page, 'form-session-warning')
      await at(page).button('Продовжити сеанс').click()
      await expect(at(page).button('Продовжити сеанс')).toHaveCount(0)
      await album.take(page, 'form-session-ends')
      await context.close()
      await cabinet.stop()
    })

    test('the sandbox', async ({ page, context, cabinet }) => {
      const notary = await Notary.signUp(context, cabinet)
      await notary.addToCart('registry_payment')
      const order = await notary.orderCart()
      await page.goto(`${order.widget_url}?lang=${language}`)
      await new BankPage(page).pay(CARDS.asksThreeDSecure)
      await expect(page.getByRole('button', { name: /^(Підтвердити|Confirm)$/ })).toBeVisible()
      await album.take(page, 'sandbox-3ds')
      for (const [name, path] of [
        ['sandbox-overview', '/'],
        ['sandbox-inbox', '/inbox'],
        ['sandbox-phone', '/phone'],
        ['sandbox-payments', '/payments'],
        ['sandbox-not-found', '/no-such-page'],
      ] as const) {
        await page.goto(`${cabinet.sandbox.url}${path}?lang=${language}`)
        await album.take(page, name)
      }
    })
  })
}
