import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { renderRoute } from '@/testing/render-route'
import { koval, order } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const SEARCH = '/api/order/search'
const CLIENTS = '/api/book/clients/search'
const FIELD = 'Сторінка, номер замовлення, клієнт або сума'

// The parts that are loaded after the page, so that their loading takes no time of a test.
beforeAll(async () => {
  await Promise.all([import('@/app/shell/later-parts'), import('./load')])
}, 60_000)
beforeEach(() => {
  localStorage.clear()
  answer('post', CLIENTS, { clients: [], next: null })
})

/** Opens the archive and waits until the shortcuts are there. */
async function openArchive() {
  answer('get', '/api/order', { orders: [order()], next: null })
  const rendered = await renderRoute('/archive')
  await screen.findByRole('region', { name: 'Замовлення № 100042' })
  return rendered
}

const press = (init: KeyboardEventInit, target: Element = document.body) =>
  fireEvent.keyDown(target, { bubbles: true, ...init })

async function openPalette() {
  await waitFor(() => {
    press({ code: 'KeyK', key: 'л', ctrlKey: true })
    expect(screen.getByRole('dialog', { name: 'Перейти' })).toBeVisible()
  })
  return within(screen.getByRole('dialog', { name: 'Перейти' }))
}

async function openHelp() {
  await waitFor(() => {
    press({ key: '?' })
    expect(screen.getByRole('dialog', { name: 'Комбінації клавіш' })).toBeVisible()
  })
}

describe('the command palette', () => {
  it('opens by its button, and from the menu of a phone, which closes', async () => {
    const { user } = await openArchive()
    await user.click(await screen.findByRole('button', { name: 'Знайти' }))
    await waitFor(async () =>
      expect(
        within(await screen.findByRole('dialog', { name: 'Перейти' })).getByRole('combobox', { name: FIELD }),
      ).toHaveFocus(),
    )
    await user.click(screen.getByRole('button', { name: 'Закрити' }))
    await user.click(screen.getByRole('button', { name: 'Меню' }))
    const menu = within(await screen.findByRole('dialog', { name: 'Меню' }))
    await user.click(await menu.findByRole('button', { name: 'Знайти' }))
    await waitFor(async () =>
      expect(
        within(await screen.findByRole('dialog', { name: 'Перейти' })).getByRole('combobox', { name: FIELD }),
      ).toHaveFocus(),
    )
    expect(screen.queryByRole('dialog', { name: 'Меню' })).toBeNull()
  })

  it('leads to a page by a few letters, with the keyboard alone', async () => {
    const { user, address } = await openArchive()
    answer('get', '/api/cart', { version: 1, items_count: 0, groups: [] })
    const palette = await openPalette()
    const field = palette.getByRole('combobox', { name: FIELD })
    await waitFor(() => expect(field).toHaveFocus())
    expect(palette.getAllByRole('option')).toHaveLength(10)
    answer('post', SEARCH, { orders: [], next: null })
    await user.type(field, 'коши')
    await waitFor(() => expect(palette.getAllByRole('option')).toHaveLength(1))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/cart'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('finds the form by what is paid there', async () => {
    const { user } = await openArchive()
    const palette = await openPalette()
    answer('post', SEARCH, { orders: [], next: null })
    await user.type(palette.getByRole('combobox', { name: FIELD }), 'держ')
    await waitFor(() => expect(palette.getAllByRole('option')).toHaveLength(1))
    expect(palette.getByRole('option', { name: /^Створити платіж/u })).toBeVisible()
  })

  it('finds orders by the body of a call, and leads to the page of one', async () => {
    const { user, address } = await openArchive()
    const palette = await openPalette()
    answer('post', SEARCH, {
      orders: [order({ id: 'first' }), order({ id: 'second', number: '100041' })],
      next: null,
    })
    const field = palette.getByRole('combobox', { name: FIELD })
    await user.type(field, '1000')
    const found = await palette.findByRole('option', { name: /№ 100041 Коваль Петро Олексійович/u })
    expect(callsOf(SEARCH).at(-1)?.body).toMatchObject({ text: '1000' })
    await user.keyboard('{ArrowDown}')
    expect(found).toHaveAttribute('aria-selected', 'true')
    expect(field).toHaveAttribute('aria-activedescendant', found.id)
    refuse('get', '/api/order/{id}/details', 404, { message: 'order_not_found' })
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/order/second'))
  })

  it('finds a client of the address book, and begins a payment for them', async () => {
    const { user, address } = await openArchive()
    const palette = await openPalette()
    answer('post', SEARCH, { orders: [], next: null })
    answer('get', '/api/payment-types', { payment_types: [{ id: 'registry', slug: 'registry_payment' }] })
    answer('post', CLIENTS, { clients: [{ ...koval, used_at: '2026-06-01T09:00:00Z' }], next: null })
    await user.type(palette.getByRole('combobox', { name: FIELD }), 'коваль')
    await user.click(await palette.findByRole('option', { name: new RegExp(koval.full_name, 'u') }))
    await waitFor(() => expect(address()).toBe('/'))
    expect(await screen.findByDisplayValue(koval.full_name)).toBeVisible()
  })

  it('names each group of what it has found', async () => {
    const { user } = await openArchive()
    const palette = await openPalette()
    answer('post', SEARCH, { orders: [order()], next: null })
    answer('post', CLIENTS, { clients: [{ ...koval, used_at: '2026-06-01T09:00:00Z' }], next: null })
    await user.type(palette.getByRole('combobox', { name: FIELD }), 'ко')
    for (const name of ['Сторінки', 'Новий платіж за клієнта', 'Знайдені замовлення']) {
      // One group after the other.
      // oxlint-disable-next-line no-await-in-loop
      const group = await palette.findByRole('group', { name })
      for (const option of within(group).getAllByRole('option')) expect(option.id).not.toContain(' ')
    }
  })

  it('says that nothing is found, or why it could not look', async () => {
    const { user } = await openArchive()
    const palette = await openPalette()
    answer('post', SEARCH, { orders: [], next: null })
    await user.type(palette.getByRole('combobox', { name: FIELD }), 'щось')
    expect(await palette.findByText('Нічого не знайдено')).toBeVisible()
    refuse('post', SEARCH, 429, { message: 'too_many_requests' })
    await user.type(palette.getByRole('combobox', { name: FIELD }), 'інше')
    expect(await palette.findByRole('alert')).toHaveTextContent('Забагато спроб')
  })
})

