import { useState, type ChangeEvent, type FormEvent } from 'react'
import { messageText } from '@/i18n/message-texts'
import type { SummaryError } from '@/ui/error-summary'
import { changedState, checkedState, newState, type Change, type FormState } from './form-state'
import type { FormOptions, NameOf, Reader } from './form-options'
import { useSending } from './use-sending'

/** The names of the fields of one type. */
type NameOfType<Values, Type> = {
  [Name in NameOf<Values>]: Values[Name] extends Type ? Name : never
}[NameOf<Values>]

/** The part of a form that its fields use. */
export interface FormFields<Values> {
  readonly values: Values
  /** Returns the props of a text field. */
  readonly text: (name: NameOfType<Values, string>) => {
    readonly id: string
    readonly value: string
    readonly onValueChange: (text: string) => void
    readonly error: string | null
  }
  /** Returns the props of a checkbox. */
  readonly flag: (name: NameOfType<Values, boolean>) => {
    readonly id: string
    readonly checked: boolean
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
    readonly error: string | null
  }
  readonly change: (next: Change<Values>) => void
  /** Shows the error of a field that is not empty; for when the field is left. */
  readonly check: (name: NameOf<Values>) => void
  readonly focus: (name: NameOf<Values>) => void
}

export interface Form<Values, Request> extends FormFields<Values>, Omit<FormState<Values>, 'errors'> {
  /** The request is on its way. */
  readonly busy: boolean
  /** The shown errors, in the order of the page. */
  readonly summary: readonly SummaryError[]
  /** Reads the values and sends the request, or shows the errors; does nothing while a request is on its way. */
  readonly send: (read?: Reader<Values, Request>) => void
  /** The handler of the form's submit event. */
  readonly submit: (event: FormEvent) => void
  /** Replaces the values and clears all errors. */
  readonly reset: (values: Values) => void
}

/**
 * The state of a form: its values, the shown errors, and its request.
 *
 * Errors are shown after a failed try to send, or by `check`. The error of a field is cleared when the field changes.
 */
export function useForm<Values extends object, Request, Answer>(
  options: FormOptions<Values, Request, Answer>,
): Form<Values, Request> {
  type Name = NameOf<Values>
  const { read } = options
  const [state, setState] = useState(() => newState(options.initial()))
  const { values, errors } = state
  // A list of ids has blanks between them, so an id has none.
  const idOf = (name: Name) => `${options.name}-${name}`.replaceAll(' ', '-')
  const focus = (name: Name) => document.querySelector<HTMLElement>(`#${CSS.escape(idOf(name))}`)?.focus()
  const { busy, send } = useSending(options, values, setState, focus)

  function errorOf(name: Name): string | null {
    const error = errors[name]
    if (error === undefined) return null
    return options.errorText?.(error.key, name, values) ?? messageText(error.key)
  }

  function change(next: Change<Values>) {
    options.onEdit?.()
    setState((current) => {
      const changed = changedState(current, next, read)
      return options.isFailureOverOnEdit ? { ...changed, failure: null } : changed
    })
  }

  return {
    values,
    rest: state.rest,
    failure: state.failure,
    attempt: state.attempt,
    busy,
    summary: (Object.keys(values) as Name[]).flatMap((name) => {
      const message = errorOf(name)
      return message === null ? [] : [{ fieldId: idOf(name), message }]
    }),
    text: (name) => ({
      id: idOf(name),
      value: values[name] as string,
      onValueChange: (text) => change({ [name]: text } as Partial<Values>),
      error: errorOf(name),
    }),
    flag: (name) => ({
      id: idOf(name),
      checked: values[name] as boolean,
      onChange: ({ target }) => change({ [name]: target.checked } as Partial<Values>),
      error: errorOf(name),
    }),
    change,
    check: (name) => setState((current) => checkedState(current, name, read)),
    focus,
    send: (reader) => void send(reader),
    submit: (event) => {
      event.preventDefault()
      void send()
    },
    reset: (next) => setState(newState(next)),
  }
}
