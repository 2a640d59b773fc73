//! Logins and sign-ups that wait for their code or call.
//!
//! Counting a try, using an operation up and confirming a call are single guarded statements, so that of ten parallel
//! requests exactly one succeeds.

use cabinet_domain::{
    CodeBudget, LoginOperation, LoginStep, NewLoginOperation, NotaryId, OperationId, Phone,
    SessionId, TransactionId,
};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;

// The column `sent_at` is unused. A later release may drop it: until then the release before this one can still run.
const COLUMNS: &str = "id, notary_id, phone, purpose, step, code_hash, budget, code_digits, session_id, tries, transaction_id, call_id, created_at, \
    expires_at, confirmed_at, used_at";

fn read(row: &mut Row<'_>) -> Result<LoginOperation> {
    Ok(LoginOperation {
        id: row.next()?,
        notary_id: row.next()?,
        phone: row.next()?,
        purpose: row.next()?,
        step: row.next()?,
        code_hash: row.next()?,
        budget: row.next()?,
        code_digits: row.next()?,
        session_id: row.next()?,
        tries: row.next()?,
        transaction_id: row.next()?,
        phone_call_id: row.next()?,
        created_at: row.next()?,
        expires_at: row.next()?,
        confirmed_at: row.next()?,
        used_at: row.next()?,
    })
}

/// Stores an operation.
pub fn insert(tx: &mut Tx, operation: &NewLoginOperation) -> Result<()> {
    tx.execute(
        "insert into login_operations (id, notary_id, phone, purpose, step, code_hash, budget, code_digits, session_id, tries,
             address_hash, network_hash, transaction_id, created_at, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10, ?11, ?12, ?13, ?14)",
        params![
            operation.id,
            operation.notary_id,
            operation.phone,
            operation.purpose,
            operation.step,
            operation.code_hash,
            operation.budget,
            operation.code_digits,
            operation.session_id,
            operation.address_hash,
            operation.network_hash,
            operation.transaction_id,
            operation.created_at,
            operation.expires_at,
        ],
    )
    .map(|_| ())
}

/// Returns an operation by id. Locks it in a unit of work that may write.
pub fn by_id(tx: &mut Tx, operation: OperationId) -> Result<Option<LoginOperation>> {
    let sql = format!(
        "select {COLUMNS} from login_operations where id = ?1{}",
        tx.lock_clause()
    );
    tx.row_optional(&sql, params![operation], read)
}

/// Returns an operation by its transaction id. Locks it in a unit of work that may write.
pub fn by_transaction(tx: &mut Tx, transaction: TransactionId) -> Result<Option<LoginOperation>> {
    let sql = format!(
        "select {COLUMNS} from login_operations where transaction_id = ?1{}",
        tx.lock_clause()
    );
    tx.row_optional(&sql, params![transaction], read)
}

/// Returns the operations of a phone since a moment (inclusive) that have a code, each with the hash of its code.
pub fn codes_of_phone(
    tx: &mut Tx,
    phone: &Phone,
    since: Timestamp,
) -> Result<Vec<(OperationId, [u8; 32])>> {
    tx.rows(
        "select id, code_hash from login_operations
         where phone = ?1 and created_at >= ?2 and code_hash is not null",
        params![phone, since],
        |row| Ok((row.next()?, row.next()?)),
    )
}

/// Returns when the latest code or call of a budget was sent to a phone after a moment, of those that can still be answered.
pub fn last_sent_to_phone(
    tx: &mut Tx,
    phone: &Phone,
    budget: CodeBudget,
    after: Timestamp,
    tries_max: i64,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    tx.row(
        "select max(created_at) from login_operations
         where phone = ?1 and budget = ?5 and created_at > ?2 and created_at <= ?4 and step <> 'custom' and used_at is null
             and tries < ?3 and expires_at > ?4",
        params![phone, after, tries_max, now, budget],
        |row| row.next(),
    )
}

/// Returns when the phone was last called, as [`last_sent_to_phone`] does for codes and calls.
pub fn last_call_to_phone(
    tx: &mut Tx,
    phone: &Phone,
    budget: CodeBudget,
    after: Timestamp,
    tries_max: i64,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    tx.row(
        "select max(created_at) from login_operations
         where phone = ?1 and budget = ?5 and created_at > ?2 and created_at <= ?4 and step = 'phone_call' and used_at is null
             and tries < ?3 and expires_at > ?4",
        params![phone, after, tries_max, now, budget],
        |row| row.next(),
    )
}

/// How many were counted, and when the earliest of them was.
pub type Counted = (i64, Option<Timestamp>);

