// Finds the statements that the program puts together while it runs in the log of a server of PostgreSQL.
import { STATEMENT, isWhole, piecesOf, withoutEscapes } from './source.mjs'

/** The statements of a log that are no string of the source as they stand, one a line and sorted. */
export function composedIn(log, strings) {
  const sent = log
    .replaceAll(/\n\t/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^LOG: {2}(?:execute [^:]+|statement): /, ''))
    .map((sql) =>
      sql
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replaceAll(/\$(\d)/g, '?$1'),
    )
  const whole = new Set(strings.filter(isWhole).map(({ text }) => withoutEscapes(text.trim())))
  const isOurs = beginningsOf(strings)
  const ours = [...new Set(sent)].filter((sql) => STATEMENT.test(sql) && !whole.has(sql) && isOurs(sql))
  // A limit changes no plan.
  const byPlan = new Map(ours.toSorted().map((sql) => [sql.replaceAll(/limit \d+/g, 'limit'), sql]))
  return [...byPlan.values()].toSorted()
}

const escaped = (piece) => piece.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** Tells whether a statement begins as a string of the product does, with something in each of its holes. */
export function beginningsOf(strings) {
  const patterns = strings
    .filter(({ text }) => STATEMENT.test(text.trimStart()))
    .map(({ text }) => piecesOf(text).map(escaped).join('.*?'))
  const ours = [...new Set(patterns)].map((pattern) => new RegExp(`^${pattern}`, 'u'))
  return (sql) => ours.some((pattern) => pattern.test(sql))
}
