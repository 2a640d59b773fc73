import { useLayoutEffect, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { Refusal, type MessageKey } from '@/api/failure'
import { messageText } from '@/i18n/message-texts'
import type { Result } from '@/lib/result'
import type { SummaryError } from '@/ui/error-summary'
import { errorsOf, type FieldErrors } from './read-fields'
import { placeRefusal, shownErrors, standingErrors, type ShownErrors } from './shown-errors'

export type NameOf<Values> = keyof Values & string

/** The names of the fields of one type. */
type NameOfType<Values, Type> = {
  [Name in NameOf<Values>]: Values[Name] extends Type ? Name : never
}[NameOf<Values>]

/** Parses the values of a form into its request, or returns the errors of its fields. */
type Reader<Values, Request> = (values: Values) => Result<Request, FieldErrors<NameOf<Values>>>

interface FailureDetails<Values> {
  /** The values that were sent. Those of the form may have changed since. */
  readonly sent: Values
  /** A field of the form shows the failure. */
  readonly placed: boolean
}

export interface FormOptions<Values, Request, Answer> {
  /** Unique on the page: the ids of the fields begin with it. */
  readonly name: string
  /** Returns the initial values. The order of the keys is that of the fields on the page. */
  readonly initial: () => Values
  readonly read: Reader<Values, Request>
  readonly submit: (request: Request, values: Values) => Promise<Answer>
  readonly onSent?: (answer: Answer, request: Request, sent: Values) => void
  /** Called with what `submit` has thrown. Returns true where it has handled it, so that the form shows nothing. */
  readonly onFailure?: (failure: unknown, details: FailureDetails<Values>) => boolean
  readonly onEdit?: () => void
  /** The field for a field name of the request, or null. By default the names are the same. */
  readonly fieldOf?: (wireName: string, values: Values) => NameOf<Values> | null
  /** Returns a field's own text of an error, or null for that of its key. */
  readonly errorText?: (key: MessageKey, name: NameOf<Values>, values: Values) => string | null
  /** The form has an `ErrorSummary`, which takes the focus. Otherwise the first wrong field does. */
  readonly hasSummary?: boolean
  /** A success leads away from the page. The form stays busy until then. */
  readonly isLeftOnSuccess?: boolean
  /** A change clears `failure`, not only the next try. */
  readonly isFailureOverOnEdit?: boolean
}

interface FormState<Values> {
  readonly values: Values
  readonly errors: ShownErrors<NameOf<Values>>
  /** The keys of a refusal that no field shows. */
  readonly rest: readonly MessageKey[]
  /** What the last try has thrown, where no field shows it; otherwise null. */
  readonly failure: unknown
  /** The number of tries that failed by wrong values or a refusal. */
  readonly attempt: number
}

/** The changed values, or a function of the current ones. */
type Change<Values> = Partial<Values> | ((values: Values) => Values)

function isStep<Values>(next: Change<Values>): next is (values: Values) => Values {
  return typeof next === 'function'
}

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

function newState<Values>(values: Values): FormState<Values> {
  return { values, errors: {}, rest: [], failure: null, attempt: 0 }
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
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  // An answer is handled with the values and options of that moment, not those of the request.
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })

  const { values, errors } = state
  const idOf = (name: Name) => `${options.name}-${name}`
  const focus = (name: Name) => document.querySelector<HTMLElement>(`#${CSS.escape(idOf(name))}`)?.focus()

  function errorOf(name: Name): string | null {
    const error = errors[name]
    if (error === undefined) return null
    return options.errorText?.(error.key, name, values) ?? messageText(error.key)
  }

  function change(next: Change<Values>) {
    options.onEdit?.()
    setState((current) => {
      const changed = isStep(next) ? next(current.values) : { ...current.values, ...next }
      const isClean = Object.keys(current.errors).length === 0
      return {
        ...current,
        values: changed,
        errors: isClean
          ? current.errors
          : standingErrors<Name>(current.errors, current.values, changed, errorsOf<Name>(read(changed))),
        failure: options.isFailureOverOnEdit ? null : current.failure,
      }
    })
  }

  function showErrors(found: FieldErrors<Name>, fromServer: boolean) {
    setState((current) => ({
      ...current,
      errors: shownErrors(found, fromServer),
      attempt: current.attempt + 1,
    }))
    const first = (Object.keys(values) as Name[]).find((name) => found[name] !== undefined)
    if (!options.hasSummary && first !== undefined) focus(first)
  }

  function end() {
    sending.current = false
    setBusy(false)
  }

  function fail(failure: unknown, sent: Values) {
    const { fieldOf, onFailure } = latest.current
    const isField = (name: string): name is Name => name in sent
    const { fields, rest } =
      failure instanceof Refusal
        ? placeRefusal<Name>(failure, (wireName) =>
            fieldOf === undefined ? (isField(wireName) ? wireName : null) : fieldOf(wireName, sent),
          )
        : { fields: {}, rest: [] }
    const placed = Object.keys(fields).length > 0
    if (onFailure?.(failure, { sent, placed }) === true) return
    if (placed || rest.length > 0) showErrors(fields, true)
    setState((current) => ({ ...current, rest, failure: placed ? null : failure }))
  }

  async function send(reader: Reader<Values, Request> = read) {
    if (sending.current) return
    const request = reader(values)
    if (!request.ok) return showErrors(request.error, false)
    sending.current = true
    setBusy(true)
    setState((current) => ({ ...current, errors: {}, rest: [], failure: null }))
    let answer: Answer
    try {
      answer = await options.submit(request.value, values)
    } catch (failure) {
      end()
      return fail(failure, values)
    }
    if (!options.isLeftOnSuccess) end()
    latest.current.onSent?.(answer, request.value, values)
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
    check: (name) =>
      setState((current) => {
        const key = errorsOf<Name>(read(current.values))[name]
        if (key === undefined || current.values[name] === '' || current.errors[name] !== undefined)
          return current
        return { ...current, errors: { ...current.errors, [name]: { key, fromServer: false } } }
      }),
    focus,
    send: (reader) => void send(reader),
    submit: (event) => {
      event.preventDefault()
      void send()
    },
    reset: (next) => setState(newState(next)),
  }
}
