// Payments beside hostile workbooks: the same payers pay alone and while the workbooks come, in turns.
// Usage: node tools/bench/hostile-workbooks.mjs --binary PATH --workbooks FOLDER

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { Cabinet } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { paymentOf } from '../lib/payments.mjs'
import { quantile } from '../lib/statistics.mjs'
import { Payer } from './payer.mjs'
import { verdict } from './verdict.mjs'

const { values: given } = parseArgs({
  options: { binary: { type: 'string' }, workbooks: { type: 'string' } },
})
const PAYERS = 4
/** Notaries who send workbooks, each one after the other. */
const SENDERS = 4
const TURNS = 4
/** Payments beside the workbooks may take so many times as long as alone, but for one in a hundred. */
const SLOWER_MAX = 1.5

const files = readdirSync(given.workbooks).map((name) => join(given.workbooks, name))
const cabinet = await Cabinet.make(given.binary)
const answers = new Map()

/** Sends files until none is left. */
async function send(notary, left) {
  for (let file = left.pop(); file !== undefined;) {
    const body = { file: readFileSync(file).toString('base64') }
    const answer = await notary.send('POST', '/cart/sheet/read', { body })
    if (answer.headers.has('retry-after')) {
      await pause(200)
      continue
    }
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    file = left.pop()
  }
}

/** Pays until `ended` is. Returns how long each payment took, and how long all of it. */
async function pay(notaries, payment, ended) {
  const payers = notaries.map((notary) => new Payer(notary, payment))
  const began = performance.now()
  const ending = { isOver: false }
  const paying = payers.map(async (payer) => {
    while (!ending.isOver) await payer.payUntil(performance.now() + 1)
  })
  await ended
  ending.isOver = true
  await Promise.all(paying)
  return { times: payers.flatMap((payer) => payer.whole), milliseconds: performance.now() - began }
}

const told = (times) =>
  [0.5, 0.95, 0.99].map((share) => `${Math.round(quantile(times, share))} ms`).join(', ')

try {
  await cabinet.start()
  const payment = await paymentOf(await cabinet.logIn(PHONE), 'requisites_payment')
  const notaries = []
  for (let number = 1; number <= PAYERS + SENDERS; number += 1) notaries.push(await cabinet.signUp(number))
  const payers = notaries.slice(0, PAYERS)
  await pay(payers, payment, pause(3_000))
  const [alone, beside] = [[], []]
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, cabinet.memory())), 100)
  for (let turn = 0; turn < TURNS; turn += 1) {
    const left = files.filter((_, place) => place % TURNS === turn)
    const sending = Promise.all(notaries.slice(PAYERS).map((notary) => send(notary, left)))
    const turnBeside = await pay(payers, payment, sending)
    beside.push(...turnBeside.times)
    alone.push(...(await pay(payers, payment, pause(turnBeside.milliseconds))).times)
  }
  clearInterval(watch)
  const slower = quantile(beside, 0.99) / quantile(alone, 0.99)
  const said = [...answers].map(([status, count]) => `${count} of ${status}`).join(', ')
  console.log(
    `workbooks: ${files.length}; answers: ${said}; resident memory: ${Math.round(memory)} MiB at most`,
  )
  console.log(`${alone.length} payments alone: 50, 95 and 99 % below ${told(alone)}`)
  console.log(
    `${beside.length} payments beside the workbooks: ${told(beside)}; 99 %: ${slower.toFixed(2)} times as long`,
  )
  const isAlive = !cabinet.hasEnded
  // What is a sheet is read, and what is none is refused with its reason.
  const isAnswered = [...answers.keys()].every((status) => status === 200 || status === 422)
  if (!isAlive) console.log('the cabinet has ended')
  process.exitCode = isAlive && isAnswered ? verdict(slower <= SLOWER_MAX) : 1
} finally {
  await cabinet.end()
  cabinet.remove()
}
