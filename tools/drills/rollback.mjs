// Goes from the previous release to a new program, back, and forward again, on one database, with a payment at each step.
//
//   node tools/drills/rollback.mjs --old PATH --new PATH [--postgres ADDRESS]
//
// Exit code 1: something failed. Exit code 2: the previous release refuses the new schema.

import { parseArgs } from 'node:util'

import { Cabinet } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { examine, pay, shown } from './payments.mjs'

const { values: options } = parseArgs({
  options: { old: { type: 'string' }, new: { type: 'string' }, postgres: { type: 'string' } },
})
if (!options.old || !options.new) throw new Error('--old PATH and --new PATH are needed')

const say = (text) => process.stdout.write(`${text}\n`)
const orders = []

/** Starts a program, pays an order, and looks whether every earlier one is still paid. */
async function step(cabinet, binary, what) {
  cabinet.binary = binary
  const milliseconds = await cabinet.start()
  try {
    const notary = await cabinet.logIn(PHONE)
    orders.push(await pay(notary))
    for (const { id, number, sum } of orders) {
      const now = await shown(notary, id)
      if (now?.status !== 'paid' || now.sum !== sum)
        throw new Error(`order ${number}, paid before, is now ${now?.status ?? 'gone'}`)
    }
  } finally {
    await cabinet.end()
  }
  await examine(cabinet)
  say(
    `  ${what}: ready after ${Math.round(milliseconds)} ms, order ${orders.at(-1).number} paid, ${orders.length} orders known and paid, doctor finds nothing`,
  )
}

const cabinet = await Cabinet.make(options.old, { database: options.postgres })
try {
  await step(cabinet, options.old, 'the previous release')
  cabinet.binary = options.new
  const plan = await cabinet.command('migrate', '--plan')
  say(plan.text.trimEnd().replaceAll(/^/gm, '    '))
  const began = performance.now()
  const migrated = await cabinet.command('migrate')
  if (migrated.code !== 0) throw new Error(`cabinet migrate:\n${migrated.text}`)
  say(`  migrated in ${Math.round(performance.now() - began)} ms: ${migrated.text.trim()}`)
  await step(cabinet, options.new, 'the new program')
  cabinet.binary = options.old
  const looked = await cabinet.command('alarms', 'list')
  if (looked.code === 0) {
    await step(cabinet, options.old, 'back to the previous release')
    await step(cabinet, options.new, 'forward again')
  } else {
    say(
      `  The previous release refuses the new schema. Going back needs a copy from before the upgrade. It says:\n    ${looked.text.trim()}`,
    )
    process.exitCode = 2
  }
} finally {
  await cabinet.end('SIGKILL')
  cabinet.remove()
}
