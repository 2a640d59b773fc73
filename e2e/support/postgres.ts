import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'

/** The address of the server's own database, from `scripts/with-postgres`. */
function server(): string {
  const address = process.env['CABINET_TEST_POSTGRES']
  if (address === undefined)
    throw new Error('Two processes need PostgreSQL: run this with scripts/with-postgres.')
  return address
}

/** Creates an empty database and returns its address. */
export function createDatabase(): string {
  const name = `e2e_${randomUUID().replaceAll('-', '')}`
  runSql(server(), `create database ${name}`)
  return server().replace('/postgres?', `/${name}?`)
}

export function dropDatabase(address: string): void {
  const name = /\/(e2e_[0-9a-f]+)\?/u.exec(address)?.[1]
  if (name === undefined) throw new Error('This is not a database of a test.')
  runSql(server(), `drop database ${name} with (force)`)
}

/** Runs a statement; each question mark stands for one of the values. */
export function runSql(address: string, sql: string, ...values: (string | number)[]): void {
  const left = [...values]
  const complete = sql.replaceAll('?', () => literal(left.shift()))
  execFileSync(
    'psql',
    [address, '--no-psqlrc', '--quiet', '--set', 'ON_ERROR_STOP=1', '--command', complete],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
}

function literal(value: string | number | undefined): string {
  if (value === undefined) throw new Error('A value is missing.')
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
