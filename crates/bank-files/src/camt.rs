//! camt.053 and camt.054 of ISO 20022: the statement of an account, and the notifications of debits and credits.

use cabinet_domain::{Iban, Money, Uetr};
use jiff::civil::Date;
use roxmltree::Node;

use crate::entry::{Credit, Entry, Fact, References, UNNUMBERED};
use crate::facts::{bank_reference, day, document_number, sum, sum_in, transfer_id};
use crate::problem::Problem;
use crate::reasons::reason_of;
use crate::tree::{Tree, at, children, text, text_of};

/// What the entries of a statement have in common with one of their payments.
struct Booking<'a, 'i> {
    tree: &'a Tree<'i>,
    /// The account of the statement.
    account: Option<Iban>,
    entry: Node<'a, 'a>,
    /// Whether the entry takes an earlier one back.
    is_reversal: bool,
    booked_on: Option<Date>,
    value_on: Option<Date>,
}

/// Reads the entries of the statements or notifications of a message. `part` is the name of their element.
pub(crate) fn read(tree: &Tree<'_>, message: Node<'_, '_>, part: &'static str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for statement in children(message, part) {
        let account = text(statement, "Acct/Id/IBAN").and_then(|text| Iban::parse(text).ok());
        for entry in children(statement, "Ntry") {
            read_entry(tree, account.as_ref(), entry, &mut entries);
        }
    }
    entries
}

/// Whether a message has statements, and none of them says that it has entries: nothing happened on the account.
pub(crate) fn is_without_movements(message: Node<'_, '_>, part: &'static str) -> bool {
    let mut statements = children(message, part).peekable();
    let is_empty = |statement| {
        text(statement, "TxsSummry/TtlNtries/NbOfNtries")
            .is_none_or(|count| count.bytes().all(|digit| digit == b'0'))
    };
    statements.peek().is_some() && statements.all(is_empty)
}

fn read_entry<'a>(
    tree: &'a Tree<'_>,
    account: Option<&Iban>,
    entry: Node<'a, 'a>,
    entries: &mut Vec<Entry>,
) {
    let booking = Booking {
        tree,
        account: account.cloned(),
        entry,
        is_reversal: matches!(text(entry, "RvslInd"), Some("true" | "1")),
        booked_on: day_at(entry, &["BookgDt/Dt", "BookgDt/DtTm"]),
        value_on: day_at(entry, &["ValDt/Dt", "ValDt/DtTm"]),
    };
    let status = match text_of(entry, &["Sts/Cd", "Sts"]) {
        Some("BOOK") => Ok(()),
        Some("PDNG" | "INFO" | "FUTR") => {
            let amount = at(entry, "Amt");
            entries.push(booking.other("it is not booked yet", amount));
            return;
        }
        Some(_) => Err(Problem::Unreadable("Ntry/Sts")),
        None => Err(Problem::Missing("Ntry/Sts")),
    };
    let payments: Vec<Node<'_, '_>> = children(entry, "NtryDtls")
        .flat_map(|details| children(details, "TxDtls"))
        .collect();
    let read = |payment: Node<'_, '_>, is_only_one: bool| {
        status
            .clone()
            .and_then(|()| booking.read(payment, is_only_one))
            .unwrap_or_else(|problem| booking.unread(payment, is_only_one, problem))
    };
    match payments.as_slice() {
        [] => entries.push(read(entry, true)),
        [payment] => entries.push(read(*payment, true)),
        several => entries.extend(several.iter().map(|payment| read(*payment, false))),
    }
}

