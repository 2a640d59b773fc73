import { expect, it } from 'vitest'

import { standingErrors, type ShownErrors } from './shown-errors'

const EMPTY_PAYMENT = { clientName: '', clientCode: '', requisiteId: '', purpose: '' }

const shown: ShownErrors<keyof typeof EMPTY_PAYMENT> = {
  clientName: { key: 'client_full_name_required', fromServer: false },
  purpose: { key: 'purpose_must_contains_ipn', fromServer: false },
  requisiteId: { key: 'requisite_expired', fromServer: true },
}

it('removes the error of a changed field and keeps the others', () => {
  const after = { ...EMPTY_PAYMENT, clientName: 'К' }
  const broken = { purpose: 'purpose_must_contains_ipn' } as const
  expect(standingErrors(shown, EMPTY_PAYMENT, after, broken)).toEqual({
    purpose: shown.purpose,
    requisiteId: shown.requisiteId,
  })
})

it('removes an error that a change of another field has corrected', () => {
  const after = { ...EMPTY_PAYMENT, clientCode: '1759013776' }
  expect(standingErrors(shown, EMPTY_PAYMENT, after, { clientName: 'client_full_name_required' })).toEqual({
    clientName: shown.clientName,
    requisiteId: shown.requisiteId,
  })
})

it('keeps an error from the server until that field changes', () => {
  const after = { ...EMPTY_PAYMENT, requisiteId: 'other' }
  expect(standingErrors(shown, EMPTY_PAYMENT, after, {})).toEqual({})
})
