// A PostgreSQL server in a folder of its own, on a unix socket alone, whose log (WAL) is archived.

import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { until } from '../lib/wait.mjs'

/** The most seconds that the archive is behind. The manual says 60; a drill need not wait so long. */
export const ARCHIVE_SECONDS = 5

export class Server {
  /** `user` runs the server where root would: PostgreSQL refuses root. */
  constructor(home, programs, user) {
    this.home = home
    this.programs = programs
    this.prefix = user ? ['runuser', '-u', user, '--'] : []
    this.data = join(home, 'data')
    this.url = `postgres:///postgres?host=${home}&user=cabinet`
  }

  run(program, ...words) {
    const [first, ...rest] = [...this.prefix, program, ...words]
    try {
      return execFileSync(first, rest, {
        cwd: this.home,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    } catch (error) {
      throw new Error(`${program} ${words[0]}: ${error.stdout}${error.stderr}`, { cause: error })
    }
  }

  own(program, ...words) {
    return this.run(join(this.programs, program), ...words)
  }

  sql(text) {
    return this.run('psql', '-qXAt', '-v', 'ON_ERROR_STOP=1', '-c', text, this.url).trim()
  }

  make(settings) {
    this.own(
      'initdb',
      '-D',
      this.data,
      '-U',
      'cabinet',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '-k',
    )
    appendFileSync(
      join(this.data, 'postgresql.conf'),
      [
        "listen_addresses = ''",
        `unix_socket_directories = '${this.home}'`,
        'unix_socket_permissions = 0777',
        'archive_mode = on',
        `archive_timeout = ${ARCHIVE_SECONDS}s`,
        ...settings,
        '',
      ].join('\n'),
    )
    this.start()
  }

  /** Adds lines to the settings that PostgreSQL writes itself, which count most. */
  set(...lines) {
    appendFileSync(join(this.data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  }

  start() {
    // Without its own files for the log the program that starts it would wait for the end of the server.
    const log = join(this.home, 'server.log')
    execFileSync(
      'bash',
      [
        '-c',
        '"$@" >/dev/null 2>&1',
        '-',
        ...this.prefix,
        join(this.programs, 'pg_ctl'),
        '-D',
        this.data,
        '-l',
        log,
        '-t',
        '120',
        '-w',
        'start',
      ],
      { cwd: this.home, stdio: 'ignore' },
    )
  }

  /** Another server of this machine that stands for one on another machine. It has nothing yet. */
  another(name) {
    const home = join(this.home, name)
    this.run('mkdir', '-m', '0711', home)
    return new Server(home, this.programs, this.prefix[2])
  }

  /** Ends the server like a power cut, and loses its data. */
  lose() {
    const [process] = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')
    this.run('kill', '-KILL', process)
    rmSync(this.data, { recursive: true, force: true })
    // Another machine has no lock of a socket either. The process that is named there may not have been waited for yet.
    for (const socket of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
      rmSync(join(this.home, socket), { force: true })
  }

  stop() {
    try {
      this.own('pg_ctl', '-D', this.data, '-m', 'immediate', '-w', 'stop')
    } catch {
      // It is stopped.
    }
  }

  /** Waits until what was written so far is in the archive. */
  async archived() {
    const file = this.sql('select pg_walfile_name(pg_switch_wal())')
    const last = () => this.sql("select coalesce(last_archived_wal, '') from pg_stat_archiver")
    await until(`${file} is archived`, () => last() >= file)
  }

  /** Waits until a restored server has replayed what it should and takes writes. */
  async recovered() {
    const isOver = () => this.sql('select pg_is_in_recovery()') === 'f'
    await until('the end of the recovery', isOver, { seconds: 60 })
  }
}

/** `pg_basebackup`, and an archive that is a folder. */
export class BaseBackup {
  static title = 'pg_basebackup'

  constructor(server) {
    this.server = server
    this.archive = join(server.home, 'archive')
    this.base = join(server.home, 'base')
  }

  make() {
    this.server.run('mkdir', this.archive)
    const target = `${this.archive}/%f`
    const add = `cp %p ${target}.part && sync ${target}.part && mv ${target}.part ${target}`
    this.server.make([
      `archive_command = 'if test -f ${target}; then cmp -s %p ${target}; else ${add}; fi && sync ${this.archive}'`,
    ])
  }

  copy() {
    this.server.own(
      'pg_basebackup',
      '-d',
      this.server.url,
      '-D',
      this.base,
      '-c',
      'fast',
      '-X',
      'none',
      '--no-password',
    )
  }

  place(server, settings) {
    server.run('cp', '-a', this.base, server.data)
    server.set(`restore_command = 'cp ${this.archive}/%f %p'`, ...settings)
    server.run('touch', join(server.data, 'recovery.signal'))
  }

  /** Puts the copy in place. `moment` is one, or undefined for everything that the archive has. */
  restore(moment) {
    const target = [`recovery_target_time = '${moment}'`, "recovery_target_action = 'promote'"]
    this.place(this.server, moment ? target : [])
  }

  /** Puts the copy in place on another server for practice: it must not archive. */
  practise(server) {
    this.place(server, ['archive_mode = off', `unix_socket_directories = '${server.home}'`])
  }

  /** Forgets the moment: it would be in the next copy, and a restore of that one would stop at it, before everything since. */
  finish() {
    for (const name of ['restore_command', 'recovery_target_time', 'recovery_target_action'])
      this.server.sql(`alter system reset ${name}`)
  }
}

/** pgBackRest, as Debian has it. */
export class PgBackRest {
  static title = 'pgBackRest'

  constructor(server) {
    this.server = server
    this.repository = join(server.home, 'repository')
  }

  callOn(server, ...words) {
    server.run('pgbackrest', `--config=${PgBackRest.settingsOf(server)}`, '--stanza=cabinet', ...words)
  }

  call(...words) {
    this.callOn(this.server, ...words)
  }

  static settingsOf = (server) => join(server.home, 'pgbackrest.conf')

  static archiving = (server) =>
    `archive_command = 'pgbackrest --config=${PgBackRest.settingsOf(server)} --stanza=cabinet archive-push %p'`

  /** Writes the configuration of pgBackRest on the machine of a server. */
  configure(server) {
    const { home, data } = server
    for (const folder of ['log', 'lock', 'spool']) server.run('mkdir', join(home, folder))
    writeFileSync(
      PgBackRest.settingsOf(server),
      `[global]
repo1-path=${this.repository}
repo1-retention-full=2
log-path=${home}/log
lock-path=${home}/lock
spool-path=${home}/spool
start-fast=y

[cabinet]
pg1-path=${data}
pg1-socket-path=${home}
pg1-user=cabinet
pg1-database=postgres
`,
    )
  }

  make() {
    this.server.run('mkdir', this.repository)
    this.configure(this.server)
    this.server.make([PgBackRest.archiving(this.server)])
    this.call('stanza-create')
    this.call('check')
  }

  copy() {
    this.call('--type=full', 'backup')
  }

  restore(moment) {
    this.server.run('mkdir', '-m', '0700', this.server.data)
    if (moment) this.call('--type=time', `--target=${moment}`, '--target-action=promote', 'restore')
    else this.call('restore')
  }

  /** Puts the copy in place on another server for practice: it must not archive. */
  practise(server) {
    this.configure(server)
    server.run('mkdir', '-m', '0700', server.data)
    this.callOn(server, '--archive-mode=off', 'restore')
    // On another machine the same command would name that machine's configuration.
    server.set(`unix_socket_directories = '${server.home}'`, PgBackRest.archiving(server))
  }

  /** It writes these settings anew at each restore. */
  finish() {}
}
