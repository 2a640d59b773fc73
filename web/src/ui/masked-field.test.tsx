import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderUi } from '@/testing/render-ui'
import { MaskedField } from './masked-field'
import {
  cardMask,
  codeMask,
  digitsMask,
  ibanMask,
  knownIdentifierMask,
  registryIdentifierMask,
} from './masks'

const iban = 'UA21 3223 1300 0002 6007 2335 6600 1'
const eightDigits = digitsMask(8)

test.each([
  ['IBAN, digits only', ibanMask, '213223130000026007233566001', iban],
  ['IBAN with its letters', ibanMask, 'UA213223130000026007233566001', iban],
  ['IBAN in groups and small letters', ibanMask, 'ua21 3223 1300 0002 6007 2335 6600 1', iban],
  ['IBAN with a Cyrillic А', ibanMask, 'UА213223130000026007233566001', iban],
  ['card', cardMask, '4242-4242 42424242', '4242 4242 4242 4242'],
  ['card that is masked already', cardMask, '424242******4242', '4242 42** **** 4242'],
  ['IBAN of another country', ibanMask, 'PL61109010140000071219812874', 'PL61 1090 1014 0000 0712 1981 2874'],
  ['IBAN of too many digits', ibanMask, `${iban.replaceAll(' ', '')}23`, `${iban}23`],
  ['card of nineteen digits', cardMask, '4242424242424242420', '4242 4242 4242 4242 420'],
  ['code of too many digits', codeMask(10), '31847106915', '31847106915'],
  ['digits', eightDigits, '12a34 5678 9', '12345678'],
  ['registry identifier', registryIdentifierMask, 'NOTAR-Їжак_1 №', 'NOTARЇжак1'],
  ['registry identifier of an account', knownIdentifierMask, 'NOTAR-Їжак_1 №', 'NOTARЇжак_1'],
])('%s, typed and put there whole', async (_name, mask, typed, shown) => {
  const user = await renderUi(<MaskedField mask={mask} label="Поле" />)
  const field = screen.getByLabelText('Поле')
  await user.type(field, typed)
  expect(field).toHaveValue(shown)
  // As after a paste or the browser's autofill.
  fireEvent.input(field, { target: { value: typed } })
  expect(field).toHaveValue(shown)
})
