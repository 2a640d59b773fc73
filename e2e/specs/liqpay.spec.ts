import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('liqpay', { CABINET_ACQUIRER_PROVIDERS: 'monobank,liqpay' })

test('where monobank takes no request, the notary pays on the page of LiqPay and comes back', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  const known = (await cabinet.sandbox.ledger()).length
  await notary.addToCart('requisites_payment')
  await cabinet.sandbox.failInvoices('status_429')
  await screens.openCart()
  await screens.payInPopup(CLIENT, null)
  await page.waitForURL(`${cabinet.sandbox.url}/pay/**`)
  await expect(page.getByText('LiqPay', { exact: true })).toBeVisible()
  await new BankPage(page).pay(CARDS.pays)
  await screens.expectResult('Оплата успішна!')
  const made = (await cabinet.sandbox.ledger()).slice(known)
  expect(made.map(({ kind }) => kind)).toEqual(['charge'])
})
