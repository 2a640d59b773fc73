import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('duplicates')

for (const language of LANGUAGES) {
  test(`${language}: a payment that is in the cart is shown beside the new one and asked about`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const screens = new Screens(page, language)
    await screens.openForm()
    await screens.fillPayment('requisites_payment', CLIENT)
    await screens.addToCart()
    await screens.fillPayment('requisites_payment', CLIENT)
    await screens.button('Додати до кошика').click()

    const question = screens.samePayment
    await expect(question.getByRole('heading', { level: 3 })).toHaveText([
      screens.say('Уже є'),
      screens.say('Новий платіж'),
    ])
    await expect(question.getByText(/1[\s,]?360[,.]61/)).toHaveCount(2)
    await expectAccessible(page)
    // How much lower the new payment stands than the earlier one.
    const lower = () =>
      question.evaluate((dialog) => {
        const [earlier = Number.NaN, wanted = Number.NaN] = [...dialog.querySelectorAll('h3')].map(
          (heading) => heading.getBoundingClientRect().top,
        )
        return wanted - earlier
      })
    await expect.poll(lower).toBe(0)
    // On a phone one is under the other.
    await page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(lower).toBeGreaterThan(0)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })

    // The form is kept, and the focus is where it was.
    await question.getByRole('button', { name: screens.say('Не додавати') }).click()
    await expect(question).toHaveCount(0)
    await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
    await expect(screens.field('Сума')).toHaveValue(/1\s?340[,.]50|1[,.]?340[,.]50/)
    await expect(screens.button('Додати до кошика')).toBeFocused()
    expect((await notary.cart()).items_count).toBe(1)

    // The link leads to the cart, and Back to the form as it was.
    await screens.button('Додати до кошика').click()
    await question.getByRole('link', { name: screens.say('Відкрити кошик') }).click()
    await expect(screens.heading('Кошик')).toBeVisible()
    await page.goBack()
    await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)

    await screens.addToCartTwice()
    expect((await notary.cart()).items_count).toBe(2)
    await expect(screens.field('Код клієнта')).toHaveValue('')
  })

  test(`${language}: a payment of today's order names the order and leads to it`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const order = await notary.paidOrder('registry_payment', CARDS.pays)
    const screens = new Screens(page, language)
    await screens.openForm()
    await screens.fillPayment('registry_payment', CLIENT)
    await page.keyboard.press('Enter')
    const question = screens.samePayment
    await expect(question.getByText(screens.say('Сплачено'))).toBeVisible()
    // Esc adds nothing.
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    expect((await notary.cart()).items_count).toBe(0)
    await screens.button('Додати до кошика').click()
    await question.getByRole('link', { name: new RegExp(order.number) }).click()
    await expect(page).toHaveURL(`${cabinet.url}/order/${order.id}`)
  })
}

test('an answer that is lost is not asked about itself', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await screens.openForm()
  await screens.fillPayment('requisites_payment', CLIENT)
  // The payment is added, and its answer does not come.
  await page.route(
    '**/api/cart/add',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await screens.button('Додати до кошика').click()
  await expect(page.getByText('Сервер не підтвердив додавання')).toBeVisible()
  await screens.addToCart()
  expect((await notary.cart()).items_count).toBe(1)
})
