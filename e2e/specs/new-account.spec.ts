import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { ageCodes, changeData } from '../support/database.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** An account that nobody has confirmed: payments are prepared, and ordered once the operator has decided. */
const test = testWithCabinet('new-account', {
  CABINET_SIGN_UP_CONFIRMATION: 'register',
  CABINET_ACCOUNTS_YOUNG_DAYS: '30',
  CABINET_ACCOUNTS_YOUNG_DECLINES_HOURLY_MAX: '1',
})

for (const language of LANGUAGES) {
  for (const [device, viewport] of [
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 320, height: 720 }],
  ] as const) {
    test.describe(`${language}, ${device}`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport })

      test('whom the register does not name is told what happens, and orders once confirmed', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        const notary = await Notary.signUp(context, cabinet)
        await page.goto('/')
        const title = page.getByText(screens.say('Обліковий запис очікує на підтвердження'))
        await expect(title).toBeVisible()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)

        await notary.addToCart('registry_payment')
        await screens.openCart()
        await expect(title).toBeVisible()
        await screens.payInPopup(CLIENT, null)
        await expect(screens.methods.getByText(screens.message('notary_not_confirmed'))).toBeVisible()
        expect(await notary.orders()).toHaveLength(0)
        await page.keyboard.press('Escape')

        expect(cabinet.command('notary', 'list', '--waiting')).toContain(notary.phone)
        cabinet.command('notary', 'confirm', notary.phone, '--reason', 'Перевірено за реєстром')
        await page.reload()
        await expect(screens.heading('Кошик')).toBeVisible()
        await expect(title).toHaveCount(0)
        await screens.payInPopup(CLIENT, null)
        await page.waitForURL(`${cabinet.sandbox.url}/**`)
        expect(await notary.orders()).toHaveLength(1)
      })
    })
  }

  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('the limit of a day is told in words', async ({ page, context, cabinet }) => {
      await speak(page, language)
      const screens = new Screens(page, language)
      const notary = await Notary.signUp(context, cabinet)
      cabinet.command('notary', 'confirm', notary.phone, '--reason', 'Перевірено')
      await notary.addToCart('registry_payment')
      const order = await notary.orderCart()
      changeData(cabinet, 'update orders set sum = 20000000 where number = ?', Number(order.number))
      await notary.addToCart('registry_payment')
      await screens.openCart()
      await screens.payInPopup(CLIENT, null)
      await expect(screens.methods.getByText(screens.message('daily_sum_exceeded'))).toBeVisible()
      expect(await notary.orders()).toHaveLength(1)
    })

    test('the pause after declined cards is told in words', async ({ page, context, cabinet }) => {
      await speak(page, language)
      const screens = new Screens(page, language)
      const notary = await Notary.signUp(context, cabinet)
      cabinet.command('notary', 'confirm', notary.phone, '--reason', 'Перевірено')
      await notary.addToCart('registry_payment')
      const order = await notary.orderCartOnceReached()
      await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.declined)
      await expect(async () =>
        expect((await notary.order(order.id, { ask: true })).status).toBe('failed'),
      ).toPass()
      await notary.addToCart('registry_payment')
      await screens.openCart()
      await screens.payInPopup(CLIENT, null)
      await expect(screens.methods.getByText(screens.message('too_many_declines'))).toBeVisible()
      expect(await notary.orders()).toHaveLength(1)
    })

    test('a notary of the register signs up and has no such notice', async ({ page, cabinet }) => {
      await speak(page, language)
      const screens = new Screens(page, language)
      // A row of the sandbox's register confirms one account, at once where it has the telephone of the sign-up.
      const [phone, name, identifier] =
        language === 'uk'
          ? ['+380671230011', 'Дем’яненко Лук’ян Олексійович', 'NOTAR20001']
          : ['+380671230012', 'Григоренко Марія Степанівна', '2002']
      await page.goto('/sign-up')
      await screens.field('Прізвище, ім’я, по батькові').fill(name)
      await screens.field('Номер телефону').fill(phone)
      await screens.field('Ідентифікатор у реєстрі').fill(identifier)
      await page.getByRole('checkbox').check()
      const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Зареєструватися').click())
      await screens.field('Код із SMS').fill(code)
      await expect(screens.heading('Новий платіж')).toBeVisible()
      await expect(page.getByText(screens.say('Обліковий запис очікує на підтвердження'))).toHaveCount(0)
    })

    test('a code to the contact of the register confirms the account, whatever was typed', async ({
      page,
      cabinet,
    }) => {
      await speak(page, language)
      const screens = new Screens(page, language)
      // One row has a telephone, the other an address alone.
      const [phone, name, identifier, contact, shown] =
        language === 'uk'
          ? [
              '+380671230021',
              'Шевченко Богдан Романович',
              'NOTAR20006',
              '+380671230016',
              '+38 (067) ***-**-16',
            ]
          : [
              '+380671230022',
              'Кравчук Остап Ігорович',
              'NOTAR20004',
              'kravchuk@notary.example',
              'k•••@notary.example',
            ]
      await page.goto('/sign-up')
      await screens.field('Прізвище, ім’я, по батькові').fill(name)
      await screens.field('Номер телефону').fill(phone)
      await screens.field('Ідентифікатор у реєстрі').fill(identifier)
      await page.getByRole('checkbox').check()
      const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Зареєструватися').click())
      await screens.field('Код із SMS').fill(code)
      await expect(screens.heading('Новий платіж')).toBeVisible()
      const title = page.getByText(screens.say('Обліковий запис очікує на підтвердження'))
      await expect(title).toBeVisible()
      await expect(page.getByText(shown)).toBeVisible()
      await expectAccessible(page)

      const press = () => screens.button('Надіслати код').press('Enter')
      const sent = await (language === 'uk'
        ? cabinet.sandbox.codeAfter(contact, press)
        : cabinet.sandbox.codeOfLetterAfter(contact, press))
      const dialog = page.getByRole('dialog', { name: screens.say('Підтвердьте обліковий запис') })
      await expect(dialog.getByText(shown)).toBeVisible()
      await expectAccessible(page)
      const field = dialog.getByLabel(screens.say('Код із повідомлення'))
      await expect(field).toBeFocused()
      await field.fill(sent === '000000' ? '000001' : '000000')
      await expect(dialog.getByText(screens.message('wrong_otp')).first()).toBeVisible()
      await expect(title).toBeVisible()
      await field.fill(sent)
      await expect(title).toHaveCount(0)
      await expect(dialog).toHaveCount(0)
      await expect(screens.heading('Новий платіж')).toBeFocused()
    })

    test('who is refused, and then blocked, is told whom to ask', async ({ page, context, cabinet }) => {
      await speak(page, language)
      const screens = new Screens(page, language)
      const { phone } = await Notary.signUp(context, cabinet)
      cabinet.command('notary', 'refuse', phone, '--reason', 'Немає в реєстрі')
      await page.goto('/')
      await expect(page.getByText(screens.say('Обліковий запис не підтверджено'))).toBeVisible()
      await expectAccessible(page)

      // The open page is left without anybody touching it.
      cabinet.command('notary', 'block', phone, '--reason', 'Підозра на шахрайство')
      await expect(page).toHaveURL(/\/login$/)
      ageCodes(cabinet, phone, 120)
      await screens.field('Номер телефону').fill(phone)
      const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Увійти').click())
      await screens.field('Код із SMS').fill(code)
      await screens.expectMessage('account_blocked')
      await expect(page).toHaveURL(/\/login\/otp$/)
    })
  })
}
