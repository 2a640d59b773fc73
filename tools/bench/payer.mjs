// A notary who pays beside what is measured.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** An order that is not paid after so long counts as lost. */
const PAID_WITHIN_MILLISECONDS = 60_000

/** A notary who adds a payment, orders it and pays it, again and again. What is refused is sent again with the same key. */
export class Payer {
  orders = []
  refused = 0
  faults = 0
  create = []
  whole = []

  constructor(cabinet, token, payment) {
    this.cabinet = cabinet
    this.token = token
    this.payment = payment
  }

  async #insist(method, path, body, times) {
    const key = randomUUID()
    for (;;) {
      const began = performance.now()
      try {
        const answer = await fetch(`${this.cabinet.url}/api${path}`, {
          method,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${this.token}`,
            ...(body === undefined ? {} : { 'idempotency-key': key }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        if (answer.ok) {
          times?.push(performance.now() - began)
          return JSON.parse(text)
        }
        if (![429, 503].includes(answer.status) || answer.headers.get('retry-after') === null)
          throw new Error(`${path}: ${answer.status} ${text}`)
        this.refused += 1
        await pause(200)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        this.faults += 1
        await pause(200)
      }
    }
  }

  async payUntil(end) {
    while (performance.now() < end) {
      const began = performance.now()
      await this.#insist('POST', '/cart/add', this.payment)
      const cart = await this.#insist('GET', '/cart')
      const client_id = cart.groups[0].client.id
      const { order } = await this.#insist('POST', '/order/create', { client_id, locale: 'uk' }, this.create)
      this.orders.push(order.id)
      const invoice = new URL(order.widget_url).pathname.split('/').findLast((part) => part !== '')
      await fetch(`${this.cabinet.sandbox}/sandbox/invoices/${invoice}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ card: '4242424242424242', save_card: false }),
      })
      const deadline = performance.now() + PAID_WITHIN_MILLISECONDS
      while (performance.now() < deadline) {
        const { order: now } = await this.#insist('GET', `/order/${order.id}`)
        if (now.status === 'paid') {
          this.whole.push(performance.now() - began)
          break
        }
        await pause(50)
      }
    }
  }
}
