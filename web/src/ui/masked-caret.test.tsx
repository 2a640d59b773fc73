import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderUi } from '@/testing/render-ui'
import { MaskedField } from './masked-field'
import { cardMask, digitsMask, ibanMask, type Mask } from './masks'
import { PhoneField } from './phone-field'
import { phoneMask } from './phone-format'

const fourDigits = digitsMask(4)

/** The text of a field with a bar at the caret. */
function withCaret(field: HTMLInputElement): string {
  const { value, selectionStart, selectionEnd } = field
  expect(selectionStart).toBe(selectionEnd)
  return `${value.slice(0, selectionStart ?? 0)}|${value.slice(selectionEnd ?? 0)}`
}

function Form({ mask, start }: { mask: Mask; start: string }) {
  const [text, setText] = useState(start)
  return mask === phoneMask ? (
    <PhoneField label="Поле" value={text} onValueChange={setText} />
  ) : (
    <MaskedField mask={mask} label="Поле" value={text} onValueChange={setText} />
  )
}

/** Sets the caret to the bar, presses the keys, and returns the text with the new caret. */
async function press(mask: Mask, from: string, keys: string): Promise<string> {
  const user = await renderUi(<Form mask={mask} start={from.replace('|', '')} />)
  const field = screen.getByLabelText<HTMLInputElement>('Поле')
  await user.click(field)
  field.setSelectionRange(from.indexOf('|'), from.indexOf('|'))
  await user.keyboard(keys)
  return withCaret(field)
}

test.each([
  ['a digit at the end of a group', ibanMask, 'UA21| 3223', '9', 'UA21 9|322 3'],
  ['a digit at the start of a group', ibanMask, 'UA21 |3223', '9', 'UA21 9|322 3'],
  ['a digit before the letters', ibanMask, '|UA21', '9', 'UA9|2 1'],
  ['a letter that is not taken', ibanMask, 'UA2|1 3223', 'x', 'UA2|1 3223'],
  ['the letters alone', ibanMask, '|', 'uа', 'UA|'],
  ['Backspace on a digit', ibanMask, 'UA21 32|23', '{Backspace}', 'UA21 3|23'],
  ['Backspace on a separator', ibanMask, 'UA21 |3223', '{Backspace}', 'UA21| 3223'],
  ['Backspace through a separator', ibanMask, 'UA21 |3223', '{Backspace}{Backspace}', 'UA2|3 223'],
  ['Delete on a separator', ibanMask, 'UA21| 3223', '{Delete}', 'UA21 |3223'],
  ['Delete through a separator', ibanMask, 'UA21| 3223', '{Delete}{Delete}', 'UA21 |223'],
  ['a digit in the middle of a card', cardMask, '42|42 4242', '9', '429|4 2424 2'],
  ['a digit in a full field', fourDigits, '12|34', '9', '129|3'],
  ['a digit in the middle of a phone', phoneMask, '+38 (067) 1|23', '9', '+38 (067) 19|2-3'],
  [
    'Backspace on the bracket of a phone',
    phoneMask,
    '+38 (067) |123',
    '{Backspace}{Backspace}',
    '+38 (06|1) 23',
  ],
])('%s leaves the caret where one goes on typing', async (_name, mask, from, keys, expected) => {
  expect(await press(mask, from, keys)).toBe(expected)
})
