// What notaries and payers do.

import { setTimeout as pause } from 'node:timers/promises'

import { once } from '../lib/notary.mjs'
import { requisites } from '../lib/payments.mjs'
import { Refused } from '../lib/refused.mjs'
import { CARDS } from '../lib/sandbox.mjs'
import { TooLate } from '../lib/wait.mjs'
import { Notary } from './notary.mjs'
import { note, SEED } from './options.mjs'
import { randomChoices, taxId } from './random.mjs'
import { CabinetGone, seen } from './record.mjs'
import { sandbox } from './sandbox.mjs'

const NOTARIES = 6
const { pays: PAYS, paysSlowly: PAYS_SLOWLY, declined: DECLINED } = CARDS

/** Logs a failure instead of passing it on. */
const quietly = (promise) =>
  promise.catch((error) => {
    if (!(error instanceof CabinetGone)) note(`a step failed: ${error.stack}`)
  })

let typeOfRequisites
/** The id of the payment type of payments by requisites. */
async function requisitesType(notary) {
  typeOfRequisites ??= (await notary.insist('GET', '/payment-types')).body.payment_types.find(
    (one) => one.slug === 'requisites_payment',
  ).id
  return typeOfRequisites
}

/** Adds payments of one client to the cart. Returns the id of the client, or of another one in a full cart. */
export async function fillGroup(notary, random) {
  const inn = taxId(random)
  const client = { inn, full_name: 'Коваленко Марія Петрівна' }
  const body = {
    client,
    payment_type_id: await requisitesType(notary),
    ...requisites(client),
    amount: random.between(100, 90_000) / 100,
  }
  let isFull = false
  for (let items = random.between(1, 4); items > 0; items -= 1) {
    const added = await notary.insist('POST', '/cart/add', { body, headers: once() })
    if (added.status === 200) seen.items.set(added.body.item_id, { notary, at: Date.now() })
    isFull ||= added.body?.message === 'cart_full'
  }
  const cart = await notary.insist('GET', '/cart')
  const groups = cart.body?.groups ?? []
  const own = groups.find((group) => group.client.inn === inn)
  // A full cart takes nothing more: what was left alone in it is ordered.
  const found = own ?? (isFull && groups.length > 0 ? random.of(groups) : undefined)
  return found?.client.id
}

/** Remembers what the cabinet has shown of an order. */
function acknowledge(notary, shown) {
  const known = seen.orders.get(shown.id)
  if (!known)
    seen.orders.set(shown.id, { id: shown.id, number: shown.number, sum: shown.sum, notary, at: Date.now() })
  if (shown.status === 'paid' && !seen.paid.has(shown.id)) seen.paid.set(shown.id, { at: Date.now() })
  return shown
}

/** Enters the code of a payment with a saved card. Returns whether it was right; a code that was lost is asked for with the next payment. */
async function prove(notary, { client_id, order_id }) {
  let operation_id
  const begin = async () => {
    const path = '/auth/confirmation'
    const begun = await notary.insist('POST', path, { body: { client_id, order_id } }, { waits: false })
    if (begun.status >= 300) throw new Refused(path, begun)
    operation_id = begun.body.operation_id
  }
  try {
    const otp_code = await sandbox.codeAfter(notary.phone, begin, notary.codeSeconds)
    const body = { otp_code, operation_id }
    return (await notary.insist('POST', '/auth/confirmation/otp', { body })).status === 200
  } catch (error) {
    if (error instanceof Refused || error instanceof TooLate) return false
    throw error
  }
}

/** Orders the payments of a client. A signal closes the tab in the middle and opens another one. */
export async function order(notary, client, more = {}, signal) {
  const wish = {
    body: { client_id: client, locale: 'uk', ...more },
    headers: once(),
  }
  if (signal) {
    await quietly(notary.call('POST', '/order/create', { ...wish, signal }))
  }
  let made = await notary.insist('POST', '/order/create', wish)
  // A saved card pays an account for the first time: the code proves it, and the same request goes on.
  if (made.body?.proof && (await prove(notary, made.body.proof)))
    made = await notary.insist('POST', '/order/create', wish)
  return made.status === 200 ? acknowledge(notary, made.body.order) : undefined
}

async function look(notary, id) {
  const answer = await notary.insist('GET', `/order/${id}?update_status=1`)
  return answer.status === 200 ? acknowledge(notary, answer.body.order) : undefined
}

async function link(notary, id) {
  const answer = await notary.insist('GET', `/order/${id}/update/pay-link`)
  return answer.status === 200 ? answer.body.widget_url : undefined
}

async function follow(notary, id, random) {
  for (let looks = random.between(1, 5); looks > 0; looks -= 1) {
    const now = await look(notary, id)
    if (!now || now.status === 'paid') return now
    await pause(random.between(20, 400))
  }
}

/** One of the saved cards, as the fields of an order. */
async function savedCard(notary, random) {
  const saved = await notary.insist('GET', '/order/token/get-all-tokens-by-phone')
  const one = saved.body?.tokens?.length ? random.of(saved.body.tokens) : undefined
  return one ? { token_id: one.Token, pan: one.MaskPan } : undefined
}

