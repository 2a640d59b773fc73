import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { session } from '@/api/session'
import { forgetDraft } from '@/forms/draft'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { cart, cartItem, koval, olena } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'

import { dealDraft } from './draft'

startServer()

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
const gift = {
  id: 'gift',
  name: 'Дарування',
  sums: ['price' as const, 'valuation' as const],
  optional_sums: [],
  counts_objects: false,
  counts_shares: false,
  taxpayer: null,
  questions: [
    {
      id: 'kin',
      question: 'Ким доводиться?',
      spared_by: [],
      answers: [
        { id: 'child', name: 'дитина' },
        { id: 'other', name: 'інша особа' },
      ],
    },
  ],
  last_answers: { kin: 'other' },
}

beforeEach(() => {
  session.close()
  answer('get', '/api/deal/kinds', { kinds: [will, gift], latest: ['gift'] })
  answer('post', '/api/book/clients/search', ({ body }) => {
    const { text = '' } = body as { readonly text?: string }
    const fits = [koval.full_name.toLowerCase(), koval.inn].some((known) =>
      known.includes(text.toLowerCase()),
    )
    return { clients: fits ? [{ ...koval, used_at: '2026-05-01T09:00:00Z' }] : [], next: null }
  })
  answer('get', '/api/cart', cart())
  answer('get', '/api/payment-types/requisites/templates', { requisites_templates: [], payment_codes: [] })
  answer('post', '/api/deal/calculate', {
    date: '2026-06-01',
    payments: [
      {
        id: 'state-duty',
        name: 'Державне мито',
        payer: 'principal',
        payer_number: 1,
        share: null,
        ground: 'Декрет 7-93',
        unconfirmed: false,
        outcome: {
          state: 'due',
          sum: 34,
          count: 1,
          percentage: null,
          stale: null,
          way: { way: 'template', template_id: 'state-duty' },
        },
      },
    ],
  })
})
afterEach(() => {
  cleanup()
  forgetDraft(dealDraft)
})

const addButton = () => screen.getByRole('button', { name: 'Додати до кошика' })

const keys = () => callsOf('/api/deal/cart').map(({ headers }) => headers.get('idempotency-key'))

/** The last undo on the page; there may be earlier ones. */
function latestUndo(): HTMLElement {
  const last = screen.getAllByRole('button', { name: 'Повернути' }).at(-1)
  if (last === undefined) throw new Error('nothing to undo')
  return last
}

/** The lines of the error summary. */
async function summary() {
  const links = await within(await screen.findByRole('alert')).findAllByRole('link')
  return links.map(({ textContent }) => textContent)
}

/** Describes a will of the latest client and presses the button. */
async function addWill() {
  const page = await renderRoute('/deal', { notary: olena })
  await page.user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  await page.user.click(await screen.findByRole('button', { name: /^Коваль/u }))
  // Everybody is named: Enter would add the payments.
  expect(screen.getByRole('button', { name: 'Додати до кошика' })).toHaveFocus()
  await page.user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
  return page
}

it('says what to do where the tables have no deals', async () => {
  answer('get', '/api/deal/kinds', { kinds: [], latest: [] })
  await renderRoute('/deal')
  expect(await screen.findByText('Правил розрахунку ще немає')).toBeVisible()
  expect(screen.queryByLabelText('Вид нотаріальної дії')).toBeNull()
})

it('has no blank in the ids of its fields, so that their errors are read aloud', async () => {
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  await screen.findByRole('button', { name: /^Коваль/u })
  const ids = Array.from(document.querySelectorAll('form [id]'), ({ id }) => id)
  expect(ids).toContainEqual(expect.stringContaining('principal'))
  expect(ids.filter((id) => id.includes(' '))).toEqual([])
})

