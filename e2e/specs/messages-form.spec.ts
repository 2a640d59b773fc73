import type { BrowserContext } from '@playwright/test'
import type { Cabinet } from '../support/cabinet.ts'
import { CLIENT, Notary, OWN_IBAN, OWN_OKPO } from '../support/notary.ts'
import { changed, loadReference, without } from '../support/reference.ts'
import { Screens, speak, WRONG_CHECK_DIGITS } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, messageOf, type Language } from '../support/words.ts'

/** Every message of the payment form: broken rules, and choices that have become unavailable meanwhile. */
const test = testWithCabinet('messages-form')

/**
 * Expects the message at the field and in the summary, with a link to the field. `said` is the text, if it is not that of the
 * key.
 */
async function expectRefused(
  screens: Screens,
  field: string,
  key: string,
  said = messageOf(key),
): Promise<void> {
  const message = screens.say(said)
  const control = screens.page.getByLabel(screens.say(field), { exact: true })
  await expect(control, key).toHaveAttribute('aria-invalid', 'true')
  await expect(control, key).toHaveAccessibleDescription(new RegExp(escaped(message)))
  await expect(
    screens.page.getByRole('alert').getByRole('link', { name: message, exact: true }).first(),
    key,
  ).toBeVisible()
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('what is missing is named, field by field', async ({ page, context, cabinet }) => {
      await speak(page, language)
      await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await screens.openForm()
      const send = screens.button('Додати до кошика')
      await screens.kind('Платіж за реквізитами').check()
      await send.click()
      for (const [field, key] of [
        ['Прізвище, ім’я, по батькові клієнта', 'client_full_name_required'],
        ['Код клієнта', 'client_inn_required'],
        ['Назва отримувача', 'recipient_name_required'],
        ['Код отримувача (ЄДРПОУ або РНОКПП)', 'okpo_required'],
        ['Рахунок IBAN отримувача', 'iban_required'],
        ['Призначення платежу', 'purpose_required'],
        ['Сума', 'amount_required'],
      ] as const) {
        await expectRefused(screens, field, key)
      }
      await screens.kind('Адміністративний збір').check()
      await expect(screens.list('Послуга')).toBeEnabled()
      await send.click()
      for (const [field, key] of [
        ['Послуга', 'payment_type_option_required'],
        ['Строк реєстрації', 'payment_type_option_term_required'],
        ['Регіон', 'payment_type_region_required'],
        ['Отримувач', 'payment_type_requisite_required'],
        ['Ваш РНОКПП', 'your_okpo_required'],
        ['Ваш рахунок IBAN', 'your_iban_required'],
      ] as const) {
        await expectRefused(screens, field, key)
      }
    })

    test('what is wrong is named and stays as it was typed', async ({ page, context, cabinet }) => {
      await speak(page, language)
      await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await screens.openForm()
      await screens.fillPayment('requisites_payment', CLIENT)
      const send = screens.button('Додати до кошика')
      const right = {
        'Прізвище, ім’я, по батькові клієнта': CLIENT.full_name,
        'Код клієнта': CLIENT.inn,
        'Назва отримувача': 'ТОВ «Приклад»',
        'Код отримувача (ЄДРПОУ або РНОКПП)': '37193071',
        'Рахунок IBAN отримувача': 'UA213223130000026007233566001',
        'Призначення платежу': `За послуги, код ${CLIENT.inn}`,
        Сума: '340,50',
      } as const
      type Field = keyof typeof right
      const wrong: readonly (readonly [Field, string, string, string?])[] = [
        ['Код клієнта', '12345', 'client_inn_format_invalid'],
        ['Код отримувача (ЄДРПОУ або РНОКПП)', '123456789', 'okpo_invalid'],
        ['Рахунок IBAN отримувача', 'UA213223130000026007233566002', 'iban_invalid', WRONG_CHECK_DIGITS],
        ['Призначення платежу', 'а'.repeat(161), 'purpose_max_height'],
        ['Призначення платежу', 'За послуги', 'purpose_must_contains_ipn'],
        ['Призначення платежу', `За \u202eпослуги ${CLIENT.inn}`, 'text_invalid'],
        ['Сума', '0', 'amount_invalid'],
        ['Прізвище, ім’я, по батькові клієнта', 'Коваленко \u202eМарія', 'text_invalid'],
        ['Прізвище, ім’я, по батькові клієнта', '王小明 12', 'name_invalid'],
        // This one is checked by the server only.
        ['Назва отримувача', 'а'.repeat(141), 'text_too_long'],
      ]
      for (const [field, typed, key, said] of wrong) {
        await screens.field(field).fill(typed)
        await send.click()
        await expectRefused(screens, field, key, said)
        await screens.field(field).fill(right[field])
      }
      const code = screens.field('Код клієнта')
      await code.fill('1111111111')
      await expect(send).toHaveAccessibleDescription(screens.message('client_inn_same_digits'))
      await expect(code).toHaveAccessibleDescription(
        new RegExp(escaped(screens.message('client_inn_same_digits'))),
      )
      await code.fill(CLIENT.inn)

      // An account of the Treasury has rules of its own.
      await screens.field('Рахунок IBAN отримувача').fill('UA328999980999022090100300001')
      await screens.field('Код класифікації доходів бюджету').fill('2209')
      await send.click()
      await expectRefused(screens, 'Код класифікації доходів бюджету', 'cbc_length')
      await expectRefused(screens, 'Призначення платежу', 'purpose_invalid')
      // It takes only its own code and budget code, and a payment code that is in force.
      const recipientCode = 'Код отримувача (ЄДРПОУ або РНОКПП)'
      await screens.field('Код класифікації доходів бюджету').fill('11010500')
      await screens.field('Призначення платежу').fill(`999 Державне мито, ${CLIENT.inn}`)
      await send.click()
      await expectRefused(screens, recipientCode, 'okpo_not_for_account')
      await expectRefused(screens, 'Код класифікації доходів бюджету', 'cbc_not_for_account')
      await expectRefused(screens, 'Призначення платежу', 'purpose_code_unknown')
      await screens.field(recipientCode).fill(CLIENT.inn)
      await send.click()
      await expectRefused(screens, recipientCode, 'okpo_not_for_treasury')

      // The notary's own account, too: a person's code is not allowed with an account for own needs.
      await screens.kind('Адміністративний збір').check()
      await screens.field('Ваш РНОКПП').fill(OWN_OKPO)
      await screens.field('Ваш рахунок IBAN').fill('UA573220010000026200000012345')
      await send.click()
      await expectRefused(screens, 'Ваш рахунок IBAN', 'iban_balance_code_by_okpo_rule')
      await screens.field('Ваш рахунок IBAN').fill('UA328999980999022090100300001')
      await send.click()
      await expectRefused(screens, 'Ваш рахунок IBAN', 'your_iban_is_treasury')
      await screens.field('Ваш рахунок IBAN').fill(OWN_IBAN)
      await expect(screens.field('Ваш рахунок IBAN')).not.toHaveAttribute('aria-invalid', 'true')
    })

    test('a full cart says so and keeps the form', async ({ page, context, cabinet }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      await notary.fillCart(200)
      const screens = new Screens(page, language)
      await screens.openForm()
      await screens.fillPayment('requisites_payment', CLIENT)
      await screens.pressAdd()
      await expect(
        page.getByRole('alert').getByText(screens.message('cart_full'), { exact: true }),
      ).toBeVisible()
      await expect(screens.field('Призначення платежу')).toHaveValue(new RegExp(CLIENT.inn))
    })
  })
}

