// How much room the pages take, and how far the hands have to go: heights, the first field, the rows in sight, Tabs and keys.

import { extraHTTPHeaders, logInBrowser } from './browser.mjs'
import { dayBefore, DEALS } from './usual-deals.mjs'
import { addFee, addRequisites, CLIENTS, ownAccount } from './usual-payments.mjs'

const LAPTOP = { width: 1366, height: 768 }
/** The same laptop where the system magnifies by 125 %. */
const MAGNIFIED = { width: 1093, height: 614 }
const DESK = { width: 1920, height: 1080 }
const PHONE = { width: 390, height: 844 }

const [KNOWN] = CLIENTS
const NEW = { inn: '2894512347', full_name: 'Коваль Ігор Ілліч' }

const sizeOf = ({ width, height }) => `${width}×${height}`

/** How many of the elements are in the window as a whole. */
const countWhole = (locator) =>
  locator.evaluateAll(
    (all) =>
      all.filter((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }).length,
  )

/** A page of a notary, and what is measured of it. */
class Room {
  rows = []

  constructor(cabinet, page, pictures) {
    this.cabinet = cabinet
    this.page = page
    this.pictures = pictures
  }

  async open(path, size = LAPTOP) {
    await this.page.setViewportSize(size)
    await this.page.goto(`${this.cabinet.url}${path}`)
    await this.page.locator('#main').getByRole('heading', { level: 1 }).waitFor()
    await this.settle()
  }

  async settle() {
    await this.page.waitForLoadState('networkidle')
    await this.page.waitForTimeout(300)
  }

  async picture(name, fullPage = true) {
    if (this.pictures === undefined) return
    await this.page.screenshot({ path: `${this.pictures}/room-${name}.png`, fullPage })
  }

  /** `isLeast`: the limit is the least, not the most. */
  tell(what, figure, limit, isLeast = false) {
    this.rows.push({ what, figure, limit, isLeast })
    process.stdout.write(`${what}: ${figure} (${isLeast ? 'at least' : 'at most'} ${limit})\n`)
  }

  height() {
    return this.page.evaluate(() => document.documentElement.scrollHeight)
  }

  async topOf(locator) {
    return Math.round((await locator.boundingBox()).y)
  }

  /** Presses Tab until the target has the focus. Returns how often. */
  async tabsTo(target) {
    for (let tabs = 0; tabs <= 60; tabs += 1) {
      if (await target.evaluate((one) => one.contains(document.activeElement))) return tabs
      await this.page.keyboard.press('Tab')
    }
    return Number.NaN
  }

  async type(text) {
    await this.page.keyboard.type(text)
    return Array.from(text).length
  }
}

/** The form of a fee whose service is chosen by its first letters; the rest is as the last time. Returns the keys. */
async function fillForm(room, client, isKnown) {
  const { page } = room
  await page.locator('#main form input:visible').first().focus()
  let keys = await room.type(isKnown ? client.inn.slice(0, 4) : client.inn)
  if (isKnown) {
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    keys += 2
  } else {
    await page.keyboard.press('Tab')
    keys += 1 + (await room.type(client.full_name))
  }
  keys += await room.tabsTo(page.getByLabel('Послуга', { exact: true }))
  // The first service of the list.
  await page.keyboard.press('ArrowDown')
  await page.getByRole('group', { name: 'Як минулого разу' }).waitFor()
  await room.settle()
  return keys + 1
}

async function add(room) {
  await room.page.keyboard.press('Control+Enter')
  await room.page.getByText('Платіж додано до кошика').first().waitFor()
  return 1
}

async function measureForm(room) {
  const { page } = room
  const name = `form, ${sizeOf(LAPTOP)}`
  await room.open('/')
  room.tell(
    `${name}: y of the first field`,
    await room.topOf(page.locator('#main form input:visible').first()),
    200,
  )
  await room.picture('form-empty', false)
  let keys = await fillForm(room, KNOWN, true)
  await room.picture('form-filled', false)
  const { y, height } = await page.getByRole('form', { name: 'Новий платіж' }).boundingBox()
  room.tell(`${name}: y of its end`, Math.round(y + height), 690)
  const total = page.getByRole('region', { name: 'Разом до сплати' })
  room.tell(`${name}: panels of the total in sight`, await countWhole(total), 1, true)
  await page.locator('[data-client-name]').focus()
  const tabs = await room.tabsTo(page.getByRole('button', { name: 'Додати до кошика' }))
  room.tell('form: Tabs from the client’s name to «Додати»', tabs, 7)
  keys += await add(room)
  room.tell('form: keys for a known client', keys, 19)
  await room.open('/')
  keys = await fillForm(room, NEW, false)
  keys += await add(room)
  room.tell('form: keys for a new client', keys, 40)
  await room.open('/', PHONE)
  await room.picture('form-phone')
}

async function measureCart(room, notary) {
  for (const { items } of (await notary.cart()).groups)
    for (const { id } of items) await notary.post('/cart/item/delete', { cart_item_id: id })
  for (const [index, client] of CLIENTS.entries())
    for (let count = 0; count < (index < 3 ? 5 : 4); count += 1)
      await (count % 3 === 2 ? addRequisites : addFee)(notary, client)
  await room.open('/cart')
  await room.picture('cart')
  const name = `cart with 23 payments of 5 clients, ${sizeOf(LAPTOP)}`
  room.tell(`${name}: height`, await room.height(), 2200)
  const highest = await room.page
    .locator('table tbody tr')
    .evaluateAll((all) => Math.max(...all.map((one) => Math.round(one.offsetHeight))))
  room.tell(`${name}: the highest row`, highest, 64)
  for (const size of [MAGNIFIED, DESK, PHONE]) {
    await room.open('/cart', size)
    await room.picture(`cart-${size.width}`)
  }
}

