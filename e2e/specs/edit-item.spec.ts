import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectFocusSeen, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { expectSaid } from '../support/said.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** A payment of the cart opens in the form and comes back changed. */
const test = testWithCabinet('edit-item')

const OTHER = { inn: '37193071', full_name: 'ТОВ «Приклад»' }
const PURPOSE = `Оренда зали, код ${CLIENT.inn}`
const TABS_MAX = 80

/** The link of a payment of the cart, by the name of its recipient or service. */
const changeLink = (screens: Screens, name: string | RegExp) =>
  typeof name === 'string'
    ? screens.page.getByRole('link', { name: screens.say('Змінити: {name}', { name }), exact: true })
    : screens.page.getByRole('link', { name })

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let press = 0; press < TABS_MAX; press += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
    await expectFocusSeen(page)
  }
  throw new Error(`Tab does not reach ${wanted.toString()}.`)
}

for (const language of LANGUAGES) {
  for (const width of [1280, 390]) {
    test.describe(`${language}, ${width} px`, () => {
      test.use({ locale: language === 'uk' ? 'uk-UA' : 'en-GB', viewport: { width, height: 900 } })

      test('a payment opens with everything, is saved, and its row is shown', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const notary = await Notary.signUp(context, cabinet)
        await notary.addToCart('registry_payment')
        const item = await notary.addToCart('requisites_payment')
        const screens = new Screens(page, language)
        await screens.openCart()
        await expectAccessible(page)
        await changeLink(screens, OTHER.full_name).click()

        await expect(screens.heading('Зміна платежу')).toBeFocused()
        await expect(page).toHaveURL(`${cabinet.url}/cart/item/${item}`)
        await expect(page).toHaveTitle(new RegExp(`^${screens.say('Зміна платежу')}`))
        await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
        await expect(screens.field('Назва отримувача')).toHaveValue('ТОВ «Приклад»')
        await expect(screens.field('Сума')).toHaveValue(language === 'uk' ? '340,50' : '340.50')
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)

        await screens.field('Призначення платежу').fill(PURPOSE)
        await page.reload()
        await expect(screens.field('Призначення платежу')).toHaveValue(PURPOSE)
        await expect(page.getByText(screens.say('Продовжено незбережені зміни'))).toBeVisible()
        await expectAccessible(page)
        await screens.button('Зберегти зміни').click()

        await expectSaid(page, screens.say('Зміни платежу збережено'))
        await expect(screens.heading('Кошик')).toBeVisible()
        const row = page.locator(`#item-${item}`)
        await expect(row).toContainText(PURPOSE)
        await expect(row).toBeFocused()
        const { groups, items_count } = await notary.cart()
        expect(items_count).toBe(2)
        expect(
          groups[0]?.items.map(({ purpose }) => purpose).filter((text) => text === PURPOSE),
        ).toHaveLength(1)
        // The order charges what was saved.
        const order = await notary.orderCart()
        expect(order.sum).toBe(groups[0]?.amount)
      })

      test('a payment that was changed or ordered elsewhere says so, and nothing typed is lost', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const notary = await Notary.signUp(context, cabinet)
        const item = await notary.addToCart('requisites_payment')
        const screens = new Screens(page, language)
        await page.goto(`/cart/item/${item}`)
        await screens.field('Призначення платежу').fill(PURPOSE)
        await notary.changeItem(item, { purpose: `Суборенда, код ${CLIENT.inn}` })
        await screens.button('Зберегти зміни').click()
        await screens.expectMessage('cart_item_changed')
        await expect(screens.field('Призначення платежу')).toHaveValue(PURPOSE)
        await expectAccessible(page)
        await screens.button('Показати дані з кошика').click()
        await expect(screens.field('Призначення платежу')).toHaveValue(`Суборенда, код ${CLIENT.inn}`)

        await screens.field('Призначення платежу').fill(PURPOSE)
        await notary.orderCart()
        await screens.button('Зберегти зміни').click()
        await screens.expectMessage('cart_item_gone')
        await expect(screens.field('Призначення платежу')).toHaveValue(PURPOSE)
        await expectAccessible(page)
        await screens.button('Перенести до нового платежу').click()
        await expect(screens.heading('Новий платіж')).toBeVisible()
        await expect(screens.field('Призначення платежу')).toHaveValue(PURPOSE)
        await page.goto(`/cart/item/${item}`)
        await screens.expectMessage('cart_item_gone')
        await expect(screens.button('Зберегти зміни')).toBeHidden()
      })
    })
  }
}

