import { describe, expect, it } from 'vitest'

import { isDefinite } from '@/api/definite'
import { NetworkFailure, Refusal, ServerFailure } from '@/api/failure'
import type { OrderSummary } from '@/api/orders'

import { destinationOf, isLost, payOutcomeOf } from './outcome'

const order = (status: OrderSummary['status'], widget_url: string | null = null): OrderSummary => ({
  id: 'o1',
  number: '100042',
  status,
  payment_state: 'waiting',
  created_at: '2026-11-20T10:00:00Z',
  sum: 350,
  widget_url,
})

describe('a saved card', () => {
  it.each([
    ['paid', null, { kind: 'archive' }],
    ['pending', null, { kind: 'archive' }],
    [
      'pending',
      'https://bank.example/3ds',
      { kind: 'bank', orderId: 'o1', address: 'https://bank.example/3ds' },
    ],
    ['in_progress', null, { kind: 'order', orderId: 'o1', page: 'payment-status' }],
    ['failed', null, { kind: 'declined', orderId: 'o1' }],
  ] as const)('%s with %s', (status, address, expected) => {
    expect(destinationOf(order(status, address), 'saved-card')).toEqual(expected)
  })
})

describe('the bank’s page', () => {
  it.each([
    ['pending', 'https://bank.example/1', { kind: 'bank', orderId: 'o1', address: 'https://bank.example/1' }],
    ['pending', null, { kind: 'order', orderId: 'o1', page: 'payment-status' }],
    ['in_progress', 'https://bank.example/1', { kind: 'order', orderId: 'o1', page: 'payment-status' }],
    ['paid', null, { kind: 'order', orderId: 'o1', page: 'payment-status' }],
    ['expired', null, { kind: 'order', orderId: 'o1', page: 'error' }],
  ] as const)('%s with %s', (status, address, expected) => {
    expect(destinationOf(order(status, address), 'bank-page')).toEqual(expected)
  })
})

it.each(['saved-card', 'bank-page'] as const)('a status of a newer server is looked up, by a %s', (by) => {
  expect(destinationOf(order('disputed' as OrderSummary['status']), by)).toEqual({
    kind: 'order',
    orderId: 'o1',
    page: 'payment-status',
  })
})

const refusal = (status: number) => new Refusal(status, 'conflict', {}, null, {})

describe('a failure', () => {
  it('is definite only where the server has refused', () => {
    expect(isDefinite(refusal(409))).toBe(true)
    expect(isDefinite(refusal(422))).toBe(true)
    expect(isDefinite(refusal(429))).toBe(false)
    expect(isDefinite(new ServerFailure(500, 'internal_error', null))).toBe(false)
    expect(isDefinite(new NetworkFailure())).toBe(false)
  })

  it.each([
    ['a definite refusal', new Refusal(422, 'card_not_found', {}, null, {}), false, 'nothing-sent'],
    ['a limit', new Refusal(429, 'too_many_requests', {}, null, {}), false, 'nothing-sent'],
    ['a limit after a lost try', new Refusal(429, 'too_many_requests', {}, null, {}), true, 'unknown'],
    ['a refusal after a lost try', new Refusal(422, 'card_not_found', {}, null, {}), true, 'unknown'],
    ['an unknown payment', new Refusal(409, 'payment_outcome_unknown', {}, null, {}), false, 'unknown'],
    ['an ordered group', new Refusal(409, 'cart_already_ordered', {}, null, {}), false, 'ordered-elsewhere'],
    ['an emptied group', new Refusal(409, 'cart_group_empty', {}, null, {}), true, 'ordered-elsewhere'],
    ['a broken server', new ServerFailure(502, 'acquirer_unavailable', null), false, 'unknown'],
    ['a lost answer', new NetworkFailure(), false, 'unknown'],
    ['a bug', new TypeError('no order'), false, 'unknown'],
  ] as const)('%s tells what is certain of the money', (_name, failure, isOpen, outcome) => {
    expect(payOutcomeOf(failure, isOpen)).toBe(outcome)
  })

  it('is asked about again where the answer was lost', () => {
    expect(isLost(new NetworkFailure())).toBe(true)
    expect(isLost(new ServerFailure(503, 'service_unavailable', null))).toBe(true)
    expect(isLost(refusal(409))).toBe(false)
  })
})
