import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeInPostgres, wholeInSqlite } from '../tools/statements/plans.mjs'
import { composedIn } from '../tools/statements/record.mjs'
import { isSql, isWhole, piecesOf, stringsOf } from '../tools/statements/source.mjs'

const DATABASE = {
  tables: ['orders', 'transfers'],
  partial: new Set(['orders_named']),
  first: new Map([['orders_by_notary', 'notary_id']]),
}
const inPostgres = (...steps) => wholeInPostgres({ steps }, DATABASE)
const inSqlite = (sql, ...steps) => wholeInSqlite({ steps }, DATABASE, sql)

test('a table without an index is read from end to end, and so is all of an index', () => {
  assert.deepEqual(inPostgres('Seq Scan on orders o', '  Filter: (pan = $1)'), ['orders'])
  assert.deepEqual(inPostgres('Index Scan using orders_by_notary on orders o', '  Filter: (pan = $1)'), [
    'orders',
  ])
  assert.deepEqual(inSqlite('select 1 from orders o', 'SCAN o'), ['orders'])
  assert.deepEqual(inSqlite('select 1 from orders', 'SCAN orders USING COVERING INDEX orders_by_notary'), [
    'orders',
  ])
})

test('a condition on what an index does not begin with bounds nothing', () => {
  const step = '  ->  Index Scan using orders_by_notary on orders o'
  assert.deepEqual(inPostgres('Limit', step, '        Index Cond: (status = $1)'), ['orders'])
  assert.deepEqual(inPostgres('Limit', step, '        Index Cond: (notary_id = $1)'), [])
  // What is said of the next step is not said of this one.
  assert.deepEqual(
    inPostgres('Nested Loop', step, '  ->  Index Scan using x on y', '        Index Cond: (notary_id = $1)'),
    ['orders'],
  )
})

test('an index for few rows is read as a whole, and so is a query inside of a statement', () => {
  assert.deepEqual(inPostgres('Index Scan using orders_named on orders o'), [])
  assert.deepEqual(inSqlite('select 1 from orders', 'SCAN orders USING INDEX orders_named'), [])
  assert.deepEqual(inSqlite('select 1 from (select 1 from orders) o', 'CO-ROUTINE o', 'SCAN o'), [])
})

const SOURCE = `
// "select 1 from comments"
const COLUMNS: &str = "id, \\
    number";
fn read(quote: char) -> bool { quote == '"' }
let sql = format!("select {COLUMNS} from orders where {} and id = ?1", condition);
error("the order is missing");
#[cfg(test)]
mod tests { const TEST: &str = "select 1 from tests"; }`

test('the source gives its strings, without comments and tests', () => {
  const strings = stringsOf(SOURCE)
  assert.deepEqual(
    strings.map(({ name, text }) => [name, text]),
    [
      ['COLUMNS', 'id, number'],
      ['sql', 'select {COLUMNS} from orders where {} and id = ?1'],
      [undefined, 'the order is missing'],
    ],
  )
  assert.deepEqual(strings.map(isSql), [false, true, false])
  assert.deepEqual(strings.map(isWhole), [false, false, false])
  assert.deepEqual(piecesOf(strings[1].text), ['select', 'from orders where', 'and id = ?1'])
})

test('the log of a server gives the statements that the product puts together, and no others', () => {
  const strings = [{ text: 'select id from orders where {} and id = ?1' }]
  const log = `LOG:  execute s1: select id from orders
\twhere pan = 'x' and id = $1 limit 20
LOG:  execute s2: select id from orders where pan = 'x' and id = $1 limit 30
LOG:  statement: select id from orders where id = 2
LOG:  statement: begin`
  assert.deepEqual(composedIn(log, strings), ["select id from orders where pan = 'x' and id = ?1 limit 30"])
})
