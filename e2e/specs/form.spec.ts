import type { Request } from '@playwright/test'
import { expectBoxes } from '../support/boxes.ts'
import { changeData } from '../support/database.ts'
import { CLIENT, Notary, OWN_IBAN, OWN_OKPO } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { blockRealtime, listening } from '../support/realtime.ts'
import { Screens } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('form')

let notary: Notary

test.beforeEach(async ({ context, cabinet, page }) => {
  notary = await Notary.signUp(context, cabinet)
  await new Screens(page).openForm()
})

test('an empty form names every missing field, and its links lead into the fields', async ({ page }) => {
  const screens = new Screens(page)
  await screens.kind('Платіж за реквізитами').check()
  await screens.pressAdd()
  const summary = page.getByRole('alert').filter({ hasText: 'У формі є помилки' })
  await expect(summary).toBeFocused()
  await expect(page).toHaveTitle(/^Помилка/)
  const links = summary.getByRole('link')
  await expect.poll(() => links.count()).toBeGreaterThanOrEqual(7)
  await links.first().click()
  await expect(screens.field('Код клієнта')).toBeFocused()
  await links.nth(1).click()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toBeFocused()
  // The field shows the error, too, until it is corrected.
  const name = screens.field('Прізвище, ім’я, по батькові клієнта')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(name).toHaveAccessibleDescription(/Введіть прізвище, ім’я та по батькові клієнта/)
  await name.fill('Коваленко Марія')
  await expect(name).not.toHaveAttribute('aria-invalid', 'true')
})

test('codes, accounts and purposes are checked while they are typed, and nothing is lost', async ({
  page,
}) => {
  const screens = new Screens(page)
  await screens.fillPayment('requisites_payment', CLIENT)
  const code = screens.field('Код клієнта')
  const iban = screens.field('Рахунок IBAN отримувача')
  const purpose = screens.field('Призначення платежу')

  await code.fill('1111111111')
  await expect(screens.button('Додати до кошика')).toHaveAttribute('aria-disabled', 'true')
  await expect(screens.button('Додати до кошика')).toHaveAccessibleDescription(/десяти однакових/)
  await code.fill('AB123456')
  await expect(page.getByText('Латинські літери прочитано як кириличні')).toBeVisible()
  await code.fill('3184710692')
  await expect(page.getByText(/Контрольна цифра не збігається/).first()).toBeVisible()
  await code.fill(CLIENT.inn)

  await iban.fill('UA213223130000026007233566002')
  await iban.blur()
  await expect(iban).toHaveAttribute('aria-invalid', 'true')
  await iban.fill('UA21 3223 1300 0002 6007 2335 66001')
  await iban.blur()
  await expect(iban).not.toHaveAttribute('aria-invalid', 'true')

  // A button adds the client's code to a purpose without it.
  await purpose.fill('За послуги')
  await screens.button('Додати код клієнта {payerCode}', { payerCode: CLIENT.inn }).click()
  await expect(purpose).toHaveValue(new RegExp(CLIENT.inn))
  await purpose.fill('а'.repeat(170))
  await expect(page.getByText('Зайвих символів: 10 (дозволено 160)')).toBeVisible()
  await screens.pressAdd()
  await expect(purpose).toHaveValue('а'.repeat(170))
  await expect(screens.field('Сума')).toHaveValue(/1\s?340,50/)
})

test('an account of the Treasury asks for a budget code and the form of the purpose', async ({ page }) => {
  const screens = new Screens(page)
  await screens.fillPayment('requisites_payment', CLIENT)
  await expect(screens.field('Код класифікації доходів бюджету')).toHaveCount(0)
  await screens.field('Рахунок IBAN отримувача').fill('UA328999980999022090100300001')
  await expect(screens.field('Код класифікації доходів бюджету')).toBeVisible()
  await screens.pressAdd()
  await expect(screens.field('Код класифікації доходів бюджету')).toHaveAttribute('aria-invalid', 'true')
  await expect(screens.field('Призначення платежу')).toHaveAttribute('aria-invalid', 'true')
  await screens.button('Почати з «101»').click()
  await screens.field('Код класифікації доходів бюджету').fill('22090100')
  await screens.field('Код отримувача (ЄДРПОУ або РНОКПП)').fill('37993783')
  await screens.addToCart()
})