impl Booking<'_, '_> {
    /// Reads a payment of the entry. If it is the only one, what the payment lacks stands in the entry.
    fn read(&self, payment: Node<'_, '_>, is_only_one: bool) -> Result<Entry, Problem> {
        let amount = self
            .amount(payment, is_only_one)
            .ok_or(Problem::Missing("Amt"))?;
        let is_other_currency = amount
            .attribute("Ccy")
            .is_some_and(|currency| currency != "UAH");
        if is_other_currency {
            return Ok(self.other("its currency is not the hryvnia", Some(amount)));
        }
        let fact = match self.direction(payment) {
            Some("DBIT") => self.debit(payment),
            Some("CRDT") => self.credit(payment)?,
            Some(_) => return Err(Problem::Unreadable("CdtDbtInd")),
            None => return Err(Problem::Missing("CdtDbtInd")),
        };
        Ok(Entry {
            number: UNNUMBERED,
            line: self.tree.line(payment),
            credit: self.told_credit(payment, &fact),
            fact,
            references: self.references(payment, is_only_one),
            amount: Some(amount_in(amount).ok_or(Problem::Unreadable("Amt"))?),
            other_sum: None,
            accounts: self.accounts(payment),
        })
    }

    /// Returns the amount of a payment: that of its booking, or else of its details, last as it was instructed. If it is the only payment,
    /// the amount of the entry is its own. An empty element tells none.
    fn amount<'b>(&'b self, payment: Node<'b, 'b>, is_only_one: bool) -> Option<Node<'b, 'b>> {
        let of_payment = ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt"];
        let of_payment = of_payment.map(|path| at(payment, path));
        let of_entry = at(self.entry, "Amt").filter(|_| is_only_one);
        let amounts = of_payment.into_iter().chain([of_entry]).flatten();
        let mut told = amounts.filter(|amount| {
            amount
                .text()
                .is_some_and(|amount| !amount.trim().is_empty())
        });
        told.next()
    }

    /// Tells of a payment that can't be read what can be.
    fn unread(&self, payment: Node<'_, '_>, is_only_one: bool, problem: Problem) -> Entry {
        let amount = self.amount(payment, is_only_one);
        let (amount, other_sum) = told(amount);
        Entry {
            number: UNNUMBERED,
            line: self.tree.line(payment),
            fact: Fact::Unread(problem),
            references: self.references(payment, is_only_one),
            amount,
            other_sum,
            accounts: self.all_accounts(payment),
            credit: None,
        }
    }

    /// Returns all accounts to which and from which the money of a payment can have gone. None: the file does not tell them all. Money that
    /// comes back may do so by an account of the bank.
    fn all_accounts(&self, payment: Node<'_, '_>) -> Vec<Iban> {
        let is_way_back = self.is_reversal || at(payment, "RtrInf").is_some();
        let other_side = match self.direction(payment) {
            Some("DBIT") => "RltdPties/CdtrAcct/Id/IBAN",
            Some("CRDT") => "RltdPties/DbtrAcct/Id/IBAN",
            _ => return Vec::new(),
        };
        let other_side = text(payment, other_side).and_then(|text| Iban::parse(text).ok());
        match (other_side, &self.account) {
            (Some(other_side), Some(account)) if !is_way_back && other_side != *account => {
                vec![other_side, account.clone()]
            }
            _ => Vec::new(),
        }
    }

    fn direction<'b>(&'b self, payment: Node<'b, 'b>) -> Option<&'b str> {
        text(payment, "CdtDbtInd").or_else(|| text(self.entry, "CdtDbtInd"))
    }

    fn debit(&self, payment: Node<'_, '_>) -> Fact {
        if self.is_reversal {
            Fact::Other("it takes back money that came in")
        } else if at(payment, "RtrInf").is_some() {
            Fact::Other("it gives back money that came in")
        } else {
            Fact::UnderWay {
                debited_on: self.value_on.or(self.booked_on),
            }
        }
    }

    fn credit(&self, payment: Node<'_, '_>) -> Result<Fact, Problem> {
        let returned = at(payment, "RtrInf");
        if !self.is_reversal && returned.is_none() {
            return Ok(self.came_in(payment));
        }
        let on = self.booked_on.or(self.value_on);
        let code = returned.and_then(|returned| text_of(returned, &["Rsn/Cd", "Rsn/Prtry"]));
        let mut told: Vec<&str> = returned
            .iter()
            .flat_map(|returned| children(*returned, "AddtlInf"))
            .filter_map(|told| told.text())
            .collect();
        if code.is_none() && told.is_empty() {
            told.extend(self.additional(payment));
        }
        Ok(Fact::Returned {
            reason: reason_of(code.unwrap_or_default(), told),
            on: Some(on.ok_or(Problem::Missing("BookgDt"))?),
        })
    }

    fn came_in(&self, payment: Node<'_, '_>) -> Fact {
        let Some(account) = self.account.clone() else {
            return Fact::Other("money that came in to an account that the file does not name");
        };
        let mut told: Vec<&str> = self.additional(payment).into_iter().collect();
        if told.is_empty() {
            told.extend(purpose(payment));
        }
        Fact::CameIn {
            account,
            on: self.value_on.or(self.booked_on),
            reason: reason_of("", told),
        }
    }

    /// Returns what a booked credit says to the owner of the account. A purpose in pieces is whole again without spaces between them.
    fn told_credit(&self, payment: Node<'_, '_>, fact: &Fact) -> Option<Credit> {
        let Fact::CameIn { account, on, .. } = fact else {
            return None;
        };
        let purpose: String = purpose(payment).collect();
        let texts: Vec<&str> = [purpose.as_str()]
            .into_iter()
            .chain(self.additional(payment))
            .collect();
        Some(Credit {
            account: account.clone(),
            on: (*on)?,
            text: texts.join("\n"),
        })
    }

    /// Returns what the bank adds in its own words.
    fn additional<'b>(&'b self, payment: Node<'b, 'b>) -> Option<&'b str> {
        text(payment, "AddtlTxInf").or_else(|| text(self.entry, "AddtlNtryInf"))
    }

    fn references(&self, payment: Node<'_, '_>, is_only_one: bool) -> References {
        let booking = text(self.entry, "AcctSvcrRef").filter(|_| is_only_one);
        References {
            uetr: text(payment, "Refs/UETR").and_then(Uetr::parse),
            transfer: text(payment, "Refs/InstrId").and_then(transfer_id),
            document_number: text(payment, "Refs/EndToEndId").and_then(document_number),
            bank_reference: text(payment, "Refs/AcctSvcrRef")
                .or(booking)
                .and_then(bank_reference),
            booking_reference: booking.and_then(bank_reference),
        }
    }

    fn accounts(&self, payment: Node<'_, '_>) -> Vec<Iban> {
        ["RltdPties/CdtrAcct/Id/IBAN", "RltdPties/DbtrAcct/Id/IBAN"]
            .into_iter()
            .filter_map(|path| text(payment, path))
            .filter_map(|text| Iban::parse(text).ok())
            .filter(|account| Some(account) != self.account.as_ref())
            .collect()
    }

    fn other(&self, why: &'static str, amount: Option<Node<'_, '_>>) -> Entry {
        let (amount, other_sum) = told(amount);
        Entry {
            number: UNNUMBERED,
            line: self.tree.line(self.entry),
            fact: Fact::Other(why),
            references: References::default(),
            amount,
            other_sum,
            accounts: Vec::new(),
            credit: None,
        }
    }
}

/// Returns a sum in hryvnias, or one in another currency as it is shown.
fn told(amount: Option<Node<'_, '_>>) -> (Option<Money>, Option<String>) {
    let currency = amount.and_then(|amount| amount.attribute("Ccy"));
    sum_in(amount.and_then(amount_in), currency.unwrap_or("UAH"))
}

/// Returns the pieces of the purpose.
fn purpose<'a>(payment: Node<'a, 'a>) -> impl Iterator<Item = &'a str> {
    let purpose = at(payment, "RmtInf").into_iter();
    let pieces = purpose.flat_map(|purpose| children(purpose, "Ustrd"));
    pieces.filter_map(|piece| piece.text())
}

fn amount_in(node: Node<'_, '_>) -> Option<Money> {
    node.text().and_then(sum)
}

fn day_at(node: Node<'_, '_>, paths: &[&'static str]) -> Option<Date> {
    text_of(node, paths).and_then(day)
}
