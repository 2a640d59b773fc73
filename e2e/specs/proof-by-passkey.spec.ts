import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { Authenticator } from '../support/authenticator.ts'
import type { Cabinet } from '../support/cabinet.ts'
import { ageCodes, ageDevices, agePasskeys } from '../support/database.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

/** A passkey proves a payment to a new recipient, with Chromium's virtual authenticator. */
const test = testWithCabinet('proof-by-passkey', { CABINET_CODES_DEVICE_KNOWN_AFTER_HOURS: '24' })

for (const [language, locale, viewport] of [
  ['uk', 'uk-UA', { width: 1366, height: 768 }],
  ['en', 'en-GB', { width: 390, height: 844 }],
] as const) {
  test.describe(language, () => {
    test.use({ locale, viewport })

    test('a passkey that is a day old proves a payment, also on a new device', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const authenticator = await Authenticator.of(page)
      const screens = new Screens(page, language)
      await addPasskey(page, screens, cabinet, notary.phone)
      await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
      await notary.addToCart('requisites_payment')
      const before = (await cabinet.sandbox.ledger()).length
      const press = () => screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
      const byPasskey = screens.proof.getByRole('button', { name: screens.say('Підтвердити ключем доступу') })
      const byCode = screens.proof.getByRole('button', { name: screens.say('Отримати код із SMS') })

      // Neither the device nor the passkey has been there for long enough.
      await screens.openCart()
      await screens.payInPopup(CLIENT, '4242')
      await expect(screens.methods.getByText(screens.message('device_too_new'))).toBeVisible()

      agePasskeys(cabinet)
      await press()
      await expect(byPasskey).toBeFocused()
      await expect(byCode).toHaveCount(0)
      await expect(screens.proof).toContainText(/…\d{4}/u)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.screenshot({ path: `results/proof-by-passkey-${language}-new-device.png` })
      await page.keyboard.press('Escape')
      await expect(screens.proof).toBeHidden()
      const bankPage = screens.methods.getByRole('button', {
        name: screens.say('Сплатити на сторінці банку'),
      })
      await expect(bankPage).toBeVisible()

      // On a device that is known the code is beside it.
      ageDevices(cabinet)
      ageCodes(cabinet, notary.phone, 1)
      await press()
      await expect(byPasskey).toBeFocused()
      await expect(byCode).toBeVisible()
      await expectAccessible(page)
      await page.screenshot({ path: `results/proof-by-passkey-${language}.png` })
      await authenticator.verifies(false)
      await page.keyboard.press('Enter')
      const refused = screens.proof.getByText(
        screens.say('Ключем доступу не підтверджено. Спробуйте ще раз.'),
      )
      await expect(refused).toBeVisible()
      await expectAccessible(page)
      await page.screenshot({ path: `results/proof-by-passkey-${language}-refused.png` })
      await cabinet.sandbox.codeAfter(notary.phone, () => byCode.click())
      await expect(screens.proof.getByRole('textbox')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(screens.proof).toBeHidden()
      expect((await cabinet.sandbox.ledger()).length).toBe(before)

      await authenticator.verifies(true)
      await press()
      await expect(byPasskey).toBeFocused()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/archive$/)
      const kinds = (await cabinet.sandbox.ledger()).slice(before).map(({ kind }) => kind)
      expect(kinds).toEqual(['charge'])

      // Whom she has proved she pays without a word.
      await notary.addToCart('requisites_payment')
      await screens.openCart()
      await screens.payInPopup(CLIENT, '4242')
      await page.waitForURL(/\/archive$/)
      expect((await cabinet.sandbox.ledger()).slice(before)).toHaveLength(2)
      await page.goto('/me/security')
      await expect(page.getByText(screens.say('Дію підтверджено ключем доступу'))).toBeVisible()
    })
  })
}

async function addPasskey(page: Page, screens: Screens, cabinet: Cabinet, phone: string): Promise<void> {
  await page.goto('/me/security')
  ageCodes(cabinet, phone, 1)
  await screens.button('Додати ключ доступу').click()
  const dialog = page.getByRole('dialog', { name: screens.say('Додати ключ доступу') })
  await dialog.getByRole('textbox').fill('Мій ноутбук')
  const code = await cabinet.sandbox.codeAfter(phone, () =>
    dialog.getByRole('button', { name: screens.say('Продовжити') }).click(),
  )
  const proof = page.getByRole('dialog', { name: screens.say('Підтвердьте додавання ключа') })
  await proof.getByRole('textbox').fill(code)
  await expect(page.getByText('Мій ноутбук')).toBeVisible()
}
