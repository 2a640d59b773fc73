// Measures every call of a notary with many orders against the same call of one with few, in a database of the whole country's orders on
// PostgreSQL, and the sizes of the tables. tools/bench/README.md explains the rows.
//
//   node tools/bench/ten-years.mjs --binary PATH --postgres ADDRESS [--orders 5000000] [--many 75000] [--few 100] [--turns 60] [--warm-up 60]
//
// ADDRESS names a database without tables, whose user may switch off foreign keys for its session (a superuser); with --kept, one that an
// earlier run has filled.

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { Cabinet } from '../lib/cabinet.mjs'
import { PHONE } from '../lib/notary.mjs'
import { paymentOf } from '../lib/payments.mjs'
import { median } from '../lib/statistics.mjs'
import { verdict } from './verdict.mjs'

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string' },
    postgres: { type: 'string' },
    orders: { type: 'string', default: '5000000' },
    many: { type: 'string', default: '75000' },
    few: { type: 'string', default: '100' },
    notaries: { type: 'string', default: '6500' },
    turns: { type: 'string', default: '60' },
    // Turns that fill caches: each connection plans a statement anew five times.
    'warm-up': { type: 'string', default: '60' },
    kept: { type: 'boolean', default: false },
  },
})
if (options.binary === undefined || options.postgres === undefined)
  throw new Error('--binary PATH and --postgres ADDRESS are needed')

/** The largest ratio of a call's times. */
const RATIO_MOST = 1.3
/** A difference of this many milliseconds is none. */
const NOTHING = 0.3
const YEARS = 10
const ORDERS_OF_PERIOD = 20
const MANY_PHONE = '+380670000001'
const FEW_PHONE = '+380670000002'

const orders = Number(options.orders)
const many = Number(options.many)
const few = Number(options.few)
const notaries = Number(options.notaries)
/** Microseconds between two orders of the country. */
const APART = Math.floor((YEARS * 365 * 86_400e6) / orders)

function psql(statements) {
  return execFileSync('psql', ['-qtAX', '-F', '\t', '-v', 'ON_ERROR_STOP=1', options.postgres], {
    encoding: 'utf8',
    input: statements,
    maxBuffer: 1 << 26,
  }).trim()
}

/** Returns the columns of a table, comma-separated, with some of them replaced. */
function columns(table, changed) {
  const names = psql(
    `select string_agg(column_name, ',' order by ordinal_position) from information_schema.columns where table_name = '${table}' and table_schema = 'public'`,
  ).split(',')
  return [names.join(', '), names.map((name) => changed[name] ?? `t.${name}`).join(', ')]
}

/** Foreign keys are not checked while rows are copied. */
const SESSION =
  "set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB';\n"

/** An id that grows with its number, as those of the cabinet grow with time. */
const id = (kind, number) =>
  `cast('0190' || lpad(to_hex(${number}), 12, '0') || '7000' || '${kind}' || '000' || lpad(to_hex(${number} % 4096), 8, '0') as uuid)`

const SURNAMES =
  'Шевченко,Коваленко,Бондаренко,Ткаченко,Кравченко,Олійник,Мельник,Гнатюк,Савчук,Петренко,Іванчук,Лисенко,Руденко,Мороз,Поліщук,Яремчук,Левченко,Гончар,Пономаренко,Василенко,Сидоренко,Марченко,Клименко,Павленко,Дорошенко,Романюк,Кушнір,Заєць,Білоус,Черненко'
const GIVEN = 'Марія,Олена,Тарас,Леся,Іван,Оксана,Петро,Ганна,Юрій,Наталія,Сергій,Ірина'
const PATRONYMICS = 'Петрівна,Іванівна,Олексіївна,Миколаївна,Степанівна,Андріївна,Василівна'

const pick = (list, number) =>
  `(string_to_array('${list}', ','))[1 + (${number} & 2147483647) % ${list.split(',').length}]`

/** Returns a statement that copies rows of a table, with some columns changed. */
function insert(table, changed, from) {
  const [names, values] = columns(table, changed)
  return `insert into ${table} (${names}) select ${values} ${from};\n`
}

/** A moment of a copied order, as long after its beginning as in the source. */
const moved = (column) => `${column} - t0.at + m.at`

const TABLES = [
  'clients',
  'orders',
  'order_items',
  'attempts',
  'order_events',
  'transfers',
  'order_receipts',
  'acquirer_reports',
  'order_search',
  'client_search',
]

