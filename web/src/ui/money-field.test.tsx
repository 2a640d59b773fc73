import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { formatHryvnias, formatMoney, kopiykas } from '@/lib/money'
import { renderUi } from '@/testing/render-ui'

import table from '../../../testdata/money-typed.json'
import { MoneyField } from './money-field'

function Form() {
  const [amount, setAmount] = useState('')
  return (
    <>
      <MoneyField label="Сума" value={amount} onValueChange={setAmount} />
      <output>{amount}</output>
      <button type="button">Далі</button>
    </>
  )
}

test.each([
  ['1 234,56', '1\u00A0234,56'],
  ['1234.56', '1\u00A0234,56'],
  ['1234', '1\u00A0234,00'],
  ['100 грн', '100,00'],
])('"%s" is taken and shown as %s once the field is left', async (typed, shown) => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText('Сума')
  await user.type(field, typed)
  await user.tab()
  expect(field).toHaveValue(shown)
})

/** What an input makes of a text that is pasted into it: one line, and never two lines joined. */
const inOneLine = (text: string) =>
  /\S\s*[\r\n]\s*\S/u.test(text) ? text.trim().replace(/\s*[\r\n]\s*/gu, '↵') : text.replace(/[\r\n]/gu, '')

test.each(table.cases)('pasted: $name', async ({ input, expect: expected }) => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText('Сума')
  await user.click(field)
  await user.paste(input)
  await user.tab()
  const { kopiykas: sum, slip } = expected as { kopiykas?: number; slip?: number }
  const read = sum ?? slip
  expect(field).toHaveValue(read === undefined ? inOneLine(input) : formatMoney(kopiykas(read), 'uk'))
  const said = screen.queryByText(/прочитано як/u)?.textContent ?? null
  const told =
    slip === undefined
      ? null
      : `«${input}» прочитано як ${formatHryvnias(kopiykas(slip), 'uk')}. Перевірте суму`
  expect(said).toBe(told)
})

test.each(['340ж50', '-340,50', '340/50', 'сто 100 грн', '340 50'])(
  'typed, "%s" stays as it is',
  async (text) => {
    const user = await renderUi(<Form />)
    const field = screen.getByLabelText('Сума')
    await user.type(field, text)
    await user.tab()
    expect(field).toHaveValue(text)
  },
)

test('a separator that was pasted into a shown sum stays, so that two sums never become one', async () => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText<HTMLInputElement>('Сума')
  await user.type(field, '1234')
  await user.tab()
  field.focus()
  field.setSelectionRange(8, 8)
  await user.paste('\u00A0500')
  await user.tab()
  expect(field).toHaveValue('1234,00\u00A0500')
})

test('what cannot be read stays as it was typed', async () => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText('Сума')
  await user.type(field, '1.005')
  await user.tab()
  expect(field).toHaveValue('1.005')
})

test('a sum that is entered again can be typed on where the caret stands', async () => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText<HTMLInputElement>('Сума')
  await user.type(field, '1234,5')
  await user.tab()
  await user.pointer({ keys: '[MouseLeft]', target: field, offset: 3 })
  expect(field).toHaveValue('1\u00A0234,50')
  await user.keyboard('9')
  expect(field).toHaveValue('12934,50')
  expect(field.selectionStart).toBe(3)
  await user.keyboard('8')
  await user.tab()
  expect(field).toHaveValue('129\u00A0834,50')
})

test('an English sum that is typed on loses its grouping, not its meaning', async () => {
  const user = await renderUi(<Form />, 'en')
  const field = screen.getByLabelText<HTMLInputElement>('Сума')
  await user.type(field, '1234.5')
  await user.tab()
  expect(field).toHaveValue('1\u00A0234.50')
  await user.pointer({ keys: '[MouseLeft]', target: field, offset: 5 })
  await user.keyboard('9')
  expect(field).toHaveValue('12349.50')
  expect(field.selectionStart).toBe(5)
})

test('an English sum that is cut short stays in whole hryvnias', async () => {
  const user = await renderUi(<Form />, 'en')
  const field = screen.getByLabelText<HTMLInputElement>('Сума')
  await user.type(field, '1234.56')
  await user.tab()
  field.focus()
  field.setSelectionRange(4, 8)
  await user.keyboard('{Backspace}')
  await user.tab()
  expect(field).toHaveValue('123.00')
})

test('what the browser selects on the way in stays selected', async () => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText<HTMLInputElement>('Сума')
  await user.type(field, '1234,5')
  await user.tab()
  field.focus()
  field.setSelectionRange(0, 5)
  await user.keyboard('7')
  expect(field).toHaveValue('7,50')
})

test('a sum that is come to by Tab is typed over', async () => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText('Сума')
  await user.type(field, '1234,5')
  await user.tab()
  await user.tab({ shift: true })
  expect(field).toHaveFocus()
  await user.keyboard('99')
  expect(field).toHaveValue('99')
})
