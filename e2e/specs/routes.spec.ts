import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ageCodes } from '../support/database.ts'
import { invoiceOf, Notary } from '../support/notary.ts'
import { GUEST_PATHS, NOTARY_PATHS, orderPaths } from '../support/pages.ts'
import { PEOPLE } from '../support/people.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, type Language } from '../support/words.ts'

/** Every route of the specification: who may open it, where others are redirected, and its title. */
const test = testWithCabinet('routes')

const TITLE = 'Notary dashboard'

/** The titles of the pages of a notary, by address. */
const NAMES: Readonly<Record<(typeof NOTARY_PATHS)[number], string>> = {
  '/': 'Новий платіж',
  '/deal': 'Розрахунок платежів',
  '/sheet': 'Платежі з таблиці',
  '/archive': 'Архів',
  '/reports': 'Звіти',
  '/cart': 'Кошик',
  '/me': 'Картка нотаріуса',
  '/me/user-cards': 'Мої картки',
  '/me/book': 'Довідник',
  '/me/security': 'Безпека',
}

async function screensOf(page: Page, language: Language): Promise<Screens> {
  await speak(page, language)
  return new Screens(page, language)
}

test('icons are where browsers ask for them, and no page is given for a file that is not there', async ({
  request,
  cabinet,
}) => {
  for (const path of ['/favicon.ico', '/apple-touch-icon.png', '/apple-touch-icon-precomposed.png']) {
    const icon = await request.get(`${cabinet.url}${path}`)
    expect(icon.headers()['content-type'], path).toBe('image/png')
  }
  for (const path of ['/no-such.js', '/.well-known/change-password', '/.well-known/security.txt'])
    expect((await request.get(`${cabinet.url}${path}`)).status(), path).toBe(404)
})