/** The same notary in two windows, one in each language. */
async function bothScreens(
  context: BrowserContext,
  other: BrowserContext,
  cabinet: Cabinet,
): Promise<{ notary: Notary; screens: Screens[] }> {
  const notary = await Notary.signUp(context, cabinet)
  await Notary.logIn(other, cabinet, notary.phone)
  const screens = await Promise.all(
    (
      [
        ['uk', context],
        ['en', other],
      ] as [Language, BrowserContext][]
    ).map(async ([language, where]) => {
      const page = await where.newPage()
      await speak(page, language)
      return new Screens(page, language)
    }),
  )
  return { notary, screens }
}

test('what was chosen and changed while the form stood open is told where it was chosen', async ({
  context,
  browser,
  cabinet,
}) => {
  const other = await browser.newContext({ locale: 'en-GB' })
  // Eight changes, each seen in both languages.
  test.setTimeout(900_000)
  const { notary, screens } = await bothScreens(context, other, cabinet)
  const term = 'ownership-5wd'
  const recipient = 'ua-30-holosiivskyi-22012600-2026'

  for (const [what, field, key, changes] of [
    ['another fee', null, 'price_changed', { 'term-taxes.csv': changed(`${term},330`, '330.00', '331.00') }],
    ['no fee', 'Строк реєстрації', 'fee_not_in_force', { 'term-taxes.csv': without(`${term},330`) }],
    [
      'the service is gone',
      'Послуга',
      'option_not_for_type',
      {
        'options.csv': without('ownership,'),
        'terms.csv': without('ownership-'),
        'term-taxes.csv': without('ownership-'),
      },
    ],
    [
      'the term is gone',
      'Строк реєстрації',
      'term_not_for_option',
      { 'terms.csv': without(`${term},`), 'term-taxes.csv': without(`${term},`) },
    ],
    [
      'the account has ended',
      'Отримувач',
      'requisite_expired',
      { 'requisites.csv': changed(`${recipient},`, '2026-01-01,,', '2026-01-01,2026-01-31,') },
    ],
    [
      'the recipient is gone',
      'Отримувач',
      'requisite_not_for_region',
      { 'requisites.csv': without(`${recipient},`) },
    ],
    [
      'the term has another budget code',
      'Отримувач',
      'requisite_not_for_term',
      { 'terms.csv': changed(`${term},`, ',22012600', ',22012900') },
    ],
    [
      'the region is gone',
      'Регіон',
      'region_unknown',
      { 'regions.csv': without('ua-30,'), 'requisites.csv': without('ua-30-') },
    ],
  ] as const) {
    await test.step(`${what}: ${key}`, async () => {
      for (const screen of screens) {
        await screen.openForm()
        await screen.fillFee(CLIENT, { region: 'ua-30' })
      }
      await loadReference(cabinet, notary, changes)
      for (const screen of screens) {
        await screen.pressAdd()
        if (field === null) {
          await expect(screen.page.getByText(screen.say('Сума змінилася'), { exact: true })).toBeVisible()
          await expect(screen.page.getByRole('button', { name: /351[,.]00/ })).toBeVisible()
        } else await expectRefused(screen, field, key)
        await expect(screen.field('Код клієнта')).toHaveValue(CLIENT.inn)
      }
      await loadReference(cabinet, notary)
    })
  }
  expect((await notary.cart()).items_count).toBe(0)

  await test.step('the template is gone: template_unknown', async () => {
    for (const screen of screens) {
      await screen.openForm()
      await screen.fillPayment('requisites_payment', CLIENT)
      const templates = screen.page.getByRole('combobox', { name: new RegExp(screen.say('Шаблон платежу')) })
      await expect(templates).toBeEnabled()
      await templates.selectOption({ value: 'state-duty-inheritance' })
    }
    await loadReference(cabinet, notary, { 'templates.csv': without('state-duty-inheritance,') })
    for (const screen of screens) {
      await screen.pressAdd()
      const templates = screen.page.getByRole('combobox', { name: new RegExp(screen.say('Шаблон платежу')) })
      await expect(templates).toHaveAccessibleDescription(
        new RegExp(escaped(screen.message('template_unknown'))),
      )
    }
    await loadReference(cabinet, notary)
  })
  await other.close()
})

