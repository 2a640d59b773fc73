import type { Locator, Route } from '@playwright/test'

import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { cutTexts, expectBoxes } from '../support/boxes.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { blockRealtime, listening } from '../support/realtime.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { kopiykasIn } from '../support/words.ts'

const test = testWithCabinet('cart')
const OTHER = { inn: '37193071', full_name: 'ТОВ «Приклад»' }

test('an empty cart says so and leads on', async ({ page, context, cabinet }) => {
  await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await screens.openCart()
  await expect(page.getByText('Кошик порожній')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Створити платіж' }).click()
  await expect(screens.heading('Новий платіж')).toBeVisible()
})

test('the count changes at once, is kept, and never falls below one', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  const [item] = (await notary.cart()).groups[0]?.items ?? []
  const unit = Math.round((item?.sum_full ?? 0) * 100)
  const screens = new Screens(page)
  await screens.openCart()
  const less = screens.button('Менше')
  const more = screens.button('Більше')
  await expect(less).toBeDisabled()
  await more.click()
  await more.click()
  await expect(page.getByRole('status').filter({ hasText: /^3$/ })).toBeVisible()
  await expect
    .poll(async () =>
      kopiykasIn(
        await screens
          .payButton(CLIENT)
          .innerText()
          .then((text) => text.split('–')[0] ?? ''),
      ),
    )
    .toBe(3 * unit)
  await expect.poll(async () => (await notary.cart()).groups[0]?.items[0]?.count).toBe(3)
  await less.click()
  await expect.poll(async () => (await notary.cart()).groups[0]?.items[0]?.count).toBe(2)
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: /^2$/ })).toBeVisible()
})

test('an open cart follows a count and a deletion in another window at once', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const item = await notary.addToCart('requisites_payment')
  await notary.addToCart('requisites_payment')
  const screens = new Screens(page)
  const heard = listening(page)
  await screens.openCart()
  await heard
  const count = (number: number) => page.getByRole('status').filter({ hasText: new RegExp(`^${number}$`) })
  // The number in the header stays the same. A page that has subscribed polls only after two minutes. Done three times, since the
  // page also reads the cart once when its subscription begins.
  for (const number of [7, 8, 9]) {
    await notary.post('/cart/items/count', { cart_item_id: item, new_count: number })
    await expect(count(number)).toBeVisible()
  }
  await notary.post('/cart/item/delete', { cart_item_id: item })
  await expect(count(9)).toBeHidden()
})

test('without the realtime channel an open cart follows what another window does to it', async ({
  page,
  context,
  cabinet,
}) => {
  await page.clock.install()
  await blockRealtime(page)
  const notary = await Notary.signUp(context, cabinet)
  const item = await notary.addToCart('requisites_payment')
  const screens = new Screens(page)
  await screens.openCart()
  const count = (number: number) => page.getByRole('status').filter({ hasText: new RegExp(`^${number}$`) })
  await expect(count(1)).toBeVisible()
  // The number in the header stays the same.
  await notary.post('/cart/items/count', { cart_item_id: item, new_count: 7 })
  await expect(async () => {
    await page.clock.runFor(5_000)
    // Where it does not come at once, the page's clock goes on.
    await expect(count(7)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  // The text of a complaint stays, although its payment was deleted meanwhile.
  await page.getByRole('button', { name: /^Повідомити про помилку/ }).click()
  await screens.field('Опишіть помилку').fill('Не той отримувач')
  await notary.post('/cart/item/delete', { cart_item_id: item })
  await page.clock.runFor(30_000)
  await expect(screens.field('Опишіть помилку')).toHaveValue('Не той отримувач')
  await page.keyboard.press('Escape')
  await expect(async () => {
    await page.clock.runFor(5_000)
    // The same.
    await expect(page.getByText('Кошик порожній')).toBeVisible({ timeout: 1_000 })
  }).toPass()
})

test('a change that fails goes back and says why', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  const screens = new Screens(page)
  await screens.openCart()
  await context.setOffline(true)
  await screens.button('Більше').click()
  await expect(page.getByText('Зміну не збережено')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^1$/ })).toBeVisible()
  await context.setOffline(false)
})

test('a deleted payment can be brought back in its place', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  await notary.addToCart('registry_payment')
  const screens = new Screens(page)
  await screens.openCart()
  await page
    .getByRole('button', { name: /^Видалити: / })
    .first()
    .click()
  await expect(screens.button('Повернути')).toBeFocused()
  await expect.poll(async () => (await notary.cart()).items_count).toBe(1)
  await screens.button('Повернути').click()
  await expect(page.getByRole('button', { name: /^Видалити: / })).toHaveCount(2)
  await expect.poll(async () => (await notary.cart()).items_count).toBe(2)
})

