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
