import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { expectBoxes } from '../support/boxes.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { expectSaid } from '../support/said.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

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
  await screens.doWithCode(cabinet, notary.phone, () => screens.button('Зберегти').click())
  await expectSaid(page, 'Зміни збережено!')
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
  await expectBoxes([english], ({ height }) => expect(height).toBe(600))
  await page.setViewportSize({ width: 320, height: 640 })
  await expectBoxes([english], ({ height }) => expect(height).not.toBe(600))
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
  const first = frame.getByText('424242******4242')
  await expect(first).toBeVisible()
  // The longest name of a system.
  await frame.getByRole('button', { name: 'Додати картку' }).click()
  await new BankPage(frame).fillIn('5555 5555 5555 4444')
  await frame.getByRole('button', { name: /картк/ }).click()
  await expectBoxes([first, frame.getByText('555555******4444')], (one, other) =>
    expect(other.left).toBeCloseTo(one.left, 0),
  )
  await frame.getByRole('button', { name: 'Видалити картку 4242' }).click()
  await expect(frame.getByText('Картку видалено.')).toBeVisible()
})

for (const language of LANGUAGES) {
  test(`${language}: a card that was removed by a slip comes back, also after a reload`, async ({
    page,
    context,
    cabinet,
  }) => {
    await speak(page, language)
    const notary = await Notary.signUp(context, cabinet)
    await notary.paidOrder('registry_payment', CARDS.pays, CLIENT, { save: true })
    const words = {
      uk: {
        frame: 'Керування збереженими картками',
        remove: 'Видалити картку 4242',
        removed: 'Картку видалено.',
        undo: 'Скасувати видалення 4242',
        back: 'Картку повернено до списку.',
        list: 'Нещодавно видалені',
        restore: 'Повернути картку 4242',
        none: 'Збережених карток ще немає.',
      },
      en: {
        frame: 'Manage saved cards',
        remove: 'Delete the card 4242',
        removed: 'The card was deleted.',
        undo: 'Undo the deletion 4242',
        back: 'The card is back in the list.',
        list: 'Recently deleted',
        restore: 'Restore the card 4242',
        none: 'There are no saved cards yet.',
      },
    }[language]
    const cards = async () =>
      (await notary.get<{ tokens: unknown[] }>('/order/token/get-all-tokens-by-phone')).tokens.length
    await page.goto('/me/user-cards')
    const frame = page.getByTitle(words.frame).contentFrame()
    await frame.getByRole('button', { name: words.remove }).click()
    await expect(frame.getByText(words.removed)).toBeVisible()
    await expect(frame.getByText(words.none)).toBeVisible()
    expect(await cards()).toBe(0)
    await expectAccessible(page)
    await frame.getByRole('button', { name: words.undo }).click()
    await expect(frame.getByText(words.back)).toBeVisible()
    expect(await cards()).toBe(1)

    await frame.getByRole('button', { name: words.remove }).click()
    await expect(frame.getByText(words.removed)).toBeVisible()
    await page.reload()
    await expect(frame.getByRole('heading', { name: words.list })).toBeVisible()
    await expect(frame.getByText(words.removed)).toHaveCount(0)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await frame.getByRole('button', { name: words.restore }).click()
    await expect(frame.getByText(words.back)).toBeVisible()
    await expect(frame.getByRole('heading', { name: words.list })).toHaveCount(0)
  })
}
