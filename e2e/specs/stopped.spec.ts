import type { Page } from '@playwright/test'
import type { Cabinet } from '../support/cabinet.ts'
import { ageCodes } from '../support/database.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { listening } from '../support/realtime.ts'
import { expectSaid } from '../support/said.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, type Language } from '../support/words.ts'

/**
 * The server is killed in the middle of an action on each screen and started again. Each screen shows the failure and what to do,
 * and keeps what was typed. The same click then completes the action, once.
 */
const test = testWithCabinet('stopped')
// Each language has a worker and a cabinet of its own: together they would be the last to end.
test.describe.configure({ mode: 'parallel' })

const NO_SERVER = 'Немає зв’язку із сервером. Перевірте зв’язок з інтернетом і спробуйте ще раз'

async function whileStopped(cabinet: Cabinet, act: () => Promise<void>): Promise<void> {
  await cabinet.kill()
  try {
    await act()
  } finally {
    await cabinet.start()
  }
}

async function expectNoServer(screens: Screens): Promise<void> {
  await expect(screens.page.getByText(screens.say(NO_SERVER)).first()).toBeVisible()
}

async function signedIn(
  page: Page,
  cabinet: Cabinet,
  language: Language,
): Promise<{ notary: Notary; screens: Screens }> {
  await speak(page, language)
  const notary = await Notary.signUp(page.context(), cabinet)
  return { notary, screens: new Screens(page, language) }
}

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.describe.configure({ mode: 'default' })
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('login and code', async ({ page, browser, cabinet }) => {
      const others = await browser.newContext()
      const { phone } = await Notary.signUp(others, cabinet)
      await others.close()
      await speak(page, language)
      const screens = new Screens(page, language)
      await page.goto('/login')
      await screens.field('Номер телефону').fill(phone)
      await whileStopped(cabinet, async () => {
        await screens.button('Увійти').click()
        await expectNoServer(screens)
        await expect(screens.field('Номер телефону')).toHaveValue(/\d{2}-\d{2}$/)
      })
      const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Увійти').click())
      const field = screens.field('Код із SMS')
      await expect(field).toBeFocused()
      await whileStopped(cabinet, async () => {
        await field.fill(code)
        await expectNoServer(screens)
        await expect(field).toHaveValue(code)
      })
      // The code sent before the crash is still valid, and no second message is needed.
      await screens.button('Увійти').click()
      await expect(screens.heading('Новий платіж')).toBeVisible()
    })

    test('a call that is on while the server is away', async ({ page, browser, cabinet }) => {
      const others = await browser.newContext()
      const { phone } = await Notary.signUp(others, cabinet)
      await others.close()
      cabinet.command('notary', 'set', phone, '--login-step', 'phone_call', '--reason', 'a browser test')
      await speak(page, language)
      const screens = new Screens(page, language)
      await page.goto('/login')
      await screens.field('Номер телефону').fill(phone)
      await screens.button('Увійти').click()
      await expect(screens.heading('Зараз вам зателефонують')).toBeVisible()
      await cabinet.sandbox.ringing(phone)
      const waiting = page.getByText(screens.say('Чекаємо на ваше підтвердження…'))
      const away = page.getByText(
        screens.say('Немає зв’язку із сервером. Щойно він відновиться, вхід продовжиться.'),
      )
      await expect(waiting).toBeVisible()
      await whileStopped(cabinet, () => expect(away).toBeVisible())
      await expect(waiting).toBeVisible()
      // The voice service has lost the call; going back requests another one for the same number.
      ageCodes(cabinet, phone, 1)
      await screens.link('Повернутися до входу').click()
      const heard = listening(page)
      await screens.button('Увійти').click()
      const call = await cabinet.sandbox.ringing(phone)
      await heard
      await cabinet.sandbox.answerCall(call.sid, await screens.keysOfCall())
      await expect(screens.heading('Новий платіж')).toBeVisible()
    })

    test('sign-up and its code', async ({ page, cabinet }) => {
      await speak(page, language)
      const screens = new Screens(page, language)
      const phone = language === 'uk' ? '+380671230021' : '+380671230022'
      await page.goto('/sign-up')
      await screens.field('Прізвище, ім’я, по батькові').fill('Бондар Ірина Олегівна')
      await screens.field('Номер телефону').fill(phone)
      await screens.field('Ідентифікатор у реєстрі').fill('NOTAR555')
      await page.getByRole('checkbox').check()
      await whileStopped(cabinet, async () => {
        await screens.button('Зареєструватися').click()
        await expectNoServer(screens)
      })
      await expect(screens.field('Прізвище, ім’я, по батькові')).toHaveValue('Бондар Ірина Олегівна')
      await expect(page.getByRole('checkbox')).toBeChecked()
      const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Зареєструватися').click())
      const field = screens.field('Код із SMS')
      await expect(field).toBeFocused()
      await whileStopped(cabinet, async () => {
        await field.fill(code)
        await expectNoServer(screens)
        await expect(field).toHaveValue(code)
      })
      await screens.button('Завершити реєстрацію').click()
      await expect(screens.heading('Новий платіж')).toBeVisible()
      await expect(page.getByText('Бондар Ірина Олегівна').first()).toBeVisible()
    })

    test('the form of a payment and its lists', async ({ page, cabinet }) => {
      const { notary, screens } = await signedIn(page, cabinet, language)
      await screens.openForm()
      await whileStopped(cabinet, async () => {
        await screens.kind('Плата за користування реєстрами').check()
        await expect(page.getByText(screens.say('Список не вдалося завантажити')).first()).toBeVisible()
        await expectNoServer(screens)
      })
      await page
        .getByRole('button', { name: screens.say('Спробувати ще раз') })
        .first()
        .click()
      await screens.fillPayment('admin_payment', CLIENT)
      await whileStopped(cabinet, async () => {
        await screens.pressAdd()
        await expect(page.getByText(screens.say('Сервер не підтвердив додавання'))).toBeVisible()
        await expectNoServer(screens)
        await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
      })
      await screens.addToCart()
      expect((await notary.cart()).items_count).toBe(1)
    })

    test('the cart: count, delete, complaint', async ({ page, cabinet }) => {
      const { notary, screens } = await signedIn(page, cabinet, language)
      await notary.addToCart('requisites_payment')
      await screens.openCart()
      await whileStopped(cabinet, async () => {
        await screens.button('Більше').click()
        await expect(page.getByText(screens.say('Зміну не збережено'))).toBeVisible()
        await expectNoServer(screens)
        await expect(page.getByRole('status').filter({ hasText: /^1$/ })).toBeVisible()
        await page.getByRole('button', { name: begins(screens, 'Видалити: {name}') }).click()
        await expect(page.getByText(screens.say('Зміну не збережено'))).toBeVisible()
        await expect(screens.payButton(CLIENT)).toBeVisible()
        await page.getByRole('button', { name: begins(screens, 'Повідомити про помилку: {name}') }).click()
        await page.getByRole('dialog').getByRole('textbox').fill('Назва отримувача з помилкою')
        await page
          .getByRole('dialog')
          .getByRole('button', { name: screens.say('Надіслати') })
          .click()
        await expect(page.getByRole('dialog').getByText(screens.say('Невідомо, чи надіслано'))).toBeVisible()
      })
      await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue('Назва отримувача з помилкою')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: screens.say('Надіслати') })
        .click()
      await expect(page.getByText(screens.say('Повідомлення надіслано до служби підтримки'))).toBeVisible()
      await screens.button('Більше').click()
      await expect.poll(async () => (await notary.cart()).groups[0]?.items[0]?.count).toBe(2)
      await page.getByRole('button', { name: begins(screens, 'Видалити: {name}') }).click()
      await expect.poll(async () => (await notary.cart()).items_count).toBe(0)
    })

    test('paying: the popup asks again by itself, then says what is known, and one order is made', async ({
      page,
      cabinet,
    }) => {
      const { notary, screens } = await signedIn(page, cabinet, language)
      await notary.addToCart('registry_payment')
      await screens.openCart()
      await screens.payButton(CLIENT).click()
      await screens.methods.getByRole('radio', { name: new RegExp(screens.say('Інша картка')) }).check()
      await screens.methods.getByRole('checkbox').check()
      const pay = screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ })
      await whileStopped(cabinet, async () => {
        await pay.click()
        await expectSaid(
          page,
          screens.say('Зв’язок перервався. Перевіряємо, чи створено замовлення. Не сплачуйте вдруге.'),
        )
        await expect(screens.methods.getByText(screens.say('Сервер не відповів'))).toBeVisible()
      })
      await expect(screens.methods.getByRole('checkbox')).toBeChecked()
      await pay.click()
      await page.waitForURL(`${cabinet.sandbox.url}/**`)
      expect((await notary.orders()).map(({ status }) => status)).toEqual(['pending'])
      expect((await notary.cart()).items_count).toBe(0)
    })

    test('payment-status and pending: nothing invites to pay again, and the truth comes', async ({
      page,
      cabinet,
    }) => {
      const { notary, screens } = await signedIn(page, cabinet, language)
      await notary.addToCart('registry_payment')
      const order = await notary.orderCart()
      // The page asks once more after five seconds of its clock, which stands until the server is gone.
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 1_000)
      await page.goto(`/order/${order.id}/payment-status`)
      await expect(screens.heading('Перевіряємо оплату…')).toBeVisible()
      await whileStopped(cabinet, async () => {
        await page.clock.resume()
        // It gets no answer, and leads to the archive.
        await expect(
          page.getByText(screens.say('Дізнатися статус замовлення не вдалося. Перевірте його тут, в архіві')),
        ).toBeVisible()
        await expect(
          screens
            .heading('Сторінку не вдалося відкрити')
            .or(page.getByText(screens.say('Архів не вдалося завантажити'))),
        ).toBeVisible()
        await expectNoServer(screens)
      })
      await screens.tryAgain(page.getByText(order.number).first())

      await page.goto(`/order/${order.id}/pending`)
      await expect(screens.heading('Оплата обробляється')).toBeVisible()
      await whileStopped(cabinet, async () => {
        await screens.button('Перевірити зараз').click()
        await expectNoServer(screens)
        await expect(screens.heading('Оплата обробляється')).toBeVisible()
      })
      const before = (await cabinet.sandbox.ledger()).length
      await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
      await expect(screens.heading('Оплата успішна!')).toBeVisible()
      expect((await cabinet.sandbox.ledger()).slice(before).map(({ kind }) => kind)).toEqual(['charge'])
      expect((await notary.orders()).map(({ status }) => status)).toEqual(['paid'])
    })

    test('success, error and archive: receipts, a fresh link, the status', async ({
      page,
      context,
      cabinet,
    }) => {
      const { notary, screens } = await signedIn(page, cabinet, language)
      const paid = await notary.paidOrder('registry_payment', CARDS.pays)
      await page.goto(`/order/${paid.id}/success`)
      await expect(screens.heading('Оплата успішна!')).toBeVisible()
      await whileStopped(cabinet, async () => {
        await screens.button('Квитанція про сплату').click()
        await expect(page.getByText(screens.say('Квитанцію не завантажено'))).toBeVisible()
        await expectNoServer(screens)
      })
      const receipt = page.waitForEvent('download')
      await screens.button('Квитанція про сплату').click()
      expect((await receipt).suggestedFilename()).toMatch(/\.pdf$/)

      await notary.addToCart('registry_payment')
      await cabinet.sandbox.failInvoices('refuse')
      const failed = await notary.orderCart()
      await cabinet.sandbox.endFaults()
      await page.goto(`/order/${failed.id}/payment-status`)
      await expect(screens.heading('Помилка оплати')).toBeVisible()
      await whileStopped(cabinet, async () => {
        await screens.button('Повернутися до оплати').click()
        await expect(page.getByText(screens.say('Посилання на оплату не отримано'))).toBeVisible()
        await expectNoServer(screens)
      })
      const opened = context.waitForEvent('page')
      await screens.button('Повернутися до оплати').click()
      await (await opened).waitForURL(`${cabinet.sandbox.url}/**`)

      await page.goto('/archive')
      await screens.openOrder(failed.number)
      const status = page.getByRole('button', {
        name: screens.say('Оновити статус замовлення № {number}', { number: failed.number }),
      })
      await expect(status).toBeVisible()
      await whileStopped(cabinet, async () => {
        await status.click()
        await expect(page.getByRole('alert').getByText(screens.say(NO_SERVER))).toBeVisible()
        await page.getByRole('searchbox').fill('коваленко')
        await expect(page.getByText(screens.say('Архів не вдалося завантажити'))).toBeVisible()
        await expect(page.getByRole('searchbox')).toHaveValue('коваленко')
      })
      await screens.tryAgain(status)
      await status.click()
      await expect(page.getByText(screens.say(NO_SERVER))).toHaveCount(0)
      expect((await notary.orders()).map(({ status: stands }) => stands)).toEqual(['pending', 'paid'])
    })

    test('the card of the notary and the saved cards', async ({ page, cabinet }) => {
      const { notary, screens } = await signedIn(page, cabinet, language)
      await page.goto('/me')
      await screens.field('Номер свідоцтва').fill('1234')
      await whileStopped(cabinet, async () => {
        await screens.button('Зберегти').click()
        await expectNoServer(screens)
        await expect(screens.field('Номер свідоцтва')).toHaveValue('1234')
      })
      await screens.button('Зберегти').click()
      await expectSaid(page, screens.say('Зміни збережено!'))
      expect(await notary.post<object>('/auth/me', {})).toMatchObject({ certificate_number: '1234' })

      await page.goto('/me/user-cards')
      await expect(page.locator('iframe').contentFrame().getByRole('heading')).toBeVisible()
      await whileStopped(cabinet, async () => {
        await screens.button('Завантажити ще раз').click()
        await expect(page.getByText(screens.say('Сторінку карток не вдалося завантажити'))).toBeVisible()
        await expectNoServer(screens)
      })
      await screens.tryAgain(page.locator('iframe').contentFrame().getByRole('heading'))
    })

    test('a page that is opened while the server is away opens when it is back', async ({
      page,
      cabinet,
    }) => {
      const { screens } = await signedIn(page, cabinet, language)
      await screens.openForm()
      await whileStopped(cabinet, async () => {
        await page
          .getByRole('link', { name: screens.say('Архів'), exact: true })
          .first()
          .click()
        await expect(
          screens
            .heading('Сторінку не вдалося відкрити')
            .or(page.getByText(screens.say('Архів не вдалося завантажити'))),
        ).toBeVisible()
        await expectNoServer(screens)
      })
      await screens.tryAgain(page.getByText(screens.say('Замовлень ще немає')))
    })
  })
}

/** Matches the name of a button that ends with a placeholder. */
function begins(screens: Screens, source: string): RegExp {
  return new RegExp(`^${screens.say(source).split('{')[0]}`)
}
