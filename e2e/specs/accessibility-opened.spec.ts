import { forEachAppearance } from '../support/appearance.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { expectSaid } from '../support/said.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('accessibility-opened')

forEachAppearance(test, (language, look) => {
  test('what opens over a page and what appears on it', async ({ page, context, cabinet }) => {
    await speak(page, language)
    const screens = new Screens(page, language)
    await page.goto('/login')
    await page.getByRole('button', { name: screens.say('Вигляд') }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await look(page)

    const notary = await Notary.signUp(context, cabinet)
    await screens.openForm()
    await screens.fillPayment('registry_payment', CLIENT)
    await screens.addToCart()
    await look(page)
    await screens.button('Очистити форму').click()
    await expectSaid(page, screens.say('Форму очищено'))
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
    await notary.saveCard(CARDS.pays)
    await screens.openCart()
    await screens.payInPopup(CLIENT, null)
    await page.waitForURL(`${cabinet.sandbox.url}/**`)
    await new BankPage(page).pay(CARDS.pays)
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
