import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import type { Cabinet } from './cabinet.ts'
import { OWN_IBAN, OWN_OKPO, type ClientOfPayment, type Kind } from './notary.ts'
import { kopiykasIn, messageOf, sayIn, type Language, type Say } from './words.ts'

/** The names of the kinds on the form. */
const KIND_NAMES: Record<Kind, string> = {
  admin_payment: 'Адміністративний збір',
  admin_government_payment: 'Адміністративний збір (державний нотаріус)',
  registry_payment: 'Плата за користування реєстрами',
  requisites_payment: 'Платіж за реквізитами',
}

export const KINDS = Object.keys(KIND_NAMES) as Kind[]

/** The text of an account with the right number of digits and wrong check digits. */
export const WRONG_CHECK_DIGITS = 'Контрольне число рахунку IBAN не збігається. Перевірте рахунок'

/** Sets the language of the interface before the first paint. */
export async function speak(page: Page, language: Language): Promise<void> {
  await page.addInitScript((chosen) => {
    // Not in the bank's frame, which is another site and may have no storage.
    if (window !== window.top) return
    if (localStorage.getItem('cabinet.locale') === null) localStorage.setItem('cabinet.locale', chosen)
  }, language)
}

/** The heading of the page itself, not of the static HTML, which has the same text. */
export function headingOf(page: Page): Locator {
  return page.locator('#main').getByRole('heading', { level: 1 })
}

/** The screens of the cabinet in one language. Elements are found by role, label and text. */
export class Screens {
  readonly page: Page
  readonly language: Language
  readonly say: Say

  constructor(page: Page, language: Language = 'uk') {
    this.page = page
    this.language = language
    this.say = sayIn(language)
  }

  /** The text of a server's message key. */
  message(key: string): string {
    return this.say(messageOf(key))
  }

  /** The keys that confirm a call on a new device: 1, and the digits that the page shows. */
  async keysOfCall(): Promise<string> {
    const shown = await this.page.getByRole('definition').innerText()
    return `1${shown.replaceAll(/\s/gu, '')}`
  }

  /** Expects the text of a server message on the page, possibly followed by a waiting time. */
  async expectMessage(key: string): Promise<void> {
    await expect(this.page.getByText(this.message(key)).first(), key).toBeVisible()
  }

  /** Expects the text of a refusal with the time to wait, which replaces what the text itself says of waiting. */
  async expectWait(key: string): Promise<void> {
    const [refusal] = this.message(key).split('.')
    const told = this.page
      .getByText(`${refusal}. ${this.language === 'uk' ? 'Зачекайте' : 'Wait'}`)
      .filter({ hasText: /\d/ })
    await expect(told.first(), key).toBeVisible()
  }

  button(source: string, values?: Record<string, string>): Locator {
    return this.page.getByRole('button', { name: this.say(source, values), exact: true })
  }

  /**
   * Presses «Спробувати ще раз» and waits for what the page should show then. A page that hears the server again loads
   * its data by itself, which takes the button away.
   */
  async tryAgain(shown: Locator): Promise<void> {
    const again = this.button('Спробувати ще раз').first()
    await expect(async () => {
      // The button may go meanwhile; where nothing comes, it is pressed again.
      if (await again.isVisible()) await again.click({ timeout: 2_000 })
      await expect(shown).toBeVisible({ timeout: 5_000 })
    }).toPass()
  }

  link(source: string): Locator {
    return this.page.getByRole('link', { name: this.say(source), exact: true })
  }

  heading(source: string): Locator {
    return this.page.locator('#main').getByRole('heading', { level: 1, name: this.say(source) })
  }

  field(source: string): Locator {
    const name = this.say(source)
    // A field that offers known clients is a combobox.
    return this.page
      .getByRole('textbox', { name })
      .or(this.page.locator('input[role=combobox]').and(this.page.getByRole('combobox', { name })))
  }

  list(source: string): Locator {
    return this.page.getByRole('combobox', { name: this.say(source), exact: true })
  }

  /** A kind of payment on the form. */
  kind(source: string): Locator {
    return this.page
      .getByRole('group', { name: this.say('Вид платежу') })
      .getByRole('radio', { name: this.say(source), exact: true })
  }

  /** Opens the form of a new payment. */
  async openForm(): Promise<void> {
    await this.page.goto('/')
    await expect(this.heading('Новий платіж')).toBeVisible()
  }

  /** The line of what was chosen the last time, in place of its fields. */
  get asLastTime(): Locator {
    return this.page.getByRole('form').getByRole('group', { name: this.say('Як минулого разу') })
  }

