//! `GET /book/recipients`, `POST /book/recipients/save`, `POST /book/recipients/delete`.

use cabinet_domain::{
    AuditAction, BudgetCode, Iban, Key, Line, NotaryId, Okpo, Origin, OwnRecipient, OwnRecipientId,
    kyiv_time,
};
use cabinet_storage::address_book::own_recipients;
use cabinet_storage::{Tx, lock_notary};

use super::AddressBook;
use crate::account::{Account, ActToProve, RecipientChange, refuse_many_changes};
use crate::audit::AuditEntry;
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};
use crate::kernel::texts::{self, RecipientNotice};
use crate::payment::approval::Signer;

/// The most recipients that a notary may save.
const RECIPIENTS_MAX: i64 = 200;
/// Changes of recipients within a day of which the notary is told: each sends a message.
const CHANGES_DAILY_MAX: i64 = 50;
/// The fields that are proved, as the audit trail names them.
const PROVED_FIELDS: [&str; 2] = ["iban", "okpo"];
/// Those that need no proof are counted apart: whoever has a session alone must not use up the changes that the owner proves.
const UNPROVED_FIELDS: [&str; 4] = ["title", "recipient_name", "cbc_code", "purpose"];
/// Longest title, in characters.
const TITLE_CHARS_MAX: usize = 80;
/// Longest name of a recipient, in characters: as in a payment.
const NAME_CHARS_MAX: usize = 140;
/// Longest purpose, in characters. A name and a code in place of their marks may make it longer than a payment takes; the form
/// says so then.
const PURPOSE_CHARS_MAX: usize = 160;

/// A recipient as a request has it. Nothing of it is trusted.
#[derive(Default)]
pub struct RecipientRequest {
    /// The recipient that is changed. `None`: a new one.
    pub id: Option<String>,
    /// What the notary calls it.
    pub title: Option<String>,
    /// The recipient's name.
    pub recipient_name: Option<String>,
    /// The recipient's account.
    pub iban: Option<String>,
    /// The recipient's code.
    pub okpo: Option<String>,
    /// The budget code.
    pub cbc_code: Option<String>,
    /// The purpose.
    pub purpose: Option<String>,
}

impl AddressBook {
    /// Returns the recipients that the notary has saved, the one changed last first.
    pub async fn recipients(&self, notary: NotaryId) -> Result<Vec<OwnRecipient>> {
        let read = move |tx: &mut Tx| own_recipients::all_of(tx, notary);
        Ok(self.store.read(read).await?)
    }

