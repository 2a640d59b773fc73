/** Parses the values of the forms of login and sign-up into their requests (specification, point 5). */
import type { LoginRequest } from '@/api/login'
import { readFields, type FieldErrors } from '@/forms/read-fields'
import { parsePhone } from '@/lib/phone'
import { parseRegistryIdentifier } from '@/lib/registry-identifier'
import { err, ok, type Result } from '@/lib/result'
import type { SignUpValues } from './guest-draft'
import type { SignUpStep } from './steps'

type LoginWish = LoginRequest & { readonly phone: string }

export interface LoginValues {
  readonly phone: string
  readonly is_agreed: boolean
}

/** Agreement to the terms is required only after the server has asked for it (specification, point 2). */
export function readLogin(
  { phone, is_agreed }: LoginValues,
  termsAsked: boolean,
): Result<LoginWish, FieldErrors<keyof LoginValues>> {
  const read = readFields({
    phone: parsePhone(phone),
    is_agreed: termsAsked && !is_agreed ? err('agreed_required') : ok(is_agreed),
  })
  if (!read.ok) return read
  return ok({ phone: read.value.phone, is_agree_with_terms: termsAsked && read.value.is_agreed })
}

export function readSignUp(
  values: SignUpValues,
): Result<SignUpStep['wish'], FieldErrors<keyof SignUpValues>> {
  const fullName = values.full_name.trim()
  return readFields({
    full_name: fullName === '' ? err('full_name_required') : ok(fullName),
    phone: parsePhone(values.phone),
    registry_identifier: parseRegistryIdentifier(values.registry_identifier),
    is_agreed: values.is_agreed ? ok(true as const) : err('is_agree_checked'),
  })
}

export interface CodeValues {
  readonly otp_code: string
}

/** `shortest` is the smallest number of characters of the code. */
export function readCode(
  values: CodeValues,
  shortest: number,
): Result<CodeValues, FieldErrors<keyof CodeValues>> {
  const code = values.otp_code.trim()
  if (code === '') return err({ otp_code: 'otp_code_required' })
  return code.length < shortest ? err({ otp_code: 'otp_incorrect' }) : ok({ otp_code: code })
}
