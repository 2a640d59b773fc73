import { err, ok, type Result } from './result'
import { compact } from './text'

/** Parses a budget classification code: exactly eight digits, white space ignored. */
export function parseBudgetCode(text: string): Result<string, 'cbc_length'> {
  const code = compact(text)
  return /^\d{8}$/u.test(code) ? ok(code) : err('cbc_length')
}
