import type { Browser, Page } from '@playwright/test'
import { expectAccessible, expectFocusSeen, expectNoSidewaysScroll } from '../support/accessibility.ts'
import type { Cabinet } from '../support/cabinet.ts'
import { ageCodes } from '../support/database.ts'
import { Notary } from '../support/notary.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, type Language } from '../support/words.ts'

/** Where a notary is signed in, and what happened to her account. */
const test = testWithCabinet('security')

/** Signs the notary in with another browser, on the archive. */
async function elsewhere(
  browser: Browser,
  cabinet: Cabinet,
  phone: string,
  language: Language,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: cabinet.url, locale: 'uk-UA' })
  await Notary.logIn(context, cabinet, phone)
  const page = await context.newPage()
  await speak(page, language)
  await page.goto('/archive')
  await expect(new Screens(page, language).heading('Архів')).toBeVisible()
  return page
}

/** Tries a wrong code with a browser that is not signed in. */
async function guess(browser: Browser, cabinet: Cabinet, phone: string): Promise<void> {
  const context = await browser.newContext()
  const url = `${cabinet.url}/api/auth/login`
  let operation = ''
  const code = await cabinet.sandbox.codeAfter(phone, async () => {
    const started = await context.request.post(url, { data: { phone } })
    expect(started.ok(), await started.text()).toBe(true)
    operation = ((await started.json()) as { operation_id: string }).operation_id
  })
  const wrong = code === '1234' ? '4321' : '1234'
  const data = { phone, otp_code: wrong, operation_id: operation }
  expect((await context.request.post(`${url}/otp`, { data })).status()).toBe(422)
  await context.close()
}

for (const language of LANGUAGES) {
  for (const [device, viewport] of [
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test.describe(`${language}, ${device}`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport })

      test('a session that is ended with the keyboard lands at the login, and the list tells it', async ({
        page,
        context,
        browser,
        cabinet,
      }) => {
        await speak(page, language)
        const { phone } = await Notary.signUp(context, cabinet)
        const other = await elsewhere(browser, cabinet, phone, language)
        const screens = new Screens(page, language)
        await page.goto('/me')
        await screens.link('Безпека').click()
        await expect(screens.heading('Безпека')).toBeFocused()
        const list = page.getByRole('list', { name: screens.say('Відкриті сеанси') })
        await expect(list.getByRole('listitem')).toHaveCount(2)
        await expect(list.getByText(screens.say('Цей сеанс'))).toBeVisible()
        await expect(page.getByText(screens.say('Вхід із нового пристрою'))).toBeVisible()
        await expect(page.getByText(screens.say('Реєстрацію завершено'))).toBeVisible()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)

        const end = list.getByRole('button')
        for (let press = 0; press < 10; press += 1) {
          if (await end.evaluate((button) => button === document.activeElement)) break
          await page.keyboard.press('Tab')
          await expectFocusSeen(page)
        }
        await expect(end).toBeFocused()
        ageCodes(cabinet, phone, 1)
        await screens.doWithCode(cabinet, phone, () => page.keyboard.press('Enter'))
        await expect(list.getByRole('listitem')).toHaveCount(1)
        await expect(list).toBeFocused()
        await expect(page.getByText(screens.say('Завершено сеанси'))).toBeVisible()
        await expect(page.getByText(screens.say('Інших відкритих сеансів немає.'))).toBeVisible()

        // Without anything done there.
        const there = new Screens(other, language)
        await expect(there.heading('Вхід до кабінету')).toBeVisible()
        await expect(other).toHaveURL(`${cabinet.url}/login`)
        await other.context().close()
      })

      test('after a foreign try all others are ended, and the page fits a narrow phone', async ({
        page,
        context,
        browser,
        cabinet,
      }) => {
        await speak(page, language)
        const { phone } = await Notary.signUp(context, cabinet)
        const other = await elsewhere(browser, cabinet, phone, language)
        // The pause between two codes is over.
        ageCodes(cabinet, phone, 1)
        await guess(browser, cabinet, phone)
        const screens = new Screens(page, language)
        await page.goto('/me/security')
        await expect(page.getByText(screens.say('Неправильний код під час входу'))).toBeVisible()
        await expect(page.getByText(screens.say('хтось, хто не ввійшов до кабінету'))).toBeVisible()

        const ask = screens.button('Завершити всі інші сеанси')
        await ask.click()
        const dialog = page.getByRole('dialog', { name: screens.say('Завершити всі інші сеанси?') })
        await expect(dialog).toBeVisible()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
        await expect(ask).toBeFocused()
        await ask.click()
        ageCodes(cabinet, phone, 1)
        await screens.doWithCode(cabinet, phone, () =>
          dialog.getByRole('button', { name: screens.say('Завершити'), exact: true }).click(),
        )
        await expect(dialog).toBeHidden()
        await expect(page.getByText(screens.say('Інших відкритих сеансів немає.'))).toBeVisible()
        await expect(page.getByRole('list', { name: screens.say('Відкриті сеанси') })).toBeFocused()
        await expect(new Screens(other, language).heading('Вхід до кабінету')).toBeVisible()
        await other.context().close()

        await page.setViewportSize({ width: 320, height: 640 })
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
      })
    })
  }
}
