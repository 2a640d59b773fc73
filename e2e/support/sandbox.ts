import { expect } from '@playwright/test'
import { CARDS, Sandbox as Base } from '../../tools/lib/sandbox.mjs'

export { CARDS }

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

/** How long the cabinet does not call a service whose calls have failed one after another. */
const PAUSE_AFTER_FAILURES_SECONDS = 6

/** The sandbox, with faults to inject and what only browser tests ask of it. */
export class Sandbox extends Base {
  #hasFaults = false

  /** All letters, as text. */
  async letters(): Promise<string> {
    return JSON.stringify(await this.json('/letters'))
  }

  calls(): Promise<Call[]> {
    return this.json('/calls')
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
    return this.json(`/calls/${sid}/answer`, 'POST', { digits })
  }

  /** Moves the clock of the cabinet and of the sandbox on. The page's clock stays. */
  advance(seconds: number): Promise<unknown> {
    return this.json('/clock', 'PUT', { advance_seconds: seconds })
  }

  /** Ends the faults, and the pause in which the cabinet leaves alone a service that has failed. */
  async recover(): Promise<void> {
    await this.endFaults()
    await this.advance(PAUSE_AFTER_FAILURES_SECONDS)
  }

  /** Replaces the injected faults. They are removed after the test. */
  async setFaults(faults: readonly Fault[]): Promise<void> {
    this.#hasFaults = faults.length > 0
    await this.json('/faults', 'PUT', faults)
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

  /** Answers the 3-D Secure question of the card holder. */
  answerThreeDSecure(invoiceId: string, confirm: boolean): Promise<unknown> {
    return this.json(`/invoices/${invoiceId}/three-d-secure`, 'POST', { confirm })
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
