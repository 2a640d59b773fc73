import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { session } from '@/api/session'
import { takeNews } from '@/app/shell/live-updates'
import type { OrderTransfer } from '@/api/transfers'
import { saveFile } from '@/lib/download'
import { gate } from '@/testing/gate'
import { renderRoute } from '@/testing/render-route'
import { olena, order, returnedPart } from '@/testing/samples'
import { answer, answerBytes, callsOf, lose, refuse, startServer } from '@/testing/server'

vi.mock('@/lib/download', () => ({ saveFile: vi.fn<(bytes: Blob, fileName: string) => void>() }))

startServer()

// Signing out forgets what another test has typed.
beforeEach(() => session.close())

const PAGE = '/order/order-1/transfers'

function transfer(given: Partial<OrderTransfer> = {}): OrderTransfer {
  return {
    id: 'transfer-1',
    document_number: 4711,
    role: 'recipient',
    status: 'returned',
    amount: 132,
    recipient_name: 'ГУК у м. Києві/Печерський р-н/22012600',
    iban: 'UA328999980999022090100300001',
    okpo: '37993783',
    purpose: '101 Адміністративний збір; платник Коваль Петро, 3652504575',
    reason: 'Код отримувача не відповідає рахунку',
    replaces: null,
    replaced_by: null,
    is_undecided: true,
    application: null,
    offered: null,
    ...given,
  }
}

/** Simulates a reload: only the storage of the tab is kept. */
function reload() {
  const kept = Object.entries({ ...sessionStorage })
  cleanup()
  session.close()
  for (const [key, value] of kept) sessionStorage.setItem(key, String(value))
}

const correct = () => screen.getByRole('button', { name: 'Виправити й надіслати повторно' })

function answerWith(...transfers: OrderTransfer[]) {
  answer('get', '/api/order/{id}', { order: order({ id: 'order-1', returned: [returnedPart()] }) })
  answer('get', '/api/order/{id}/transfers', { transfers })
}

/** Opens the page of one transfer and its form. */
async function openForm(given: Partial<OrderTransfer> = {}) {
  answerWith(transfer(given))
  const { user } = await renderRoute(PAGE)
  await user.click(await screen.findByRole('button', { name: 'Виправити й надіслати повторно' }))
  await screen.findByLabelText(/Призначення платежу/u)
  return user
}

/** Opens the page of one transfer that reached the budget, and the form of its application. */
async function openApplication() {
  answerWith(transfer({ status: 'credited', reason: null, is_undecided: false, application: 'budget' }))
  answerBytes('post', '/api/order/transfer/{id}/application', 'application/pdf')
  const { user } = await renderRoute(PAGE)
  const open = await screen.findByRole('button', { name: 'Заява про повернення коштів з бюджету' })
  expect(open).not.toHaveFocus()
  await user.click(open)
  expect(screen.getByLabelText('Причина повернення')).toHaveFocus()
  return user
}

