import type { Locator, Page } from '@playwright/test'
import { expectFocusSeen } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { PEOPLE } from '../support/people.ts'
import { CARDS } from '../support/sandbox.ts'
import { headingOf, Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('keyboard')
const TABS_MAX = 80

/** Presses Tab until the element has the focus. At each stop the focus must be visible and uncovered. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let press = 0; press < TABS_MAX; press += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
    await expectFocusSeen(page)
  }
  throw new Error(`Tab does not reach ${wanted.toString()}.`)
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

test('from the login to the receipt with nothing but the keyboard', async ({ page, cabinet }) => {
  const screens = new Screens(page)
  await page.goto('/login')
  await expect(screens.field('Номер телефону')).toBeFocused()
  await page.keyboard.type('501112233')
  const code = await cabinet.sandbox.codeAfter(PEOPLE.byCode, () => page.keyboard.press('Enter'))
  await expect(screens.field('Код із SMS')).toBeFocused()
  await page.keyboard.type(code)

  // After the navigation the heading has the focus, so that it is read first.
  await expect(screens.heading('Новий платіж')).toBeFocused()
  await type(page, screens.field('Код клієнта'), CLIENT.inn)
  await type(page, screens.field('Прізвище, ім’я, по батькові клієнта'), CLIENT.full_name)
  await tabTo(page, screens.kind('Адміністративний збір'))
  const wanted = screens.kind('Платіж за реквізитами')
  for (let press = 0; press < TABS_MAX && !(await wanted.isChecked()); press += 1)
    await page.keyboard.press('ArrowDown')
  await type(page, screens.field('Назва отримувача'), 'ТОВ «Приклад»')
  await type(page, screens.field('Код отримувача (ЄДРПОУ або РНОКПП)'), '37193071')
  await type(page, screens.field('Рахунок IBAN отримувача'), 'UA213223130000026007233566001')
  await type(page, screens.field('Призначення платежу'), `За послуги, код ${CLIENT.inn}`)
  await type(page, screens.field('Сума'), '340,50')
  await tabTo(page, screens.button('Додати до кошика'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Платіж додано до кошика')).toBeVisible()
  await tabTo(page, screens.link('До кошика'))
  await page.keyboard.press('Enter')

  await expect(screens.heading('Кошик')).toBeFocused()
  await tabTo(page, screens.payButton(CLIENT))
  await page.keyboard.press('Enter')
  await expect(screens.methods).toBeVisible()
  const saved = screens.methods.getByRole('radio').first()
  await tabTo(page, saved)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(saved).toBeChecked()
  await tabTo(page, screens.methods.getByRole('checkbox'))
  await page.keyboard.press('Space')
  // Choose the option that leads to the bank's page.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowUp')
  const other = screens.methods.getByRole('radio', { name: /Інша картка/ })
  await expect(other).toBeChecked()
  await tabTo(page, screens.methods.getByRole('button', { name: /^Сплатити/ }))
  await page.keyboard.press('Enter')

  await page.waitForURL(`${cabinet.sandbox.url}/**`)
  await tabTo(page, page.getByRole('textbox', { name: /Номер картки/ }))
  await page.keyboard.type(CARDS.pays)
  await page.keyboard.press('Tab')
  await page.keyboard.type('12/30')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')

  await screens.expectResult('Оплата успішна!')
  await tabTo(page, screens.button('Квитанція про сплату'))
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^Receipt-.*-payment\.pdf$/)
})

test('keys add a payment and begin the next one, or pay it', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await screens.openForm()
  await screens.fillPayment('registry_payment', CLIENT)
  await screens.list('Отримувач').focus()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Платіж додано до кошика')).toBeVisible()
  await expect(screens.field('Код клієнта')).toBeFocused()
  await expect(screens.field('Код клієнта')).toHaveValue('')

  const other = { full_name: 'Бондар Ірина Олегівна', inn: '2222222228' }
  await screens.fillPayment('requisites_payment', other)
  await screens.field('Сума').focus()
  await page.keyboard.press('Control+Shift+Enter')
  await expect(screens.methods).toBeVisible()
  await expect(page).toHaveURL(/\/cart$/)
  await expect(screens.methods.getByText(other.full_name).first()).toBeVisible()
  expect((await notary.cart()).groups).toHaveLength(2)
})

test('the first Tab leads past the menu', async ({ page, context, cabinet }) => {
  await Notary.signUp(context, cabinet)
  await page.goto('/archive')
  await expect(headingOf(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'До вмісту сторінки' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the first navigation of a page moves the focus to the heading, as later ones do', async ({
  page,
  context,
  cabinet,
}) => {
  await Notary.signUp(context, cabinet)
  await page.goto('/cart')
  const screens = new Screens(page)
  await expect(screens.heading('Кошик')).toBeVisible()
  await page.getByRole('link', { name: 'Архів', exact: true }).first().press('Enter')
  await expect(screens.heading('Архів')).toBeFocused()
})

test('menus work by arrows and give the focus back', async ({ page }) => {
  await page.goto('/login')
  const looks = page.getByRole('button', { name: 'Вигляд' })
  await looks.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'Як у системі' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitemradio', { name: 'Щільно' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'Темна' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(looks).toBeFocused()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
