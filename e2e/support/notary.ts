import { randomUUID } from 'node:crypto'
import { expect, type APIRequestContext, type BrowserContext } from '@playwright/test'
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

interface Named {
  id: string
}

/** A client whose tax id has the right check digit. */
export const CLIENT: ClientOfPayment = { inn: '3184710691', full_name: 'Коваленко Марія Петрівна' }

let phonesGiven = 0

/** A phone that no other test has: each process of tests counts on its own. */
function nextPhone(): string {
  const worker = Number(process.env['TEST_WORKER_INDEX'] ?? 0) % 1000
  phonesGiven += 1
  return `+38096${String(worker).padStart(3, '0')}${String(phonesGiven).padStart(4, '0')}`
}

/** The account and the code that the screens fill in as her own. */
export const OWN_IBAN = 'UA363220010000026000000012345'
export const OWN_OKPO = '3184710691'
/** An account of a person at a bank, with the right checksum. */
const PERSON_IBAN = 'UA213223130000026007233566001'

/**
 * A notary who is signed in by API calls. The pages of a given browser context are signed in, too, since it has the session's
 * cookie. For tests that are not about the login or the form.
 */
export class Notary {
  private readonly request: APIRequestContext
  private readonly cabinet: Cabinet
  private readonly accessToken: string
  readonly phone: string

  private constructor(request: APIRequestContext, cabinet: Cabinet, phone: string, accessToken: string) {
    this.request = request
    this.cabinet = cabinet
    this.phone = phone
    this.accessToken = accessToken
  }

  /** Signs in an account whose login step is a code by SMS. */
  static async logIn(context: BrowserContext, cabinet: Cabinet, phone: string): Promise<Notary> {
    const request = context.request
    let operation = ''
    const code = await cabinet.sandbox.codeAfter(phone, async () => {
      const started = await request.post(`${cabinet.url}/api/auth/login`, { data: { phone } })
      expect(started.ok(), await started.text()).toBe(true)
      operation = ((await started.json()) as { operation_id: string }).operation_id
    })
    const finished = await request.post(`${cabinet.url}/api/auth/login/otp`, {
      data: { phone, otp_code: code, operation_id: operation },
    })
    expect(finished.ok(), await finished.text()).toBe(true)
    const { access_token } = (await finished.json()) as { access_token: string }
    return new Notary(request, cabinet, phone, access_token)
  }

  /** Makes a new account and signs it in, so that it has no data of other tests. */
  static async signUp(context: BrowserContext, cabinet: Cabinet): Promise<Notary> {
    const request = context.request
    const phone = nextPhone()
    let started = { access_token: '', operation_id: '' }
    const code = await cabinet.sandbox.codeAfter(phone, async () => {
      const answer = await request.post(`${cabinet.url}/api/auth/sign-up`, {
        data: {
          phone,
          full_name: 'Шевченко Оксана Іванівна',
          registry_identifier: 'NOTAR777',
          is_agreed: true,
        },
      })
      expect(answer.ok(), await answer.text()).toBe(true)
      started = (await answer.json()) as typeof started
    })
    const finished = await request.post(`${cabinet.url}/api/auth/sign-up/verify`, {
      data: { otp_code: code, operation_id: started.operation_id },
      headers: { authorization: `Bearer ${started.access_token}` },
    })
    expect(finished.ok(), await finished.text()).toBe(true)
    const { access_token } = (await finished.json()) as { access_token: string }
    // She has proved before that she pays to the account of the forms.
    changeData(
      cabinet,
      `insert into proved_recipients (notary_id, iban, okpo, proved_at)
       select id, ?, ?, created_at from notaries where phone = ?`,
      OWN_IBAN,
      OWN_OKPO,
      phone,
    )
    return new Notary(request, cabinet, phone, access_token)
  }

  private headers(more: Record<string, string> = {}): Record<string, string> {
    return { authorization: `Bearer ${this.accessToken}`, ...more }
  }

  async get<T>(path: string): Promise<T> {
    const answer = await this.request.get(`${this.cabinet.url}/api${path}`, { headers: this.headers() })
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
    return (await answer.json()) as T
  }

  /** The status of an answer, also of a refusal. */
  async statusOf(path: string): Promise<number> {
    const answer = await this.request.get(`${this.cabinet.url}/api${path}`, { headers: this.headers() })
    return answer.status()
  }

