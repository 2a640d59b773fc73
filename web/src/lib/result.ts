/** What reading a typed value gave: the normalised value, or the key of the message that says why not. */
export type Read<Value, Key extends string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Key }

export function accepted<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function refused<Key extends string>(error: Key): { readonly ok: false; readonly error: Key } {
  return { ok: false, error }
}
