// The interface of the sandbox: messages that a cabinet has sent, the payer at the acquirer's page, the acquirer's books, faults.

import { Refused } from './refused.mjs'
import { until } from './wait.mjs'

/** Test cards, by what they do. */
export const CARDS = /** @type {const} */ ({
  pays: '4242424242424242',
  paysSlowly: '4000000000000259',
  declined: '4000000000000002',
  refused: '4100000000000019',
  blocked: '4000000000000069',
  overLimit: '4000000000006975',
  acquirerFails: '4000000000000119',
  tooLate: '4000000000000127',
  asksThreeDSecure: '4000000000003063',
})

/** The invoice of a payment page: the last part of its address. */
const invoiceOf = (page) =>
  page
    .split(/[?#]/u)[0]
    .split('/')
    .findLast((part) => part !== '')

/** A message with a code begins with it. Others tell of an entry or a change. */
const codeIn = (text) => /^\d{4,8}(?= )/u.exec(text)?.[0]

export class Sandbox {
  /** @param {string} url */
  constructor(url) {
    this.url = url
  }

  /**
   * Makes a call and returns any answer, also a refusal.
   *
   * @param {string} path
   * @param {string} [method]
   * @param {unknown} [body]
   */
  async call(path, method = 'GET', body) {
    const answer = await fetch(`${this.url}/sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  /**
   * Makes a call that must succeed.
   *
   * @template T
   * @param {string} path
   * @param {string} [method]
   * @param {unknown} [body]
   * @returns {Promise<T>}
   */
  async json(path, method, body) {
    const answer = await this.call(path, method, body)
    if (answer.status >= 300) throw new Refused(`/sandbox${path}`, answer)
    return answer.body
  }

  /**
   * All messages for a phone, the newest first.
   *
   * @param {string} phone
   * @returns {Promise<{ phone: string, text: string, sent_at: string }[]>}
   */
  messages(phone) {
    return this.json(`/messages?phone=${encodeURIComponent(phone)}`)
  }

  /**
   * Runs an action that makes the cabinet send a code, and returns the code.
   *
   * @param {string} phone
   * @param {() => unknown} act
   * @param {number} [seconds] how long the message may take
   * @returns {Promise<string>}
   */
  async codeAfter(phone, act, seconds = 30) {
    const before = (await this.messages(phone)).length
    await act()
    const newCode = async () => {
      const messages = await this.messages(phone)
      return messages
        .slice(0, messages.length - before)
        .map(({ text }) => codeIn(text))
        .find((code) => code !== undefined)
    }
    return until(`a code for ${phone}`, newCode, { seconds })
  }

  /**
   * As `codeAfter`, where the code goes by a letter.
   *
   * @param {string} address
   * @param {() => unknown} act
   * @returns {Promise<string>}
   */
  async codeOfLetterAfter(address, act) {
    await act()
    const code = async () =>
      (await this.json('/letters'))
        .filter(({ to }) => to === address)
        .map(({ text }) => codeIn(text))
        .find((found) => found !== undefined)
    return until(`a letter with a code for ${address}`, code)
  }

  /**
   * What was charged or given back, in kopiykas.
   *
   * @returns {Promise<{ invoice_id: string, reference: string, kind: 'charge' | 'refund', amount: number, at: string }[]>}
   */
  ledger() {
    return this.json('/ledger')
  }

  /**
   * Pays on the payment page, as its form does.
   *
   * @param {string} page its address, or the invoice
   * @param {string} [card]
   * @returns {Promise<unknown>}
   */
  pay(page, card = CARDS.pays) {
    return this.json(`/invoices/${invoiceOf(page)}/pay`, 'POST', { card })
  }
}