/** Asks for a link and pays it. */
async function payByLink(notary, id, random, number = PAYS) {
  const page = await link(notary, id)
  await pause(random.below(200))
  if (page) await sandbox.pay(page, number)
}

/** Ways to order and to pay. */
const WAYS = {
  async bySavedCard(notary, client, random) {
    const made = await order(notary, client, await savedCard(notary, random))
    if (made) await follow(notary, made.id, random)
  },
  async page(notary, client, random) {
    const made = await order(notary, client)
    if (!made?.widget_url) return
    await pause(random.below(800))
    await sandbox.pay(made.widget_url, random.of([PAYS, PAYS_SLOWLY]))
    await follow(notary, made.id, random)
  },
  async declinedThenPaid(notary, client, random) {
    const made = await order(notary, client)
    if (!made?.widget_url) return
    await sandbox.pay(made.widget_url, DECLINED)
    await follow(notary, made.id, random)
    if (random.oneIn(2)) await sandbox.pay(made.widget_url, PAYS)
    await payByLink(notary, made.id, random)
    await follow(notary, made.id, random)
  },
  async linkWhileInFlight(notary, client, random) {
    const made = await order(notary, client)
    if (!made?.widget_url) return
    if (random.oneIn(2)) await sandbox.pay(made.widget_url, DECLINED)
    const late = random.below(300)
    await Promise.all([
      pause(late).then(() => sandbox.pay(made.widget_url, random.of([PAYS, PAYS_SLOWLY]))),
      payByLink(notary, made.id, random),
      pause(random.below(300)).then(() => payByLink(notary, made.id, random)),
    ])
    await follow(notary, made.id, random)
  },
  async twoTabs(notary, client, random) {
    const means = random.oneIn(2) ? await savedCard(notary, random) : {}
    const made = (await Promise.all([order(notary, client, means), order(notary, client)])).filter(Boolean)
    await Promise.all(
      made.flatMap((one) => [
        ...(one.widget_url ? [sandbox.pay(one.widget_url, PAYS)] : []),
        payByLink(notary, one.id, random),
        payByLink(notary, one.id, random),
      ]),
    )
    for (const one of made) await follow(notary, one.id, random)
  },
  async cardThenPage(notary, client, random) {
    const closed = AbortSignal.timeout(random.between(1, 300))
    const made = await order(notary, client, await savedCard(notary, random), closed)
    if (!made) return
    for (let tries = random.between(1, 4); tries > 0; tries -= 1) await payByLink(notary, made.id, random)
    await follow(notary, made.id, random)
  },
  /** Pays an order of the archive that does not look paid. */
  async fromTheArchive(notary, _client, random) {
    const listed = await notary.insist(
      'GET',
      `/order?limit=30&status=${random.of(['failed', 'pending', 'expired'])}`,
    )
    if (!listed.body?.orders?.length) return
    const { id } = random.of(listed.body.orders)
    await payByLink(notary, id, random)
    await follow(notary, id, random)
  },
  async leftAlone(notary, client, random) {
    const closed = AbortSignal.timeout(random.between(1, 200))
    await order(notary, client, {}, closed)
  },
}
const WEIGHTED = [
  'bySavedCard',
  'bySavedCard',
  'page',
  'page',
  'declinedThenPaid',
  'linkWhileInFlight',
  'linkWhileInFlight',
  'twoTabs',
  'twoTabs',
  'cardThenPage',
  'cardThenPage',
  'fromTheArchive',
  'leftAlone',
]

/** One client: fills a group, orders and pays, again and again until it is stopped. */
async function work(number, notaries, stop) {
  const random = randomChoices(SEED * 1_000 + number)
  const notary = notaries[number % notaries.length]
  while (!stop.aborted) {
    try {
      const group = await fillGroup(notary, random)
      if (group) await WAYS[random.of(WEIGHTED)](notary, group, random)
      else await pause(200)
    } catch (error) {
      if (!(error instanceof CabinetGone)) note(`a client failed: ${error.stack}`)
    }
  }
}

/** Signs notaries up, each with two saved cards. */
export async function signUpNotaries(random) {
  const notaries = Array.from({ length: NOTARIES }, (_, number) => new Notary(number + 1))
  for (const notary of notaries) {
    await notary.signUp()
    for (const number of [PAYS, PAYS_SLOWLY]) {
      const made = await order(notary, await fillGroup(notary, random))
      await sandbox.pay(made.widget_url, number, { save: true })
    }
  }
  return notaries
}

/** Starts clients. Returns a function that stops them and waits until they have ended, a minute at most. */
export function startClients(count, notaries) {
  const stop = new AbortController()
  const clients = Array.from({ length: count }, (_, number) => quietly(work(number, notaries, stop.signal)))
  return async () => {
    stop.abort()
    await Promise.race([Promise.all(clients), pause(60_000)])
  }
}
