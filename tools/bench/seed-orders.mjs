import { DatabaseSync } from 'node:sqlite'

/** Writes copies of a notary's paid orders into the database file, a minute apart, up to the given number. */
export function seedOrders(database, phone, count) {
  const file = new DatabaseSync(database)
  try {
    const columns = (table) =>
      file
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map((one) => one.name)
    const copy = (table, changed) =>
      columns(table)
        .map((name) => changed[name] ?? `t.${name}`)
        .join(', ')
    const { id: notary } = file.prepare('select id from notaries where phone = ?').get(phone)
    const { id: order, present } = file
      .prepare(
        "select id, (select count(*) from orders where notary_id = ?1) as present from orders where notary_id = ?1 and status = 'paid' limit 1",
      )
      .get(notary)
    file.exec('begin; create temp table made (n integer primary key, order_id blob, item_id blob)')
    file
      .prepare(
        'with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ?) insert into made select n, randomblob(16), randomblob(16) from counted',
      )
      .run(Math.max(1, count - present))
    file
      .prepare(
        `insert into orders select ${copy('orders', {
          id: 'm.order_id',
          number: '(select max(number) from orders) + m.n',
          created_at: 't.created_at - m.n * 60000000',
          idempotency_key: "'bench-' || m.n",
        })} from made m, orders t where t.id = ?`,
      )
      .run(order)
    file
      .prepare(
        `insert into order_items select ${copy('order_items', {
          id: 'm.item_id',
          order_id: 'm.order_id',
        })} from made m, order_items t where t.order_id = ? and t.position = 1`,
      )
      .run(order)
    file.exec('drop table made; commit; analyze')
  } finally {
    file.close()
  }
}