describe('the transfers of an order', () => {
  it('sends a returned transfer again with corrected requisites', async () => {
    const offered = {
      recipient_name: 'ГУК у м. Києві/22012600',
      iban: 'UA213223130000026007233566001',
      okpo: '37993783',
    }
    answerWith(transfer({ offered }))
    answer('post', '/api/order/transfer/{id}/resend', { success: true })
    const { user } = await renderRoute(PAGE)
    expect(await screen.findByText('Код отримувача не відповідає рахунку')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Виправити й надіслати повторно' }))
    await waitFor(async () => expect(await screen.findByLabelText('Назва отримувача')).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Заповнити ними форму' }))
    const name = screen.getByLabelText('Назва отримувача')
    expect(name).toHaveValue(offered.recipient_name)
    await user.clear(name)
    await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
    expect(callsOf('/api/order/transfer/{id}/resend')).toHaveLength(0)
    await user.type(name, 'ГУК у м. Києві')
    answerWith(transfer({ is_undecided: false, replaced_by: 4720 }))
    await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
    expect(await screen.findByText('Замінено переказом № 4720')).toBeVisible()
    expect(document.activeElement).toHaveTextContent('Переказ № 4711')
    expect(callsOf('/api/order/transfer/{id}/resend')[0]?.body).toEqual({
      ...offered,
      recipient_name: 'ГУК у м. Києві',
      purpose: transfer().purpose,
    })
  })

  it('shows what the server refuses at its field', async () => {
    refuse('post', '/api/order/transfer/{id}/resend', 422, {
      message: 'okpo_not_for_account',
      errors: { okpo: ['okpo_not_for_account'] },
    })
    const user = await openForm()
    await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
    const code = screen.getByLabelText(/Код отримувача/u)
    await waitFor(() => expect(code).toHaveAccessibleDescription(/належить отримувачу з іншим кодом/u))
    await waitFor(() => expect(code).toHaveFocus())
    expect(code).toHaveValue('37993783')
  })

  it.each([
    ['a tax ID', '3652504575', /приймає лише код ЄДРПОУ/u],
    ['a wrong check digit', '37993784', /приймає лише код ЄДРПОУ/u],
  ])('refuses %s at an account of the Treasury without asking the server', async (_what, typed, text) => {
    const user = await openForm()
    const code = screen.getByLabelText(/Код отримувача/u)
    await user.clear(code)
    await user.type(code, typed)
    await user.tab()
    expect(code).toHaveAccessibleDescription(text)
    await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
    expect(callsOf('/api/order/transfer/{id}/resend')).toHaveLength(0)
    expect(code).toHaveFocus()
  })

  it('takes the offered pair of an account even if its code has a wrong check digit, and no other code', async () => {
    const offered = { recipient_name: 'Архів', iban: 'UA688999980999022012600460001', okpo: '38008295' }
    answer('post', '/api/order/transfer/{id}/resend', { success: true })
    const user = await openForm({ offered })
    await user.click(screen.getByRole('button', { name: 'Заповнити ними форму' }))
    const code = screen.getByLabelText(/Код отримувача/u)
    await user.clear(code)
    await user.type(code, '37993783')
    await user.tab()
    expect(code).toHaveAccessibleDescription(/належить отримувачу з іншим кодом/u)
    await user.clear(code)
    await user.type(code, offered.okpo)
    await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
    await waitFor(() => expect(callsOf('/api/order/transfer/{id}/resend')).toHaveLength(1))
  })

  it('checks the own account as the payment form does', async () => {
    const user = await openForm({ role: 'notary', okpo: olena.inn, iban: 'UA213223130000026007233566001' })
    const code = screen.getByLabelText('Ваш РНОКПП')
    const account = screen.getByLabelText('Ваш рахунок IBAN')
    await user.clear(code)
    await user.type(code, '3652504575')
    await user.tab()
    expect(code).toHaveAccessibleDescription(/з його РНОКПП/u)
    await user.clear(account)
    await user.type(account, 'UA728999980334100000000026001')
    await user.tab()
    expect(account).toHaveAccessibleDescription(/Рахунок Казначейства не може бути вашим/u)
  })

  it.each([
    ['without the payer', '101 Адміністративний збір', /має містити код клієнта/u],
    ['of another form', 'Збір, 3652504575', /починається з тризначного коду/u],
  ])(
    'refuses a purpose %s for the budget, but keeps one that the cabinet wrote',
    async (_what, typed, text) => {
      const user = await openForm({ purpose: 'Збір', okpo: '37993784' })
      const purpose = screen.getByLabelText(/Призначення платежу/u)
      await user.clear(purpose)
      await user.type(purpose, typed)
      await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
      expect(purpose).toHaveAttribute('aria-invalid', 'true')
      expect(purpose).toHaveAccessibleDescription(text)
      await user.clear(purpose)
      await user.type(purpose, 'Збір')
      await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
      expect(purpose).not.toHaveAttribute('aria-invalid', 'true')
    },
  )

  it('asks before money goes back to the card', async () => {
    answerWith(transfer(), transfer({ id: 'transfer-2', document_number: 4712, role: 'notary' }))
    answer('post', '/api/order/transfer/{id}/refund', { success: true })
    const { user } = await renderRoute(PAGE)
    expect(await screen.findByRole('button', { name: 'Повернути всі кошти на картку' })).toBeVisible()
    await user.click(screen.getAllByRole('button', { name: 'Повернути на картку' })[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'Повернути кошти на картку клієнта?' })
    expect(dialog).toHaveTextContent(/Переказ № 4711: 132,00\sгрн\./u)
    expect(callsOf('/api/order/transfer/{id}/refund')).toHaveLength(0)
    answerWith(transfer({ is_undecided: false }))
    const confirm = screen.getAllByRole('button', { name: 'Повернути на картку' })
    await user.click(confirm.find((button) => dialog.contains(button)) as HTMLElement)
    await waitFor(() => expect(callsOf('/api/order/transfer/{id}/refund')).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Повернути на картку' })).toBeNull())
  })

  it('makes the application for money that reached the budget from what is typed', async () => {
    answerWith(transfer({ status: 'credited', reason: null, is_undecided: false, application: 'budget' }))
    answerBytes('post', '/api/order/transfer/{id}/application', 'application/pdf')
    const { user } = await renderRoute(PAGE)
    const open = { name: 'Заява про повернення коштів з бюджету' }
    await user.click(await screen.findByRole('button', open))
    await user.click(screen.getByRole('button', { name: 'Завантажити заяву' }))
    expect(callsOf('/api/order/transfer/{id}/application')).toHaveLength(0)
    const reason = screen.getByLabelText('Причина повернення')
    expect(reason).toHaveAttribute('aria-invalid', 'true')
    expect(screen.getByLabelText(/Рахунок IBAN клієнта/u)).toHaveAccessibleDescription(
      'Введіть рахунок IBAN клієнта',
    )
    await user.type(reason, 'Збір сплачено двічі')
    await user.type(screen.getByLabelText(/Рахунок IBAN клієнта/u), 'UA213223130000026007233566001')
    await user.click(screen.getByRole('button', { name: 'Завантажити заяву' }))
    await waitFor(() =>
      expect(saveFile).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ type: 'application/pdf' }),
        'Application-transfer-1.pdf',
      ),
    )
    expect(callsOf('/api/order/transfer/{id}/application')[0]?.body).toEqual({
      reason: 'Збір сплачено двічі',
      iban: 'UA213223130000026007233566001',
    })
    await waitFor(() => expect(screen.getByRole('button', open)).toHaveFocus())
  })

  it('holds the application while it is made', async () => {
    const end = gate()
    const user = await openApplication()
    refuse(
      'post',
      '/api/order/transfer/{id}/application',
      500,
      { message: 'internal_error' },
      { after: end.passed },
    )
    const reason = screen.getByLabelText('Причина повернення')
    await user.type(reason, 'Двічі')
    await user.type(screen.getByLabelText(/Рахунок IBAN клієнта/u), 'UA213223130000026007233566001')
    await user.click(screen.getByRole('button', { name: 'Завантажити заяву' }))
    await waitFor(() => expect(reason).toBeDisabled())
    expect(screen.queryByRole('button', { name: 'Скасувати' })).toBeNull()
    end.open()
    await waitFor(() => expect(reason).toBeEnabled())
    expect(reason).toHaveValue('Двічі')
    await user.click(screen.getByRole('button', { name: 'Скасувати' }))
  })

  it('names the application for information from a register, and says why none was made', async () => {
    answerWith(
      transfer({ status: 'sent', reason: null, is_undecided: false, application: 'register_information' }),
    )
    refuse('post', '/api/order/transfer/{id}/application', 409, { message: 'part_not_reclaimable' })
    const { user } = await renderRoute(PAGE)
    await user.click(
      await screen.findByRole('button', { name: 'Заява про повернення плати за інформацію з реєстру' }),
    )
    await user.type(screen.getByLabelText('Причина повернення'), 'Відомостей не надано')
    await user.type(screen.getByLabelText(/Рахунок IBAN клієнта/u), 'UA213223130000026007233566001')
    await user.click(screen.getByRole('button', { name: 'Завантажити заяву' }))
    expect(await screen.findByText('Заяву не складено')).toBeVisible()
    expect(screen.getByText(/Оновіть сторінку/u)).toBeVisible()
  })

  it('takes the focus to no button by itself, and back to the button of a form that was closed', async () => {
    answerWith(transfer())
    const { user } = await renderRoute(PAGE)
    expect(await screen.findByText('Код отримувача не відповідає рахунку')).toBeVisible()
    expect(correct()).not.toHaveFocus()
    await user.click(correct())
    const purpose = await screen.findByLabelText(/Призначення платежу/u)
    await user.clear(purpose)
    await user.type(purpose, 'x')
    expect(screen.getByText(/159/u)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Скасувати' }))
    expect(correct()).toHaveFocus()
  })

  it('brings back nothing of a form that was cancelled', async () => {
    const user = await openForm()
    await user.type(screen.getByLabelText('Назва отримувача'), 'и')
    await user.click(screen.getByRole('button', { name: 'Скасувати' }))
    expect(sessionStorage).toHaveLength(0)
    await user.click(correct())
    expect(await screen.findByLabelText('Назва отримувача')).toHaveValue(transfer().recipient_name)
    cleanup()
    const other = await openApplication()
    await other.type(screen.getByLabelText('Причина повернення'), 'Двічі')
    await other.click(screen.getByRole('button', { name: 'Скасувати' }))
    expect(sessionStorage).toHaveLength(0)
    const open = screen.getByRole('button', { name: 'Заява про повернення коштів з бюджету' })
    await waitFor(() => expect(open).toHaveFocus())
    await other.click(open)
    expect(screen.getByLabelText('Причина повернення')).toHaveValue('')
  })

  it('stays busy until the page shows what became of the transfer', async () => {
    answer('post', '/api/order/transfer/{id}/resend', { success: true })
    const user = await openForm()
    const read = gate()
    answer('get', '/api/order/{id}/transfers', async () => {
      await read.passed
      return { transfers: [transfer({ is_undecided: false, replaced_by: 4720 })] }
    })
    await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
    await waitFor(() => expect(callsOf('/api/order/{id}/transfers')).toHaveLength(2))
    await user.click(screen.getByRole('button', { name: /Надіслати повторно/u }))
    expect(callsOf('/api/order/transfer/{id}/resend')).toHaveLength(1)
    for (const field of screen.getAllByRole('textbox')) expect(field).toBeDisabled()
    // It would only close the form.
    expect(screen.queryByRole('button', { name: 'Скасувати' })).toBeNull()
    read.open()
    expect(await screen.findByText('Замінено переказом № 4720')).toBeVisible()
    expect(sessionStorage).toHaveLength(0)
  })

  it('shows what became of the transfer after the answer was lost', async () => {
    const user = await openForm()
    await user.type(screen.getByLabelText('Назва отримувача'), 'и')
    await waitFor(() => expect(Object.keys(sessionStorage).join()).toContain('transfer-'))
    answerWith(transfer({ is_undecided: false, replaced_by: 4720 }))
    lose('post', '/api/order/transfer/{id}/resend', 1)
    await user.click(screen.getByRole('button', { name: 'Надіслати повторно' }))
    expect(await screen.findByText('Замінено переказом № 4720')).toBeVisible()
    expect(screen.queryByText('Переказ не надіслано')).toBeNull()
    // What was typed is not kept any longer.
    await waitFor(() => expect(Object.keys(sessionStorage).join()).not.toContain('transfer-'))
  })

  it('says that it is unknown whether the transfer was sent, and that a refused one was not', async () => {
    lose('post', '/api/order/transfer/{id}/resend', 1)
    const user = await openForm()
    const send = screen.getByRole('button', { name: 'Надіслати повторно' })
    await user.click(send)
    expect(await screen.findByText('Невідомо, чи надіслано переказ')).toBeVisible()
    expect(screen.queryByText('Переказ не надіслано')).toBeNull()
    await waitFor(() => expect(callsOf('/api/order/{id}/transfers')).toHaveLength(2))
    refuse('post', '/api/order/transfer/{id}/resend', 409, { message: 'part_given_back' })
    await user.click(send)
    expect(await screen.findByText('Переказ не надіслано')).toBeVisible()
    expect(screen.queryByText('Невідомо, чи надіслано переказ')).toBeNull()
  })

  it('cannot be cancelled while a refund is asked for, and tells of a lost answer', async () => {
    answerWith(transfer())
    const lost = gate()
    lose('post', '/api/order/transfer/{id}/refund', 1, lost.passed)
    const { user } = await renderRoute(PAGE)
    await user.click(await screen.findByRole('button', { name: 'Повернути на картку' }))
    const dialog = await screen.findByRole('dialog')
    const inside = within(dialog)
    await user.click(inside.getByRole('button', { name: 'Повернути на картку' }))
    await waitFor(() => expect(callsOf('/api/order/transfer/{id}/refund')).toHaveLength(1))
    expect(inside.queryByRole('button', { name: 'Скасувати' })).toBeNull()
    expect(inside.queryByRole('button', { name: 'Закрити' })).toBeNull()
    fireEvent(dialog, new Event('cancel', { cancelable: true }))
    expect(dialog).toBeVisible()
    lost.open()
    expect(await inside.findByText('Невідомо, чи подано запит на повернення')).toBeVisible()
    await user.click(inside.getByRole('button', { name: 'Скасувати' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says that it is unknown whether a refund was requested, and reads again what became of it', async () => {
    answerWith(transfer())
    lose('post', '/api/order/transfer/{id}/refund', 1)
    const { user } = await renderRoute(PAGE)
    await user.click(await screen.findByRole('button', { name: 'Повернути на картку' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Повернути на картку' }))
    expect(await dialog.findByText('Невідомо, чи подано запит на повернення')).toBeVisible()
    await waitFor(() => expect(callsOf('/api/order/{id}/transfers')).toHaveLength(2))
    answerWith(transfer({ is_undecided: false }))
    lose('post', '/api/order/transfer/{id}/refund', 1)
    await user.click(dialog.getByRole('button', { name: 'Повернути на картку' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows what news of the order tells of its transfers', async () => {
    answerWith(transfer())
    await renderRoute(PAGE)
    expect(await screen.findByText('Повернено банком')).toBeVisible()
    answerWith(transfer({ is_undecided: false, replaced_by: 4720 }))
    takeNews({ order: { id: 'order-1' } })
    expect(await screen.findByText('Замінено переказом № 4720')).toBeVisible()
  })

  it('keeps a correction that is being typed over a reload, until it is sent', async () => {
    const user = await openForm()
    await user.clear(screen.getByLabelText('Назва отримувача'))
    await user.type(screen.getByLabelText('Назва отримувача'), 'Архів')
    reload()
    await openForm()
    expect(screen.getByLabelText('Назва отримувача')).toHaveValue('Архів')
    reload()
    sessionStorage.setItem(
      'cabinet.draft transfer-4711',
      JSON.stringify({ notaryId: olena.id, typed: { recipient_name: 'Архів', purpose: 7 } }),
    )
    const again = await openForm()
    expect(screen.getByLabelText('Назва отримувача')).toHaveValue(transfer().recipient_name)
    await again.type(screen.getByLabelText('Назва отримувача'), 'ї')
    await again.type(screen.getByLabelText('Назва отримувача'), '{Backspace}')
    expect(sessionStorage).toHaveLength(0)
  })

  it('keeps what is typed for an application over a reload, and takes the focus where it is typed', async () => {
    const user = await openApplication()
    await user.type(screen.getByLabelText('Причина повернення'), 'Двічі')
    reload()
    const again = await openApplication()
    expect(screen.getByLabelText('Причина повернення')).toHaveValue('Двічі')
    await again.type(screen.getByLabelText(/Рахунок IBAN клієнта/u), 'UA213223130000026007233566001')
    await again.click(screen.getByRole('button', { name: 'Завантажити заяву' }))
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
  })

  it('names the sum of all that goes back to the card', async () => {
    answerWith(transfer(), transfer({ id: 'transfer-2', document_number: 4712, amount: 198 }))
    const { user } = await renderRoute(PAGE)
    await user.click(await screen.findByRole('button', { name: 'Повернути всі кошти на картку' }))
    const dialog = await screen.findByRole('dialog', { name: 'Повернути кошти на картку клієнта?' })
    expect(dialog).toHaveTextContent(/Переказів, які повернув банк: 2, разом 330,00\sгрн\./u)
  })

  it('says what happens now that a refund to the card was asked for', async () => {
    answerWith(transfer({ is_undecided: false }))
    const part: ReturnType<typeof returnedPart> = {
      ...returnedPart(),
      transfer_id: 'transfer-1',
      after: 'refund_requested',
      to_card_on: '2026-03-04',
    }
    answer('get', '/api/order/{id}', { order: order({ id: 'order-1', returned: [part] }) })
    await renderRoute(PAGE)
    expect(await screen.findByText('Запит на повернення на картку подано 04.03.2026')).toBeVisible()
    expect(screen.getByText(/Коли кошти буде повернено, ви отримаєте повідомлення/u)).toBeVisible()
  })

  it('says of a replacement that was called off where the money is', async () => {
    answerWith(transfer({ is_undecided: false, replaced_by: 4720 }))
    const part: ReturnType<typeof returnedPart> = {
      ...returnedPart(),
      transfer_id: 'transfer-1',
      after: 'called_off',
      sent_again_as: 4720,
    }
    answer('get', '/api/order/{id}', { order: order({ id: 'order-1', returned: [part] }) })
    await renderRoute(PAGE)
    const text = 'Переказ № 4720 скасовано до передачі банку, кошти повернено на картку'
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.queryByText(/Замінено/u)).toBeNull()
  })

  it('of a refunded order waits for no request, and says where the money is', async () => {
    const part: ReturnType<typeof returnedPart> = {
      ...returnedPart(),
      transfer_id: 'transfer-1',
      after: 'refund_requested',
      to_card_on: '2026-03-04',
    }
    const calledOff = { id: 'transfer-2', document_number: 4712, status: 'called_off', reason: null } as const
    answerWith(
      transfer({ is_undecided: false }),
      transfer({ ...calledOff, role: 'notary', is_undecided: false }),
    )
    answer('get', '/api/order/{id}', {
      order: order({ id: 'order-1', status: 'refunded', returned: [part] }),
    })
    await renderRoute(PAGE)
    const other = within(await screen.findByRole('region', { name: 'Переказ № 4712' }))
    expect(other.getByText('Скасовано до передачі банку')).toBeVisible()
    expect(other.getByText('Кошти цього переказу повернено на картку')).toBeVisible()
    expect(screen.queryByText(/Запит/u)).toBeNull()
  })

  it('says of a disputed transfer that the bank is asked, and offers nothing', async () => {
    answerWith(transfer({ status: 'disputed', reason: null, is_undecided: false }))
    await renderRoute(PAGE)
    expect(await screen.findByText('Перевіряється в банку')).toBeVisible()
    expect(screen.getByText(/Не сплачуйте ці кошти вдруге/u)).toBeVisible()
    expect(screen.queryByRole('button', { name: /повторно|на картку/u })).toBeNull()
  })

  it.each([
    ['credited', 'budget', /адміністратор збору/u, false],
    ['sent', 'register_information', /приймає адміністратор реєстру/u, true],
  ] as const)('says of a %s transfer where its application for the %s is handed in', async (...row) => {
    const [status, application, place, isOnTheWay] = row
    answerWith(transfer({ status, reason: null, is_undecided: false, application }))
    const { user } = await renderRoute(PAGE)
    await user.click(await screen.findByRole('button', { name: /^Заява про повернення/u }))
    expect(screen.getByText(place)).toBeVisible()
    expect(screen.queryByText(/зарахування банк ще не підтвердив/u) !== null).toBe(isOnTheWay)
  })

  it.each([
    ['pending', /з’являться після оплати/u],
    ['expired', 'Замовлення не оплачено, тому переказів за ним немає.'],
    ['refunded', 'Кошти за замовленням повернено, тому переказів за ним немає.'],
  ] as const)('says why an order that is %s has no transfers', async (status, text) => {
    answer('get', '/api/order/{id}', { order: order({ id: 'order-1', status }) })
    answer('get', '/api/order/{id}/transfers', { transfers: [] })
    await renderRoute(PAGE)
    expect(await screen.findByText(text)).toBeVisible()
  })

  it('marks as Ukrainian what is Ukrainian in every language', async () => {
    answerWith(transfer())
    await renderRoute(PAGE, { locale: 'en' })
    await screen.findByText(/^ГУК/u)
    for (const text of [/^ГУК/u, /^101 /u, 'Код отримувача не відповідає рахунку'])
      expect(screen.getByText(text)).toHaveAttribute('lang', 'uk')
  })

  it('names the own part as such', async () => {
    answerWith(transfer({ status: 'sent', role: 'notary', reason: null, is_undecided: false }))
    await renderRoute(PAGE)
    expect(await screen.findByText('Надіслано на ваш рахунок')).toBeVisible()
  })

  it('offers nothing for a transfer that did not come back', async () => {
    answerWith(transfer({ status: 'credited', reason: null, is_undecided: false }))
    await renderRoute(PAGE)
    expect(await screen.findByText('Зараховано отримувачу')).toBeVisible()
    expect(screen.queryByRole('button', { name: /повторно|картку|Заява/u })).toBeNull()
  })
})
