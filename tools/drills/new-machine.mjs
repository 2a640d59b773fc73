// What notaries do in scripts/new-machine-test.
//
//   node tools/drills/new-machine.mjs tables FOLDER                   writes tables that a real installation takes
//   node tools/drills/new-machine.mjs sign-up ADDRESS SANDBOX         makes an account, prints its phone
//   node tools/drills/new-machine.mjs pay ADDRESS SANDBOX PHONE       pays an order, prints its number and id
//   node tools/drills/new-machine.mjs await ADDRESS SANDBOX PHONE ID STATUS   waits until an order has a status

import { Notary, phoneOf } from '../lib/notary.mjs'
import { Sandbox } from '../lib/sandbox.mjs'
import { writeTables } from '../lib/tables.mjs'
import { until } from '../lib/wait.mjs'
import { pay, shown } from './payments.mjs'

const NOTARY = 42

const [step, address, sandbox, phone = phoneOf(NOTARY), id, status] = process.argv.slice(2)
const say = (text) => process.stdout.write(`${text}\n`)

/** A notary of a cabinet that somebody else has started. */
const notary = () => new Notary({ url: address, sandbox: new Sandbox(sandbox) }, phone)

const steps = {
  tables: () => writeTables(address),
  async 'sign-up'() {
    await notary().signUp()
    say(phone)
  },
  async pay() {
    const order = await pay(await notary().logIn())
    say(`${order.number} ${order.id}`)
  },
  async await() {
    const asking = await notary().logIn()
    const isSo = async () => (await shown(asking, id))?.status === status
    await until(`order ${id} is ${status}`, isSo, { seconds: 60, every: 500 })
  },
}

if (!steps[step]) throw new Error(`there is no step ${step}`)
await steps[step]()
