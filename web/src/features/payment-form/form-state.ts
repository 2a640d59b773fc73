import { useState } from 'react'

import type { MessageKey } from '@/api/failure'

import type { FieldErrors } from './rules'
import { FIELD_ORDER, type FieldName, type PaymentValues } from './values'

/** A message at a field, and whether the server gave it: its word stands until the value changes. */
interface ShownError {
  readonly key: MessageKey
  readonly fromServer: boolean
}

export type ShownErrors = { readonly [Name in FieldName]?: ShownError }

type Rules = (values: PaymentValues) => FieldErrors

interface FormState {
  readonly values: PaymentValues
  readonly errors: ShownErrors
  /** How many submits failed: the error summary takes the focus at each. */
  readonly attempt: number
}

/**
 * The errors that outlast a change: those of untouched fields that are still true. A field that was touched is left in
 * peace until it is left or the form is submitted again.
 */
export function standingErrors(
  errors: ShownErrors,
  before: PaymentValues,
  after: PaymentValues,
  broken: FieldErrors,
): ShownErrors {
  return Object.fromEntries(
    FIELD_ORDER.flatMap((name) => {
      const error = errors[name]
      if (error === undefined || before[name] !== after[name]) return []
      return error.fromServer || broken[name] === error.key ? [[name, error] as const] : []
    }),
  )
}

function ownErrors(broken: FieldErrors): ShownErrors {
  return Object.fromEntries(
    FIELD_ORDER.flatMap((name) => {
      const key = broken[name]
      return key === undefined ? [] : [[name, { key, fromServer: false }] as const]
    }),
  )
}

export interface PaymentFormState extends FormState {
  /** Changes the values; what depends on a changed one is changed by the caller in the same step. */
  readonly change: (next: (values: PaymentValues) => PaymentValues) => void
  /** Checks one field that was left with something in it. */
  readonly check: (name: FieldName) => void
  /** Checks everything; false: the errors are shown. */
  readonly validate: () => boolean
  /** Shows what the server refused. */
  readonly refuse: (fields: ReadonlyMap<FieldName, MessageKey>) => void
  /** Starts anew with other values. */
  readonly reset: (values: PaymentValues) => void
}

/** The values of the form with the errors that are shown beside them. */
export function usePaymentFormState(initial: PaymentValues, rules: Rules): PaymentFormState {
  const [state, setState] = useState<FormState>({ values: initial, errors: {}, attempt: 0 })

  return {
    ...state,
    change: (next) =>
      setState((current) => {
        const values = next(current.values)
        return {
          ...current,
          values,
          errors: standingErrors(current.errors, current.values, values, rules(values)),
        }
      }),
    check: (name) =>
      setState((current) => {
        const key = rules(current.values)[name]
        const empty = current.values[name] === ''
        if (key === undefined || empty || current.errors[name] !== undefined) return current
        return { ...current, errors: { ...current.errors, [name]: { key, fromServer: false } } }
      }),
    validate: () => {
      const errors = ownErrors(rules(state.values))
      const sound = Object.keys(errors).length === 0
      setState((current) => ({ ...current, errors, attempt: sound ? current.attempt : current.attempt + 1 }))
      return sound
    },
    refuse: (fields) =>
      setState((current) => ({
        ...current,
        errors: Object.fromEntries([...fields].map(([name, key]) => [name, { key, fromServer: true }])),
        attempt: fields.size > 0 ? current.attempt + 1 : current.attempt,
      })),
    reset: (values) => setState({ values, errors: {}, attempt: 0 }),
  }
}
