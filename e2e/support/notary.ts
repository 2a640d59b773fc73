import { expect, type BrowserContext } from '@playwright/test'
import { byBrowser } from '../../tools/lib/browser.mjs'
import { Notary as Caller } from '../../tools/lib/notary.mjs'
import { CLIENT, OWN_ACCOUNT, paymentOf, PERSON_IBAN } from '../../tools/lib/payments.mjs'
import type { Cabinet } from './cabinet.ts'
import { changeData } from './database.ts'

export type Kind = 'admin_payment' | 'admin_government_payment' | 'registry_payment' | 'requisites_payment'

export interface ClientOfPayment {
  inn: string
  full_name: string
}

interface CartItem {
  id: string
  count: number
  sum_base: number
  commission: number
  sum_full: number
  sum_total: number
  purpose: string
  transfers: { recipient_code: string; purpose: string }[]
}

export interface Cart {
  items_count: number
  groups: { client: ClientOfPayment & { id: string }; amount: number; items: CartItem[] }[]
}

export interface OrderSummary {
  id: string
  number: string
  status: string
  sum: number
  widget_url: string | null
}

export interface Order extends OrderSummary {
  created_at: string
  pan: string | null
  failure: string | null
  client: ClientOfPayment & { id: string }
  items: { id: string; status: string; sum_total: number }[]
}

export { CLIENT }

let phonesGiven = 0

/** A phone that no other test has: each process of tests counts on its own. */
function nextPhone(): string {
  const worker = Number(process.env['TEST_WORKER_INDEX'] ?? 0) % 1000
  phonesGiven += 1
  return `+38096${String(worker).padStart(3, '0')}${String(phonesGiven).padStart(4, '0')}`
}

/** The account and the code that the screens fill in as her own. */
export const { iban: OWN_IBAN, okpo: OWN_OKPO } = OWN_ACCOUNT
/** Her code where the profile has none yet. */
const OWN_CODE = '3068208400'

/**
 * A notary who is signed in by API calls. The pages of a given browser context are signed in, too, since it has the session's
 * cookie. For tests that are not about the login or the form.
 */
export class Notary extends Caller {
  readonly #context: BrowserContext

  private constructor(context: BrowserContext, cabinet: Cabinet, phone: string) {
    super(cabinet, phone, byBrowser(context))
    this.#context = context
  }

  /** Signs in an account whose login step is a code by SMS. */
  static logIn(context: BrowserContext, cabinet: Cabinet, phone: string): Promise<Notary> {
    return new Notary(context, cabinet, phone).logIn()
  }

  /** Makes a new account and signs it in, so that it has no data of other tests. */
  static async signUp(context: BrowserContext, cabinet: Cabinet): Promise<Notary> {
    const notary = await new Notary(context, cabinet, nextPhone()).signUp()
    // She has proved before that she pays to the account of the forms.
    changeData(
      cabinet,
      `insert into proved_recipients (notary_id, iban, okpo, proved_at)
       select id, ?, ?, created_at from notaries where phone = ?`,
      OWN_IBAN,
      OWN_OKPO,
      notary.phone,
    )
    return notary
  }

  /** The status of an answer, also of a refusal. */
  async statusOf(path: string): Promise<number> {
    return (await this.send('GET', path)).status
  }

  async getBytes(path: string): Promise<Buffer> {
    const answer = await this.#context.request.get(`${this.cabinet.url}/api${path}`, {
      headers: { authorization: `Bearer ${this.accessToken}` },
    })
    expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true)
    return answer.body()
  }

  override cart(): Promise<Cart> {
    return this.get('/cart')
  }

  /** Adds one payment of the kind to the cart, with the first option of every list. Returns its id. */
  async addToCart(kind: Kind, client: ClientOfPayment = CLIENT): Promise<string> {
    const okpo = kind === 'admin_payment' ? await this.#ownCode() : OWN_CODE
    return this.add(await paymentOf(this, kind, client, { account: { iban: PERSON_IBAN, okpo } }))
  }

  /** Changes fields of a payment to any requisites that is in the cart, as another window would. */
  async changeItem(item: string, fields: Record<string, unknown>): Promise<void> {
    const { version } = await this.get<{ version: string }>(`/cart/item/${item}`)
    const payment = { ...(await paymentOf(this, 'requisites_payment')), ...fields }
    await this.post('/cart/item/edit', { cart_item_id: item, version, payment })
  }

  /** Adds this number of payments to the same requisites to the cart. */
  async fillCart(count: number): Promise<void> {
    const payment = await paymentOf(this, 'requisites_payment')
    for (let added = 0; added < count; added += 10) {
      const rest = Math.min(10, count - added)
      await Promise.all(Array.from({ length: rest }, () => this.add(payment)))
    }
  }

  /** The code of the own account: that of the profile, where there is one. */
  async #ownCode(): Promise<string> {
    const { inn } = await this.post<{ inn: string }>('/auth/me', {})
    return inn === '' ? OWN_CODE : inn
  }

  /** Creates an order of the first cart group, to be paid on the acquirer's page. */
  async orderCart(): Promise<OrderSummary> {
    const [group] = (await this.cart()).groups
    if (group === undefined) throw new Error('There is nothing in the cart.')
    return this.createOrder(group.client.id)
  }

  /**
   * Creates an order of the only cart group and repeats the request for its payment page: after failures the acquirer
   * is not called for a while.
   */
  async orderCartOnceReached(): Promise<OrderSummary> {
    const order = await this.orderCart()
    let address = order.widget_url
    await expect(async () => {
      address ??= (await this.get<{ widget_url: string }>(`/order/${order.id}/update/pay-link`)).widget_url
    }).toPass()
    return { ...order, widget_url: address }
  }

  override createOrder(clientId: string, more: object = {}): Promise<OrderSummary> {
    return super.createOrder(clientId, more)
  }

  /** The newest orders, the newest first. */
  async orders(): Promise<Order[]> {
    return (await this.get<{ orders: Order[] }>('/order')).orders
  }

  override order(id: string, options: { ask?: boolean } = {}): Promise<Order> {
    return super.order(id, options)
  }

  /** Adds one payment to the cart, orders and pays it. Returns the paid order. */
  async paidOrder(
    kind: Kind,
    card: string,
    client: ClientOfPayment = CLIENT,
    options: { save?: boolean } = {},
  ): Promise<Order> {
    await this.addToCart(kind, client)
    const group = (await this.cart()).groups.find((one) => one.client.inn === client.inn)
    if (group === undefined) throw new Error('The client has no group in the cart.')
    return this.payOnPage(group.client.id, { card, ...options })
  }
}

/** The invoice that a payment page belongs to: the last part of its address. */
export function invoiceOf(widgetUrl: string | null): string {
  if (widgetUrl === null) throw new Error('The order has no payment page.')
  const parts = new URL(widgetUrl).pathname.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? ''
}
