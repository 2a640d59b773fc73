import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { queryClient } from '@/api/query-client'
import { keepInTab } from '@/lib/tab-storage'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

startServer()

const duty = cartItem({
  id: 'item-2',
  payment_type: { id: 'requisites', slug: 'requisites_payment' },
  payment_type_option: null,
  payment_type_option_term: null,
  payment_type_requisite: null,
  recipient_name: 'ГУК у м.Києві/22090100',
  purpose: '101 Державне мито; код 1759013776',
  sum_base: 34,
  commission: 10,
  sum_full: 44,
  sum_total: 44,
})

describe('the cart', () => {
  it('says what to do while it is empty', async () => {
    answer('get', '/api/cart', cart())
    await renderRoute('/cart')
    expect(await screen.findByText('Кошик порожній')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Створити платіж' })).toHaveAttribute('href', '/')
  })

  it('shows one client’s payments, their number and what they come to', async () => {
    answer('get', '/api/cart', cart(cartItem(), duty))
    await renderRoute('/cart')
    expect(await screen.findByRole('table', { name: /Коваль/u })).toBeVisible()
    expect(screen.getByText('2 платежі')).toBeVisible()
    expect(screen.getByText('ГУК у м.Києві/22090100')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Сплатити 394,00\sгрн – Коваль/u })).toBeEnabled()
  })

  it('cuts the purpose to one line, and unfolds it with the accounts', async () => {
    const own = cartItem({ iban: 'UA363220010000026000000012345' })
    answer('get', '/api/cart', cart(own, { ...duty, iban: 'UA213223130000026007233566001' }))
    const { user } = await renderRoute('/cart')
    const purpose = await screen.findByText(/^101 Державне мито/u)
    expect(screen.getByText(/•• 6001$/u)).toBeVisible()
    // Neither the payer's name nor the own account is told again in each row.
    expect(screen.getByText(/60 % – на ваш рахунок/u)).not.toBeVisible()
    expect(screen.getByText(/^Рахунок UA21 3223 1300/u)).not.toBeVisible()
    await user.click(purpose)
    expect(screen.getByText(/^Рахунок UA21 3223 1300/u)).toBeVisible()
    expect(screen.getByText(/60 % – на ваш рахунок/u)).not.toBeVisible()
  })

  it('changes a count at once and sends what was clicked meanwhile as one', async () => {
    const first = gate()
    answer('get', '/api/cart', cart(cartItem()))
    answer('post', '/api/cart/items/count', async ({ body }) => {
      await first.passed
      const { new_count: count } = body as { new_count: number }
      return { items_count: 1, count, sum_total: count * 350 }
    })
    const { user } = await renderRoute('/cart')
    const more = await screen.findByRole('button', { name: 'Більше' })
    expect(screen.getByRole('button', { name: 'Менше' })).toHaveAttribute('aria-disabled', 'true')
    await user.click(more)
    await user.click(more)
    await user.click(more)
    const pay = screen.getByRole('button', { name: /^Сплатити 1\s400,00\sгрн/u })
    expect(pay).toHaveAccessibleDescription('Зберігаємо зміни…')
    first.open()
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /^Сплатити/u })).not.toHaveAccessibleDescription(),
    )
    const sent = callsOf('/api/cart/items/count').filter(({ method }) => method === 'post')
    expect(sent.map(({ body }) => body)).toEqual([
      { cart_item_id: 'item-1', new_count: 2 },
      { cart_item_id: 'item-1', new_count: 4 },
    ])
  })

  it('keeps an unconfirmed count while the cart is read again, and ignores an older answer', async () => {
    const [counted, read] = [gate(), gate()]
    answer('get', '/api/cart', cart(cartItem()))
    answer('post', '/api/cart/items/count', async () => {
      await counted.passed
      return { items_count: 1, count: 2, sum_total: 700 }
    })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: 'Більше' }))
    // An answer with the old count and an item that was added in another window.
    answer('get', '/api/cart', cart(cartItem(), duty))
    await act(() => queryClient.invalidateQueries({ queryKey: ['cart', 'groups'] }))
    expect(await screen.findByRole('button', { name: /^Сплатити 744,00\sгрн/u })).toHaveAccessibleDescription(
      'Зберігаємо зміни…',
    )
    answer('get', '/api/cart', async () => {
      await read.passed
      return cart(cartItem())
    })
    void queryClient.invalidateQueries({ queryKey: ['cart', 'groups'] })
    await waitFor(() => expect(callsOf('/api/cart')).toHaveLength(3))
    answer('get', '/api/cart', cart(cartItem({ count: 2, sum_total: 700 }), duty))
    counted.open()
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /^Сплатити/u })).not.toHaveAccessibleDescription(),
    )
    read.open()
    await waitFor(() => expect(callsOf('/api/cart')).toHaveLength(4))
    expect(await screen.findByRole('button', { name: /^Сплатити 744,00\sгрн/u })).toBeEnabled()
  })

  it('takes a refused count back and says why', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    refuse('post', '/api/cart/items/count', 422, { message: 'count_invalid' })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: 'Більше' }))
    expect(await screen.findByText('Кількість має бути від 1 до 999')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Сплатити 350,00\sгрн/u })).toBeVisible()
  })

  it('takes a typed count, and sends it once', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    answer('post', '/api/cart/items/count', { items_count: 1, count: 12, sum_total: 4200 })
    const { user } = await renderRoute('/cart')
    const count = await screen.findByRole('textbox', { name: 'Кількість' })
    expect(count).toHaveValue('1')
    // Reached by Tab the number is selected, so that typing replaces it.
    act(() => screen.getByRole('button', { name: 'Менше' }).focus())
    await user.tab()
    await user.keyboard('12')
    expect(count).toHaveValue('12')
    const pay = screen.getByRole('button', { name: /^Сплатити 4\s200,00\sгрн/u })
    await waitFor(() => expect(pay).not.toHaveAccessibleDescription())
    expect(
      callsOf('/api/cart/items/count').flatMap(({ method, body }) => (method === 'post' ? [body] : [])),
    ).toEqual([{ cart_item_id: 'item-1', new_count: 12 }])
  })

  it('lets nobody pay while what was typed is no count, and keeps it', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    const { user } = await renderRoute('/cart')
    const count = await screen.findByRole('textbox', { name: 'Кількість' })
    await user.clear(count)
    await user.type(count, '1000')
    expect(count).toHaveAccessibleDescription('Кількість має бути від 1 до 999')
    expect(count).toBeInvalid()
    const pay = screen.getByRole('button', { name: /^Сплатити/u })
    expect(pay).toHaveAccessibleDescription('Виправте кількість')
    await user.tab()
    expect(count).toHaveValue('1000')
    await user.clear(count)
    await user.tab()
    expect(count).toHaveValue('1')
    await waitFor(() => expect(pay).not.toHaveAccessibleDescription())
  })

  it('shows the commission of each payment, of the client, and of all clients', async () => {
    const two = cart(cartItem({ count: 2, sum_total: 700 }))
    const [group] = two.groups
    const [other] = cart(duty).groups
    if (group === undefined || other === undefined) throw new Error('no groups')
    answer('get', '/api/cart', {
      ...two,
      items_count: 2,
      groups: [
        group,
        { ...other, client: { ...other.client, id: 'client-2', full_name: 'Лис Ганна Іванівна' } },
      ],
    })
    await renderRoute('/cart')
    expect(await screen.findByText(/^комісія 40,00\sгрн$/u)).toBeVisible()
    expect(screen.getByText(/^Отримувачам 660,00\sгрн, комісія 40,00\sгрн$/u)).toBeVisible()
    const all = within(screen.getByRole('region', { name: 'Разом за всіх клієнтів' }))
    expect(all.getByText('Разом за 2 клієнтів')).toBeVisible()
    expect(all.getByText('744')).toBeVisible()
    expect(all.getByText(/^Отримувачам 694,00\sгрн, комісія 50,00\sгрн$/u)).toBeVisible()
  })

  it('deletes with an undo in the same place', async () => {
    answer('get', '/api/cart', cart(cartItem(), duty))
    answer('post', '/api/cart/item/delete', { items_count: 1 })
    answer('post', '/api/cart/item/restore', { items_count: 2 })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: 'Видалити: Реєстрація права власності' }))
    const undo = await screen.findByRole('button', { name: 'Повернути' })
    await waitFor(() => expect(undo).toHaveFocus())
    expect(screen.getByText('Видалено: Реєстрація права власності')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Сплатити 44,00\sгрн/u })).toBeVisible()
    await user.click(undo)
    expect(await screen.findByRole('button', { name: /^Сплатити 394,00\sгрн/u })).toBeVisible()
    expect(callsOf('/api/cart/item/restore')[0]?.body).toEqual({ cart_item_id: 'item-1' })
    await waitFor(() => expect(document.activeElement).toHaveTextContent(/^ГУК у м\.Києві\/Голосіїв/u))
    expect(screen.getByText('Повернено до кошика: Реєстрація права власності')).toBeInTheDocument()
  })

  it('leaves the focus where it is when a payment has been deleted meanwhile', async () => {
    const end = gate()
    answer('get', '/api/cart', cart(cartItem(), duty))
    answer('post', '/api/cart/item/delete', async () => {
      await end.passed
      return { items_count: 1 }
    })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: 'Видалити: Реєстрація права власності' }))
    const other = screen.getByRole('button', { name: 'Видалити: ГУК у м.Києві/22090100' })
    act(() => other.focus())
    end.open()
    expect(await screen.findByRole('button', { name: 'Повернути' })).not.toHaveFocus()
    await waitFor(() => expect(other).toHaveFocus())
  })

  it('announces why a deleted payment was not brought back', async () => {
    answer('get', '/api/cart', cart(cartItem(), duty))
    answer('post', '/api/cart/item/delete', { items_count: 1 })
    refuse('post', '/api/cart/item/restore', 429, { message: 'too_many_requests' })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: 'Видалити: Реєстрація права власності' }))
    await user.click(await screen.findByRole('button', { name: 'Повернути' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Забагато спроб')
  })

  it('announces why today’s price was not taken over', async () => {
    const price = { amount: 350, commission: 20, sum: 370 }
    answer('get', '/api/cart', cart(cartItem({ change: { message: 'price_changed', price } })))
    refuse('post', '/api/cart/item/refresh', 429, { message: 'too_many_requests' })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Прийняти 370,00\sгрн$/u }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Забагато спроб')
  })

  it('lets nobody pay an old price and takes today’s over', async () => {
    const changed = cartItem({
      change: { message: 'price_changed', price: { amount: 350, commission: 20, sum: 370 } },
    })
    answer('get', '/api/cart', cart(changed))
    answer('post', '/api/cart/item/refresh', cart(cartItem({ sum_base: 350, sum_full: 370, sum_total: 370 })))
    const { user } = await renderRoute('/cart')
    expect(await screen.findByText(/^Було 350,00\sгрн, сьогодні – 370,00\sгрн\.$/u)).toBeVisible()
    expect(screen.getByRole('button', { name: /^Сплатити/u })).toHaveAccessibleDescription(
      'Спершу виправте або видаліть платежі з позначкою',
    )
    await user.click(screen.getByRole('button', { name: /^Прийняти 370,00\sгрн$/u }))
    expect(
      await screen.findByRole('button', { name: /^Сплатити 370,00\sгрн/u }),
    ).not.toHaveAccessibleDescription()
    expect(document.activeElement).toHaveTextContent(/^ГУК у м\.Києві\/Голосіїв/u)
    expect(screen.getByText(/^Прийнято: 370,00\sгрн$/u)).toBeInTheDocument()
  })

  it('keeps the focus on a button that has come to its end', async () => {
    answer('get', '/api/cart', cart(cartItem({ count: 2, sum_total: 700 })))
    answer('post', '/api/cart/items/count', { items_count: 1, count: 1, sum_total: 350 })
    const { user } = await renderRoute('/cart')
    const less = await screen.findByRole('button', { name: 'Менше' })
    await user.click(less)
    await waitFor(() => expect(less).toHaveAttribute('aria-disabled', 'true'))
    await waitFor(() => expect(less).toHaveFocus())
    expect(less).toBeEnabled()
    await user.keyboard('{Enter}')
    expect(screen.getByText('1', { selector: 'output' })).toBeVisible()
  })

  it('offers the recipient’s new account at the price that stayed', async () => {
    const price = { amount: 330, commission: 20, sum: 350 }
    answer('get', '/api/cart', cart(cartItem({ change: { message: 'requisite_expired', price } })))
    answer('post', '/api/cart/item/refresh', cart(cartItem()))
    const { user } = await renderRoute('/cart')
    expect(await screen.findByText('Кошти надійдуть на його новий рахунок.')).toBeVisible()
    expect(screen.queryByText(/^Було/u)).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Прийняти 350,00\sгрн$/u }))
    expect(callsOf('/api/cart/item/refresh').map(({ body }) => body)).toEqual([{ cart_item_id: 'item-1' }])
    await waitFor(() => expect(screen.queryByText('Рахунок отримувача змінився')).toBeNull())
  })

  it('sends a complaint, and not an empty one', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    answer('post', '/api/cart/item/complaint', () => {
      answer('get', '/api/cart', cart(cartItem({ complaint_number: 1001 })))
      return { success: true, number: 1001 }
    })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Повідомити про помилку/u }))
    const dialog = within(await screen.findByRole('dialog'))
    await waitFor(() => expect(dialog.getByLabelText('Опишіть помилку')).toHaveFocus())
    await user.click(dialog.getByRole('button', { name: 'Надіслати' }))
    expect(dialog.getByLabelText('Опишіть помилку')).toHaveAccessibleDescription(
      /Опишіть помилку в цьому платежі/u,
    )
    await user.type(dialog.getByLabelText('Опишіть помилку'), 'Не той отримувач')
    await user.click(dialog.getByRole('checkbox', { name: /^Зателефонуйте мені/u }))
    await user.click(dialog.getByRole('button', { name: 'Надіслати' }))
    expect(await screen.findByText('Повідомлення надіслано до служби підтримки')).toBeVisible()
    expect(screen.getByText('Його номер: 1001')).toBeVisible()
    expect(await screen.findByText('Повідомлено: № 1001')).toBeVisible()
    expect(callsOf('/api/cart/item/complaint').map(({ body }) => body)).toEqual([
      { cart_item_id: 'item-1', text: 'Не той отримувач', call_back: true },
    ])
  })

  it('keeps a complaint that is being written in the tab, so that it outlasts a reload', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    answer('post', '/api/cart/item/complaint', { success: true, number: 1001 })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Повідомити про помилку/u }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('Опишіть помилку'), 'Не та сума')
    const kept = 'cabinet.draft complaint item-1'
    expect(sessionStorage.getItem(kept)).toContain('Не та сума')
    // It leaves the tab once it is sent.
    await user.click(dialog.getByRole('button', { name: 'Надіслати' }))
    await waitFor(() => expect(sessionStorage.getItem(kept)).toBeNull())
  })

  it('brings back a complaint with its wish for a call, and the text that an earlier version kept', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    const { user } = await renderRoute('/cart')
    const open = async () => {
      await user.click(await screen.findByRole('button', { name: /^Повідомити про помилку/u }))
      return within(await screen.findByRole('dialog'))
    }
    const written = await open()
    await user.click(written.getByRole('checkbox', { name: /^Зателефонуйте мені/u }))
    await user.type(written.getByLabelText('Опишіть помилку'), 'Не та сума')
    await user.click(written.getByRole('button', { name: 'Скасувати' }))
    const again = await open()
    expect(again.getByLabelText('Опишіть помилку')).toHaveValue('Не та сума')
    expect(again.getByRole('checkbox', { name: /^Зателефонуйте мені/u })).toBeChecked()
    await user.click(again.getByRole('button', { name: 'Скасувати' }))
    const name = 'draft complaint item-1'
    const kept = JSON.parse(sessionStorage.getItem(`cabinet.${name}`) ?? '{}') as { notaryId: string }
    keepInTab(name, kept.notaryId, 'Не той отримувач')
    const earlier = await open()
    expect(earlier.getByLabelText('Опишіть помилку')).toHaveValue('Не той отримувач')
    expect(earlier.getByRole('checkbox', { name: /^Зателефонуйте мені/u })).not.toBeChecked()
    await user.clear(earlier.getByLabelText('Опишіть помилку'))
  })

  it('keeps the dialog of a complaint open while it is sent', async () => {
    const end = gate()
    answer('get', '/api/cart', cart(cartItem()))
    refuse('post', '/api/cart/item/complaint', 500, { message: 'internal_error' }, { after: end.passed })
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Повідомити про помилку/u }))
    const dialog = await screen.findByRole('dialog', { name: 'Помилка в платежі' })
    await user.type(within(dialog).getByLabelText('Опишіть помилку'), 'Не та сума')
    await user.click(within(dialog).getByRole('button', { name: 'Надіслати' }))
    await waitFor(() => expect(within(dialog).queryByRole('button', { name: 'Скасувати' })).toBeNull())
    expect(within(dialog).queryByRole('button', { name: 'Закрити' })).toBeNull()
    expect(within(dialog).getByLabelText('Опишіть помилку')).toBeDisabled()
    end.open()
    expect(await within(dialog).findByRole('button', { name: 'Скасувати' })).toBeVisible()
    expect(within(dialog).getByLabelText('Опишіть помилку')).toHaveValue('Не та сума')
  })

  it('does not call a complaint unsent whose answer was lost', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    answer('post', '/api/cart/item/complaint', { success: true, number: 1001 })
    lose('post', '/api/cart/item/complaint', 1)
    const { user } = await renderRoute('/cart')
    await user.click(await screen.findByRole('button', { name: /^Повідомити про помилку/u }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('Опишіть помилку'), 'Не той отримувач')
    await user.click(dialog.getByRole('button', { name: 'Надіслати' }))
    expect(await dialog.findByText('Невідомо, чи надіслано')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Надіслати' }))
    expect(await screen.findByText('Його номер: 1001')).toBeVisible()
  })

  it('speaks English', async () => {
    answer('get', '/api/cart', cart(cartItem()))
    await renderRoute('/cart', { locale: 'en' })
    expect(await screen.findByRole('heading', { name: 'Cart' })).toBeVisible()
    expect(await screen.findByText(/^101 /u)).toHaveAttribute('lang', 'uk')
  })
})
