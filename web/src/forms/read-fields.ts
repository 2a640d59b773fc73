import type { MessageKey } from '@/api/failure'
import { err, ok, type Result } from '@/lib/result'

/** The key of the message for each wrong field. */
export type FieldErrors<Name extends string> = { readonly [Field in Name]?: MessageKey }

type Fields = Readonly<Record<string, Result<unknown, MessageKey>>>

type ParsedFields<Read extends Fields> = {
  readonly [Field in keyof Read]: Extract<Read[Field], { readonly ok: true }>['value']
}

/** Combines the parsed fields of a form into all their values, or the errors of all wrong ones. */
export function readFields<Read extends Fields>(
  fields: Read,
): Result<ParsedFields<Read>, FieldErrors<keyof Read & string>> {
  const values: Record<string, unknown> = {}
  const errors: Record<string, MessageKey> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.ok) values[name] = field.value
    else errors[name] = field.error
  }
  return Object.keys(errors).length === 0
    ? ok(values as ParsedFields<Read>)
    : err(errors as FieldErrors<keyof Read & string>)
}

/** The errors of a result; empty where it is ok. */
export function errorsOf<Name extends string>(read: Result<unknown, FieldErrors<Name>>): FieldErrors<Name> {
  return read.ok ? {} : read.error
}
