import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { cutTexts, expectBoxes } from '../support/boxes.ts'
import { CLIENT, Notary, OWN_IBAN, OWN_OKPO } from '../support/notary.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

/** Payments from a sheet: read, mended in place, added once. */
const test = testWithCabinet('sheet')

const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

const REQUISITES = [
  'ТОВ «Приклад»',
  'UA213223130000026007233566001',
  '37193071',
  `За послуги, код ${CLIENT.inn}`,
]

/** Two right rows and one with a wrong code; the last column is unknown. */
const SHEET = [
  'Вид платежу;Код клієнта;Клієнт;Отримувач;Рахунок IBAN;Код отримувача;Призначення;Сума;Примітка',
  ...[
    [CLIENT.inn, '1 340,50'],
    ['12', '20'],
    [CLIENT.inn, '15,00 грн'],
  ].map(([code, sum]) =>
    ['Платіж за реквізитами', code, CLIENT.full_name, ...REQUISITES, sum, 'x']
      .map((cell) => `"${cell?.replaceAll('"', '""')}"`)
      .join(';'),
  ),
].join('\r\n')

for (const language of LANGUAGES) {
  for (const [device, viewport] of Object.entries(WIDTHS)) {
    test(`a sheet goes into the cart: ${language}, ${device}`, async ({ page, context, cabinet }) => {
      await page.setViewportSize(viewport)
      await speak(page, language)
      const screens = new Screens(page, language)
      const notary = await Notary.signUp(context, cabinet)
      await notary.post('/me', { iban: OWN_IBAN, okpo: OWN_OKPO, inn: OWN_OKPO })
      const picture = (name: string) =>
        page.screenshot({ path: `results/sheet/${language}-${device}-${name}.png`, fullPage: true })

      await screens.openForm()
      const menu = page.getByRole('button', { name: screens.say('Меню'), exact: true })
      if (await menu.isVisible()) await menu.click()
      await screens.link('Платежі з таблиці').filter({ visible: true }).click()
      await expect(screens.heading('Платежі з таблиці')).toBeFocused()
      await expectAccessible(page)
      await picture('source')

      const downloading = page.waitForEvent('download')
      await screens.button('Завантажити шаблон').click()
      expect((await downloading).suggestedFilename()).toBe('Payments.xlsx')

      const file = page.locator('input[type=file]')
      await file.setInputFiles({
        name: 'a.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7\0'),
      })
      await screens.expectMessage('sheet_unreadable')
      await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) })
      const table = page.getByRole('table', { name: screens.say('Платежі з таблиці') })
      await expect(table).toContainText('12')
      await expect(table.getByText(screens.message('client_inn_format_invalid'))).toBeVisible()
      await expect(page.getByText('Примітка', { exact: false })).toBeVisible()
      await expectAccessible(page)
      await picture('report')
      if (device === 'desktop') {
        // A laptop of 1366 pixels at 125 %: what is paid keeps its room.
        await page.setViewportSize({ width: 1093, height: 560 })
        const paid = table.getByText(screens.say('Платіж за реквізитами'), { exact: false }).first()
        // The page is laid out anew after the resize.
        await expectBoxes([paid], ({ width }) => expect(width).toBeGreaterThan(150))
        await expect.poll(() => cutTexts(paid)).toEqual([])
        await expectNoSidewaysScroll(page)
        await page.setViewportSize(viewport)
      }

      // The sheet outlasts a reload, and the row is mended where it is, with the keyboard.
      await page.reload()
      const mend = screens.button('Виправити рядок {number}', { number: '3' })
      await mend.focus()
      await page.keyboard.press('Enter')
      const code = page
        .getByRole('form')
        .getByRole('textbox', { name: screens.say('Код клієнта'), exact: true })
      await expect(code).toBeFocused()
      await page.setViewportSize({ width: 320, height: 640 })
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
      await page.screenshot({ path: `results/sheet/${language}-320.png`, fullPage: true })
      await page.setViewportSize(viewport)
      await picture('mending')
      await code.fill(CLIENT.inn)
      // What is typed outlasts a reload, too.
      await page.reload()
      await expect(code).toHaveValue(CLIENT.inn)
      await picture('typed')
      await code.press('Enter')
      await expect(page.getByRole('form')).toHaveCount(0)
      // What is typed into a right row keeps it out until it is checked.
      const change = screens.button('Змінити рядок {number}', { number: '2' })
      await change.click()
      await code.fill('12')
      await expect(table.getByText(screens.say('зміни не перевірено'))).toBeVisible()
      await expectAccessible(page)
      await picture('changed')
      await screens.button('Не змінювати').click()
      await expect(change).toBeFocused()
      await screens.button('Додати всі до кошика').click()
      await expect(screens.heading('Кошик')).toBeVisible()
      await expect(page.locator('[data-pay]').first()).toBeFocused()
      expect((await notary.get<{ items_count: number }>('/cart')).items_count).toBe(3)

      // It comes again: nothing is added twice.
      await page.goto('/sheet')
      await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) })
      await expect(
        page.getByText(screens.say('Такий платіж уже додано з таблиці за останні 30 днів.')).first(),
      ).toBeVisible()
      await expect(screens.button('Додати всі без помилок')).toHaveAttribute('aria-disabled', 'true')
      await expectAccessible(page)
      await picture('again')
      expect((await notary.get<{ items_count: number }>('/cart')).items_count).toBe(3)
    })
  }
}
