import type { MessageKey } from '@/api/failure'
import type { NameOf, Reader } from './form-options'
import { errorsOf } from './read-fields'
import { standingErrors, type ShownErrors } from './shown-errors'

export interface FormState<Values> {
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
export type Change<Values> = Partial<Values> | ((values: Values) => Values)

function isStep<Values>(next: Change<Values>): next is (values: Values) => Values {
  return typeof next === 'function'
}

export function newState<Values>(values: Values): FormState<Values> {
  return { values, errors: {}, rest: [], failure: null, attempt: 0 }
}

/** Returns the state after a change of values: errors that are not true any more are removed. */
export function changedState<Values extends object>(
  state: FormState<Values>,
  next: Change<Values>,
  read: Reader<Values, unknown>,
): FormState<Values> {
  const values = isStep(next) ? next(state.values) : { ...state.values, ...next }
  const isClean = Object.keys(state.errors).length === 0
  return {
    ...state,
    values,
    errors: isClean
      ? state.errors
      : standingErrors<NameOf<Values>>(
          state.errors,
          state.values,
          values,
          errorsOf<NameOf<Values>>(read(values)),
        ),
  }
}

/** Returns the state after a field was left: its error is shown, unless the field is empty or shows one already. */
export function checkedState<Values extends object>(
  state: FormState<Values>,
  name: NameOf<Values>,
  read: Reader<Values, unknown>,
): FormState<Values> {
  const key = errorsOf<NameOf<Values>>(read(state.values))[name]
  if (key === undefined || state.values[name] === '' || state.errors[name] !== undefined) return state
  return { ...state, errors: { ...state.errors, [name]: { key, fromServer: false } } }
}
