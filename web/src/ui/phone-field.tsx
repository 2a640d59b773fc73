import { MaskedField, type MaskedFieldProps } from './masked-field'
import { phoneMask } from './phone-format'

/** A Ukrainian phone number, formatted as `+38 (0##) ###-##-##`; `parsePhone` parses it. */
export function PhoneField(field: Omit<MaskedFieldProps, 'mask'>) {
  return <MaskedField type="tel" inputMode="tel" autoComplete="tel" {...field} mask={phoneMask} />
}