  async getBytes(path: string): Promise<Buffer> {
    const answer = await this.request.get(`${this.cabinet.url}/api${path}`, { headers: this.headers() })
    expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true)
    return answer.body()
  }

  /** Sends a request and returns any answer, also a refusal. */
  async send(
    path: string,
    data: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: unknown }> {
    const answer = await this.request.post(`${this.cabinet.url}/api${path}`, {
      data,
      headers: this.headers(headers),
    })
    const text = await answer.text()
    return { status: answer.status(), body: text === '' ? null : JSON.parse(text) }
  }

  /** Sends a request, with the code where the cabinet asks for a proof. */
  async post<T>(path: string, data: unknown, headers: Record<string, string> = {}): Promise<T> {
    let { status, body } = await this.send(path, data, headers)
    if (status === 403 && JSON.stringify(body).includes('"confirmation_required"')) {
      await this.prove((body as { proof: unknown }).proof)
      ;({ status, body } = await this.send(path, data, headers))
    }
    expect(status, `${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
    return body as T
  }

  /** Proves what a refusal has named, by the code from the message. */
  private async prove(proof: unknown): Promise<void> {
    let operation = ''
    const code = await this.cabinet.sandbox.codeAfter(this.phone, async () => {
      const { body } = await this.send('/auth/confirmation', proof)
      operation = (body as { operation_id: string }).operation_id
    })
    const { status } = await this.send('/auth/confirmation/otp', { otp_code: code, operation_id: operation })
    expect(status).toBe(200)
  }

  cart(): Promise<Cart> {
    return this.get('/cart')
  }

  /** Adds one payment of the kind to the cart, with the first option of every list. */
  async addToCart(kind: Kind, client: ClientOfPayment = CLIENT): Promise<string> {
    const { payment_types } = await this.get<{ payment_types: { id: string; slug: Kind }[] }>(
      '/payment-types',
    )
    const type = payment_types.find((one) => one.slug === kind)
    if (type === undefined) throw new Error(`There is no kind ${kind}.`)
    const body = { client, payment_type_id: type.id, ...(await this.choices(kind, type.id, client)) }
    return (await this.post<{ item_id: string }>('/cart/add', body)).item_id
  }

  /** Changes fields of a payment to any requisites that is in the cart, as another window would. */
  async changeItem(item: string, fields: Record<string, unknown>): Promise<void> {
    const { version, payment_data } = await this.get<{
      version: string
      payment_data: { payment_type: Named }
    }>(`/cart/item/${item}`)
    const { id } = payment_data.payment_type
    const choices = await this.choices('requisites_payment', id, CLIENT)
    const payment = { client: CLIENT, payment_type_id: id, ...choices, ...fields }
    await this.post('/cart/item/edit', { cart_item_id: item, version, payment })
  }

  /** Adds this number of payments to the same requisites to the cart. */
  async fillCart(count: number): Promise<void> {
    const { payment_types } = await this.get<{ payment_types: { id: string; slug: Kind }[] }>(
      '/payment-types',
    )
    const type = payment_types.find((one) => one.slug === 'requisites_payment')
    if (type === undefined) throw new Error('There is no payment to requisites.')
    const body = {
      client: CLIENT,
      payment_type_id: type.id,
      ...(await this.choices('requisites_payment', type.id, CLIENT)),
    }
    for (let added = 0; added < count; added += 10) {
      const rest = Math.min(10, count - added)
      await Promise.all(Array.from({ length: rest }, () => this.post('/cart/add', body)))
    }
  }

  private async choices(
    kind: Kind,
    typeId: string,
    client: ClientOfPayment,
  ): Promise<Record<string, unknown>> {
    if (kind === 'requisites_payment') {
      return {
        amount: 340.5,
        iban: PERSON_IBAN,
        okpo: '37193071',
        recipient_name: 'ТОВ «Приклад»',
        purpose: `За послуги, ${client.full_name}, код ${client.inn}`,
      }
    }
    const { options, regions } = await this.get<{ options: Named[]; regions: Named[] }>(
      `/payment-types/fields?payment_type_id=${typeId}`,
    )
    const option = options[0]
    if (option === undefined) throw new Error(`${kind} has no options.`)
    const term =
      kind === 'registry_payment'
        ? undefined
        : (
            await this.get<{ terms: Named[] }>(
              `/payment-types/option/terms?payment_type_option_id=${option.id}`,
            )
          ).terms[0]
    const termQuery = term === undefined ? '' : `&payment_type_option_term_id=${term.id}`
    for (const region of regions) {
      const { requisites } = await this.get<{ requisites: Named[] }>(
        `/payment-types/region/requisites?payment_type_region_id=${region.id}&payment_type_id=${typeId}${termQuery}`,
      )
      const requisite = requisites[0]
      if (requisite !== undefined) {
        return {
          payment_type_option_id: option.id,
          ...(term === undefined ? {} : { payment_type_option_term_id: term.id }),
          payment_type_region_id: region.id,
          payment_type_requisite_id: requisite.id,
          ...(kind === 'admin_payment' ? { iban: PERSON_IBAN, okpo: await this.ownCode() } : {}),
        }
      }
    }
    throw new Error(`No region has a recipient for ${kind}.`)
  }

  /** The code of the own account: that of the profile, where there is one. */
  private async ownCode(): Promise<string> {
    const { inn } = await this.post<{ inn: string }>('/auth/me', {})
    return inn === '' ? '3068208400' : inn
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

  /** Makes an order of the client's group, to be paid on the acquirer's page. */
  async createOrder(clientId: string, key: string = randomUUID()): Promise<OrderSummary> {
    const body = { client_id: clientId, locale: 'uk' }
    const { order } = await this.post<{ order: OrderSummary }>('/order/create', body, {
      'idempotency-key': key,
    })
    return order
  }

  /** The newest orders, the newest first. */
  async orders(): Promise<Order[]> {
    return (await this.get<{ orders: Order[] }>('/order')).orders
  }

  async order(id: string, options: { ask?: boolean } = {}): Promise<Order> {
    const query = options.ask === true ? '?update_status=1' : ''
    return (await this.get<{ order: Order }>(`/order/${id}${query}`)).order
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
    const created = await this.createOrder(group.client.id)
    await this.cabinet.sandbox.pay(invoiceOf(created.widget_url), card, options)
    await expect
      .poll(async () => (await this.order(created.id, { ask: true })).status, {
        message: `order ${created.number}`,
      })
      .toBe('paid')
    return this.order(created.id)
  }
}

/** The invoice that a payment page belongs to: the last part of its address. */
export function invoiceOf(widgetUrl: string | null): string {
  if (widgetUrl === null) throw new Error('The order has no payment page.')
  const parts = new URL(widgetUrl).pathname.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? ''
}