/** The indexes of the tables, each with its name and its definition. Those of constraints stay. */
function indexesOfTables() {
  const listed = TABLES.map((table) => `'${table}'`).join(', ')
  const indexes = psql(
    `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename in (${listed})
       and not exists (select 1 from pg_constraint c where c.conname = indexname)`,
  )
  return indexes.split('\n').map((line) => line.split('\t'))
}

/** What is copied, and for whom. */
function sources() {
  return [
    // The sources: paid orders with one or more payments.
    `create unlogged table bench_sources as select o.id as source, row_number() over (order by o.number) - 1 as place from orders o
       where o.status = 'paid' and o.notary_id = (select id from notaries where phone = '${PHONE}');\n`,
    `create unlogged table bench_t0 as select min(created_at) as at from orders where id in (select source from bench_sources);\n`,
    // Which notary and client each order has. Two orders of three are of a client that the notary has had before.
    `create unlogged table bench_made as
       select n, ${id('9', 'n')} as order_id, s.source, whose.notary, whose.client,
         cast(extract(epoch from now()) as bigint) * 1000000 - cast(${orders} - n as bigint) * ${APART} as at
       from generate_series(1, ${orders}) n
       join bench_sources s on s.place = n % (select count(*) from bench_sources)
       cross join lateral (select case when n % ${Math.floor(orders / many)} = 0 then 1 when n % ${Math.floor(orders / few)} = 1 then 2
         else 3 + (hashint4(n) & 2147483647) % ${notaries - 2} end as notary) w
       cross join lateral (select w.notary, case when w.notary = 1 then n - n % ${3 * Math.floor(orders / many)} when w.notary = 2 then n
         else w.notary * 1000 + (hashint4(n + 7) & 2147483647) % 400 + 100000000 end as client) whose;\n`,
    `create unlogged table bench_clients as
       select distinct on (client) client, notary, ${id('a', 'client')} as client_id, at,
         ${pick(SURNAMES, 'hashint4(client)')} || ' ' || ${pick(GIVEN, 'hashint4(client + 1)')} || ' ' || ${pick(PATRONYMICS, 'hashint4(client + 2)')} as full_name,
         cast(1000000000 + cast(client as bigint) * 7919 % 2999999999 as text) as inn
       from bench_made order by client, at desc;\n`,
  ]
}

/** The notaries and their clients. */
function people() {
  return [
    insert(
      'notaries',
      { id: id('8', 'n'), phone: `'+38067' || lpad(cast(n as text), 7, '0')`, register_key: 'null' },
      `from generate_series(1, ${notaries}) n, notaries t where t.phone = '${PHONE}'`,
    ),
    insert(
      'clients',
      {
        id: 'c.client_id',
        notary_id: id('8', 'c.notary'),
        inn: 'c.inn',
        full_name: 'c.full_name',
        search_key: `upper(c.full_name) || ' ' || c.inn`,
        created_at: 'c.at',
        used_at: 'c.at',
      },
      `from bench_clients c, (select * from clients where search_key is not null limit 1) t`,
    ),
  ]
}

/** The orders with their payments. */
function copiedOrders() {
  return [
    insert(
      'orders',
      {
        id: 'm.order_id',
        number: '10000000 + m.n',
        notary_id: id('8', 'm.notary'),
        client_id: 'c.client_id',
        created_at: 'm.at',
        updated_at: moved('t.updated_at'),
        paid_at: moved('t.paid_at'),
        idempotency_key: "'bench-' || m.n",
        search_text: `upper(c.full_name) || ' ' || c.inn || ' ' || (10000000 + m.n)`,
      },
      'from bench_t0 t0, bench_made m join bench_clients c on c.client = m.client join orders t on t.id = m.source',
    ),
    'create unlogged table bench_items as select m.n, m.order_id, m.at, i.id as source, ' +
      `${id('b', '(m.n * 8 + i.position)')} as item_id from bench_made m join order_items i on i.order_id = m.source;\n`,
    insert(
      'order_items',
      { id: 'm.item_id', order_id: 'm.order_id', created_at: 'm.at' },
      'from bench_items m join order_items t on t.id = m.source',
    ),
  ]
}

