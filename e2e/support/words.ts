import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { holdShortWords } from '../../web/src/i18n/hold-short-words.ts'

export type Language = 'uk' | 'en'

export const LANGUAGES: readonly Language[] = ['uk', 'en']

/** One sentence of the product: the Ukrainian source and its English twin, out of the catalogues that the pages use. */
const twins = new Map<string, string>()

function readCatalogue(file: string): void {
  let source = ''
  let twin = ''
  let into: 'source' | 'twin' | null = null
  const keep = (): void => {
    if (source !== '' && twin !== '') twins.set(source, twin)
  }
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const text =
      /"((?:[^"\\]|\\.)*)"\s*$/.exec(line)?.[1]?.replaceAll('\\"', '"').replaceAll('\\n', '\n') ?? ''
    if (line.startsWith('msgid ')) {
      keep()
      source = text
      twin = ''
      into = 'source'
    } else if (line.startsWith('msgstr ')) {
      twin = text
      into = 'twin'
    } else if (line.startsWith('"')) {
      if (into === 'source') source += text
      else twin += text
    } else if (line.startsWith('#')) into = null
  }
  keep()
}

const pages = resolve(import.meta.dirname, '../../web/src')
for (const entry of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
  if (entry.endsWith('locales/en.po')) readCatalogue(join(pages, entry))
}

/** The Ukrainian words of every key of the server's catalogue of messages, as the pages have them. */
const messages = new Map<string, string>()
for (const file of ['i18n/message-texts.ts', 'i18n/cabinet-message-texts.ts']) {
  const source = readFileSync(join(pages, file), 'utf8')
  for (const [, key, text] of source.matchAll(/^ {2}(\w+): msg`([^`]+)`,$/gm)) {
    if (key !== undefined && text !== undefined) messages.set(key, text)
  }
}

/** The Ukrainian source of what the pages say for a key. */
export function messageOf(key: string): string {
  const text = messages.get(key)
  if (text === undefined) throw new Error(`The pages have no words for ${key}.`)
  return text
}

/** Words for the `say` of one language. */
export type Say = (source: string, values?: Record<string, string>) => string

/**
 * What the product says in a language, asked for by its Ukrainian text. `values` fill `{name}` parts, which carry the same names in
 * both languages; marks of links (`<0>`) are left out, as they are on the screen.
 */
export function sayIn(language: Language): Say {
  return (source, values = {}) => {
    const text = language === 'uk' ? source : twins.get(source)
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
