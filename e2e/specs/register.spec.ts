import { expectFocusSeen, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { headingOf, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** The archive as a register: the page of an order, the search, receipts of many, and the keyboard. */
const test = testWithCabinet('register')

for (const language of LANGUAGES) {
  test(`${language}: an order is found by sum and recipient, opened by the keyboard, and has a page with its whole way`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize(language === 'uk' ? { width: 1280, height: 900 } : { width: 320, height: 720 })
    await speak(page, language)
    const screens = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)
    const fee = await notary.paidOrder('admin_payment', CARDS.pays)
    await notary.paidOrder('requisites_payment', CARDS.pays)
    await page.goto('/archive')
    await expect(screens.orders).toHaveCount(2)
    await expectNoSidewaysScroll(page)
    const sum = fee.sum.toFixed(2)
    for (const text of [sum, sum.replace('.', ','), fee.number]) {
      await page.getByRole('searchbox').fill(text)
      await expect(screens.orders, text).toHaveCount(1)
      await expect(screens.order(fee.number)).toBeVisible()
    }
    expect(page.url()).not.toContain(sum)
    // A pause in the typing keeps the text for the way back.
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('cabinet.archive-search')))
      .toContain(fee.number)
    await screens.toggleOf(fee.number).focus()
    await page.keyboard.press('Enter')
    await expect(screens.order(fee.number).getByRole('table')).toBeVisible()
    await expectFocusSeen(page)
    await expectNoSidewaysScroll(page)

    await screens.order(fee.number).getByRole('link', { name: fee.number }).click()
    await expect(page).toHaveURL(`${cabinet.url}/order/${fee.id}`)
    await expect(headingOf(page)).toContainText(fee.number)
    await expect(page.getByText('22012600', { exact: true })).toBeVisible()
    await expect(page.locator('#main').getByText(/\(60\s?%\)/)).toBeVisible()
    await expect(page.getByText(screens.say('Замовлення оплачено'))).toBeVisible()
    await expect(page.getByRole('link', { name: new RegExp(`^${fee.number}-`) })).toHaveAttribute(
      'href',
      new RegExp(`^/check\\?code=${fee.number}-`),
    )
    await expectNoSidewaysScroll(page)
    await page.goBack()
    await expect(page.getByRole('searchbox')).toHaveValue(fee.number)
    await expect(screens.order(fee.number).getByRole('table')).toBeVisible()
  })
}

test('an opened row is still opened after a reload', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  const order = await notary.paidOrder('registry_payment', CARDS.pays)
  const screens = new Screens(page)
  await page.goto('/archive?status=paid')
  await screens.toggleOf(order.number).click()
  await expect(page).toHaveURL(`${cabinet.url}/archive?status=paid&open=${order.id}`)
  await page.reload()
  await expect(screens.order(order.number).getByRole('table')).toBeVisible()
})

test('receipts of chosen orders are taken away together', async ({ page, context, cabinet }) => {
  const screens = new Screens(page)
  const notary = await Notary.signUp(context, cabinet)
  const paid = [
    await notary.paidOrder('admin_payment', CARDS.pays),
    await notary.paidOrder('registry_payment', CARDS.pays),
  ]
  await notary.addToCart('registry_payment')
  await notary.orderCart()
  await page.goto('/archive')
  await expect(screens.orders.getByRole('checkbox')).toHaveCount(2)
  await screens.button('Вибрати всі сплачені').click()
  for (const { number } of paid) await expect(screens.order(number).getByRole('checkbox')).toBeChecked()
  for (const [entry, extension] of [
    ['Усі квитанції (ZIP)', 'zip'],
    ['Квитанції про сплату (один PDF)', 'pdf'],
  ] as const) {
    await screens.button('Квитанції вибраних замовлень').click()
    const file = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: entry }).click()
    expect((await file).suggestedFilename()).toMatch(new RegExp(`^Receipts-[\\d-]{10}\\.${extension}$`))
  }
})

test('the palette leads to a page and to an order, and single keys can be switched off', async ({
  page,
  context,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  const order = await notary.paidOrder('registry_payment', CARDS.pays)
  const screens = new Screens(page)
  await page.goto('/archive')
  await expect(screens.order(order.number)).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Перейти' })
  await page.getByRole('button', { name: 'Знайти', exact: true }).click()
  await expect(palette).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await screens.openPalette()
  await page.keyboard.type(CLIENT.full_name.slice(0, 6))
  // The client comes first, then the order.
  const found = palette.getByRole('option', { name: new RegExp(order.number) })
  await expect(found).toBeVisible()
  await expect(palette.getByRole('option', { name: new RegExp(`^${CLIENT.full_name}`) })).toBeVisible()
  while ((await found.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${cabinet.url}/order/${order.id}`)
  expect(decodeURIComponent(page.url())).not.toContain(CLIENT.full_name.slice(0, 6))
  await expect(headingOf(page)).toContainText(order.number)
  await page.keyboard.press('a')
  await expect(page).toHaveURL(`${cabinet.url}/archive`)
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: 'Клавіші без Ctrl увімкнено' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  // The next key works, so the one before it was heard and led nowhere.
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
  await expect(page).toHaveURL(`${cabinet.url}/archive`)
})