it('folds away what most deals do not have, and shows it where something is typed or wrong', async () => {
  const home = {
    ...gift,
    id: 'home',
    name: 'Купівля-продаж',
    sums: ['price' as const, 'building_price' as const],
    optional_sums: ['building_price' as const],
    counts_objects: true,
    counts_shares: false,
    taxpayer: null,
    questions: [],
    last_answers: null,
  }
  answer('get', '/api/deal/kinds', { kinds: [home], latest: [] })
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'home')
  await user.type(screen.getByLabelText('Ціна за договором'), '1000')
  await waitFor(() =>
    expect(callsOf('/api/deal/calculate').at(-1)?.body).toEqual({
      kind_id: 'home',
      price: 1000,
      answers: {},
    }),
  )
  // Enter passes it by.
  await screen.findByText('Державне мито')
  await user.keyboard('{Enter}')
  expect(screen.getByLabelText('Ціна за договором')).not.toHaveFocus()
  expect(document.activeElement?.closest('details')).toBeNull()
  const building = screen.getByLabelText('Ціна будівлі без землі')
  expect(building).not.toBeVisible()
  await user.click(screen.getByText('Кілька об’єктів, частки, земля, витрати'))
  expect(building).toBeVisible()
  await user.type(building, '600')
  await user.type(screen.getByLabelText('Кількість об’єктів'), '2')
  await waitFor(() =>
    expect(callsOf('/api/deal/calculate').at(-1)?.body).toEqual({
      kind_id: 'home',
      price: 1000,
      building_price: 600,
      objects: 2,
      answers: {},
    }),
  )
  // What is wrong is said in words of its own.
  await user.clear(screen.getByLabelText('Кількість об’єктів'))
  await user.type(screen.getByLabelText('Кількість об’єктів'), '0')
  await user.tab()
  expect(await screen.findByText('Кількість має бути від 1 до 999')).toBeVisible()
  // It can't be folded away while it counts.
  await user.click(screen.getByText('Кілька об’єктів, частки, земля, витрати'))
  expect(building).toBeVisible()
})

/** The income tax of a seller, by her number and share. */
const taxOf = (number: number, share: { part: number; of: number } | null) => ({
  id: number === 1 ? 'tax' : `tax:${number}`,
  name: 'Податок',
  ground: 'ПКУ',
  unconfirmed: true,
  payer: 'seller' as const,
  payer_number: number,
  share,
  outcome: {
    state: 'due' as const,
    sum: 25 * number,
    count: 1,
    percentage: null,
    stale: null,
    way: { way: 'template' as const, template_id: 'income-tax' },
  },
})

it('asks for the share of each of several sellers, and names each at her taxes and in her fields', async () => {
  const home = {
    ...will,
    id: 'home',
    name: 'Купівля-продаж',
    sums: ['price' as const],
    taxpayer: 'seller' as const,
  }
  answer('get', '/api/deal/kinds', { kinds: [home], latest: [] })
  answer('post', '/api/deal/calculate', ({ body }) => {
    const { payers = [] } = body as { readonly payers?: { part: number; of: number }[] }
    const several = payers.map((share, index) => taxOf(index + 1, share))
    return { date: '2026-06-01', payments: several.length > 0 ? several : [taxOf(1, null)] }
  })
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'home')
  await user.type(screen.getByLabelText('Ціна за договором'), '1000')
  expect(await screen.findByRole('group', { name: 'Продавець' })).toBeVisible()
  await user.click(screen.getByText('Кілька об’єктів, частки, земля, витрати'))
  await user.type(screen.getByLabelText('Скільки осіб платять податки'), '2')
  await user.type(screen.getByLabelText('Частка: Продавець 1'), '1/3')
  await user.type(screen.getByLabelText('Частка: Продавець 2'), '2/3')
  const second = await screen.findByRole('group', { name: 'Продавець 2' })
  expect(screen.getByRole('group', { name: 'Продавець 1' })).toBeVisible()
  await user.type(
    within(second).getByLabelText('Прізвище, ім’я, по батькові або назва'),
    'Друга Олена Іванівна',
  )
  const table = screen.getByRole('table')
  await waitFor(() => expect(within(table).getByText('Продавець 2, 2/3')).toBeVisible())
  expect(within(table).getByText('Друга Олена Іванівна')).toBeVisible()
  // A wrong share is told once its field is left.
  await user.clear(screen.getByLabelText('Частка: Продавець 2'))
  await user.type(screen.getByLabelText('Частка: Продавець 2'), '1/3')
  await user.tab()
  expect(await screen.findByText('Частки – дроби, які разом дають ціле, наприклад 1/3 і 2/3')).toBeVisible()
})

it('leads to the cart and tells how much was added for how many', async () => {
  answer('post', '/api/deal/cart', { items_count: 1, added: 1 })
  const { address } = await addWill()
  expect(await screen.findByText('До кошика додано 1 платіж для 1 клієнта')).toBeVisible()
  expect(address()).toBe('/cart')
  expect(callsOf('/api/deal/cart')[0]?.body).toEqual({
    kind_id: 'will',
    answers: {},
    parties: { principal: { inn: koval.inn, full_name: koval.full_name } },
    lines: { 'state-duty': { action: 'add', amount: 34 } },
  })
})

