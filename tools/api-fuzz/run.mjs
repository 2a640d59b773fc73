// Calls the whole API as its OpenAPI document describes it, with generated requests, and fails on an answer that it doesn't describe.
//
//   node tools/api-fuzz/run.mjs --binary PATH [--schemathesis PATH] [--cases 100000] [-- OPTION...]
//
// Starts the program with its sandbox and a database of its own, signs a notary up, orders something, and runs schemathesis with further
// options. Without --schemathesis it only makes the notaries and orders, and calls nothing else.

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { Cabinet } from '../lib/cabinet.mjs'
import { CLIENT, paymentOf, PERSON_IBAN } from '../lib/payments.mjs'

const { values: options, positionals: more } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: 'string' },
    schemathesis: { type: 'string' },
    cases: { type: 'string', default: '100000' },
  },
})
if (options.binary === undefined) throw new Error('--binary PATH is needed')

const DOCUMENT = resolve(import.meta.dirname, '../../docs/api/openapi.json')
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
const NOTARY = 1_234_567
const OWN = { iban: PERSON_IBAN, okpo: '3068208400' }
/** Calls that may end the session of their caller. */
const ENDING = ['/api/auth/logout', '/api/me/sessions/{id}/end']
const SETTINGS = {
  // Requests come without a proxy.
  CABINET_CLIENT_ADDRESS_HEADER: undefined,
  CABINET_LOG: 'warn',
  // Far above what one address may do, so that limits don't end every call at once.
  CABINET_CODES_ADDRESS_HOURLY_MAX: '100000',
  CABINET_CODES_ADDRESS_WRONG_DAILY_MAX: '100000',
  CABINET_LIMITS_LOGIN_ATTEMPTS_PER_MINUTE: '1000000',
  CABINET_LIMITS_ACQUIRER_CALLS_PER_MINUTE: '1000000',
}
/** An access token is renewed after so long. */
const TOKEN_MILLISECONDS = 240_000

/** Known values by the name of their field, and bodies that succeed by the path of their call. */
async function factsOf(notary) {
  const { payment_types: types } = await notary.get('/payment-types')
  const payments = []
  const known = {
    phone: [notary.phone],
    iban: [PERSON_IBAN],
    okpo: ['37193071'],
    inn: [CLIENT.inn],
    payment_type_id: types.map(({ id }) => id),
    payment_type_option_id: [],
    payment_type_option_term_id: [],
    payment_type_requisite_id: [],
    status: ['paid', 'pending', 'in_progress', 'failed', 'expired', 'refunded'],
  }
  for (const { id, slug } of types) {
    const payment = await paymentOf(notary, slug, CLIENT, { account: OWN })
    payments.push(payment)
    if (slug === 'requisites_payment') continue
    const { options: choices, regions } = await notary.get(`/payment-types/fields?payment_type_id=${id}`)
    const option = payment.payment_type_option_id
    const { terms } = await notary.get(`/payment-types/option/terms?payment_type_option_id=${option}`)
    known.payment_type_option_id.push(...choices.map((one) => one.id))
    known.payment_type_option_term_id.push(...terms.map((one) => one.id))
    known.payment_type_region_id = regions.map((one) => one.id)
    known.payment_type_requisite_id.push(payment.payment_type_requisite_id)
  }
  const firstGroup = async () => (await notary.cart()).groups[0]
  const orders = []
  for (const payment of payments) {
    await notary.add(payment)
    orders.push(await notary.createOrder((await firstGroup()).client.id))
  }
  await notary.add(payments.at(-1))
  const { client, items } = await firstGroup()
  known.client_id = [client.id]
  known.order_id = orders.map(({ id }) => id)
  known.item_id = [items[0].id]
  for (const { id } of orders) known.item_id.push(...(await notary.order(id)).items.map((item) => item.id))
  const [item_id] = known.item_id
  const bodies = {
    '/api/cart/add': payments,
    '/api/order/create': [{ client_id: client.id, is_agreed: true }],
    '/api/cart/item/complaint': [{ item_id, text: 'Сума не та' }],
    '/api/cart/items/count': [{ item_id, count: 2 }],
    '/api/order/search': [{}, { text: 'Коваленко' }],
    '/api/order/export': [{}],
    '/api/auth/login': [{ phone: notary.phone }],
    '/api/auth/me': [{}],
  }
  return { known, bodies }
}

/** Runs schemathesis. Returns its exit code. */
async function runSchemathesis(cabinet, notary, facts) {
  const tokenFile = join(cabinet.folder, 'token')
  const factsFile = join(cabinet.folder, 'facts.json')
  const writeToken = () => writeFileSync(tokenFile, notary.accessToken)
  writeToken()
  writeFileSync(factsFile, JSON.stringify({ ...facts, token_file: tokenFile }))
  const paths = Object.values(JSON.parse(readFileSync(DOCUMENT, 'utf8')).paths)
  const calls = paths.reduce((sum, path) => sum + Object.keys(path).length, 0)
  const words = ['run', DOCUMENT, '--url', cabinet.url, '--checks', CHECKS.join(',')]
  words.push('--phases', 'examples,coverage,fuzzing')
  // How many cases each call gets at most; the phases before the random one take some of them.
  words.push('--max-examples', String(Math.ceil(Number(options.cases) / calls)))
  words.push('--workers', '2', '--request-timeout', '60', '--suppress-health-check', 'all')
  words.push('--warnings', 'off', '--continue-on-failure', '--no-color', ...more)
  const environment = {
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: import.meta.dirname,
    CABINET_FUZZ_FACTS: factsFile,
  }
  const keepFresh = setInterval(() => notary.renew().then(writeToken, console.error), TOKEN_MILLISECONDS)
  try {
    const env = { ...process.env, ...environment }
    const child = spawn(resolve(options.schemathesis), words, { env, cwd: cabinet.folder, stdio: 'inherit' })
    const code = await new Promise((done, failed) => child.once('exit', done).once('error', failed))
    // Ends the run if the session was lost: then most calls were only refused.
    await notary.get('/me/sessions')
    return code ?? 1
  } finally {
    clearInterval(keepFresh)
  }
}

const cabinet = await Cabinet.make(resolve(options.binary), { settings: SETTINGS, isLogged: true })
let code = 0
try {
  await cabinet.start()
  const notary = await cabinet.signUp(NOTARY)
  await notary.post('/me', { ...OWN, inn: OWN.okpo })
  const facts = await factsOf(notary)
  // What may end a session has one of its own.
  facts.own_tokens = {}
  for (const [index, path] of ENDING.entries())
    facts.own_tokens[path] = (await cabinet.signUp(NOTARY + 1 + index)).accessToken
  console.log(
    `${facts.known.order_id.length} orders are made of ${facts.bodies['/api/cart/add'].length} kinds of payments.`,
  )
  if (options.schemathesis !== undefined) code = await runSchemathesis(cabinet, notary, facts)
  await cabinet.end()
  const faults = readFileSync(cabinet.log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('panicked') || line.includes('fault of ours'))
  for (const line of faults.slice(0, 20)) console.error(line)
  console.log(`The log of the server names ${faults.length} faults.`)
  process.exitCode = code === 0 && faults.length > 0 ? 1 : code
} finally {
  await cabinet.end()
  cabinet.remove()
}
