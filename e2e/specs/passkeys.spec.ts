import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { Authenticator } from '../support/authenticator.ts'
import { ageCodes } from '../support/database.ts'
import { Notary } from '../support/notary.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** Passkeys with Chromium's virtual authenticator: adding by a code, entering without one, removing. */
const test = testWithCabinet('passkeys')

for (const language of LANGUAGES) {
  for (const [device, viewport] of [
    ['desktop', { width: 1366, height: 768 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test.describe(`${language}, ${device}`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport })

      test('a passkey is added by a code, opens the cabinet without one, and opens nothing once it is removed', async ({
        page,
        context,
        browser,
        cabinet,
      }, info) => {
        await speak(page, language)
        const { phone } = await Notary.signUp(context, cabinet)
        const authenticator = await Authenticator.of(page)
        const screens = new Screens(page, language)
        await page.goto('/me/security')
        await expect(page.getByText(screens.say('Ключів доступу ще немає.'))).toBeVisible()
        ageCodes(cabinet, phone, 1)

        // Adding.
        await screens.button('Додати ключ доступу').click()
        const dialog = page.getByRole('dialog', { name: screens.say('Додати ключ доступу') })
        const label = dialog.getByRole('textbox')
        await expect(label).toBeFocused()
        await label.fill('Мій ноутбук')
        await expectAccessible(page)
        await page.screenshot({ path: info.outputPath('add.png') })
        const toAdd = await cabinet.sandbox.codeAfter(phone, () =>
          dialog.getByRole('button', { name: screens.say('Продовжити') }).click(),
        )
        const proof = page.getByRole('dialog', { name: screens.say('Підтвердьте додавання ключа') })
        await expect(proof).toBeVisible()
        await page.screenshot({ path: info.outputPath('code.png') })
        expect(await authenticator.credentials()).toHaveLength(0)
        await proof.getByRole('textbox').fill(toAdd)
        const list = page.getByRole('list', { name: screens.say('Ключі доступу') })
        await expect(list.getByRole('listitem')).toHaveCount(1)
        await expect(list).toContainText('Мій ноутбук')
        await expect(page.getByText(screens.say('Додано ключ доступу'))).toBeVisible()
        expect(await authenticator.credentials()).toHaveLength(1)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await page.screenshot({ path: info.outputPath('security.png'), fullPage: true })

        // Another name.
        await list.getByRole('button').first().click()
        const rename = page.getByRole('dialog', { name: screens.say('Перейменувати ключ доступу') })
        await rename.getByRole('textbox').fill('Ноутбук у конторі')
        await page.keyboard.press('Enter')
        await expect(list).toContainText('Ноутбук у конторі')

        // The page of the login asks for nothing by itself.
        await logOut(screens)
        const enter = screens.button('Увійти з ключем доступу')
        await expect(enter).toBeVisible()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await page.screenshot({ path: info.outputPath('login.png') })

        // Who is not recognised does not enter.
        await authenticator.verifies(false)
        await enter.click()
        const refused = 'Вхід із ключем доступу не виконано. Спробуйте ще раз або введіть номер телефону.'
        await expect(page.getByText(screens.say(refused))).toBeVisible()
        await page.screenshot({ path: info.outputPath('refused.png') })
        await authenticator.verifies(true)
        await enter.click()
        await expect(screens.heading('Безпека').or(page.locator('#main h1'))).toBeVisible()
        await expect(enter).toBeHidden()

        // On another device, without any message to the phone but that about the device.
        const elsewhere = await browser.newContext({ baseURL: cabinet.url, locale: 'uk-UA', viewport })
        const there = await elsewhere.newPage()
        await speak(there, language)
        const copy = await Authenticator.of(there)
        await copy.copy(authenticator)
        await there.goto('/me/security')
        const screensThere = new Screens(there, language)
        await screensThere.button('Увійти з ключем доступу').click()
        await expect(screensThere.heading('Безпека')).toBeVisible()
        await expect(there.getByText(screensThere.say('Вхід із нового пристрою'))).toBeVisible()

        // Removing.
        ageCodes(cabinet, phone, 1)
        await there
          .getByRole('list', { name: screensThere.say('Ключі доступу') })
          .getByRole('button')
          .last()
          .click()
        const ask = there.getByRole('dialog', { name: screensThere.say('Видалити ключ доступу?') })
        await expect(ask).toBeVisible()
        await expectAccessible(there)
        await there.screenshot({ path: info.outputPath('remove.png') })
        const toRemove = await cabinet.sandbox.codeAfter(phone, () =>
          ask.getByRole('button', { name: screensThere.say('Видалити'), exact: true }).click(),
        )
        const removal = there.getByRole('dialog', { name: screensThere.say('Підтвердьте видалення ключа') })
        await removal.getByRole('textbox').fill(toRemove)
        await expect(there.getByText(screensThere.say('Ключів доступу ще немає.'))).toBeVisible()
        await expect(there.getByText(screensThere.say('Видалено ключ доступу')).first()).toBeVisible()
        await elsewhere.close()

        await logOut(screens)
        await enter.click()
        await screens.expectMessage('passkey_refused')
      })
    })
  }
}

test('a browser without passkeys offers none and says so', async ({ page, context, cabinet }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  const screens = new Screens(page)
  await page.goto('/login')
  await expect(screens.button('Увійти')).toBeVisible()
  await expect(screens.button('Увійти з ключем доступу')).toHaveCount(0)
  await Notary.signUp(context, cabinet)
  await page.goto('/me/security')
  await expect(page.getByText(/^Цей браузер не підтримує ключів доступу/u)).toBeVisible()
  await expect(screens.button('Додати ключ доступу')).toHaveCount(0)
})

async function logOut(screens: Screens): Promise<void> {
  const menu = screens.button('Меню')
  if (await menu.isVisible()) await menu.click()
  await screens.button('Вийти').last().click()
  await expect(screens.heading('Вхід до кабінету')).toBeVisible()
}