test('a row has two lines, with its purpose unfolded by a press, and Pay stands at the head', async ({
  page,
  context,
  cabinet,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('admin_payment')
  await notary.addToCart('registry_payment')
  await notary.addToCart('requisites_payment')
  const screens = new Screens(page)
  await screens.openCart()
  const rows = page.getByRole('table').locator('tbody tr')
  await expect(rows).toHaveCount(3)
  await expectBoxes([screens.payButton(CLIENT), rows.first(), rows.last()], (pay, first, last) => {
    expect(Math.max(first.height, last.height)).toBeLessThanOrEqual(64)
    expect(pay.bottom).toBeLessThanOrEqual(first.top)
  })
  // The names of the recipients are whole.
  const names = rows.locator('summary [title]')
  await expect(names).toHaveCount(3)
  await expect.poll(() => cutTexts(names)).toEqual([])
  const whole = page.getByText('Рахунок UA21 3223 1300 0002 6007 2335 6600 1', { exact: true }).last()
  await expect(whole).toBeHidden()
  await page.getByText(/^За послуги/).click()
  await expect(whole).toBeVisible()
})

test('on a phone a cart of many clients has a line for each, which unfolds to its payments', async ({
  page,
  context,
  cabinet,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const notary = await Notary.signUp(context, cabinet)
  const clients = Array.from({ length: 11 }, (_, index) => ({
    inn: String(3_184_710_600 + index),
    full_name: `Коваленко Марія ${['Перша', 'Друга', 'Третя'][index] ?? 'Петрівна'}`,
  }))
  for (const client of clients)
    // One after the other: the cart has them in this order.
    // oxlint-disable-next-line no-await-in-loop
    await notary.addToCart('registry_payment', client)
  const screens = new Screens(page)
  await screens.openCart()
  const folds = page.locator('h2').getByRole('button')
  await expect(folds).toHaveCount(11)
  await expect(page.getByRole('table')).toHaveCount(1)
  const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight)
  // Unfolded, each takes some 400 px.
  await expect.poll(heightOf).toBeLessThanOrEqual(2200)
  const second = page.getByRole('region', { name: /Друга/ })
  await expect(second).toContainText(/1 платіж\s*Разом\s*\d/)
  await expectBoxes([second], ({ height }) => expect(height).toBeLessThanOrEqual(100))
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  const fold = second.locator('h2').getByRole('button')
  await fold.click()
  await expect(fold).toHaveAttribute('aria-expanded', 'true')
  await expect(fold).toBeFocused()
  await expect(second.getByRole('table')).toBeVisible()
  await expect(second.getByRole('button', { name: /^Сплатити/ })).toBeVisible()
  await fold.click()
  await expect(page.getByRole('table')).toHaveCount(1)
})

test('each client is paid apart, and their sums are those of the server', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment', CLIENT)
  await notary.addToCart('registry_payment', CLIENT)
  await notary.addToCart('registry_payment', OTHER)
  const { groups } = await notary.cart()
  const screens = new Screens(page)
  await screens.openCart()
  for (const group of groups) {
    const text = await screens.payButton(group.client).innerText()
    expect(kopiykasIn(text.split('–')[0] ?? '')).toBe(Math.round(group.amount * 100))
  }
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await page.getByRole('button', { name: 'Додати платіж' }).first().click()
  await expect(screens.field('Код клієнта')).toHaveValue(groups[0]?.client.inn ?? '')
  expect([...new Set(addresses)]).toEqual([`${cabinet.url}/`])
})

test('what is wrong with a payment can be told to the support', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  const screens = new Screens(page)
  await screens.openCart()
  await page.getByRole('button', { name: /^Повідомити про помилку: / }).click()
  const dialog = page.getByRole('dialog', { name: 'Помилка в платежі' })
  await dialog.getByRole('button', { name: 'Надіслати' }).click()
  await expect(dialog.getByRole('textbox')).toHaveAccessibleDescription(/Опишіть помилку в\sцьому платежі/)
  await dialog.getByRole('textbox').fill('Назва отримувача з помилкою')
  // What was written outlasts a reload.
  await page.reload()
  await page.getByRole('button', { name: /^Повідомити про помилку: / }).click()
  await expect(dialog.getByRole('textbox')).toHaveValue('Назва отримувача з помилкою')
  await dialog.getByRole('button', { name: 'Надіслати' }).click()
  await expect(page.getByText('Повідомлення надіслано до служби підтримки')).toBeVisible()
})

