// Measures the login and the signed-in form of a payment with Lighthouse, as on a mid-range phone on a slow mobile line, and
// prints one table; tools/bench/README.md explains the rows.
//
//   node tools/bench/lighthouse.mjs --binary PATH [--runs 3] [--reports FOLDER]

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import lighthouse from 'lighthouse'
import { Cabinet } from '../lib/cabinet.mjs'
import { freePort } from '../lib/network.mjs'
import { PHONE } from '../lib/notary.mjs'
import { median } from '../lib/statistics.mjs'
import { extraHTTPHeaders, openBrowser, logInBrowser } from './browser.mjs'
import { verdict } from './verdict.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    runs: { type: 'string', default: '3' },
    reports: { type: 'string' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')

const PAGES = [
  { name: 'login', path: '/login', signedIn: false },
  { name: 'payment', path: '/', signedIn: true },
]

/** What is measured: the limit, then the aim. Scores are out of 100. */
const FIGURES = [
  {
    what: 'performance',
    of: (result) => result.categories.performance.score * 100,
    unit: '',
    least: 95,
    aim: 100,
  },
  {
    what: 'accessibility',
    of: (result) => result.categories.accessibility.score * 100,
    unit: '',
    least: 100,
    aim: 100,
  },
  {
    what: 'best practices',
    of: (result) => result.categories['best-practices'].score * 100,
    unit: '',
    least: 100,
    aim: 100,
  },
  { what: 'first contentful paint', of: audit('first-contentful-paint'), unit: 'ms', most: 2000, aim: 1500 },
  {
    what: 'largest contentful paint',
    of: audit('largest-contentful-paint'),
    unit: 'ms',
    most: 2500,
    aim: 1500,
  },
  { what: 'total blocking time', of: audit('total-blocking-time'), unit: 'ms', most: 200, aim: 80 },
  {
    what: 'cumulative layout shift',
    of: audit('cumulative-layout-shift'),
    unit: '',
    most: 0.02,
    aim: 0.01,
    digits: 3,
  },
  {
    what: 'bytes over the line',
    of: (result) => result.audits['total-byte-weight'].numericValue / 1000,
    unit: 'kB',
    most: 400,
    aim: 300,
  },
]

function audit(name) {
  return (result) => result.audits[name].numericValue
}

/** One run in a new browser with an empty cache, as at a first visit. */
async function run(cabinet, { path, signedIn }) {
  const port = await freePort()
  const { context, close } = await openBrowser(port)
  try {
    if (signedIn) await logInBrowser(context, cabinet, PHONE)
    const { lhr } = await lighthouse(`${cabinet.url}${path}`, {
      port,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices'],
      extraHeaders: extraHTTPHeaders,
      // Otherwise the session would be gone before the page opens.
      disableStorageReset: true,
    })
    if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message)
    if (new URL(lhr.finalDisplayedUrl).pathname !== path)
      throw new Error(`${path} led to ${lhr.finalDisplayedUrl}`)
    return lhr
  } finally {
    await close()
  }
}

const cabinet = await Cabinet.make(options.binary)
let good = true
try {
  await cabinet.start()
  for (const page of PAGES) {
    const results = []
    for (let time = 0; time < Number(options.runs); time += 1) results.push(await run(cabinet, page))
    if (options.reports !== undefined) {
      mkdirSync(options.reports, { recursive: true })
      results.forEach((result, index) =>
        writeFileSync(
          join(options.reports, `${page.name}-${index + 1}.json`),
          JSON.stringify(result, null, 1),
        ),
      )
    }
    process.stdout.write(`\n${page.name} (${page.path}), median of ${results.length}\n`)
    for (const { what, of, unit, least, most, aim, digits = 0 } of FIGURES) {
      const value = median(results.map(of))
      const reached = least === undefined ? value <= most : value >= least
      good &&= reached
      const limit = least === undefined ? `at most ${most}, aim ${aim}` : `at least ${least}, aim ${aim}`
      process.stdout.write(
        `  ${what.padEnd(26)} ${value.toFixed(digits).padStart(7)} ${unit.padEnd(2)}  ${limit.padEnd(26)} ${reached ? 'ok' : 'NOT REACHED'}\n`,
      )
    }
    const faults = Object.values(results[0].audits).filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 1 && scoreDisplayMode === 'binary',
    )
    for (const { id, title } of faults) process.stdout.write(`  fails: ${id}: ${title}\n`)
  }
} finally {
  await cabinet.end()
  cabinet.remove()
}
process.exitCode = verdict(good)
