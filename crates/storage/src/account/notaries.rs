//! Notaries: the users of the cabinet.

use std::sync::LazyLock;

use cabinet_domain::{
    AccountStanding, Email, Iban, Inn, KnownStatus, LoginStep, NewNotary, Notary, NotaryId, Okpo,
    PersonName, Phone, Practice, Profile, RegistryIdentifier, SessionId, Standing, StandingBy,
};
use jiff::Timestamp;

use crate::account::sessions::OF_LIVE_SESSION;
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::{LockedNotary, MayLockNotary, locked_notary, locked_notary_of_session};

const COLUMNS: &str = "id, phone, full_name, registry_identifier, inn, certificate_number, phone_additional, email, \
    notary_address, card_pan, iban, okpo, exemption_date_finish, login_step, new_flow_enabled, agreed_terms_at, \
    phone_verified_at, created_at, updated_at, standing, standing_reason, standing_since, standing_by, confirmed_at, \
    notary_status, notary_status_by, notary_status_reason, notary_status_since, requested_name";

fn read(row: &mut Row<'_>) -> Result<Notary> {
    Ok(Notary {
        id: row.next()?,
        phone: row.next()?,
        profile: read_profile(row)?,
        login_step: row.next()?,
        chooses_payment_method: row.next()?,
        agreed_terms_at: row.next()?,
        phone_verified_at: row.next()?,
        created_at: row.next()?,
        updated_at: row.next()?,
        standing: read_standing(row)?,
        practice: read_practice(row)?,
        requested_name: row.next()?,
    })
}

fn read_standing(row: &mut Row<'_>) -> Result<Standing> {
    Ok(Standing {
        account: row.next()?,
        reason: row.next()?,
        since: row.next()?,
        by: row.next()?,
        confirmed_at: row.next()?,
    })
}

fn read_practice(row: &mut Row<'_>) -> Result<Practice> {
    Ok(Practice {
        status: row.next()?,
        by: row.next()?,
        reason: row.next()?,
        since: row.next()?,
    })
}

fn read_profile(row: &mut Row<'_>) -> Result<Profile> {
    Ok(Profile {
        full_name: row.next()?,
        registry_identifier: row.next()?,
        inn: row.next()?,
        certificate_number: row.next()?,
        phone_additional: row.next()?,
        email: row.next()?,
        notary_address: row.next()?,
        card_pan: row.next()?,
        iban: row.next()?,
        okpo: row.next()?,
        exemption_date_finish: row.next()?,
    })
}

/// Inserts an account. Returns false if the phone belongs to one already.
pub fn insert(tx: &mut Tx, notary: &NewNotary) -> Result<bool> {
    let account = if notary.confirmation.is_some() {
        AccountStanding::Confirmed
    } else {
        AccountStanding::Waiting
    };
    let inserted = tx.execute(
        "insert into notaries (id, phone, full_name, registry_identifier, login_step, new_flow_enabled, agreed_terms_at,
             phone_verified_at, created_at, updated_at, standing, standing_since, standing_by, confirmed_at,
             notary_status_since)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?9, ?11, ?12, ?9)
         on conflict (phone) do nothing",
        params![
            notary.id,
            notary.phone,
            notary.full_name,
            notary.registry_identifier,
            notary.login_step,
            notary.chooses_payment_method,
            notary.agreed_terms_at,
            notary.phone_verified_at,
            notary.created_at,
            account,
            notary.confirmation.unwrap_or(StandingBy::SignUp),
            notary.confirmation.map(|_| notary.created_at),
        ],
    )?;
    Ok(inserted == 1)
}

/// Restarts the sign-up of an account whose phone is not verified: the new data replace all earlier ones, but for a standing
/// that the operator has decided. Returns false
/// if the phone is verified.
pub fn restart_sign_up(tx: &mut Tx, notary: NotaryId, anew: &NewNotary) -> Result<bool> {
    let changed = tx.execute(
        "update notaries set full_name = ?2, registry_identifier = ?3, login_step = ?4, new_flow_enabled = ?5,
             agreed_terms_at = ?6, created_at = ?7, updated_at = ?7,
             standing_since = case when standing = 'waiting' then ?7 else standing_since end, inn = null, certificate_number = null,
             phone_additional = null, email = null, notary_address = null, card_pan = null, iban = null, okpo = null,
             exemption_date_finish = null, notary_status = 'private', notary_status_by = 'default', notary_status_reason = null,
             notary_status_since = ?7
         where id = ?1 and phone_verified_at is null",
        params![
            notary,
            anew.full_name,
            anew.registry_identifier,
            anew.login_step,
            anew.chooses_payment_method,
            anew.agreed_terms_at,
            anew.created_at,
        ],
    )?;
    Ok(changed == 1)
}

