// What may break, and how it ends. Each function breaks something, waits, and lets it be mended.

import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { answers } from '../../lib/network.mjs'
import { until } from '../../lib/wait.mjs'
import { home } from '../options.mjs'
import { HOST, PASSWORD } from './places.mjs'
import { signalAll } from './program.mjs'

const SECOND = 1_000

/** Says something to HAProxy on its own socket. */
function tell(socket, words) {
  return new Promise((done, fail) => {
    const connection = createConnection(join(home, socket))
    connection.once('error', fail)
    connection.on('data', () => {})
    connection.once('close', done)
    connection.end(`${words}\n`)
  })
}

/** A machine of the database loses its power, and has it again. */
async function powerCut(machine) {
  await machine.kill()
  await pause(18 * SECOND)
  machine.start()
}

async function newLeader(cluster, old) {
  const isNew = async () => {
    const leader = await cluster.leader()
    return leader !== undefined && leader !== old
  }
  await until('another leader', isNew, { seconds: 60 })
}

/** Stops processes where they are for a while. */
async function freeze(what, seconds) {
  what.signal('SIGSTOP')
  await pause(seconds * SECOND)
  what.signal('SIGCONT')
}

export const FAILURES_BY_NAME = {
  async "leader's machine killed"(cluster) {
    const leader = await cluster.leader()
    await powerCut(leader)
    await newLeader(cluster, leader)
  },
  async "leader's PostgreSQL killed"(cluster) {
    signalAll((await cluster.leader()).servers(), 'SIGKILL')
    await pause(5 * SECOND)
  },
  async 'standby killed'(cluster) {
    await powerCut(await cluster.standby())
  },
  async 'cabinet killed'(cluster, random) {
    random.of(cluster.cabinets).program.crash()
    await pause(2 * SECOND)
  },
  async 'front proxy killed'(cluster) {
    cluster.front.crash()
    await pause(2 * SECOND)
  },
  async 'database proxy killed'(cluster) {
    cluster.databaseProxy.crash()
    await pause(2 * SECOND)
  },
  async 'connections cut'(cluster) {
    const leader = await cluster.leader()
    await tell('database.sock', `shutdown sessions server cabinet-database/${leader.name}`)
    for (const one of cluster.cabinets) await tell('front.sock', `shutdown sessions server ready/${one.name}`)
    await pause(2 * SECOND)
  },
  async "leader's disk full for 10 s"(cluster) {
    const leader = await cluster.leader()
    leader.fillDisk()
    await pause(10 * SECOND)
    leader.freeDisk()
  },
  async "leader's machine stopped for 25 s"(cluster) {
    const leader = await cluster.leader()
    await freeze(leader, 25)
    await newLeader(cluster, leader)
  },
  async 'standby stopped for 20 s'(cluster) {
    await freeze(await cluster.standby(), 20)
  },
  async 'cabinet stopped for 15 s'(cluster, random) {
    await freeze(random.of(cluster.cabinets).program, 15)
  },
  async upgrade(cluster) {
    for (const one of cluster.cabinets) {
      await one.program.end()
      one.install()
      one.start()
      await until(`${one.name} after its upgrade`, () => answers(`${one.url}/readyz`), { seconds: 30 })
      // The proxy must see it before the next one goes.
      await pause(2 * SECOND)
    }
  },
  async 'planned switchover'(cluster) {
    const [leader, standby] = [await cluster.leader(), await cluster.standby()]
    const answer = await fetch(`http://${HOST}:${leader.machine.patroni}/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`patroni:${PASSWORD}`)}` },
      body: JSON.stringify({ leader: leader.name, candidate: standby.name }),
    })
    if (!answer.ok) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`)
    await newLeader(cluster, leader)
  },
}

/** The kinds that this machine can do. */
export function possibleKinds(cluster) {
  const kinds = Object.keys(FAILURES_BY_NAME)
  return cluster.databases.every((one) => one.isSmall)
    ? kinds
    : kinds.filter((kind) => !kind.includes('full'))
}
