// Payments through the interface of a cabinet with its sandbox, for the drills.

import { paymentOf } from '../lib/payments.mjs'
import { Refused } from '../lib/refused.mjs'

/** Makes an order of one payment by requisites, pays its page and waits until the cabinet calls it paid. Returns the order. */
export async function pay(notary) {
  const payment = await paymentOf(notary, 'requisites_payment')
  await notary.add(payment)
  const { groups } = await notary.cart()
  return notary.payOnPage(groups.find(({ client }) => client.inn === payment.client.inn).client.id)
}

/** Returns the order as the cabinet shows it, or undefined where it has none. */
export async function shown(notary, id) {
  try {
    return await notary.order(id)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Fails unless every rule about the data holds. */
export async function examine(cabinet) {
  const { code, text } = await cabinet.command('doctor', '--full')
  if (code !== 0) throw new Error(`cabinet doctor --full:\n${text}`)
}
