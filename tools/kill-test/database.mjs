import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { disk } from './disk.mjs'
import { home, IS_POSTGRES, note } from './options.mjs'
import { seen } from './record.mjs'

/** The database of the cabinet under test, and its copy. */
export const database = {
  file: join(disk.folder, 'cabinet.sqlite'),
  copyFile: join(home, 'copy.sqlite'),
  start() {
    if (!IS_POSTGRES) {
      this.url = `sqlite:${this.file}`
      return
    }
    const admin = process.env.CABINET_TEST_POSTGRES
    if (!admin) throw new Error('CABINET_TEST_POSTGRES names no server: run this with scripts/kill-test')
    this.admin = admin
    this.name = `kills_${process.pid}`
    this.url = admin.replace('/postgres?', `/${this.name}?`)
    this.sql(`create database ${this.name}`)
  },
  sql(...statements) {
    execFileSync(
      'psql',
      ['-qX', '-v', 'ON_ERROR_STOP=1', this.admin, ...statements.flatMap((text) => ['-c', text])],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
  },
  /** Copies the database: SQLite while the cabinet runs, PostgreSQL while it is stopped. */
  async copy(server) {
    const copyBegan = Date.now()
    if (IS_POSTGRES) {
      await server.kill()
      this.sql(
        `drop database if exists ${this.name}_copy`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.name}'`,
      )
      await pause(200)
      this.sql(`create database ${this.name}_copy template ${this.name}`)
      await server.start(0)
    } else {
      rmSync(this.copyFile, { force: true })
      await server.command('backup', this.copyFile)
    }
    note('the database was copied')
    return copyBegan
  },
  /** Restores the copy. The cabinet must be stopped. */
  async restore(copyBegan) {
    if (IS_POSTGRES) {
      this.sql(`drop database ${this.name} with (force)`)
      this.sql(`create database ${this.name} template ${this.name}_copy`)
    } else {
      for (const end of ['', '-wal', '-shm']) rmSync(this.file + end, { force: true })
      cpSync(this.copyFile, this.file)
    }
    seen.restores.push({ copyBegan, restored: Date.now() })
    note('an older copy of the database was put back')
  },
}
