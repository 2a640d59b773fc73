import type { Locator, Page } from '@playwright/test'
import { cutTexts, expectBoxes, type Box } from '../support/boxes.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { textOfPdf } from '../support/pdf.ts'
import { PEOPLE } from '../support/people.ts'
import { listening } from '../support/realtime.ts'
import { expectSaid } from '../support/said.ts'
import { CARDS } from '../support/sandbox.ts'
import { begins, headingOf, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { lastSumIn, LANGUAGES } from '../support/words.ts'
import { rowsOfWorkbook } from '../support/workbook.ts'

const test = testWithCabinet('archive')
const OTHER = { inn: '37193071', full_name: 'ТОВ «Приклад»' }

async function downloaded(page: Page, act: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download')
  await act()
  const file = await waiting
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) }
}

/** The last sum of a row. Its lines are kept apart: a recipient's name may end with digits. */
const sumOf = async (row: Locator): Promise<number> =>
  lastSumIn((await row.innerText()).replaceAll('\n', ' | '))

test('a demo notary has a history, and the sums of the screen are those of the server', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.logIn(context, cabinet, PEOPLE.byCode)
  const { orders } = await notary.get<{ orders: { number: string; sum: number }[] }>('/order?limit=50')
  expect(orders.length).toBeGreaterThan(0)
  const screens = new Screens(page)
  await page.goto('/archive')
  for (const order of orders.slice(0, 5)) {
    const row = screens.order(order.number)
    // A row that is far from the window is not drawn, and has no text on the screen.
    await row.scrollIntoViewIfNeeded()
    await expect(row).toContainText(order.number, { useInnerText: true })
    await expect.poll(() => sumOf(row)).toBe(Math.round(order.sum * 100))
    await screens.openOrder(order.number)
    await expect.poll(() => sumOf(row)).toBe(Math.round(order.sum * 100))
  }
})

for (const language of LANGUAGES) {
  test(`${language}: search, status and period work together, stay in the address without a name, and Back undoes them`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    await notary.paidOrder('registry_payment', CARDS.pays)
    await notary.paidOrder('registry_payment', CARDS.pays, OTHER)
    await notary.addToCart('registry_payment')
    await notary.orderCart()

    const screens = new Screens(page, language)
    await page.goto('/archive')
    const blocks = screens.orders
    await expect(blocks).toHaveCount(3)
    await screens.list('Статус').selectOption({ label: screens.say('Сплачено') })
    await expect(blocks).toHaveCount(2)
    await expect(page).toHaveURL(/status=paid/)
    await page.getByRole('searchbox').fill('коваленко')
    await expect(blocks).toHaveCount(1)
    expect(decodeURIComponent(page.url())).not.toMatch(/коваленко/i)
    await page.getByRole('searchbox').fill('нікого такого')
    await expect(page.getByText(screens.say('За цими фільтрами нічого не знайдено'))).toBeVisible()
    await screens.button('Скинути фільтри').first().click()
    await expect(blocks).toHaveCount(3)
    await page.goBack()
    await expect(page).toHaveURL(/status=paid/)
  })
}

test('what stands in a row can be selected, and a press of the row opens it', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const order = await notary.paidOrder('admin_payment', CARDS.pays)
  await page.goto('/archive')
  const row = page.getByRole('region', { name: `Замовлення № ${order.number}` })
  const details = row.getByRole('button', { name: `Подробиці замовлення № ${order.number}` })
  const name = row.getByText(order.client.full_name)
  const { width, height } = await name.evaluate((shown) => shown.getBoundingClientRect().toJSON() as Box)
  const y = height / 2
  await name.hover({ position: { x: 1, y } })
  await page.mouse.down()
  await name.hover({ position: { x: width - 1, y } })
  await page.mouse.up()
  const selected = await page.evaluate(() => window.getSelection()?.toString() ?? '')
  expect(selected.length).toBeGreaterThan(5)
  expect(order.client.full_name).toContain(selected.trim())
  await expect(details).toHaveAttribute('aria-expanded', 'false')
  await name.click({ position: { x: 5, y } })
  await expect(details).toHaveAttribute('aria-expanded', 'true')
})

test('a status takes one line on a laptop in both languages', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  await notary.orderCart()
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto('/archive')
  const heights: number[] = []
  for (const [text, next] of [
    ['Очікує оплати', 'Eng'],
    ['Awaiting payment', null],
  ] as const) {
    const status = page.getByRole('main').getByRole('region', { name: /\d/ }).getByText(text, { exact: true })
    // oxlint-disable-next-line no-await-in-loop -- one language after the other
    await expectBoxes([status], ({ height }) => {
      expect(height).toBeLessThan(30)
      expect(heights[0] ?? height).toBe(height)
      heights.push(height)
    })
    // oxlint-disable-next-line no-await-in-loop
    if (next !== null) await page.getByText(next, { exact: true }).click()
  }
})

