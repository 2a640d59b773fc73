import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { OrderDetails } from '@/api/order-details'
import { takeNews } from '@/app/shell/live-updates'
import { i18n } from '@/i18n/i18n'
import { messageText } from '@/i18n/message-texts'
import { renderRoute } from '@/testing/render-route'
import { order, orderItem, returnedPart } from '@/testing/samples'
import { answer, callsOf, refuse, startServer } from '@/testing/server'

startServer()

const DETAILS = '/api/order/{id}/details'

function details(given: Partial<OrderDetails> = {}): OrderDetails {
  const shown = given.order ?? order({ act: { register_number: '1-245', date: null, object: null } })
  return {
    order: shown,
    items: shown.items.map(({ id }) => ({
      id,
      region: { id: 'ua-30', name: 'м. Київ' },
      cbc_code: '22012600',
      shares: [
        { role: 'recipient', amount: 132, commission: 10 },
        { role: 'notary', amount: 198, commission: 10 },
      ],
    })),
    transfers: [
      {
        item_id: 'item-1',
        document_number: 4711,
        role: 'recipient',
        status: 'credited',
        amount: 132,
        recipient_name: 'ГУК у м.Києві/Голосіїв.р-н/22012600',
        iban: 'UA848999980999022012600300051',
        okpo: '37993783',
        on: '2026-11-20',
      },
    ],
    timeline: [
      { at: '2026-11-19T14:05:09Z', on: null, step: 'created', document_number: null },
      { at: '2026-11-19T14:06:10Z', on: null, step: 'paid', document_number: null },
      { at: null, on: '2026-11-20', step: 'transfer_credited', document_number: 4711 },
    ],
    receipt_code: '100042-AAAA-BBBB-CCCC',
    ...given,
  }
}

const sheet = (name: string) => screen.findByRole('region', { name })

