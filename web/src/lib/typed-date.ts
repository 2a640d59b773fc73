/** Dates as people type them: `05.11.2026`, `5/11/26`, `2026-11-05`, `05112026`, `5 листопада 2026 р.`, `5 Nov 2026`. */

const MONTHS = Array.from({ length: 12 }, (_, month) => month)

/** The number of a month beside a day, from the first three letters of its name or more; 0 where it is none. */
function monthOf(word: string): number {
  const isOf = (month: number) =>
    ['uk', 'en'].some((language) => {
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' })
      const parts = format.formatToParts(Date.UTC(2026, month))
      return parts.some(({ type, value }) => type === 'month' && value.toLowerCase().startsWith(word))
    })
  return MONTHS.findIndex(isOf) + 1
}

const DATE = /^(\d{1,2})(?:[./ -] ?(\d{1,2})[./ -] ?| ?(\p{L}{3,})\.?,? )(\d\d|\d{4})(?: ?(?:р|року)\.?)?$/u

/**
 * Returns the day that was typed as `YYYY-MM-DD`, or null where it is none: the day is before the month, and a year of two digits is of
 * this century.
 */
export function readDate(typed: string): string | null {
  const text = typed
    .trim()
    .replace(/\s+/gu, ' ')
    .toLowerCase()
    .replace(/^(\d{4})-(\d{1,2})-(\d{1,2})$/u, '$3.$2.$1')
    .replace(/^(\d\d)(\d\d)(\d{4})$/u, '$1.$2.$3')
  const [, day, number, word, year] = DATE.exec(text) ?? []
  if (day === undefined || year === undefined) return null
  const month = number ?? String(monthOf(word ?? '-'))
  const read = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${read}T00:00:00Z`)
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(read)
  return exists ? read : null
}

/** The same of a text that may still be typed, whose year is complete: its first two digits would be a year of their own. */
export const readWholeDate = (typed: string): string | null => (/\d{4}/u.test(typed) ? readDate(typed) : null)
