// A page that is opened while the database changes its leader says so, and goes on by itself.

import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

import { home } from '../options.mjs'
import { PUBLIC_URL } from './places.mjs'

const SESSION = '__Host-refresh_token'
const BROKEN = 'Сторінку не вдалося відкрити'
/** How long a page may need to say what has happened, and to go on once the database is back. */
const WAIT = { timeout: 60_000 }

/** Starts the browser of the browser tests. */
async function launch() {
  const { chromium } = createRequire(resolve(import.meta.dirname, '../../../e2e/package.json'))(
    '@playwright/test',
  )
  const executablePath = process.env.E2E_CHROMIUM ?? '/usr/bin/chromium'
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** Opens a page while the leader's machine is away. Returns what is wrong. */
export async function lookInBrowser(cluster, notary) {
  const browser = await launch()
  const wrong = []
  let killed
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'uk-UA' })
    const cookie = {
      name: SESSION,
      value: notary.refreshToken,
      url: PUBLIC_URL,
      secure: true,
      httpOnly: true,
    }
    await context.addCookies([cookie])
    const page = await context.newPage()
    const heading = (name) => page.getByRole('heading', { level: 1, name })
    await page.goto(`${PUBLIC_URL}/cart`)
    await heading('Кошик').waitFor(WAIT)
    killed = await cluster.leader()
    await killed.kill()
    const began = Date.now()
    const seconds = () => ((Date.now() - began) / 1000).toFixed(1)
    let hasSaid = false
    const seen = heading(BROKEN)
      .waitFor(WAIT)
      .then(() => {
        hasSaid = true
        return page.screenshot({ path: join(home, 'away.png') })
      })
      .catch(() => {})
    await page.getByRole('link', { name: 'Архів' }).first().click()
    await page.screenshot({ path: join(home, 'opening.png') })
    await heading('Архів').waitFor(WAIT)
    await page.getByText('Замовлень ще немає').waitFor(WAIT)
    const needed = seconds()
    await page.screenshot({ path: join(home, 'back.png') })
    console.log(
      `In the browser: a page is there by itself ${needed} s after the leader was killed${hasSaid ? ', and has said meanwhile that the server is away' : ''}`,
    )
    await page.close()
    await seen
  } catch (error) {
    wrong.push(`in the browser: ${error.message}`)
  } finally {
    killed?.start()
    await browser.close()
  }
  return wrong
}