describe('single keys', () => {
  it('lead to pages in any layout, but not from a field, with a modifier or over a dialog', async () => {
    const { user, address } = await openArchive()
    await openHelp()
    press({ code: 'KeyC', key: 'с' })
    expect(address()).toBe('/archive')
    await user.click(screen.getByRole('button', { name: 'Закрити' }))
    press({ code: 'KeyC', key: 'с' }, screen.getByRole('searchbox'))
    press({ code: 'KeyC', key: 'с', ctrlKey: true })
    press({ code: 'KeyC', key: 'С', shiftKey: true })
    expect(address()).toBe('/archive')
    press({ code: 'Slash', key: '/' })
    expect(screen.getByRole('searchbox')).toHaveFocus()
    answer('get', '/api/cart', { version: 1, items_count: 0, groups: [] })
    press({ code: 'KeyC', key: 'с' })
    await waitFor(() => expect(address()).toBe('/cart'))
  })

  it('choose an answer of a question, and lead nowhere from there', async () => {
    const answers = [
      { id: 'no', name: 'ні' },
      { id: 'yes', name: 'так' },
    ]
    const questions = [{ id: 'kin', question: 'Чи це родич?', answers, spared_by: [] }]
    const kinds = [
      {
        id: 'gift',
        name: 'Дарування',
        sums: [],
        optional_sums: [],
        counts_objects: false,
        counts_shares: false,
        taxpayer: null,
        questions,
        last_answers: null,
      },
    ]
    answer('get', '/api/deal/kinds', { kinds, latest: [] })
    const { user, address } = await renderRoute('/deal')
    await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'gift')
    await openHelp()
    await user.click(screen.getByRole('button', { name: 'Закрити' }))
    const no = screen.getByRole('radio', { name: 'ні' })
    // Nothing else is to be done with the key, such as to look for it on the page.
    expect(press({ code: 'KeyN', key: 'т' }, no)).toBe(false)
    expect(screen.getByRole('radio', { name: 'так' })).toBeChecked()
    expect(press({ code: 'KeyC', key: 'с' }, no)).toBe(true)
    expect(address()).toBe('/deal')
  })

  it('can be switched off, and stay so; the palette stays', async () => {
    const { user, address } = await openArchive()
    await openHelp()
    await user.click(screen.getByRole('checkbox', { name: 'Клавіші без Ctrl увімкнено' }))
    await user.click(screen.getByRole('button', { name: 'Закрити' }))
    press({ code: 'KeyC', key: 'с' })
    press({ key: '?' })
    expect(address()).toBe('/archive')
    expect(screen.queryByRole('dialog')).toBeNull()
    const palette = await openPalette()
    await user.click(palette.getByRole('button', { name: 'Комбінації клавіш' }))
    const box = await screen.findByRole('checkbox', { name: 'Клавіші без Ctrl увімкнено' })
    expect(box).not.toBeChecked()
    await user.click(box)
    await user.click(screen.getByRole('button', { name: 'Закрити' }))
    await openHelp()
  })
})