  /** Chooses the first option after the placeholder, once the list is loaded, unless it is chosen as the last time. */
  async chooseFirst(source: string): Promise<void> {
    const list = this.list(source)
    await expect(async () => {
      if (await this.asLastTime.isVisible()) return
      // The line of the last time may come in place of the list: both are looked for in turn.
      await expect(list).toBeEnabled({ timeout: 1_000 })
      if ((await list.inputValue({ timeout: 1_000 })) === '')
        await list.selectOption({ index: 1 }, { timeout: 1_000 })
    }).toPass()
  }

  /** Fills the form for one payment with the first option of every list. */
  async fillPayment(kind: Kind, client: ClientOfPayment): Promise<void> {
    await this.field('Прізвище, ім’я, по батькові клієнта').fill(client.full_name)
    await this.field('Код клієнта').fill(client.inn)
    await this.kind(KIND_NAMES[kind]).check()
    if (kind === 'requisites_payment') {
      await this.field('Назва отримувача').fill('ТОВ «Приклад»')
      await this.field('Код отримувача (ЄДРПОУ або РНОКПП)').fill('37193071')
      await this.field('Рахунок IBAN отримувача').fill('UA213223130000026007233566001')
      await this.field('Призначення платежу').fill(`За послуги, код ${client.inn}`)
      await this.field('Сума').fill('1 340,50')
      return
    }
    await this.chooseFirst(kind === 'registry_payment' ? 'Послуга реєстру' : 'Послуга')
    if (kind !== 'registry_payment') await this.chooseFirst('Строк реєстрації')
    await this.chooseFirst('Регіон')
    await this.chooseFirst('Отримувач')
    if (kind === 'admin_payment') await this.fillOwnAccount()
  }

  /** Fills the form for the fee of a private notary in the given region. */
  async fillFee(client: ClientOfPayment, { region }: { region: string }): Promise<void> {
    await this.field('Прізвище, ім’я, по батькові клієнта').fill(client.full_name)
    await this.field('Код клієнта').fill(client.inn)
    await this.kind(KIND_NAMES.admin_payment).check()
    await this.chooseFirst('Послуга')
    await this.chooseFirst('Строк реєстрації')
    await expect(async () => {
      // The line of the last time may come in place of the list: both are looked for in turn.
      if (await this.asLastTime.isVisible()) await this.asLastTime.getByRole('button').click()
      await this.list('Регіон').selectOption({ value: region }, { timeout: 1_000 })
    }).toPass()
    await this.chooseFirst('Отримувач')
    await this.fillOwnAccount()
  }

  /** Fills in the account for the notary's share. The account of the profile is in sight, and stays. */
  private async fillOwnAccount(): Promise<void> {
    const code = this.field('Ваш РНОКПП')
    await expect(code.or(this.button('Змінити рахунок'))).toBeVisible()
    if (!(await code.isVisible())) return
    await code.fill(OWN_OKPO)
    await this.field('Ваш рахунок IBAN').fill(OWN_IBAN)
  }

  /** The total of the form in kopiykas, once it is shown. */
  async totalOfForm(): Promise<number> {
    const panel = this.page.locator('section').filter({
      has: this.page.getByRole('heading', { level: 2, name: this.say('Разом до сплати') }),
    })
    // The tariff is in the panel before any total; its lines contain a percent sign.
    const total = panel.locator('p').filter({ hasText: /\d[,.]\d{2}(?![.\d])/, hasNotText: '%' })
    await expect(total).toBeVisible()
    return kopiykasIn(await total.innerText())
  }

  /** Submits the form and waits until the payment is in the cart. */
  async addToCart(): Promise<void> {
    await this.pressAdd()
    await expect(this.page.getByText(this.say('Платіж додано до кошика'))).toBeVisible()
  }

  /** By the key: what still comes into the form moves the button, which a pointer may then miss. */
  async pressAdd(): Promise<void> {
    await this.button('Додати до кошика').press('Enter')
  }

  /** Submits the form although the same payment is there already. */
  async addToCartTwice(): Promise<void> {
    await this.pressAdd()
    await this.samePayment.getByRole('button', { name: this.say('Додати ще один') }).click()
    await expect(this.page.getByText(this.say('Платіж додано до кошика'))).toBeVisible()
  }

  /** The question about a payment that is there already. */
  get samePayment(): Locator {
    return this.page.getByRole('dialog', { name: this.say('Такий платіж уже є') })
  }

  /**
   * Opens the palette by its keys. What hears them is loaded once the page is idle, which no part of the page shows, so they are
   * pressed until they work.
   */
  async openPalette(): Promise<Locator> {
    const palette = this.page.getByRole('dialog', { name: this.say('Перейти') })
    await expect(async () => {
      await this.page.keyboard.press('Control+K')
      // A press that nobody hears is made again.
      await expect(palette).toBeVisible({ timeout: 500 })
    }).toPass()
    return palette
  }

  async openCart(): Promise<void> {
    await this.page.goto('/cart')
    await expect(this.heading('Кошик')).toBeVisible()
  }

