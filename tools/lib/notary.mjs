// A notary: the one client of the cabinet's API in JavaScript, for the tools and for the browser tests.

import { randomUUID } from 'node:crypto'

import { Refused } from './refused.mjs'
import { CARDS } from './sandbox.mjs'
import { until } from './wait.mjs'

/** The header in which a proxy tells a cabinet the address of the client. A cabinet that waits for it refuses logins without. */
export const ADDRESS_HEADER = 'x-test-address'

/** The sandbox's notary with a history. */
export const PHONE = '+380501112233'

/** Returns the phone of the account with this number. */
export const phoneOf = (number) => `+38067${String(number).padStart(7, '0')}`

/** A header by which the same request may be sent again. */
export const once = () => ({ 'idempotency-key': randomUUID() })

/**
 * Sends a request by `fetch`.
 *
 * @typedef {{ headers: Record<string, string>, body?: string, signal?: AbortSignal }} Request
 * @typedef {{ status: number, headers: Headers, text: string }} Answer
 * @param {string} method
 * @param {string} url
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
async function byFetch(method, url, request) {
  const answer = await fetch(url, { method, ...request })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Reads the body of an answer. A proxy's own page has no message. */
const readBody = ({ headers, text }) =>
  headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : undefined

/** A notary with one session at most. */
export class Notary {
  /**
   * @param {{ url: string, sandbox: import('./sandbox.mjs').Sandbox }} cabinet
   * @param {string} phone
   * @param {typeof byFetch} [transport] how requests are sent: by `fetch`, or for example by a browser, which has the session from then on
   */
  constructor(cabinet, phone, transport = byFetch) {
    this.cabinet = cabinet
    this.phone = phone
    this.transport = transport
    /** How many seconds a message with a code may take. */
    this.codeSeconds = 30
    /** @type {string | undefined} */
    this.accessToken = undefined
    /** @type {string | undefined} */
    this.refreshToken = undefined
  }

  /** The network address that a proxy names: that of each account is another, so that no limit of one address is reached. */
  address() {
    const number = Number(this.phone.slice(-7))
    return `10.${Math.floor(number / 250) % 250}.${(number % 250) + 1}.1`
  }

  /**
   * Makes a call and returns any answer, also a refusal.
   *
   * @param {string} method
   * @param {string} path
   * @param {{ body?: unknown, headers?: Record<string, string>, signal?: AbortSignal, token?: string | undefined }} [wish]
   */
  async send(method, path, { body, headers = {}, signal, token = this.accessToken } = {}) {
    const answer = await this.transport(method, `${this.cabinet.url}/api${path}`, {
      headers: {
        'content-type': 'application/json',
        [ADDRESS_HEADER]: this.address(),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, headers: answer.headers, body: readBody(answer) }
  }

  /**
   * @template T
   * @param {string} path
   * @returns {Promise<T>}
   */
  async get(path) {
    const answer = await this.send('GET', path)
    if (answer.status >= 300) throw new Refused(path, answer)
    return answer.body
  }

  /**
   * Sends a request, with the code where the cabinet asks for a proof. Keeps the tokens of an answer that has some.
   *
   * @template T
   * @param {string} path
   * @param {unknown} body
   * @param {Record<string, string>} [headers]
   * @returns {Promise<T>}
   */
  async post(path, body, headers) {
    let answer = await this.send('POST', path, { body, headers })
    if (answer.status === 403 && answer.body?.proof) {
      await this.post('/auth/confirmation/otp', await this.begin('/auth/confirmation', answer.body.proof))
      answer = await this.send('POST', path, { body, headers })
    }
    if (answer.status >= 300) throw new Refused(path, answer)
    if (answer.body?.access_token) this.keep(answer)
    return answer.body
  }

  /** Keeps the tokens of an answer. */
  keep({ body, headers }) {
    this.accessToken = body.access_token
    this.refreshToken =
      headers
        .getSetCookie()
        .map((text) => /^(?:__Host-)?refresh_token=([^;]+)/u.exec(text)?.[1])
        .find(Boolean) ?? this.refreshToken
  }

  /** Begins what a code finishes. Returns what finishes it. */
  async begin(path, body) {
    let operation_id
    const begun = async () => ({ operation_id } = await this.post(path, body))
    const otp_code = await this.cabinet.sandbox.codeAfter(this.phone, begun, this.codeSeconds)
    return { otp_code, operation_id }
  }

  /** Makes the account and signs it in. */
  async signUp() {
    const person = { full_name: 'Шевченко Оксана Іванівна', registry_identifier: 'NOTAR777', is_agreed: true }
    await this.post(
      '/auth/sign-up/verify',
      await this.begin('/auth/sign-up', { phone: this.phone, ...person }),
    )
    return this
  }

  /** Signs in an account whose login step is a code by SMS. */
  async logIn() {
    this.accessToken = undefined
    const proof = await this.begin('/auth/login', { phone: this.phone })
    await this.post('/auth/login/otp', { phone: this.phone, ...proof })
    return this
  }

  /** Gets another access token by the session. Returns whether there still is one. */
  async renew() {
    const answer = await this.send('POST', '/auth/refresh', { token: this.refreshToken })
    if (answer.status === 200) this.keep(answer)
    return answer.status === 200
  }

  cart() {
    return this.get('/cart')
  }

  /** Adds a payment to the cart. Returns its id. */
  async add(payment) {
    return (await this.post('/cart/add', payment, once())).item_id
  }

  /** Orders the payments of a client, to be paid on the acquirer's page, or by what `more` names. */
  async createOrder(clientId, more = {}) {
    return (await this.post('/order/create', { client_id: clientId, locale: 'uk', ...more }, once())).order
  }

  /** Returns an order. `ask`: the acquirer is asked before. */
  async order(id, { ask = false } = {}) {
    return (await this.get(`/order/${id}${ask ? '?update_status=1' : ''}`)).order
  }

  /** Waits until an order is paid, and returns it. */
  async paid({ id, number }, { every = 50 } = {}) {
    const isPaid = async () => {
      const order = await this.order(id, { ask: true })
      return order.status === 'paid' ? order : undefined
    }
    return until(`order ${number} is paid`, isPaid, { every })
  }

  /**
   * Orders the payments of a client, pays them on the acquirer's page, and waits until the cabinet knows. Returns the paid order.
   *
   * @param {string} clientId
   * @param {{ card?: string, save?: boolean }} [options]
   */
  async payOnPage(clientId, { card = CARDS.pays, save = false } = {}) {
    const order = await this.createOrder(clientId)
    await this.cabinet.sandbox.pay(order.widget_url, card)
    if (save) await this.saveCard(card)
    return this.paid(order)
  }

  /** Saves a card as the frame of «Мої картки» does: on a page of the acquirer that charges nothing. */
  async saveCard(card = CARDS.pays) {
    const { cards } = await this.get('/tokenization/cards')
    const ours = {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-dest': 'iframe',
      [ADDRESS_HEADER]: this.address(),
    }
    const frame = new URL(new URL(cards.url).pathname, this.cabinet.url)
    const opened = await fetch(frame, { headers: ours, redirect: 'manual' })
    const cookie = opened.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const adding = { method: 'POST', headers: { ...ours, cookie }, redirect: 'manual' }
    const added = await fetch(new URL('/cards-frame/add', frame), adding)
    await this.cabinet.sandbox.pay(added.headers.get('location'), card)
  }

  /** Pays everything in the cart on the acquirer's page, client by client. */
  async payAll(options) {
    for (let { groups } = await this.cart(); groups.length > 0; { groups } = await this.cart())
      await this.payOnPage(groups[0].client.id, options)
  }
}
