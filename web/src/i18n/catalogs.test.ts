import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The texts of a catalogue with their translations. */
function textsOf(file: string): readonly (readonly [string, string])[] {
  const pairs = readFileSync(file, 'utf8').matchAll(/^msgid "(?<text>.+)"\nmsgstr "(?<translation>.*)"$/gmu)
  return Array.from(pairs, ({ groups }) => [groups?.['text'] ?? '', groups?.['translation'] ?? ''] as const)
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('en.po'),
)

// A page loads several catalogues into one, so that the last of them would decide.
it('a text has the same English in every catalogue', () => {
  const translations = new Map<string, Set<string>>()
  expect(files.length).toBeGreaterThan(10)
  for (const [text, translation] of files.flatMap((name) => textsOf(`src/${name}`)))
    translations.set(text, (translations.get(text) ?? new Set()).add(translation))
  expect([...translations].filter(([, known]) => known.size > 1)).toEqual([])
})

const english = files.flatMap((name) => textsOf(`src/${name}`)).map(([, translation]) => translation)

it('English calls the cabinet a dashboard, and writes percents without a space', () => {
  expect(english.filter((text) => /[\d}]\s%|\bcabinet\b/iu.test(text))).toEqual([])
})

it('English has curly apostrophes, and amounts instead of sums', () => {
  const texts = english.map((text) => text.replaceAll(/\{\w+\}/gu, '#'))
  expect(texts.filter((text) => /'|\bsums?\b/iu.test(text))).toEqual([])
})
