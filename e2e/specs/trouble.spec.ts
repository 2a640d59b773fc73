import { randomUUID } from 'node:crypto'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { expectSaid } from '../support/said.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('trouble')

test('a declined card takes no money, the same page is paid with another one, and the first window hears of it', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  const before = (await cabinet.sandbox.ledger()).length
  const screens = new Screens(page)
  await screens.openCart()
  await screens.payInPopup(CLIENT, null)
  await page.waitForURL(`${cabinet.sandbox.url}/**`)
  await new BankPage(page).pay(CARDS.declined)

  const [order] = await notary.orders()
  if (order === undefined) throw new Error('There is no order.')
  await page.goto(`/order/${order.id}/payment-status`)
  await screens.expectResult('Помилка оплати')
  await expect(page.getByText('За цією спробою кошти не списано')).toBeVisible()
  expect((await cabinet.sandbox.ledger()).length).toBe(before)

  const opened = context.waitForEvent('page')
  await screens.link('Повернутися до оплати').click()
  const bank = await opened
  await bank.waitForURL(`${cabinet.sandbox.url}/**`)
  await new BankPage(bank).pay(CARDS.pays)
  await new Screens(bank).expectResult('Оплата успішна!')
  await screens.expectResult('Оплата успішна!')
  const orders = await notary.orders()
  expect(orders.map(({ id, status }) => ({ id, status }))).toEqual([{ id: order.id, status: 'paid' }])
  expect((await cabinet.sandbox.ledger()).slice(before).map(({ kind }) => kind)).toEqual(['charge'])
})

test('a saved card that is declined leads to the error page and keeps what was to be paid', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  // A declining card can't be saved, so the good one is saved and the bank refuses it afterwards.
  await notary.saveCard(CARDS.pays)
  await notary.addToCart('registry_payment')
  await cabinet.sandbox.setFaults([
    { service: 'acquirer', kind: 'refuse', path: 'wallet/payment', code: 'INVALID_WALLET_TOKEN' },
  ])
  const before = (await cabinet.sandbox.ledger()).length
  await screens.openCart()
  await screens.payInPopup(CLIENT, '4242')
  await screens.expectResult('Помилка оплати')
  expect((await cabinet.sandbox.ledger()).length).toBe(before)
})

test('a reload at any moment leads to the order and never to a second one', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('admin_payment')
  const screens = new Screens(page)
  await screens.openCart()
  await screens.payInPopup(CLIENT, null)
  await page.waitForURL(`${cabinet.sandbox.url}/**`)

  // Back from the bank's page and after a reload the order's status is shown, not the cart.
  await page.goBack()
  await expect(page).toHaveURL(/\/order\/[^/]+\/(payment-status|pending)$/)
  await page.reload()
  await screens.expectResult('Оплата обробляється')
  await expect(page.getByText('це той самий платіж')).toBeVisible()
  expect((await notary.orders()).map(({ status }) => status)).toEqual(['pending'])
  expect((await notary.cart()).items_count).toBe(0)

  // The page detects the payment by itself.
  const [order] = await notary.orders()
  await cabinet.sandbox.pay(invoiceOf(order?.widget_url ?? null), CARDS.pays)
  await screens.expectResult('Оплата успішна!')
  await page.reload()
  await screens.expectResult('Оплата успішна!')
  expect(await notary.orders()).toHaveLength(1)
})

test('pressing Pay many times at once makes one order', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const screens = new Screens(page)
  await screens.openCart()
  await screens.payButton(CLIENT).click()
  await screens.methods.getByRole('radio', { name: /Інша картка/ }).check()
  await screens.methods.getByRole('checkbox').check()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/order/create')) asked.push(request.headers()['idempotency-key'] ?? '')
  })
  await screens.methods.getByRole('button', { name: /^Сплатити/ }).evaluate((button: HTMLElement) => {
    for (let time = 0; time < 5; time += 1) button.click()
  })
  await page.waitForURL(`${cabinet.sandbox.url}/**`)
  expect(asked).toHaveLength(1)
  expect(await notary.orders()).toHaveLength(1)
})

test('an answer that a proxy has spoilt never says that no money was taken, and the next press finds the order', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const screens = new Screens(page)
  await screens.openCart()
  // The order is created each time, but a proxy replaces the answer by its own page.
  await page.route('**/api/order/create', async (route) => {
    await route.fetch()
    await route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in to the network</h1>' })
  })
  await screens.payInPopup(CLIENT, null)
  await expect(screens.methods.getByText('Сервер не відповів')).toBeVisible()
  await expect(page.getByText(/кошти не списано/)).toHaveCount(0)
  await page.unroute('**/api/order/create')
  await screens.methods.getByRole('button', { name: /^Сплатити/ }).click()
  await page.waitForURL(`${cabinet.sandbox.url}/**`)
  expect(await notary.orders()).toHaveLength(1)
})