test('a cart over the turn of a year says which of its payments are no longer right', async ({
  context,
  browser,
  cabinet,
}) => {
  const other = await browser.newContext({ locale: 'en-GB' })
  const { notary, screens } = await bothScreens(context, other, cabinet)
  await notary.addToCart('admin_payment')
  const [item] = (await notary.cart()).groups[0]?.items ?? []
  expect(item?.sum_base).toBe(330)
  for (const [key, changes] of [
    ['price_changed', { 'term-taxes.csv': changed('ownership-5wd,330', '330.00', '331.00') }],
    ['fee_not_in_force', { 'term-taxes.csv': without('ownership-5wd,330') }],
    ['requisite_expired', { 'requisites.csv': without('ua-30-'), 'regions.csv': without('ua-30,') }],
  ] as const) {
    await loadReference(cabinet, notary, changes)
    for (const screen of screens) {
      await screen.openCart()
      await expect(screen.page.getByText(screen.message(key), { exact: true }), key).toBeVisible()
      await expect(screen.payButton(CLIENT)).toHaveAttribute('aria-disabled', 'true')
      await expect(screen.payButton(CLIENT)).toHaveAccessibleDescription(
        screen.say('Спершу виправте або видаліть платежі з позначкою'),
      )
    }
  }
  await loadReference(cabinet, notary, { 'term-taxes.csv': changed('ownership-5wd,330', '330.00', '331.00') })
  const [first] = screens
  if (first === undefined) throw new Error('There is no screen.')
  await first.openCart()
  await first.page.getByRole('button', { name: /351,00/ }).click()
  await expect(first.payButton(CLIENT)).not.toHaveAttribute('aria-disabled', 'true')
  expect((await notary.cart()).groups[0]?.amount).toBe(351)
  await loadReference(cabinet, notary)
  await other.close()
})
