// The plans of SQLite.
import { DatabaseSync } from 'node:sqlite'
import { ROWS, migrations, valueOf } from './rows.mjs'

/** The clauses by which a unit of work locks rows. SQLite has one writer and no locks. */
const LOCK = / for (?:no key )?update(?: of \w+)?(?: skip locked)?/g

/** For each statement the steps of its plan, or why it can't be prepared; beside them what the plans speak of. */
export function plansOfSqlite(root, statements) {
  const database = new DatabaseSync(':memory:')
  for (const sql of migrations(root, 'sqlite')) database.exec(sql)
  const names = (type, condition) =>
    database
      .prepare(`select name from sqlite_schema where type = '${type}' and ${condition}`)
      .all()
      .map(({ name }) => name)
  const tables = names('table', "name not like 'sqlite_%'")
  // The rows mean nothing.
  database.exec('pragma foreign_keys = off; pragma ignore_check_constraints = on')
  for (const trigger of names('trigger', 'true')) database.exec(`drop trigger ${trigger}`)
  for (const table of tables) fill(database, table)
  database.exec('analyze')
  const plans = statements.map((sql) => {
    try {
      const steps = database.prepare(`explain query plan ${sql.replaceAll(LOCK, '')}`).all()
      return { steps: steps.map(({ detail }) => detail) }
    } catch (error) {
      return { error: error.message }
    }
  })
  return { plans, tables, partial: new Set(names('index', "sql like '% where %'")) }
}

function fill(database, table) {
  const columns = columnsOf(database, table)
  const values = columns.map((column) =>
    valueOf(column, (number) => {
      if (column.type === 'blob') return `unhex(printf('%032x', ${number}))`
      return column.type === 'text' ? `'text ' || ${number}` : number
    }),
  )
  database.exec(
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})
     insert or ignore into ${table} (${columns.map(({ name }) => name).join(', ')})
     select ${values.join(', ')} from numbers`,
  )
}

function columnsOf(database, table) {
  const first = (sql) =>
    new Set(
      database
        .prepare(sql)
        .all(table)
        .map((row) => Object.values(row)[0]),
    )
  const references = first('select "from" from pragma_foreign_key_list(?)')
  const unique = first(
    `select min(i.name) from pragma_index_list(?) l, pragma_index_info(l.name) i
     where l."unique" = 1 and l.partial = 0 group by l.name having count(*) = 1`,
  )
  const [conditions] = first(
    "select coalesce(group_concat(sql), '') from sqlite_schema where type = 'index' and tbl_name = ?",
  )
  const columns = database.prepare(
    'select name, type, "notnull" or pk > 0 as required from pragma_table_info(?)',
  )
  return columns.all(table).map(({ name, type, required }) => ({
    name,
    type: type.toLowerCase(),
    isRequired: required === 1,
    isReference: references.has(name),
    isUnique: unique.has(name),
    conditions,
  }))
}