  /** The Pay button of a client. Its name contains the sum. */
  payButton(client: ClientOfPayment): Locator {
    return this.page.getByRole('button', { name: new RegExp(`\\d[,.]\\d{2}.*${client.full_name}$`) })
  }

  /** The popup with the ways to pay. */
  get methods(): Locator {
    return this.page.getByRole('dialog', { name: this.say('Спосіб оплати') })
  }

  /** Opens the popup, agrees to the offer and pays: by a saved card, named by its last digits, or on the bank's page. */
  async payInPopup(client: ClientOfPayment, lastDigits: string | null): Promise<void> {
    await this.payButton(client).click()
    await expect(this.methods).toBeVisible()
    const card = lastDigits === null ? new RegExp(this.say('Інша картка')) : new RegExp(`${lastDigits}$`)
    await this.methods.getByRole('radio', { name: card }).check()
    await this.methods.getByRole('checkbox').check()
    await this.methods.getByRole('button', { name: /\d[,.]\d{2}/ }).click()
  }

  /** The question about a code for a payment with a saved card. */
  get proof(): Locator {
    return this.page.getByRole('dialog', { name: this.say('Підтвердьте оплату карткою') })
  }

  /** Presses a button that pays a new recipient with a saved card, and enters the code of the payment. */
  async payWithCode(cabinet: Cabinet, phone: string, press: () => Promise<unknown>): Promise<void> {
    const code = await cabinet.sandbox.codeAfter(phone, press)
    await this.proof.getByRole('textbox').fill(code)
    await expect(this.proof).toBeHidden()
  }

  /** Does what needs a proof, and enters the code that names it. */
  async doWithCode(cabinet: Cabinet, phone: string, act: () => Promise<unknown>): Promise<void> {
    const code = await cabinet.sandbox.codeAfter(phone, act)
    const dialog = this.page.getByRole('dialog', { name: this.say('Підтвердьте дію') })
    await dialog.getByRole('textbox').fill(code)
    await expect(dialog).toBeHidden()
  }

  /** The link to the bank's open page, or the button that requests a new one. */
  get backToPayment(): Locator {
    return this.button('Повернутися до оплати').or(this.link('Повернутися до оплати'))
  }

  /** The rows of the archive. */
  get orders(): Locator {
    return this.page.getByRole('region', { name: begins(this.say('Замовлення № {number}')) })
  }

  /** The row of an order in the archive. */
  order(number: string): Locator {
    return this.page.getByRole('region', { name: this.say('Замовлення № {number}', { number }), exact: true })
  }

  /** The button that opens and closes the row of an order in the archive. */
  toggleOf(number: string): Locator {
    return this.order(number).getByRole('button', {
      name: begins(this.say('Подробиці замовлення № {number}')),
    })
  }

  /** Opens the row of an order in the archive. Without a number: the first row. Returns the row. */
  async openOrder(number?: string): Promise<Locator> {
    const row = number === undefined ? this.orders.first() : this.order(number)
    const toggle = row.getByRole('button', { name: begins(this.say('Подробиці замовлення № {number}')) })
    await toggle.click()
    await expect(row.getByRole('table')).toBeVisible()
    return row
  }

  /** Expects the heading of a result page. Returns its main sum. */
  async expectResult(source: string): Promise<number> {
    await expect(this.heading(source)).toBeVisible()
    const sum = this.page.getByText(/\d[,.]\d{2}\s(грн|UAH)/).first()
    return kopiykasIn(await sum.innerText())
  }
}

/** Matches a name that ends with a placeholder. */
export function begins(source: string): RegExp {
  return new RegExp(`^${source.split('{')[0]}`)
}

/** The acquirer's page in the sandbox, in either language. */
export class BankPage {
  readonly page: Page | FrameLocator

  constructor(page: Page | FrameLocator) {
    this.page = page
  }

  /** Fills in the card. */
  async fillIn(card: string): Promise<void> {
    await this.page.getByRole('textbox', { name: /Номер картки|Card number/ }).fill(card)
    await this.page.getByRole('textbox', { name: /Діє до|Valid until/ }).fill('12/30')
    await this.page.getByRole('textbox', { name: 'CVV' }).fill('123')
  }

  /** Fills in the card and pays. */
  async pay(card: string): Promise<void> {
    await this.fillIn(card)
    await this.page.getByRole('button', { name: /^(Сплатити|Pay) / }).click()
  }

  /** Confirms the payment at the bank. */
  async confirm(): Promise<void> {
    await this.page.getByRole('button', { name: /^(Підтвердити|Confirm)$/ }).click()
  }

  async deny(): Promise<void> {
    await this.page.getByRole('button', { name: /^(Відхилити|Deny)$/ }).click()
  }
}
