/** Sample data for tests; each test sets only what it is about. */
import type { components } from '@/api/schema'

type Schemas = components['schemas']

export const olena: Schemas['User'] = {
  id: 'notary-olena',
  phone: '+380501112233',
  full_name: 'Шевченко Олена Іванівна',
  requested_name: null,
  inn: '3068208400',
  certificate_number: '1234',
  registry_identifier: 'NOTAR12345',
  phone_additional: '',
  email: 'olena@example.ua',
  notary_address: 'м. Київ',
  card_pan: '',
  iban: 'UA223052990000026001234567890',
  okpo: '3068208400',
  exemption_date_finish: null,
  created_at: '2025-01-01T10:00:00Z',
  updated_at: '2025-01-01T10:00:00Z',
  new_flow_enabled: true,
  standing: 'confirmed',
  register_contact: null,
  notary_status: 'private',
}

export const config: Schemas['Config'] = {
  tariff: { valid_from: '2025-11-11', basis_points: 150, minimum: 10 },
  tariff_changes: [{ valid_from: '2025-11-11', basis_points: 150, minimum: 10 }],
  treasury_last_day: null,
  currency: 'UAH',
  realtime_url: '/connection/websocket',
  offer_url: 'https://example.ua/offer',
  support: { email: 'help@example.ua', phone: '+38 (044) 000-00-00' },
  register_number: { chars_max: 40, marks: null },
  demonstration: true,
}

export const koval: Schemas['Client'] = {
  id: 'client-koval',
  inn: '1759013776',
  full_name: 'Коваль Петро Олексійович',
}

export function cartItem(given: Partial<Schemas['CartItem']> = {}): Schemas['CartItem'] {
  return {
    id: 'item-1',
    created_at: '2026-11-20T09:12:33Z',
    payment_type: { id: 'admin', slug: 'admin_payment' },
    payment_type_option: { id: 'ownership', name: 'Реєстрація права власності' },
    payment_type_option_term: { id: 'ownership-5wd', period: '5 робочих днів' },
    payment_type_region: { id: 'ua-30', name: 'м. Київ' },
    payment_type_requisite: {
      id: 'kyiv-1',
      name: 'ГУК у м.Києві/Голосіїв.р-н/22012600',
      iban: 'UA848999980999022012600300051',
      okpo: '37993783',
    },
    recipient_name: null,
    iban: 'UA223052990000026001234567890',
    okpo: '3068208400',
    purpose: '101 Адміністративний збір за державну реєстрацію права власності',
    cbc_code: '22012600',
    filing_year: null,
    transfers: [
      {
        recipient_name: 'ГУК у м.Києві/Голосіїв.р-н/22012600',
        recipient_code: '37993783',
        iban: 'UA848999980999022012600300051',
        purpose: '101 Адміністративний збір за державну реєстрацію права власності',
        amount: 132,
      },
      {
        recipient_name: 'Шевченко Оксана Іванівна',
        recipient_code: '3068208400',
        iban: 'UA223052990000026001234567890',
        purpose: 'Плата за державну реєстрацію права власності',
        amount: 198,
      },
    ],
    count: 1,
    sum_base: 330,
    commission: 20,
    sum_full: 350,
    sum_total: 350,
    change: null,
    complaint_number: null,
    ...given,
  }
}

/** Nothing is known of a notarial act. */
export const noAct: Schemas['NotarialAct'] = { register_number: null, date: null, object: null }

export function cart(...items: Schemas['CartItem'][]): Schemas['Cart'] {
  const amount = items.reduce((sum, item) => sum + item.sum_total, 0)
  return items.length === 0
    ? { version: 1, items_count: 0, groups: [] }
    : { version: 1, items_count: items.length, groups: [{ client: koval, act: noAct, amount, items }] }
}

export function orderItem(given: Partial<Schemas['OrderItem']> = {}): Schemas['OrderItem'] {
  const {
    change: _change,
    complaint_number: _complaint,
    filing_year: _year,
    cbc_code: _code,
    transfers: _transfers,
    payment_type_region: _region,
    ...item
  } = cartItem()
  return { ...item, status: 'paid', ...given }
}

const usualStates: Record<Schemas['OrderStatus'], Schemas['PaymentState']> = {
  in_progress: 'unknown',
  pending: 'waiting',
  paid: 'paid',
  failed: 'declined',
  expired: 'expired',
  refunded: 'refunded',
}

export function order(given: Partial<Schemas['Order']> = {}): Schemas['Order'] {
  const status = given.status ?? 'paid'
  const payment_state = usualStates[status]
  const items = given.items ?? [orderItem({ status })]
  return {
    id: 'order-1',
    number: '100042',
    status,
    payment_state,
    created_at: '2026-11-19T14:05:09Z',
    paid_at: status === 'paid' ? '2026-11-19T14:06:10Z' : null,
    paid_by: status === 'paid' || status === 'refunded' ? 'card' : null,
    codes_payment: null,
    client: koval,
    sum: items.reduce((sum, item) => sum + item.sum_total, 0),
    widget_url: null,
    pan: status === 'paid' ? '424242******4242' : null,
    failure: null,
    items,
    act: noAct,
    answer_expected_at: null,
    codes_given_at: null,
    of_deal: false,
    cancelled_at: null,
    returned_to_cart_at: null,
    returned: [],
    given_back: null,
    ...given,
  }
}

/** What is known of an order beside itself: nothing, if not given. */
export function orderDetails(given: Partial<Schemas['OrderDetails']> = {}): Schemas['OrderDetails'] {
  return { order: order(), items: [], transfers: [], timeline: [], receipt_code: null, ...given }
}

/** The Treasury's part of a fee, sent back because of a wrong code. */
export function returnedPart(): Schemas['ReturnedPart'] {
  return {
    item_id: 'p1',
    document_number: 4711,
    recipient_name: 'ГУК у м. Києві/Печерський р-н/22012600',
    amount: 132,
    returned_on: '2026-11-22',
    transfer_id: 'transfer-1',
    after: 'undecided',
    sent_again_as: null,
    to_card_on: null,
    reason: 'Код отримувача не відповідає рахунку',
  }
}

export function summaryOf(given: Schemas['Order']): Schemas['OrderSummary'] {
  const { id, number, status, payment_state, created_at, sum, widget_url } = given
  return { id, number, status, payment_state, created_at, sum, widget_url }
}

/** An order as the list of the unfinished ones has it. */
export const waitingOrder = {
  id: 'order-1',
  number: '100042',
  client_full_name: koval.full_name,
  status: 'pending',
  payment_state: 'waiting',
  sum: 350,
  open_until: null,
} as const

/** A link for the client, who has opened it. */
export const openedLink = {
  state: 'open',
  made_at: '2026-11-30T10:00:00Z',
  opened_at: '2026-11-30T10:05:00Z',
  ends_at: '2026-12-01T10:00:00Z',
  sent_at: null,
  sendings_left: 3,
  hours_max: 24,
  letters: true,
  receipt_mail: null,
  receipt_mail_refused: null,
} as const
