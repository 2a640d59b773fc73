import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderUi } from '@/testing/render-ui'
import { MaskedField } from './masked-field'
import { cardMask, dateMask, digitsMask, ibanMask, registryIdentifierMask } from './masks'

const iban = 'UA21 3223 1300 0002 6007 2335 6600 1'
const eightDigits = digitsMask(8)

test.each([
  ['IBAN, digits only', ibanMask, '213223130000026007233566001', iban],
  ['IBAN with its letters', ibanMask, 'UA213223130000026007233566001', iban],
  ['IBAN in groups and small letters', ibanMask, 'ua21 3223 1300 0002 6007 2335 6600 1', iban],
  ['IBAN with a Cyrillic А', ibanMask, 'UА213223130000026007233566001', iban],
  ['card', cardMask, '4242-4242 42424242', '4242 4242 4242 4242'],
  ['card that is masked already', cardMask, '424242******4242', '4242 42** **** 4242'],
  ['date', dateMask, '31122027', '31.12.2027'],
  ['date with its dots', dateMask, '31.12.2027', '31.12.2027'],
  ['digits', eightDigits, '12a34 5678 9', '12345678'],
  ['registry identifier', registryIdentifierMask, 'NOTAR-Їжак_1 №', 'NOTARЇжак_1'],
])('%s, typed and put there whole', async (_name, mask, typed, shown) => {
  const user = await renderUi(<MaskedField mask={mask} label="Поле" />)
  const field = screen.getByLabelText('Поле')
  await user.type(field, typed)
  expect(field).toHaveValue(shown)
  // As after a paste or the browser's autofill.
  fireEvent.input(field, { target: { value: typed } })
  expect(field).toHaveValue(shown)
})
