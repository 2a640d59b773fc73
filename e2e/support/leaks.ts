/** Searches texts for personal data, codes, tokens and cards, whatever they are disguised as. */

/** What must not be found. */
export interface Secrets {
  /** Names of people and entities. */
  readonly names: readonly string[]
  /** Phones, tax ids and other codes of digits. */
  readonly numbers: readonly string[]
  /** Tokens, identifiers and addresses: found as they are, or encoded. */
  readonly texts: readonly string[]
  /** Card numbers, or `any` for all that look like one: only where no measured or random number stands. */
  readonly cards: readonly string[] | 'any'
}

/** Characters that nobody sees: format characters, soft hyphens, joiners, variation selectors. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|[\u115f\u1160\u3164]|\u034f/gu
/** What may stand between the digits of a number. */
const BETWEEN = String.raw`[\s._/()\u2010-\u2015-]{0,2}`
/** Ids are random, and parts of them may look like a number. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/giu
/** A measured number of seconds, or a sum of many, has sixteen digits, too. No card is written with one point before five digits or more. */
const DECIMAL = /^\d+\.\d{5,}$/u
/** The shortest text in base64 that is looked into. */
const BASE64 = /[A-Za-z0-9+/_-]{12,}/gu

/** Latin letters that look like Cyrillic ones, as in the search of the archive. */
const LOOK_ALIKE = new Map(
  [...'ABCEHIKMOPTXYÏ'].map((latin, index) => [latin, [...'АВСЕНІКМОРТХУЇ'][index] ?? latin]),
)

/** The official transliteration (Cabinet of Ministers, resolution 55 of 2010), of letters inside a word and at its beginning. */
const LATIN: Record<string, readonly [string, string]> = {
  а: ['a', 'a'],
  б: ['b', 'b'],
  в: ['v', 'v'],
  г: ['h', 'h'],
  ґ: ['g', 'g'],
  д: ['d', 'd'],
  е: ['e', 'e'],
  є: ['ie', 'ye'],
  ж: ['zh', 'zh'],
  з: ['z', 'z'],
  и: ['y', 'y'],
  і: ['i', 'i'],
  ї: ['i', 'yi'],
  й: ['i', 'y'],
  к: ['k', 'k'],
  л: ['l', 'l'],
  м: ['m', 'm'],
  н: ['n', 'n'],
  о: ['o', 'o'],
  п: ['p', 'p'],
  р: ['r', 'r'],
  с: ['s', 's'],
  т: ['t', 't'],
  у: ['u', 'u'],
  ф: ['f', 'f'],
  х: ['kh', 'kh'],
  ц: ['ts', 'ts'],
  ч: ['ch', 'ch'],
  ш: ['sh', 'sh'],
  щ: ['shch', 'shch'],
  ь: ['', ''],
  ю: ['iu', 'yu'],
  я: ['ia', 'ya'],
}

function transliterated(name: string): string {
  const letters = [...name.toLowerCase().replaceAll('зг', 'zgh').replaceAll(/['’ʼ]/gu, '')]
  return letters
    .map((letter, index) => {
      const forms = LATIN[letter]
      if (forms === undefined) return letter
      return /[\p{L}]/u.test(letters[index - 1] ?? ' ') ? forms[0] : forms[1]
    })
    .join('')
}

/** Makes digits of every script plain, and takes out what nobody sees. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => String(valueOf(digit)))
}

/** The value of a digit: the digits of a script stand in a row that begins at a multiple of ten or sixteen. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code - zero
}

/** Makes capitals, Cyrillic look-alikes, single spaces. */
function folded(text: string): string {
  const capitals = plain(text)
    .toUpperCase()
    .replaceAll(/['’ʼ`′]/gu, '')
  return [...capitals]
    .map((letter) => LOOK_ALIKE.get(letter) ?? letter)
    .join('')
    .replaceAll(/[\s\u2010-\u2015_+-]+/gu, ' ')
}

function attempt(decode: () => string): string[] {
  try {
    return [decode()]
  } catch {
    return []
  }
}

/** The text and what it holds in the usual encodings: of addresses, of JSON, of HTML, and base64. */
function readings(text: string): string[] {
  const read = [text]
  if (/%[0-9a-f]{2}/iu.test(text))
    read.push(
      text.replaceAll(/(?:%[0-9a-f]{2})+/giu, (run) => attempt(() => decodeURIComponent(run))[0] ?? run),
    )
  if (/\\u[0-9a-f]{4}/iu.test(text))
    read.push(
      text.replaceAll(/\\u([0-9a-f]{4})/giu, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    )
  if (/&#x?[0-9a-f]+;/iu.test(text))
    read.push(
      text.replaceAll(/&#(x?)([0-9a-f]+);/giu, (_, hexadecimal: string, code: string) =>
        String.fromCodePoint(Number.parseInt(code, hexadecimal === '' ? 10 : 16)),
      ),
    )
  const inside = (text.match(BASE64) ?? []).map((run) =>
    Buffer.from(run.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('utf8'),
  )
  if (inside.length > 0) read.push(inside.join('\n'))
  return read
}

function numberPattern(number: string): RegExp {
  const phone = /^\+?380(\d{9})$/u.exec(number)?.[1]
  const spread = (digits: string): string => [...digits].join(BETWEEN)
  const optional = phone === undefined ? '' : `(?:\\+?${BETWEEN}(?:3${BETWEEN}8${BETWEEN})?0${BETWEEN})?`
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${optional}${spread(phone ?? number)}(?![\p{L}\p{N}])`, 'u')
}

/** Returns what looks like a full card number: 13 to 19 digits with a right check digit that begin like a card of a payment system. */
function cardsIn(text: string): string[] {
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}.])[2-6](?:${BETWEEN}\d){12,18}(?![\p{L}\p{N}])`, 'gu')
  const runs = (text.replaceAll(UUID, ' ').match(pattern) ?? [])
    .filter((run) => !DECIMAL.test(run))
    .map((run) => run.replaceAll(/\D/gu, ''))
  return runs.filter((run) => {
    // Moments in microseconds and nanoseconds are numbers, too; cards have 16 digits, or 15 and begin with 34 or 37.
    if (run.length !== 16 && !(run.length === 15 && /^3[47]/u.test(run))) return false
    const sum = [...run].toReversed().reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
    return sum % 10 === 0 && /^(?:4|5[1-5]|2[2-7]|3[47]|6)/u.test(run)
  })
}

/** Returns what of the secrets stands in a text, each with its kind. Tells a secret by its place in the list, not by its value. */
export function leaksIn(text: string, secrets: Secrets): string[] {
  const found = new Set<string>()
  for (const reading of readings(text)) {
    const clear = plain(reading)
    const fold = folded(reading)
    const lower = clear.toLowerCase()
    secrets.names.forEach((name, index) => {
      if (fold.includes(folded(name).trim()) || lower.includes(transliterated(name)))
        found.add(`name ${index}: ${name}`)
    })
    const withoutIds = clear.replaceAll(UUID, ' ')
    secrets.numbers.forEach((number, index) => {
      if (numberPattern(number).test(withoutIds)) found.add(`number ${index}: ${number}`)
    })
    secrets.texts.forEach((secret, index) => {
      if (reading.includes(secret) || clear.includes(secret))
        found.add(`text ${index}: ${secret.slice(0, 6)}…`)
    })
    const cards =
      secrets.cards === 'any'
        ? cardsIn(clear)
        : secrets.cards.filter((card) => numberPattern(card).test(withoutIds))
    for (const card of cards) found.add(`card ${card.slice(0, 4)}…`)
  }
  return [...found].toSorted()
}