test('another client takes the payment, and a payment that was begun before waits', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('requisites_payment')
  const screens = new Screens(page)
  await screens.openForm()
  await screens.field('Прізвище, ім’я, по батькові клієнта').fill('Мельник Іван Петрович')
  await screens.openCart()
  await changeLink(screens, OTHER.full_name).click()
  await page.getByRole('checkbox', { name: 'Платник – юридична особа' }).check()
  await screens.field('Назва юридичної особи').fill(OTHER.full_name)
  await screens.field('Код ЄДРПОУ').fill(OTHER.inn)
  await screens.field('Призначення платежу').fill(`Оренда, код ${OTHER.inn}`)
  await screens.button('Зберегти зміни').click()
  await expect(screens.heading('Кошик')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: OTHER.full_name })).toBeVisible()
  expect((await notary.cart()).groups.map(({ client }) => client.inn)).toEqual([OTHER.inn])
  await screens.openForm()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue('Мельник Іван Петрович')
})

test('a fee is changed with nothing but the keyboard, and «Не змінювати» leaves it', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const item = await notary.addToCart('admin_payment')
  const screens = new Screens(page)
  await screens.openCart()
  await tabTo(page, changeLink(screens, /^Змінити: /))
  await page.keyboard.press('Enter')
  await expect(screens.heading('Зміна платежу')).toBeFocused()
  const term = screens.list('Строк реєстрації')
  await expect(term).toBeEnabled()
  await expect(screens.list('Отримувач')).toBeEnabled()
  const before = await term.inputValue()
  await tabTo(page, screens.link('Не змінювати'))
  await page.keyboard.press('Enter')
  await expect(page.locator(`#item-${item}`)).toBeFocused()

  await tabTo(page, changeLink(screens, /^Змінити: /))
  await page.keyboard.press('Enter')
  await expect(screens.list('Отримувач')).toBeEnabled()
  await tabTo(page, term)
  await page.keyboard.press('ArrowDown')
  await expect(term).not.toHaveValue(before)
  const recipient = screens.list('Отримувач')
  await expect(recipient).toBeEnabled()
  await tabTo(page, recipient)
  if ((await recipient.inputValue()) === '') await page.keyboard.press('ArrowDown')
  await tabTo(page, screens.button('Зберегти зміни'))
  await page.keyboard.press('Enter')
  await expect(screens.heading('Кошик')).toBeVisible()
  await expect(page.locator(`#item-${item}`)).toBeFocused()
  expect((await notary.cart()).items_count).toBe(1)
})

test('a save whose answer is lost is repeated, and the cart has the payment once', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const item = await notary.addToCart('requisites_payment')
  const screens = new Screens(page)
  await page.goto(`/cart/item/${item}`)
  await screens.field('Призначення платежу').fill(PURPOSE)
  let lost = 0
  await page.route('**/api/cart/item/edit', async (route) => {
    lost += 1
    if (lost > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await screens.button('Зберегти зміни').click()
  await expect(page.getByText('Сервер не підтвердив збереження')).toBeVisible()
  expect((await notary.cart()).groups[0]?.items[0]?.purpose).toBe(PURPOSE)
  await screens.button('Зберегти зміни').click()
  await expect(screens.heading('Кошик')).toBeVisible()
  expect((await notary.cart()).groups[0]?.items.map(({ purpose }) => purpose)).toEqual([PURPOSE])
})
