import { intlTag, type Locale } from './locale'

/** Days begin and end in Kyiv time, wherever the browser is. */
const TIME_ZONE = 'Europe/Kyiv'

interface KyivParts {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly time: string
}

const partsFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

function kyivParts(moment: Date): KyivParts {
  const parts = new Map(partsFormat.formatToParts(moment).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  }
}

/** The civil date in Kyiv, `YYYY-MM-DD`. Such dates can be compared as text. */
export function kyivDate(moment: Date): string {
  const { year, month, day } = kyivParts(moment)
  return `${year}-${month}-${day}`
}

/** The archive's date, `DD.MM.YY` (specification, point 9). */
export function shortDate(iso: string): string {
  const { year, month, day } = kyivParts(new Date(iso))
  return `${day}.${month}.${year.slice(-2)}`
}

/** The archive's time, `hh:mm:ss`. */
export function timeOfDay(iso: string): string {
  return kyivParts(new Date(iso)).time
}

/** Formats a date of the API (`YYYY-MM-DD`) as `DD.MM.YYYY`. */
export function civilDate(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return `${day}.${month}.${year}`
}

/** Formats a moment in words: `20 листопада 2026 р. о 12:05`. */
export function longMoment(iso: string, locale: Locale): string {
  return new Intl.DateTimeFormat(intlTag(locale), {
    timeZone: TIME_ZONE,
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(new Date(iso))
}