for (const [width, height, rows, most] of [
  [1366, 768, 11, 48],
  [1093, 614, 6, 67],
  [1920, 1080, 17, 48],
] as const)
  test(`${rows} orders with time, code and buttons have room at ${width} × ${height} px`, async ({
    page,
    context,
    cabinet,
  }) => {
    const notary = await Notary.signUp(context, cabinet)
    // Of two payments, so that each of its buttons is as wide as it gets.
    await notary.addToCart('requisites_payment')
    await notary.paidOrder('admin_payment', CARDS.pays)
    await notary.addToCart('registry_payment')
    await notary.orderCart()
    await page.setViewportSize({ width, height })
    await page.goto('/archive')
    const orders = new Screens(page).orders
    await expect(orders).toHaveCount(2)
    for (const order of await orders.all()) {
      await expect(order.getByRole('button', { name: /^Оновити статус/ })).toBeInViewport({ ratio: 1 })
      await expect(order).toContainText(CLIENT.inn)
      await expect(order).toContainText(/\d\d:\d\d:\d\d/)
      await expectBoxes([order], (row) => expect(row.height).toBeLessThanOrEqual(most))
    }
    // Below the name of its client there is room for the kind.
    const kind = orders.getByTitle('Платіж за реквізитами')
    if (width === 1093) await expect.poll(() => cutTexts(kind)).toEqual([])
    const receipts = orders.getByRole('button', { name: /^Завантажити квитанції/ })
    await expectBoxes([receipts.getByText('Квитанції', { exact: true })], (word) =>
      expect(word.width).toBeGreaterThan(50),
    )
    await receipts.click()
    await expectBoxes([page.getByRole('menu')], (menu) => expect(menu.right).toBeLessThanOrEqual(width))
    await page.keyboard.press('Escape')
    await expectBoxes([orders.first(), headingOf(page)], (first, heading) => {
      // Where the heading stands without the notices of a newcomer and of an unpaid order.
      const above = 116 + first.y - heading.y
      expect(Math.floor((height - above) / most)).toBeGreaterThanOrEqual(rows)
    })
    // The first row is not far for the keyboard.
    await page.getByRole('heading', { level: 1 }).focus()
    let tabs = 0
    while (!(await orders.first().evaluate((row) => row.contains(document.activeElement)))) {
      await page.keyboard.press('Tab')
      tabs += 1
    }
    expect(tabs).toBeLessThanOrEqual(12)
  })

test('a date is typed by the keyboard, and Back leads to before it was', async ({
  page,
  context,
  cabinet,
}) => {
  await Notary.signUp(context, cabinet)
  await page.goto('/archive?status=paid')
  await page.getByRole('button', { name: /^Період/ }).click()
  const from = page.getByLabel('Від дати')
  await from.focus()
  await page.keyboard.type('5 листопада 2026')
  await expect(page).toHaveURL(/from=2026-11-05/)
  await page.keyboard.press('Tab')
  await expect(from).toHaveValue('05.11.2026')
  await page.goBack()
  await expect(page).toHaveURL(/status=paid$/)
  await expect(from).toHaveValue('')
})

for (const language of LANGUAGES) {
  test(`what a filter finds is taken away as a table, in ${language}`, async ({ page, context, cabinet }) => {
    await speak(page, language)
    const screens = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const paid = await notary.paidOrder('admin_payment', CARDS.pays)
    const formula = { inn: '2933812345', full_name: '=HYPERLINK("http://example.com")' }
    await notary.paidOrder('requisites_payment', CARDS.pays, formula)
    await notary.addToCart('registry_payment')
    const unpaid = await notary.orderCart()

    await page.goto('/archive')
    await expect(page.getByText(unpaid.number).first()).toBeVisible()
    await screens.list('Статус').selectOption({ label: screens.say('Сплачено') })
    await expect(page.getByText(unpaid.number)).toHaveCount(0)
    const blocks = screens.orders
    await expect(blocks).toHaveCount(2)
    for (const block of await blocks.all())
      await expect(block).toContainText(/\d[,.]\d{2}/, { useInnerText: true })
    const shown = (await blocks.allInnerTexts()).map(lastSumIn)

    const [table, said] = await Promise.all([
      downloaded(page, () => screens.button('Експортувати в таблицю').click()),
      expectSaid(page, /Archive-[\d-]+\.xlsx/),
    ])
    expect(table.name).toMatch(/^Archive-\d{4}-\d{2}-\d{2}\.xlsx$/)
    expect(said).toContain(table.name)
    const [heading, ...rows] = rowsOfWorkbook(table.bytes)
    const [all, ofPaid, ofCodes, refunded] = rows.splice(-4)
    // The same payments and sums as on the screen, and the sums are numbers.
    expect(rows.map((row) => Math.round(Number(row['S']) * 100))).toEqual(shown)
    expect([all, ofPaid, ofCodes, refunded].map((row) => row?.['B'])).toEqual([2, 2, 0, 0])
    expect(ofPaid?.['S']).toBe(shown.reduce((sum, one) => sum + one, 0) / 100)
    expect(rows.map((row) => row['C'])).toEqual([formula.full_name, CLIENT.full_name])
    expect(rows.map((row) => row['D'])).toEqual([formula.inn, CLIENT.inn])
    expect(rows.at(1)?.['A']).toBe(Number(paid.number))
    expect(heading?.['C']).toBe(language === 'uk' ? 'Клієнт' : 'Client')
  })
}

