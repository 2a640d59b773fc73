// Compares the orders and carts of all notaries with what was acknowledged and with the sandbox's ledger.

import { count, mayBeLost, seen } from './record.mjs'
import { sandbox } from './sandbox.mjs'
import { target } from './target.mjs'

/** Every order of a notary and the items of the cart. */
async function listing(notary) {
  const orders = []
  let before
  do {
    const page = await notary.insist('GET', `/order?limit=100${before ? `&before=${before}` : ''}`)
    if (page.status !== 200)
      throw new Error(`orders can't be listed: ${page.status} ${JSON.stringify(page.body)}`)
    orders.push(...page.body.orders)
    before = page.body.next
  } while (before)
  const cart = await notary.insist('GET', '/cart')
  return { orders, items: cart.body.groups.flatMap((group) => group.items) }
}

/** Everything that the comparison works with. */
async function collect(notaries, foreign) {
  const [orders, items] = [new Map(), new Set()]
  for (const notary of notaries) {
    const listed = await listing(notary)
    for (const one of listed.orders) {
      orders.set(one.id, one)
      for (const item of one.items) items.add(item.id)
    }
    for (const item of listed.items) items.add(item.id)
  }
  const ledger = (await sandbox.ledger()).filter((line) => !foreign.has(line.invoice_id))
  const invoices = new Map((await sandbox.json('/invoices')).map((one) => [one.invoice_id, one]))
  const listed = JSON.parse((await target.command('alarms', 'list', '--json')).text).alarms
  const isOwn = ({ subject }) => ![...foreign].some((invoice) => subject.includes(`invoice:${invoice}`))
  const alarms = listed.filter(isOwn)
  return { orders, items, ledger, invoices, alarms }
}

/** Reports acknowledged orders and items that are missing (`gone`) or changed. Returns also how many missing ones a restored copy explains. */
function findLost({ orders, items }, wrong) {
  const lost = { orders: 0, items: 0, gone: 0 }
  for (const one of seen.orders.values()) {
    const kept = orders.get(one.id)
    if (kept) {
      if (kept.number !== one.number || kept.sum !== one.sum) {
        wrong.push(`order ${one.id} was ${one.number} for ${one.sum}, now ${kept.number} for ${kept.sum}`)
      }
    } else if (mayBeLost(one.at)) lost.orders += 1
    else {
      lost.gone += 1
      wrong.push(`acknowledged order ${one.number} (${one.id}, at ${new Date(one.at).toISOString()}) is gone`)
    }
  }
  for (const [id, one] of seen.items) {
    if (items.has(id)) continue
    if (mayBeLost(one.at)) lost.items += 1
    else {
      lost.gone += 1
      wrong.push(
        `acknowledged item ${id} (at ${new Date(one.at).toISOString()}) is neither in a cart nor in an order`,
      )
    }
  }
  const numbers = new Map()
  for (const one of [...seen.orders.values(), ...orders.values()]) {
    const other = numbers.get(one.number)
    if (other && other !== one.id)
      wrong.push(`order number ${one.number} was given to ${other} and ${one.id}`)
    numbers.set(one.number, one.id)
  }
  return lost
}

/** Returns the standing charges of each order: what was charged and not refunded. */
function standingCharges({ ledger, invoices }, wrong) {
  const standing = new Map()
  for (const line of ledger) {
    const amount = line.kind === 'charge' ? line.amount : -line.amount
    standing.set(line.invoice_id, (standing.get(line.invoice_id) ?? 0) + amount)
  }
  const byOrder = new Map()
  for (const [invoice, amount] of standing) {
    if (amount === 0) continue
    const id = /\/order\/([^/]+)\/payment-status/.exec(invoices.get(invoice)?.redirect_url ?? '')?.[1]
    const charge = { invoice, amount, at: Date.parse(invoices.get(invoice)?.created_at) }
    if (id) byOrder.set(id, [...(byOrder.get(id) ?? []), charge])
    else wrong.push(`the charge of invoice ${invoice} names no order`)
  }
  return byOrder
}

