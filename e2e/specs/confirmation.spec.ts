import { Notary } from '../support/notary.ts'
import { expectDescribed, expectSaid } from '../support/said.ts'
import { Screens, speak } from '../support/screens.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** An act that could cost money is proved by a code that names it, in a dialog that keeps everything typed. */
const test = testWithCabinet('confirmation')

for (const language of LANGUAGES) {
  for (const [device, viewport] of [
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test.describe(`${language}, ${device}`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport })

      test('a change of the mail address asks for a code, and everything typed stays', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const { phone } = await Notary.signUp(context, cabinet)
        const screens = new Screens(page, language)
        await page.goto('/me')
        const mail = screens.field('Електронна пошта')
        await mail.fill('oksana@example.com')
        const save = screens.button('Зберегти')
        const dialog = page.getByRole('dialog', { name: screens.say('Підтвердьте дію') })

        // Who changes her mind loses nothing, and the code stays valid.
        const code = await cabinet.sandbox.codeAfter(phone, () => save.click())
        await expect(dialog).toBeVisible()
        await expect(dialog).toContainText('oksana@example.com')
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
        await expect(mail).toHaveValue('oksana@example.com')
        await screens.expectMessage('confirmation_required')

        await save.click()
        const field = dialog.getByRole('textbox')
        await field.fill(code === '1234' ? '4321' : '1234')
        await expectDescribed(field, screens.message('wrong_otp'))
        await field.fill(code)
        await expect(dialog).toBeHidden()
        await expectSaid(page, screens.say('Зміни збережено!'))
        await page.reload()
        await expect(screens.field('Електронна пошта')).toHaveValue('oksana@example.com')
      })
    })
  }
}
