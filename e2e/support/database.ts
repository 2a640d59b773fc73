import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Cabinet } from './cabinet.ts'
import { runSql } from './postgres.ts'

/**
 * Changes the data beside the server, for what a test cannot wait for (five minutes, a day) and for damage that the product never
 * causes (an unreadable table).
 */
export function changeData(cabinet: Cabinet, sql: string, ...values: (string | number)[]): void {
  if (cabinet.database.startsWith('postgres:')) {
    runSql(cabinet.database, sql, ...values)
    return
  }
  const database = new DatabaseSync(join(cabinet.dataFolder, 'cabinet.sqlite'), { timeout: 30_000 })
  try {
    if (values.length === 0) database.exec(sql)
    else database.prepare(sql).run(...values)
  } finally {
    database.close()
  }
}

/** Adds logins of other people from the same network address. Returns a function that removes them. */
export function crowdAddress(cabinet: Cabinet, phone: string, logins: number): () => void {
  const others = '+380000000000'
  const newId = cabinet.database.startsWith('postgres:') ? 'gen_random_uuid()' : 'randomblob(16)'
  changeData(
    cabinet,
    `with recursive others (number) as (select 1 union all select number + 1 from others where number < ?)
     insert into login_operations (id, notary_id, phone, purpose, step, tries, address_hash, created_at, expires_at)
     select ${newId}, notary_id, ?, purpose, step, 0, address_hash, created_at, expires_at
     from (select * from login_operations where phone = ? order by created_at desc limit 1), others`,
    logins,
    others,
    phone,
  )
  return () => changeData(cabinet, 'delete from login_operations where phone = ?', others)
}

/** More than a day, after which the limits of a day no longer count what was done. */
export const DAY_MINUTES = 25 * 60

/** Ages every code and call of a phone by so many minutes. */
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

/** Makes every passkey older by more than a day. */
export function agePasskeys(cabinet: Cabinet): void {
  changeData(cabinet, 'update notary_passkeys set created_at = created_at - ?', DAY_MINUTES * 60_000_000)
}

/** Makes every browser one that has been known for a day longer. */
export function ageDevices(cabinet: Cabinet): void {
  changeData(cabinet, 'update devices set first_entered_at = first_entered_at - ?', DAY_MINUTES * 60_000_000)
}
