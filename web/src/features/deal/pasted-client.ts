import { parseClientCode } from '@/lib/client-code'

interface PastedClient {
  readonly name: string
  readonly code: string
}

/** A code at the end of a text, or at its beginning, with what separates it from the name. */
const CODE_LAST = /^(.*\p{L}.*?)[\s,;:(№–-]+(\d{8,10}|\p{Lu}{2}\s?\d{6})\)?$/u
const CODE_FIRST = /^(\d{8,10})[\s,;:–-]+(.*\p{L}.*)$/u

/** What stands between a name and its code. */
const BETWEEN = /(?:[\s,;:(№–-]+(?:код|РНОКПП|ІПН|ЄДРПОУ|паспорт)?)+$/iu

/** Reads a name and a code that were copied together; null for any other text. */
export function clientOf(text: string): PastedClient | null {
  const line = text.trim().replace(/\s+/gu, ' ')
  const last = CODE_LAST.exec(line)
  const first = CODE_FIRST.exec(line)
  const [name, code] = last === null ? [first?.[2], first?.[1]] : [last[1], last[2]]
  if (name === undefined || code === undefined) return null
  const read = parseClientCode(code)
  return read.ok ? { name: name.replace(BETWEEN, ''), code: read.value.code } : null
}
