// What the documents promise about each other, about the alerts of the collector and about the alarms of the cabinet.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../', import.meta.url)
const read = (path) => readFileSync(new URL(path, root), 'utf8')
const decisions = readdirSync(new URL('docs/decisions/', root)).filter((file) => file !== 'README.md')

test('the index names each decision once, by its title', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/^- \[(.*)\]\((.*)\)$/gm)].map(
    ([, title, file]) => `${file} # ${title}`,
  )
  const titles = decisions.map((file) => `${file} ${read(`docs/decisions/${file}`).split('\n', 1)[0]}`)
  assert.deepEqual(listed.toSorted(), titles.toSorted())
})

test('a decision has at most 300 words', () => {
  const long = decisions
    .map((file) => [file, read(`docs/decisions/${file}`).split(/\s+/u).filter(Boolean).length])
    .filter(([, words]) => words > 300)
  assert.deepEqual(long, [])
})

/** The alerts of the rules, each with its severity and where its page leads. */
const alerts = read('deploy/monitoring/cabinet.rules.yml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((rule) => ({
    name: rule.split('\n', 1)[0],
    isPage: rule.includes('severity: page'),
    link: /runbook_url: (\S+)/u.exec(rule)?.[1],
    expression: /expr: (.*)/u.exec(rule)?.[1],
  }))
const kinds = [...read('crates/domain/src/payment/alarm.rs').matchAll(/^ {8}\w+ = "(\w+)",$/gm)].map(
  ([, kind]) => kind,
)
/** The kinds of alarms for which an alert wakes somebody. */
const waking = alerts
  .filter((alert) => alert.isPage)
  .flatMap(({ expression }) => /cabinet_alarms_open\{kind=~"([^"]+)"/u.exec(expression)?.[1].split('|') ?? [])
const sections = read('docs/operate/alerts.md')
  .split(/^### /m)
  .slice(1)
  .map((text) => ({ name: text.split('\n', 1)[0], text: text.split(/^## /m)[0] }))

test('each alert and each alarm has a section that says what it means, and no section is of another', () => {
  assert.ok(alerts.length > 50 && kinds.length > 30, 'alerts and alarms are read')
  assert.deepEqual(
    sections.map(({ name }) => name).toSorted(),
    [...alerts.map(({ name }) => name), ...kinds].toSorted(),
  )
})

test('a section says whether it wakes somebody, whether money is at risk, and has three commands', () => {
  const pages = new Set([...alerts.filter(({ isPage }) => isPage).map(({ name }) => name), ...waking])
  for (const { name, text } of sections) {
    const begins = text.split('\n')[2]
    assert.ok(begins.startsWith(pages.has(name) ? 'Wakes. ' : 'Morning. '), `${name}: ${begins}`)
    assert.match(text, /\*\*Money:\*\*/u, name)
    const commands = /^```sh\n([^`]*)\n```$/m.exec(text)?.[1].split('\n')
    assert.equal(commands?.length, 3, name)
  }
})

test('the page of each alert leads to its section', () => {
  for (const { name, link } of alerts) {
    assert.equal(link, `docs/operate/alerts.md#${name.toLowerCase()}`)
  }
})

/** What a page shows as code. */
const codesOf = (page) => [...read(page).matchAll(/`([^`]+)`/gu)].map(([, code]) => code).toSorted()

test('the night page says the same commands in both languages', () => {
  assert.deepEqual(codesOf('docs/operate/night.uk.md'), codesOf('docs/operate/night.md'))
})

/** The name by which a link reaches a heading. */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

test('every link between the documents leads to a file and a heading that are there', () => {
  const folders = ['docs/', 'docs/operate/', 'docs/decisions/', 'docs/api/', 'deploy/', 'tools/bench/', '']
  const pages = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((file) => file.endsWith('.md'))
      .map((file) => folder + file),
  )
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/gu)]
      .filter(([, path, heading]) => {
        const target = path === '' ? new URL(page, root) : new URL(path, new URL(page, root))
        if (!existsSync(target)) return true
        if (heading === undefined || !target.pathname.endsWith('.md')) return false
        const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)]
        return !headings.some(([, title]) => anchor(title) === heading)
      })
      .map(([link]) => `${page}: ${link}`),
  )
  assert.deepEqual(broken, [])
})
