import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import { civilDate } from '@/lib/dates'
import { readDate } from '@/lib/typed-date'
import { IconButton } from './button'
import { TextField, type TextFieldProps } from './text-field'

export interface DateFieldProps extends Omit<TextFieldProps, 'type' | 'min' | 'max'> {
  /** What stands in the field; `readDate` reads it. */
  readonly value: string
  readonly onValueChange: (text: string) => void
}

/**
 * A date that is typed, in whatever order of day and month the system has: `DD.MM.YYYY`. What is another way to write a day is shown so
 * once the field is left; what is none stays, with the reason. The button opens the calendar of the browser.
 */
export function DateField({ value, onValueChange, error, onBlur, ...field }: DateFieldProps) {
  const { t } = useLingui()
  const calendar = useRef<HTMLInputElement>(null)
  // What was typed before the field came back was left.
  const [left, setLeft] = useState(value !== '')
  const day = readDate(value)
  const isWrong = left && value.trim() !== '' && day === null
  return (
    <TextField
      {...field}
      value={value}
      inputMode="numeric"
      autoComplete="off"
      error={isWrong ? t`Введіть дату, наприклад 05.11.2026` : error}
      onValueChange={(text) => {
        setLeft(false)
        onValueChange(text)
      }}
      onBlur={(event) => {
        setLeft(true)
        if (day !== null && civilDate(day) !== value) onValueChange(civilDate(day))
        onBlur?.(event)
      }}
      after={
        <>
          <input
            ref={calendar}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            value={day ?? ''}
            onChange={({ target }) => {
              if (target.value !== '') onValueChange(civilDate(target.value))
            }}
            className="pointer-events-none absolute inset-y-0 right-0 w-11 opacity-0"
          />
          <IconButton
            icon="calendar"
            label={t`Вибрати в календарі`}
            onClick={() => calendar.current?.showPicker()}
            className="absolute inset-y-0 right-0.5 my-auto"
          />
        </>
      }
    />
  )
}
