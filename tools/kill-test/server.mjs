import { join } from 'node:path'

import { Process } from '../lib/cabinet.mjs'
import { freePort } from '../lib/network.mjs'
import { fakedClock } from './clock.mjs'
import { database } from './database.mjs'
import { disk } from './disk.mjs'
import { BINARY, home } from './options.mjs'
import { seen } from './record.mjs'
import { relay } from './relay.mjs'
import { sandbox } from './sandbox.mjs'
import { cabinetSettings, prepareData, runCommand } from './settings.mjs'

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
    const log = join(home, 'cabinet.log')
    this.process = new Process(BINARY, {
      url: this.url,
      folder: home,
      words: ['serve'],
      environment: this.environment(),
      output: log,
      errors: log,
    })
    this.process.onDeath = (how) => seen.deaths.push(`start ${this.starts}: ${how}`)
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
    const more = preloaded(fakedClock(clock), disk.environment())
    if ((await this.process.start(more)) === undefined) return false
    this.openGate()
    this.openGate = undefined
    return true
  },
  /** Ends the cabinet like a power cut: nothing is finished. */
  async kill() {
    this.closeGate()
    await this.process.end('SIGKILL')
  },
}
