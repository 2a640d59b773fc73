import { I18nProvider } from '@lingui/react'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { i18n } from '@/i18n/i18n'
import { renderRoute } from '@/testing/render-route'
import { order } from '@/testing/samples'
import { answer, startServer } from '@/testing/server'

import { FilterBar } from './filter-bar'

startServer()

it.each([
  ['/archive?open=paid', false],
  ['/archive?open=paid&status=paid', true],
])('offers to reset filters only where there are some: %s', async (address, isOffered) => {
  answer('get', '/api/order', { orders: [order({ id: 'paid', number: '100046' })], next: null })
  await renderRoute(address)
  await screen.findByRole('table', { name: 'Платежі замовлення № 100046' })
  expect(screen.queryAllByRole('button', { name: 'Скинути фільтри' })).toHaveLength(isOffered ? 1 : 0)
})

const ignore = () => undefined

it('forgets a date with Back also where Back comes before the address has it', () => {
  render(
    <I18nProvider i18n={i18n}>
      <FilterBar
        ref={null}
        address={{}}
        text=""
        onChange={ignore}
        onPeriod={ignore}
        onSearch={ignore}
        onReset={ignore}
        resets={0}
      />
    </I18nProvider>,
  )
  const from = screen.getByLabelText('Від дати')
  fireEvent.change(from, { target: { value: '02.11.2026' } })
  expect(from).toHaveValue('02.11.2026')
  act(() => window.dispatchEvent(new PopStateEvent('popstate')))
  expect(from).toHaveValue('')
})
