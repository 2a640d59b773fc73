// The system's Chromium for the benchmarks in the browser.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { byBrowser } from '../lib/browser.mjs'
import { ADDRESS_HEADER, Notary } from '../lib/notary.mjs'

/** What every request of a browser carries: the cabinet refuses much where the proxy tells no address. */
export const extraHTTPHeaders = { [ADDRESS_HEADER]: '10.255.0.2' }

/** How the system's Chromium is started. */
export function launchOptions(more = []) {
  return {
    executablePath:
      process.env.E2E_CHROMIUM || execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
    ],
  }
}

/** Starts a browser with an empty cache. `port` lets another tool control it, too. */
export async function openBrowser(port) {
  const profile = mkdtempSync(join(tmpdir(), 'cabinet-bench-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions(port === undefined ? [] : [`--remote-debugging-port=${port}`]),
    locale: 'uk-UA',
    viewport: null,
    extraHTTPHeaders,
  })
  return {
    context,
    close: async () => {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Signs the browser in by giving it the session's cookie. */
export async function logInBrowser(context, cabinet, phone) {
  await new Notary(cabinet, phone, byBrowser(context)).logIn()
  // The mark that the page stores after a login.
  const page = await context.newPage()
  await page.goto(`${cabinet.url}/robots.txt`)
  await page.evaluate(() => localStorage.setItem('cabinet.signed-in', 'open'))
  await page.close()
}