test('a second tab cannot pay once more what the first one has ordered', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const first = new Screens(page)
  const second = new Screens(await context.newPage())
  await first.openCart()
  await second.openCart()
  await first.payInPopup(CLIENT, null)
  await page.waitForURL(`${cabinet.sandbox.url}/**`)
  // The cart of the other tab updates by itself and is empty.
  await expect(second.page.getByText('Кошик порожній')).toBeVisible()
  await expect(second.payButton(CLIENT)).toHaveCount(0)
  expect(await notary.orders()).toHaveLength(1)
})

test('another key for a group that was ordered is told of the order that exists', async ({
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const clientId = (await notary.cart()).groups[0]?.client.id ?? ''
  const order = await notary.createOrder(clientId)
  const body = { client_id: clientId, locale: 'uk' }
  const late = await notary.send('POST', '/order/create', {
    body,
    headers: { 'idempotency-key': randomUUID() },
  })
  expect(late).toMatchObject({
    status: 409,
    body: { message: 'cart_already_ordered', order: { id: order.id } },
  })
  expect(await notary.orders()).toHaveLength(1)
})

test('five requests with one key make one order and get one answer', async ({ context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  const [group] = (await notary.cart()).groups
  const key = randomUUID()
  const body = { client_id: group?.client.id, locale: 'uk' }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      notary.send('POST', '/order/create', { body, headers: { 'idempotency-key': key } }),
    ),
  )
  const ids = answers.map((answer) => (answer.body as { order?: { id: string } }).order?.id)
  expect(new Set(ids).size).toBe(1)
  expect(await notary.orders()).toHaveLength(1)
  const other = await notary.send('POST', '/order/create', {
    body: { ...body, locale: 'en' },
    headers: { 'idempotency-key': key },
  })
  expect(other).toMatchObject({ status: 409, body: { message: 'idempotency_key_reused' } })
})

test('3-D Secure is asked for and confirmed', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const screens = new Screens(page)
  await screens.openCart()
  await screens.payInPopup(CLIENT, null)
  await page.waitForURL(`${cabinet.sandbox.url}/**`)
  const bank = new BankPage(page)
  await bank.pay(CARDS.asksThreeDSecure)
  await bank.confirm()
  await screens.expectResult('Оплата успішна!')
})

test('a payment that takes long is waited for, and nobody is asked to pay again', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCart()
  // The bank continues only after the cardholder has answered.
  const invoice = invoiceOf(order.widget_url)
  await cabinet.sandbox.pay(invoice, CARDS.asksThreeDSecure)
  const screens = new Screens(page)
  await page.goto(`/order/${order.id}/payment-status`)
  await expectSaid(page, 'Перевіряємо оплату')
  await screens.expectResult('Оплата обробляється')
  await expect(page.getByText('Якщо ви вже підтвердили оплату, зачекайте')).toBeVisible()
  await cabinet.sandbox.answerThreeDSecure(invoice, true)
  await screens.expectResult('Оплата успішна!')
})

test('a page of another status leads to where the order is, and an unknown order to the archive', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCart()
  await page.goto(`/order/${order.id}/success`)
  await expect(page).toHaveURL(new RegExp(`/order/${order.id}/pending$`))
  await page.goto(`/order/${randomUUID()}/success`)
  await expect(page).toHaveURL(/\/archive$/)
  await expect(
    page.getByText('Дізнатися статус замовлення не вдалося. Перевірте його тут, в архіві'),
  ).toBeVisible()
})

test("without the new flow Pay goes straight to the bank's page", async ({ page, context, cabinet }) => {
  await Notary.logIn(context, cabinet, '+380504445566').then((notary) => notary.addToCart('registry_payment'))
  const screens = new Screens(page)
  await screens.openCart()
  await screens.payButton(CLIENT).click()
  await page.waitForURL(`${cabinet.sandbox.url}/**`)
  await new BankPage(page).pay(CARDS.pays)
  await screens.expectResult('Оплата успішна!')
})

test('a payment survives the crash of the server', async ({ context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  const order = await notary.orderCart()
  const before = (await cabinet.sandbox.ledger()).length
  await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
  await cabinet.kill()
  await cabinet.start()
  await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('paid')
  expect((await cabinet.sandbox.ledger()).slice(before).map(({ kind }) => kind)).toEqual(['charge'])
})
