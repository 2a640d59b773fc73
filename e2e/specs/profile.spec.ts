import { Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'

const test = testWithCabinet('profile')

test('the card of the notary is saved, and comes back as it was', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await page.goto('/me')
  await expect(screens.field('Номер телефону')).toHaveAttribute('readonly', '')
  await screens.field('Номер свідоцтва').fill('1234')
  await screens.field('Електронна пошта').fill('oksana@example.com')
  await screens.field('Пільга діє до').fill('31.12.2030')
  await screens.field('Ваш рахунок IBAN').fill('UA363220010000026000000012345')
  await screens.field('Номер картки').fill(CARDS.pays)
  await screens.button('Зберегти').click()
  await expect(page.getByText('Зміни збережено!')).toBeVisible()
  await page.reload()
  await expect(screens.field('Номер свідоцтва')).toHaveValue('1234')
  await expect(screens.field('Пільга діє до')).toHaveValue('31.12.2030')
  await expect(screens.field('Номер картки')).not.toHaveValue(/4242 ?42\d\d ?4242/)
  const me = await notary.post<Record<string, unknown>>('/auth/me', {})
  expect(me).toMatchObject({
    exemption_date_finish: '2030-12-31',
    email: 'oksana@example.com',
    phone: notary.phone,
  })
  expect(String(me['card_pan'])).toMatch(/^424242\D+4242$/)
})

test('wrong values are named and nothing of them is stored', async ({ page, context, cabinet }) => {
  const notary = await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await page.goto('/me')
  await screens.field('Прізвище, ім’я, по батькові').fill('')
  await screens.field('Ваш рахунок IBAN').fill('UA363220010000026000000012346')
  await screens.field('Номер картки').fill('4242424242424243')
  await screens.button('Зберегти').click()
  const summary = page.getByRole('alert').filter({ hasText: 'У формі є помилки' })
  await expect(summary.getByRole('link')).toHaveCount(3)
  await expect(screens.field('Ваш рахунок IBAN')).toHaveValue(/1234 ?6$/)
  const me = await notary.post<Record<string, unknown>>('/auth/me', {})
  expect(me['full_name']).not.toBe('')
})

test('leaving with unsaved changes is asked about', async ({ page, context, cabinet }) => {
  await Notary.signUp(context, cabinet)
  const screens = new Screens(page)
  await page.goto('/me')
  await screens.field('Номер свідоцтва').fill('55')
  await page.getByRole('navigation', { name: 'Розділи' }).first().getByRole('link', { name: 'Архів' }).click()
  const dialog = page.getByRole('dialog', { name: 'Залишити сторінку без збереження?' })
  await dialog.getByRole('button', { name: 'Повернутися до форми' }).click()
  await expect(screens.field('Номер свідоцтва')).toHaveValue('55')
  await page.getByRole('navigation', { name: 'Розділи' }).first().getByRole('link', { name: 'Архів' }).click()
  await dialog.getByRole('button', { name: 'Залишити без збереження' }).click()
  await expect(screens.heading('Архів')).toBeVisible()
})

test('saved cards are managed in a frame that speaks the language of the page', async ({
  page,
  context,
  cabinet,
}) => {
  await Notary.signUp(context, cabinet)
  await page.goto('/me/user-cards')
  const frame = page.getByTitle('Керування збереженими картками')
  await expect(frame).toHaveAttribute('height', '600')
  await expect(frame.contentFrame().locator('html')).toHaveAttribute('lang', 'uk')
  const before = await frame.getAttribute('src')
  await page.getByRole('button', { name: 'Eng, English' }).first().click()
  await expect(page.getByTitle('Manage saved cards').contentFrame().locator('html')).toHaveAttribute(
    'lang',
    'en',
  )
  expect(await page.getByTitle('Manage saved cards').getAttribute('src')).not.toBe(before)

  // On a phone the frame does not scroll; on a desktop it has the height of the specification.
  const english = page.getByTitle('Manage saved cards')
  expect((await english.boundingBox())?.height).toBe(600)
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(async () => (await english.boundingBox())?.height).not.toBe(600)
  const content = english.contentFrame().locator('html')
  await expect.poll(() => content.evaluate((html) => html.scrollHeight - html.clientHeight)).toBe(0)
})

test('a card is added in the frame on the page of the bank, and stands in the list after it', async ({
  page,
  context,
  cabinet,
}) => {
  await Notary.signUp(context, cabinet)
  await page.goto('/me/user-cards')
  const frame = page.getByTitle('Керування збереженими картками').contentFrame()
  await expect(frame.getByText('Збережених карток ще немає.')).toBeVisible()
  await frame.getByRole('button', { name: 'Додати картку' }).click()
  // The bank is another site, as in production: requests from its page carry none of our cookies.
  expect(new URL(cabinet.sandbox.url).hostname).not.toBe(new URL(cabinet.url).hostname)
  await new BankPage(frame).fillIn(CARDS.pays)
  await frame.getByRole('button', { name: /картк/ }).click()
  await expect(frame.getByText('424242******4242')).toBeVisible()
  await frame.getByRole('button', { name: 'Видалити картку 4242' }).click()
  await expect(frame.getByText('Картку видалено.')).toBeVisible()
})
