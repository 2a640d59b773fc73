import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { userQuery } from '@/api/user'
import { forgetDraft } from '@/forms/draft'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { olena } from '@/testing/samples'
import { answer, callsOf, lose, refuse, startServer } from '@/testing/server'
import { profileDraft } from './draft'
import { valuesOf } from './values'

startServer()

let page: Awaited<ReturnType<typeof renderRoute>>

beforeEach(async () => {
  forgetDraft(profileDraft)
  page = await renderRoute('/me')
  await screen.findByRole('heading', { level: 1, name: 'Картка нотаріуса' })
})
afterEach(() => session.close())

const save = () => page.user.click(screen.getByRole('button', { name: 'Зберегти' }))

test('the form shows what the server has; the phone can be read and not changed', () => {
  expect(screen.getByLabelText('Прізвище, ім’я, по батькові')).toHaveValue(olena.full_name)
  expect(screen.getByLabelText('Ваш рахунок IBAN')).toHaveValue('UA22 3052 9900 0002 6001 2345 6789 0')
  const phone = screen.getByLabelText('Номер телефону')
  expect(phone).toHaveValue('+38 (050) 111-22-33')
  expect(phone).toHaveAttribute('readonly')
  expect(screen.getByText(/Створено 01\.01\.2025/u)).toBeVisible()
})

test('a name that waits stands in the field, and the confirmed one beside it', async () => {
  cleanup()
  await renderRoute('/me', { notary: { ...olena, requested_name: 'Бондар Олена Іванівна' } })
  const name = await screen.findByLabelText('Прізвище, ім’я, по батькові')
  expect(name).toHaveValue('Бондар Олена Іванівна')
  expect(name).toHaveAccessibleDescription(
    `Нове ім’я чекає на підтвердження оператором. До того на квитанціях і в листах – ${olena.full_name}`,
  )
})

test('only a notary who has a share is told that it comes to this account', async () => {
  expect(screen.getByLabelText('Ваш рахунок IBAN')).toHaveAccessibleDescription(/60 %/u)
  cleanup()
  await renderRoute('/me', { notary: { ...olena, notary_status: 'state' } })
  expect(await screen.findByLabelText('Ваш рахунок IBAN')).not.toHaveAccessibleDescription(/60 %/u)
})

test('a private notary is told of no code that the server refuses', async () => {
  expect(screen.getByLabelText('Код власника рахунку')).toHaveAccessibleDescription('РНОКПП (10 цифр)')
  cleanup()
  await renderRoute('/me', { notary: { ...olena, notary_status: 'state' } })
  expect(await screen.findByLabelText('Код власника рахунку')).toHaveAccessibleDescription(/ЄДРПОУ/u)
})

test('every field of the request is on the page, under its name', () => {
  const names = Array.from(document.querySelectorAll('input[name], textarea[name]'), (field) =>
    field.getAttribute('name'),
  )
  expect(names.toSorted()).toEqual(Object.keys(valuesOf(olena)).toSorted())
})

test('the tax number says what else is taken in its place', async () => {
  answer('post', '/api/me', { ...olena, inn: 'КС123456' })
  const code = screen.getByLabelText('Ваш РНОКПП')
  expect(code).toHaveAccessibleDescription(
    '10 цифр; без нього – ID-картка (9 цифр), паспорт (дві літери й 6 цифр) або код ЄДРПОУ (8 цифр)',
  )
  await page.user.clear(code)
  await page.user.type(code, 'КС123456')
  await save()
  await screen.findByText('Зміни збережено!')
  expect(callsOf('/api/me')[0]?.body).toMatchObject({ inn: 'КС123456' })
})

test('what was changed is saved, said to be saved, and shown as the server keeps it', async () => {
  answer('post', '/api/me', {
    ...olena,
    card_pan: '424242******4242',
    exemption_date_finish: '2027-12-31',
    phone_additional: '+380671234567',
  })
  await page.user.type(screen.getByLabelText('Номер картки'), '4242424242424242')
  await page.user.type(screen.getByLabelText('Пільга діє до'), '31122027')
  await page.user.type(screen.getByLabelText('Додатковий телефон'), '0671234567')
  await save()
  expect(await screen.findByText('Зміни збережено!')).toBeVisible()
  expect(callsOf('/api/me')[0]?.body).toMatchObject({
    full_name: olena.full_name,
    registry_identifier: olena.registry_identifier,
    card_pan: '424242******4242',
    exemption_date_finish: '2027-12-31',
    phone_additional: '+380671234567',
    iban: olena.iban,
  })
  expect(screen.getByLabelText('Номер картки')).toHaveValue('4242 42** **** 4242')
})

test('what the rules refuse is named in a summary and at its field, and is not sent', async () => {
  await page.user.clear(screen.getByLabelText('Прізвище, ім’я, по батькові'))
  await page.user.type(screen.getByLabelText('Електронна пошта'), '@')
  await page.user.clear(screen.getByLabelText('Ідентифікатор у реєстрі'))
  await save()
  const summary = screen.getByRole('alert')
  await waitFor(() => expect(summary).toHaveFocus())
  expect(within(summary).getAllByRole('link')).toHaveLength(3)
  await page.user.click(within(summary).getByRole('link', { name: /пошти/u }))
  expect(screen.getByLabelText('Електронна пошта')).toHaveFocus()
  expect(callsOf('/api/me')).toHaveLength(0)
})

