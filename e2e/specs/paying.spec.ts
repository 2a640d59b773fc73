import { textOfPdf } from '../support/pdf.ts'
import { CLIENT, Notary, type Kind, type Order } from '../support/notary.ts'
import { CARDS } from '../support/sandbox.ts'
import { BankPage, KINDS, Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { lastSumIn, LANGUAGES, sumPattern, type Language } from '../support/words.ts'

const test = testWithCabinet('paying')

/** 1.5 %, at least 10 hryvnias, in kopiykas: computed independently of the product. */
function commission(part: number): number {
  return Math.max(Math.round((part * 15) / 1000), 1000)
}

function expectedTotal(kind: Kind, amount: number): number {
  if (kind !== 'admin_payment') return amount + commission(amount)
  const own = Math.round((amount * 60) / 100)
  return amount + commission(own) + commission(amount - own)
}

for (const language of LANGUAGES) {
  for (const kind of KINDS) {
    test(`${kind} in ${language}: on the bank's page, then by a saved card`, async ({
      page,
      context,
      cabinet,
    }) => {
      await speak(page, language)
      const booksBefore = (await cabinet.sandbox.ledger()).length
      const notary = await Notary.signUp(context, cabinet)
      if (kind === 'admin_government_payment') {
        cabinet.command('notary', 'set-status', notary.phone, '--status', 'state', '--reason', 'Перевірено')
      }
      const screens = new Screens(page, language)
      const receipts = new Receipts(screens, language)

      // From the form to the bank's page.
      await screens.openForm()
      await screens.fillPayment(kind, CLIENT)
      const total = await screens.totalOfForm()
      await screens.addToCart()
      await screens.openCart()
      const [inCart] = (await notary.cart()).groups
      expect(Math.round((inCart?.amount ?? 0) * 100)).toBe(total)
      expect(expectedTotal(kind, Math.round((inCart?.items[0]?.sum_base ?? 0) * 100))).toBe(total)
      await screens.payInPopup(CLIENT, null)
      await page.waitForURL(`${cabinet.sandbox.url}/**`)
      await new BankPage(page).pay(CARDS.pays)

      // The result, its sum and its receipts.
      expect(await screens.expectResult('Оплата успішна!')).toBe(total)
      await expect(page).toHaveURL(/\/order\/[^/]+\/success$/)
      if (language === 'en') await expect(page.getByText('Payment successful!')).toBeVisible()
      const first = await onlyOrder(notary)
      expect(Math.round(first.sum * 100)).toBe(total)
      await receipts.expectOnResultPage(first, total)
      expect((await notary.cart()).items_count).toBe(0)

      // The same payment with a saved card: the form asks whether it is wanted twice.
      await notary.saveCard(CARDS.pays)
      await screens.openForm()
      await screens.fillPayment(kind, CLIENT)
      await screens.addToCartTwice()
      await screens.openCart()
      // A recipient who is not in the reference data is new to the saved card.
      if (kind === 'requisites_payment') {
        await screens.payWithCode(cabinet, notary.phone, () => screens.payInPopup(CLIENT, '4242'))
      } else {
        await screens.payInPopup(CLIENT, '4242')
      }
      await page.waitForURL(/\/archive$/)
      const blocks = page.locator('section').filter({ hasText: CLIENT.full_name })
      await expect(blocks).toHaveCount(2)
      await expect(blocks.first().getByText(screens.say('Сплачено')).first()).toBeVisible()
      expect(lastSumIn(await blocks.first().innerText())).toBe(total)

      // The ledger has the charges of the screens, and no other.
      const orders = await notary.orders()
      expect(orders.map((order) => order.status)).toEqual(['paid', 'paid'])
      const books = (await cabinet.sandbox.ledger()).slice(booksBefore)
      expect(books.map(({ kind: what, amount }) => [what, amount])).toEqual([
        ['charge', total],
        ['charge', total],
      ])
    })
  }
}

async function onlyOrder(notary: Notary): Promise<Order> {
  const orders = await notary.orders()
  expect(orders).toHaveLength(1)
  const [order] = orders
  if (order === undefined) throw new Error('There is no order.')
  return order
}

/** The receipts of a paid order, downloaded from the pages. */
class Receipts {
  private readonly screens: Screens
  private readonly language: Language

  constructor(screens: Screens, language: Language) {
    this.screens = screens
    this.language = language
  }

  async expectOnResultPage(order: Order, total: number): Promise<void> {
    const payment = await this.fetched('Квитанція про сплату')
    expect(payment.name).toBe(`Receipt-${order.id}-payment.pdf`)
    expect(payment.text).toContain(order.number)
    const ofCommission = await this.fetched('Квитанція про комісію')
    expect(ofCommission.name).toBe(`Receipt-${order.id}-commission.pdf`)
    expect(ofCommission.text).toContain(order.number)
    expect(payment.text + ofCommission.text).toMatch(sumPattern(total, this.language))
  }

  private async fetched(button: string): Promise<{ name: string; text: string }> {
    const { page } = this.screens
    const download = page.waitForEvent('download')
    await this.screens.button(button).click()
    const file = await download
    const stream = await file.createReadStream()
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return { name: file.suggestedFilename(), text: textOfPdf(Buffer.concat(chunks)) }
  }
}
