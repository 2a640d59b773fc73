import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Cabinet } from './cabinet.ts'

/**
 * Changes the data behind the server's back: what a test cannot wait for (five minutes, a day), or what must never happen and
 * may all the same (a table that cannot be read).
 */
export function changeData(cabinet: Cabinet, sql: string, ...values: (string | number)[]): void {
  const database = new DatabaseSync(join(cabinet.dataFolder, 'cabinet.sqlite'), { timeout: 5_000 })
  try {
    if (values.length === 0) database.exec(sql)
    else database.prepare(sql).run(...values)
  } finally {
    database.close()
  }
}

/** Makes every code and call of a phone so many minutes older. */
export function ageCodes(cabinet: Cabinet, phone: string, minutes: number): void {
  const microseconds = minutes * 60_000_000
  changeData(
    cabinet,
    'update login_operations set created_at = created_at - ?, expires_at = expires_at - ? where phone = ?',
    microseconds,
    microseconds,
    phone,
  )
}