it('that is added after its page was left brings nobody back, and is not in the form again', async () => {
  const end = gate()
  answer('post', '/api/deal/cart', async () => {
    await end.passed
    return { items_count: 1, added: 1 }
  })
  answer('get', '/api/order', { orders: [], next: null })
  const { go, address } = await addWill()
  expect(screen.getByLabelText('Вид нотаріальної дії')).toBeDisabled()
  await go('/archive')
  end.open()
  expect(await screen.findByText('До кошика додано 1 платіж для 1 клієнта')).toBeVisible()
  expect(address()).toBe('/archive')
  await go('/deal')
  expect(await screen.findByLabelText('Вид нотаріальної дії')).toHaveValue('')
})

it('says that nothing was added where the sums have changed, and calculates anew', async () => {
  refuse('post', '/api/deal/cart', 409, { message: 'price_changed' })
  const { address } = await addWill()
  expect(await screen.findByText('Суми змінилися, тому до кошика нічого не додано')).toBeVisible()
  expect(address()).toBe('/deal')
  expect(callsOf('/api/deal/calculate').length).toBe(2)
})

it.each(['a lost answer', 'a failure of the server'])(
  'says that the outcome is unknown after %s, and sends the same key again',
  async (trouble) => {
    answer('post', '/api/deal/cart', { items_count: 1, added: 1 })
    if (trouble === 'a lost answer') lose('post', '/api/deal/cart', 1)
    else refuse('post', '/api/deal/cart', 503, { message: 'internal_error' }, { once: true })
    const { user } = await addWill()
    expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
    expect(screen.getByText(/Жоден платіж не додасться двічі/u)).toBeVisible()
    expect(screen.queryByText('Платежі не вдалося додати')).toBeNull()
    await user.click(addButton())
    await waitFor(() => expect(keys()).toHaveLength(2))
    expect(new Set(keys()).size).toBe(1)
  },
)

it('adds a deal that was changed after a lost answer only where that is wanted again', async () => {
  answer('post', '/api/deal/cart', { items_count: 1, added: 1 })
  lose('post', '/api/deal/cart', 1)
  const { user } = await addWill()
  await screen.findByText('Невідомо, чи додано платежі')
  const code = screen.getByLabelText('Код клієнта')
  await user.clear(code)
  await user.type(code, '3652504575')
  const notice = within(await screen.findByRole('alert'))
  expect(notice.getByText(/^Відтоді розрахунок змінено/u)).toBeVisible()
  expect(notice.getByRole('link', { name: 'Відкрити кошик' })).toHaveAttribute('href', '/cart')
  expect(addButton()).toHaveAccessibleDescription('Спершу перевірте кошик')
  await user.click(addButton())
  await user.type(code, '{Enter}')
  expect(keys()).toHaveLength(1)
  // The deal that was sent can be sent again.
  await user.clear(code)
  await user.type(code, koval.inn)
  expect(addButton()).not.toHaveAccessibleDescription()
  await user.clear(code)
  await user.type(code, '3652504575')
  await user.click(await screen.findByRole('button', { name: 'Додати ще раз' }))
  await waitFor(() => expect(keys()).toHaveLength(2))
  expect(new Set(keys()).size).toBe(2)
})

it('says after a reload that the outcome is unknown', async () => {
  lose('post', '/api/deal/cart', 1)
  await addWill()
  await screen.findByText('Невідомо, чи додано платежі')
  cleanup()
  await renderRoute('/deal', { notary: olena })
  expect(await screen.findByText('Невідомо, чи додано платежі')).toBeVisible()
  await waitFor(() => expect(addButton()).not.toHaveAttribute('aria-busy'))
  expect(addButton()).not.toHaveAccessibleDescription()
})

it('says that nothing was added where the first press is refused by a limit', async () => {
  refuse('post', '/api/deal/cart', 429, { message: 'too_many_requests' })
  await addWill()
  expect(await screen.findByText('Платежі не вдалося додати')).toBeVisible()
  expect(screen.queryByText('Невідомо, чи додано платежі')).toBeNull()
})

it('brings back a deal that was cleared, with its press that has no answer', async () => {
  answer('post', '/api/deal/cart', { items_count: 1, added: 1 })
  lose('post', '/api/deal/cart', 1)
  const { user } = await addWill()
  await screen.findByText('Невідомо, чи додано платежі')
  await user.click(screen.getByRole('button', { name: 'Очистити' }))
  expect(screen.getByLabelText('Вид нотаріальної дії')).toHaveValue('')
  expect(screen.queryByText('Невідомо, чи додано платежі')).toBeNull()
  await user.click(latestUndo())
  expect(screen.getByLabelText('Вид нотаріальної дії')).toHaveValue('will')
  expect(screen.getByText('Невідомо, чи додано платежі')).toBeVisible()
  expect(await screen.findByLabelText('Код клієнта')).toHaveValue(koval.inn)
  await waitFor(() => expect(addButton()).not.toHaveAttribute('aria-busy'))
  await user.click(addButton())
  await waitFor(() => expect(keys()).toHaveLength(2))
  expect(new Set(keys()).size).toBe(1)
})

