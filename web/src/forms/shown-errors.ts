import type { MessageKey } from '@/api/failure'
import type { FieldErrors } from './read-fields'

/** An error shown at a field. */
interface ShownError {
  readonly key: MessageKey
  /** The error is a refusal of the server. */
  readonly fromServer: boolean
}

export type ShownErrors<Name extends string> = { readonly [Field in Name]?: ShownError }

export function shownErrors<Name extends string>(
  errors: FieldErrors<Name>,
  fromServer: boolean,
): ShownErrors<Name> {
  const entries = Object.entries<MessageKey | undefined>(errors)
  return Object.fromEntries(
    entries.flatMap(([name, key]) => (key === undefined ? [] : [[name, { key, fromServer }]])),
  ) as ShownErrors<Name>
}

/**
 * Returns the errors that remain after a change. The error of a changed field is removed. Those of other fields stay if they are
 * refusals of the server or still true.
 */
export function standingErrors<Name extends string>(
  shown: ShownErrors<Name>,
  before: { readonly [Field in Name]: unknown },
  after: { readonly [Field in Name]: unknown },
  wrong: FieldErrors<Name>,
): ShownErrors<Name> {
  const entries = Object.entries(shown) as [Name, ShownError][]
  return Object.fromEntries(
    entries.filter(
      ([name, { key, fromServer }]) => before[name] === after[name] && (fromServer || wrong[name] === key),
    ),
  ) as ShownErrors<Name>
}

export interface PlacedRefusal<Name extends string> {
  /** The first key of each field of the form. */
  readonly fields: FieldErrors<Name>
  /** The keys that belong to no field of the form. */
  readonly rest: readonly MessageKey[]
}

/** Assigns the keys of a refusal to the fields of the form. `fieldOf` maps the field names of the request. */
export function placeRefusal<Name extends string>(
  refusal: { readonly key: MessageKey; readonly errors: Readonly<Record<string, readonly MessageKey[]>> },
  fieldOf: (wireName: string) => Name | null,
): PlacedRefusal<Name> {
  const fields: { [Field in Name]?: MessageKey } = {}
  const rest: MessageKey[] = []
  for (const [wireName, [key]] of Object.entries(refusal.errors)) {
    if (key === undefined) continue
    const field = fieldOf(wireName)
    if (field === null) rest.push(key)
    else fields[field] = key
  }
  if (Object.keys(fields).length === 0 && rest.length === 0) rest.push(refusal.key)
  return { fields, rest }
}
