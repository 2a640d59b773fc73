import type { MessageKey } from '@/api/failure'
import type { Result } from '@/lib/result'
import type { FieldErrors } from './read-fields'

export type NameOf<Values> = keyof Values & string

/** Parses the values of a form into its request, or returns the errors of its fields. */
export type Reader<Values, Request> = (values: Values) => Result<Request, FieldErrors<NameOf<Values>>>

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