test('an old form of the purpose is shown in the form in force, and stored so', async ({ page }) => {
  const screens = new Screens(page)
  await screens.fillPayment('requisites_payment', CLIENT)
  await screens.field('Рахунок IBAN отримувача').fill('UA328999980999022090100300001')
  await screens.field('Код отримувача (ЄДРПОУ або РНОКПП)').fill('37993783')
  await screens.field('Код класифікації доходів бюджету').fill('22090100')
  await screens.field('Призначення платежу').fill(`*;101;${CLIENT.inn};Державне мито;;;`)
  const inForce = `101 Державне мито, ${CLIENT.inn}`
  await expect(page.getByText(inForce, { exact: true })).toBeVisible()
  await screens.addToCart()
  await page.goto('/cart')
  await expect(page.getByText(inForce)).toBeVisible()
})

test('sums are read in any usual writing, and the total follows', async ({ page }) => {
  const screens = new Screens(page)
  await screens.fillPayment('requisites_payment', CLIENT)
  const amount = screens.field('Сума')
  for (const [typed, total] of [
    ['1000', 101_500],
    ['1 234,56', 125_308],
    ['1234.56', 125_308],
    ['10', 2_000],
  ] as const) {
    await amount.fill(typed)
    await expect.poll(() => screens.totalOfForm(), { message: typed }).toBe(total)
  }
  await expect(page.getByText(/Комісія 1,5\s%, щонайменше 10,00/)).toBeVisible()
  await expect(page.getByText(/Цей тариф діє з\s11\.11\.2025/)).toBeVisible()
})

test('a sum that is come to by Tab is typed over, and what is selected in it stays selected', async ({
  page,
}) => {
  const screens = new Screens(page)
  await screens.fillPayment('requisites_payment', CLIENT)
  const amount = screens.field('Сума')
  await amount.fill('1500')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(amount).toBeFocused()
  await page.keyboard.type('50')
  await expect(amount).toHaveValue('50')
  await page.keyboard.press('Tab')
  await expect(amount).toHaveValue('50,00')
  await expect.poll(() => screens.totalOfForm()).toBe(6_000)

  // A click sets the caret and leaves the sum as it is.
  await amount.click()
  await expect(amount).toHaveValue('50,00')
  await page.keyboard.press('Home')
  await page.keyboard.type('1')
  await expect(amount).toHaveValue('150,00')
  await page.keyboard.type('2')
  await expect(amount).toHaveValue('1250,00')
})

