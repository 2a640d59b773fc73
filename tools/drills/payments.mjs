// Payments through the interface of a cabinet with its sandbox, for the drills.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { PHONE, requisitesPayment } from '../bench/cabinet.mjs'

const run = promisify(execFile)

/** A card of the sandbox that pays. */
const PAYS = '4242424242424242'
const PAID_MILLISECONDS_MAX = 20_000

/** What commands on the data of a sandbox are told: its operator, whom lists of transfers name, and the secret that seals transfers. */
const SANDBOX = {
  CABINET_SECRET_KEY: 'sandbox-secret-key-worth-nothing-at-all',
  CABINET_OPERATOR_NAME: 'ТОВ «Демонстраційний кабінет»',
  CABINET_OPERATOR_CODE: '32855961',
  CABINET_OPERATOR_IBAN: 'UA573220010000026007233566001',
}

/** Headers of a call that is made once. */
const key = () => ({ 'idempotency-key': randomUUID() })

/** Makes an order of one payment by requisites, pays its page and waits until the cabinet calls it paid. Returns the order. */
export async function pay(cabinet, token) {
  const payment = await requisitesPayment(cabinet, token)
  await cabinet.call('/cart/add', payment, token, key())
  const cart = await cabinet.call('/cart', undefined, token)
  const client = cart.groups.find((group) => group.client.inn === payment.client.inn).client.id
  const made = await cabinet.call('/order/create', { client_id: client, locale: 'uk' }, token, key())
  const invoice = new URL(made.order.widget_url).pathname.split('/').findLast((part) => part !== '')
  const paid = await fetch(`${cabinet.sandbox}/sandbox/invoices/${invoice}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card: PAYS }),
  })
  if (!paid.ok) throw new Error(`the page of order ${made.order.number} can't be paid: ${paid.status}`)
  const deadline = Date.now() + PAID_MILLISECONDS_MAX
  for (;;) {
    const { order } = await cabinet.call(`/order/${made.order.id}?update_status=1`, undefined, token)
    if (order.status === 'paid') return order
    if (Date.now() > deadline) throw new Error(`order ${order.number} stays ${order.status}`)
    await pause(50)
  }
}

/** Returns the order as the cabinet shows it, or undefined where it has none. */
export async function shown(cabinet, token, id) {
  try {
    return (await cabinet.call(`/order/${id}`, undefined, token)).order
  } catch (error) {
    if (String(error).includes(': 404 ')) return undefined
    throw error
  }
}

/** Signs the notary of the sandbox in. */
export const logIn = (cabinet) => cabinet.logIn(PHONE)

/** Runs `cabinet …` on the database. Returns its exit code and everything that it says. */
export async function command(cabinet, ...words) {
  const env = { PATH: process.env.PATH, CABINET_DATABASE_URL: cabinet.databaseUrl, ...SANDBOX }
  try {
    const { stdout, stderr } = await run(cabinet.binary, words, { env, maxBuffer: 1 << 28 })
    return { code: 0, text: stdout + stderr }
  } catch (error) {
    return { code: error.code, text: `${error.stdout}${error.stderr}` }
  }
}

/** Fails unless every rule about the data holds. */
export async function examine(cabinet) {
  const { code, text } = await command(cabinet, 'doctor', '--full')
  if (code !== 0) throw new Error(`cabinet doctor --full:\n${text}`)
}