for (const language of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

    test('a guest is led to the login from everywhere, and back after it', async ({ page, cabinet }) => {
      const screens = await screensOf(page, language)
      // A step of the login without the one before it is redirected, too.
      const steps = GUEST_PATHS.filter((path) => path.startsWith('/login/'))
      for (const path of [...NOTARY_PATHS, ...orderPaths(randomUUID()), ...steps]) {
        await page.goto(path)
        await expect(page, path).toHaveURL(`${cabinet.url}/login`)
        await expect(screens.heading('Вхід до кабінету')).toBeVisible()
        await expect(page).toHaveTitle(`${screens.say('Вхід')} – ${TITLE}`)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
      }
      await page.goto('/sign-up/otp')
      await expect(page).toHaveURL(`${cabinet.url}/sign-up`)
      await expect(page).toHaveTitle(`${screens.say('Реєстрація')} – ${TITLE}`)

      await page.goto('/me/user-cards')
      await screens.field('Номер телефону').fill(PEOPLE.byCode)
      const code = await cabinet.sandbox.codeAfter(PEOPLE.byCode, () => screens.button('Увійти').click())
      await expect(page).toHaveTitle(`${screens.say('Код із SMS')} – ${TITLE}`)
      await screens.field('Код із SMS').fill(code)
      await expect(page).toHaveURL(`${cabinet.url}/me/user-cards`)
      await expect(screens.heading('Мої картки')).toBeVisible()
    })

    test('the steps of the login have names of their own', async ({ page, cabinet }) => {
      const screens = await screensOf(page, language)
      await page.goto('/login')
      await screens.field('Номер телефону').fill(PEOPLE.byRegistryIdentifier)
      await screens.button('Увійти').click()
      await expect(page).toHaveURL(`${cabinet.url}/login/otp/custom`)
      await expect(page).toHaveTitle(`${screens.say('Ідентифікатор у реєстрі')} – ${TITLE}`)
      await page.goto('/login')
      await screens.field('Номер телефону').fill(PEOPLE.byCall)
      await screens.button('Увійти').click()
      await expect(page).toHaveURL(`${cabinet.url}/login/phone-call`)
      await expect(page).toHaveTitle(`${screens.say('Підтвердження дзвінком')} – ${TITLE}`)
      // The call is not answered. It is aged, so that the next one can be made at once.
      ageCodes(cabinet, PEOPLE.byCall, 1)
    })

    test('a notary opens every page, and is led away from those of a guest', async ({
      page,
      context,
      cabinet,
    }) => {
      const screens = await screensOf(page, language)
      const notary = await Notary.signUp(context, cabinet)
      for (const path of NOTARY_PATHS) {
        const name = NAMES[path]
        await page.goto(path)
        await expect(screens.heading(name), path).toBeVisible()
        await expect(page).toHaveTitle(`${screens.say(name)} – ${TITLE}`)
        await expect(page.getByText(`ID: NOTAR777`).first()).toBeVisible()
      }
      // The code of a sign-up is open to everybody.
      for (const path of GUEST_PATHS.filter((guest) => guest !== '/sign-up/otp')) {
        await page.goto(path)
        await expect(page, path).toHaveURL(`${cabinet.url}/`)
        await expect(screens.heading('Новий платіж')).toBeVisible()
      }

      // A page of an order redirects to the page of the order's status.
      await notary.addToCart('registry_payment')
      const order = await notary.orderCart()
      const invoice = invoiceOf(order.widget_url)
      const expectLed = async (to: string, heading: string, title: string): Promise<void> => {
        // The transfers are a page of their own in every state.
        for (const from of orderPaths(order.id).filter((path) => !/transfers$|order\/[^/]+$/.test(path))) {
          await page.goto(from)
          await expect(page, from).toHaveURL(`${cabinet.url}/order/${order.id}/${to}`)
          await expect(screens.heading(heading)).toBeVisible()
          await expect(page).toHaveTitle(`${screens.say(title)} – ${TITLE}`)
        }
      }
      await expectLed('pending', 'Оплата обробляється', 'Оплата обробляється')
      await cabinet.sandbox.pay(invoice, CARDS.declined)
      await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('failed')
      await expectLed('error', 'Помилка оплати', 'Помилка оплати')
      await cabinet.sandbox.pay(invoice, CARDS.pays)
      await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('paid')
      await expectLed('success', 'Оплата успішна!', 'Оплата успішна!')

      // The sidebar has links to the profile and the logout.
      await page.goto('/archive')
      await screens.button('Вийти').click()
      await expect(page).toHaveURL(`${cabinet.url}/login`)
      await page.goBack()
      await expect(page).toHaveURL(`${cabinet.url}/login`)
    })

    test('what is not there is said, with a way back: an address, an order, a payment of somebody else', async ({
      page,
      context,
      browser,
      cabinet,
    }) => {
      const screens = await screensOf(page, language)
      const expectMissing = async (path: string): Promise<void> => {
        await page.goto(path)
        await expect(screens.heading('Такої сторінки немає'), path).toBeVisible()
        await expect(page).toHaveTitle(`${screens.say('Такої сторінки немає')} – ${TITLE}`)
        await expect(
          page.getByText(screens.say('Можливо, посилання застаріло або в ньому помилка.')),
        ).toBeVisible()
      }
      await expectMissing('/no-such-page')
      await page
        .getByRole('main')
        .getByRole('link', { name: screens.say('До архіву') })
        .click()
      await expect(screens.heading('Вхід до кабінету')).toBeVisible()

      const others = await browser.newContext()
      const somebody = await Notary.signUp(others, cabinet)
      const theirs = await somebody.paidOrder('registry_payment', CARDS.pays)
      await others.close()
      await Notary.signUp(context, cabinet)
      for (const path of [
        '/no-such-page',
        '/me/no-such-page',
        `/order/${randomUUID()}`,
        '/order/nonsense',
        `/order/${theirs.id}`,
      ]) {
        await expectMissing(path)
      }
      await page
        .getByRole('main')
        .getByRole('link', { name: screens.say('Новий платіж') })
        .click()
      await expect(screens.heading('Новий платіж')).toBeVisible()
      // The pages of a result lead to the archive, which says that the order is unknown.
      for (const path of [
        `/order/${theirs.id}/payment-status`,
        `/order/${theirs.id}/success`,
        `/order/${theirs.id}/error`,
        `/order/${randomUUID()}/success`,
        '/order/nonsense/pending',
      ]) {
        await page.goto(path)
        await expect(page, path).toHaveURL(`${cabinet.url}/archive`)
        await expect(
          page.getByText(screens.say('Дізнатися статус замовлення не вдалося. Перевірте його тут, в архіві')),
        ).toBeVisible()
      }
    })
  })
}
