// A program of the cluster. Whoever starts it is its supervisor, as systemd is on a machine.

import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { home, note } from '../options.mjs'

export const LOGS = join(home, 'logs')

/** Runs a program, and starts it again when it ends by itself. */
export class Program {
  /** `command` with its `environment`; `user` has uid and gid; it is started again after `restartSeconds`. */
  constructor(name, { command, environment = {}, folder = home, user, restartSeconds = 1 }) {
    Object.assign(this, { name, command, environment, folder, user, restartSeconds })
    /** When and how it ended by itself. */
    this.ends = []
    this.isWanted = false
  }

  start() {
    this.isWanted = true
    if (this.process) return
    mkdirSync(LOGS, { recursive: true })
    const log = openSync(join(LOGS, `${this.name}.log`), 'a')
    const [program, ...words] = this.command
    const started = spawn(program, words, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...this.environment, ...this.extra },
      stdio: ['ignore', log, log],
      ...this.user,
    })
    this.process = started
    this.ended = new Promise((done) => {
      started.once('exit', (code, signal) => {
        this.process = undefined
        if (this.isWanted) {
          if (!this.isCrashed) this.ends.push(`${new Date().toISOString()} code ${code}, signal ${signal}`)
          note(`${this.name} ended: code ${code}, signal ${signal}`)
          this.isCrashed = false
          setTimeout(() => this.isWanted && this.start(), this.restartSeconds * 1000)
        }
        done()
      })
      started.once('error', (error) => {
        note(`${this.name} can't be started: ${error.message}`)
        this.process = undefined
        done()
      })
    })
  }

  signal(name) {
    this.process?.kill(name)
  }

  /** Ends it like a fault of its own would. The supervisor starts it again. */
  crash() {
    this.isCrashed = this.process !== undefined
    this.signal('SIGKILL')
  }

  /** Ends it. It stays down until it is started. */
  async end(signal = 'SIGTERM', patience = 30_000) {
    this.isWanted = false
    const ended = this.ended
    if (!this.process) return
    this.process.kill(signal)
    if (signal !== 'SIGKILL') {
      const late = await Promise.race([ended, pause(patience, 'late', { ref: false })])
      if (late === 'late') this.process?.kill('SIGKILL')
    }
    await ended
  }

  kill() {
    return this.end('SIGKILL')
  }
}

/** The ids of the processes that work in a folder: a server of PostgreSQL and its children, which are nobody's children here. */
export function processesIn(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return readlinkSync(`/proc/${id}/cwd`) === folder
      } catch {
        return false
      }
    })
}

/** Sends a signal to processes, some of which may have ended. */
export function signalAll(ids, signal) {
  for (const id of ids) {
    try {
      process.kill(id, signal)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
}
