import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** A saved card pays a new recipient after a code for this payment, in a dialog over the popup with the ways to pay. */
const test = testWithCabinet('proof')

for (const language of LANGUAGES) {
  for (const [device, viewport] of [
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 320, height: 700 }],
  ] as const) {
    test.describe(`${language}, ${device}`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport })

      test('a new recipient asks for one code, and never again', async ({ page, context, cabinet }) => {
        await speak(page, language)
        const notary = await Notary.signUp(context, cabinet)
        const screens = new Screens(page, language)
        await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
        await notary.addToCart('requisites_payment')
        const before = (await cabinet.sandbox.ledger()).length

        // Who changes her mind has paid nothing, and loses nothing.
        await screens.openCart()
        const code = await cabinet.sandbox.codeAfter(notary.phone, () => screens.payInPopup(CLIENT, '4242'))
        await expect(screens.proof).toBeVisible()
        await expect(screens.proof).toContainText(/…\d{4}/u)
        await expect(screens.proof.getByRole('textbox')).toBeFocused()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await page.screenshot({ path: `results/proof-${language}-${device}.png` })
        await page.keyboard.press('Escape')
        await expect(screens.proof).toBeHidden()
        await expect(screens.methods.getByText(screens.message('confirmation_required'))).toBeVisible()
        expect((await cabinet.sandbox.ledger()).length).toBe(before)
        expect((await notary.cart()).items_count).toBe(1)

        // The code is still good, and the payment goes on by itself.
        await screens.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
        const field = screens.proof.getByRole('textbox')
        await field.fill(code === '1234' ? '4321' : '1234')
        await expect(field).toHaveAccessibleDescription(screens.message('wrong_otp'))
        await field.fill(code)
        await page.waitForURL(/\/archive$/)
        const kinds = (await cabinet.sandbox.ledger()).slice(before).map(({ kind }) => kind)
        expect(kinds).toEqual(['charge'])

        await notary.addToCart('requisites_payment')
        await screens.openCart()
        await screens.payInPopup(CLIENT, '4242')
        await page.waitForURL(/\/archive$/)
        expect((await cabinet.sandbox.ledger()).slice(before)).toHaveLength(2)
      })
    })
  }
}
