//! What is stored about a person who is a client or a saved recipient, row by row as [`super::erasure`] finds it.
//!
//! Each table with such rows stands here once, with the columns that are told. Which columns of persons are not told, and why, say the
//! tests of the schema.

use cabinet_domain::{ClientId, Email, Inn, Money, NotaryId, OrderId, OwnRecipientId};
use jiff::Timestamp;
use uuid::Uuid;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, params};
use crate::operator::erasure::ITEMS_OF_CLIENT;
use Form::{Address, Moment, Number, Sum, Text};

/// How a column is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A text, a day, a word of the program.
    Text,
    Number,
    Sum,
    Moment,
    /// An e-mail address, of which the letters at its beginning are hidden: who entered it may have been wrong about whose it is.
    Address,
}

/// A table and what of it is told.
#[derive(Debug)]
pub struct Part {
    /// The name of its rows.
    pub name: &'static str,
    of: Of,
    pub(crate) table: &'static str,
    columns: &'static [(&'static str, Form)],
    /// Which rows: those of the notary `?1` and the client `?2`, or those of the id `?1`.
    rows: &'static str,
}

/// What a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Client,
    Order,
    Recipient,
    Complaint,
    Letter,
}

/// What is paid for, in the cart and in orders.
macro_rules! payment {
    ($($column:expr),*) => {
        &[
            $($column,)*
            ("created_at", Moment),
            ("payment_kind", Text),
            ("option_name_uk", Text),
            ("term_period_uk", Text),
            ("region_name_uk", Text),
            ("count", Number),
            ("amount", Sum),
            ("commission", Sum),
            ("requisite_name", Text),
            ("requisite_iban", Text),
            ("requisite_okpo", Text),
            ("recipient_name", Text),
            ("iban", Text),
            ("okpo", Text),
            ("cbc_code", Text),
            ("filing_year", Number),
            ("purpose", Text),
        ]
    };
}

/// The tables. The order of a list is that in which it is told; of an order the order itself comes first.
static PARTS: [Part; 16] = [
    Part {
        name: "clients",
        of: Of::Client,
        table: "clients",
        columns: &[
            ("full_name", Text),
            ("inn", Text),
            ("created_at", Moment),
            ("used_at", Moment),
            ("removed_at", Moment),
            ("erased_at", Moment),
        ],
        rows: "notary_id = ?1 and id = ?2",
    },
    Part {
        name: "cart_items",
        of: Of::Client,
        table: "cart_items",
        columns: payment![("deleted_at", Moment)],
        rows: "notary_id = ?1 and client_id = ?2 order by created_at, id",
    },
    Part {
        name: "cart_acts",
        of: Of::Client,
        table: "cart_acts",
        columns: &[
            ("register_number", Text),
            ("act_on", Text),
            ("object", Text),
        ],
        rows: "notary_id = ?1 and client_id = ?2",
    },
    Part {
        name: "deals",
        of: Of::Client,
        table: "deals",
        columns: &[
            ("kind_uk", Text),
            ("calculated_on", Text),
            ("price", Sum),
            ("valuation", Sum),
            ("building_price", Sum),
        ],
        rows: "notary_id = ?1 and id in (select d.deal_id from deal_items d where d.item_id in {items}) order by created_at, id",
    },
    Part {
        name: "deal_payments",
        of: Of::Client,
        table: "deal_payments",
        columns: &[("name_uk", Text), ("sum", Sum), ("reason", Text)],
        rows: "deal_id in (select e.id from deals e join deal_items d on d.deal_id = e.id
                   where e.notary_id = ?1 and d.item_id in {items}) order by deal_id, position",
    },
    Part {
        name: "orders",
        of: Of::Order,
        table: "orders",
        columns: &[
            ("number", Number),
            ("created_at", Moment),
            ("status", Text),
            ("sum", Sum),
            ("paid_at", Moment),
            ("cancelled_at", Moment),
            ("act_register_number", Text),
            ("act_on", Text),
            ("act_object", Text),
            ("codes_given_at", Moment),
            ("codes_paid_at", Moment),
            ("codes_paid_reference", Text),
        ],
        rows: "id = ?1",
    },
    Part {
        name: "items",
        of: Of::Order,
        table: "order_items",
        columns: payment![("credited_on", Text), ("credited_reference", Text)],
        rows: "order_id = ?1 order by position",
    },
    Part {
        name: "transfers",
        of: Of::Order,
        table: "transfers",
        columns: &[
            ("document_number", Number),
            ("status", Text),
            ("amount", Sum),
            ("payer_name", Text),
            ("payer_code", Text),
            ("recipient_name", Text),
            ("recipient_iban", Text),
            ("recipient_code", Text),
            ("purpose", Text),
            ("bank_reference", Text),
            ("credited_on", Text),
            ("returned_on", Text),
            ("reason", Text),
            ("release_reason", Text),
            ("refunded_at", Moment),
            ("refund_reason", Text),
        ],
        rows: "order_id = ?1 order by document_number",
    },
    Part {
        name: "refunds",
        of: Of::Order,
        table: "refunds",
        columns: &[
            ("created_at", Moment),
            ("amount", Sum),
            ("ended_at", Moment),
            ("reason", Text),
        ],
        rows: "order_id = ?1 order by created_at, id",
    },
    Part {
        name: "alarms",
        of: Of::Order,
        table: "alarms",
        columns: &[("first_at", Moment), ("closed_at", Moment), ("note", Text)],
        rows: "order_id = ?1 and note is not null order by first_at, id",
    },
    Part {
        name: "link",
        of: Of::Order,
        table: "client_links",
        columns: &[
            ("made_at", Moment),
            ("ends_at", Moment),
            ("opened_at", Moment),
            ("sent_at", Moment),
            ("withdrawn_at", Moment),
        ],
        rows: "order_id = ?1",
    },
    Part {
        name: "consent",
        of: Of::Order,
        table: "receipt_consents",
        columns: &[
            ("email", Address),
            ("given_by", Text),
            ("given_at", Moment),
            ("asked_again_at", Moment),
            ("letter_sent_at", Moment),
            ("letter_given_up_at", Moment),
        ],
        rows: "order_id = ?1",
    },
    Part {
        name: "letters_about_receipt",
        of: Of::Order,
        table: "receipt_mail",
        columns: &[
            ("given_count", Number),
            ("given_at", Moment),
            ("refused_at", Moment),
        ],
        rows: "order_id = ?1",
    },
    Part {
        name: "recipients",
        of: Of::Recipient,
        table: "own_recipients",
        columns: &[
            ("title", Text),
            ("recipient_name", Text),
            ("iban", Text),
            ("okpo", Text),
            ("cbc_code", Text),
            ("purpose", Text),
            ("created_at", Moment),
        ],
        rows: "id = ?1",
    },
    Part {
        name: "complaints",
        of: Of::Complaint,
        table: "complaints",
        columns: &[
            ("number", Number),
            ("created_at", Moment),
            ("text", Text),
            ("closed_at", Moment),
            ("answer", Text),
        ],
        rows: "id = ?1",
    },
    Part {
        name: "letters",
        of: Of::Letter,
        table: "outbox",
        columns: &[("created_at", Moment)],
        rows: "id = ?1",
    },
];