/// Returns the number of operations of a phone, or of one session of it, with a step and budget since a moment (inclusive).
///
/// In a unit of work that may write, parallel units that count the same phone wait for this one, so that the limit
/// holds for parallel requests too.
pub fn count_of_phone(
    tx: &mut Tx,
    (phone, session): (&Phone, Option<SessionId>),
    budget: CodeBudget,
    step: LoginStep,
    since: Timestamp,
) -> Result<Counted> {
    lock_phone(tx, phone)?;
    look_at_count_of_phone(tx, (phone, session), budget, step, since)
}

/// Returns the same, and nobody waits: for a choice after which the limit is checked by [`count_of_phone`]. The lock would be taken before those
/// of the address and the network, which come first.
pub fn look_at_count_of_phone(
    tx: &mut Tx,
    (phone, session): (&Phone, Option<SessionId>),
    budget: CodeBudget,
    step: LoginStep,
    since: Timestamp,
) -> Result<Counted> {
    let sql = format!(
        "select count(*), min(created_at) from login_operations
         where phone = ?1 and created_at >= ?2 and budget = ?3 and step = ?4{}",
        of_session(session, "?5")
    );
    match session {
        None => tx.row(&sql, params![phone, since, budget, step], read_counted),
        Some(session) => tx.row(
            &sql,
            params![phone, since, budget, step, session],
            read_counted,
        ),
    }
}

/// Makes units of work that write and concern this phone run one after the other.
pub fn lock_phone(tx: &mut Tx, phone: &Phone) -> Result<()> {
    tx.advisory_lock(phone.as_str().as_bytes())
}

fn read_counted(row: &mut Row<'_>) -> Result<Counted> {
    Ok((row.next()?, row.next()?))
}

fn of_session(session: Option<SessionId>, parameter: &str) -> String {
    session.map_or_else(String::new, |_| format!(" and session_id = {parameter}"))
}

/// Returns the number of wrong codes of a phone, or of one session of it, and budget, of operations begun since a moment (inclusive).
pub fn wrong_codes_of_phone(
    tx: &mut Tx,
    (phone, session): (&Phone, Option<SessionId>),
    budget: CodeBudget,
    since: Timestamp,
) -> Result<Counted> {
    let sql = format!(
        "select {WRONG_CODES}, min(created_at) from login_operations
         where phone = ?1 and created_at >= ?2 and budget = ?3 and tries > 0{}",
        of_session(session, "?4")
    );
    match session {
        None => tx.row(&sql, params![phone, since, budget], read_counted),
        Some(session) => tx.row(&sql, params![phone, since, budget, session], read_counted),
    }
}

/// Wrong codes: the try that used an operation up was right.
const WRONG_CODES: &str =
    "cast(coalesce(sum(tries - case when used_at is null then 0 else 1 end), 0) as bigint)";

/// What a request came from, by its keyed hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// The address, as far as it is one customer's.
    Address(&'a [u8; 32]),
    /// Its network.
    Network(&'a [u8; 32]),
}

impl<'a> Source<'a> {
    const fn column(self) -> &'static str {
        match self {
            Source::Address(_) => "address_hash",
            Source::Network(_) => "network_hash",
        }
    }

    const fn hash(self) -> &'a [u8; 32] {
        match self {
            Source::Address(hash) | Source::Network(hash) => hash,
        }
    }
}

/// The operations of devices that are new to the account. What known devices do uses up nothing of the others' budget.
const OF_NEW_DEVICES: &str = "budget in ('known_network', 'unknown')";

/// Like [`count_of_phone`], of all phones and new devices, by the source. Also counts tries that were refused before there was
/// an operation, and codes that a message service refused to send.
pub fn count_of_source(tx: &mut Tx, source: Source<'_>, since: Timestamp) -> Result<Counted> {
    tx.advisory_lock(source.hash())?;
    let column = source.column();
    let sql = format!(
        "select count(*), min(created_at) from (
             select created_at from login_operations where {column} = ?1 and created_at >= ?2 and {OF_NEW_DEVICES}
             union all
             select created_at from refused_entries where {column} = ?1 and created_at >= ?2
         ) as tries"
    );
    tx.row(&sql, params![source.hash(), since], |row| {
        Ok((row.next()?, row.next()?))
    })
}

/// Returns the number of wrong codes entered for operations that new devices began from a source since a moment (inclusive), and
/// when the earliest of these operations was begun. Operations that ended with the right code do not count.
pub fn wrong_codes_of_source(tx: &mut Tx, source: Source<'_>, since: Timestamp) -> Result<Counted> {
    let sql = format!(
        "select cast(coalesce(sum(tries), 0) as bigint), min(created_at) from login_operations
         where {} = ?1 and created_at >= ?2 and used_at is null and tries > 0 and {OF_NEW_DEVICES}",
        source.column()
    );
    tx.row(&sql, params![source.hash(), since], |row| {
        Ok((row.next()?, row.next()?))
    })
}

