// What a plan reads whole.

/** A step of PostgreSQL that reads a table, by an index or without. A bitmap is made by a condition only. */
const STEP = /(Seq Scan|Index Scan|Index Only Scan)(?: Backward)?(?: using (\S+))? on (\S+)/

/** The tables that a plan of SQLite reads from end to end, each with the index by which it does. */
export function wholeInSqlite({ steps }, { tables, partial }, sql) {
  return steps.flatMap((step) => {
    const [, alias, , index] = /^SCAN (\S+)(?: USING (COVERING )?INDEX (\S+))?/.exec(step) ?? []
    if (alias === undefined || (index !== undefined && partial.has(index))) return []
    // What is read is the result of a query inside of the statement.
    if (steps.some((other) => other === `CO-ROUTINE ${alias}` || other === `MATERIALIZE ${alias}`)) return []
    const table = tableOf(alias, tables, sql)
    return table === undefined ? [] : [table]
  })
}

/** The table of an alias: SQLite names a step by the alias alone. */
function tableOf(alias, tables, sql) {
  if (tables.includes(alias)) return alias
  const named = new RegExp(`\\b(\\w+) (?:as )?${alias.replaceAll(/\W/g, '\\$&')}\\b`, 'g')
  return [...sql.matchAll(named)].map(([, table]) => table).find((table) => tables.includes(table))
}

/**
 * The tables that a plan of PostgreSQL reads from end to end: without an index, or by an index without a condition on what it begins with.
 */
export function wholeInPostgres({ steps }, { tables, partial, first }) {
  return steps.flatMap((step, place) => {
    const [, kind, index, table] = STEP.exec(step) ?? []
    if (table === undefined || !tables.includes(table)) return []
    if (kind === 'Seq Scan') return [table]
    const condition = ownLines(steps, place).find((line) => line.startsWith('Index Cond:')) ?? ''
    return partial.has(index) || new RegExp(`\\b${first.get(index)}\\b`, 'u').test(condition) ? [] : [table]
  })
}

/** What a plan says of one step: the lines below it up to the next step. */
function ownLines(steps, place) {
  const below = steps.slice(place + 1)
  const end = below.findIndex((line) => line.includes('->') || /^\s*(?:SubPlan|InitPlan|CTE)/.test(line))
  return below.slice(0, end === -1 ? below.length : end).map((line) => line.trimStart())
}