/// Deletes accounts without a verified phone that were made before a moment and have no sessions or login operations, with the
/// browsers in which their sign-up began.
pub fn purge_unproven(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let unproven = "phone_verified_at is null and erased_at is null and created_at < ?1
             and not exists (select 1 from sessions where sessions.notary_id = notaries.id)
             and not exists (select 1 from login_operations where login_operations.notary_id = notaries.id)";
    let devices = format!(
        "delete from devices where notary_id in (select id from notaries where {unproven})"
    );
    tx.execute(&devices, params![before])?;
    let accounts = format!("delete from notaries where {unproven}");
    tx.execute(&accounts, params![before])
}

/// Returns a notary by id.
pub fn by_id(tx: &mut Tx, notary: NotaryId) -> Result<Option<Notary>> {
    tx.row_optional(&BY_ID, params![notary], read)
}

/// Locks a notary and returns her account.
pub fn lock(
    tx: &mut impl MayLockNotary,
    notary: NotaryId,
) -> Result<Option<(LockedNotary, Notary)>> {
    locked_notary(tx, &BY_ID, params![notary], read_with_id)
}

static BY_ID: LazyLock<String> =
    LazyLock::new(|| format!("select {COLUMNS} from notaries where id = ?1"));

fn read_with_id(row: &mut Row<'_>) -> Result<(NotaryId, Notary)> {
    let notary = read(row)?;
    Ok((notary.id, notary))
}

/// Locks a notary whose session is alive and whose phone is verified, and returns her account.
pub fn lock_of_session(
    tx: &mut impl MayLockNotary,
    notary: NotaryId,
    session: SessionId,
    now: Timestamp,
) -> Result<Option<(LockedNotary, Notary)>> {
    locked_notary_of_session(tx, COLUMNS, (notary, session, now), read)
}

/// What a profile says of its notary as a recipient.
#[derive(Clone, Debug)]
pub struct OwnCodes {
    /// Her own code.
    pub inn: Option<Inn>,
    /// The code of the account.
    pub okpo: Option<Okpo>,
    /// The account.
    pub iban: Option<Iban>,
    /// Her name.
    pub full_name: PersonName,
    /// Her status.
    pub status: KnownStatus,
}

/// Returns the notary's codes, account and name from the profile. `None`: there is no such notary.
pub fn own_codes_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<OwnCodes>> {
    let sql = format!("select {OWN_CODES} from notaries n where n.id = ?1");
    tx.row_optional(&sql, params![notary], read_own_codes)
}

/// Returns those of a notary whose session is alive and whose phone is verified.
pub fn own_codes_of_session(
    tx: &mut Tx,
    notary: NotaryId,
    session: SessionId,
    now: Timestamp,
) -> Result<Option<OwnCodes>> {
    let sql = format!("select {OWN_CODES} from notaries n where {OF_LIVE_SESSION}");
    tx.row_optional(&sql, params![notary, session, now], read_own_codes)
}

/// Locks such a notary, and returns the same.
pub fn lock_with_own_codes(
    tx: &mut impl MayLockNotary,
    notary: NotaryId,
    session: SessionId,
    now: Timestamp,
) -> Result<Option<(LockedNotary, OwnCodes)>> {
    locked_notary_of_session(tx, OWN_CODES, (notary, session, now), read_own_codes)
}

/// The columns of a notary `n`, in the order of [`read_own_codes`].
pub(crate) const OWN_CODES: &str =
    "n.inn, n.okpo, n.iban, n.full_name, n.notary_status, n.notary_status_by, n.id";

pub(crate) fn read_own_codes(row: &mut Row<'_>) -> Result<OwnCodes> {
    Ok(OwnCodes {
        inn: row.next()?,
        okpo: row.next()?,
        iban: row.next()?,
        full_name: row.next()?,
        status: read_status(row)?,
    })
}

/// Returns the notary's own code.
pub fn inn_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<Inn>> {
    let sql = "select inn, id from notaries where id = ?1";
    let found = tx.row_optional(sql, params![notary], |row| row.next::<Option<Inn>>())?;
    Ok(found.flatten())
}