    /// Saves a recipient: a new one, or in place of the one with the id. Returns it as it is stored. Whether account, code and
    /// purpose go together is checked where a payment is added. A new recipient, and another account or code, need a proof of this very
    /// title, name and account: later payments go there by one choice. The notary is told of them, and of whatever else is another. A new one
    /// that is saved already is not saved twice, so that a request whose answer was lost can be repeated.
    ///
    /// # Errors
    /// The keys of the fields; `unauthorized`; `recipient_not_found`; `recipients_full`; `confirmation_required`; `too_many_today`.
    pub async fn save_recipient(
        &self,
        signer: Signer,
        request: RecipientRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<OwnRecipient> {
        let notary = signer.notary;
        let is_new = request.id.is_none();
        let id = match request.id.as_deref() {
            None => OwnRecipientId::new(self.ids.new_id()),
            Some(id) => OwnRecipientId::parse(id).ok_or_else(not_found)?,
        };
        let recipient = read_recipient(id, &request, errors)?;
        let (stored, unit, this) = (recipient, self.ids.unit(), self.clone());
        let write = move |tx: &mut Tx| -> Result<OwnRecipient> {
            let mut unit = unit.clone();
            let (locked, _) = Decider::from(signer).lock(tx, unit.now)?;
            let full = own_recipients::count_of(tx, notary)? >= RECIPIENTS_MAX;
            if is_new && let Some(saved) = saved_before(tx, notary, &stored)? {
                return Ok(saved);
            }
            let before = own_recipients::by_id(tx, notary, id)?;
            match &before {
                None if !is_new => return Err(not_found()),
                None if full => return Err(Refusal::conflict(Key::RecipientsFull).into()),
                None => own_recipients::insert(tx, &locked, &stored, unit.now)?,
                Some(_) => own_recipients::update(tx, &locked, &stored, unit.now)?,
            }
            let before = before.as_ref();
            let mut entry = saved_entry(before, &stored).of_notary(notary);
            if let Some(notice) = notice_of(before, &stored) {
                let is_proved = matches!(notice, RecipientNotice::New | RecipientNotice::Account);
                let fields: &[&str] = if is_proved {
                    &PROVED_FIELDS
                } else {
                    &UNPROVED_FIELDS
                };
                let told_of = (AuditAction::RecipientSaved, fields);
                refuse_many_changes(tx, notary, told_of, CHANGES_DAILY_MAX, unit.now)?;
                if is_proved {
                    let act = act_of((!is_new).then_some(id), &stored);
                    let proved = this.approvals.approve_act(tx, signer, act, unit.now)??;
                    entry = entry.proved(proved);
                }
                let at = kyiv_time(unit.now);
                let notice = texts::saved_recipient(notice, &at, this.notifier.support_phone());
                this.notifier
                    .tell_everywhere(tx, &mut unit, notary, &notice)?;
            }
            entry.record(tx, &mut unit, &origin)?;
            Ok(stored.clone())
        };
        self.store.write(write).await
    }

    /// Deletes a saved recipient. Payments keep what they have.
    ///
    /// # Errors
    /// `recipient_not_found`.
    pub async fn delete_recipient(
        &self,
        notary: NotaryId,
        id: Option<String>,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<()> {
        errors.check()?;
        let id = id.as_deref().and_then(OwnRecipientId::parse);
        let id = id.ok_or_else(not_found)?;
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<()> {
            let locked = lock_notary(tx, notary)?;
            let found = own_recipients::by_id(tx, notary, id)?.ok_or_else(not_found)?;
            own_recipients::delete(tx, &locked, id)?;
            AuditEntry::new(AuditAction::RecipientDeleted)
                .of_notary(notary)
                .changed("iban", Some(&found.iban), None)
                .record(tx, &mut unit.clone(), &origin)?;
            Ok(())
        };
        self.store.write(write).await
    }
}

/// Returns the saved recipient that says the same.
fn saved_before(
    tx: &mut Tx,
    notary: NotaryId,
    wanted: &OwnRecipient,
) -> Result<Option<OwnRecipient>> {
    let saved = own_recipients::all_of(tx, notary)?;
    Ok(saved.into_iter().find(|saved| {
        let id = saved.id;
        *saved
            == OwnRecipient {
                id,
                ..wanted.clone()
            }
    }))
}

fn saved_entry(before: Option<&OwnRecipient>, stored: &OwnRecipient) -> AuditEntry {
    AuditEntry::new(AuditAction::RecipientSaved)
        .changed("iban", before.map(|old| &old.iban), Some(&stored.iban))
        .changed("okpo", before.map(|old| &old.okpo), Some(&stored.okpo))
        .changed("title", before.map(|old| &old.title), Some(&stored.title))
        .changed(
            "recipient_name",
            before.map(|old| &old.recipient_name),
            Some(&stored.recipient_name),
        )
        .changed(
            "cbc_code",
            before.and_then(|old| old.cbc_code.as_ref()),
            stored.cbc_code.as_ref(),
        )
        .changed(
            "purpose",
            before.and_then(|old| old.purpose.as_ref()),
            stored.purpose.as_ref(),
        )
}

/// Returns what the notary is told of a saved recipient: of the most dangerous change.
fn notice_of(before: Option<&OwnRecipient>, stored: &OwnRecipient) -> Option<RecipientNotice> {
    let Some(old) = before else {
        return Some(RecipientNotice::New);
    };
    if (&old.iban, &old.okpo) != (&stored.iban, &stored.okpo) {
        return Some(RecipientNotice::Account);
    }
    if (&old.title, &old.recipient_name) != (&stored.title, &stored.recipient_name) {
        return Some(RecipientNotice::Name);
    }
    let has_other_purpose = (&old.cbc_code, &old.purpose) != (&stored.cbc_code, &stored.purpose);
    has_other_purpose.then_some(RecipientNotice::Purpose)
}

/// Returns what is proved before a recipient is saved.
fn act_of(id: Option<OwnRecipientId>, stored: &OwnRecipient) -> ActToProve {
    ActToProve::Recipient(Box::new(RecipientChange {
        id,
        title: stored.title.clone(),
        recipient_name: stored.recipient_name.clone(),
        account: Account {
            iban: Some(stored.iban.clone()),
            okpo: Some(stored.okpo.clone()),
        },
    }))
}

fn not_found() -> AppError {
    Refusal::not_found(Key::RecipientNotFound).into()
}

fn read_recipient(
    id: OwnRecipientId,
    request: &RecipientRequest,
    mut errors: FieldErrors,
) -> Result<OwnRecipient, Refusal> {
    let title = line(
        ("title", request.title.as_deref()),
        (TITLE_CHARS_MAX, Key::FieldRequired),
        &mut errors,
    );
    let recipient_name = line(
        ("recipient_name", request.recipient_name.as_deref()),
        (NAME_CHARS_MAX, Key::RecipientNameRequired),
        &mut errors,
    );
    let purpose = given(request.purpose.as_ref()).map(|text| {
        line(
            ("purpose", Some(text)),
            (PURPOSE_CHARS_MAX, Key::PurposeRequired),
            &mut errors,
        )
    });
    let iban = given(request.iban.as_ref()).ok_or(Key::IbanRequired);
    let iban = taken("iban", iban.and_then(Iban::parse), &mut errors);
    let okpo = given(request.okpo.as_ref()).ok_or(Key::OkpoRequired);
    let okpo = taken("okpo", okpo.and_then(Okpo::parse), &mut errors);
    let cbc_code = given(request.cbc_code.as_ref()).map(BudgetCode::parse);
    let cbc_code = taken("cbc_code", cbc_code.transpose(), &mut errors);
    errors.check()?;
    let (Some(title), Some(recipient_name), Some(iban), Some(okpo), Some(cbc_code)) =
        (title, recipient_name, iban, okpo, cbc_code)
    else {
        return Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed));
    };
    Ok(OwnRecipient {
        id,
        title,
        recipient_name,
        iban,
        okpo,
        cbc_code,
        purpose: purpose.flatten(),
    })
}

/// Reads a line of free text.
fn line(
    (field, text): (&'static str, Option<&str>),
    (chars_max, required): (usize, Key),
    errors: &mut FieldErrors,
) -> Option<Line> {
    errors.refuse_card(field, text);
    let read = Line::parse(text.unwrap_or_default(), chars_max);
    taken(field, read.map_err(|error| error.key(required)), errors)
}

/// Takes the value of a field that has no error yet.
fn taken<T>(field: &'static str, read: Result<T, Key>, errors: &mut FieldErrors) -> Option<T> {
    if errors.has(field) {
        return None;
    }
    errors.take(field, read)
}

fn given(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}
