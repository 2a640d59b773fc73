import { renderHook } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { session } from '@/api/session'
import { answer, callsOf, lose, startServer } from '@/testing/server'
import { useAttendance } from './attendance'

startServer()

test('what is typed or pressed lengthens the session at the next renewal, and a tab left alone does not', async () => {
  session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' })
  renderHook(useAttendance)
  const user = userEvent.setup()
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
