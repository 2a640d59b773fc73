import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('lost-answer')

/** The worker first asks about an order without an answer after a minute. */
const ASKED_AFTER_SECONDS = 60

const LOST = { service: 'acquirer', kind: 'reset', path: 'wallet/payment' } as const

for (const [what, faults] of [
  ['the report says it', [LOST]],
  [
    'no report comes either, the cabinet asks by itself',
    [LOST, { service: 'reports', kind: 'drop', calls: 20 }],
  ],
] as const) {
  test(`an answer that is lost after the charge is found again: ${what}`, async ({
    page,
    context,
    cabinet,
  }) => {
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page)
    await notary.saveCard(CARDS.pays)
    await notary.addToCart('requisites_payment')
    const before = (await cabinet.sandbox.ledger()).length
    await cabinet.sandbox.setFaults(faults)
    await screens.openCart()
    await screens.payWithCode(cabinet, notary.phone, () => screens.payInPopup(CLIENT, '4242'))
    await expect.poll(async () => (await notary.orders()).length).toBe(1)
    const [unknown] = await notary.orders()
    if (unknown === undefined) throw new Error('There is no order.')

    // No screen offers to pay again, and the outcome is shown without a reload.
    await page.goto(`/order/${unknown.id}/payment-status`)
    await expect(screens.heading('Оплата успішна!').or(screens.heading('Оплата обробляється'))).toBeVisible()
    expect((await notary.cart()).items_count).toBe(0)
    await cabinet.sandbox.advance(ASKED_AFTER_SECONDS)
    await expect(screens.heading('Оплата успішна!')).toBeVisible()
    expect((await cabinet.sandbox.ledger()).slice(before).map(({ kind }) => kind)).toEqual(['charge'])
  })
}
