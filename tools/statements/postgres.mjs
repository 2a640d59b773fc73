// The plans of PostgreSQL, on the server of `scripts/with-postgres`.
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { ROWS, migrations, valueOf } from './rows.mjs'

/**
 * PostgreSQL is to read a table from end to end only if nothing else can be done: with the values of the parameters unknown, and with few rows,
 * it would do so to join a third of the table.
 */
const NO_OTHER_WAY =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off;'

/** Runs a script in a database of the test server and returns what it prints. */
function psql(database, script) {
  const address = process.env.CABINET_TEST_POSTGRES.replace('///postgres', `///${database}`)
  return execFileSync('psql', [address, '-XqAt', '-F', '\t', '-f', '-'], {
    input: script,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
  })
}

const rowsOf = (database, sql) =>
  psql(database, sql)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))

/** For each statement the steps of its plan, or that it can't be prepared; beside them what the plans speak of. */
export function plansOfPostgres(root, statements) {
  const database = `cabinet_statements_${process.pid}`
  psql('postgres', `create database ${database}`)
  try {
    psql(database, `\\set ON_ERROR_STOP on\n${migrations(root, 'postgres').join(';\n')}`)
    const indexes = 'select indexrelid::regclass, pg_get_indexdef(indexrelid, 1, true) from pg_index'
    return {
      tables: fill(database),
      plans: explain(database, statements),
      partial: new Set(rowsOf(database, `${indexes} where indpred is not null`).map(([name]) => name)),
      // The column, or the expression, that an index begins with.
      first: new Map(rowsOf(database, indexes)),
    }
  } finally {
    psql('postgres', `drop database ${database} with (force)`)
  }
}

function explain(database, statements) {
  const script = statements.map((sql, index) => {
    if (!isComplete(sql)) return `\\echo @ ${index}`
    const count = Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)))
    const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`
    return `\\echo @ ${index}
prepare s as ${sql.replaceAll('?', '$')};
explain (costs off) execute s${values};
deallocate s;`
  })
  // No plan may depend on the values of the parameters, which are none here.
  const settings = `set plan_cache_mode = force_generic_plan; set jit = off; ${NO_OTHER_WAY}`
  return psql(database, `${settings}\n${script.join('\n')}`)
    .split(/^@ \d+\n/m)
    .slice(1)
    .map((text) =>
      text === '' ? { error: 'PostgreSQL does not take it' } : { steps: text.trimEnd().split('\n') },
    )
}

/** Whether all brackets and quotes of a statement are closed: psql would wait for them through all statements behind it. */
function isComplete(sql) {
  const outside = sql.replaceAll(/'(?:[^']|'')*'/g, '')
  return !outside.includes("'") && outside.split('(').length === outside.split(')').length
}

/** Fills all tables and returns their names. */
function fill(database) {
  const constraints = rowsOf(
    database,
    `select conrelid::regclass, conname from pg_constraint
     where contype in ('c', 'f') and conparentid = 0 and connamespace = 'public'::regnamespace`,
  )
  const tables = Map.groupBy(columnsOf(database), ({ table }) => table)
  const dropped = constraints.map(
    ([table, name]) => `alter table ${table} drop constraint if exists ${name};`,
  )
  const filled = [...tables].map(([table, columns]) => {
    const values = columns.map((column) => valueOf(column, (number) => written(number, column.type)))
    return `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
      select ${values.join(', ')} from generate_series(1, ${ROWS}) n on conflict do nothing;`
  })
  // The rows mean nothing.
  const settings = '\\set ON_ERROR_STOP on\nset session_replication_role = replica;'
  psql(database, [settings, ...dropped, ...filled, 'analyze;'].join('\n'))
  return [...tables.keys()]
}

function columnsOf(database) {
  const conditions = new Map(
    rowsOf(
      database,
      `select indrelid::regclass, string_agg(pg_get_expr(indpred, indrelid), ' ') from pg_index
       where indpred is not null group by indrelid`,
    ),
  )
  const columns = rowsOf(
    database,
    `select c.relname, a.attname, format_type(a.atttypid, null), a.attnotnull,
       exists (select 1 from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey)),
       exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
           and i.indnkeyatts = 1 and i.indkey[0] = a.attnum)
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by c.relname, a.attnum`,
  )
  return columns.map(([table, name, type, required, reference, unique]) => ({
    table,
    name,
    type,
    isRequired: required === 't',
    isReference: reference === 't',
    isUnique: unique === 't',
    conditions: conditions.get(table) ?? '',
  }))
}

function written(number, type) {
  if (type === 'uuid') return `cast(lpad(to_hex(${number}), 32, '0') as uuid)`
  if (type === 'bytea') return `decode(lpad(to_hex(${number}), 32, '0'), 'hex')`
  if (type === 'text') return `'text ' || ${number}`
  if (type === 'boolean') return 'n % 2 = 0'
  return type.endsWith('[]') ? `cast(array[${number}] as ${type})` : number
}
