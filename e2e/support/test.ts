import { test as base, expect, type Page, type Request } from '@playwright/test'
import { startCabinet, type Cabinet } from './cabinet.ts'
import { keepWhatIsSaid } from './said.ts'
import { ask, scan, type Traffic } from './scan.ts'

interface WorkerThings {
  cabinet: Cabinet
  /** What the browser sends in all tests of the file. */
  traffic: Traffic
}

interface TestThings {
  /** Keeps what is said, fails the test for script errors, foreign requests and leaked card numbers, and ends its faults. */
  watched: undefined
}

/**
 * The `test` of one file: a cabinet of its own, started for the first test and stopped after the last one.
 * `environment` changes settings of the server for this file alone.
 */
export function testWithCabinet(name: string, environment: Record<string, string> = {}) {
  return base.extend<TestThings, WorkerThings>({
    traffic: [
      async ({}, use) => {
        await use({ addresses: new Set(), tokens: new Set() })
      },
      { scope: 'worker' },
    ],
    cabinet: [
      async ({ traffic }, use, worker) => {
        const cabinet = await startCabinet(`${name}-${worker.workerIndex}`, environment)
        await use(cabinet)
        const told = await ask(cabinet)
        let leaks: string[] = []
        await cabinet.stop(() => {
          leaks = scan(cabinet, traffic, told)
        })
        expect(leaks, 'personal data, tokens or cards where none may be').toEqual([])
      },
      { scope: 'worker', timeout: 300_000 },
    ],
    baseURL: async ({ cabinet }, use) => {
      await use(cabinet.url)
    },
    watched: [
      async ({ context, cabinet, traffic }, use) => {
        const complaints: string[] = []
        const watch = (page: Page): void => {
          // A page that is closed at once needs no slowness.
          slowDown(page).catch(() => undefined)
          page.on('pageerror', (error) =>
            complaints.push(`a script failed at ${page.url()}: ${error.message}`),
          )
        }
        await keepWhatIsSaid(context)
        context.pages().forEach(watch)
        context.on('page', watch)
        context.on('request', (request) => {
          complaints.push(...complaintsAbout(request, cabinet))
          record(request, cabinet, traffic)
        })
        await use(undefined)
        // An answer that is still held when the test ends is no fault of the page.
        await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
        for (const cookie of await context.cookies(cabinet.url)) recordToken(cookie.value, traffic)
        await cabinet.sandbox.endFaults()
        expect(complaints).toEqual([])
      },
      { auto: true },
    ],
  })
}

/** Slows the processor of a page as often as SLOWCPU says. What is red only then depends on speed. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['SLOWCPU'] ?? '1')
  if (rate === 1) return
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate })
}

function recordToken(value: string, traffic: Traffic): void {
  // Shorter values, such as a language, are no secrets.
  if (value.length >= 20) traffic.tokens.add(value)
}

/** Records the address of a request to the cabinet, and the token that it carries. */
function record(request: Request, cabinet: Cabinet, traffic: Traffic): void {
  const url = new URL(request.url())
  if (url.origin !== cabinet.url) return
  traffic.addresses.add(`${url.pathname}${url.search}${url.hash}`)
  const token = /^Bearer (.+)$/u.exec(request.headers()['authorization'] ?? '')?.[1]
  if (token !== undefined) recordToken(token, traffic)
}

/**
 * Complains of requests to other origins and of full card numbers in addresses and forms sent to the cabinet. Playwright doesn't know the
 * body of a `fetch` of a `Request`: what the cabinet keeps of those is searched after the last test.
 */
function complaintsAbout(request: Request, cabinet: Cabinet): string[] {
  const url = new URL(request.url())
  if (url.protocol === 'data:' || url.protocol === 'blob:') return []
  const ours = url.origin === cabinet.url || url.origin === cabinet.url.replace(/^http/, 'ws')
  if (!ours && url.origin !== cabinet.sandbox.url) return [`a request went to ${url.origin}`]
  if (!ours) return []
  const sent = `${request.url()} ${request.postData() ?? ''}`
  return cardNumbersIn(sent.replaceAll(UUID, '')).length > 0
    ? [`a full card number was sent to ${url.pathname}`]
    : []
}

/** Some contain sixteen digits that look like a card number. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Returns runs of 16 digits (spaces allowed) that begin like a card number and pass the Luhn check. */
function cardNumbersIn(text: string): string[] {
  const runs = text.match(/(?<!\d)[2-6]\d{3}(?:[ +-]?\d{4}){3}(?!\d)/g) ?? []
  return runs.filter((run) => {
    const digits = [...run.replace(/\D/g, '')].map(Number).toReversed()
    const sum = digits.reduce((total, digit, index) => {
      const doubled = index % 2 === 1 ? digit * 2 : digit
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
    return sum % 10 === 0
  })
}

export { expect }
