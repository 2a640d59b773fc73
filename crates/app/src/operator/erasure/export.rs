//! `cabinet person export`: what a person may ask to be told, which is what an erasure finds.

use cabinet_domain::{AuditAction, AuditValue, Inn, Locale, NotaryId, OperatorReason, kyiv_time};
use cabinet_receipts::{
    PersonalData, PersonalDataOfNotary, PersonalRecord, ReceiptError, personal_data,
    personal_data_value, personal_data_word,
};
use cabinet_storage::account::notaries;
use cabinet_storage::operator::personal_data::{self as stored, Fact, Record};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::Erasure;
use super::client::{Found, find_by_code};
use crate::audit::AuditEntry;

/// What is stored about a person, over all notaries.
#[derive(Clone, Debug)]
pub struct PersonExport {
    /// The notaries who have it.
    pub notaries: usize,
    /// How many rows there are of each kind, in the order in which they are told.
    pub counts: Vec<(&'static str, usize)>,
    /// All of it, for programs.
    pub json: Value,
    /// All of it, in Ukrainian, for the person.
    pub pdf: Vec<u8>,
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Nothing is stored.
    #[error("nothing is stored about a person with that code")]
    Nobody,
    /// The PDF could not be made.
    #[error(transparent)]
    Pdf(#[from] ReceiptError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// What a notary has about the person.
struct OfNotary {
    id: NotaryId,
    name: String,
    /// Each order with what belongs to it, and everything else by itself.
    groups: Vec<Vec<Record>>,
}

impl Erasure {
    /// Returns everything that is stored about a person with a code, over all notaries. That it is shown is recorded first, for each of
    /// them.
    ///
    /// # Errors
    /// [`ExportError`].
    pub async fn export_person(
        &self,
        code: Inn,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<PersonExport, ExportError> {
        let wanted = code.clone();
        let read = move |tx: &mut Tx| found(tx, &wanted);
        let all: Vec<OfNotary> = self.store.read_long(read).await?;
        if all.is_empty() {
            return Err(ExportError::Nobody);
        }
        let made = PersonExport {
            notaries: all.len(),
            counts: counts(&all),
            json: as_json(&code, &all, now),
            pdf: personal_data(&as_document(&code, &all, now))?,
        };
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let reason = reason.clone();
        let shown: Vec<_> = all.iter().map(|of| (of.id, of.records().count())).collect();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            let mut unit = unit.clone();
            for (notary, rows) in &shown {
                AuditEntry::new(AuditAction::PersonalDataShown)
                    .of_notary(*notary)
                    .because(&reason)
                    .with("list", AuditValue::word("person"))
                    .with("client", &code)
                    .with("rows", AuditValue::count(*rows as u64))
                    .record(tx, &mut unit, &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await?;
        Ok(made)
    }
}

impl OfNotary {
    fn records(&self) -> impl Iterator<Item = &Record> {
        self.groups.iter().flatten()
    }
}

fn found(tx: &mut Tx, code: &Inn) -> Result<Vec<OfNotary>, StorageError> {
    let mut all = Vec::new();
    for id in stored::notaries_of(tx, code)? {
        let Some(notary) = notaries::by_id(tx, id)? else {
            continue;
        };
        let found = find_by_code(tx, &notary, code)?;
        let groups = groups(tx, id, &found)?;
        if !groups.is_empty() {
            let name = notary.profile.full_name.as_str().to_owned();
            all.push(OfNotary { id, name, groups });
        }
    }
    all.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(all)
}

fn groups(tx: &mut Tx, notary: NotaryId, found: &Found) -> Result<Vec<Vec<Record>>, StorageError> {
    let mut groups = Vec::new();
    for client in &found.clients {
        groups.push(stored::of_client(tx, notary, client.id)?);
    }
    for order in &found.orders {
        groups.push(stored::of_order(tx, order.id)?);
    }
    for recipient in &found.recipients {
        groups.push(stored::of_recipient(tx, *recipient)?);
    }
    for complaint in &found.complaints {
        groups.push(stored::of_complaint(tx, *complaint)?);
    }
    for letter in &found.letters {
        groups.push(stored::of_letter(tx, *letter)?);
    }
    groups.retain(|group| !group.is_empty());
    Ok(groups)
}

fn counts(all: &[OfNotary]) -> Vec<(&'static str, usize)> {
    let of = |name| {
        let records = all.iter().flat_map(OfNotary::records);
        records.filter(|record| record.part.name == name).count()
    };
    stored::parts()
        .map(|part| (part.name, of(part.name)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// Returns the rows as lists by their kinds; what belongs to an order stands in it.
fn as_json(code: &Inn, all: &[OfNotary], now: Timestamp) -> Value {
    let notary = |of: &OfNotary| {
        let mut lists = Map::new();
        lists.insert("full_name".to_owned(), json!(of.name));
        for group in &of.groups {
            match group.split_first() {
                Some((order, parts)) if order.part.is_order() => {
                    let mut fields = fields(order);
                    for part in parts {
                        push(&mut fields, part.part.name, self::fields(part));
                    }
                    push(&mut lists, order.part.name, fields);
                }
                _ => {
                    for record in group {
                        push(&mut lists, record.part.name, fields(record));
                    }
                }
            }
        }
        Value::Object(lists)
    };
    json!({
        "code": code.as_str(),
        "made_at": now.to_string(),
        "notaries": all.iter().map(notary).collect::<Vec<_>>(),
    })
}

fn push(lists: &mut Map<String, Value>, name: &str, fields: Map<String, Value>) {
    let list = lists.entry(name).or_insert_with(|| json!([]));
    if let Value::Array(list) = list {
        list.push(Value::Object(fields));
    }
}

fn fields(record: &Record) -> Map<String, Value> {
    let fields = record.fields.iter();
    fields
        .map(|(name, fact)| {
            let value = match fact {
                Fact::Text(text) => json!(text),
                Fact::Number(number) => json!(number),
                Fact::Sum(sum) => json!(sum.decimal()),
                Fact::Moment(at) => json!(at.to_string()),
            };
            ((*name).to_owned(), value)
        })
        .collect()
}

fn as_document(code: &Inn, all: &[OfNotary], now: Timestamp) -> PersonalData {
    let notary = |of: &OfNotary| PersonalDataOfNotary {
        name: of.name.clone(),
        records: of.records().map(as_record).collect(),
    };
    PersonalData {
        code: code.as_str().to_owned(),
        made_at: now,
        notaries: all.iter().map(notary).collect(),
    }
}

fn as_record(record: &Record) -> PersonalRecord {
    let lines = record.fields.iter();
    PersonalRecord {
        heading: personal_data_word(record.part.name),
        is_part_of_order: record.part.is_of_order(),
        lines: lines
            .map(|(name, fact)| (personal_data_word(name), shown(name, fact)))
            .collect(),
    }
}

fn shown(name: &str, fact: &Fact) -> String {
    match fact {
        Fact::Text(text) => match (personal_data_value(name, text), text.parse::<Date>()) {
            (Some(word), _) => word.to_owned(),
            (None, Ok(day)) => day.strftime("%d.%m.%Y").to_string(),
            (None, Err(_)) => text.clone(),
        },
        Fact::Number(number) => number.to_string(),
        Fact::Sum(sum) => format!("{}\u{a0}грн", sum.display(Locale::Uk)),
        Fact::Moment(at) => kyiv_time(*at).strftime("%d.%m.%Y %H:%M").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_and_column_has_a_word_for_the_person() {
        for part in stored::parts() {
            for name in part.fields().chain([part.name]) {
                assert_ne!(personal_data_word(name), name, "{name}");
            }
        }
    }
}