impl Part {
    /// Returns the names of what is told of a row.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().map(|(name, _)| *name)
    }

    /// Returns whether its rows are orders.
    #[must_use]
    pub fn is_order(&self) -> bool {
        self.table == "orders"
    }

    /// Returns whether its rows belong to an order.
    #[must_use]
    pub fn is_of_order(&self) -> bool {
        self.of == Of::Order && !self.is_order()
    }

    fn sql(&self) -> String {
        let columns: Vec<&str> = self.fields().collect();
        let rows = self.rows.replace("{items}", ITEMS_OF_CLIENT);
        format!(
            "select {} from {} where {rows}",
            columns.join(", "),
            self.table
        )
    }

    fn read(&'static self, row: &mut Row<'_>) -> Result<Record> {
        let mut fields = Vec::new();
        for (name, form) in self.columns {
            if let Some(value) = form.read(row)? {
                fields.push((*name, value));
            }
        }
        Ok(Record { part: self, fields })
    }
}

impl Form {
    fn read(self, row: &mut Row<'_>) -> Result<Option<Fact>> {
        Ok(match self {
            Text => row.next::<Option<String>>()?.map(Fact::Text),
            Number => row.next::<Option<i64>>()?.map(Fact::Number),
            Sum => row.next::<Option<Money>>()?.map(Fact::Sum),
            Moment => row.next::<Option<Timestamp>>()?.map(Fact::Moment),
            Address => {
                let address = row.next::<Option<Email>>()?;
                address.map(|address| Fact::Text(address.masked()))
            }
        })
    }
}

/// A value that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A text, a day (`2026-11-28`), or a word of the program.
    Text(String),
    /// A number.
    Number(i64),
    /// A sum of money.
    Sum(Money),
    /// A moment.
    Moment(Timestamp),
}

/// A row: what is stored in it and told.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its table.
    pub part: &'static Part,
    /// Names and values. What is empty is left out.
    pub fields: Vec<(&'static str, Fact)>,
}

/// Returns all tables.
pub fn parts() -> impl Iterator<Item = &'static Part> {
    PARTS.iter()
}

/// Returns the notaries who have somebody with this code as a client or a saved recipient.
pub fn notaries_of(tx: &mut Tx, code: &Inn) -> Result<Vec<NotaryId>> {
    tx.rows(
        "select notary_id from clients where inn = ?1 union select notary_id from own_recipients where okpo = ?1 order by notary_id",
        params![code],
        |row| row.next(),
    )
}

/// Returns what is stored of a client of a notary, without the orders.
pub fn of_client(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Vec<Record>> {
    told(tx, Of::Client, params![notary, client])
}

/// Returns what is stored of an order, the order itself first.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Record>> {
    told(tx, Of::Order, params![order])
}

/// Returns a saved recipient.
pub fn of_recipient(tx: &mut Tx, recipient: OwnRecipientId) -> Result<Vec<Record>> {
    told(tx, Of::Recipient, params![recipient])
}

/// Returns a complaint.
pub fn of_complaint(tx: &mut Tx, complaint: Uuid) -> Result<Vec<Record>> {
    told(tx, Of::Complaint, params![complaint])
}

/// Returns that a letter waits to be sent. Its text may have the key of a link.
pub fn of_letter(tx: &mut Tx, letter: Uuid) -> Result<Vec<Record>> {
    told(tx, Of::Letter, params![letter])
}

fn told(tx: &mut Tx, of: Of, whose: &[Value<'_>]) -> Result<Vec<Record>> {
    let mut all = Vec::new();
    for part in PARTS.iter().filter(|part| part.of == of) {
        all.extend(tx.rows(&part.sql(), whose, |row| part.read(row))?);
    }
    Ok(all)
}
