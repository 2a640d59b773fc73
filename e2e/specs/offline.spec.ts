import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

/** The cabinet without a connection: it opens, tells its state, and keeps nothing private. */
const test = testWithCabinet('offline')

test.use({ serviceWorkers: 'allow' })

/**
 * Waits until the files of this version are kept and the next load of a page asks for them. A page that was being loaded while the worker
 * became active is not controlled before it is loaded again.
 */
async function installed(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state ?? null))
    .toBe('activated')
}

/** Everything in Cache Storage: the address and the text of each file. */
const cached = (page: Page): Promise<{ cache: string; path: string; text: string }[]> =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(
      names.map(async (name) => {
        const cache = await caches.open(name)
        const requests = await cache.keys()
        return Promise.all(
          requests.map(async (request) => ({
            cache: name,
            path: new URL(request.url).pathname + new URL(request.url).search,
            text: (await (await cache.match(request))?.text()) ?? '',
          })),
        )
      }),
    )
    return all.flat()
  })

test('a manifest with its icons makes the cabinet installable', async ({ page, cabinet }) => {
  await page.goto('/login')
  const link = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(`${cabinet.url}${link}`)
  expect(answer.headers()['content-type']).toBe('application/manifest+json')
  const manifest = (await answer.json()) as { start_url: string; icons: { src: string; type: string }[] }
  expect(manifest.start_url).toBe('/')
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(`${cabinet.url}${src}`)
    expect(icon.headers()['content-type'], src).toBe(type)
  }
})

test('without a connection the state, the draft and the last cart can be read', async ({
  page,
  context,
  cabinet,
}) => {
  const screens = new Screens(page)
  await Notary.signUp(context, cabinet)
  await screens.openForm()
  await screens.fillPayment('requisites_payment', CLIENT)
  await screens.addToCart()
  await screens.openCart()
  await expect(page.getByRole('table')).toBeVisible()
  await installed(page)
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('cabinet.last-cart'))).not.toBeNull()
  await screens.openForm()
  await screens.field('Прізвище, ім’я, по батькові клієнта').fill('Коваль Ігор Ілліч')

  await context.setOffline(true)
  await page.reload()
  await expect(screens.heading('Сторінку не вдалося відкрити')).toBeVisible()
  await expect(page.getByText(/Немає зв’язку із сервером/u)).toBeVisible()
  await expect(page.getByText('Коваль Ігор Ілліч')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Кошик станом на/u })).toBeVisible()
  await expect(page.getByText(CLIENT.full_name)).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: 'results/offline/desktop.png', fullPage: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: 'results/offline/phone.png', fullPage: true })

  // It goes on by itself, with what was typed.
  await context.setOffline(false)
  await expect(screens.heading('Новий платіж')).toBeVisible()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue('Коваль Ігор Ілліч')
})

test('nothing private is kept, neither while working nor after leaving', async ({
  page,
  context,
  cabinet,
}) => {
  const screens = new Screens(page)
  const notary = await Notary.signUp(context, cabinet)
  await screens.openForm()
  await screens.fillPayment('requisites_payment', CLIENT)
  await screens.addToCart()
  await screens.openCart()
  await installed(page)
  await page.goto('/me')
  await expect(screens.heading('Картка нотаріуса')).toBeVisible()
  const expectNothingPrivate = async () => {
    const files = await cached(page)
    expect(files.length).toBeGreaterThan(20)
    expect(new Set(files.map(({ cache }) => cache)).size).toBe(1)
    for (const { path, text } of files) {
      expect(path).toMatch(
        /^\/(?:assets\/[^?]+|icons\/[^?]+|favicon\.svg|manifest\.webmanifest|start\.js)?$/u,
      )
      for (const secret of [CLIENT.full_name, CLIENT.inn, notary.phone]) expect(text).not.toContain(secret)
    }
  }
  await expectNothingPrivate()
  await screens.button('Вийти').click()
  await expect(screens.heading('Вхід до кабінету')).toBeVisible()
  await expectNothingPrivate()
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  for (const secret of [CLIENT.full_name, CLIENT.inn, notary.phone, 'last-cart'])
    expect(kept).not.toContain(secret)
  await context.setOffline(true)
  await page.goto('/')
  await expect(page.getByText(/Немає зв’язку із сервером/u).first()).toBeVisible()
  await expect(page.getByText(CLIENT.full_name)).toHaveCount(0)
  await context.setOffline(false)
})

test('a new version takes the place of the former one, and no old script is run', async ({
  page,
  context,
  cabinet,
}) => {
  const screens = new Screens(page)
  await Notary.signUp(context, cabinet)
  // A former version with another document and other scripts.
  await page.goto('/login')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js?former')
    await navigator.serviceWorker.ready
    // Its own files were those of today: these stand for former ones.
    const former = await caches.open('cabinet-former')
    const text = '<h1>former</h1>'
    await former.put('/', new Response(text, { headers: { 'content-type': 'text/html' } }))
  })
  await screens.openForm()
  await expect
    .poll(() => page.evaluate(async () => (await caches.keys()).includes('cabinet-former')))
    .toBe(false)
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? ''))
    .toBe(`${cabinet.url}/sw.js`)
  await page.reload()
  await expect(screens.heading('Новий платіж')).toBeVisible()
  await expect(page.getByText('former')).toHaveCount(0)
})