for (const [width, font] of [
  [320, 'Inter'],
  [390, 'Inter'],
  [1280, 'Inter'],
  [1920, 'Inter'],
  [320, 'its substitute'],
  [1280, 'its substitute'],
] as const) {
  test(`the largest sum stays in its card at ${width} px with ${font}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    if (font !== 'Inter') {
      // Where Inter comes too late, the page keeps the font of the machine, which may be much wider.
      await page.route('**/*.woff2', (route) => route.abort())
      await page.reload()
    }
    const screens = new Screens(page)
    await screens.fillPayment('requisites_payment', CLIENT)
    for (const typed of ['100000', '9999999', '950000000']) {
      await screens.field('Сума').fill(typed)
      const card = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Разом до сплати' }) })
      const total = card.getByText(/^\d[\d\s]*,\d{2}\sгрн$/).first()
      // The size is set after the text, by the width that the text took.
      await expectBoxes([total, card], (inner, outer) => {
        expect(inner.left, typed).toBeGreaterThan(outer.left)
        expect(inner.right, typed).toBeLessThan(outer.right - 12)
      })
    }
  })
}

test('a legal entity has another name for its fields and eight digits', async ({ page }) => {
  const screens = new Screens(page)
  await page.getByRole('checkbox', { name: 'Платник – юридична особа' }).check()
  await expect(screens.field('Назва юридичної особи')).toBeVisible()
  // A textbox until the offers of known clients are loaded, then a combobox.
  const code = screens.field('Код ЄДРПОУ')
  await code.fill(CLIENT.inn)
  await code.blur()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await code.fill('37193071')
  await code.blur()
  await expect(code).not.toHaveAttribute('aria-invalid', 'true')
})

test('what is added can be taken back into the form, and the next payment keeps the client', async ({
  page,
}) => {
  const screens = new Screens(page)
  await screens.fillPayment('registry_payment', CLIENT)
  await screens.addToCart()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue('')
  await expect(page.getByRole('link', { name: /Кошик: 1 платіж/ })).toBeVisible()

  await screens.button('Скасувати додавання').click()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue(CLIENT.full_name)
  await expect(page.getByRole('link', { name: 'Кошик порожній' })).toBeVisible()

  await screens.addToCart()
  await screens.button('Ще один платіж цього клієнта').click()
  await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
})

test('what is being typed outlasts a visit to the cart, and the form is emptied on demand', async ({
  page,
}) => {
  const screens = new Screens(page)
  await screens.fillPayment('requisites_payment', CLIENT)
  await page.getByRole('link', { name: 'Кошик порожній' }).click()
  await expect(screens.heading('Кошик')).toBeVisible()
  await page.goBack()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue(CLIENT.full_name)
  await expect(screens.field('Призначення платежу')).toHaveValue(new RegExp(CLIENT.inn))
  await screens.button('Очистити форму').click()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue('')
  await page.getByRole('button', { name: 'Повернути' }).click()
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue(CLIENT.full_name)
})

test('a template fills the recipient and the purpose with the client', async ({ page }) => {
  const screens = new Screens(page)
  await screens.field('Прізвище, ім’я, по батькові клієнта').fill(CLIENT.full_name)
  await screens.field('Код клієнта').fill(CLIENT.inn)
  await screens.kind('Платіж за реквізитами').check()
  const templates = page.getByRole('combobox', { name: /Шаблон платежу/ })
  await expect(templates).toBeEnabled()
  await templates.selectOption({ label: 'Державне мито за видачу свідоцтва про право на спадщину' })
  await expect(screens.field('Призначення платежу')).toHaveValue(new RegExp(`101 .*${CLIENT.inn}`))
  await expect(screens.field('Рахунок IBAN отримувача')).toHaveValue(/^UA32 ?8999/)
  await expect(screens.field('Сума')).toHaveValue(/34,00/)
  await screens.addToCart()
})

test("a client's name and code never stay in the address", async ({ page, cabinet, traffic }) => {
  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  const client = encodeURIComponent(JSON.stringify(CLIENT))
  await page.goto(`/?client=${client}`)
  const screens = new Screens(page)
  await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
  await expect(page).toHaveURL(`${cabinet.url}/`)
  const headers = await Promise.all(asked.map((request) => request.allHeaders()))
  expect(headers.length).toBeGreaterThan(1)
  for (const { referer } of headers) expect(referer ?? '').not.toContain(CLIENT.inn)
  // Another program made the link. What the cabinet itself asks for is searched after the last test.
  expect(traffic.addresses.delete(`/?client=${client}`)).toBe(true)
})

test.describe('a session that has ended asks for a login and gives back the page with what was typed', () => {
  for (const finds of ['a press', 'the page itself'] as const)
    test(`${finds} finds it`, async ({ page, cabinet }) => {
      const screens = new Screens(page)
      // Without its channel the page hears nothing of the end, so the press comes first.
      if (finds === 'a press') await blockRealtime(page)
      const listens = finds === 'the page itself' ? listening(page) : null
      await page.reload()
      await listens
      await screens.fillPayment('requisites_payment', CLIENT)
      cabinet.command('notary', 'set', notary.phone, '--end-sessions', '--reason', 'a browser test')
      if (finds === 'a press') await screens.pressAdd()
      await expect(page.getByText('Сеанс завершився').first()).toBeVisible()
      await screens.field('Номер телефону').fill(notary.phone)
      const code = await cabinet.sandbox.codeAfter(notary.phone, () => screens.button('Увійти').click())
      await screens.field('Код із SMS').fill(code)
      await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
      await expect(screens.field('Призначення платежу')).toHaveValue(new RegExp(CLIENT.inn))
      await screens.addToCart()
    })
})

test('an open tab that nobody touches ends, says so before, and gives back what was typed', async ({
  page,
  cabinet,
}) => {
  await page.clock.install()
  await page.reload()
  const screens = new Screens(page)
  await expect(screens.heading('Новий платіж')).toBeVisible()
  await screens.fillPayment('requisites_payment', CLIENT)
  /** The session ends in two minutes by the server's clock, which goes on while the page's is moved. */
  const endSoon = (): void => {
    const end = Date.now() + 2 * 60_000
    changeData(cabinet, 'update refresh_tokens set expires_at = ?', end * 1_000)
  }
  /** The page keeps polling for longer than an access token is valid, and so renews its session. */
  const goOn = async (): Promise<void> => {
    const renewed = page.waitForResponse(/\/api\/auth\/refresh/)
    await page.clock.fastForward('11:00')
    await renewed
  }
  const warning = page.getByRole('status').filter({ hasText: 'Сеанс завершиться за' })

  // Typing extends the session once; polling does not.
  endSoon()
  await goOn()
  await expect(warning).toBeHidden()
  endSoon()
  await goOn()
  await expect(warning).toBeVisible()
  await screens.button('Продовжити сеанс').click()
  await expect(warning).toBeHidden()

  await goOn()
  endSoon()
  await goOn()
  await expect(warning).toBeVisible()
  changeData(cabinet, 'update refresh_tokens set expires_at = 1')
  await page.clock.fastForward('03:00')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Сеанс завершився').first()).toBeVisible()
  await screens.field('Номер телефону').fill(notary.phone)
  const code = await cabinet.sandbox.codeAfter(notary.phone, () => screens.button('Увійти').click())
  await screens.field('Код із SMS').fill(code)
  await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
  await expect(screens.field('Призначення платежу')).toHaveValue(new RegExp(CLIENT.inn))
})

test('what is being typed outlasts a reload, and is gone with who typed it', async ({ page }) => {
  const screens = new Screens(page)
  await screens.fillPayment('admin_payment', CLIENT)
  const total = await screens.totalOfForm()
  await page.reload()
  await expect(screens.field('Код клієнта')).toHaveValue(CLIENT.inn)
  await expect(screens.field('Прізвище, ім’я, по батькові клієнта')).toHaveValue(CLIENT.full_name)
  // The sums of the form are reckoned once its lists have come.
  await expect.poll(() => screens.totalOfForm()).toBe(total)

  await screens.button('Вийти').click()
  await screens.button('Вийти без збереження').click()
  await expect(page).toHaveURL(/\/login$/)
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  expect(kept).not.toContain(CLIENT.inn)
  expect(kept).not.toContain(CLIENT.full_name)
})

for (const language of LANGUAGES) {
  test(`a card number in a name or a purpose never leaves the browser, in ${language}`, async ({ page }) => {
    if (language === 'en') await page.getByRole('button', { name: 'Eng, English' }).first().click()
    const screens = new Screens(page, language)
    await screens.openForm()
    await screens.fillPayment('requisites_payment', CLIENT)
    const name = screens.field('Прізвище, ім’я, по батькові клієнта')
    const purpose = screens.field('Призначення платежу')
    await name.fill(`Коваленко ${CARDS.pays}`)
    await purpose.fill(`За послуги, код ${CLIENT.inn}, картка 4242 4242 4242 4242`)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await screens.pressAdd()
    for (const field of [name, purpose])
      await expect(field).toHaveAccessibleDescription(new RegExp(screens.message('card_number_not_accepted')))
    expect(sent.filter((url) => url.endsWith('/cart/add'))).toEqual([])

    await name.fill(CLIENT.full_name)
    await purpose.fill(`За послуги, код ${CLIENT.inn}`)
    await screens.addToCart()
  })
}

/** How many pixels of its text a field does not show. */
const cut = (field: HTMLInputElement) => field.scrollWidth - field.clientWidth

test('an account is whole in its field on the narrowest phone', async ({ page }) => {
  await notary.post('/me', { iban: OWN_IBAN, okpo: OWN_OKPO })
  await page.setViewportSize({ width: 320, height: 640 })
  const screens = new Screens(page)
  await page.goto('/me')
  const own = page.getByLabel('Ваш рахунок IBAN')
  await expect(own).toHaveValue(/^UA/u)
  await expect.poll(() => own.evaluate(cut)).toBe(0)
  await screens.openForm()
  await screens.fillPayment('requisites_payment', CLIENT)
  await screens.button('Очистити форму').focus()
  const recipient = screens.field('Рахунок IBAN отримувача')
  await expect.poll(() => recipient.evaluate(cut)).toBe(0)
})
