// A notary who pays beside what is measured.

import { setTimeout as pause } from 'node:timers/promises'

import { once } from '../lib/notary.mjs'
import { Refused } from '../lib/refused.mjs'

/** An order that is not paid after so long counts as lost. */
const PAID_WITHIN_MILLISECONDS = 60_000

/** A notary who adds a payment, orders it and pays it, again and again. What is refused is sent again with the same key. */
export class Payer {
  orders = []
  refused = 0
  faults = 0
  create = []
  whole = []

  constructor(notary, payment) {
    this.notary = notary
    this.payment = payment
  }

  async #insist(method, path, body, times) {
    const wish = body === undefined ? {} : { body, headers: once() }
    for (;;) {
      const began = performance.now()
      try {
        const answer = await this.notary.send(method, path, wish)
        if (answer.status < 300) {
          times?.push(performance.now() - began)
          return answer.body
        }
        if (![429, 503].includes(answer.status) || !answer.headers.has('retry-after'))
          throw new Refused(path, answer)
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
      await this.notary.cabinet.sandbox.pay(order.widget_url)
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
