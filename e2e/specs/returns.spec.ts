import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectFocusSeen, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { Bank, OPERATOR } from '../support/bank.ts'
import { changeData } from '../support/database.ts'
import { CLIENT, invoiceOf, Notary } from '../support/notary.ts'
import { textOfPdf } from '../support/pdf.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES, sumPattern, type Language } from '../support/words.ts'

/** What a bank or the Treasury sends back is seen, corrected and sent again, or given back to the card. */
const test = testWithCabinet('returns', OPERATOR)

/** An account of the Treasury that the reference data don't know, whose it is, and the code of another office. */
const ACCOUNT = 'UA728999980334100000000026001'
const OWNER = '37993783'
const ANOTHER = '38008294'
/** An account of the Treasury that the reference data know. */
const KNOWN_ACCOUNT = 'UA328999980999022090100300001'
/** Another account of the notary. */
const OTHER_ACCOUNT = 'UA363220010000026000000012345'
const CLOSED = 'Рахунок закрито'

interface Transfer {
  id: string
  document_number: number
  role: 'notary' | 'recipient'
  status: string
  iban: string
  amount: number
}

/** Whether an element ends inside of its sheet. */
function isInside(element: Element): boolean {
  const sheet = element.closest('section')?.getBoundingClientRect()
  return sheet !== undefined && element.getBoundingClientRect().right <= sheet.right
}

const transfersOf = async (notary: Notary, orderId: string) =>
  (await notary.get<{ transfers: Transfer[] }>(`/order/${orderId}/transfers`)).transfers

/** Orders what is in the cart and pays it. Returns the order's id. */
async function payCart(
  notary: Notary,
  sandbox: { pay: (invoice: string, card: string) => Promise<unknown> },
) {
  const order = await notary.orderCart()
  await sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
  await expect.poll(async () => (await notary.order(order.id, { ask: true })).status).toBe('paid')
  return order.id
}

/** Adds a payment to the Treasury whose account and code don't belong together. */
async function addWrongPair(notary: Notary): Promise<void> {
  const { payment_types: types } = await notary.get<{ payment_types: { id: string; slug: string }[] }>(
    '/payment-types',
  )
  await notary.post('/cart/add', {
    client: CLIENT,
    payment_type_id: types.find(({ slug }) => slug === 'requisites_payment')?.id,
    amount: 340.5,
    iban: ACCOUNT,
    okpo: ANOTHER,
    cbc_code: '22090100',
    recipient_name: 'ГУК у м.Києві/Демонстраційний/22090100',
    purpose: `101 Державне мито, ${CLIENT.inn}`,
  })
}

async function open(page: Page, language: Language): Promise<Screens> {
  await page.setViewportSize(language === 'uk' ? { width: 1280, height: 900 } : { width: 320, height: 720 })
  await page.emulateMedia({ colorScheme: language === 'uk' ? 'light' : 'dark' })
  await speak(page, language)
  return new Screens(page, language)
}

