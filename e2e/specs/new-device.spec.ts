import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** On a device that has just signed her in, a saved card pays known recipients alone, and the bank's page pays everybody. */
const test = testWithCabinet('new-device', { CABINET_CODES_DEVICE_KNOWN_AFTER_HOURS: '24' })

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({
      locale: language === 'uk' ? 'uk-UA' : 'en-GB',
      viewport: language === 'uk' ? { width: 1280, height: 900 } : { width: 390, height: 800 },
    })

    test('a new recipient is paid on the bank’s page', async ({ page, context, cabinet }) => {
      await speak(page, language)
      const notary = await Notary.signUp(context, cabinet)
      const screens = new Screens(page, language)
      await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
      const before = (await cabinet.sandbox.ledger()).length

      // Whom everybody pays is paid without a word.
      await notary.addToCart('registry_payment')
      await screens.openCart()
      await screens.payInPopup(CLIENT, '4242')
      await page.waitForURL(/\/archive$/)
      expect((await cabinet.sandbox.ledger()).slice(before)).toHaveLength(1)

      await notary.addToCart('requisites_payment')
      await screens.openCart()
      await screens.payInPopup(CLIENT, '4242')
      await expect(screens.methods.getByText(screens.message('device_too_new'))).toBeVisible()
      expect((await cabinet.sandbox.ledger()).slice(before)).toHaveLength(1)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await screens.methods.getByRole('button', { name: screens.say('Сплатити на сторінці банку') }).click()
      await page.waitForURL(`${cabinet.sandbox.url}/**`)
      await new BankPage(page).pay(CARDS.pays)
      await screens.expectResult('Оплата успішна!')
    })
  })
}
