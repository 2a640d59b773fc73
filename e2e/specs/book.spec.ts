import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { expectBoxes } from '../support/boxes.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('book')

const OTHER_CLIENT = { inn: '2645008153', full_name: "Мельник Дар'я Василівна" }

for (const language of LANGUAGES) {
  test(`${language}: a known client is found by a part of the name, and the book forgets who is deleted`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page, language)
    await notary.addToCart('registry_payment', CLIENT)
    await notary.addToCart('registry_payment', OTHER_CLIENT)

    // By a part of the name, with another apostrophe.
    await screens.openForm()
    const name = screens.field('Прізвище, ім’я, по батькові клієнта')
    // The suggestions are loaded after the field.
    const suggestions = page.getByRole('combobox', {
      name: screens.say('Прізвище, ім’я, по батькові клієнта'),
    })
    await expect(suggestions).toBeVisible()
    await name.pressSequentially('дар’я')
    const offered = page.getByRole('listbox', { name: screens.say('Клієнти з довідника') })
    await expect(offered.getByRole('option')).toHaveCount(1)
    // What is typed stays in sight above its list.
    await expectBoxes([name, offered], (field, list) => {
      expect(list.top - field.bottom).toBeGreaterThanOrEqual(0)
      expect(list.top - field.bottom).toBeLessThanOrEqual(8)
    })
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(screens.field('Код клієнта')).toHaveValue(OTHER_CLIENT.inn)

    await page.goto('/me/book')
    await expect(screens.heading('Довідник')).toBeVisible()
    const clients = page.getByRole('list', { name: screens.say('Клієнти') })
    await expect(clients.getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('searchbox', { name: screens.say('Пошук клієнта') }).fill(CLIENT.inn.slice(2, 7))
    await expect(clients.getByRole('listitem')).toHaveCount(1)
    await clients.getByRole('button').first().click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: screens.say('Видалити'), exact: true })
      .click()
    await expect(page.getByText(screens.say('Такого клієнта в довіднику немає'))).toBeVisible()

    await screens.openForm()
    await expect(suggestions).toBeVisible()
    const answered = page.waitForResponse((response) => response.url().endsWith('/book/clients/search'))
    await screens.field('Прізвище, ім’я, по батькові клієнта').fill('ковал')
    await answered
    await expect(offered).toHaveCount(0)
    // What is in the cart stays.
    expect((await notary.cart()).groups.map(({ client }) => client.inn)).toContain(CLIENT.inn)
  })

  test(`${language}: another name for a known code is asked about`, async ({ page, context, cabinet }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page, language)
    await notary.addToCart('registry_payment', CLIENT)
    await screens.openForm()
    await screens.fillPayment('requisites_payment', { ...CLIENT, full_name: 'Коваленко Марина Петрівна' })
    await expect(
      page.getByText(
        screens.say('За цим кодом у довіднику інше ім’я: «{stored}»', { stored: CLIENT.full_name }),
      ),
    ).toBeVisible()
    await expectAccessible(page)
  })
}
