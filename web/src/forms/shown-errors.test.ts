import { expect, it } from 'vitest'

import { standingErrors, type ShownErrors } from './shown-errors'

const EMPTY_PAYMENT = { clientName: '', clientCode: '', requisiteId: '', purpose: '' }

const shown: ShownErrors<keyof typeof EMPTY_PAYMENT> = {
  clientName: { key: 'client_full_name_required', fromServer: false },
  purpose: { key: 'purpose_must_contains_ipn', fromServer: false },
  requisiteId: { key: 'requisite_expired', fromServer: true },
}

it('leaves a touched field in peace and the others as they are', () => {
  const after = { ...EMPTY_PAYMENT, clientName: 'К' }
  const broken = { purpose: 'purpose_must_contains_ipn' } as const
  expect(standingErrors(shown, EMPTY_PAYMENT, after, broken)).toEqual({
    purpose: shown.purpose,
    requisiteId: shown.requisiteId,
  })
})

it('drops an error that another field has healed', () => {
  const after = { ...EMPTY_PAYMENT, clientCode: '1759013776' }
  expect(standingErrors(shown, EMPTY_PAYMENT, after, { clientName: 'client_full_name_required' })).toEqual({
    clientName: shown.clientName,
    requisiteId: shown.requisiteId,
  })
})

it('keeps the server’s word until that very value changes', () => {
  const after = { ...EMPTY_PAYMENT, requisiteId: 'other' }
  expect(standingErrors(shown, EMPTY_PAYMENT, after, {})).toEqual({})
})
