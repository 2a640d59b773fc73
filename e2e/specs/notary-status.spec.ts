import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { PEOPLE } from '../support/people.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** The status of a notary: which kinds of payment the form has, and what a change of it does to the cart. */
const test = testWithCabinet('notary-status')

const PRIVATE_KIND = 'Адміністративний збір'
const STATE_KIND = 'Адміністративний збір (державний нотаріус)'

for (const language of LANGUAGES) {
  for (const [device, viewport] of [
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 320, height: 720 }],
  ] as const) {
    test.describe(`${language}, ${device}`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport })

      test('the form has the kinds of the status, and the cart says what is no longer one of them', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        const notary = await Notary.signUp(context, cabinet)
        const kind = (name: string) => screens.kind(name)
        // Nobody has told her status yet.
        await screens.openForm()
        await expect(kind(PRIVATE_KIND)).toHaveCount(1)
        await expect(kind(STATE_KIND)).toHaveCount(1)

        cabinet.command('notary', 'set-status', notary.phone, '--status', 'private', '--reason', 'Реєстр')
        await screens.openForm()
        await expect(kind(PRIVATE_KIND)).toHaveCount(1)
        await expect(kind(STATE_KIND)).toHaveCount(0)
        await notary.addToCart('admin_payment')

        cabinet.command('notary', 'set-status', notary.phone, '--status', 'state', '--reason', 'Наказ')
        await screens.openForm()
        await expect(kind(STATE_KIND)).toHaveCount(1)
        await expect(kind(PRIVATE_KIND)).toHaveCount(0)
        await screens.openCart()
        await expect(page.getByText(screens.message('payment_type_not_for_status'))).toBeVisible()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await page.goto('/me')
        await expect(screens.field('Статус')).toHaveValue(screens.say('Державний нотаріус'))
        await expect(screens.field('Статус')).not.toBeEditable()
        await expectAccessible(page)
      })

      test('a notary whose activity is stopped is told so, and can prepare but not order', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        const notary = await Notary.signUp(context, cabinet)
        await notary.addToCart('registry_payment')
        cabinet.command('notary', 'set-status', notary.phone, '--status', 'suspended', '--reason', 'Реєстр')
        await screens.openCart()
        await expect(page.getByText(screens.say('Нові замовлення недоступні'), { exact: true })).toBeVisible()
        // Where the bar with Pay has its own place: while it stands at the edge of a short window, a row lies partly under it.
        await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await screens.payInPopup(CLIENT, null)
        await expect(screens.methods.getByText(screens.message('notary_suspended'))).toBeVisible()
        expect(await notary.orders()).toHaveLength(0)
      })
    })
  }
}

test('the state notary of the sandbox has the kind of the state', async ({ page, context, cabinet }) => {
  const screens = new Screens(page)
  await Notary.logIn(context, cabinet, PEOPLE.stateNotary)
  await screens.openForm()
  await expect(screens.kind(STATE_KIND)).toHaveCount(1)
})