it('brings back a deal that was cleared also after its page was left', async () => {
  const page = await renderRoute('/deal', { notary: olena })
  await page.user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  await page.user.click(await screen.findByRole('button', { name: /^Коваль/u }))
  await page.user.click(screen.getByRole('button', { name: 'Очистити' }))
  await page.go('/cart')
  await screen.findByText('Кошик порожній')
  await page.user.click(latestUndo())
  await waitFor(() => expect(page.address()).toBe('/deal'))
  expect(await screen.findByLabelText('Вид нотаріальної дії')).toHaveValue('will')
  expect(await screen.findByLabelText('Код клієнта')).toHaveValue(koval.inn)
})

it('shows a refused field where it is', async () => {
  refuse('post', '/api/deal/cart', 422, {
    message: 'client_inn_format_invalid',
    errors: { 'parties.principal.inn': ['client_inn_format_invalid'] },
  })
  await addWill()
  expect(await screen.findByRole('heading', { name: 'У формі є помилки' })).toBeVisible()
  expect(screen.getByLabelText('Код клієнта')).toHaveAttribute('aria-invalid', 'true')
})

it.each([
  [
    'uk',
    'Вид нотаріальної дії',
    'Додати до кошика',
    'Виберіть вид нотаріальної дії',
    [
      'Ціна за договором: Введіть суму',
      'Оціночна вартість: Введіть суму',
      'Ким доводиться? Виберіть відповідь',
    ],
  ],
  [
    'en',
    'Kind of notarial act',
    'Add to cart',
    'Choose the kind of notarial act',
    ['Contract price: Enter the amount', 'Valuation: Enter the amount', 'Ким доводиться? Choose an answer'],
  ],
] as const)('names each field that is missing: %s', async (locale, kind, add, noKind, missing) => {
  const { user } = await renderRoute('/deal', { locale })
  const press = () => user.click(screen.getByRole('button', { name: add }))
  await screen.findByLabelText(kind)
  await press()
  expect(await summary()).toEqual([noKind])
  await user.selectOptions(screen.getByLabelText(kind), 'gift')
  await press()
  expect(await summary()).toEqual(missing)
})

it('tells of an empty party only when the form is sent', async () => {
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  const error = 'Введіть прізвище, ім’я та по батькові клієнта'
  await user.click(await screen.findByLabelText('Прізвище, ім’я, по батькові або назва'))
  await user.click(screen.getByLabelText('Код клієнта'))
  await user.tab()
  expect(screen.queryByText(error)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
  expect(await screen.findAllByText(error)).not.toHaveLength(0)
})

it('begins as the latest deal of the kind, and Enter goes on to what is still empty', async () => {
  const { user } = await renderRoute('/deal', { notary: olena })
  const group = await screen.findByRole('group', { name: 'Як минулого разу' })
  await user.click(within(group).getByRole('button', { name: 'Дарування' }))
  const price = screen.getByLabelText('Ціна за договором')
  expect(price).toHaveFocus()
  expect(screen.getByRole('radio', { name: 'інша особа' })).toBeChecked()
  expect(screen.getByText(/Перевірте їх\.$/u)).toBeVisible()
  await user.keyboard('1000{Enter}')
  expect(screen.getByLabelText('Оціночна вартість')).toHaveFocus()
  // The parties are known once the payments are calculated.
  await user.keyboard('2000{Enter}')
  const name = await screen.findByLabelText('Прізвище, ім’я, по батькові або назва')
  await waitFor(() => expect(name).toHaveFocus())
  expect(callsOf('/api/deal/cart')).toEqual([])
  await user.click(screen.getByRole('radio', { name: 'дитина' }))
  expect(screen.queryByText(/Перевірте їх\.$/u)).toBeNull()
})

it('answers as last time, and leads to what is said of that', async () => {
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'gift')
  await user.click(screen.getByRole('button', { name: 'Відповісти, як минулого разу' }))
  expect(screen.getByRole('radio', { name: 'інша особа' })).toBeChecked()
  expect(screen.getByText('Відповіді – як у попередньому розрахунку цього виду. Перевірте їх.')).toHaveFocus()
})

