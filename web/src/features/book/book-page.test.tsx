import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'

import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { answer, refuse, startServer } from '@/testing/server'

startServer()

const client = {
  id: 'client-1',
  full_name: 'Коваль Петро Олексійович',
  inn: '3068208400',
  used_at: '2026-11-20T10:00:00Z',
}
const recipient = {
  id: 'recipient-1',
  title: 'Зоря',
  recipient_name: 'ТОВ «Ранкова зоря»',
  iban: 'UA223052990000026001234567890',
  okpo: '32855961',
  cbc_code: null,
  purpose: null,
}

beforeEach(() => {
  answer('post', '/api/book/clients/search', { clients: [client], next: null })
  answer('get', '/api/book/recipients', { recipients: [recipient] })
})

describe('a deletion in the address book', () => {
  it.each([
    ['/api/book/clients/delete', 'Видалити з довідника: Коваль Петро Олексійович'],
    ['/api/book/recipients/delete', 'Видалити отримувача: Зоря'],
  ] as const)('can’t be called off once it has begun: %s', async (path, name) => {
    const end = gate()
    refuse('post', path, 500, { message: 'internal_error' }, { after: end.passed })
    const { user } = await renderRoute('/me/book')
    await user.click(await screen.findByRole('button', { name }))
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByRole('button', { name: 'Не видаляти' })).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Видалити' }))
    await waitFor(() => expect(dialog.queryByRole('button', { name: 'Не видаляти' })).toBeNull())
    end.open()
    expect(await dialog.findByRole('button', { name: 'Не видаляти' })).toBeVisible()
  })
})
