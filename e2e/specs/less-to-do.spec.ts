import { CLIENT, Notary } from '../support/notary.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('less-to-do')

test('a count is typed, the commission is shown, and on a phone total and button stay in sight', async ({
  page,
  context,
  cabinet,
}) => {
  await page.setViewportSize({ width: 390, height: 700 })
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  await notary.addToCart('registry_payment')
  await notary.addToCart('registry_payment')
  const screens = new Screens(page)
  await screens.openCart()
  const count = page.getByRole('textbox', { name: 'Кількість' }).first()
  await count.fill('12')
  await expect
    .poll(async () => (await notary.cart()).groups[0]?.items.map((item) => item.count))
    .toContain(12)
  await expect(page.getByText(/^Отримувачам .* комісія/)).toBeVisible()
  await expect(page.getByText(/^комісія/)).toHaveCount(3)
  // The bar is in sight at the top of the page, and covers nothing that has the focus (WCAG 2.4.11).
  await page.evaluate(() => scrollTo(0, 0))
  await expect(screens.payButton(CLIENT)).toBeInViewport({ ratio: 1 })
  await screens.heading('Кошик').focus()
  await expect(page.locator('[data-bar]').first()).toBeVisible()
  for (let step = 0; step < 24; step += 1) {
    await page.keyboard.press('Tab')
    const covered = await page.evaluate(() => {
      const focused = document.activeElement
      const bar = document.querySelector('[data-bar]')
      if (focused === null || bar === null || bar.contains(focused) || !bar.parentElement?.contains(focused))
        return null
      const [seen, over] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()]
      return seen.bottom > over.top + 1 && seen.top < over.bottom - 1 ? focused.outerHTML.slice(0, 200) : null
    })
    expect(covered).toBeNull()
  }
})

/** What is under a bar of the cart or the header of the page. */
const underBar = (shown: Element): string | null => {
  // The way to the content lies over the header on purpose, and the header over the bars: at the page's end they are scrolled below it.
  if (shown.matches('[href="#main"], .frame-top *')) return null
  const seen = shown.getBoundingClientRect()
  const covers = [...document.querySelectorAll('[data-bar], .frame-top')].filter(
    (bar) => !bar.contains(shown) && !shown.contains(bar),
  )
  const isCovered = covers.some((bar) => {
    const over = bar.getBoundingClientRect()
    return seen.bottom > over.top + 1 && seen.top < over.bottom - 1
  })
  return isCovered ? shown.outerHTML.slice(0, 200) : null
}

test('no control of the cart and no row is under the bars of a narrow phone while it has the focus or is led to', async ({
  page,
  context,
  cabinet,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const notary = await Notary.signUp(context, cabinet)
  const long = {
    inn: '3068208400',
    full_name: 'Остроградська-Білокриницька Єлизавета-Вікторія Констянтинівна',
  }
  for (const client of [long, CLIENT])
    for (const kind of ['registry_payment', 'requisites_payment', 'registry_payment'] as const)
      // One after the other: the cart has them in this order.
      // oxlint-disable-next-line no-await-in-loop
      await notary.addToCart(kind, client)
  const screens = new Screens(page)
  await screens.openCart()
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(6)
  await screens.heading('Кошик').focus()
  // Down to the end of the page and up again.
  for (const key of ['Tab', 'Shift+Tab'])
    for (let step = 0; step < 60; step += 1) {
      /* oxlint-disable no-await-in-loop -- one press after the other */
      await page.keyboard.press(key)
      const focused = await page.evaluateHandle(() => document.activeElement ?? document.body)
      expect(await focused.evaluate(underBar)).toBeNull()
      /* oxlint-enable no-await-in-loop */
    }
  for (const row of await rows.all()) {
    // oxlint-disable-next-line no-await-in-loop -- one row after the other
    await row.evaluate((shown) => shown.scrollIntoView({ block: 'nearest' }))
    // oxlint-disable-next-line no-await-in-loop
    expect(await row.evaluate(underBar)).toBeNull()
  }
})
