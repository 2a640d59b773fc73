//! The register of notaries, as it was last loaded, and which of its rows have confirmed an account.

use cabinet_domain::{
    CertificateNumber, Email, Line, Notary, NotaryId, NotaryStatus, Phone, RegisterRow,
    certificate_digits, fold_for_search,
};
use jiff::Timestamp;

use super::register_proofs;
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// A load of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterLoad {
    /// The fingerprint of its file.
    pub fingerprint: [u8; 32],
    /// Its rows.
    pub row_count: i64,
    /// When it was loaded.
    pub loaded_at: Timestamp,
}

/// Returns the last load. Until the end of a unit of work that may write, the register does not change and no row
/// confirms another account.
pub fn last_load(tx: &mut Tx) -> Result<Option<RegisterLoad>> {
    lock(tx)?;
    tx.row_optional(
        "select fingerprint, row_count, loaded_at from register_loads order by number desc limit 1",
        params![],
        |row| {
            Ok(RegisterLoad {
                fingerprint: row.next()?,
                row_count: row.next()?,
                loaded_at: row.next()?,
            })
        },
    )
}

/// Replaces the register, and ends the codes that are on their way to contacts of the earlier one. Rows without a key are left out; the reading of the file refuses them.
pub fn replace(
    tx: &mut Tx,
    rows: &[RegisterRow],
    fingerprint: &[u8; 32],
    now: Timestamp,
) -> Result<()> {
    lock(tx)?;
    register_proofs::end_open(tx)?;
    tx.execute("delete from register_rows", params![])?;
    for row in rows {
        let Some(key) = row.key() else { continue };
        let certificate = row.certificate_number.as_ref();
        let certificate = certificate.map(|number| certificate_digits(number.as_str()).to_owned());
        let identifier = row.registry_identifier.as_ref();
        let identifier = identifier.map(|text| fold_for_search(text.as_str()));
        tx.execute(
            "insert into register_rows (register_key, line, full_name, folded_name, certificate_number, folded_identifier,
                 is_active, practises_as, phone, email)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                key,
                i64::try_from(row.line).unwrap_or(i64::MAX),
                row.full_name,
                fold_for_search(row.full_name.as_str()),
                certificate,
                identifier,
                row.is_active,
                row.practises_as,
                row.phone,
                row.email,
            ],
        )?;
    }
    tx.execute(
        "insert into register_loads (number, fingerprint, row_count, loaded_at)
         values ((select coalesce(max(number), 0) + 1 from register_loads), ?1, ?2, ?3)",
        params![
            *fingerprint,
            i64::try_from(rows.len()).unwrap_or(i64::MAX),
            now
        ],
    )
    .map(|_| ())
}

/// The row of the register that names the owner of an account, and where she can be asked whether the account is hers.
#[derive(Clone)]
pub struct NamingRow {
    /// What identifies the row in every load.
    pub key: String,
    /// Her telephone.
    pub phone: Option<Phone>,
    /// Her address for letters.
    pub email: Option<Email>,
}

/// Returns the row of the register that names the owner of an account: the name fits, and the identifier or the certificate
/// does. Only the row of a practising notary counts that has confirmed no other account.
pub fn naming_row(tx: &mut Tx, notary: &Notary) -> Result<Option<NamingRow>> {
    lock(tx)?;
    let profile = &notary.profile;
    let identifier = profile.registry_identifier.as_str();
    let certificate = profile.certificate_number.as_ref();
    // The identifier asked for at the sign-up may be the number of the certificate.
    let typed = CertificateNumber::parse(identifier).ok();
    let digits = |number: Option<&CertificateNumber>| {
        number.map(|number| certificate_digits(number.as_str()).to_owned())
    };
    tx.row_optional(
        "select r.register_key, r.phone, r.email from register_rows r
         where r.folded_name = ?1 and r.is_active
             and (r.folded_identifier = ?2 or r.certificate_number = ?3 or r.certificate_number = ?4)
             and not exists (select 1 from notaries n where n.register_key = r.register_key and n.id <> ?5)
         order by r.register_key limit 1",
        params![
            fold_for_search(profile.full_name.as_str()),
            fold_for_search(identifier),
            digits(certificate),
            digits(typed.as_ref()),
            notary.id,
        ],
        |row| {
            Ok(NamingRow {
                key: row.next()?,
                phone: row.next()?,
                email: row.next()?,
            })
        },
    )
}

