import { accepted, refused, type Read } from './result'
import { compact } from './text'

/** Reads a budget classification code: exactly eight digits, white space ignored. */
export function parseBudgetCode(text: string): Read<string, 'cbc_length'> {
  const code = compact(text)
  return /^\d{8}$/u.test(code) ? accepted(code) : refused('cbc_length')
}
