import { expect } from '@playwright/test'

/** A message that left the cabinet, as the receiver sees it. */
export interface Message {
  phone: string
  text: string
  sent_at: string
}

/** A line of the acquirer's own books: what was really charged or given back, in kopiykas. */
export interface LedgerLine {
  invoice_id: string
  reference: string
  kind: 'charge' | 'refund'
  amount: number
  at: string
}

export interface Call {
  sid: string
  phone: string
  status: string
}

export const CARDS = {
  pays: '4242424242424242',
  declined: '4000000000000002',
  refused: '4100000000000019',
  blocked: '4000000000000069',
  overLimit: '4000000000006975',
  acquirerFails: '4000000000000119',
  tooLate: '4000000000000127',
  asksThreeDSecure: '4000000000003063',
} as const

/** The outside world of the tests: what the cabinet sent, what the acquirer charged, what goes wrong next. */
export class Sandbox {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  private async json<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
    const answer = await fetch(`${this.url}${path}`, {
      method: options.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${path}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /** All messages for a phone, the newest first. */
  messages(phone: string): Promise<Message[]> {
    return this.json(`/sandbox/messages?phone=${encodeURIComponent(phone)}`)
  }

  /** Does what makes the cabinet send a code, and answers the code that came by it. */
  async codeAfter(phone: string, act: () => Promise<unknown>): Promise<string> {
    const before = (await this.messages(phone)).length
    await act()
    let code: string | undefined
    await expect
      .poll(
        async () => {
          const messages = await this.messages(phone)
          code =
            messages.length > before ? /(?<!\d)\d{4}(?!\d)/.exec(messages[0]?.text ?? '')?.[0] : undefined
          return code
        },
        { message: `a code for ${phone}` },
      )
      .toBeDefined()
    return code ?? ''
  }

  calls(): Promise<Call[]> {
    return this.json('/sandbox/calls')
  }

  /** Waits for the call to this phone that is not over yet. */
  async ringing(phone: string): Promise<Call> {
    let call: Call | undefined
    await expect
      .poll(
        async () => {
          call = (await this.calls()).find((one) => one.phone === phone && one.status !== 'completed')
          return call?.sid
        },
        { message: `a call to ${phone}` },
      )
      .toBeDefined()
    if (call === undefined) throw new Error('unreachable: the poll above found a call')
    return call
  }

  answerCall(sid: string, digits: string): Promise<unknown> {
    return this.json(`/sandbox/calls/${sid}/answer`, { method: 'POST', body: { digits } })
  }

  ledger(): Promise<LedgerLine[]> {
    return this.json('/sandbox/ledger')
  }

  setFaults(faults: unknown): Promise<unknown> {
    return this.json('/sandbox/faults', { method: 'PUT', body: faults })
  }

  /**
   * Lets every request for an invoice fail until the faults are set again. A single failing call could be used up by
   * an order of an earlier test: the server sends an unanswered one again by itself.
   */
  failInvoices(kind: 'refuse' | 'status_429' | 'status_500'): Promise<unknown> {
    return this.setFaults([{ service: 'acquirer', kind, path: 'invoice/create', calls: 1000 }])
  }

  /** What the payment page's form does. */
  pay(invoiceId: string, card: string, options: { save?: boolean } = {}): Promise<unknown> {
    const body = { card, save_card: options.save === true }
    return this.json(`/sandbox/invoices/${invoiceId}/pay`, { method: 'POST', body })
  }

  /** What the holder answers on the page of 3-D Secure. */
  answerThreeDSecure(invoiceId: string, confirm: boolean): Promise<unknown> {
    return this.json(`/sandbox/invoices/${invoiceId}/three-d-secure`, { method: 'POST', body: { confirm } })
  }

  /** Gives the money of a paid invoice back, as the operator does at the acquirer's. */
  async refund(invoiceId: string): Promise<void> {
    const answer = await fetch(`${this.url}/api/merchant/invoice/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-token': 'sandbox-acquirer-token' },
      body: JSON.stringify({ invoiceId }),
    })
    expect(answer.ok, await answer.text()).toBe(true)
  }
}
