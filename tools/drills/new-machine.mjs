// What notaries do in scripts/new-machine-test.
//
//   node tools/drills/new-machine.mjs tables FOLDER                   writes tables that a real installation takes
//   node tools/drills/new-machine.mjs sign-up ADDRESS SANDBOX         makes an account, prints its phone
//   node tools/drills/new-machine.mjs pay ADDRESS SANDBOX PHONE       pays an order, prints its number and id
//   node tools/drills/new-machine.mjs await ADDRESS SANDBOX PHONE ID STATUS   waits until an order has a status

import { setTimeout as pause } from 'node:timers/promises'

import { Cabinet } from '../bench/cabinet.mjs'
import { writeTables } from '../kill-test/tables.mjs'
import { pay, shown } from './payments.mjs'

const NOTARY = 42
const AWAITED_MILLISECONDS_MAX = 60_000

const [step, address, sandbox, phone, id, status] = process.argv.slice(2)
const say = (text) => process.stdout.write(`${text}\n`)

/** A cabinet that somebody else has started. */
function cabinetAt() {
  const cabinet = new Cabinet(undefined, '', 0, 0)
  cabinet.url = address
  cabinet.sandbox = sandbox
  return cabinet
}

const steps = {
  tables: () => writeTables(address),
  async 'sign-up'() {
    await cabinetAt().signUp(NOTARY)
    say(`+38067${String(NOTARY).padStart(7, '0')}`)
  },
  async pay() {
    const cabinet = cabinetAt()
    const order = await pay(cabinet, await cabinet.logIn(phone))
    say(`${order.number} ${order.id}`)
  },
  async await() {
    const cabinet = cabinetAt()
    const token = await cabinet.logIn(phone)
    const deadline = Date.now() + AWAITED_MILLISECONDS_MAX
    for (;;) {
      const order = await shown(cabinet, token, id)
      if (order?.status === status) return
      if (Date.now() > deadline) throw new Error(`order ${id} is ${order?.status ?? 'gone'}, not ${status}`)
      await pause(500)
    }
  },
}

if (!steps[step]) throw new Error(`there is no step ${step}`)
await steps[step]()
