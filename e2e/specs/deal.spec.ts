import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { CLIENT, Notary, OWN_IBAN, OWN_OKPO } from '../support/notary.ts'
import { textOfPdf } from '../support/pdf.ts'
import { Screens, speak } from '../support/screens.ts'
import { expect, testWithCabinet } from '../support/test.ts'
import { LANGUAGES } from '../support/words.ts'

const test = testWithCabinet('deal')

const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

/** The buyer is nobody whom the notary has paid for. */
const BUYER = { full_name: 'Коваль Ігор Ілліч', inn: '3652504575' }

/** The keys that answer the questions for a second sale in the year: the number of an answer. */
const SECOND_SALE = [
  { key: '1', answer: 0 },
  { key: '1', answer: 0 },
  { key: '2', answer: 1 },
  { key: '1', answer: 0 },
  { key: '1', answer: 0 },
  { key: '1', answer: 0 },
]

/** Presses and types like a person, and counts it. */
class Hands {
  clicks = 0
  keys = 0
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  async press(key: string, times = 1): Promise<void> {
    this.keys += times
    for (let press = 0; press < times; press += 1) await this.page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    this.keys += text.length
    await this.page.keyboard.type(text)
  }

  /** Tab until the field has the focus. */
  async tabTo(field: Locator): Promise<void> {
    for (let press = 0; press < 60; press += 1) {
      if (await field.evaluate((element) => element === document.activeElement)) return
      await this.press('Tab')
    }
    throw new Error(`Tab does not reach ${field.toString()}.`)
  }
}

/** Opens the page by its link in the sidebar, or above the form, where a phone has it. */
async function openDeal(screens: Screens, hands: Hands): Promise<void> {
  await screens.openForm()
  await hands.click(screens.link('Розрахунок платежів').filter({ visible: true }).first())
  await expect(screens.heading('Розрахунок платежів')).toBeFocused()
}

/** Enters kind, sums and answers of a flat's sale with the keyboard. */
async function describeSale(page: Page, screens: Screens, hands: Hands): Promise<void> {
  await hands.tabTo(screens.list('Вид нотаріальної дії'))
  await hands.press('ArrowDown')
  await hands.tabTo(screens.field('Ціна за договором'))
  await hands.type('1500000')
  await hands.tabTo(screens.field('Оціночна вартість'))
  await hands.type('2100000')
  for (const [question, { key, answer }] of SECOND_SALE.entries()) {
    await hands.press('Tab')
    await hands.press(key)
    const group = page.locator('#main').getByRole('group').nth(question)
    await expect(group.getByRole('radio').nth(answer)).toBeChecked()
  }
}

/** Keeps whether the toast of a page lies over the first Pay button, as it was when both were last there. */
async function watchToast(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as { isApart: boolean }
    function look(): void {
      const toast = document.querySelector('[data-toasts] > *')?.getBoundingClientRect()
      const pay = document.querySelector('[data-pay]')?.getBoundingClientRect()
      if (toast !== undefined && pay !== undefined)
        seen.isApart = toast.bottom <= pay.top || toast.top >= pay.bottom
      requestAnimationFrame(look)
    }
    look()
  })
}

/** Expects the focus on the first Pay button of the cart, and no toast over it. */
async function expectPayNext(page: Page, name: RegExp): Promise<void> {
  const isApart = () => page.evaluate(() => (window as unknown as { isApart?: boolean }).isApart)
  await expect.poll(isApart).toBe(true)
  const pay = page.locator('[data-pay]').first()
  await expect(pay).toBeFocused()
  await expect(pay).toHaveAccessibleName(name)
}

const tableOf = (page: Page, screens: Screens): Locator =>
  page.getByRole('table', { name: screens.say('Платежі за нотаріальною дією') })

/** Chooses region and recipients, which are remembered for the next deal. */
async function chooseRecipients(page: Page, screens: Screens): Promise<void> {
  await screens.list('Регіон отримувачів').selectOption({ value: 'ua-30' })
  const lists = page.getByRole('combobox', { name: new RegExp(`^${screens.say('Отримувач')}: `) })
  // The other fee has one recipient, who is chosen and folded away.
  await expect(lists).toHaveCount(1)
  for (const list of await lists.all()) {
    await expect(list).toBeEnabled()
    await expect(list.locator('option').nth(1)).toBeAttached()
    await list.selectOption({ index: 1 })
  }
}

