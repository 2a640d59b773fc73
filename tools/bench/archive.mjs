// Measures the archive of a notary with many orders in the browser, and prints one table; tools/bench/README.md explains the rows.
//
//   node tools/bench/archive.mjs --binary PATH [--orders 5000] [--pages 25]

import { parseArgs } from 'node:util'
import { Cabinet } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { median } from '../lib/statistics.mjs'
import { openBrowser, logInBrowser } from './browser.mjs'
import { seedOrders } from './seed-orders.mjs'
import { verdict } from './verdict.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    orders: { type: 'string', default: '5000' },
    // Pages that are scrolled through.
    pages: { type: 'string', default: '25' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')

/** Limit of the time from an action to the frame that shows it, in milliseconds. */
const ACTION_MOST = 100
const LOADS = 5

let good = true

function row(what, value, most, aim) {
  const reached = value <= most
  good &&= reached
  process.stdout.write(
    `${what.padEnd(55)} ${value.toFixed(0).padStart(6)} ms  at most ${most}, aim ${aim}`.padEnd(100) +
      `${reached ? 'ok' : 'NOT REACHED'}\n`,
  )
}

/** Runs in the page. Measures the longest time between two frames and from an event to its frame, since the last reading. */
function watchFrames() {
  window.longest = { frame: 0, event: 0 }
  let before = performance.now()
  const tick = (now) => {
    window.longest.frame = Math.max(window.longest.frame, now - before)
    before = now
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.longest.event = Math.max(window.longest.event, duration)
  }).observe({ type: 'event', durationThreshold: 16 })
}

async function longest(page) {
  return page.evaluate(() => {
    const seen = window.longest
    window.longest = { frame: 0, event: 0 }
    return seen
  })
}

/** Finds orders by a selector of the browser. A search by text would read hundreds of orders, and the measurement would include it. */
const ORDER = 'main section[aria-label^="Замовлення"]'

const countOrders = (page) => page.evaluate((order) => document.querySelectorAll(order).length, ORDER)

const cabinet = await Cabinet.make(options.binary)
try {
  await cabinet.start()
  await cabinet.end()
  seedOrders(cabinet.database, PHONE, Number(options.orders))
  await cabinet.start()
  const { context, close } = await openBrowser()
  try {
    await logInBrowser(context, cabinet, PHONE)
    const page = await context.newPage()

    // At its first page a new browser loads its own parts from the disk. The median leaves that out.
    const devtools = await context.newCDPSession(page)
    const loads = []
    for (let time = 1; time <= LOADS; time += 1) {
      await page.goto('about:blank')
      await devtools.send('Network.clearBrowserCache')
      const began = performance.now()
      await page.goto(`${cabinet.url}/archive`, { waitUntil: 'commit' })
      await page.waitForSelector(ORDER)
      loads.push(performance.now() - began)
    }
    row(`first rows of ${options.orders} orders, empty cache`, median(loads), 1000, 500)

    await page.evaluate(watchFrames)
    // Scrolls by the wheel through one page after the other.
    for (let time = 1; time <= Number(options.pages); time += 1) {
      const shown = await countOrders(page)
      await page.mouse.move(600, 500)
      while ((await countOrders(page)) === shown) {
        await page.mouse.wheel(0, 600)
        await page.evaluate(() => new Promise(requestAnimationFrame))
      }
    }
    const shown = await countOrders(page)
    row(`scrolling through ${shown} orders, longest frame`, (await longest(page)).frame, ACTION_MOST, 50)

    await page.evaluate(() => window.scrollTo(0, 0))
    await longest(page)
    const search = await page.waitForSelector('input[type=search]')
    await search.focus()
    await page.keyboard.type('гнатюк', { delay: 60 })
    row(`typing with ${shown} orders shown, longest event`, (await longest(page)).event, ACTION_MOST, 50)

    const sought = performance.now()
    await search.fill('нікого такого')
    await page.waitForFunction((order) => document.querySelector(order) === null, ORDER)
    await page.getByText('За цими фільтрами нічого не знайдено').waitFor()
    row('a search that finds nothing, with 400 ms of rest', performance.now() - sought, 1000, 600)
  } finally {
    await close()
  }
} finally {
  await cabinet.end()
  cabinet.remove()
}
process.exitCode = verdict(good)
