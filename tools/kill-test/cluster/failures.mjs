// What may break, and how it ends. Each function breaks something, waits, and lets it be mended.

import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { answers } from '../../lib/network.mjs'
import { until } from '../../lib/wait.mjs'
import { home, note } from '../options.mjs'
import { HOST, OUTSIDE, PASSWORD } from './places.mjs'
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

/** Lets the network be ill for a while. */
async function disturb(network, seconds) {
  await pause(seconds * SECOND)
  network.mend()
}

/** Cancels every wait of a commit for the synchronous standby. Returns how many. */
async function cancelWaits(cluster) {
  const waiting = "select pid from pg_stat_activity where wait_event = 'SyncRep' and datname = 'cabinet'"
  return Number(
    await cluster.psql('postgres', `select count(pg_cancel_backend(pid)) from (${waiting}) waiting`),
  )
}

/** How many waits are cancelled before the leader is lost. A standby that lacks much more by then (`maximum_lag_on_failover`) is not promoted. */
const WAITS_CANCELLED = 30

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
  async 'leader and standby late by 2 s for 20 s'(cluster) {
    cluster.network.delay((await cluster.leader()).name, (await cluster.standby()).name, 2 * SECOND)
    await disturb(cluster.network, 20)
  },
  async 'leader and cabinets late by 2 s for 20 s'(cluster) {
    cluster.network.delay((await cluster.leader()).name, OUTSIDE, 2 * SECOND)
    await disturb(cluster.network, 20)
  },
  async 'nothing arrives from the leader at the standby for 20 s'(cluster) {
    cluster.network.hold((await cluster.leader()).name, (await cluster.standby()).name)
    await disturb(cluster.network, 20)
  },
  async 'nothing arrives from the standby at the leader for 20 s'(cluster) {
    cluster.network.hold((await cluster.standby()).name, (await cluster.leader()).name)
    await disturb(cluster.network, 20)
  },
  async 'nothing arrives from the leader at the cabinets for 20 s'(cluster) {
    cluster.network.hold((await cluster.leader()).name, OUTSIDE)
    await disturb(cluster.network, 20)
  },
  async 'leader reaches nobody for 25 s'(cluster) {
    const leader = await cluster.leader()
    cluster.network.isolate(leader.name)
    await disturb(cluster.network, 25)
    await newLeader(cluster, leader)
  },
  async 'standby reaches nobody for 25 s'(cluster) {
    cluster.network.isolate((await cluster.standby()).name)
    await disturb(cluster.network, 25)
  },
  async 'waits for the standby cancelled and the leader killed'(cluster) {
    const [leader, standby] = [await cluster.leader(), await cluster.standby()]
    // What is committed from now on is on the leader alone, and on the machine that is not promoted.
    cluster.network.hold(leader.name, standby.name)
    let cancelled = 0
    const isEnough = async () => (cancelled += await cancelWaits(cluster)) >= WAITS_CANCELLED
    await until('cancelled waits', isEnough, { seconds: 40, every: 100 })
    note(`${cancelled} waits for the standby were cancelled`)
    await leader.kill()
    cluster.network.drop(leader.name)
    cluster.network.mend()
    await pause(18 * SECOND)
    leader.start()
    // Either the standby leads, without those commits, or it lacks too much and the old leader goes on.
    await until('a leader', () => cluster.leader(), { seconds: 60 })
    note(`${(await cluster.leader()).name} leads after ${leader.name}`)
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