async function expectFit(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

/** The sheet of a transfer. */
function sheetOf(screens: Screens, { document_number: number }: Transfer): Locator {
  const { page, say } = screens
  const name = say('Переказ № {number}', { number: String(number) })
  return page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
}

/** Replaces the text of the focused field. */
async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Downloads by a press and returns the text of the PDF. */
async function pdfAfter(page: Page, press: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent('download')
  await press()
  const file = await waiting
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return { name: file.suggestedFilename(), text: textOfPdf(Buffer.concat(chunks)) }
}

for (const language of LANGUAGES) {
  test(`${language}: a pair that the Treasury sent back is corrected by keyboard, sent again, credited and reclaimed`, async ({
    page,
    context,
    cabinet,
  }) => {
    const screens = await open(page, language)
    const { say } = screens
    const bank = new Bank(cabinet)
    await bank.setOwners({ [ACCOUNT]: OWNER })
    const notary = await Notary.signUp(context, cabinet)
    await addWrongPair(notary)
    const id = await payCart(notary, cabinet.sandbox)
    await bank.payOut()
    const [returned] = await transfersOf(notary, id)
    if (returned === undefined) throw new Error('There is no transfer.')
    expect(returned.status).toBe('returned')

    // Archive and order name the part.
    const decide = screens.link('Надіслати повторно або повернути на картку')
    for (const path of ['/archive', `/order/${id}/success`]) {
      await page.goto(path)
      await expect(
        page.getByText(say('Банк отримувача повернув кошти сервісу: отримувачу не зараховано')),
      ).toBeVisible()
      await expect(page.getByText(/Код отримувача не відповідає рахунку/)).toBeVisible()
      await expect(decide).toBeVisible()
      await expectFit(page)
    }
    await decide.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/order/${id}/transfers$`))
    const sheet = sheetOf(screens, returned)
    await expect(sheet.getByText(say('Повернено банком'))).toBeVisible()
    await expect(sheet.getByText(/Код отримувача не відповідає рахунку/)).toBeVisible()
    await expectFit(page)

    // The page itself refuses a person's code.
    await screens.button('Виправити й надіслати повторно').focus()
    await page.keyboard.press('Enter')
    const name = screens.field('Назва отримувача')
    const code = screens.field('Код отримувача (ЄДРПОУ або РНОКПП)')
    const account = screens.field('Рахунок IBAN отримувача')
    const purpose = screens.field('Призначення платежу')
    await expect(name).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(code).toBeFocused()
    await type(page, CLIENT.inn)
    await page.keyboard.press('Tab')
    await expect(account).toBeFocused()
    await expect(code).toHaveAccessibleDescription(screens.message('okpo_not_for_treasury'))
    await expectFocusSeen(page)
    await expectFit(page)

    // Only the server knows whose the account is. Nothing typed is lost.
    await type(page, KNOWN_ACCOUNT)
    await page.keyboard.press('Shift+Tab')
    await type(page, ANOTHER)
    await page.keyboard.press('Enter')
    await expect(code).toHaveAccessibleDescription(screens.message('okpo_not_for_account'))
    await expect(code).toBeFocused()
    await expect(name).toHaveValue('ГУК у м.Києві/Демонстраційний/22090100')
    await expect(code).toHaveValue(ANOTHER)
    await expect(account).toHaveValue(/^UA32 8999 9809 9902/)
    await expect(purpose).toHaveValue(`101 Державне мито, ${CLIENT.inn}`)
    await expectFit(page)
    await page.reload()
    await screens.button('Виправити й надіслати повторно').click()
    await expect(account).toHaveValue(/^UA32 8999 9809 9902/)
    await expect(code).toHaveValue(ANOTHER)
    await code.focus()

    await type(page, OWNER)
    await page.keyboard.press('Tab')
    await type(page, ACCOUNT)
    await page.keyboard.press('Enter')
    await expect(name).toBeHidden()
    const again = (await transfersOf(notary, id)).find(({ id: other }) => other !== returned.id)
    if (again === undefined) throw new Error('Nothing is sent again.')
    const number = String(again.document_number)
    await expect(sheet.getByText(say('Замінено переказом № {again}', { again: number }))).toBeVisible()
    await expect(sheetOf(screens, again).getByText(say('Очікує передачі банку'))).toBeVisible()
    await expect(
      page.getByText(say('Переказ № {number}', { number: String(returned.document_number) })),
    ).toBeFocused()
    await expectFit(page)

    await bank.payOut()
    await page.goto('/archive')
    await expect(page.getByText(say('Повернені банком кошти надіслано повторно й зараховано'))).toBeVisible()
    await screens.openOrder()
    await expectFit(page)
    await screens.link('Перекази замовлення').click()
    await expect(sheetOf(screens, again).getByText(say('Зараховано отримувачу'))).toBeVisible()

    // What the budget has is reclaimed by an application (order 787), which the client signs.
    await screens.button('Заява про повернення коштів з бюджету').click()
    await screens.button('Завантажити заяву').click()
    const reason = screens.field('Причина повернення')
    await expect(reason).toBeFocused()
    await expect(reason).toHaveAttribute('aria-invalid', 'true')
    await expectFit(page)
    await reason.fill('Мито сплачено двічі')
    await screens.field('Рахунок IBAN клієнта, на який повернути кошти').fill(OTHER_ACCOUNT)
    const file = await pdfAfter(page, () => screens.button('Завантажити заяву').click())
    expect(file.name).toBe(`Application-${again.id}.pdf`)
    for (const part of ['787', CLIENT.full_name, CLIENT.inn, 'Мито сплачено двічі', '22090100'])
      expect(file.text).toContain(part)
    expect(file.text.replaceAll(' ', '')).toContain(OTHER_ACCOUNT)
    expect(file.text).toMatch(sumPattern(34_050, 'uk'))
    await expect(screens.button('Заява про повернення коштів з бюджету')).toBeFocused()
  })

  test(`${language}: what was given back before it was sent is told wherever the order is`, async ({
    page,
    context,
    cabinet,
  }) => {
    const screens = await open(page, language)
    await page.setViewportSize({ width: 390, height: 844 })
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('admin_payment')
    const id = await payCart(notary, cabinet.sandbox)
    const [first] = await transfersOf(notary, id)
    if (first === undefined) throw new Error('The order has no transfer.')
    // As a refund of the operator leaves it.
    changeData(
      cabinet,
      "update transfers set status = 'called_off' where document_number = ?",
      first.document_number,
    )
    const told = page.getByText(screens.say('повернено на картку до передачі банку: отримувачу не надіслано'))
    await page.goto(`/order/${id}/success`)
    await expect(screens.heading('Частину коштів повернено на картку')).toBeVisible()
    await expect(told).toContainText(sumPattern(Math.round(first.amount * 100), language))
    await page.goto('/archive')
    await expect(told).toBeVisible()
    for (const path of [`/order/${id}`, `/order/${id}/transfers`]) {
      await page.goto(path)
      const mark = page.getByText(screens.say('Скасовано до передачі банку')).first()
      await mark.scrollIntoViewIfNeeded()
      await expect.poll(() => mark.evaluate(isInside), path).toBe(true)
      await expectAccessible(page)
    }
  })

  test(`${language}: a closed account of the notary is replaced after a fresh code, and other parts go back to the card`, async ({
    page,
    context,
    cabinet,
  }) => {
    const screens = await open(page, language)
    const { say } = screens
    const bank = new Bank(cabinet)
    const notary = await Notary.signUp(context, cabinet)

    /** A paid administrative fee of which both parts came back. */
    const returnedOrder = async () => {
      await notary.addToCart('admin_payment')
      const id = await payCart(notary, cabinet.sandbox)
      for (const { document_number: number } of await transfersOf(notary, id))
        await bank.sendBack(number, CLOSED)
      await bank.payOut()
      const all = await transfersOf(notary, id)
      const of = (role: Transfer['role']) => {
        const found = all.find((one) => one.role === role)
        if (found === undefined) throw new Error(`There is no transfer of the ${role}.`)
        return found
      }
      return { id, own: of('notary'), fee: of('recipient') }
    }
    const { id, own, fee } = await returnedOrder()
    await page.goto(`/order/${id}/transfers`)

    // Who changes her mind has decided nothing.
    const all = screens.button('Повернути всі кошти на картку')
    const dialog = page.getByRole('dialog', { name: say('Повернути кошти на картку клієнта?') })
    await all.click()
    await expect(dialog).toContainText(sumPattern(Math.round((own.amount + fee.amount) * 100), language))
    await expectFit(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(all).toBeFocused()

    // Somebody else's session, just opened, can't send the share elsewhere. The dialog names the account and loses nothing.
    const ownSheet = sheetOf(screens, own)
    const correct = say('Виправити й надіслати повторно')
    await ownSheet.getByRole('button', { name: correct }).click()
    await expect(screens.field('Ваш РНОКПП')).toBeFocused()
    const account = screens.field('Ваш рахунок IBAN')
    await account.fill(KNOWN_ACCOUNT)
    await page.keyboard.press('Tab')
    await expect(account).toHaveAccessibleDescription(screens.message('your_iban_is_treasury'))
    await account.fill(OTHER_ACCOUNT)
    const confirmation = page.getByRole('dialog', { name: say('Підтвердьте переказ') })
    const code = await cabinet.sandbox.codeAfter(notary.phone, () =>
      screens.button('Надіслати повторно').click(),
    )
    await expect(confirmation).toContainText(`…${OTHER_ACCOUNT.replaceAll(' ', '').slice(-4)}`)
    await expectFit(page)
    await page.keyboard.press('Escape')
    await expect(confirmation).toBeHidden()
    await screens.expectMessage('confirmation_required')
    await expect(account).toHaveValue(/^UA36 3220 0100/)
    await expectFit(page)
    await screens.button('Надіслати повторно').click()
    await confirmation.getByRole('textbox').fill(code)
    await expect(ownSheet.getByText(say('Повернено банком'))).toBeVisible()
    await expect(account).toBeHidden()
    const again = (await transfersOf(notary, id)).find(({ iban }) => iban === OTHER_ACCOUNT)
    const number = String(again?.document_number)
    await expect(ownSheet.getByText(say('Замінено переказом № {again}', { again: number }))).toBeVisible()

    // The other part goes back to the card.
    const feeSheet = sheetOf(screens, fee)
    await feeSheet.getByRole('button', { name: say('Повернути на картку') }).click()
    await expect(dialog).toContainText(sumPattern(Math.round(fee.amount * 100), language))
    await dialog.getByRole('button', { name: say('Повернути на картку') }).click()
    await expect(dialog).toBeHidden()
    const [asked] = say('Запит на повернення на картку подано {day}').split('{')
    await expect(feeSheet.getByText(asked ?? '')).toBeVisible()
    await expect(page.getByRole('button', { name: correct })).toHaveCount(0)
    await expectFit(page)
    expect(cabinet.command('transfers', 'refunds')).toContain(fee.id)
    cabinet.command('transfers', 'refunded', fee.id, '--reason', 'Повернено в кабінеті еквайра', '--yes')
    const [given] = say('Повернено на картку {day}').split('{')
    for (const path of [`/order/${id}/transfers`, `/order/${id}/success`, '/archive']) {
      await page.goto(path)
      // With its capital letter, for an announcement of the same may be heard on the page.
      await expect(page.getByText(new RegExp(given ?? ''))).toBeVisible()
      await expectFit(page)
    }

    // All parts of another order at once.
    const other = await returnedOrder()
    await page.goto(`/order/${other.id}/transfers`)
    await all.focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: say('Повернути на картку') }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main').getByText(asked ?? '')).toHaveCount(2)
    await expect(all).toHaveCount(0)
    await expectFocusSeen(page)
    await expectFit(page)
  })
}
