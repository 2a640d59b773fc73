import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { ageCodes } from '../support/database.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { NO_PAGE, NOTARY_PATHS } from '../support/pages.ts'
import { PEOPLE } from '../support/people.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, headingOf, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('accessibility')
const THEMES = ['light', 'dark'] as const

/** Checks the current page: accessibility rules, and no sideways scrolling on the smallest phone. */
async function look(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 900 })
}

// Each page is looked at in two sizes, which takes a busy machine minutes.
test.describe.configure({ timeout: 900_000 })

for (const language of LANGUAGES) {
  for (const theme of THEMES) {
    test.describe(`${language}, ${theme}`, () => {
      test.use({ colorScheme: theme, locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

      test('the pages of a guest', async ({ page, cabinet }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        await page.goto('/login')
        await expect(screens.heading('Вхід до кабінету')).toBeVisible()
        await look(page)
        await screens.button('Увійти').click()
        await expect(screens.field('Номер телефону')).toHaveAttribute('aria-invalid', 'true')
        await look(page)

        await page.goto('/sign-up')
        await screens.button('Зареєструватися').click()
        await expect(page.getByRole('alert').first()).toBeVisible()
        await look(page)

        await page.goto('/login')
        await screens.field('Номер телефону').fill(PEOPLE.byRegistryIdentifier)
        await screens.button('Увійти').click()
        await expect(screens.heading('Підтвердьте, що це ви')).toBeVisible()
        await look(page)

        await page.goto('/login')
        await screens.field('Номер телефону').fill(PEOPLE.byCall)
        await screens.button('Увійти').click()
        await expect(screens.heading('Зараз вам зателефонують')).toBeVisible()
        const call = await cabinet.sandbox.ringing(PEOPLE.byCall)
        await look(page)
        // It rings for forty seconds. A call that has ended by then leads to the same page.
        await cabinet.sandbox.answerCall(call.sid, '2').catch(() => undefined)
        await expect(page).toHaveURL(/\/login$/)

        const phone = PEOPLE.notAgreed
        await screens.field('Номер телефону').fill(phone)
        await screens.button('Увійти').click()
        // If an earlier test has agreed to the terms, the code follows directly.
        const agreement = page.getByRole('checkbox')
        await expect(agreement.or(screens.heading('Введіть код'))).toBeVisible()
        if (await agreement.isVisible()) {
          await look(page)
          await agreement.check()
          await screens.button('Увійти').click()
        }
        await expect(screens.heading('Введіть код')).toBeVisible()
        await look(page)
        // The code is not used. It is aged, so that the next one can be requested at once.
        ageCodes(cabinet, phone, 1)
      })

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
        await screens.button('Додати до кошика').click()
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

      test('the pages of an order', async ({ page, context, cabinet }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        const notary = await Notary.signUp(context, cabinet)
        const paid = await notary.paidOrder('admin_payment', CARDS.pays)
        await notary.addToCart('requisites_payment')
        const unpaid = await notary.orderCart()

        await page.goto(`/order/${unpaid.id}/pending`)
        await expect(screens.heading('Замовлення очікує оплати')).toBeVisible()
        await look(page)
        await cabinet.sandbox.pay(invoiceOf(unpaid.widget_url), CARDS.declined)
        await page.goto(`/order/${unpaid.id}/error`)
        await expect(screens.heading('Помилка оплати')).toBeVisible()
        await look(page)
        await page.goto(`/order/${paid.id}/success`)
        await expect(screens.heading('Оплата успішна!')).toBeVisible()
        await look(page)
        await page.goto('/archive')
        await expect(screens.order(paid.number).getByText(screens.say('Сплачено'))).toBeVisible()
        await look(page)
        await screens.openOrder(paid.number)
        await screens.openOrder(unpaid.number)
        await look(page)
        for (const { id, number } of [paid, unpaid]) {
          await page.goto(`/order/${id}`)
          await expect(headingOf(page)).toContainText(number)
          await look(page)
        }
        await page.keyboard.press('Control+K')
        await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
        await look(page)
        await page.keyboard.press('Escape')
        await page.keyboard.press('?')
        await expect(page.getByRole('dialog').getByRole('checkbox')).toBeVisible()
        await look(page)
      })

      test('what opens over a page and what appears on it', async ({ page, context, cabinet }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        await page.goto('/login')
        await page.getByRole('button', { name: screens.say('Тема') }).click()
        await expect(page.getByRole('menu')).toBeVisible()
        await look(page)

        const notary = await Notary.signUp(context, cabinet)
        await screens.openForm()
        await screens.fillPayment('registry_payment', CLIENT)
        await screens.addToCart()
        await look(page)
        await screens.button('Очистити форму').click()
        await expect(page.getByText(screens.say('Форму очищено'))).toBeVisible()
        await look(page)
        await context.setOffline(true)
        await expect(page.getByText(screens.say('Немає зв’язку з інтернетом'), { exact: true })).toBeVisible()
        await look(page)
        await context.setOffline(false)

        await screens.openCart()
        await page
          .getByRole('button', { name: screens.say('Повідомити про помилку: {name}', { name: '' }) })
          .click()
        const complaint = page.getByRole('dialog', { name: screens.say('Помилка в платежі') })
        await complaint.getByRole('button', { name: screens.say('Надіслати') }).click()
        await expect(complaint.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
        await look(page)

        await page.goto('/me')
        await screens.field('Номер свідоцтва').fill('55')
        await page
          .getByRole('navigation')
          .getByRole('link', { name: screens.say('Архів') })
          .first()
          .click()
        await expect(
          page.getByRole('dialog', { name: screens.say('Залишити сторінку без збереження?') }),
        ).toBeVisible()
        await look(page)

        await page.goto(`/offer?language=${language}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await look(page)
        expect((await notary.cart()).items_count).toBe(1)
      })

      test('menus of the archive, a search without a result, the frame of the cards, and a fault', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        const notary = await Notary.signUp(context, cabinet)
        await notary.addToCart('admin_payment')
        await screens.openCart()
        await screens.payInPopup(CLIENT, null)
        await page.waitForURL(`${cabinet.sandbox.url}/**`)
        await new BankPage(page).pay(CARDS.pays, { save: true })
        await screens.expectResult('Оплата успішна!')

        await page.goto('/me/user-cards')
        await expect(page.locator('iframe').contentFrame().getByText('4242').first()).toBeVisible()
        await look(page)

        await page.goto('/archive')
        await screens.openOrder()
        await page
          .getByRole('button', { name: screens.say('Квитанція: {name}', { name: '' }) })
          .first()
          .click()
        await expect(page.getByRole('menu')).toBeVisible()
        await look(page)
        await page.keyboard.press('Escape')
        await page.getByRole('searchbox').fill('нікого такого')
        await expect(page.getByText(screens.say('За цими фільтрами нічого не знайдено'))).toBeVisible()
        await look(page)

        const [order] = await notary.orders()
        await page.goto(`/order/${order?.id}/success`)
        await screens.link('До архіву').click()
        await expect(screens.heading('Архів')).toBeVisible()
        await cabinet.kill()
        // After a minute the cached data is requested again.
        await page.clock.setFixedTime(Date.now() + 60_000)
        await page.goBack()
        await expect(screens.heading('Сторінку не вдалося відкрити')).toBeVisible()
        await look(page)
        await cabinet.start()
        await screens.button('Спробувати ще раз').click()
        await screens.expectResult('Оплата успішна!')
      })
    })
  }
}

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
