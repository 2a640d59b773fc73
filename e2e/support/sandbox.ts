import { expect } from '@playwright/test'

/** A message that the cabinet sent. */
export interface Message {
  phone: string
  text: string
  sent_at: string
}

/** A line of the acquirer's ledger: what was charged or refunded, in kopiykas. */
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

/** A fault of an outside service, as `PUT /sandbox/faults` takes it. */
export interface Fault {
  readonly service: 'acquirer' | 'sms' | 'sms_club' | 'calls' | 'mail' | 'reports'
  readonly kind:
    | 'delay'
    | 'timeout_before'
    | 'timeout_after'
    | 'drop'
    | 'duplicate'
    | 'reorder'
    | 'forge'
    | 'wrong_amount'
    | 'wrong_currency'
    | 'status_429'
    | 'status_500'
    | 'refuse'
    | 'garbage'
    | 'reset'
  /** The number of calls or reports; one by default. */
  readonly calls?: number
  /** Only for calls whose path contains this text. */
  readonly path?: string
  readonly delay_ms?: number
  /** Whether the call is carried out all the same, for kinds that allow both. */
  readonly effect?: boolean
  /** The code of a refusal. */
  readonly code?: string
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

/** How long the cabinet does not call a service whose calls have failed one after another. */
const PAUSE_AFTER_FAILURES_SECONDS = 6

/** The sandbox: messages that the cabinet sent, the acquirer's ledger, and faults to inject. */
export class Sandbox {
  readonly url: string
  #hasFaults = false

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

  /** All letters, as text. */
  async letters(): Promise<string> {
    return JSON.stringify(await this.json('/sandbox/letters'))
  }

  /** Runs an action that makes the cabinet send a code, and returns the code. */
  async codeAfter(phone: string, act: () => Promise<unknown>): Promise<string> {
    const before = (await this.messages(phone)).length
    await act()
    let code: string | undefined
    await expect
      .poll(
        async () => {
          const messages = await this.messages(phone)
          // A message with a code begins with it. Others tell of an entry or a change.
          const texts = messages.slice(0, messages.length - before).map(({ text }) => text)
          code = texts.map((text) => /^\d{4,8}(?= )/u.exec(text)?.[0]).find((found) => found !== undefined)
          return code
        },
        { message: `a code for ${phone}` },
      )
      .toBeDefined()
    return code ?? ''
  }

  /** As `codeAfter`, where the code goes by a letter. */
  async codeOfLetterAfter(address: string, act: () => Promise<unknown>): Promise<string> {
    await act()
    let code: string | undefined
    await expect
      .poll(
        async () => {
          const letters =
            await this.json<{ readonly to: string; readonly text: string }[]>('/sandbox/letters')
          const texts = letters.filter(({ to }) => to === address).map(({ text }) => text)
          code = texts.map((text) => /^\d{4,8}(?= )/u.exec(text)?.[0]).find((found) => found !== undefined)
          return code
        },
        { message: `a letter with a code for ${address}` },
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

  /** Moves the clock of the cabinet and of the sandbox on. The page's clock stays. */
  advance(seconds: number): Promise<unknown> {
    return this.json('/sandbox/clock', { method: 'PUT', body: { advance_seconds: seconds } })
  }

  /** Ends the faults, and the pause in which the cabinet leaves alone a service that has failed. */
  async recover(): Promise<void> {
    await this.endFaults()
    await this.advance(PAUSE_AFTER_FAILURES_SECONDS)
  }

  /** Replaces the injected faults. They are removed after the test. */
  async setFaults(faults: readonly Fault[]): Promise<void> {
    this.#hasFaults = faults.length > 0
    await this.json('/sandbox/faults', { method: 'PUT', body: faults })
  }

  async endFaults(): Promise<void> {
    if (this.#hasFaults) await this.setFaults([])
  }

  /**
   * Makes every call to the acquirer whose path contains the text fail until the faults end. A single fault could be
   * consumed by an order of an earlier test, since the server repeats unanswered calls.
   */
  failAcquirer(kind: Fault['kind'], path: string): Promise<void> {
    return this.setFaults([{ service: 'acquirer', kind, path, calls: 1000 }])
  }

  /** The same for requests for an invoice. */
  failInvoices(kind: Fault['kind']): Promise<void> {
    return this.failAcquirer(kind, 'invoice/create')
  }

  /** Delays the answers to requests for an invoice until the faults end. */
  slowInvoices(delay_ms: number): Promise<void> {
    return this.setFaults([
      { service: 'acquirer', kind: 'delay', delay_ms, path: 'invoice/create', calls: 1000 },
    ])
  }

  /**
   * Makes the message service refuse every message until the faults end. A single fault could be consumed by a notice
   * of an earlier test, since notices are sent after the answer that they tell of.
   */
  refuseMessages(): Promise<void> {
    return this.setFaults([{ service: 'sms', kind: 'refuse', calls: 1000 }])
  }

  /** Makes the next calls to a service fail before anything is sent. */
  failBeforeSending(service: 'sms' | 'calls', kind: Fault['kind']): Promise<void> {
    return this.setFaults([{ service, kind, calls: 5, effect: false }])
  }

  /** Pays an invoice, as the form of the payment page does. */
  pay(invoiceId: string, card: string, options: { save?: boolean } = {}): Promise<unknown> {
    const body = { card, save_card: options.save === true }
    return this.json(`/sandbox/invoices/${invoiceId}/pay`, { method: 'POST', body })
  }

  /** Answers the 3-D Secure question of the card holder. */
  answerThreeDSecure(invoiceId: string, confirm: boolean): Promise<unknown> {
    return this.json(`/sandbox/invoices/${invoiceId}/three-d-secure`, { method: 'POST', body: { confirm } })
  }

  /** Refunds a paid invoice, as the operator does at the acquirer. */
  async refund(invoiceId: string): Promise<void> {
    const answer = await fetch(`${this.url}/api/merchant/invoice/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-token': 'sandbox-acquirer-token' },
      body: JSON.stringify({ invoiceId }),
    })
    expect(answer.ok, await answer.text()).toBe(true)
  }
}