for (const language of LANGUAGES) {
  test(`${language}: receipts of an item and of an order open, and the ZIP is whole`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const screens = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const order = await notary.paidOrder('admin_payment', CARDS.pays)
    const [item] = order.items
    await page.goto('/archive')
    await screens.openOrder()
    await page.getByRole('button', { name: begins(screens.say('Квитанція: {name}')) }).click()
    const ofItem = await downloaded(page, () =>
      page.getByRole('menuitem', { name: screens.say('Квитанція про сплату') }).click(),
    )
    expect(ofItem.name).toBe(`Receipt-payment-${item?.id}.pdf`)
    expect(textOfPdf(ofItem.bytes)).toContain(order.number)

    await page
      .getByRole('button', { name: begins(screens.say('Завантажити квитанції замовлення № {number}')) })
      .click()
    const archive = await downloaded(page, () =>
      page.getByRole('menuitem', { name: screens.say('Усі квитанції (ZIP)') }).click(),
    )
    expect(archive.name).toMatch(/\.zip$/)
    expect(archive.bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    expect(archive.bytes.includes(Buffer.from('%PDF-'))).toBe(true)
  })
}

test('an open list stays in the window when a telephone is turned', async ({ page, context, cabinet }) => {
  const screens = new Screens(page)
  const notary = await Notary.signUp(context, cabinet)
  await notary.paidOrder('admin_payment', CARDS.pays)
  await page.goto('/archive')
  await screens.openOrder()
  const list = page.getByRole('menu')
  for (const [from, to] of [
    [1280, 390],
    [390, 1280],
    [844, 320],
  ] as const) {
    await page.setViewportSize({ width: from, height: 700 })
    await page.getByRole('button', { name: begins(screens.say('Квитанція: {name}')) }).click()
    await page.setViewportSize({ width: to, height: 700 })
    // The page is laid out anew some frames after the window has changed, and the list follows it.
    await expectBoxes([list], ({ left, right }) => {
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(to)
    })
    await page.keyboard.press('Escape')
  }
})

test('an open archive follows a payment at once', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCart()
  const heard = listening(page)
  await page.goto('/archive')
  await heard
  const block = screens.order(order.number)
  await expect(block.getByText(screens.say('Очікує оплати')).first()).toBeVisible()
  await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
  // A page that has subscribed polls only after two minutes.
  await expect(block.getByText(screens.say('Сплачено')).first()).toBeVisible()
})

test('the status is asked for on demand, and an unpaid order offers its link', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCart()
  const screens = new Screens(page)
  await page.goto('/archive')
  await screens.openOrder(order.number)
  const link = page.getByRole('link', { name: /^Сплатити \d/ })
  await expect(link).toHaveAttribute('href', order.widget_url ?? '')
  await expect(link).toHaveAttribute('target', '_blank')
  await cabinet.sandbox.setFaults([{ service: 'reports', kind: 'drop', calls: 20 }])
  await cabinet.sandbox.pay((order.widget_url ?? '').split('/').at(-1) ?? '', CARDS.pays)
  await page.getByRole('button', { name: /^Оновити статус замовлення/ }).click()
  await expect(screens.order(order.number).getByText('Сплачено').first()).toBeVisible()
  await expect(link).toHaveCount(0)
})

for (const language of LANGUAGES) {
  test(`${language}: a repeated payment fills the form and leaves the address clean`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    await notary.paidOrder('requisites_payment', CARDS.pays)
    const screens = new Screens(page, language)
    await page.goto('/archive')
    await screens.openOrder()
    await page.getByRole('link', { name: begins(screens.say('Повторити: {name}')) }).click()
    await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue(CLIENT.full_name)
    await expect(screens.field('Рахунок IBAN отримувача')).toHaveValue(/^UA21/)
    await expect(screens.field('Сума')).toHaveValue(/340[,.]50/)
    await expect(page).toHaveURL(`${cabinet.url}/`)
    // It was paid a moment ago, and nothing was changed.
    await screens.addToCartTwice()
  })
}

test("another notary's order is answered like an unknown one", async ({
  context,
  browser,
  page,
  cabinet,
}) => {
  const owner = await Notary.signUp(context, cabinet)
  const order = await owner.paidOrder('registry_payment', CARDS.pays)
  const strangers = await browser.newContext()
  const stranger = await Notary.signUp(strangers, cabinet)
  for (const path of [
    `/order/${order.id}`,
    `/order/${order.id}/status`,
    `/order/${order.id}/update/pay-link`,
    `/order/${order.id}/receipt?receipt_type=payment`,
    `/order/${order.id}/receipts`,
    `/order/item/${order.items[0]?.id}/receipt?receipt_type=payment`,
    `/order/item/${order.items[0]?.id}/repeat`,
  ]) {
    expect(await stranger.statusOf(path), path).toBe(404)
    expect(await owner.statusOf(path), path).not.toBe(404)
  }
  await strangers.close()
  await page.close()
})
