// Breaks the cluster again and again while clients pay, and compares what is left with the acquirer's ledger.
//
//   node tools/kill-test/cluster/test.mjs --binary PATH --database cluster [--failures N] [--only KIND,…] [--seed S] [--clients N] [--browser]
//
// docs/testing.md says what breaks and what is compared.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { until } from '../../lib/wait.mjs'
import { signUpNotaries, startClients } from '../clients.mjs'
import { fakedClock } from '../clock.mjs'
import { compare } from '../compare.mjs'
import { Notary } from '../notary.mjs'
import { CLIENTS, FAILURES, home, IN_BROWSER, note, ONLY, SEED } from '../options.mjs'
import { randomChoices } from '../random.mjs'
import { seen } from '../record.mjs'
import { sandbox } from '../sandbox.mjs'
import { skipHours } from '../skip-hours.mjs'
import { target, tryCabinet } from '../target.mjs'
import { lines, time } from '../words.mjs'
import { lookInBrowser } from './browser.mjs'
import { Cluster } from './cluster.mjs'
import { FAILURES_BY_NAME, possibleKinds } from './failures.mjs'
import { tryPoolers } from './poolers.mjs'
import { LOGS } from './program.mjs'
import { printTable } from './table.mjs'
import { Watch } from './watch.mjs'

/** The order of the failures: each kind as often as the others. */
function plan(kinds, random) {
  const words = ONLY?.split(',') ?? ['']
  const wanted = kinds.filter((kind) => words.some((word) => kind.includes(word)))
  if (wanted.length === 0) throw new Error(`--only: one of ${kinds.join(', ')} is expected`)
  const planned = []
  while (planned.length < FAILURES) {
    const round = [...wanted]
    while (round.length > 0 && planned.length < FAILURES)
      planned.push(...round.splice(random.below(round.length), 1))
  }
  return planned
}

/** Waits until nothing is broken and clients are served. */
async function allWell(cluster, watch) {
  await until('the whole cluster', () => cluster.isWhole(), { seconds: 180 })
  await until('both cabinets', () => cluster.areCabinetsReady(), { seconds: 60 })
  await until('writes', () => watch.isWriting(), { seconds: 60 })
}

/** Breaks one thing. Returns what clients saw of it. */
async function breakOnce(kind, cluster, watch, random) {
  await allWell(cluster, watch)
  await pause(random.between(1_000, 3_000))
  const from = Date.now()
  note(`breaks: ${kind}`)
  await FAILURES_BY_NAME[kind](cluster, random)
  await allWell(cluster, watch)
  await pause(1_000)
  const to = Date.now()
  const met = { kind, ...watch.longestGap(from, to), ...watch.failures(from, to) }
  const { gap, after, 503: refused, none, late, wrong } = met
  console.log(
    `${time()} ${kind}: ${gap.toFixed(1)} s without writes, from ${after.toFixed(1)} s after the failure, 503 ${refused}, no answer ${none}, late ${late}, other 5xx ${wrong}; whole again after ${((to - from) / 1000).toFixed(0)} s`,
  )
  return met
}

/** How long nothing is written while nothing is broken. */
async function calm(cluster, watch) {
  await allWell(cluster, watch)
  const from = Date.now()
  await pause(10_000)
  const to = Date.now()
  return { kind: '(nothing)', ...watch.longestGap(from, to), ...watch.failures(from, to) }
}

function setClockOf(cluster) {
  return async (clock) => {
    await Promise.all(cluster.cabinets.map((one) => one.program.kill()))
    for (const { program } of cluster.cabinets) {
      program.extra = fakedClock(clock)
      program.start()
    }
    await until('cabinets with another clock', () => cluster.areCabinetsReady(), { seconds: 60 })
  }
}

/** Returns what is wrong with `patronictl` as the manual calls it. */
async function tryPatronictl(cluster) {
  const listed = await cluster.databases[0].patronictl('list', 'cabinet')
  const missing = cluster.databases.filter((one) => !listed.includes(one.name))
  return missing.map((one) => `patronictl does not list ${one.name}: ${listed}`)
}

/** Returns what `cabinet check` does not say of what would be lost with the leader: with its standbys, and without any. */
async function tryCheck(cluster) {
  const told = async (line) => line.test((await cluster.command('check')).text)
  const wrong = []
  if (!(await told(/^fine {4}durability: what is answered is on a standby/m)))
    wrong.push('`cabinet check` does not name the standby for which commits wait')
  const leader = await cluster.leader()
  const others = cluster.databases.filter((one) => one !== leader)
  await Promise.all(others.map((one) => one.killDatabase()))
  await until('a leader alone of which `cabinet check` tells', () =>
    told(/^WARNING durability: no standby follows/m),
  )
  for (const one of others) one.start()
  await until('the standbys again', () => cluster.isWhole(), { seconds: 60 })
  return wrong
}

/** A notary of the browser alone: her session changes with each use. */
async function signUpForBrowser() {
  const notary = new Notary(99)
  await notary.signUp()
  return notary
}

async function main(cluster) {
  const random = randomChoices(SEED)
  console.log(`${time()} The cluster is started in ${home}`)
  await cluster.start()
  const wrong = [...(await tryPatronictl(cluster)), ...(await tryPoolers()), ...(await tryCheck(cluster))]
  tryCabinet(cluster)
  const watch = new Watch()
  const foreign = new Set((await sandbox.ledger()).map((line) => line.invoice_id))
  const notaries = await signUpNotaries(random)
  if (IN_BROWSER) wrong.push(...(await lookInBrowser(cluster, await signUpForBrowser())))
  target.watch = (answer) => watch.see(answer)
  const stopClients = startClients(CLIENTS, notaries)
  const met = [await calm(cluster, watch)]
  for (const kind of plan(possibleKinds(cluster), random))
    met.push(await breakOnce(kind, cluster, watch, random))
  await stopClients()
  target.watch = () => {}
  const ends = cluster.cabinets.flatMap(({ name, program }) =>
    program.ends.map((end) => `${name} ended by itself: ${end}`),
  )
  console.log(`${time()} the last failure; now everything has time to finish`)
  const days = await skipHours(
    setClockOf(cluster),
    cluster.cabinets.map((one) => join(LOGS, `${one.name}.log`)),
    notaries,
  )
  const found = await compare(notaries, foreign)
  printTable(met, found, days)
  wrong.push(...found.wrong, ...ends, ...new Set(watch.wrong))
  if (seen.orders.size === 0) wrong.push('nothing was ordered')
  if (wrong.length > 0) await cluster.dump()
  if (wrong.length > 0) console.log(`\nWrong:\n${lines(wrong)}\n\nThe data and the logs stay in ${home}`)
  return wrong.length === 0 ? 0 : 1
}

const cluster = new Cluster()
let isStopping = false
async function stop(code) {
  if (isStopping) return
  isStopping = true
  await cluster.stop()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(130))
let code = 1
try {
  code = await main(cluster)
} catch (error) {
  console.error(error)
  console.error(`The data and the logs stay in ${home}`)
}
await stop(code)
