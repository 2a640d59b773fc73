import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { renderUi } from '@/testing/render-ui'

import { Select } from './select'

const names = ['Державна реєстрація права власності', 'Витяг'] as const

test.each([
  [names[0], names[0]],
  [names[1], undefined],
])('“%s” stands below its select where a phone cuts it off, and is not read twice', async (value, text) => {
  const options = names.map((name) => ({ value: name, label: name }))
  await renderUi(<Select label="Послуга" value={value} options={options} onValueChange={() => undefined} />)
  expect(screen.getByLabelText('Послуга')).toHaveDisplayValue(value)
  const whole = document.querySelector<HTMLElement>('[data-text]')
  expect(whole?.dataset['text']).toBe(text)
  expect(whole?.ariaHidden ?? 'true').toBe('true')
})
