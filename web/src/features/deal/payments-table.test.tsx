import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'

import { forgetDraft } from '@/forms/draft'
import { renderRoute } from '@/testing/render-route'
import { answer, startServer } from '@/testing/server'

import { dealDraft } from './draft'

startServer()

afterEach(() => {
  cleanup()
  forgetDraft(dealDraft)
})

it.each([
  ['uk', 'Вид нотаріальної дії', '1,5 % від більшої із сум'],
  ['en', 'Kind of notarial act', '1.5% of the larger amount'],
] as const)('writes a percent as the language does: %s', async (locale, kind, text) => {
  const will = {
    id: 'will',
    name: 'Заповіт',
    sums: [],
    optional_sums: [],
    counts_objects: false,
    counts_shares: false,
    taxpayer: null,
    questions: [],
    last_answers: null,
  }
  answer('get', '/api/deal/kinds', { kinds: [will], latest: [] })
  answer('post', '/api/book/clients/search', { clients: [], next: null })
  answer('get', '/api/payment-types/requisites/templates', { requisites_templates: [], payment_codes: [] })
  answer('post', '/api/deal/calculate', {
    date: '2026-06-01',
    payments: [
      {
        id: 'levy',
        name: 'Військовий збір',
        payer: 'principal',
        payer_number: 1,
        share: null,
        ground: 'ПКУ',
        unconfirmed: false,
        outcome: {
          state: 'due',
          sum: 34,
          count: 1,
          percentage: { base: 'larger', base_sum: 1000, basis_points: 150, minimum: null, maximum: null },
          stale: null,
          way: { way: 'template', template_id: 'levy' },
        },
      },
    ],
  })
  const { user } = await renderRoute('/deal', { locale })
  await user.selectOptions(await screen.findByLabelText(kind), 'will')
  expect((await screen.findByText(/%/u)).textContent).toBe(text)
})
