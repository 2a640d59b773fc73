import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { LANGUAGES, messageOf, sayIn } from '../support/words.ts'

const root = resolve(import.meta.dirname, '../..')

/** The part of the server's OpenAPI document that lists the keys. */
interface ApiDocument {
  readonly components: { readonly schemas: { readonly MessageKey: { readonly enum: readonly string[] } } }
}

/** Every message key of the server. */
const api = JSON.parse(readFileSync(resolve(root, 'docs/api/openapi.json'), 'utf8')) as ApiDocument
const keys = api.components.schemas.MessageKey.enum.toSorted()

/** The rows of the table of message keys in the specification: the key, how a person meets it, and the test that shows it. */
const document = readFileSync(resolve(root, 'docs/specification.md'), 'utf8')
const [, section = ''] = document.split('\n## Message keys\n')
const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(
  ([, key = '', how = '', shown = '']) => ({ key, how, shown }),
)

test('every key of the server stands in the table of message keys, once', () => {
  expect(keys.length).toBeGreaterThan(100)
  expect(rows.map(({ key }) => key).toSorted()).toEqual(keys)
})

test('every key has its words in both languages', () => {
  for (const key of keys)
    for (const language of LANGUAGES) expect(sayIn(language)(messageOf(key)), key).not.toBe('')
})

test('what the table says a person meets is met by a browser test that names the key', () => {
  for (const { key, how, shown } of rows) {
    const specs = [...shown.matchAll(/`e2e\/([\w-]+)`/g)].map(([, name]) => `e2e/specs/${name}.spec.ts`)
    for (const spec of specs) expect(existsSync(resolve(root, spec)), spec).toBe(true)
    const byHand = /^(only a hand-made request|nobody)/.test(how) || specs.length === 0
    // These keys lead to another page or have a text of the page.
    const wordless = [
      'cart_already_ordered',
      'payment_duplicate',
      'user_not_agreed_with_new_terms',
      'session_expired',
      'unauthorized',
    ]
    if (byHand || wordless.includes(key)) continue
    const named = specs.some((spec) => readFileSync(resolve(root, spec), 'utf8').includes(`'${key}'`))
    expect(named, `${key} in ${specs.join(', ')}`).toBe(true)
  }
})