/** What follows from a payment. */
function copiedPayments() {
  return [
    insert(
      'attempts',
      {
        id: id('c', 'm.n'),
        reference: id('c', 'm.n'),
        order_id: 'm.order_id',
        invoice_id: `'bench-' || m.n`,
        created_at: 'm.at',
        charged_at: moved('t.charged_at'),
      },
      "from bench_t0 t0, bench_made m join attempts t on t.order_id = m.source and t.outcome = 'paid'",
    ),
    insert(
      'order_events',
      { id: 'gen_random_uuid()', order_id: 'm.order_id', at: moved('t.at') },
      'from bench_t0 t0, bench_made m join order_events t on t.order_id = m.source',
    ),
    insert(
      'transfers',
      {
        id: 'gen_random_uuid()',
        order_id: 'm.order_id',
        item_id: 'm.item_id',
        document_number: '100000000 + row_number() over ()',
        status: "'credited'",
        reason: 'null',
        returned_on: 'null',
        replaces: 'null',
        uetr: 'null',
        refund_requested_at: 'null',
        refunded_at: 'null',
        refund_reason: 'null',
        credited_on: `to_char(to_timestamp(m.at / 1000000), 'YYYY-MM-DD')`,
      },
      'from bench_items m join transfers t on t.item_id = m.source where t.replaces is null',
    ),
    insert(
      'order_receipts',
      { order_id: 'm.order_id', kept_at: 'm.at' },
      'from bench_made m join order_receipts t on t.order_id = m.source',
    ),
  ]
}

/** The reports of the acquirer. */
function reports() {
  return [
    // Two reports an order: the invoice is made, the invoice is paid. Each body differs, as a real one does.
    `create unlogged table bench_reports as select r.n * 2 + k as number, r.n, r.at,
       convert_to(replace('{"invoiceId":"bench-' || r.n || '","status":"' || (array['processing','success'])[k + 1] || '","amount":42000,"ccy":980,"reference":"' || ${id('c', 'r.n')} || '","modifiedDate":"2026-01-01T00:00:0' || k || 'Z","paymentInfo":{"maskedPan":"444403******1902","approvalCode":"662476","rrn":"060189181768","tranId":"13194036","terminal":"MI001088","bank":"Універсал Банк","paymentSystem":"visa","paymentMethod":"monobank","fee":0,"country":"804","agentFee":0},"destination":"Сплата за нотаріальні дії"}', '#', ''), 'UTF8') as body
       from bench_made r, generate_series(0, 1) k;\n`,
    `insert into acquirer_report_digests (body_digest, report_id) select sha256(body), ${id('d', 'number')} from bench_reports;\n`,
    `insert into acquirer_reports (id, received_at, invoice_id, modified_at, body, signature, verdict)
       select ${id('d', 'number')}, at, 'bench-' || n, at, body, repeat('MEUCIQ', 16), 'applied' from bench_reports;\n`,
  ]
}

/** What the searches read. */
function searchIndex() {
  return [
    'insert into search_phrases (notary_id, id, text) select distinct notary_id, phrase_id, phrase from item_phrases on conflict do nothing;\n',
    'insert into order_search (order_id, notary_id, created_at, words, phrases) select order_id, notary_id, created_at, words, phrases from order_search_source on conflict do nothing;\n',
    'insert into client_search (client_id, notary_id, words) select id, notary_id, search_key from clients where search_key is not null on conflict do nothing;\n',
  ]
}

/**
 * Writes the orders of ten years: copies of the paid orders of the sandbox's notary with their payments, attempts, events, transfers, receipts
 * and reports, for other clients of other notaries. Indexes are built when the rows are there.
 */
function seed() {
  const indexes = indexesOfTables()
  const text = [
    ...indexes.map(([name]) => `drop index ${name};\n`),
    ...sources(),
    ...people(),
    ...copiedOrders(),
    ...copiedPayments(),
    ...reports(),
    ...searchIndex(),
    'drop table bench_sources, bench_t0, bench_made, bench_clients, bench_items, bench_reports;\n',
    ...indexes.map(([, definition]) => `${definition};\n`),
    ...['order_search_by_keys', 'client_search_by_keys'].map(
      (name) => `alter index ${name} alter column 1 set statistics 0;\n`,
    ),
    "update counters set value = (select max(number) from orders) where name = 'order_number';\n",
    "update counters set value = (select max(document_number) from transfers) where name = 'document_number';\n",
    'vacuum analyze;\n',
  ]
  for (const statement of text) {
    const began = performance.now()
    psql(`${SESSION}${statement}`)
    process.stderr.write(
      `${((performance.now() - began) / 1000).toFixed(0).padStart(6)} s  ${statement.slice(0, 90).replaceAll('\n', ' ')}\n`,
    )
  }
}