/// Returns the account of a notary's profile.
pub fn iban_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<Iban>> {
    let sql = "select iban, id from notaries where id = ?1";
    let found = tx.row_optional(sql, params![notary], |row| row.next::<Option<Iban>>())?;
    Ok(found.flatten())
}

/// Returns the name of a notary.
pub fn full_name_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<PersonName>> {
    let sql = "select full_name, id from notaries where id = ?1";
    tx.row_optional(sql, params![notary], |row| row.next())
}

/// Returns where a notary is told of her account: the phone, and the e-mail address if she gave one.
pub fn contact_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<(Phone, Option<Email>)>> {
    let sql = "select phone, email from notaries where id = ?1";
    tx.row_optional(sql, params![notary], |row| Ok((row.next()?, row.next()?)))
}

/// Returns when an account was made.
pub fn created_at_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<Timestamp>> {
    let sql = "select created_at, id from notaries where id = ?1";
    tx.row_optional(sql, params![notary], |row| row.next())
}

/// Returns the phone of a notary.
pub fn phone_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<Phone>> {
    let sql = "select phone, id from notaries where id = ?1";
    tx.row_optional(sql, params![notary], |row| row.next())
}

/// Returns a notary by phone.
pub fn by_phone(tx: &mut Tx, phone: &Phone) -> Result<Option<Notary>> {
    tx.row_optional(&BY_PHONE, params![phone], read)
}

/// Locks a notary by phone, and returns her account.
pub fn lock_by_phone(
    tx: &mut impl MayLockNotary,
    phone: &Phone,
) -> Result<Option<(LockedNotary, Notary)>> {
    locked_notary(tx, &BY_PHONE, params![phone], read_with_id)
}

static BY_PHONE: LazyLock<String> = LazyLock::new(|| {
    format!("select {COLUMNS} from notaries where phone = ?1 and erased_at is null")
});

/// Returns the accounts with an identifier in the register, the earliest first.
pub fn by_registry_identifier(tx: &mut Tx, identifier: &RegistryIdentifier) -> Result<Vec<Notary>> {
    let sql = format!(
        "select {COLUMNS} from notaries where registry_identifier = ?1 and erased_at is null order by created_at, id"
    );
    tx.rows(&sql, params![identifier], read)
}

/// Replaces the phone of an account. The caller has found it free.
pub fn set_phone(tx: &mut Tx, notary: &LockedNotary, phone: &Phone, now: Timestamp) -> Result<()> {
    let sql = "update notaries set phone = ?2, updated_at = ?3 where id = ?1";
    tx.execute(sql, params![notary, phone, now]).map(|_| ())
}

/// Returns the ids of all notaries.
pub fn ids(tx: &mut Tx) -> Result<Vec<NotaryId>> {
    tx.rows("select id from notaries", params![], |row| row.next())
}

/// Returns all notaries who were not erased, the earliest first; for the operator.
pub fn all(tx: &mut Tx) -> Result<Vec<Notary>> {
    tx.rows(
        &format!("select {COLUMNS} from notaries where erased_at is null order by created_at, id"),
        params![],
        read,
    )
}

/// Stores the profile. Returns false if there is no such notary.
pub fn save_profile(
    tx: &mut Tx,
    notary: &LockedNotary,
    profile: &Profile,
    now: Timestamp,
) -> Result<bool> {
    let exemption_date_finish = profile.exemption_date_finish.map(|date| date.to_string());
    let changed = tx.execute(
        "update notaries set full_name = ?2, registry_identifier = ?3, inn = ?4, certificate_number = ?5,
             phone_additional = ?6, email = ?7, notary_address = ?8, card_pan = ?9, iban = ?10, okpo = ?11,
             exemption_date_finish = ?12, updated_at = ?13
         where id = ?1",
        params![
            notary,
            profile.full_name,
            profile.registry_identifier,
            profile.inn,
            profile.certificate_number,
            profile.phone_additional,
            profile.email,
            profile.notary_address,
            profile.card_pan,
            profile.iban,
            profile.okpo,
            exemption_date_finish,
            now,
        ],
    )?;
    Ok(changed == 1)
}

/// Stores the name that an account asks for. `None`: it asks for none any more. Another one waits since the first was asked for.
pub fn request_name(
    tx: &mut Tx,
    notary: &LockedNotary,
    name: Option<&PersonName>,
    now: Timestamp,
) -> Result<()> {
    match name {
        Some(name) => tx.execute(
            "update notaries set requested_name = ?2, name_requested_at = coalesce(name_requested_at, ?3) where id = ?1",
            params![notary, name, now],
        ),
        None => tx.execute(
            "update notaries set requested_name = null, name_requested_at = null where id = ?1",
            params![notary],
        ),
    }
    .map(|_| ())
}

