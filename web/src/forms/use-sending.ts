import { useLayoutEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { flushSync } from 'react-dom'
import { Refusal } from '@/api/failure'
import type { FormOptions, NameOf, Reader } from './form-options'
import type { FormState } from './form-state'
import type { FieldErrors } from './read-fields'
import { placeRefusal, shownErrors, type PlacedRefusal } from './shown-errors'

interface Sending<Values, Request> {
  /** The request is on its way. */
  readonly busy: boolean
  /** Reads the values and sends the request, or shows the errors; does nothing while a request is on its way. */
  readonly send: (read?: Reader<Values, Request>) => Promise<void>
}

/** Sends the request of a form, one at a time, and shows what is wrong with it. */
export function useSending<Values extends object, Request, Answer>(
  options: FormOptions<Values, Request, Answer>,
  values: Values,
  setState: Dispatch<SetStateAction<FormState<Values>>>,
  focus: (name: NameOf<Values>) => void,
): Sending<Values, Request> {
  type Name = NameOf<Values>
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  // An answer is handled with the values and options of that moment, not those of the request.
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })

  function showErrors(found: FieldErrors<Name>, fromServer: boolean) {
    const errors = shownErrors(found, fromServer)
    setState((current) => ({ ...current, errors, attempt: current.attempt + 1 }))
    const first = (Object.keys(values) as Name[]).find((name) => found[name] !== undefined)
    if (!options.hasSummary && first !== undefined) focus(first)
  }

  function end() {
    sending.current = false
    setBusy(false)
  }

  function fail(failure: unknown, sent: Values) {
    const { fieldOf, onFailure } = latest.current
    const { fields, rest } = placeFailure(failure, sent, fieldOf)
    const placed = Object.keys(fields).length > 0
    if (onFailure?.(failure, { sent, placed }) === true) return
    if (placed || rest.length > 0) showErrors(fields, true)
    setState((current) => ({ ...current, rest, failure: placed ? null : failure }))
  }

  async function send(read: Reader<Values, Request> = options.read) {
    if (sending.current) return
    const request = read(values)
    if (!request.ok) return showErrors(request.error, false)
    const focused = document.activeElement
    sending.current = true
    setBusy(true)
    setState((current) => ({ ...current, errors: {}, rest: [], failure: null }))
    let answer: Answer
    try {
      answer = await options.submit(request.value, values)
    } catch (failure) {
      freeFields(end, focused)
      return fail(failure, values)
    }
    if (!options.isLeftOnSuccess) end()
    latest.current.onSent?.(answer, request.value, values)
  }

  return { busy, send }
}

/** A form may hold its fields while it is busy. They are free before one of them takes the focus, or has it again. */
function freeFields(end: () => void, focused: Element | null): void {
  const wasHeld = focused?.matches(':disabled')
  flushSync(end)
  if (wasHeld && document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
}

/** Assigns the keys of a refusal to the fields of the form. Another failure belongs to no field. */
function placeFailure<Values extends object>(
  failure: unknown,
  sent: Values,
  fieldOf: FormOptions<Values, unknown, unknown>['fieldOf'],
): PlacedRefusal<NameOf<Values>> {
  if (!(failure instanceof Refusal)) return { fields: {}, rest: [] }
  const isField = (name: string): name is NameOf<Values> => name in sent
  return placeRefusal<NameOf<Values>>(failure, (wireName) =>
    fieldOf === undefined ? (isField(wireName) ? wireName : null) : fieldOf(wireName, sent),
  )
}