/** Marks the days of the last month as compared: the acquirer of the sandbox knows nothing of copied orders, and each would open an alarm. */
function leaveOutComparison() {
  psql(`insert into statement_days (day, compared_at, compared_by, agreeing, made_good, unknown, different, lacking)
      select to_char(now() at time zone 'UTC' - n * interval '1 day', 'YYYY-MM-DD'), cast(extract(epoch from now()) as bigint) * 1000000,
        'bench', 0, 0, 0, 0, 0 from generate_series(0, 32) n
      on conflict (day) do update set compared_at = excluded.compared_at`)
}

/** The calls of a notary, each as a function of its facts that returns the request. */
const CALLS = {
  'GET /cart': () => ['/cart'],
  'GET /cart/client/last': () => ['/cart/client/last'],
  'GET /order, first page': () => ['/order'],
  'GET /order, paid': () => ['/order?status=paid'],
  'GET /order, second page': ({ page }) => [`/order?before=${page}`],
  'GET /order, twenty of a period': ({ from, to }) => [`/order?from=${from}&to=${to}`],
  'GET /order/{id}': ({ order }) => [`/order/${order}`],
  'GET /order/{id}/details': ({ order }) => [`/order/${order}/details`],
  'GET /order/{id}/transfers': ({ order }) => [`/order/${order}/transfers`],
  'GET /me/sessions': () => ['/me/sessions'],
  'GET /me/security-events': () => ['/me/security-events'],
  'POST /cart/add, then delete': ({ payment }) => ['/cart/add', payment],
}

/** The searches, each as a function of a notary's facts that returns the words. */
const SEARCHES = {
  'search: in every order': ['/order/search', () => 'реєстр'],
  'search: a third of the orders': ['/order/search', () => 'енко'],
  'search: one order of twelve': ['/order/search', () => 'тарас'],
  'search: two words': ['/order/search', () => 'шевченко леся'],
  'search: the number of the oldest order': ['/order/search', ({ oldest }) => oldest],
  'search: a code': ['/order/search', ({ code }) => code],
  'search: a sum': ['/order/search', ({ sum }) => sum],
  'search: nothing is found': ['/order/search', () => 'нікого'],
  'clients: first page': ['/book/clients/search', () => undefined],
  'clients: a name': ['/book/clients/search', () => 'шевченко леся'],
  'clients: a code': ['/book/clients/search', ({ code }) => code],
  'clients: nothing is found': ['/book/clients/search', () => 'нікого'],
}

/** Words of which each finds another number of rows. */
const WORDS = ['реєстр', 'енко', 'олена', 'марія', 'тарас', 'шевч', 'кравч', 'мельник', 'заєць', 'нікого']

const rowsOf = (answer) => (answer.orders ?? answer.clients ?? []).length

/** Returns the words with which a notary finds about as many rows as another one. */
async function wordsForAsMany({ notary }, path, own, wanted) {
  let best
  for (const text of [own, ...WORDS]) {
    const apart = Math.abs(rowsOf(await notary.post(path, { text })) - wanted)
    if (best === undefined || apart < best.apart) best = { text, apart }
  }
  return best.text
}

/** Logs in, and looks up what the calls name. */
async function begin(cabinet, phone) {
  const notary = await cabinet.logIn(phone)
  const page = await notary.get('/order')
  const order = page.orders[0]
  const whose = `(select id from notaries where phone = '${phone}')`
  const [code, name] = psql(
    `select c.inn, c.full_name from orders o join clients c on c.id = o.client_id where o.notary_id = ${whose} order by o.created_at limit 1`,
  ).split('\t')
  const oldest = psql(`select min(number) from orders where notary_id = ${whose}`)
  const sum = psql(
    `select cast(sum / 100.0 as numeric(12, 2)) from orders where notary_id = ${whose} order by created_at limit 1`,
  )
  return {
    notary,
    page: page.next ?? order.id,
    order: order.id,
    // Orders of a day for one, of two years for the other.
    from: page.orders[ORDERS_OF_PERIOD - 1].created_at.slice(0, 10),
    to: order.created_at.slice(0, 10),
    code,
    name,
    oldest,
    sum,
    payment: await paymentOf(notary, 'requisites_payment', { inn: code, full_name: name }),
  }
}

