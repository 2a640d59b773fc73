import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'

import { session } from '@/api/session'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const saved = {
  id: 'recipient-1',
  title: 'Зоря',
  recipient_name: 'ТОВ «Ранкова зоря»',
  iban: 'UA223052990000026001234567890',
  okpo: '32855961',
  cbc_code: null,
  purpose: null,
}

beforeEach(() => {
  // Signing out forgets what another test has typed.
  session.close()
  answer('post', '/api/book/clients/search', { clients: [], next: null })
  answer('get', '/api/book/recipients', { recipients: [saved] })
})

/** Opens the address book and the form of its only recipient. */
async function openForm() {
  const { user } = await renderRoute('/me/book')
  await user.click(await screen.findByRole('button', { name: 'Змінити отримувача: Зоря' }))
  return user
}

const opener = () => screen.getByRole('button', { name: 'Змінити отримувача: Зоря' })

const title = () => screen.getByLabelText('Назва в довіднику')

/** Types into the form, after which the session ends and is opened again. */
async function typeAndLoseSession() {
  const user = await openForm()
  await user.type(title(), ' нова')
  session.expire()
  cleanup()
}

it('keeps what is typed about a saved recipient when the session ends, until it is saved', async () => {
  await typeAndLoseSession()
  const user = await openForm()
  expect(title()).toHaveValue('Зоря нова')
  await waitFor(() => expect(title()).toHaveFocus())
  answer('post', '/api/book/recipients/save', { recipient: { ...saved, title: 'Зоря нова' } })
  await user.click(screen.getByRole('button', { name: 'Зберегти' }))
  await screen.findByText('Зміни збережено!')
  expect(callsOf('/api/book/recipients/save')[0]?.body).toMatchObject({ id: saved.id, title: 'Зоря нова' })
  await waitFor(() => expect(sessionStorage).toHaveLength(0))
})

it('says that what was typed has come back, and over what, and gives it up', async () => {
  await typeAndLoseSession()
  await openForm()
  expect(screen.getByText('Продовжено незбережені зміни')).toBeVisible()
  expect(screen.queryByText(/Відтоді збережені дані змінилися/u)).toBeNull()
  session.expire()
  cleanup()
  answer('get', '/api/book/recipients', { recipients: [{ ...saved, recipient_name: 'ТОВ «Вечірня зоря»' }] })
  const user = await openForm()
  expect(screen.getByText(/Відтоді збережені дані змінилися/u)).toBeVisible()
  expect(title()).toHaveValue('Зоря нова')
  // Nothing was typed there.
  expect(screen.getByLabelText('Назва отримувача')).toHaveValue('ТОВ «Вечірня зоря»')
  await user.click(screen.getByRole('button', { name: 'Повернути збережені дані' }))
  expect(title()).toHaveValue('Зоря')
  expect(title()).toHaveFocus()
  expect(screen.queryByText('Продовжено незбережені зміни')).toBeNull()
  await waitFor(() => expect(sessionStorage).toHaveLength(0))
  await user.click(screen.getByRole('button', { name: 'Скасувати' }))
  await user.click(opener())
  expect(screen.queryByText('Продовжено незбережені зміни')).toBeNull()
})

it('forgets what is typed about a saved recipient when its change is cancelled', async () => {
  await typeAndLoseSession()
  const user = await openForm()
  expect(title()).toHaveValue('Зоря нова')
  await user.click(screen.getByRole('button', { name: 'Скасувати' }))
  expect(sessionStorage).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Змінити отримувача: Зоря' }))
  expect(title()).toHaveValue(saved.title)
})

it('is held while it is saved, and keeps the focus where that fails', async () => {
  const end = gate()
  refuse('post', '/api/book/recipients/save', 500, { message: 'internal_error' }, { after: end.passed })
  const user = await openForm()
  await user.type(title(), ' нова{Enter}')
  expect(title()).toBeDisabled()
  expect(screen.queryByRole('button', { name: 'Скасувати' })).toBeNull()
  end.open()
  await waitFor(() => expect(title()).toBeEnabled())
  await waitFor(() => expect(title()).toHaveFocus())
  expect(title()).toHaveValue('Зоря нова')
})

it('leads back to the button that opened it, however it is closed', async () => {
  const user = await openForm()
  await user.click(screen.getByRole('button', { name: 'Скасувати' }))
  expect(opener()).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(title()).toHaveFocus()
  answer('post', '/api/book/recipients/save', { recipient: saved })
  await user.click(screen.getByRole('button', { name: 'Зберегти' }))
  await waitFor(() => expect(opener()).toHaveFocus())
})
