import { forEachAppearance } from '../support/appearance.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { NO_PAGE, NOTARY_PATHS } from '../support/pages.ts'
import { headingOf, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('accessibility-notary')

forEachAppearance(test, (language, look) => {
  test('the pages of a notary', async ({ page, context, cabinet }) => {
    await speak(page, language)
    const screens = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)

    for (const path of [...NOTARY_PATHS, NO_PAGE]) {
      await page.goto(path)
      await expect(headingOf(page)).toBeVisible()
      await expect(page.getByRole('main').getByRole('progressbar')).toHaveCount(0)
      await look(page)
    }

    await screens.openForm()
    for (const kind of ['requisites_payment', 'admin_payment'] as const) {
      await screens.fillPayment(kind, CLIENT)
      await look(page)
    }
    await screens.button('Очистити форму').click()
    await screens.pressAdd()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await look(page)

    await notary.addToCart('requisites_payment')
    await notary.addToCart('admin_payment')
    await screens.openCart()
    await look(page)
    await screens.payButton(CLIENT).click()
    await expect(screens.methods).toBeVisible()
    await look(page)
  })
})

test('the language of the page is the chosen one on every page', async ({ page, context, cabinet }) => {
  await speak(page, 'en')
  await Notary.signUp(context, cabinet)
  for (const path of [...NOTARY_PATHS, NO_PAGE]) {
    await page.goto(path)
    await expect(headingOf(page)).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    // Names of people and the language switch are Ukrainian in both languages.
    const text = await page.getByRole('main').innerText()
    const ukrainian = text
      .split('\n')
      .filter((line) => /[а-яіїєґ]/i.test(line) && !/Шевченко|ТОВ|Україн/.test(line))
    expect(ukrainian, path).toEqual([])
  }
})
