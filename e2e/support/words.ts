import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { holdShortWords } from '../../web/src/i18n/hold-short-words.ts'

export type Language = 'uk' | 'en'

export const LANGUAGES: readonly Language[] = ['uk', 'en']

/** Reads a catalogue (gettext `.po`): the messages by id. */
function readCatalogue(file: string): ReadonlyMap<string, string> {
  const messages = new Map<string, string>()
  for (const entry of readFileSync(file, 'utf8').split(/\n{2,}/)) {
    const [, id, text] = /^msgid ((?:".*"\s*)+)^msgstr ((?:".*"\s*)+)/m.exec(entry) ?? []
    if (id !== undefined && text !== undefined) messages.set(joined(id), joined(text))
  }
  return messages
}

/** The text of one or more quoted lines. */
function joined(lines: string): string {
  return [...lines.matchAll(/^"(.*)"/gm)].map(([line]) => String(JSON.parse(line))).join('')
}

/**
 * The English text of each Ukrainian one, and the Ukrainian text of each message id. The ids of the server's messages
 * are their keys.
 */
const translations = new Map<string, string>()
const messages = new Map<string, string>()

const pages = resolve(import.meta.dirname, '../../web/src')
for (const entry of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
  if (!entry.endsWith('locales/uk.po')) continue
  const english = readCatalogue(join(pages, entry.replace(/uk\.po$/, 'en.po')))
  for (const [id, text] of readCatalogue(join(pages, entry))) {
    const translation = english.get(id)
    if (text === '' || translation === undefined || translation === '') continue
    messages.set(id, text)
    translations.set(text, translation)
  }
}

/** The Ukrainian text of a server message. */
export function messageOf(key: string): string {
  const text = messages.get(key)
  if (text === undefined) throw new Error(`The pages have no words for ${key}.`)
  return text
}

/** Returns the texts of one language. */
export type Say = (source: string, values?: Record<string, string>) => string

/** Returns the text of a language for a Ukrainian text. `values` fill the `{name}` placeholders; tags (`<0>`) are removed. */
export function sayIn(language: Language): Say {
  return (source, values = {}) => {
    const text = language === 'uk' ? source : translations.get(source)
    if (text === undefined) throw new Error(`The product has no English for «${source}».`)
    const filled = holdShortWords(text).replace(/\{(\w+)\}/g, (part, name: string) => values[name] ?? part)
    return filled.replace(/<\/?\d+\/?>/g, '')
  }
}

/** A sum on the screen in kopiykas: `1 250,50 грн` or `1,250.50 UAH`. */
export function kopiykasIn(text: string): number {
  const match = /(\d[\d\s  ,.]*[,.]\d{2})\D*$/.exec(text.trim())
  if (match?.[1] === undefined) throw new Error(`There is no sum in «${text}».`)
  return Number(match[1].replace(/\D/g, ''))
}

/** The last sum with its currency in a longer text, in kopiykas. */
export function lastSumIn(text: string): number {
  const sums = text.match(/\d[\d\s\u00a0\u202f,.]*[,.]\d{2}(?=\s(?:грн|UAH))/g) ?? []
  return kopiykasIn(sums.at(-1) ?? '')
}

/** Kopiykas as the screen writes them, without the currency; spaces may be of any kind. */
export function sumPattern(kopiykas: number, language: Language): RegExp {
  const whole = Math.floor(kopiykas / 100).toString()
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, language === 'uk' ? '\\s?' : ',')
  const fraction = (kopiykas % 100).toString().padStart(2, '0')
  return new RegExp(`(?<!\\d)${groups}${language === 'uk' ? ',' : '\\.'}${fraction}(?!\\d)`)
}
