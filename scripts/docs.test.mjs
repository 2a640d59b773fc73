// What the documents promise about each other.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const decisions = new URL('../docs/decisions/', import.meta.url)

test('the index names each decision once, by its title', () => {
  const index = readFileSync(new URL('README.md', decisions), 'utf8')
  const listed = [...index.matchAll(/^- \[(.*)\]\((.*)\)$/gm)].map(([, title, file]) => `${file} # ${title}`)
  const files = readdirSync(decisions).filter((file) => file !== 'README.md')
  const titles = files.map(
    (file) => `${file} ${readFileSync(new URL(file, decisions), 'utf8').split('\n', 1)[0]}`,
  )
  assert.deepEqual(listed.toSorted(), titles.toSorted())
})
