import jsQR from 'jsqr'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { invoiceOf, Notary } from '../support/notary.ts'
import { textOfPdf } from '../support/pdf.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('order-file')
const OBJECT = 'кв. 12, вул. Івана Франка, 5, м. Київ'

async function downloaded(page: Page, act: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download')
  await act()
  const file = await waiting
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) }
}

/** Reads the QR code of an element as the browser shows it, with a library that has nothing in common with the server's. */
async function codeOf(page: Page, element: Locator): Promise<string> {
  const picture = (await element.screenshot()).toString('base64')
  const { width, height, pixels } = await page.evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.codePointAt(0) ?? 0)
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height)
    const drawing = canvas.getContext('2d')
    if (drawing === null) throw new Error('no canvas')
    drawing.drawImage(image, 0, 0)
    const { data } = drawing.getImageData(0, 0, image.width, image.height)
    return { width: image.width, height: image.height, pixels: [...data] }
  }, picture)
  return jsQR.default(Uint8ClampedArray.from(pixels), width, height)?.data ?? 'no code was read'
}

for (const language of LANGUAGES) {
  test(`${language}: a notarial act is typed in the cart by keyboard, carried to the order, changed, found and extracted`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize(language === 'uk' ? { width: 1280, height: 900 } : { width: 320, height: 720 })
    await speak(page, language)
    const screens = new Screens(page, language)
    const { say } = screens
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('admin_payment')
    await page.goto('/cart')
    const fold = page.locator('summary').filter({ hasText: say('Нотаріальна дія') })
    const number = page.getByLabel(say('Реєстровий номер'))
    await expect(number).toBeHidden()
    await fold.focus()
    await page.keyboard.press('Enter')
    await expect(number).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(number).toBeFocused()
    await page.keyboard.type('1-245')
    await page.getByLabel(say('Об’єкт')).fill(OBJECT)
    await expect(page.getByText(say('Збережено'), { exact: true })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.reload()
    await expect(fold).toContainText(OBJECT)

    // A change is undone.
    await fold.click()
    await page.getByLabel(say('Об’єкт')).fill('інше')
    await expect(page.getByText(say('Збережено'), { exact: true })).toBeVisible()
    await page.getByRole('button', { name: say('Повернути, як було') }).click()
    await expect(page.getByLabel(say('Об’єкт'))).toHaveValue(OBJECT)
    await expect
      .poll(async () => (await notary.get<{ groups: { act: { object: string } }[] }>('/cart')).groups[0]?.act)
      .toMatchObject({ register_number: '1-245', object: OBJECT })

    // A card number is refused at its field, stays there, and does not leave the browser.
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByLabel(say('Об’єкт')).fill('4242 4242 4242 4242')
    await page.keyboard.press('Tab')
    await expect(page.getByLabel(say('Об’єкт'))).toHaveAttribute('aria-invalid', 'true')
    expect(asked).not.toContain('/api/cart/act')
    await page.getByLabel(say('Об’єкт')).fill(OBJECT)

    const order = await notary.orderCart()
    await cabinet.sandbox.pay(invoiceOf(order.widget_url), CARDS.pays)
    await page.goto(`/order/${order.id}/success`)
    await expect(fold).toContainText(OBJECT)
    await fold.click()
    const extract = page.getByRole('button', { name: say('Відомості про сплату для справ (PDF)') })
    const file = await downloaded(page, () => extract.click())
    expect(file.name).toBe(`Extract-${order.id}.pdf`)
    const text = textOfPdf(file.bytes)
    for (const part of ['1-245', OBJECT]) expect(text).toContain(part)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    // An order of which nothing came back leads to its transfers, too.
    await page
      .getByRole('link', { name: say('Перекази замовлення'), exact: true })
      .first()
      .click()
    await expect(page).toHaveURL(new RegExp(`/order/${order.id}/transfers$`))
    await expect(page.getByText(say('Очікує передачі банку'))).toHaveCount(2)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await page.goto('/archive')
    await page.getByRole('searchbox').fill('франка 1-245')
    await expect(screens.orders).toHaveCount(1)
    await screens.openOrder()
    await fold.click()
    await page.getByLabel(say('Дата нотаріальної дії')).fill('20.11.2026')
    await expect(page.getByText(say('Збережено'), { exact: true })).toBeVisible()
    await expect(fold).toContainText('20.11.2026')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })

  test(`${language}: an unpaid order has QR codes that a phone reads, and no card pays beside them unasked`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize(language === 'uk' ? { width: 1280, height: 900 } : { width: 320, height: 720 })
    await page.emulateMedia({ colorScheme: language === 'uk' ? 'light' : 'dark' })
    await speak(page, language)
    const { say } = new Screens(page, language)
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('admin_payment')
    const order = await notary.orderCart()
    await page.goto(`/order/${order.id}/pending`)
    const fold = page.locator('summary').filter({ hasText: say('Сплатити за QR-кодами') })
    await fold.click()
    const show = page.getByRole('button', { name: say('Закрити оплату карткою і показати коди') })
    await expect(show).toBeVisible()
    expect(
      (await notary.get<{ order: { codes_given_at: string | null } }>(`/order/${order.id}`)).order
        .codes_given_at,
    ).toBeNull()
    await show.click()
    const transfers = page.getByRole('list', { name: say('QR-коди переказів') }).getByRole('listitem')
    const pictures = transfers.locator('svg[role=img]')
    await expect(pictures).toHaveCount(2)
    // The card's page is closed, so the order is on its other page, with the same codes.
    await expect(page).toHaveURL(new RegExp(`/order/${order.id}/error`))
    await expect(pictures).toHaveCount(2)
    for (const index of [0, 1]) {
      const link = await transfers.nth(index).getByRole('link').getAttribute('href')
      expect(link).toMatch(/^https:\/\/bank\.gov\.ua\/qr\//)
      expect(await codeOf(page, pictures.nth(index))).toBe(link)
    }
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const sheet = page.getByRole('button', { name: say('Коди для клієнта (PDF)') })
    const file = await downloaded(page, () => sheet.click())
    expect(file.name).toBe(`Codes-${order.id}.pdf`)
    expect(textOfPdf(file.bytes)).toContain('IBAN')

    await new Screens(page, language).link('До архіву').click()
    await new Screens(page, language).openOrder(order.number)
    const again = page.getByRole('button', { name: say('Повторити спробу оплати') })
    // The codes are still on the screen, and stay there until a payment page is asked for in spite of them.
    await expect(pictures).toHaveCount(2)
    await again.click()
    await expect(page.getByText(new Screens(page, language).message('payment_codes_given'))).toBeVisible()
    await expect(pictures).toHaveCount(2)
    expect((await notary.get<{ order: { status: string } }>(`/order/${order.id}`)).order.status).toBe(
      'expired',
    )
    await again.click()
    await expect(pictures).toHaveCount(0)
    await expect
      .poll(async () => (await notary.get<{ order: { status: string } }>(`/order/${order.id}`)).order.status)
      .toBe('pending')
    // Nor do they come back with the order's new state, here or on its own page.
    await expect(page.locator('section').getByText(say('Очікує оплати')).first()).toBeVisible()
    await expect(pictures).toHaveCount(0)
  })

  test(`${language}: an order paid by QR codes is marked with the payer’s reference, has its receipts, and is undone`, async ({
    page,
    context,
    cabinet,
  }) => {
    await page.setViewportSize(language === 'uk' ? { width: 1366, height: 768 } : { width: 390, height: 844 })
    await speak(page, language)
    const screens = new Screens(page, language)
    const { say } = screens
    const notary = await Notary.signUp(context, cabinet)
    await notary.addToCart('admin_payment')
    const order = await notary.orderCart()
    await page.goto(`/order/${order.id}`)
    await page
      .locator('summary')
      .filter({ hasText: say('Сплатити за QR-кодами') })
      .click()
    await page.getByRole('button', { name: say('Закрити оплату карткою і показати коди') }).click()
    const fold = page.locator('summary').filter({ hasText: say('Позначити сплату за QR-кодами') })
    await fold.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel(say('UETR або референс із квитанції платника')).fill('REF-2026-7731')
    await expectAccessible(page)
    await page.getByRole('button', { name: say('Сплачено за QR-кодами') }).click()
    await expect(page.getByText(say('Сплачено за QR-кодами, без комісії'))).toBeVisible()
    await expect(page.getByText('REF-2026-7731')).toBeVisible()
    // Where the page stands now, a button may lie under the header by half.
    await page.evaluate(() => window.scrollTo(0, 0))
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const extract = page.getByRole('button', { name: say('Відомості про сплату для справ (PDF)') })
    await page
      .locator('summary')
      .filter({ hasText: say('Нотаріальна дія') })
      .click()
    const file = await downloaded(page, () => extract.click())
    expect(textOfPdf(file.bytes)).toContain('REF-2026-7731')
    await page.goto('/archive')
    await expect(page.getByText(say('Сплачено за QR-кодами')).first()).toBeVisible()
    await page.goto(`/order/${order.id}`)
    await page
      .getByRole('button', { name: say('Скасувати позначку') })
      .first()
      .click()
    await expect(fold).toBeVisible()
    const known = await notary.get<{ order: { status: string } }>(`/order/${order.id}`)
    expect(known.order.status).toBe('expired')
  })
}
