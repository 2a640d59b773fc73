// Does usual days' deals in the browser as a person would, and counts clicks, keys, scrolls and time; tools/bench/README.md explains the rows.
//
//   node tools/bench/effort.mjs --binary PATH [--table tools/bench/effort.md] [--pictures FOLDER] [--only WORD]

import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { Cabinet } from '../lib/cabinet.mjs'
import { extraHTTPHeaders, logInBrowser, launchOptions } from './browser.mjs'
import { Hands, isFocused } from './hands.mjs'
import { measureRoom } from './room.mjs'
import { DEALS, dayBefore } from './usual-deals.mjs'
import { verdict } from './verdict.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    table: { type: 'string' },
    pictures: { type: 'string' },
    only: { type: 'string' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

/** The deal until its payments are in the cart. */
async function describe(page, hands, deal) {
  // In the sidebar, and above the form where that has no room.
  await hands.click(page.getByRole('link', { name: 'Розрахунок платежів' }).filter({ visible: true }).first())
  const before = page.getByRole('group', { name: 'Як минулого разу' })
  await before.waitFor()
  await hands.click(before.getByRole('button', { name: deal.name, exact: true }))
  for (const [index, sum] of deal.sums.entries()) {
    if (index > 0) await hands.press('Enter')
    await hands.type(String(sum))
  }
  for (const answer of deal.otherwise)
    await hands.click(page.getByRole('radio', { name: answer, exact: true }))
  // Enter in the last sum or question goes on to the first party, past what is answered. A phone has no Enter for a question.
  if (deal.sums.length > 0 || !hands.touches) await hands.press('Enter')
  await page.getByRole('table', { name: 'Платежі за нотаріальною дією' }).waitFor()
  await page.waitForLoadState('networkidle')
  for (const [party, client] of Object.entries(deal.parties)) await name(page, hands, party, client)
  await hands.confirm(page.getByRole('button', { name: 'Додати до кошика' }))
  await page.getByRole('heading', { name: 'Кошик', level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** Names a party: by a press where the client is known, by pasting what was copied from the contract, or by typing. */
async function name(page, hands, party, client) {
  const fields = page.getByRole('group', { name: party, exact: true })
  if (client.known) {
    await hands.click(fields.getByRole('button', { name: client.full_name }).first())
    await fields.locator(`input[value="${client.full_name}"]`).waitFor()
    return
  }
  const field = fields.getByLabel('Прізвище, ім’я, по батькові або назва')
  if (!(await isFocused(field))) await hands.click(field)
  if (client.copied) await hands.paste(`${client.full_name}, РНОКПП ${client.inn}`)
  else {
    await hands.type(client.full_name)
    await hands.press('Enter')
    await hands.type(client.inn)
  }
  // Enter goes on to the next party; after the last one it sends the form.
  const others = await page.getByLabel('Прізвище, ім’я, по батькові або назва').all()
  const texts = await Promise.all(others.map((other) => other.inputValue()))
  if (texts.includes('')) await hands.press('Enter')
}

/** Pays the whole cart by the saved card, until its orders are paid. */
async function pay(page, hands) {
  const all = page.getByRole('button', { name: /^Сплатити за всіх/ })
  const one = page.locator('main section').getByRole('button', { name: /^Сплатити \d/ })
  await one.first().waitFor()
  const clients = await one.count()
  await hands.confirm(clients > 1 ? all : one)
  const dialog = page.getByRole('dialog', { name: clients > 1 ? 'Сплатити за всіх' : 'Спосіб оплати' })
  await dialog.waitFor()
  const card = dialog.getByRole('radio', { name: /4242$/ })
  await card.waitFor()
  if (!(await card.isChecked())) await hands.click(card)
  const consent = dialog.getByRole('checkbox')
  if ((await isFocused(consent)) && !hands.touches) await hands.press('Space')
  else await hands.click(consent)
  await hands.click(dialog.getByRole('button', { name: /^Сплатити \d/ }))
  // Several clients are paid before the eyes; one order is shown as paid by the archive that follows.
  if (clients > 1)
    for (let row = 0; row < clients; row += 1)
      await dialog.getByRole('listitem').nth(row).getByText('Сплачено.').waitFor()
  else {
    await page.waitForURL(/\/archive$/)
    await page
      .getByRole('region', { name: /^Замовлення/ })
      .first()
      .getByText('Сплачено')
      .first()
      .waitFor()
  }
}

const cabinet = await Cabinet.make(options.binary)
const browser = await chromium.launch(launchOptions())
const rows = []
let room = []
let numbers = 50_000
try {
  await cabinet.start()
  for (const deal of DEALS) {
    if (options.only !== undefined && !deal.what.includes(options.only)) continue
    for (const [device, screen] of Object.entries(DEVICES)) {
      numbers += 1
      const { phone } = await dayBefore(cabinet, numbers, deal)
      const context = await browser.newContext({
        locale: 'uk-UA',
        permissions: ['clipboard-read', 'clipboard-write'],
        extraHTTPHeaders,
        ...screen,
      })
      await logInBrowser(context, cabinet, phone)
      const page = await context.newPage()
      await page.goto(`${cabinet.url}/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const hands = new Hands(page, device === 'phone')
      const row = { what: deal.what, device }
      try {
        await describe(page, hands, deal)
        row.cart = hands.count()
        if (options.pictures !== undefined) {
          mkdirSync(options.pictures, { recursive: true })
          await page.screenshot({ path: `${options.pictures}/${device}-${rows.length}.png`, fullPage: true })
        }
        await pay(page, hands)
        row.paid = hands.count()
      } catch (error) {
        if (options.pictures !== undefined) {
          mkdirSync(options.pictures, { recursive: true })
          await page.screenshot({
            path: `${options.pictures}/failed-${device}-${rows.length}.png`,
            fullPage: true,
          })
        }
        throw new Error(`${deal.what}, ${device}: ${error.message}`, { cause: error })
      }
      rows.push(row)
      process.stdout.write(`${line(row)}\n`)
      await context.close()
    }
  }
  if (options.only === undefined || options.only === 'room')
    room = await measureRoom(cabinet, browser, options.pictures)
} finally {
  await browser.close()
  await cabinet.end()
  cabinet.remove()
}

function figures({ clicks, keys, scrolls, seconds }) {
  return `${clicks} | ${keys} | ${scrolls} | ${seconds.toFixed(0)}`
}

function line({ what, device, cart, paid }) {
  return `| ${what} | ${device} | ${figures(cart)} | ${figures(paid)} |`
}

const head = [
  '| deal | screen | to the cart: clicks | keys | scrolls | s | to the payment: clicks | keys | scrolls | s |',
  '| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |',
]
const table = [...head, ...rows.map(line)].join('\n')
const roomTable = [
  '| what | measured | limit |',
  '| --- | --: | --: |',
  ...room.map(
    ({ what, figure, limit, isLeast }) => `| ${what} | ${figure} | ${isLeast ? '≥' : '≤'} ${limit} |`,
  ),
].join('\n')
process.stdout.write(`\n${table}\n\n${roomTable}\n\n`)
if (options.table !== undefined && options.only === undefined)
  writeFileSync(
    options.table,
    `# The effort of deals\n\nWritten by \`make effort\`; [Speed](README.md#effort) explains the columns.\n\n${table}\n\n## Room\n\n${roomTable}\n`,
  )

let good = room.every(({ figure, limit, isLeast }) => (isLeast ? figure >= limit : figure <= limit))
for (const { most, ...deal } of DEALS) {
  if (most === undefined) continue
  for (const row of rows.filter(({ what }) => what === deal.what)) {
    const { clicks, keys } = row.paid
    const reached = clicks <= most.clicks && keys <= most.keys
    good &&= reached
    process.stdout.write(
      `${`${row.what}, ${row.device}: ${clicks} clicks, ${keys} keys until it is paid`.padEnd(90)} at most ${most.clicks} and ${most.keys}  ${reached ? 'ok' : 'NOT REACHED'}\n`,
    )
  }
}
process.exitCode = verdict(good)