for (const language of LANGUAGES) {
  for (const [device, viewport] of Object.entries(WIDTHS)) {
    test(`the sale of a flat goes into the cart: ${language}, ${device}`, async ({
      page,
      context,
      cabinet,
    }) => {
      await page.setViewportSize(viewport)
      await watchToast(page)
      await speak(page, language)
      const screens = new Screens(page, language)
      const notary = await Notary.signUp(context, cabinet)
      await notary.post('/me', { iban: OWN_IBAN, okpo: OWN_OKPO, inn: OWN_OKPO })
      const picture = (name: string) =>
        page.screenshot({ path: `results/deal/${language}-${device}-${name}.png`, fullPage: true })

      // The first deal: everything is chosen, and nothing is lost by a reload.
      const slow = new Hands(page)
      await openDeal(screens, slow)
      await expectAccessible(page)
      await screens.button('Додати до кошика').click()
      await expect(page.getByRole('alert').first()).toBeFocused()
      await describeSale(page, screens, slow)
      const table = tableOf(page, screens)
      await expect(table).toContainText('105')
      await page.reload()
      await expect(table).toContainText('105')
      // The pension levy, before anybody believes that all is paid.
      const elsewhere = page.locator('[data-elsewhere]')
      await expect(elsewhere).toContainText(/^[^0-9]*15.000[.,]00[^0-9]*$/u)
      await expect(
        table.getByText(screens.say('Сплачується окремо: реквізити в кабінеті ще не підтверджено.')),
      ).toBeVisible()
      await chooseRecipients(page, screens)
      await screens.button('Додати до кошика').click()
      await expect(page.getByRole('alert').first()).toBeFocused()
      // Both parties have a name and a code, and each error names its party.
      const errors = await page.getByRole('alert').first().getByRole('link').allInnerTexts()
      expect(errors).toHaveLength(4)
      expect(new Set(errors).size).toBe(4)
      await expectAccessible(page)
      await picture('errors')
      const names = page.getByLabel(screens.say('Прізвище, ім’я, по батькові або назва'), { exact: true })
      const codes = page.getByLabel(screens.say('Код клієнта'), { exact: true })
      await names.nth(0).fill(CLIENT.full_name)
      await codes.nth(0).fill(CLIENT.inn)
      await names.nth(1).fill(CLIENT.full_name)
      await codes.nth(1).fill(CLIENT.inn)
      // A payment that is left out needs a reason. What is as it was calculated is folded away.
      await page
        .getByRole('button', { name: /^(Змінити|Change): / })
        .first()
        .click()
      const actions = page.getByRole('combobox', { name: new RegExp(`^${screens.say('Що зробити')}: `) })
      await actions.nth(0).selectOption('leave_out')
      await screens.field('Чому не додавати').fill('Сплачено раніше')
      await page.setViewportSize({ width: 320, height: 640 })
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
      await page.screenshot({ path: `results/deal/${language}-320.png`, fullPage: true })
      await page.setViewportSize(viewport)
      await picture('filled')
      await expectNoSidewaysScroll(page)
      // The calculation is printed with what was decided.
      const download = page.waitForEvent('download')
      await screens.button('Розрахунок (PDF)').click()
      const file = await (await download).createReadStream()
      const chunks: Buffer[] = []
      for await (const chunk of file) chunks.push(chunk as Buffer)
      const printed = textOfPdf(Buffer.concat(chunks))
      expect(printed).toContain('Сплачено раніше')
      expect(printed).toContain(CLIENT.inn)
      await screens.button('Додати до кошика').click()
      await expect(screens.heading('Кошик')).toBeVisible()
      await expect(page.getByRole('table')).toHaveCount(1)
      await expectPayNext(page, new RegExp(`– ${CLIENT.full_name}$`))

      // The next one for a known seller, by hand.
      const hands = new Hands(page)
      await openDeal(screens, hands)
      const latest = page.getByRole('group', { name: screens.say('Як минулого разу') })
      await hands.click(latest.getByRole('button').first())
      await expect(screens.field('Ціна за договором')).toBeFocused()
      await expectAccessible(page)
      await hands.type('1500000')
      await hands.press('Enter')
      await hands.type('2100000')
      for (const [question, { answer }] of SECOND_SALE.entries()) {
        const group = page.locator('#main form').getByRole('group').nth(question)
        await expect(group.getByRole('radio').nth(answer)).toBeChecked()
      }
      await expect(table).toContainText('105')
      await hands.click(page.getByRole('button', { name: `${CLIENT.full_name}, ${CLIENT.inn}` }).first())
      await hands.click(names.nth(1))
      await hands.type(BUYER.full_name)
      await hands.press('Enter')
      await hands.type(BUYER.inn)
      await expect(screens.button('Додати до кошика')).not.toHaveAttribute('aria-busy', 'true')
      await picture('known')
      await hands.press('Enter')
      await expect(screens.heading('Кошик')).toBeVisible()
      await expect(page.getByText(/^(До кошика додано 4|Added to the cart: 4)/u)).toBeVisible()
      await expectPayNext(page, /^(Сплатити за всіх|Pay for all)/u)
      await expect(page.getByRole('table')).toHaveCount(2)
      await picture('cart')
      await expectAccessible(page)
      const cart = await notary.get<{ items_count: number }>('/cart')
      expect(cart.items_count).toBe(7)
      // Nothing of the deal is left in the form.
      await page.goto('/deal')
      await expect(screens.list('Вид нотаріальної дії')).toHaveValue('')
      // What it takes with a known seller; Tabs count.
      process.stdout.write(`${language}, ${device}: ${hands.clicks} clicks, ${hands.keys} keys\n`)
      expect(hands.clicks).toBeLessThanOrEqual(5)
      expect(hands.keys).toBeLessThanOrEqual(45)
    })
  }
}
