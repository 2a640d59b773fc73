import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { ageCodes } from '../support/database.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

/** A notary's sums for her saved cards: a smaller one holds at once, a larger one after a code that names it. */
const test = testWithCabinet('card-figures')

for (const [language, locale, viewport] of [
  ['uk', 'uk-UA', { width: 1366, height: 768 }],
  ['en', 'en-GB', { width: 390, height: 844 }],
] as const) {
  test.describe(language, () => {
    test.use({ locale, viewport })

    test('beyond her sum of a day a known recipient asks for a code, and a larger sum does, too', async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
      await notary.addToCart('requisites_payment')
      await screens.openCart()
      const first = await cabinet.sandbox.codeAfter(notary.phone, () => screens.payInPopup(CLIENT, '4242'))
      await screens.proof.getByRole('textbox').fill(first)
      await page.waitForURL(/\/archive$/)

      await page.goto('/me/security')
      const daily = page.getByLabel(screens.say('Без підтвердження за добу'))
      await expect(daily).toHaveValue(/^50.000[,.]00$/u)
      await daily.fill('500')
      await page.keyboard.press('Enter')
      await expect(page.locator('form').getByText(screens.say('Суми збережено'))).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await daily.scrollIntoViewIfNeeded()
      await page.screenshot({ path: `results/card-figures-${language}.png` })

      ageCodes(cabinet, notary.phone, 1)
      await notary.addToCart('requisites_payment')
      await screens.openCart()
      const second = await cabinet.sandbox.codeAfter(notary.phone, () => screens.payInPopup(CLIENT, '4242'))
      await expect(screens.proof).toContainText(/500[,.]00/u)
      await expectAccessible(page)
      await page.screenshot({ path: `results/card-figures-${language}-beyond.png` })
      await screens.proof.getByRole('textbox').fill(second)
      await page.waitForURL(/\/archive$/)

      ageCodes(cabinet, notary.phone, 1)
      await page.goto('/me/security')
      await daily.fill('80000')
      const third = await cabinet.sandbox.codeAfter(notary.phone, () => page.keyboard.press('Enter'))
      const proof = page.getByRole('dialog', { name: screens.say('Підтвердьте нові суми') })
      await expect(proof).toContainText(/80.000[,.]00/u)
      await expectAccessible(page)
      await page.screenshot({ path: `results/card-figures-${language}-larger.png` })
      await proof.getByRole('textbox').fill(third)
      await expect(page.locator('form').getByText(screens.say('Суми збережено'))).toBeVisible()
      await expect(page.getByText(screens.say('Змінено суми для збережених карток')).first()).toBeVisible()
    })
  })
}
