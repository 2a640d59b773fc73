import { expectAccessible } from '../support/accessibility.ts'
import { CLIENT, Notary, OWN_IBAN, OWN_OKPO } from '../support/notary.ts'
import { expectSaid } from '../support/said.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('newcomer')

for (const language of LANGUAGES) {
  test(`${language}: first steps lead to the account, a card and the first payment`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page, language)
    await screens.openForm()
    const steps = page.getByRole('region', { name: screens.say('Перші кроки') })
    await expect(steps.getByRole('link')).toHaveCount(3)
    await expectAccessible(page)
    // The last button of the sidebar does not lie over the footer.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const logout = screens.button('Вийти').last()
    await expect(logout).toBeVisible()
    const gap = () =>
      logout.evaluate((button) => {
        const footer = document.querySelector('footer')?.getBoundingClientRect().top ?? Number.NaN
        return footer - button.getBoundingClientRect().bottom
      })
    await expect.poll(gap).toBeGreaterThanOrEqual(0)
    await steps.getByRole('link', { name: screens.say('Рахунок і код') }).click()
    await expect(page).toHaveURL(/\/me#profile-iban$/)
    await expect(screens.field('Ваш рахунок IBAN')).toBeFocused()
    await expect(screens.field('Ваш рахунок IBAN')).toBeInViewport()
    await screens.field('Ваш рахунок IBAN').fill(OWN_IBAN)
    await screens.field('Код власника рахунку').fill(OWN_OKPO)
    await screens.doWithCode(cabinet, notary.phone, () => screens.button('Зберегти').click())
    await expectSaid(page, screens.say('Зміни збережено!'))
    await expect(steps.getByRole('link')).toHaveCount(2)
    await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
    await screens.openForm()
    await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toBeVisible()
    await expect(steps).toHaveCount(0)
  })

  test(`${language}: a mistake in a payment is reported from the cart and gets a number`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page, language)
    await notary.addToCart('registry_payment')
    await screens.openCart()
    const report = page.getByRole('button', {
      name: new RegExp(`^${screens.say('Повідомити про помилку: {name}').split('{')[0]}`),
    })
    await report.click()
    const dialog = page.getByRole('dialog', { name: screens.say('Помилка в платежі') })
    const text = dialog.getByRole('textbox', { name: screens.say('Опишіть помилку') })
    await expect(text).toBeFocused()
    await text.fill('Неправильна назва отримувача')
    await expectAccessible(page)
    // A slip that closes the dialog loses nothing.
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await report.click()
    await expect(text).toHaveValue('Неправильна назва отримувача')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: screens.say('Надіслати') }).click()
    await expect(page.getByText(screens.say('Повідомлення надіслано до служби підтримки'))).toBeVisible()
    const { groups } = await notary.get<{ groups: { items: { complaint_number: string | null }[] }[] }>(
      '/cart',
    )
    const item = groups[0]?.items[0]
    expect(item?.complaint_number).toBeTruthy()
    await expect(
      page.getByText(screens.say('Повідомлено: № {number}', { number: String(item?.complaint_number) })),
    ).toBeVisible()
  })
}