async function time({ notary }, [path, body]) {
  const began = performance.now()
  const answer = await (body === undefined ? notary.get(path) : notary.post(path, body))
  const passed = performance.now() - began
  if (path === '/cart/add') await notary.post('/cart/item/delete', { cart_item_id: answer.item_id })
  return passed
}

/** Returns the median times of requests, which are made in turns. */
async function times(requests) {
  const all = requests.map(() => [])
  for (let turn = 0; turn < Number(options.turns) + Number(options['warm-up']); turn += 1)
    for (const [place, [whose, request]] of requests.entries()) {
      const passed = await time(whose, request)
      if (turn >= Number(options['warm-up'])) all[place].push(passed)
    }
  return all.map(median)
}

const print = (what, cells) =>
  process.stdout.write(`${what.padEnd(42)} ${cells.map((cell) => String(cell).padStart(9)).join(' ')}\n`)

/** Prints the size of each table, with its indexes, and what an order takes. */
function sizes() {
  const rows = psql(
    `select coalesce(i.inhparent, c.oid)::regclass, sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)) from pg_class c
       left join pg_inherits i on i.inhrelid = c.oid
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by sum(pg_total_relation_size(c.oid)) desc limit 14`,
  )
    .split('\n')
    .map((line) => line.split('\t'))
  process.stdout.write(
    `\n${'table'.padEnd(28)} ${'rows, MB'.padStart(9)} ${'indexes'.padStart(9)}  bytes an order\n`,
  )
  let all = 0
  for (const [table, rowBytes, indexBytes] of rows) {
    const bytes = Number(rowBytes) + Number(indexBytes)
    all += bytes
    process.stdout.write(
      `${table.padEnd(28)} ${(rowBytes / 1e6).toFixed(0).padStart(9)} ${(indexBytes / 1e6).toFixed(0).padStart(9)}  ${Math.round(bytes / orders)}\n`,
    )
  }
  process.stdout.write(
    `${'together'.padEnd(28)} ${(all / 1e6).toFixed(0).padStart(9)} MB        ${Math.round(all / orders)}\n`,
  )
}

const cabinet = await Cabinet.make(options.binary, { database: options.postgres })
let good = true
try {
  if (!options.kept) {
    await cabinet.start()
    await cabinet.end()
    seed()
  }
  leaveOutComparison()
  await cabinet.start()
  const facts = { many: await begin(cabinet, MANY_PHONE), few: await begin(cabinet, FEW_PHONE) }
  const judge = (small, large) => {
    const reached = large <= small * RATIO_MOST || large - small <= NOTHING
    good &&= reached
    return [(large / small).toFixed(2), reached ? 'ok' : 'NOT REACHED']
  }
  print('call', ['few, ms', 'many, ms', 'ratio'])
  for (const [what, request] of Object.entries(CALLS)) {
    const requests = [facts.few, facts.many].map((whose) => [whose, request(whose)])
    const [small, large] = await times(requests)
    print(what, [small.toFixed(2), large.toFixed(2), ...judge(small, large)])
  }
  // A page of fifty orders takes longer than one of eight, whoever asks. So the notary with few orders is also asked for words with which she
  // finds as many.
  print('\nsearch', ['same, ms', 'rows', 'few, ms', 'rows', 'many, ms', 'rows', 'ratio'])
  for (const [what, [path, words]] of Object.entries(SEARCHES)) {
    const [ofFew, ofMany] = [words(facts.few), words(facts.many)]
    const found = async (whose, text) => rowsOf(await whose.notary.post(path, { text }))
    const wanted = await found(facts.many, ofMany)
    const likewise = await wordsForAsMany(facts.few, path, ofFew, wanted)
    const [same, small, large] = await times([
      [facts.few, [path, { text: ofFew }]],
      [facts.few, [path, { text: likewise }]],
      [facts.many, [path, { text: ofMany }]],
    ])
    const rows = [await found(facts.few, ofFew), await found(facts.few, likewise), wanted]
    const cells = [same, small, large].flatMap((ms, place) => [ms.toFixed(2), rows[place]])
    print(what, [...cells, ...judge(small, large)])
  }
  sizes()
} finally {
  await cabinet.end()
  cabinet.remove()
}
process.exitCode = verdict(good)
