// The cluster: three machines of the database, two of cabinets, the proxies, and the sandbox outside.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { answers } from '../../lib/network.mjs'
import { until } from '../../lib/wait.mjs'
import { home, note } from '../options.mjs'
import { relay } from '../relay.mjs'
import { sandbox } from '../sandbox.mjs'
import { prepareData, runCommand } from '../settings.mjs'
import { CabinetMachine, settingsAt } from './cabinet-machine.mjs'
import { makeCertificates } from './certificates.mjs'
import { DatabaseMachine, members } from './database-machine.mjs'
import { Network } from './network.mjs'
import * as places from './places.mjs'
import { frontProxy, poolerIn, proxyOfDatabase } from './proxies.mjs'

/** The network of the test is in this process, so whoever calls through it is not waited for in any other way. */
const run = promisify(execFile)

const isWell = (one) => ['running', 'streaming'].includes(one.state)
const isStreaming = (one) => one.role === 'sync_standby' && isWell(one)

/** The whole cluster. */
export class Cluster {
  constructor() {
    makeCertificates()
    this.network = new Network()
    this.databases = places.DATABASE_MACHINES.map((one) => new DatabaseMachine(one))
    this.cabinets = places.CABINET_MACHINES.map((one) => new CabinetMachine(one))
    this.front = frontProxy()
    this.databaseProxy = proxyOfDatabase()
    this.poolers = [poolerIn('session'), poolerIn('transaction')]
    this.url = `http://${places.HOST}:${places.FRONT_PLAIN}`
    this.isUp = Promise.resolve()
  }

  command(...words) {
    return runCommand(settingsAt(places.CABINET_MACHINES[0].port), ...words)
  }

  async start() {
    await sandbox.start(places.SANDBOX, places.SANDBOX_CABINET)
    relay.rewritten = [places.PUBLIC_URL, this.url]
    await relay.start(places.ACQUIRER)
    await this.network.start()
    for (const one of this.databases) one.start()
    this.databaseProxy.start()
    await until('a leader with a synchronous standby', () => this.isWhole(), { seconds: 120 })
    await this.makeDatabase()
    for (const one of [...this.poolers, ...this.cabinets, this.front]) one.start()
    await until('cabinets', () => this.areCabinetsReady(), { seconds: 60 })
  }

  /** Makes the database of the cabinets. */
  async makeDatabase() {
    await this.psql(
      'postgres',
      `create role cabinet login password '${places.PASSWORD}'`,
      'create database cabinet owner cabinet',
    )
    await prepareData(settingsAt(places.CABINET_MACHINES[0].port))
  }

  /** Runs statements at the leader as the superuser. Returns what they print. */
  async psql(database, ...statements) {
    const address = `host=${places.HOST} port=${places.DATABASE_PROXY} user=postgres dbname=${database} sslmode=verify-full sslrootcert=${places.AUTHORITY} connect_timeout=5`
    const { stdout } = await run(
      'psql',
      ['-qXAt', '-v', 'ON_ERROR_STOP=1', address, ...statements.flatMap((text) => ['-c', text])],
      { env: { ...process.env, PGPASSWORD: places.PASSWORD } },
    )
    return stdout.trim()
  }

  async leader() {
    const leader = (await members()).find((one) => one.role === 'leader' && one.state === 'running')
    return this.databases.find((one) => one.name === leader?.name)
  }

  /** The synchronous standby, the one whose answer every commit waits for. */
  async standby() {
    const standby = (await members()).find(isStreaming)
    return this.databases.find((one) => one.name === standby?.name)
  }

  /** Whether everybody is there: a leader, its synchronous standby, and a third machine. */
  async isWhole() {
    const all = await members()
    return (
      all.length === this.databases.length &&
      all.every(isWell) &&
      all.some(isStreaming) &&
      all.some((one) => one.role === 'leader')
    )
  }

  async areCabinetsReady() {
    const ready = await Promise.all(this.cabinets.map((one) => answers(`${one.url}/readyz`)))
    return ready.every(Boolean) && (await answers(`${this.url}/readyz`))
  }

  /** Writes what is in the database beside the logs, because its disks are in memory. */
  async dump() {
    const address = `host=${places.HOST} port=${places.DATABASE_PROXY} user=postgres dbname=cabinet sslmode=require`
    const env = { ...process.env, PGPASSWORD: places.PASSWORD }
    await run('pg_dump', ['-f', join(home, 'at-the-end.sql'), address], { env })
  }

  async stop() {
    await Promise.all([this.front.end(), ...this.cabinets.map((one) => one.program.end())])
    await Promise.all([...this.poolers, this.databaseProxy].map((one) => one.end()))
    await Promise.all(this.databases.map((one) => one.stopServer()))
    await Promise.all(this.databases.map((one) => one.etcd.end()))
    await sandbox.process?.end()
    note('the cluster was stopped')
  }
}