test('the popup keeps the focus, closes by Esc and says what is still missing', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const screens = new Screens(page)
  await screens.openCart()
  const opener = screens.payButton(CLIENT)
  await opener.click()
  await expect(screens.methods).toBeVisible()
  await expect(screens.methods.getByText('Збережених карток ще немає')).toBeVisible()
  const pay = screens.methods.getByRole('button', { name: /^Сплатити/ })
  await expect(pay).toHaveAttribute('aria-disabled', 'true')
  await expect(pay).toHaveAccessibleDescription('Виберіть картку та погодьтеся з умовами оферти')
  await screens.methods.getByRole('radio', { name: /Інша картка/ }).check()
  await expect(pay).toHaveAccessibleDescription('Оплата: на сторінці банку Погодьтеся з умовами оферти')
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    const outside = await page.evaluate(() => {
      const focused = document.activeElement
      return focused !== document.body && focused?.closest('dialog') === null
    })
    expect(outside).toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(screens.methods).toHaveCount(0)
  await expect(opener).toBeFocused()
})

for (const [width, height] of [
  [1366, 768],
  [1093, 560],
  [390, 844],
  [320, 640],
] as const)
  test(`what is paid to whom is read before it is paid, and the buttons stay in sight, at ${width} × ${height} px`, async ({
    page,
    context,
    cabinet,
  }) => {
    const notary = await Notary.signUp(context, cabinet)
    for (const kind of ['admin_payment', 'admin_payment', 'registry_payment', 'requisites_payment'] as const)
      // One after the other: the cart has them in this order.
      // oxlint-disable-next-line no-await-in-loop
      await notary.addToCart(kind, CLIENT)
    await notary.addToCart('registry_payment', OTHER)
    await page.setViewportSize({ width, height })
    const screens = new Screens(page)
    await screens.openCart()
    await screens.payButton(CLIENT).click()
    const transfers = screens.methods.getByRole('list', { name: 'Перекази' })
    await expect(transfers.getByRole('listitem')).toHaveCount(6)
    const told = (await notary.cart()).groups.find(({ client }) => client.inn === CLIENT.inn)?.items ?? []
    const text = await transfers.innerText()
    for (const { recipient_code: code, purpose } of told.flatMap((item) => item.transfers)) {
      expect(text).toContain(code)
      expect(text).toContain(purpose)
    }
    const pay = screens.methods.getByRole('button', { name: /^Сплатити/ })
    await expect(pay).toBeInViewport({ ratio: 1 })
    await expect(
      screens.methods.getByText('Виберіть картку та погодьтеся з умовами оферти').last(),
    ).toBeInViewport({ ratio: 1 })
    // What the keyboard comes to is not under the buttons.
    const last = screens.methods.getByRole('radio').last()
    await last.focus()
    await expectBoxes([last, pay], (focused, foot) => expect(focused.bottom).toBeLessThanOrEqual(foot.top))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Сплатити за всіх/ }).click()
    const all = page.getByRole('dialog', { name: 'Сплатити за всіх' })
    await all.getByText('Кому і за якими реквізитами').first().click()
    await expect(all.getByRole('list', { name: 'Перекази' }).first()).toBeVisible()
    await expect(all.getByRole('button', { name: 'Повернутися до кошика' })).toBeInViewport({ ratio: 1 })
  })

test('the popup stays to the end of a payment, however often Esc is pressed', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const held: Route[] = []
  await page.route('**/api/order/create', (route) => void held.push(route))
  const screens = new Screens(page)
  await screens.openCart()
  await screens.payInPopup(CLIENT, null)
  const pay = screens.methods.getByRole('button', { name: /^Сплатити/ })
  await expect(pay).toHaveAttribute('aria-busy', 'true')
  // A browser allows the first closings to be prevented, and not the next one.
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press('Escape')
    await expect(screens.methods).toBeVisible()
  }
  await expect.poll(() => held.length).toBe(1)
  await held[0]?.continue()
  await page.waitForURL(`${cabinet.sandbox.url}/**`)
})

test('the button to pay stands beside a usual name, and leaves a long one its line', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const long = {
    inn: '3068208400',
    full_name: 'Остроградська-Білокриницька Єлизавета-Вікторія Констянтинівна',
  }
  await notary.addToCart('registry_payment')
  await notary.addToCart('registry_payment', long)
  await page.setViewportSize({ width: 1280, height: 900 })
  const screens = new Screens(page)
  await screens.openCart()
  const places = [CLIENT, long].flatMap((client) => [
    page.getByRole('heading', { name: client.full_name }),
    screens.payButton(client),
  ]) as [Locator, Locator, Locator, Locator]
  await expectBoxes(places, (usual, beside, heading, below) => {
    expect(beside.top).toBeLessThan(usual.bottom)
    expect(heading.height).toBe(usual.height)
    expect(below.top).toBeGreaterThan(heading.bottom)
  })
})