/// Gives an account the name that it asks for.
pub fn take_requested_name(tx: &mut Tx, notary: &LockedNotary, now: Timestamp) -> Result<()> {
    let sql =
        "update notaries set full_name = requested_name, requested_name = null, name_requested_at = null, updated_at = ?2
               where id = ?1 and requested_name is not null";
    tx.execute(sql, params![notary, now]).map(|_| ())
}

/// Returns the confirmed accounts that ask for another name. A blocked one keeps its wish until it is confirmed again.
pub fn with_requested_name(tx: &mut Tx) -> Result<Vec<Notary>> {
    let sql = format!(
        "select {COLUMNS} from notaries where requested_name is not null and standing = ?1 order by id"
    );
    tx.rows(&sql, params![AccountStanding::Confirmed], read)
}

/// Records that the terms in force were accepted, unless it is recorded already.
pub fn agree_to_terms(tx: &mut Tx, notary: NotaryId, now: Timestamp) -> Result<()> {
    let sql = "update notaries set agreed_terms_at = ?2, updated_at = ?2 where id = ?1 and agreed_terms_at is null";
    tx.execute(sql, params![notary, now]).map(|_| ())
}

/// Records that the phone was verified, unless it is recorded already.
pub fn verify_phone(tx: &mut Tx, notary: NotaryId, now: Timestamp) -> Result<()> {
    let sql = "update notaries set phone_verified_at = ?2, updated_at = ?2 where id = ?1 and phone_verified_at is null";
    tx.execute(sql, params![notary, now]).map(|_| ())
}

/// Sets the login step. Returns false if there is no such notary.
pub fn set_login_step(
    tx: &mut Tx,
    notary: NotaryId,
    step: LoginStep,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update notaries set login_step = ?2, updated_at = ?3 where id = ?1";
    Ok(tx.execute(sql, params![notary, step, now])? == 1)
}

/// Sets whether the notary chooses a payment method or goes straight to the acquirer's page. Returns false if there is no such notary.
pub fn set_payment_method_choice(
    tx: &mut Tx,
    notary: NotaryId,
    enabled: bool,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update notaries set new_flow_enabled = ?2, updated_at = ?3 where id = ?1";
    Ok(tx.execute(sql, params![notary, enabled, now])? == 1)
}

/// Stores the standing of an account.
pub fn set_standing(tx: &mut Tx, notary: &LockedNotary, standing: &Standing) -> Result<()> {
    tx.execute(
        "update notaries set standing = ?2, standing_reason = ?3, standing_since = ?4, standing_by = ?5,
             confirmed_at = ?6
         where id = ?1",
        params![
            notary,
            standing.account,
            standing.reason,
            standing.since,
            standing.by,
            standing.confirmed_at,
        ],
    )
    .map(|_| ())
}

/// Returns what is known of a notary's status. `None`: there is no such notary.
pub fn status_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<KnownStatus>> {
    let sql = "select notary_status, notary_status_by, id from notaries where id = ?1";
    tx.row_optional(sql, params![notary], read_status)
}

fn read_status(row: &mut Row<'_>) -> Result<KnownStatus> {
    Ok(KnownStatus {
        counts_as: row.next()?,
        by: row.next()?,
    })
}

/// Stores a notary's status.
pub fn set_practice(tx: &mut Tx, notary: &LockedNotary, practice: &Practice) -> Result<()> {
    tx.execute(
        "update notaries set notary_status = ?2, notary_status_by = ?3, notary_status_reason = ?4, notary_status_since = ?5
         where id = ?1",
        params![
            notary,
            practice.status,
            practice.by,
            practice.reason,
            practice.since,
        ],
    )
    .map(|_| ())
}

/// Returns the accounts with a verified phone that wait to be confirmed, the earliest first.
pub fn waiting(tx: &mut Tx) -> Result<Vec<Notary>> {
    let sql = format!(
        "select {COLUMNS} from notaries where standing = ?1 and phone_verified_at is not null order by created_at, id"
    );
    tx.rows(&sql, params![AccountStanding::Waiting], read)
}

/// Returns the number of accounts whose phone was verified.
pub fn count_verified(tx: &mut Tx) -> Result<i64> {
    tx.row(
        "select count(*) from notaries where phone_verified_at is not null",
        params![],
        |row| row.next(),
    )
}