async function measureOrders(room, notary) {
  for (let count = 0; count < 2; count += 1) await addFee(notary, KNOWN)
  await notary.payAll({ save: true })
  for (let count = 0; count < 14; count += 1) {
    await addFee(notary, CLIENTS[count % CLIENTS.length])
    await notary.payAll({ save: true })
  }
  const { orders } = await notary.get('/order')
  const { id } = orders.find(({ items }) => items.length === 7)
  const receipts = room.page
    .locator('#main')
    .getByRole('button', { name: /[Кк]витанц/ })
    .first()
  await room.open(`/order/${id}`)
  await room.picture('order')
  const name = `order of 7 payments, ${sizeOf(LAPTOP)}`
  room.tell(`${name}: height`, await room.height(), 1500)
  room.tell(`${name}: y of the receipts`, await room.topOf(receipts), 250)
  await room.open(`/order/${id}`, PHONE)
  await room.picture('order-phone')
  room.tell(`order of 7 payments, ${sizeOf(PHONE)}: height`, await room.height(), 2700)
}

async function measureArchive(room) {
  const orders = room.page.getByRole('region', { name: /^Замовлення/ })
  for (const [size, least] of [
    [LAPTOP, 11],
    [MAGNIFIED, 6],
    [DESK, 17],
  ]) {
    await room.open('/archive', size)
    await room.picture(`archive-${size.width}`, false)
    room.tell(`archive, ${sizeOf(size)}: whole rows`, await countWhole(orders), least, true)
  }
  await room.open('/archive', PHONE)
  await room.picture('archive-phone', false)
  await room.open('/archive')
  await room.page.locator('#main').getByRole('heading', { level: 1 }).focus()
  room.tell('archive: Tabs to the first row', await room.tabsTo(orders.first()), 12)
}

/** A sheet of thirty payments, nine of them with a wrong code. */
async function measureSheet(room) {
  const head = 'Вид платежу;Код клієнта;Клієнт;Отримувач;Рахунок IBAN;Код отримувача;Призначення;Сума'
  const lines = Array.from({ length: 30 }, (_, index) => {
    const { inn, full_name: name } = CLIENTS[index % CLIENTS.length]
    const code = index % 3 === 1 && index < 27 ? '12' : inn
    const recipient = 'ТОВ «Приклад»;UA213223130000026007233566001;37193071'
    return `Платіж за реквізитами;${code};${name};${recipient};За послуги, код ${inn};${index + 10},50`
  })
  await room.open('/sheet')
  await room.page
    .getByRole('textbox', { name: 'Або вставте рядки таблиці' })
    .fill([head, ...lines].join('\n'))
  await room.page.getByRole('button', { name: 'Прочитати рядки' }).click()
  await room.page.getByRole('table').waitFor()
  await room.settle()
  await room.picture('sheet')
  room.tell(`sheet of 30 rows, ${sizeOf(LAPTOP)}: height`, await room.height(), 1900)
}

async function measureDeal(room, deal) {
  const { page } = room
  await room.open('/deal')
  const before = page.getByRole('group', { name: 'Як минулого разу' })
  await before.getByRole('button', { name: deal.name, exact: true }).click()
  for (const [index, sum] of deal.sums.entries()) {
    if (index > 0) await page.keyboard.press('Enter')
    await room.type(String(sum))
  }
  await page.getByRole('table', { name: 'Платежі за нотаріальною дією' }).waitFor()
  await room.settle()
  await room.picture('deal')
  room.tell(`deal of a flat, ${sizeOf(LAPTOP)}: height`, await room.height(), 1500)
}

/** Measures the pages. Returns rows of what was measured, the figure, and its limit. */
export async function measureRoom(cabinet, browser, pictures) {
  const rows = []
  const pageOf = async (phone) => {
    const context = await browser.newContext({ locale: 'uk-UA', extraHTTPHeaders, viewport: LAPTOP })
    await logInBrowser(context, cabinet, phone)
    const room = new Room(cabinet, await context.newPage(), pictures)
    return { room, close: () => (rows.push(...room.rows), context.close()) }
  }
  const notary = await cabinet.signUp(59_000)
  await ownAccount(notary)
  // A usual account has paid before: the fee of another client, and something else of the known one.
  await addFee(notary, CLIENTS[4])
  await addRequisites(notary, KNOWN)
  await notary.payAll({ save: true })
  const usual = await pageOf(notary.phone)
  await measureForm(usual.room)
  await measureCart(usual.room, notary)
  await measureOrders(usual.room, notary)
  await measureArchive(usual.room)
  await measureSheet(usual.room)
  await usual.close()
  const [deal] = DEALS
  const { phone } = await dayBefore(cabinet, 59_001, deal)
  const dealing = await pageOf(phone)
  await measureDeal(dealing.room, deal)
  await dealing.close()
  return rows
}
