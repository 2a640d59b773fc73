import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { fakedClock } from './clock.mjs'
import { database } from './database.mjs'
import { disk } from './disk.mjs'
import { answers, freePort } from './network.mjs'
import { BINARY, home } from './options.mjs'
import { seen } from './record.mjs'
import { relay } from './relay.mjs'
import { sandbox } from './sandbox.mjs'
import { cabinetSettings, prepareData, runCommand } from './settings.mjs'

const READY_MILLISECONDS_MAX = 30_000

/** Two environments with libraries of their own. */
const preloaded = (one, other) => ({
  ...one,
  ...other,
  LD_PRELOAD: [one.LD_PRELOAD, other.LD_PRELOAD].filter(Boolean).join(':'),
})

/** The cabinet under test. */
export const server = {
  starts: 0,
  async prepare() {
    this.port = await freePort()
    this.url = `http://127.0.0.1:${this.port}`
    this.closeGate()
    await prepareData(this.environment())
  },
  environment() {
    return cabinetSettings({
      listen: `127.0.0.1:${this.port}`,
      database: database.url,
      acquirer: relay.port,
      sandbox: sandbox.port,
    })
  },
  command(...words) {
    return runCommand({ ...this.environment(), ...disk.environment() }, ...words)
  },
  closeGate() {
    // A closed gate is kept, because clients may already be waiting at it.
    if (this.openGate) return
    this.isUp = new Promise((open) => {
      this.openGate = open
    })
  },
  /**
   * Starts the cabinet. Returns false when it was killed before it was ready. `clock` is seconds ahead or behind, or what libfaketime
   * takes: that and a speed.
   */
  async start(clock) {
    this.starts += 1
    const log = openSync(join(home, 'cabinet.log'), 'a')
    const started = spawn(BINARY, ['serve'], {
      cwd: home,
      env: { ...this.environment(), ...preloaded(fakedClock(clock), disk.environment()) },
      stdio: ['ignore', log, log],
    })
    this.process = started
    started.isWanted = true
    this.ended = new Promise((done) => {
      started.once('exit', (code, signal) => {
        if (started.isWanted) seen.deaths.push(`start ${this.starts}: code ${code}, signal ${signal}`)
        done()
      })
    })
    const deadline = Date.now() + READY_MILLISECONDS_MAX
    while (!(await answers(`${this.url}/readyz`))) {
      if (started.exitCode !== null)
        throw new Error(`the cabinet did not start (code ${started.exitCode}); see ${home}/cabinet.log`)
      if (started.signalCode !== null) return false
      if (Date.now() > deadline)
        throw new Error(`the cabinet is not ready after 30 s; see ${home}/cabinet.log`)
      await pause(20)
    }
    this.openGate()
    this.openGate = undefined
    return true
  },
  /** Ends the cabinet like a power cut: nothing is finished. */
  async kill() {
    this.process.isWanted = false
    this.closeGate()
    this.process.kill('SIGKILL')
    await this.ended
  },
}
