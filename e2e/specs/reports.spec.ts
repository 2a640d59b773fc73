import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { Notary } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'
import { rowsOfWorkbook } from '../support/workbook.ts'

const test = testWithCabinet('reports')

for (const language of LANGUAGES) {
  for (const theme of ['light', 'dark'] as const) {
    test.describe(`${language}, ${theme}`, () => {
      test.use({ colorScheme: theme, locale: language === 'uk' ? 'uk-UA' : 'en-GB' })

      test('a report is read on a phone and a desktop, by the keyboard, and its period stays in the address', async ({
        page,
        context,
        cabinet,
      }) => {
        await speak(page, language)
        const screens = new Screens(page, language)
        const notary = await Notary.signUp(context, cabinet)
        await page.goto('/reports')
        await expect(page.getByText(screens.say('За цей період платежів немає'))).toBeVisible()
        await expectAccessible(page)

        const order = await notary.paidOrder('admin_payment', CARDS.pays)
        await page.reload()
        const paid = page.getByRole('region', { name: screens.say('Сплачено'), exact: true })
        await expect(paid).toBeVisible()
        const months = page.getByRole('table', { name: screens.say('За місяцями') })
        await expect(months.getByRole('row')).toHaveCount(2)
        const { total } = await notary.get<{ total: { total: number } }>(
          `/reports?from=${order.created_at.slice(0, 4)}-01-01&to=${order.created_at.slice(0, 4)}-12-31`,
        )
        expect(total.total).toBe(order.sum)
        await expectAccessible(page)

        await page.getByRole('link', { name: screens.say('Цей рік'), exact: true }).focus()
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(/from=\d{4}-01-01&to=\d{4}-12-31/)
        await expect(months.getByRole('row')).toHaveCount(13)
        await screens.list('Рахувати за днем').selectOption({ label: screens.say('зарахування') })
        await expect(page).toHaveURL(/by=crediting/)
        await expect(
          page.getByText(screens.say('За цей період нічого не зараховано й не повернено')),
        ).toBeVisible()
        await page.goBack()
        await expect(months).toBeVisible()

        await page.setViewportSize({ width: 320, height: 640 })
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        await page.setViewportSize({ width: 1280, height: 900 })

        const waiting = page.waitForEvent('download')
        await screens.button('Облік доходів за період').click()
        const file = await waiting
        expect(file.suggestedFilename()).toMatch(/^Income-\d{4}-01-01-\d{4}-12-31\.xlsx$/)
        const chunks: Buffer[] = []
        for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
        const [heading] = rowsOfWorkbook(Buffer.concat(chunks))
        expect(heading?.['A']).toBe(language === 'uk' ? '1. Дата запису' : '1. Date of the entry')
      })
    })
  }
}
