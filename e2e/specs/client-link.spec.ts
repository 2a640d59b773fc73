import type { Page } from '@playwright/test'

import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary } from '../support/notary.ts'
import { textOfPdf } from '../support/pdf.ts'
import { CARDS, type Sandbox } from '../support/sandbox.ts'
import { BankPage, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** The link by which a client pays an order on a phone, without a login, and the letter about the receipt. */
const test = testWithCabinet('client-link')

const WORDS = {
  uk: {
    awaits: 'Очікує оплати',
    pay: /^Сплатити карткою/,
    paid: 'Сплачено.',
    receipt: 'Квитанція про сплату (PDF)',
    codes: 'Або за QR-кодами',
    show: 'Показати QR-коди',
    back: 'До замовлення',
    despite: /^За QR-кодами не сплачено/,
    send: 'Надсилати квитанцію',
    email: 'Електронна пошта',
    mistyped: /^Перевірте адресу/,
    goes: 'Квитанцію надсилаємо на k•••@example.com.',
    nothing: 'Це посилання не діє.',
    digits: 'Останні чотири цифри коду платника',
    wrong: /^Код платника або номер документа закінчується іншими цифрами/,
  },
  en: {
    awaits: 'Awaiting payment',
    pay: /^Pay with a card/,
    paid: 'Paid.',
    receipt: 'Payment receipt (PDF)',
    codes: 'Or by QR codes',
    show: 'Show the QR codes',
    back: 'To the order',
    despite: /^Nobody paid by the QR codes/,
    send: 'Send the receipt',
    email: 'Email',
    mistyped: /^Check the address/,
    goes: 'The receipt is sent to k•••@example.com.',
    nothing: 'This link does not work.',
    digits: 'Last four digits of the payer’s code',
    wrong: /^The payer’s code or document number ends with other digits/,
  },
} as const

/** Returns the pages that the letters about the receipt of an order lead to. */
async function pagesOfLetters(sandbox: Sandbox, order: string): Promise<string[]> {
  const letters = JSON.parse(await sandbox.letters()) as { subject: string; text: string }[]
  const texts = letters.filter(({ subject }) => subject.includes(order)).map(({ text }) => text)
  return texts.map((text) => /\/letters\/[\w-]+/.exec(text)?.[0] ?? '')
}

/** Returns the text of the document that a press gives. */
async function downloadedText(page: Page, press: () => Promise<void>): Promise<string> {
  const waiting = page.waitForEvent('download')
  await press()
  const file = await waiting
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return textOfPdf(Buffer.concat(chunks))
}

for (const language of LANGUAGES) {
  test(`${language}: a notary makes a link, the client pays by it on a phone and takes the receipt, and it is withdrawn`, async ({
    page,
    context,
    browser,
    cabinet,
  }) => {
    const words = WORDS[language]
    await page.setViewportSize(language === 'uk' ? { width: 1280, height: 900 } : { width: 320, height: 720 })
    await speak(page, language)
    const screens = new Screens(page, language)
    const { say } = screens
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('registry_payment')
    const order = await notary.orderCart()
    await page.goto('/archive')
    await screens.openOrder(order.number)
    const fold = page.locator('summary').filter({ hasText: say('Посилання для клієнта') })
    await fold.click()
    await page.getByRole('button', { name: say('Створити посилання'), exact: true }).click()
    const field = page.getByLabel(say('Адреса посилання'))
    const url = await field.inputValue()
    expect(url).toMatch(/\/pay\/[\w-]{24}$/)
    await page.getByLabel(say('Телефон клієнта')).fill('050 123-45-67')
    await page.getByRole('button', { name: say('Надіслати SMS') }).click()
    await expect(page.getByText(say('Надіслано'), { exact: true })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await expect
      .poll(async () => JSON.stringify(await cabinet.sandbox.messages('+380501234567')))
      .toContain(new URL(url).pathname)

    // The client opens it on a phone.
    const viewport = { width: 390, height: 844 }
    const locale = language === 'uk' ? 'uk-UA' : 'en-GB'
    const phone = await browser.newContext({ baseURL: cabinet.url, viewport, locale })
    const client = await phone.newPage()
    const sent: string[] = []
    client.on('request', (request) => {
      if (request.method() === 'POST' && request.url().startsWith(url))
        sent.push(request.url().slice(url.length))
    })
    await client.goto(url)
    await expect(client.getByRole('heading', { level: 1 })).toContainText(order.number)
    await expect(client.getByRole('status').first()).toContainText(words.awaits)
    await expect(client.getByText('Коваленко')).toHaveCount(0)
    await expectAccessible(client)
    await expectNoSidewaysScroll(client)
    const email = client.getByLabel(words.email)
    await email.fill('klient@example')
    await client.getByRole('button', { name: words.send }).click()
    await expect(email).toHaveAccessibleDescription(words.mistyped)
    await expect(email).toHaveValue('klient@example')
    await expect(email).toBeFocused()
    await expectAccessible(client)
    await expectNoSidewaysScroll(client)
    await email.fill('klient@example.com')
    await client.getByRole('button', { name: words.send }).click()
    await expect(client.getByText(words.goes)).toBeVisible()
    await expectAccessible(client)
    // Whatever shows the page anew, a form is sent once.
    await client.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await client.waitForURL(`${url}?language=${language}`)
    await expect(client.getByRole('status').first()).toContainText(words.awaits)
    expect(sent).toEqual(['/mail', '/mail'])
    // Another window of the notary, beside her first one.
    const beside = await context.newPage()
    await beside.goto('/archive')
    await client.getByRole('button', { name: words.pay }).click()
    await new BankPage(client).pay(CARDS.pays)
    // The bank leads back to the page of the link.
    await client.waitForURL(`${url}?language=${language}`)
    // The notary is told once, in one of the windows that she has open.
    const told = say('Замовлення № {number} оплачено: {name}', {
      name: CLIENT.full_name,
      number: order.number,
    })
    const tellings = () => Promise.all([page, beside].map((tab) => tab.getByText(told).count()))
    await expect.poll(tellings).toContain(1)
    for (const tab of [page, beside]) {
      const row = new Screens(tab, language).order(order.number)
      await expect(row.getByText(say('Сплачено'), { exact: true }).first()).toBeVisible()
    }
    expect((await tellings()).toSorted()).toEqual([0, 1])
    await beside.close()
    await expect(client.getByRole('status').first()).toContainText(words.paid)
    await expectAccessible(client)
    const receipt = client.getByRole('link', { name: words.receipt })
    expect(await downloadedText(client, () => receipt.click())).toContain(order.number)

    // The letter leads to the receipt: by the keyboard, with the last digits of the payer's code.
    let letter: string | undefined
    await expect
      .poll(async () => ([letter] = await pagesOfLetters(cabinet.sandbox, order.number)))
      .toHaveLength(1)
    await client.goto(letter ?? '')
    const digits = client.getByLabel(words.digits)
    await expectAccessible(client)
    await expectNoSidewaysScroll(client)
    await digits.fill('0000')
    await digits.press('Enter')
    await expect(digits).toHaveAccessibleDescription(words.wrong)
    await expect(digits).toHaveValue('0000')
    await expect(digits).toBeFocused()
    await expectAccessible(client)
    await expectNoSidewaysScroll(client)
    await digits.fill(CLIENT.inn.slice(-4))
    expect(await downloadedText(client, () => digits.press('Enter'))).toContain(CLIENT.inn)
    expect(client.url()).not.toContain(CLIENT.inn.slice(-4))

    // Another order: the QR codes close the card; withdrawn, the link opens nothing.
    await notary.addToCart('registry_payment')
    const second = await notary.orderCart()
    const made = await notary.post<{ url: string }>(`/order/${second.id}/client-link`, {})
    await client.goto(made.url)
    await client.getByText(words.codes).click()
    await client.getByRole('button', { name: words.show }).click()
    await expect(client.getByRole('img')).toBeVisible()
    await expectAccessible(client)
    await expectNoSidewaysScroll(client)
    await client.getByRole('link', { name: words.back }).click()
    await expect(client.getByRole('button', { name: words.despite })).toBeVisible()
    await notary.post(`/order/${second.id}/client-link/withdraw`, {})
    await client.reload()
    await expect(client.getByText(words.nothing)).toBeVisible()
    await expectAccessible(client)
    await phone.close()
  })
}

for (const language of LANGUAGES) {
  test(`${language}: a notary sees that a letter was shut, sends it again, and sees the receipt opened`, async ({
    page,
    context,
    browser,
    cabinet,
  }) => {
    await page.setViewportSize(language === 'uk' ? { width: 1366, height: 768 } : { width: 390, height: 844 })
    await speak(page, language)
    const { say } = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('registry_payment')
    const order = await notary.orderCart()
    const stranger = await browser.newContext({ baseURL: cabinet.url })
    const bank = await stranger.newPage()
    await bank.goto(order.widget_url ?? '')
    await new BankPage(bank).pay(CARDS.pays)
    const unfold = async () => {
      await page.goto(`/order/${order.id}/success`)
      await page
        .locator('summary')
        .filter({ hasText: say('Квитанція клієнту') })
        .click()
    }
    await unfold()
    await page.getByLabel(say('Електронна пошта клієнта для квитанції')).fill('klient@example.com')
    await page.getByRole('button', { name: say('Надсилати квитанцію') }).click()
    await expect(page.getByText(say('Лист надіслано, квитанцію ще не відкрито.'))).toBeVisible()

    const [first = ''] = await pagesOfLetters(cabinet.sandbox, order.number)
    const enter = async (letter: string, digits: string) =>
      stranger.request.post(`${letter}/receipt`, { form: { digits } })
    for (let wrong = 0; wrong < 10; wrong += 1) await enter(first, '0000')
    await unfold()
    const shut = say('Посилання в листі закрито: забагато разів введено неправильні цифри.')
    await expect(page.getByText(shut)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const again = page.getByRole('button', { name: say('Надіслати ще раз') })
    await again.focus()
    await again.press('Enter')
    await expect(page.getByText(say('Лист надіслано, квитанцію ще не відкрито.'))).toBeVisible()

    const letters = await pagesOfLetters(cabinet.sandbox, order.number)
    const second = letters.find((letter) => letter !== first) ?? ''
    const receipt = await enter(second, CLIENT.inn.slice(-4))
    expect(receipt.headers()['content-type']).toBe('application/pdf')
    await unfold()
    await expect(
      page.getByText(language === 'uk' ? /Квитанцію відкрито \d/ : /receipt was opened/),
    ).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await stranger.close()
  })
}

test('the page shows by itself what has happened, and takes nothing away that is being typed', async ({
  context,
  browser,
  cabinet,
}) => {
  const notary = await Notary.signUp(context, cabinet)
  await notary.addToCart('registry_payment')
  const order = await notary.orderCart()
  const made = await notary.post<{ url: string }>(`/order/${order.id}/client-link`, {})
  const phone = await browser.newContext({ locale: 'uk-UA', viewport: { width: 390, height: 844 } })
  const watching = await phone.newPage()
  const typing = await phone.newPage()
  await typing.goto(made.url)
  await typing.getByLabel(WORDS.uk.email).fill('klient@exam')
  await watching.goto(made.url)
  const bank = await phone.newPage()
  await bank.goto(order.widget_url ?? '')
  await new BankPage(bank).pay(CARDS.pays)
  await watching.bringToFront()
  await expect(watching.getByRole('status').first()).toContainText('Сплачено.')
  await typing.bringToFront()
  await expect(typing.getByText('Статус оплати змінився.')).toBeVisible()
  await expect(typing.getByLabel(WORDS.uk.email)).toHaveValue('klient@exam')
  await phone.close()
})

for (const language of LANGUAGES) {
  test(`${language}: the cart gives the client’s link and its QR code by two presses`, async ({
    page,
    context,
    browser,
    cabinet,
  }) => {
    await page.setViewportSize(language === 'uk' ? { width: 1366, height: 768 } : { width: 320, height: 720 })
    await speak(page, language)
    const screens = new Screens(page, language)
    const { say } = screens
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('registry_payment')
    await screens.openCart()
    await page.getByRole('button', { name: new RegExp(`^${say('Клієнт платить сам')}`) }).click()
    const dialog = page.getByRole('dialog', { name: say('Посилання для клієнта') })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: say('Створити посилання') }).click()
    const url = await dialog.getByLabel(say('Адреса посилання')).inputValue()
    expect(url).toMatch(/\/pay\/[\w-]{24}$/)
    await expect(dialog.getByRole('img', { name: say('QR-код посилання') })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const client = await browser.newContext({
      baseURL: cabinet.url,
      viewport: { width: 390, height: 844 },
      locale: language === 'uk' ? 'uk-UA' : 'en-GB',
    })
    const pay = await client.newPage()
    await pay.goto(new URL(url).pathname)
    await expect(pay.getByText(WORDS[language].awaits).first()).toBeVisible()
    await client.close()
    // Nothing waits in the cart any more, and the notary is still there.
    await dialog.getByRole('button', { name: say('Готово') }).click()
    await expect(page.getByText(say('Кошик порожній'))).toBeVisible()
    await expect(page).toHaveURL(/\/cart$/)
  })
}
