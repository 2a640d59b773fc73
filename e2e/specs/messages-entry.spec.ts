import type { Page } from '@playwright/test'
import { ageCodes, changeData, crowdAddress, DAY_MINUTES } from '../support/database.ts'
import { listening } from '../support/realtime.ts'
import { Notary } from '../support/notary.ts'
import { PEOPLE } from '../support/people.ts'
import { expectDescribed } from '../support/said.ts'
import { headingOf, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, type Language } from '../support/words.ts'

/** Every message of login and sign-up, provoked as a person would meet it. `docs/specification.md` lists the keys. */
const test = testWithCabinet('messages-entry')

async function opened(page: Page, language: Language, path: string): Promise<Screens> {
  await speak(page, language)
  await page.goto(path)
  const screens = new Screens(page, language)
  await expect(headingOf(page)).toBeVisible()
  return screens
}

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('the login says what is wrong with the phone, and what the new terms ask for', async ({ page }) => {
      const screens = await opened(page, language, '/login')
      const phone = screens.field('Номер телефону')
      for (const [typed, key] of [
        ['', 'phone_required'],
        ['050 111', 'phone_incorrect'],
        ['+380990000000', 'phone_not_exist'],
      ] as const) {
        await phone.fill(typed)
        await screens.button('Увійти').click()
        await expectDescribed(phone, screens.message(key))
        await expect(phone).toBeFocused()
      }
      // After three seconds the message moves to the button, and the next key removes it.
      await expect(phone).toHaveAccessibleDescription('')
      await screens.expectMessage('phone_not_exist')
      await phone.press('Backspace')
      await expect(page.getByText(screens.message('phone_not_exist'))).toHaveCount(0)

      await phone.fill(PEOPLE.notAgreed)
      await screens.button('Увійти').click()
      await expect(
        page.getByText(
          screens.say('Умови публічної оферти оновлено. Прочитайте їх і погодьтеся, щоб увійти.'),
        ),
      ).toBeVisible()
      await screens.button('Увійти').click()
      await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(screens.message('agreed_required'))
    })

    test('the sign-up names every missing field, a phone that is taken, and a name that cannot be one', async ({
      page,
    }) => {
      const screens = await opened(page, language, '/sign-up')
      await screens.field('Номер телефону').fill('')
      await screens.button('Зареєструватися').click()
      const summary = page.getByRole('alert')
      for (const key of [
        'full_name_required',
        'phone_required',
        'registry_identifier_required',
        'is_agree_checked',
      ]) {
        await expect(
          summary.getByRole('link', { name: screens.message(key), exact: true }),
          key,
        ).toBeVisible()
      }
      const name = screens.field('Прізвище, ім’я, по батькові')
      const phone = screens.field('Номер телефону')
      await name.fill('Бондар Ірина')
      await phone.fill('050')
      await screens.field('Ідентифікатор у реєстрі').fill('NOTAR555')
      await page.getByRole('checkbox').check()
      await screens.button('Зареєструватися').click()
      await expectDescribed(phone, screens.message('phone_incorrect'))
      await phone.fill(PEOPLE.byCode)
      await screens.button('Зареєструватися').click()
      await expectDescribed(phone, screens.message('phone_in_use'))
      // A direction mark that was copied with a text.
      await name.fill('Бондар \u202eІрина')
      await screens.button('Зареєструватися').click()
      await expectDescribed(name, screens.message('text_invalid'))
      await expect(phone).toHaveValue('+38 (050) 111-22-33')
    })

    test('a code is missing, short, wrong, used up, too old, forgotten, not sent, or one too many', async ({
      page,
      context,
      cabinet,
    }) => {
      // The browser has signed the notary in before: in a new one the login would go on by a call at the end.
      const { phone } = await Notary.signUp(context, cabinet)
      await context.clearCookies({ name: 'refresh_token' })
      const screens = await opened(page, language, '/login')
      const field = screens.field('Код із SMS')
      const begin = async (): Promise<string> => {
        await screens.field('Номер телефону').fill(phone)
        const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Увійти').click())
        await expect(field).toBeFocused()
        return code
      }
      const enter = async (typed: string): Promise<void> => {
        const answer = page.waitForResponse(/\/api\/auth\/login\/otp$/)
        await field.fill('')
        await field.fill(typed)
        await answer
      }

      // The message service fails: the try does not count, the number stays in the field, and the next press sends a code.
      await screens.field('Номер телефону').fill(phone)
      await cabinet.sandbox.refuseMessages()
      await screens.button('Увійти').click()
      await screens.expectMessage('otp_not_sent')
      await cabinet.sandbox.endFaults()

      let code = await begin()
      await screens.button('Увійти').click()
      await expectDescribed(field, screens.message('otp_code_required'))
      await field.fill(code.slice(0, 3))
      await screens.button('Увійти').click()
      await expectDescribed(field, screens.message('otp_incorrect'))
      const wrong = code === '1234' ? '4321' : '1234'
      for (const key of ['wrong_otp', 'wrong_otp', 'otp_tries_exhausted']) {
        await enter(wrong)
        await expectDescribed(field, screens.message(key))
      }
      await enter(code)
      await expectDescribed(field, screens.message('otp_tries_exhausted'))

      await screens.link('Змінити номер').click()
      code = await begin()
      ageCodes(cabinet, phone, 6)
      await enter(code)
      await expectDescribed(field, screens.message('otp_expired'))

      // A page that is opened again after days: its login was deleted.
      await screens.link('Змінити номер').click()
      code = await begin()
      changeData(cabinet, 'delete from login_operations where phone = ?', phone)
      await enter(code)
      await expectDescribed(field, screens.message('operation_unknown'))

      await screens.link('Змінити номер').click()
      await begin()
      await screens.link('Змінити номер').click()
      await screens.field('Номер телефону').fill(phone)
      await screens.button('Увійти').click()
      await screens.expectMessage('otp_too_soon')
      for (let login = 1; login < 5; login += 1) {
        ageCodes(cabinet, phone, 1)
        await begin()
        await screens.link('Змінити номер').click()
      }
      await screens.field('Номер телефону').fill(phone)
      await screens.button('Увійти').click()
      await screens.expectWait('too_many_codes')
    })

    test('a limit of the network address is not reported as a limit of the number', async ({
      page,
      browser,
      cabinet,
    }) => {
      const others = await browser.newContext()
      const { phone } = await Notary.signUp(others, cabinet)
      await others.close()
      const leave = crowdAddress(cabinet, phone, 60)
      try {
        const screens = await opened(page, language, '/login')
        await screens.field('Номер телефону').fill(phone)
        await screens.button('Увійти').click()
        await expectDescribed(screens.field('Номер телефону'), /\d/)
        await screens.expectWait('too_many_codes_from_address')
        await screens.link('Зареєструватися').click()
        await screens.field('Прізвище, ім’я, по батькові').fill('Бондар Ірина Олегівна')
        await screens.field('Номер телефону').fill(language === 'uk' ? '+380671230013' : '+380671230014')
        await screens.field('Ідентифікатор у реєстрі').fill('NOTAR555')
        await page.getByRole('checkbox').check()
        await screens.button('Зареєструватися').click()
        await screens.expectWait('too_many_codes_from_address')
      } finally {
        leave()
      }
    })

    test('the code of a sign-up is told apart in the same way', async ({ page, cabinet }) => {
      const screens = await opened(page, language, '/sign-up')
      const phone = language === 'uk' ? '+380671230011' : '+380671230012'
      await screens.field('Прізвище, ім’я, по батькові').fill('Бондар Ірина Олегівна')
      await screens.field('Номер телефону').fill(phone)
      await screens.field('Ідентифікатор у реєстрі').fill('NOTAR555')
      await page.getByRole('checkbox').check()
      // The typed values stay when the message service fails.
      await cabinet.sandbox.refuseMessages()
      await screens.button('Зареєструватися').click()
      await screens.expectMessage('otp_not_sent')
      await cabinet.sandbox.endFaults()
      await expect(screens.field('Ідентифікатор у реєстрі')).toHaveValue('NOTAR555')

      const code = await cabinet.sandbox.codeAfter(phone, () => screens.button('Зареєструватися').click())
      const field = screens.field('Код із SMS')
      await field.fill(code === '1234' ? '4321' : '1234')
      await expectDescribed(field, screens.message('wrong_otp'))
      ageCodes(cabinet, phone, 6)
      await field.fill('')
      await field.fill(code)
      await expectDescribed(field, screens.message('otp_expired'))
    })

    test('the registry identifier is missing, short or wrong, and after three tries the login begins anew', async ({
      page,
      cabinet,
    }) => {
      // Three wrong identifiers a day are all that a new device may enter.
      ageCodes(cabinet, PEOPLE.byRegistryIdentifier, DAY_MINUTES)
      const screens = await opened(page, language, '/login')
      await screens.field('Номер телефону').fill(PEOPLE.byRegistryIdentifier)
      await screens.button('Увійти').click()
      const field = screens.field('Ідентифікатор у реєстрі')
      await expect(field).toBeFocused()
      for (const [typed, key] of [
        ['', 'otp_code_required'],
        ['NOT', 'otp_incorrect'],
        ['NOTAR99999', null],
        ['NOTAR99998', null],
        // This step has no code to send again.
        ['NOTAR99997', 'operation_unknown'],
      ] as const) {
        await field.fill(typed)
        await screens.button('Увійти').click()
        const told =
          key === null
            ? screens.say('Неправильний ідентифікатор. Перевірте його й спробуйте ще раз')
            : screens.message(key)
        await expectDescribed(field, told)
      }
      await screens.link('Змінити номер').click()
      await expect(screens.field('Номер телефону')).toBeFocused()
    })

    test('a call that cannot be made, or that nobody confirms, is told at the login', async ({
      page,
      cabinet,
    }) => {
      const screens = await opened(page, language, '/login')
      await screens.field('Номер телефону').fill(PEOPLE.byCall)
      await cabinet.sandbox.setFaults([{ service: 'calls', kind: 'refuse' }])
      await screens.button('Увійти').click()
      await screens.expectMessage('call_not_placed')
      const heard = listening(page)
      await screens.button('Увійти').click()
      await expect(screens.heading('Зараз вам зателефонують')).toBeVisible()
      const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
      await heard
      await cabinet.sandbox.answerCall(call.sid, '2')
      await expect(page).toHaveURL(/\/login$/)
      await screens.expectMessage('call_not_confirmed')
      await expect(
        page.getByText(screens.say('Спробуйте ще раз: прийміть дзвінок і натисніть те, що покаже сторінка.')),
      ).toBeVisible()
    })

    test('a session that was ended is told at the login, which leads back', async ({
      page,
      context,
      cabinet,
    }) => {
      const notary = await Notary.signUp(context, cabinet)
      const screens = await opened(page, language, '/cart')
      cabinet.command('notary', 'set', notary.phone, '--end-sessions', '--reason', 'a browser test')
      // The notary's next step or a request of the page itself, whichever is first.
      const archive = page.getByRole('link', { name: screens.say('Архів') }).first()
      await archive.click({ timeout: 5_000 }).catch(() => undefined)
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByText(screens.say('Сеанс завершився')).first()).toBeVisible()
      await expect(
        page.getByText(
          screens.say('Увійдіть ще раз: ви повернетеся на ту саму сторінку, введені дані збережено.'),
        ),
      ).toBeVisible()
      await screens.field('Номер телефону').fill(notary.phone)
      const code = await cabinet.sandbox.codeAfter(notary.phone, () => screens.button('Увійти').click())
      await screens.field('Код із SMS').fill(code)
      await expect(screens.heading('Архів').or(screens.heading('Кошик'))).toBeVisible()
    })
  })
}
