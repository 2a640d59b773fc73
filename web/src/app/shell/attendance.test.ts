import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { session } from '@/api/session'
import { renderRoute } from '@/testing/render-route'
import { cart } from '@/testing/samples'
import { answer, callsOf, lose, startServer } from '@/testing/server'

startServer()

test('what is typed or pressed lengthens the session at the next renewal, and a tab left alone does not', async () => {
  answer('get', '/api/cart', cart())
  const { user } = await renderRoute('/cart')
  await screen.findByText('Кошик порожній')
  answer('post', '/api/auth/refresh', {
    access_token: 'new',
    refresh_token: 'cookie',
    expires_in: 900,
    notary_id: 'a-notary',
    session_expires_at: '2026-11-20T22:00:00Z',
  })
  await session.renew()
  await user.keyboard('a')
  // The activity is reported again until the server has answered.
  lose('post', '/api/auth/refresh', 1)
  await expect(session.renew()).rejects.toThrow('network')
  await session.renew()
  await session.renew()
  await user.click(document.body)
  await session.renew()
  expect(callsOf('/api/auth/refresh').map(({ query }) => query)).toEqual([
    { background: '1' },
    {},
    {},
    { background: '1' },
    {},
  ])
})
