import { Notary } from '../support/notary.ts'
import { expectSaid } from '../support/said.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak, WRONG_CHECK_DIGITS } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, messageOf } from '../support/words.ts'

/** Every message of the profile and of the frame with the saved cards. */
const test = testWithCabinet('messages-profile')

/** The frame is a page of the server and has texts of its own. */
const FRAME = {
  uk: {
    away: 'Банк зараз не відповідає. Спробуйте за кілька хвилин.',
    refused: 'Банк відхилив запит. Спробуйте іншу картку або зверніться до служби підтримки.',
    gone: 'Ця збережена картка вже недоступна.',
    closed: 'Це посилання вже використано, або строк його дії минув. Оновіть сторінку «Мої картки».',
    again: 'Спробувати ще раз',
    add: 'Додати картку',
  },
  en: {
    away: 'The bank is not responding. Try again in a few minutes.',
    refused: 'The bank refused the request. Try another card or contact Support.',
    gone: 'This saved card is no longer available.',
    closed: 'This link has already been used or has expired. Reload the page “My cards”.',
    again: 'Try again',
    add: 'Add a card',
  },
} as const

/** The button that removes the saved card. */
const REMOVE = /^(Видалити картку|Delete the card) 4242$/

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('every field of the card of the notary says what is wrong with it', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const { phone } = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await page.goto('/me')
      const wrong: readonly (readonly [string, string, string, string?])[] = [
        ['Прізвище, ім’я, по батькові', '', 'full_name_required'],
        ['Ідентифікатор у реєстрі', '', 'registry_identifier_required'],
        ['Ваш РНОКПП', '12345', 'client_inn_format_invalid'],
        ['Ваш РНОКПП', '1111111111', 'client_inn_same_digits'],
        ['Додатковий телефон', '+38050', 'phone_incorrect'],
        ['Електронна пошта', 'oksana@example', 'email_invalid'],
        ['Пільга діє до', '31.02.2030', 'date_invalid'],
        ['Номер картки', '4242424242424243', 'card_pan_invalid'],
        ['Код власника рахунку', '123456789', 'okpo_invalid'],
        ['Ваш рахунок IBAN', 'UA363220010000026000000012346', 'iban_invalid', WRONG_CHECK_DIGITS],
        // These two are checked by the server only.
        ['Прізвище, ім’я, по батькові', 'Шевченко \u202eОксана', 'text_invalid'],
        ['Адреса робочого місця', 'а'.repeat(301), 'text_too_long'],
      ]
      for (const [field, typed, key, said = messageOf(key)] of wrong) {
        const control = screens.field(field)
        const before = await control.inputValue()
        await control.fill(typed)
        await screens.button('Зберегти').click()
        await expect(control, key).toHaveAttribute('aria-invalid', 'true')
        await expect(
          page.getByRole('alert').getByRole('link', { name: screens.say(said), exact: true }),
          key,
        ).toBeVisible()
        await control.fill(before)
      }
      // These are checked by the server only: an account of the Treasury, and a code that is not the notary's.
      for (const [iban, okpo, key] of [
        ['UA328999980999022090100300001', '3184710691', 'your_iban_is_treasury'],
        ['UA363220010000026000000012345', '37193071', 'your_okpo_not_yours'],
      ] as const) {
        await screens.field('Ваш РНОКПП').fill('3184710691')
        await screens.field('Код власника рахунку').fill(okpo)
        await screens.field('Ваш рахунок IBAN').fill(iban)
        await screens.button('Зберегти').click()
        await expect(
          page.getByRole('alert').getByRole('link', { name: screens.message(key), exact: true }),
          key,
        ).toBeVisible()
      }
      await screens.field('Код власника рахунку').fill('3184710691')
      await screens.field('Ваш рахунок IBAN').fill('UA573220010000026200000012345')
      await screens.button('Зберегти').click()
      await expect(
        page.getByRole('alert').getByRole('link', {
          name: screens.message('iban_balance_code_by_okpo_rule'),
          exact: true,
        }),
      ).toBeVisible()
      await screens.field('Ваш рахунок IBAN').fill('UA363220010000026000000012345')
      await screens.doWithCode(cabinet, phone, () => screens.button('Зберегти').click())
      await expectSaid(page, screens.say('Зміни збережено!'))
    })

    test('the frame of the saved cards says what the acquirer would not do', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const words = FRAME[language]
      const order = await notary.paidOrder('registry_payment', CARDS.pays, undefined, { save: true })
      expect(order.status).toBe('paid')
      const frame = page.locator('iframe').contentFrame()

      // The program may ask for the cards besides, so every answer is broken until the frame has told it.
      await cabinet.sandbox.setFaults([
        { service: 'acquirer', kind: 'status_500', path: 'wallet', calls: 100 },
      ])
      await page.goto('/me/user-cards')
      await expect(frame.getByRole('alert')).toHaveText(words.away)
      await cabinet.sandbox.setFaults([])
      await frame.getByRole('link', { name: words.again }).click()
      await expect(frame.getByRole('button', { name: REMOVE })).toBeVisible()

      await cabinet.sandbox.failInvoices('refuse')
      await frame.getByRole('button', { name: words.add }).click()
      await expect(frame.getByRole('alert')).toHaveText(words.refused)

      // Removed in another window meanwhile.
      const other = await context.newPage()
      await speak(other, language)
      await other.goto('/me/user-cards')
      const theirs = other.locator('iframe').contentFrame()
      await theirs.getByRole('button', { name: REMOVE }).click()
      await expect(theirs.getByRole('button', { name: REMOVE })).toHaveCount(0)
      await frame.getByRole('button', { name: REMOVE }).click()
      await expect(frame.getByRole('alert')).toHaveText(words.gone)
    })
  })
}
