import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderUi } from '@/testing/render-ui'
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
  ['-50', '50,00'],
  ['сто 100 грн', '100,00'],
])('"%s" is taken and shown as %s once the field is left', async (typed, shown) => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText('Сума')
  await user.type(field, typed)
  await user.tab()
  expect(field).toHaveValue(shown)
})

test('what cannot be read stays as it was typed', async () => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText('Сума')
  await user.type(field, '1.005')
  await user.tab()
  expect(field).toHaveValue('1.005')
})

test('a sum that is entered again can be typed on', async () => {
  const user = await renderUi(<Form />)
  const field = screen.getByLabelText('Сума')
  await user.type(field, '1234,5')
  await user.tab()
  await user.click(field)
  expect(field).toHaveValue('1234,50')
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