describe('the page of an order', () => {
  it('names whom, what, when, by which card and under which act', async () => {
    answer('get', DETAILS, details())
    await renderRoute('/order/order-1')
    expect(await screen.findByRole('heading', { level: 1, name: 'Замовлення № 100042' })).toBeVisible()
    const summary = await sheet('Коваль Петро Олексійович')
    for (const text of [
      '1759013776',
      '19 листопада 2026 р. о 16:06',
      '424242******4242',
      '№ 1-245',
      '100042-AAAA-BBBB-CCCC',
    ])
      expect(summary).toHaveTextContent(text)
    expect(within(summary).getByRole('link', { name: '100042-AAAA-BBBB-CCCC' })).toHaveAttribute(
      'href',
      '/check?code=100042-AAAA-BBBB-CCCC&language=uk',
    )
    expect(document.title).toBe('Замовлення – Notary dashboard')
  })

  it('has the receipts of a paid order above all else, and no words of the day when it was paid', async () => {
    answer('get', DETAILS, details())
    await renderRoute('/order/order-1')
    const head = within(await sheet('Замовлення № 100042'))
    for (const name of [
      'Квитанція про сплату',
      'Квитанція про комісію',
      'Усі квитанції (ZIP)',
      'Надрукувати',
    ])
      expect(head.getByRole('button', { name })).toBeVisible()
    expect(head.queryByText(/Кошти надійдуть/u)).toBeNull()
  })

  it('says of an unpaid order that no money moved and why, and offers its payment', async () => {
    answer(
      'get',
      DETAILS,
      details({ order: order({ status: 'failed', failure: 'payment_declined' }), transfers: [] }),
    )
    await renderRoute('/order/order-1')
    expect(await screen.findByText('Кошти не списано')).toBeVisible()
    expect(screen.getByText(messageText('payment_declined', i18n), { exact: false })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Повернутися до оплати' })).toBeVisible()
  })

  it('of an order that waits for the bank warns of a second payment', async () => {
    answer('get', DETAILS, details({ order: order({ status: 'in_progress' }), transfers: [] }))
    await renderRoute('/order/order-1')
    expect(await screen.findByText('Не сплачуйте вдруге')).toBeVisible()
    expect(screen.getByRole('heading', { level: 1, name: 'Замовлення № 100042' })).toBeVisible()
  })

  it('has each payment with requisites, code and shares, its receipts and its repetition', async () => {
    answer('get', DETAILS, details())
    await renderRoute('/order/order-1')
    const payments = await sheet('Платежі')
    for (const text of [
      'Адміністративний збір',
      'Реєстрація права власності, 5 робочих днів',
      'м. Київ',
      '37993783',
      'UA84 8999 9809 9902 2012 6003 0005 1',
      '•• 0051',
      /1 × 350,00\sгрн/u,
      '22012600',
      '101 Адміністративний збір за державну реєстрацію права власності',
      /198,00\sгрн \(60 %\) на ваш рахунок UA22 3052 9900 0002 6001 2345 6789 0, комісія 10,00\sгрн/u,
      /132,00\sгрн \(40 %\) отримувачу, комісія 10,00\sгрн/u,
    ])
      expect(payments).toHaveTextContent(text)
    const [, whole] = within(payments).getAllByText(/^101 /u)
    expect(whole).toBeVisible()
    expect(whole).toHaveAttribute('lang', 'uk')
    expect(within(payments).getByText('Реєстрація права власності')).not.toHaveAttribute('lang')
    expect(within(payments).getByRole('button', { name: /^Квитанція: Реєстрація/u })).toBeVisible()
    expect(within(payments).getByRole('link', { name: /^Повторити: / })).toHaveAttribute(
      'href',
      '/?repeat_item_id=item-1',
    )
  })

  it('folds the details of several payments, and prints them', async () => {
    const both = order({ items: [orderItem(), orderItem({ id: 'item-2' })] })
    answer('get', DETAILS, details({ order: both, transfers: [] }))
    const { user } = await renderRoute('/order/order-1')
    await sheet('Платежі')
    const [first, other] = screen.getAllByText('UA84 8999 9809 9902 2012 6003 0005 1')
    expect(first).not.toBeVisible()
    const fold = screen.getAllByRole('button', { name: /закінчується на •• 0051/u })[0]!
    await user.click(fold)
    expect(fold).toHaveAttribute('aria-expanded', 'true')
    expect(first).toBeVisible()
    expect(other).not.toBeVisible()
    window.dispatchEvent(new Event('beforeprint'))
    expect(other).toBeVisible()
    window.dispatchEvent(new Event('afterprint'))
    await waitFor(() => expect(other).not.toBeVisible())
    expect(first).toBeVisible()
  })

  it('tells the way of the money to its recipients', async () => {
    answer('get', DETAILS, details())
    await renderRoute('/order/order-1')
    const transfers = within(await screen.findByRole('list', { name: 'Перекази' }))
    expect(transfers.getByText('Переказ № 4711')).toBeVisible()
    expect(transfers.getByText('Зараховано')).toBeVisible()
    // Their own page is led to once, from the order's file.
    expect(await screen.findByRole('link', { name: 'Перекази замовлення' })).toHaveAttribute(
      'href',
      '/order/order-1/transfers',
    )
    const told = within(await sheet('Хронологія')).getAllByRole('listitem')
    expect(told.map(({ textContent }) => textContent)).toEqual([
      'Замовлення створено19 листопада 2026 р. о 16:05',
      'Замовлення оплачено19 листопада 2026 р. о 16:06',
      'Переказ № 4711 зараховано20.11.2026',
    ])
  })

  it('has the state of the money beside each payment, and opens the one that it did not reach', async () => {
    const items = ['item-1', 'item-2', 'item-3'].map((id) => orderItem({ id }))
    const [transfer] = details().transfers
    const transferOf = (item: string, number: number, given: Partial<OrderDetails['transfers'][number]>) => ({
      ...transfer!,
      item_id: item,
      document_number: number,
      ...given,
    })
    answer(
      'get',
      DETAILS,
      details({
        order: order({ items }),
        transfers: [
          transferOf('item-1', 41, { role: 'recipient', status: 'credited' }),
          transferOf('item-1', 42, { role: 'notary', status: 'sent' }),
          transferOf('item-2', 43, { role: 'recipient', status: 'returned' }),
          transferOf('item-2', 44, { role: 'notary', status: 'credited' }),
          // Returned and sent again: on its way.
          transferOf('item-3', 45, { role: 'recipient', status: 'returned' }),
          transferOf('item-3', 46, { role: 'recipient', status: 'planned' }),
        ],
        timeline: [
          { at: null, on: '2026-11-20', step: 'transfer_credited', document_number: 41 },
          { at: null, on: '2026-11-20', step: 'transfer_credited', document_number: 44 },
        ],
      }),
    )
    await renderRoute('/order/order-1')
    const rows = within(await sheet('Платежі')).getAllByRole('button', { name: /закінчується на/u })
    expect(rows.map((row) => row.getAttribute('aria-expanded'))).toEqual(['false', 'true', 'false'])
    const states = rows.map((row) => row.closest('tr')?.textContent)
    expect(states[0]).toContain('Надіслано')
    expect(states[1]).toContain('Повернено банком')
    expect(states[2]).toContain('Очікує передачі банку')
    const told = within(await sheet('Хронологія')).getAllByRole('listitem')
    expect(told.map(({ textContent }) => textContent)).toEqual(['Перекази № 41, 44 зараховано20.11.2026'])
  })

  it('offers to pay an unpaid order, and shows what a bank sent back of another', async () => {
    const unpaid = order({ status: 'failed', items: [orderItem({ status: 'failed' })] })
    answer('get', DETAILS, details({ order: unpaid, transfers: [], timeline: [], receipt_code: null }))
    const { go } = await renderRoute('/order/order-1')
    expect(await screen.findByRole('button', { name: 'Повернутися до оплати' })).toBeVisible()
    expect(await screen.findByText('Сплатити за QR-кодами')).toBeVisible()
    expect(screen.queryByText('Перекази замовлення')).toBeNull()
    answer('get', DETAILS, details({ order: order({ id: 'order-2', returned: [returnedPart()] }) }))
    await go('/order/order-2')
    expect(await screen.findByRole('alert')).toHaveTextContent(/132,00 грн повернено 22\.11\.2026/u)
    // Where all the money went back to the card, nothing is left to do about a part of it.
    const refunded = order({
      id: 'order-3',
      number: '100043',
      status: 'refunded',
      returned: [returnedPart()],
    })
    answer('get', DETAILS, details({ order: refunded }))
    await go('/order/order-3')
    expect(await screen.findByRole('heading', { level: 1, name: 'Замовлення № 100043' })).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says of a transfer that was called off where its money is', async () => {
    const [transfer] = details().transfers
    if (transfer === undefined) throw new Error('There is no transfer.')
    answer(
      'get',
      DETAILS,
      details({
        order: order({ given_back: 132 }),
        transfers: [{ ...transfer, status: 'called_off', on: null }],
      }),
    )
    await renderRoute('/order/order-1')
    const transfers = await screen.findByRole('list', { name: 'Перекази' })
    expect(transfers).toHaveTextContent(/Скасовано до передачі банку\s?Кошти повернено на картку/u)
    expect(await screen.findByRole('alert')).toHaveTextContent(/^132,00 грн повернено на картку до передачі/u)
  })

  it('follows news of the order', async () => {
    const pending = order({ status: 'pending', widget_url: 'https://bank.example/invoice/1' })
    answer('get', DETAILS, details({ order: pending, transfers: [], receipt_code: null }))
    await renderRoute('/order/order-1')
    expect(await screen.findAllByText('Очікує оплати')).not.toHaveLength(0)
    answer('get', DETAILS, details())
    takeNews({ order: { id: 'order-1', status: 'paid' } })
    await waitFor(() => expect(screen.getAllByText('Сплачено')).not.toHaveLength(0))
    expect(callsOf(DETAILS)).toHaveLength(2)
  })

  it('of an order that is not there says so', async () => {
    refuse('get', DETAILS, 404, { message: 'order_not_found' })
    await renderRoute('/order/nobody')
    expect(await screen.findByRole('heading', { name: 'Такої сторінки немає' })).toBeVisible()
  })
})
