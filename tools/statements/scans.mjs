// What may be read from end to end, and why.

/** Tables that stay small. Every other table grows. */
export const SMALL = {
  audit_starts: 'one row for each time at which the trail was shortened',
  counters: 'a few numbers, and the last commit of each connection of today',
  notaries: 'Ukraine has some seven thousand',
  reference_versions: 'one row for each loaded version of the tables',
  register_loads: 'one row for each loaded register',
  register_rows: 'the register of notaries, some seven thousand rows',
  statement_days: 'one row for each day',
}

/** Statements, by a part that no other has. */
export const SCANS = {
  // Once, by an operator.
  'delete from cart_items where notary_id = ?1': 'an account is erased',
  'select count(*) as items from cart_items where notary_id = ?1':
    'the operator asks what an erasure takes away',
  'union select notary_id from own_recipients where okpo = ?1':
    'the operator asks what is stored about a person',
  'select distinct recipient_iban from transfers':
    "a bank's file is read: an account of ours that is not among them is unknown",
  'and (f.day = ?1 or f.day is null and f.told_at >= ?2 and f.told_at < ?3)':
    'the operator compares a day with the bank',
  "update attempts set state = 'submitted', last_error = 'restored'": 'a copy of the database was restored',
  "update attempts set expires_at = ?3 where state = 'submitted'": 'a copy of the database was restored',
  "update refunds set state = 'submitted', last_error = 'restored'": 'a copy of the database was restored',
  'from outbox where delivered_at is null order by created_at, id': 'the operator lists what is to be sent',
  'and o.created_at < ?3 and (o.created_at >= ?2 or o.paid_at >= ?2':
    'the support looks for orders of some days; with the days known, PostgreSQL reads those alone',
  'where 1 = 1': 'the operator reads the trail, in the order of an index as far as the limit',
  'where closed_at is null order by first_at desc, id desc limit ?1':
    'the operator lists alarms, in the order of an index as far as the limit',
  'select o.number from orders o where o.status = ?2 and exists (select 1 from transfers t':
    'the operator exports the transfers of the day',
  "select t.id from transfers t where (t.status in ('planned', 'called_off') or t.updated_at > ?2 or":
    'a cabinet starts with a new secret',
  // By the worker, of what is kept for a short time.
  'delete from sessions where expires_at < ?1 or ended_at < ?1': 'old sessions are deleted, once an hour',
  'from sessions s join notaries n on n.id = s.notary_id where s.created_at >= ?1':
    'sessions are kept for a short time',
  'group by notary_id having count(*) >= ?3':
    'SQLite groups along an index; operations are kept for a short time',
  'where used_at is null and id in (select id from register_proofs)': 'a new register was loaded',
  'as since from removed_cards': 'a card stands there until its bank has forgotten it',
  // `cabinet doctor` compares everything with everything, by pages of orders or at night.
  'from transfers n join transfers t on t.id = n.replaces': 'doctor',
  'select o.id from orders o where exists (select 1 from transfers t where t.order_id = o.id and t.refunded_at < ?1)':
    'doctor',
  'select a.id from attempts a where exists (select 1 from refunds f where f.attempt_id = a.id)': 'doctor',
  "select t.id from refunds f join transfers t on t.id = f.transfer_id where f.state = 'done'": 'doctor',
  'select c.id from cart_items c join order_items i on i.id = c.id': 'doctor',
  'from orders o join attempts a on a.order_id = o.id where (o.updated_at, o.id) > (?1, ?2)': 'doctor',
  "(o.updated_at, o.id) <= (?3, ?4) and o.status = 'paid' and o.sum <> coalesce": 'doctor',
}