/// Returns the number of wrong codes from new devices in the whole installation, of operations begun since a moment.
pub fn wrong_codes_of_new_devices(tx: &mut Tx, since: Timestamp) -> Result<i64> {
    let sql = format!(
        "select {WRONG_CODES} as wrong from login_operations
         where created_at >= ?1 and tries > 0 and {OF_NEW_DEVICES}"
    );
    tx.row(&sql, params![since], |row| row.next())
}

/// Makes units of work that write and count the wrong codes of the whole installation run one after the other.
pub fn lock_wrong_codes(tx: &mut Tx) -> Result<()> {
    tx.advisory_lock(b"wrong codes of new devices")
}

/// The same for the wrong codes of one phone's known devices. A lock of its own: strangers who ask for codes of the phone don't take it.
pub fn lock_wrong_codes_of_known_devices(tx: &mut Tx, phone: &Phone) -> Result<()> {
    tx.advisory_lock(format!("wrong codes of known devices of {}", phone.as_str()).as_bytes())
}

/// Returns the number of messages with codes in the whole installation since a moment, and when the earliest was sent.
pub fn count_messages(tx: &mut Tx, since: Timestamp) -> Result<Counted> {
    let sql = "select count(*), min(created_at) from (
                   select created_at from login_operations where step = 'otp' and created_at >= ?1
                   union all select created_at from outbox where kind = 'client_message' and created_at >= ?1) as messages";
    tx.row(sql, params![since], |row| Ok((row.next()?, row.next()?)))
}

/// Returns the number of calls in the whole installation since a moment, and when the earliest was made.
pub fn count_phone_calls(tx: &mut Tx, since: Timestamp) -> Result<Counted> {
    let sql = "select count(*), min(created_at) from login_operations where step = 'phone_call' and created_at >= ?1";
    tx.row(sql, params![since], |row| Ok((row.next()?, row.next()?)))
}

/// A try that was refused before there was an operation, or of which none is left, by keyed hashes.
#[derive(Clone, Copy, Debug)]
pub struct RefusedEntry {
    /// Of its network address.
    pub address_hash: [u8; 32],
    /// Of its network.
    pub network_hash: [u8; 32],
    /// When it was made.
    pub created_at: Timestamp,
}

/// Records a try that was refused before there was an operation.
pub fn record_refused_entry(tx: &mut Tx, entry: &RefusedEntry) -> Result<()> {
    tx.execute(
        "insert into refused_entries (address_hash, network_hash, created_at) values (?1, ?2, ?3)",
        params![entry.address_hash, entry.network_hash, entry.created_at],
    )
    .map(|_| ())
}

/// Counts a try before the code is compared. Returns false if `tries_max` tries were counted already or the operation
/// is used up; the code must not be compared then.
pub fn claim_try(tx: &mut Tx, operation: OperationId, tries_max: i64) -> Result<bool> {
    let sql = "update login_operations set tries = tries + 1 where id = ?1 and tries < ?2 and used_at is null";
    Ok(tx.execute(sql, params![operation, tries_max])? == 1)
}

/// Uses an operation up. Returns true for the first caller only.
pub fn use_once(tx: &mut Tx, operation: OperationId, now: Timestamp) -> Result<bool> {
    let sql = "update login_operations set used_at = ?2 where id = ?1 and used_at is null and expires_at > ?2";
    Ok(tx.execute(sql, params![operation, now])? == 1)
}

/// Uses an operation of the phone-call step up. Returns true for the first caller only, and only if its call was
/// confirmed.
pub fn use_confirmed_once(tx: &mut Tx, operation: OperationId, now: Timestamp) -> Result<bool> {
    let sql = "update login_operations set used_at = ?2
               where id = ?1 and used_at is null and confirmed_at is not null and expires_at > ?2";
    Ok(tx.execute(sql, params![operation, now])? == 1)
}

/// Records the voice service's id of a call that was placed.
pub fn record_phone_call(tx: &mut Tx, operation: OperationId, phone_call_id: &str) -> Result<()> {
    tx.execute(
        "update login_operations set call_id = ?2 where id = ?1",
        params![operation, phone_call_id],
    )
    .map(|_| ())
}

/// Makes an operation good again whose right code has led to nothing. Its try does not count.
pub fn give_back(tx: &mut Tx, operation: OperationId) -> Result<()> {
    let sql = "update login_operations set used_at = null, tries = tries - 1 where id = ?1 and used_at is not null and tries > 0";
    tx.execute(sql, params![operation]).map(|_| ())
}