/// Gives an account a row of the register. It names nobody else's account from now on.
pub fn take(tx: &mut Tx, notary: NotaryId, row: &NamingRow) -> Result<()> {
    let sql = "update notaries set register_key = ?2 where id = ?1";
    tx.execute(sql, params![notary, row.key.as_str()])
        .map(|_| ())
}

/// Returns what the register tells of a notary's status, by the row that has confirmed the account, or else by the one that names its
/// owner. `None`: there is no such row. `Some(None)`: the row does not tell how she practises.
pub fn status_told(tx: &mut Tx, notary: &Notary) -> Result<Option<Option<NotaryStatus>>> {
    lock(tx)?;
    let profile = &notary.profile;
    let identifier = profile.registry_identifier.as_str();
    let typed = CertificateNumber::parse(identifier).ok();
    let digits = |number: Option<&CertificateNumber>| {
        number.map(|number| certificate_digits(number.as_str()).to_owned())
    };
    tx.row_optional(
        "select r.is_active, r.practises_as, r.register_key from register_rows r
         left join notaries own on own.id = ?5
         where r.register_key = own.register_key
             or (own.register_key is null and r.folded_name = ?1
                 and (r.folded_identifier = ?2 or r.certificate_number = ?3 or r.certificate_number = ?4)
                 and not exists (select 1 from notaries n where n.register_key = r.register_key and n.id <> ?5))
         order by r.register_key limit 1",
        params![
            fold_for_search(profile.full_name.as_str()),
            fold_for_search(identifier),
            digits(profile.certificate_number.as_ref()),
            digits(typed.as_ref()),
            notary.id,
        ],
        |row| {
            let is_active: bool = row.next()?;
            let practises_as: Option<NotaryStatus> = row.next()?;
            Ok(if is_active {
                practises_as
            } else {
                Some(NotaryStatus::Suspended)
            })
        },
    )
}

/// Returns the rows whose name, identifier or certificate contains a text, by name. Case, apostrophes and look-alikes
/// don't matter.
pub fn find(tx: &mut Tx, text: &str, limit: u32) -> Result<Vec<RegisterRow>> {
    let folded = fold_for_search(text);
    let pattern = format!("%{}%", escaped(&folded));
    tx.rows(
        "select line, full_name, certificate_number, folded_identifier, is_active, practises_as, phone, email from register_rows
         where folded_name like ?1 escape '\\' or certificate_number = ?2 or folded_identifier = ?3
         order by folded_name, register_key limit ?4",
        params![pattern, certificate_digits(&folded).to_owned(), folded, limit],
        read,
    )
}

/// Returns the confirmed accounts whose row is not in the register any more, or not as that of a practising notary.
pub fn confirmed_and_gone(tx: &mut Tx) -> Result<Vec<NotaryId>> {
    tx.rows(
        "select n.id from notaries n
         where n.standing = 'confirmed' and n.register_key is not null
             and not exists (select 1 from register_rows r where r.register_key = n.register_key and r.is_active)
         order by n.created_at, n.id",
        params![],
        |row| row.next(),
    )
}

fn read(row: &mut Row<'_>) -> Result<RegisterRow> {
    let line: i64 = row.next()?;
    let (full_name, certificate_number): (Line, Option<CertificateNumber>) =
        (row.next()?, row.next()?);
    Ok(RegisterRow {
        line: usize::try_from(line).unwrap_or(usize::MAX),
        full_name,
        certificate_number,
        registry_identifier: row.next()?,
        is_active: row.next()?,
        practises_as: row.next()?,
        phone: row.next()?,
        email: row.next()?,
    })
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}

/// Locks the register, and which of its rows have confirmed an account, until the end of the unit of work. A unit that also
/// locks an account does this first.
pub fn lock(tx: &mut Tx) -> Result<()> {
    tx.advisory_lock(b"register_of_notaries")
}
