/** A parsed value, or the error; the error of a typed value is the key of its message. */
export type Result<Value, Error> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Error }

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function err<const Error>(error: Error): { readonly ok: false; readonly error: Error } {
  return { ok: false, error }
}