/// Records that the right key was pressed. Returns false if it was recorded before, or if the operation is used up or
/// expired.
pub fn confirm_phone_call(tx: &mut Tx, transaction: TransactionId, now: Timestamp) -> Result<bool> {
    let sql = "update login_operations set confirmed_at = ?2
               where transaction_id = ?1 and confirmed_at is null and used_at is null and expires_at > ?2";
    Ok(tx.execute(sql, params![transaction, now])? == 1)
}

/// Ends an operation whose call was refused or is over, so that it cannot be confirmed any more. A confirmed operation
/// is left as it is.
pub fn end_phone_call(tx: &mut Tx, transaction: TransactionId, now: Timestamp) -> Result<bool> {
    let sql = "update login_operations set expires_at = ?2
               where transaction_id = ?1 and confirmed_at is null and expires_at > ?2";
    Ok(tx.execute(sql, params![transaction, now])? == 1)
}

/// Ends every code and call of a notary that waits for an answer, whatever the clock shows. They go on counting for the limits.
pub fn end_open(tx: &mut Tx, notary: NotaryId) -> Result<u64> {
    let sql = "update login_operations set expires_at = created_at where notary_id = ?1 and used_at is null";
    tx.execute(sql, params![notary])
}

/// Deletes an operation whose code was certainly not sent, so that it counts for no limit.
pub fn delete(tx: &mut Tx, operation: OperationId) -> Result<()> {
    tx.execute(
        "delete from login_operations where id = ?1 and used_at is null",
        params![operation],
    )
    .map(|_| ())
}

/// Deletes an operation whose code a message service refused to send to its number. That of a new device goes on counting for its
/// address and network, and for no other limit.
pub fn delete_refused(tx: &mut Tx, operation: OperationId) -> Result<()> {
    let sql = format!(
        "insert into refused_entries (address_hash, network_hash, created_at)
         select address_hash, network_hash, created_at from login_operations
         where id = ?1 and used_at is null and {OF_NEW_DEVICES}"
    );
    tx.execute(&sql, params![operation])?;
    delete(tx, operation)
}

/// Records that the code of a login did not leave, or may not have arrived.
pub fn record_unsent(tx: &mut Tx, operation: OperationId) -> Result<()> {
    let sql = "insert into unsent_codes (notary_id, address_hash, created_at)
               select notary_id, address_hash, created_at from login_operations where id = ?1 and purpose = 'login'";
    tx.execute(sql, params![operation]).map(|_| ())
}

/// Whether a code that an address asked for after a moment has not left, or may not have arrived.
pub fn was_unsent(
    tx: &mut Tx,
    notary: NotaryId,
    address_hash: &[u8; 32],
    after: Timestamp,
) -> Result<bool> {
    let sql = "select exists (select 1 from unsent_codes where notary_id = ?1 and address_hash = ?2 and created_at > ?3)";
    tx.row(sql, params![notary, address_hash, after], |row| row.next())
}

/// Returns the notaries to whom a step has sent so many codes or calls since a moment for devices and networks that she has not used.
pub fn used_up(tx: &mut Tx, step: LoginStep, most: i64, since: Timestamp) -> Result<Vec<NotaryId>> {
    let sql = "select notary_id from login_operations
               where created_at >= ?1 and step = ?2 and budget = 'unknown' and purpose = 'login'
               group by notary_id having count(*) >= ?3 order by notary_id";
    tx.rows(sql, params![since, step, most], |row| row.next())
}

/// Codes that new devices asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodesOfNewDevices {
    /// Those that were entered.
    pub entered: i64,
    /// Those that were not.
    pub unanswered: i64,
}

/// Returns how many codes new devices have asked for since a moment, sign-ups among them.
pub fn codes_of_new_devices(tx: &mut Tx, since: Timestamp) -> Result<CodesOfNewDevices> {
    let sql = format!(
        "select cast(coalesce(sum(case when used_at is null then 0 else 1 end), 0) as bigint),
             cast(coalesce(sum(case when used_at is null then 1 else 0 end), 0) as bigint)
         from login_operations where created_at >= ?1 and step = 'otp' and {OF_NEW_DEVICES}"
    );
    tx.row(&sql, params![since], |row| {
        Ok(CodesOfNewDevices {
            entered: row.next()?,
            unanswered: row.next()?,
        })
    })
}

/// Deletes operations and refused tries older than a moment. The moment must lie further back than any limit counts.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from refused_entries where created_at < ?1",
        params![before],
    )?;
    tx.execute(
        "delete from unsent_codes where created_at < ?1",
        params![before],
    )?;
    tx.execute(
        "delete from login_operations where created_at < ?1",
        params![before],
    )
}
