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

for (const language of LANGUAGES) {
  test(`${language}: her part of a payment by QR code is found in her statement, marked, shown and undone`, async ({
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
    const codes = await notary.post<{ transfers: Transfer[] }>(`/order/${order.id}/codes`, {})
    await notary.post(`/order/${order.id}/codes/paid`, {})
    const known = await notary.get<{ order: { items: { iban: string }[] } }>(`/order/${order.id}`)
    const iban = known.order.items[0]?.iban ?? ''
    const own = codes.transfers.find((transfer) => transfer.iban === iban)
    if (own === undefined) throw new Error('the notary has no part')
    const day = (await notary.order(order.id)).created_at.slice(0, 10)
    const after = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    const entries = [
      { sum: own.amount, text: own.purpose, reference: 'JBKL20P77' },
      { sum: 25_000, text: 'Оплата за договором', reference: 'JBKL20P78' },
    ]
    await page.goto('/reports')
    await page.getByLabel(say('Виберіть файл виписки або перетягніть його сюди')).setInputFiles({
      name: 'statement.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from(statement(iban, after, entries)),
    })
    const found = page.getByRole('table', { name: say('Ваші 60 %, зараховані за випискою') })
    await expect(found.getByRole('row')).toHaveCount(2)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screens.button('Позначити як зараховані').click()
    await expect(page.getByText(say('Нових зарахувань за QR-кодами у виписці немає.'))).toBeVisible()

    await page.goto(`/order/${order.id}`)
    await expect(page.getByText(say('Зараховано за випискою'), { exact: true })).toBeVisible()
    await expect(page.getByText(after.split('-').toReversed().join('.')).first()).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screens.button('Скасувати зарахування').click()
    await expect(page.getByText(say('Зараховано за випискою'), { exact: true })).toHaveCount(0)
    await expect(page.getByText(say('Сплачено за QR-кодами, без комісії'))).toBeVisible()
  })
}

interface Transfer {
  readonly iban: string
  readonly amount: number
  readonly purpose: string
}

interface Entry {
  readonly sum: number
  readonly text: string
  readonly reference: string
}

/** Writes a statement of an account with credits of one day, as banks do by camt.053. */
function statement(iban: string, day: string, entries: readonly Entry[]): string {
  const written = entries.map(
    ({ sum, text, reference }) =>
      `<Ntry><Amt Ccy="UAH">${sum.toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
      `<ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${reference}</AcctSvcrRef>` +
      `<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  return (
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>' +
    `<Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${written.join('')}</Stmt></BkToCstmrStmt></Document>`
  )
}