/** Compares the charges with the orders. */
function compareCharges({ orders, alarms }, byOrder, wrong) {
  const isAlarmed = (charge) =>
    alarms.some((one) => one.kind === 'statement_unknown_payment' && one.subject.includes(charge.invoice))
  const isToldTwice = (number) =>
    alarms.some((one) => one.kind === 'charged_twice' && String(one.order) === String(number))
  const [double, beyondCopy] = [[], []]
  let [chargesOfLost, alarmed] = [0, 0]
  for (const [id, all] of byOrder) {
    const kept = orders.get(id)
    const told = all.map((one) => `${one.invoice} (${one.amount})`).join(', ')
    // A restored copy does not know an invoice made after it, so the cabinet may give a second page. When both are paid there is an alarm.
    const known = all.filter((one) => !mayBeLost(one.at))
    if (known.length > 1)
      double.push(`order ${kept?.number ?? 'lost'} ${id} is charged ${known.length} times: ${told}`)
    if (!kept) {
      chargesOfLost += all.length
      alarmed += all.filter(isAlarmed).length
      if (!all.every((one) => mayBeLost(seen.orders.get(id)?.at ?? one.at)))
        wrong.push(`charged order ${id} is gone: ${told}`)
      continue
    }
    if (known.length < all.length)
      beyondCopy.push(`order ${kept.number} ${id}, ${kept.status}, charged ${all.length} times: ${told}`)
    if (all.length > 1 && !isToldTwice(kept.number))
      wrong.push(`order ${kept.number} is charged ${all.length} times and has no alarm: ${told}`)
    if (kept.status !== 'paid')
      wrong.push(`order ${kept.number} ${id} is ${kept.status} (${kept.payment_state}) and charged: ${told}`)
    else if (all.length === 1 && all[0].amount !== Math.round(kept.sum * 100))
      wrong.push(`order ${kept.number} costs ${kept.sum}, charged: ${told}`)
  }
  wrong.push(...double)
  if (alarmed < chargesOfLost)
    wrong.push(`${chargesOfLost - alarmed} charges of orders that are gone have no alarm`)
  return { double: double.length, beyondCopy, chargesOfLost, alarmed }
}

function checkOutcomes({ orders }, byOrder, wrong) {
  for (const one of orders.values()) {
    if (one.status === 'paid' && !byOrder.has(one.id))
      wrong.push(`order ${one.number} ${one.id} is paid without a charge`)
    if (one.status === 'in_progress')
      wrong.push(`order ${one.number} ${one.id} has no outcome yet (${one.payment_state})`)
    if (seen.paid.has(one.id) && one.status !== 'paid')
      wrong.push(`order ${one.number} ${one.id} was shown as paid and is ${one.status}`)
  }
}

/**
 * Compares everything. `foreign` are the invoices of the sandbox's own history. Returns the findings (`wrong`) and the figures of the
 * final table.
 */
export async function compare(notaries, foreign) {
  const wrong = []
  const found = await collect(notaries, foreign)
  const lost = findLost(found, wrong)
  const byOrder = standingCharges(found, wrong)
  const charges = compareCharges(found, byOrder, wrong)
  checkOutcomes(found, byOrder, wrong)
  const doctor = await target.command('doctor', '--full')
  if (doctor.code !== 0) wrong.push(`cabinet doctor --full: code ${doctor.code}`)
  const [byStatus, byAlarm] = [new Map(), new Map()]
  for (const one of found.orders.values()) count(byStatus, one.status)
  for (const { kind } of found.alarms) count(byAlarm, kind)
  return {
    ...charges,
    wrong,
    orders: found.orders.size,
    byStatus,
    charges: found.ledger.filter((line) => line.kind === 'charge').length,
    lostOrders: lost.orders,
    lostItems: lost.items,
    gone: lost.gone,
    doctor,
    alarms: found.alarms.map(
      (one) =>
        `${one.kind}  ${one.subject}, order ${one.order ?? '-'}, ${one.times} times since ${one.first}`,
    ),
    byAlarm,
  }
}
