import { expectAccessible, expectFocusSeen, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { Notary } from '../support/notary.ts'
import { textOfPdf } from '../support/pdf.ts'
import { CARDS } from '../support/sandbox.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** The public page that checks a receipt, which anybody opens without a login. */
const test = testWithCabinet('check')

const WORDS = {
  uk: {
    code: 'Код квитанції',
    named: 'Код платника, рахунок отримувача або сума',
    agrees: 'Так,',
    differs: 'Ні,',
  },
  en: {
    code: 'Receipt code',
    named: 'Payer’s code, recipient’s account or a sum',
    agrees: 'Yes,',
    differs: 'No,',
  },
} as const

for (const language of LANGUAGES) {
  for (const [device, viewport] of [
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test.describe(`${language}, ${device}`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport })

      test('a receipt is checked by its code, and what it names is compared, with the keyboard', async ({
        page,
        context,
        browser,
        cabinet,
      }) => {
        const words = WORDS[language]
        const notary = await Notary.signUp(context, cabinet)
        const order = await notary.paidOrder('registry_payment', CARDS.pays)
        const receipt = textOfPdf(await notary.getBytes(`/order/${order.id}/receipt?receipt_type=payment`))
        const printed = receipt.replaceAll('\u2011', '-')
        const code = /\d+-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(printed)?.[0] ?? ''
        const account = /UA[\d ]{27,40}/.exec(printed)?.[0].replaceAll(' ', '').slice(0, 29) ?? ''
        expect(account).toHaveLength(29)
        await page.close()

        const anybody = await browser.newContext({ baseURL: cabinet.url, viewport })
        const check = await anybody.newPage()
        await check.goto(`/check?language=${language}`)
        await expectAccessible(check)
        await check.getByLabel(words.code).focus()
        await check.keyboard.type(code.toLowerCase())
        await expectFocusSeen(check)
        await check.keyboard.press('Enter')
        await expect(check.getByRole('status')).toContainText(order.number)
        await expectAccessible(check)
        await expectNoSidewaysScroll(check)

        const compare = async (named: string) => {
          await check.getByLabel(words.named).focus()
          await check.keyboard.type(named)
          await expectFocusSeen(check)
          await check.keyboard.press('Enter')
        }
        await compare(account)
        await expect(check.getByText(words.agrees)).toBeVisible()
        await compare(account.replace(/\d$/, (last) => String((Number(last) + 1) % 10)))
        await expect(check.getByText(words.differs)).toBeVisible()
        await expect(check.getByText(words.agrees)).toHaveCount(0)
        // What was typed stands neither on the page nor in the address.
        await expect(check.getByLabel(words.named)).toHaveValue('')
        expect(new URL(check.url()).search).toBe('')
        await expectAccessible(check)
        await expectNoSidewaysScroll(check)
        await anybody.close()
      })
    })
  }
}