it('leads to the Pay button of the cart as it is now, not as it was shown before', async () => {
  answer('post', '/api/deal/cart', { items_count: 1, added: 1 })
  const page = await renderRoute('/cart', { notary: olena })
  await screen.findByText('Кошик порожній')
  await page.go('/deal')
  await page.user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  await page.user.click(await screen.findByRole('button', { name: /^Коваль/u }))
  answer('get', '/api/cart', cart(cartItem()))
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('button', { name: /^Сплатити .* – Коваль/u })).toHaveFocus())
  // The next cart begins at its heading.
  await page.go('/deal')
  await screen.findByLabelText('Вид нотаріальної дії')
  await page.go('/cart')
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Кошик', level: 1 })).toHaveFocus())
})

it('goes on to the party that is not named yet, in whatever order they are', async () => {
  const duty = {
    name: 'Державне мито',
    ground: 'Декрет 7-93',
    unconfirmed: false,
    payer_number: 1,
    share: null,
  }
  const outcome = {
    state: 'due' as const,
    sum: 34,
    count: 1,
    percentage: null,
    stale: null,
    way: { way: 'template' as const, template_id: 'state-duty' },
  }
  answer('post', '/api/deal/calculate', {
    date: '2026-06-01',
    payments: [
      { ...duty, id: 'first', payer: 'donee', outcome },
      { ...duty, id: 'second', payer: 'donor', outcome },
    ],
  })
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  const donor = await screen.findByRole('group', { name: 'Дарувальник' })
  await user.click(within(donor).getByRole('button', { name: /^Коваль/u }))
  expect(screen.getByRole('group', { name: 'Обдаровуваний' })).toHaveFocus()
})

it('offers clients of the address book in the field, and takes a name and a code that are pasted together', async () => {
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  const name = await screen.findByLabelText('Прізвище, ім’я, по батькові або назва')
  await waitFor(() => expect(name).toHaveRole('combobox'))
  await user.type(name, 'ков')
  await screen.findByRole('option', { name: /^Коваль/u })
  await user.keyboard('{ArrowDown}{Enter}')
  expect(name).toHaveValue(koval.full_name)
  expect(screen.getByLabelText('Код клієнта')).toHaveValue(koval.inn)
  expect(callsOf('/api/deal/cart')).toEqual([])
  await user.clear(name)
  await user.click(name)
  await user.paste('Гнатюк Петро Олександрович, РНОКПП 3652504575')
  expect(name).toHaveValue('Гнатюк Петро Олександрович')
  expect(screen.getByLabelText('Код клієнта')).toHaveValue('3652504575')
})

it('fills in the name of a known code, and asks about another one before anything is added', async () => {
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  const name = await screen.findByLabelText('Прізвище, ім’я, по батькові або назва')
  await waitFor(() => expect(name).toHaveRole('combobox'))
  await user.type(screen.getByLabelText('Код клієнта'), koval.inn)
  await waitFor(() => expect(name).toHaveValue(koval.full_name))
  await user.clear(name)
  await user.type(name, 'Коваль Павло Іванович')
  answer('post', '/api/deal/cart', { items_count: 1, added: 1 })
  await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
  const question = await screen.findByText(`За цим кодом у довіднику інше ім’я: «${koval.full_name}»`)
  expect(question).toBeVisible()
  expect(callsOf('/api/deal/cart')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Залишити «Коваль Павло Іванович»' }))
  expect(name).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Додати до кошика' }))
  await waitFor(() =>
    expect(callsOf('/api/deal/cart')[0]?.body).toMatchObject({
      parties: { principal: { inn: koval.inn, full_name: 'Коваль Павло Іванович' } },
    }),
  )
})

it('prints the calculation with what is decided so far', async () => {
  const { user } = await renderRoute('/deal', { notary: olena })
  await user.selectOptions(await screen.findByLabelText('Вид нотаріальної дії'), 'will')
  refuse('post', '/api/deal/calculation', 503, { message: 'internal_error' })
  await screen.findByLabelText('Код клієнта')
  await user.type(screen.getByLabelText('Код клієнта'), '12')
  await user.click(screen.getByRole('button', { name: 'Розрахунок (PDF)' }))
  expect(await screen.findByText('Розрахунок не завантажено')).toBeVisible()
  expect(callsOf('/api/deal/calculation')[0]?.body).toEqual({
    kind_id: 'will',
    answers: {},
    parties: { principal: { inn: '', full_name: '' } },
    lines: { 'state-duty': { action: 'add', amount: 34 } },
  })
})