test('a slip in the account is named exactly, at the field and in the summary', async () => {
  const iban = screen.getByLabelText('Ваш рахунок IBAN')
  await page.user.type(iban, '{Backspace}')
  await save()
  expect(iban).toHaveAccessibleDescription(/У рахунку IBAN 26 цифр із 27/u)
  expect(screen.getByRole('alert')).toHaveTextContent('У рахунку IBAN 26 цифр із 27')
  expect(callsOf('/api/me')).toHaveLength(0)
})

test('what the server refuses is said at its field, and nothing typed is lost', async () => {
  refuse('post', '/api/me', 422, {
    message: 'validation_failed',
    errors: { iban: ['iban_balance_code_by_okpo_rule'] },
  })
  await page.user.type(screen.getByLabelText('Номер свідоцтва'), '7')
  await save()
  const iban = screen.getByLabelText('Ваш рахунок IBAN')
  await waitFor(() => expect(iban).toHaveAccessibleDescription(/Рахунок 2620/u))
  expect(screen.getByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}7`)
})

test('what is typed while the card is being saved stays, and is not called saved', async () => {
  const slow = gate()
  answer('post', '/api/me', async () => {
    await slow.passed
    return { ...olena, certificate_number: '77', phone_additional: '+380671234567' }
  })
  await page.user.type(screen.getByLabelText('Додатковий телефон'), '0671234567')
  await save()
  await waitFor(() => expect(callsOf('/api/me')).toHaveLength(1))
  await page.user.type(screen.getByLabelText('Номер свідоцтва'), '8')
  slow.open()
  await screen.findByText('Зміни збережено!')
  expect(screen.getByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}8`)
  expect(screen.getByLabelText('Додатковий телефон')).toHaveValue('+38 (067) 123-45-67')
  expect(asksBeforeLeaving()).toBe(true)
  session.expire()
  cleanup()
  await renderRoute('/me')
  expect(await screen.findByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}8`)
})

test('a lost connection is said by the button', async () => {
  lose('post', '/api/me', 1)
  await save()
  expect(await screen.findByText(/Немає зв’язку із сервером/u)).toBeVisible()
})

test('leaving with something unsaved asks first', async () => {
  answer('get', '/api/tokenization/cards', { cards: { url: 'https://cards.example/frame' } })
  await page.user.type(screen.getByLabelText('Номер свідоцтва'), '7')
  await page.user.click(screen.getByRole('link', { name: 'Мої картки' }))
  const dialog = await screen.findByRole('dialog', { name: 'Залишити сторінку без збереження?' })
  await page.user.click(within(dialog).getByRole('button', { name: 'Повернутися до форми' }))
  expect(page.address()).toBe('/me')
  expect(screen.getByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}7`)

  await page.user.click(screen.getByRole('link', { name: 'Мої картки' }))
  await page.user.click(await screen.findByRole('button', { name: 'Залишити без збереження' }))
  await screen.findByRole('heading', { level: 1, name: 'Мої картки' })
})

/** Whether the browser would ask before it loads the page anew or closes the tab. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('a reload or a closed tab asks first while something is unsaved, and not otherwise', async () => {
  answer('post', '/api/me', { ...olena, certificate_number: `${olena.certificate_number}7` })
  expect(asksBeforeLeaving()).toBe(false)
  await page.user.type(screen.getByLabelText('Номер свідоцтва'), '7')
  expect(asksBeforeLeaving()).toBe(true)
  await save()
  await screen.findByText('Зміни збережено!')
  expect(asksBeforeLeaving()).toBe(false)
})

const moved = { ...olena, iban: 'UA213223130000026007233566001' }

test('what another tab has saved is shown here, and is not put back by what is saved from here', async () => {
  answer('post', '/api/auth/me', moved)
  answer('post', '/api/me', moved)
  await page.user.type(screen.getByLabelText('Номер свідоцтва'), '7')
  act(() => window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() =>
    expect(screen.getByLabelText('Ваш рахунок IBAN')).toHaveValue('UA21 3223 1300 0002 6007 2335 6600 1'),
  )
  expect(screen.getByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}7`)
  await save()
  await screen.findByText('Зміни збережено!')
  expect(callsOf('/api/me')[0]?.body).toMatchObject({
    iban: moved.iban,
    certificate_number: `${olena.certificate_number}7`,
  })
})

test('the card is asked for anew when its page is opened after a while', async () => {
  answer('get', '/api/tokenization/cards', { cards: { url: 'https://cards.example/frame' } })
  await page.go('/me/user-cards')
  await screen.findByRole('heading', { level: 1, name: 'Мої картки' })
  answer('post', '/api/auth/me', moved)
  queryClient.setQueryData(userQuery().queryKey, (known) => known, { updatedAt: Date.now() - 60_000 })
  await page.go('/me')
  await waitFor(() =>
    expect(screen.getByLabelText('Ваш рахунок IBAN')).toHaveValue('UA21 3223 1300 0002 6007 2335 6600 1'),
  )
})

test('what was changed when the session ended comes back into the card as it is now', async () => {
  await page.user.type(screen.getByLabelText('Номер свідоцтва'), '7')
  session.expire()
  cleanup()
  page = await renderRoute('/me', { notary: moved })
  expect(await screen.findByLabelText('Номер свідоцтва')).toHaveValue(`${olena.certificate_number}7`)
  expect(screen.getByLabelText('Ваш рахунок IBAN')).toHaveValue('UA21 3223 1300 0002 6007 2335 6600 1')
})

test('nothing of what is typed goes to the storage of the browser', async () => {
  await page.user.type(screen.getByLabelText('Номер картки'), '4242424242424242')
  await page.user.type(screen.getByLabelText('Номер свідоцтва'), '98765')
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/4242|98765/u)
})
