//! Taking over what a bank's own files tell: each entry is brought together with its transfer, and checked against it.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_bank_files::{Entry, EntryName, Fact};
use cabinet_domain::{
    Balance, BankAnswer, BankFact, BankFactKind, Iban, Money, OperatorReason, Origin, Transfer,
    TransferId, TransferStatus, status_by,
};
use cabinet_storage::transfer::bank_facts::Source;
use cabinet_storage::transfer::{bank_facts, transfer_search, transfers};
use cabinet_storage::{StorageError, Tx, WithoutOrder};
use jiff::civil::Date;

use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::transfer::checks::{Shown, check, check_after_return, check_refusal, shown};
use crate::transfer::import::{Import, ImportError, Imported};
use crate::transfer::marked_lists::MarkedList;
use crate::transfer::mismatch::Mismatch;
use crate::transfer::outcomes::{Outcome, Outcomes};
use crate::transfer::rows::{BadRow, Reason, Row};

/// Why a credit is left out.
const MONEY_CAME_IN: &str = "money that came in";
/// Why an entry without references is left out.
const NAMES_NONE: &str = "it names no transfer";
/// Why an entry of another program is left out.
const OTHER_INSTRUCTION: &str = "its instruction is not one of ours";
/// Why an entry with our number and nothing else is left out.
const OTHER_ACCOUNT_AND_SUM: &str =
    "its document number is one of ours, its account and sum are not";
/// Why an entry that would change the status by the number is left out.
const ONLY_NUMBER: &str = "its document number is one of ours, but its account and sum do not both show that it is ours: look for it by hand";

/// Why an entry is left out that the operator named.
const BY_HAND: &str = "it is settled by hand, as the command says";

/// Why an entry is left out that can't be read.
const UNREAD_AND_FOREIGN: &str =
    "it can't be read, and its account and references are those of no transfer";

/// What was taken from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The transfers.
    pub imported: Imported,
    /// The same by what was told of them.
    pub outcomes: Outcomes,
    /// The entries that concern no transfer.
    pub unmatched: Vec<Unmatched>,
    /// The numbers of the documents that have become disputed.
    pub disputed: Vec<i64>,
    /// What the bank kept of the money that came back.
    pub fees: Balance,
    /// The list that was marked as sent, if the file is one.
    pub list: Option<MarkedList>,
}

/// What banks kept of money that came back.
#[derive(Default)]
struct Fees {
    /// The names of the entries.
    names: BTreeSet<String>,
    /// The sum of what was not known before.
    total: Balance,
}

/// An entry that concerns no transfer of the cabinet, as far as it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// Its line.
    pub line: usize,
    /// Its name.
    pub name: EntryName,
    /// Its sum with its currency, if the file tells it.
    pub sum: Option<String>,
    /// Why it is left out.
    pub why: &'static str,
}

/// Entries about which the operator has decided.
#[derive(Clone, Debug)]
pub struct SettledByHand {
    /// The names, as the cabinet told them, of those that are left out.
    pub left_out: Vec<String>,
    /// The names of those that came back less a fee that the bank kept.
    pub less_fee: Vec<String>,
    /// Why.
    pub reason: OperatorReason,
}

/// The entries about which the operator has decided, by the decision.
#[derive(Clone, Debug)]
pub struct Decided<T> {
    /// They are left out.
    pub left_out: Vec<T>,
    /// They came back less the bank's fee.
    pub less_fee: Vec<T>,
}

impl SettledByHand {
    fn leaves_out(&self, entry: &Entry) -> bool {
        self.left_out.contains(&entry.name().to_string())
    }

    fn allows_fee(&self, entry: &Entry) -> bool {
        self.less_fee.contains(&entry.name().to_string())
    }

    /// Returns the entries of a file about which the operator has decided.
    ///
    /// # Errors
    /// [`ImportError::NoSuchEntry`].
    pub(crate) fn of<'a>(&self, entries: &'a [Entry]) -> Result<Decided<&'a Entry>, ImportError> {
        let known: BTreeSet<String> = entries
            .iter()
            .map(|entry| entry.name().to_string())
            .collect();
        let mut named = self.left_out.iter().chain(&self.less_fee);
        if let Some(unknown) = named.find(|name| !known.contains(*name)) {
            return Err(ImportError::NoSuchEntry(unknown.clone()));
        }
        let all = || entries.iter();
        Ok(Decided {
            left_out: all().filter(|entry| self.leaves_out(entry)).collect(),
            less_fee: all().filter(|entry| self.allows_fee(entry)).collect(),
        })
    }
}

/// A file of the bank.
pub(crate) struct Answered {
    /// Its entries.
    pub(crate) entries: Vec<Entry>,
    /// Those that the operator settles.
    pub(crate) by_hand: Option<SettledByHand>,
    /// SHA-256 of the file, in hexadecimal digits.
    pub(crate) digest: String,
}

/// Takes every entry over that concerns a transfer, or none. Those `by_hand` are left out: the operator settles them.
///
/// # Errors
/// Every entry that contradicts its transfer.
pub(crate) fn take_answers(
    tx: &mut WithoutOrder<'_>,
    Answered {
        entries,
        by_hand,
        digest,
    }: &Answered,
    unit: &mut UnitContext,
    origin: &Origin,
    notifier: &Notifier,
) -> Result<Taken, ImportError> {
    bank_facts::lock(tx)?;
    let mut answers = Answers {
        import: Import::new(unit, origin),
        unmatched: Vec::new(),
        by_hand: by_hand.as_ref(),
        fees: Fees::default(),
        file: digest,
        debited: BTreeMap::new(),
        recipients: None,
    };
    // What names its transfer comes first, so that the others mean the same transfers in whatever order the lines stand.
    let mut nameless = Vec::new();
    if let Some(by_hand) = by_hand {
        by_hand.of(entries)?;
    }
    for entry in entries {
        if let Some(by_hand) = by_hand.as_ref().filter(|by_hand| by_hand.leaves_out(entry)) {
            answers.settle_by_hand(tx, entry, &by_hand.reason)?;
            continue;
        }
        if let Fact::Unread(problem) = &entry.fact {
            if answers.may_be_ours(tx, entry)? {
                let reason = Reason::File(problem.clone());
                answers.import.refuse_entry(entry, reason);
            } else {
                answers.leave_out(entry, UNREAD_AND_FOREIGN);
            }
            continue;
        }
        match answers.named(tx, entry)? {
            Ok(Some(found)) => answers.take(tx, entry, found)?,
            Ok(None) => nameless.push(entry),
            Err(mismatch) => answers.import.refuse_entry(entry, mismatch.into()),
        }
    }
    for entry in &nameless {
        let found = answers.fitting(tx, entry, &nameless)?;
        answers.take(tx, entry, found)?;
    }
    answers
        .unmatched
        .sort_by(|one, other| one.name.cmp(&other.name));
    if let Some(name) = answers.unused_fee() {
        return Err(ImportError::NoFee(name));
    }
    let (disputed, fees) = (answers.import.disputed(), answers.fees);
    let (imported, outcomes) = answers.import.finish(tx, notifier)?;
    Ok(Taken {
        disputed,
        fees: fees.total,
        imported,
        outcomes,
        unmatched: answers.unmatched,
        list: None,
    })
}

/// By what the transfer of an entry was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The end-to-end reference, or the id of the transfer: nobody else uses them.
    Reference,
    /// The bank's own reference, which it told before.
    BankReference,
    /// The number of its document, which other programs of the payer may use, too.
    Number,
    /// Account, sum and day fit no other transfer.
    Fit,
}

/// The transfer of an entry.
enum Found {
    Transfer(Box<Transfer>, By),
    /// None; why.
    Nothing(&'static str),
}

/// An import of a bank's file that is under way.
struct Answers<'a> {
    import: Import<'a>,
    unmatched: Vec<Unmatched>,
    /// What the operator has decided.
    by_hand: Option<&'a SettledByHand>,
    fees: Fees,
    /// SHA-256 of the file, in hexadecimal digits.
    file: &'a str,
    /// The debits of this file: their numbers and references.
    debited: BTreeMap<TransferId, (usize, BankAnswer)>,
    /// The accounts of all recipients, once they were asked for.
    recipients: Option<BTreeSet<String>>,
}

impl Answers<'_> {
    /// Takes an entry over, or refuses it.
    fn take(
        &mut self,
        tx: &mut WithoutOrder<'_>,
        entry: &Entry,
        found: Found,
    ) -> Result<(), StorageError> {
        let (transfer, by) = match found {
            Found::Transfer(transfer, by) => (transfer, by),
            Found::Nothing(why) => {
                self.leave_out(entry, why);
                return Ok(());
            }
        };
        let Some(mut entry) = understood(entry, &transfer, by) else {
            self.leave_out(entry, MONEY_CAME_IN);
            return Ok(());
        };
        // The end-to-end reference would name the transfer from now on, and may be another payment's.
        if by == By::Fit {
            entry.references.uetr = None;
        }
        let fee = self.fee_of(tx, &entry, &transfer)?;
        if fee.is_some() {
            entry.amount = Some(transfer.planned.amount);
        }
        if by == By::Number {
            match (shown(&entry, &transfer), &entry.fact) {
                (Shown::Both, _) => {}
                // Such a debit is checked. Its end-to-end reference may be another payment's, too.
                (Shown::One, Fact::UnderWay { .. }) => entry.references.uetr = None,
                (Shown::One, _) => {
                    self.leave_out(&entry, ONLY_NUMBER);
                    return Ok(());
                }
                (Shown::Nothing, _) => {
                    self.leave_out(&entry, OTHER_ACCOUNT_AND_SUM);
                    return Ok(());
                }
            }
        }
        if let Err(reason) = self.take_fact(tx, (&entry, fee), &transfer)? {
            self.import.refuse_entry(&entry, reason);
        }
        Ok(())
    }

    /// Returns what the bank kept of the money that came back, where the operator says that it is the bank's fee, or said so when the same return
    /// was read before.
    fn fee_of(
        &mut self,
        tx: &mut Tx,
        entry: &Entry,
        transfer: &Transfer,
    ) -> Result<Option<Money>, StorageError> {
        let Fact::Returned { on, .. } = entry.fact else {
            return Ok(None);
        };
        let kept = entry
            .amount
            .and_then(|came| transfer.planned.amount.minus(came).ok());
        let Some(kept) = kept.filter(|kept| !kept.is_zero()) else {
            return Ok(None);
        };
        if self
            .by_hand
            .is_some_and(|by_hand| by_hand.allows_fee(entry))
        {
            self.fees.names.insert(entry.name().to_string());
            return Ok(Some(kept));
        }
        let known = self.import.facts(tx, transfer)?;
        let is_known = |fact: &BankFact| {
            (fact.kind, fact.day, fact.fee) == (BankFactKind::Returned, on, Some(kept))
        };
        Ok(known.iter().any(is_known).then_some(kept))
    }

    /// Returns an entry of which the operator says that the bank kept a fee, and of which it did not.
    fn unused_fee(&self) -> Option<String> {
        let wanted = self.by_hand.iter().flat_map(|by_hand| &by_hand.less_fee);
        wanted
            .into_iter()
            .find(|name| !self.fees.names.contains(*name))
            .cloned()
    }

    /// Keeps what an entry tells of its transfer, with what follows from it. `fee`: what the bank kept of it. The inner result is the refusal of
    /// the entry.
    fn take_fact(
        &mut self,
        tx: &mut WithoutOrder<'_>,
        (entry, fee): (&Entry, Option<Money>),
        transfer: &Transfer,
    ) -> Result<Result<(), Reason>, StorageError> {
        let checked = check(entry, transfer)
            .and_then(|()| check_refusal(&entry.fact, transfer))
            .and_then(|()| self.debit_once(entry, transfer));
        if let Err(mismatch) = checked {
            return Ok(Err(mismatch.into()));
        }
        let mut facts = self.import.facts(tx, transfer)?;
        if is_debited_on_another_day(entry, &facts) {
            return Ok(Err(
                Mismatch::DebitedOnAnotherDay(transfer.document_number).into()
            ));
        }
        let mut is_new = false;
        if let Some(fact) = fact_of(entry) {
            let fact = BankFact { fee, ..fact };
            let source = Source {
                file: self.file,
                line: entry.line,
            };
            is_new = self.import.keep_fact(tx, transfer, &fact, Some(source))?;
            if !is_new && !facts.contains(&fact) {
                // A person has decided against it.
                self.import.leave(transfer);
                return Ok(Ok(()));
            }
            if let Some(fee) = fee.filter(|_| is_new) {
                self.record_fee(tx, transfer, fee)?;
            }
            facts.push(fact);
        }
        if status_by(&facts) == TransferStatus::Disputed {
            let told = row(entry, transfer).bank;
            return self.import.dispute(tx, transfer.id, &told, is_new);
        }
        // Without an answer of the bank the operator, who was asked, decides.
        let resolves = matches!(entry.fact, Fact::Returned { .. } | Fact::Reversed { .. });
        if transfer.status == TransferStatus::Disputed && !resolves {
            return self
                .import
                .dispute(tx, transfer.id, &BankAnswer::default(), false);
        }
        if let Err(mismatch) = check_after_return(tx, &entry.fact, transfer, &facts)? {
            return Ok(Err(mismatch.into()));
        }
        let told = Outcome::of_entry(&entry.fact);
        let mut row = row(entry, transfer);
        let kept = transfer.bank.returned_on;
        if let Fact::Returned { on, .. } = &entry.fact
            && self.import.is_refused_on(tx, transfer, kept)?
        {
            row.bank.returned_on = *on;
        }
        self.import.take(tx, &row, told)
    }

    /// Records what the bank kept.
    fn record_fee(
        &mut self,
        tx: &mut Tx,
        transfer: &Transfer,
        fee: Money,
    ) -> Result<(), StorageError> {
        self.fees.total += Balance::from_kopiykas(fee.kopiykas());
        let Some(by_hand) = self.by_hand else {
            return Ok(());
        };
        self.import.record_fee(tx, transfer, fee, &by_hand.reason)
    }

    /// Leaves an entry out that the operator settles by hand, and records it.
    fn settle_by_hand(
        &mut self,
        tx: &mut WithoutOrder<'_>,
        entry: &Entry,
        reason: &OperatorReason,
    ) -> Result<(), StorageError> {
        self.leave_out(entry, BY_HAND);
        let of = match self.named(tx, entry)? {
            Ok(Some(Found::Transfer(transfer, _))) => Some(transfer),
            _ => None,
        };
        self.import
            .record_by_hand(tx, entry.amount, reason, of.as_deref())
    }

    fn leave_out(&mut self, entry: &Entry, why: &'static str) {
        self.unmatched.push(unmatched(entry, why));
    }

    /// Whether an entry that can't be read may concern a transfer: unless all of its accounts are known and foreign, and it names none.
    fn may_be_ours(
        &mut self,
        tx: &mut WithoutOrder<'_>,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        match self.named(tx, entry)? {
            Ok(Some(Found::Nothing(_))) => return Ok(false),
            Ok(Some(Found::Transfer(..))) | Err(_) => return Ok(true),
            Ok(None) => {}
        }
        let recipients = match self.recipients.take() {
            Some(recipients) => recipients,
            None => transfer_search::recipients(tx)?,
        };
        let recipients = self.recipients.insert(recipients);
        let accounts = &entry.accounts;
        let is_known = |account: &Iban| recipients.contains(account.as_str());
        Ok(accounts.is_empty() || accounts.iter().any(is_known))
    }

    /// Looks for the transfer that an entry names, and locks the one of a reference. `None`: it names none of ours.
    fn named(
        &self,
        tx: &mut WithoutOrder<'_>,
        entry: &Entry,
    ) -> Result<Result<Option<Found>, Mismatch>, StorageError> {
        if let Fact::Other(why) = entry.fact {
            return Ok(Ok(Some(Found::Nothing(why))));
        }
        let references = &entry.references;
        let mut named: Vec<TransferId> = Vec::new();
        if let Some(uetr) = &references.uetr {
            named.extend(transfers::by_uetr(tx, uetr)?);
        }
        if let Some(id) = references.transfer {
            named.extend(transfers::by_id(tx, id)?.map(|found| found.id));
        }
        let numbered = match references.document_number {
            Some(number) => transfer_search::by_document_number(tx, number)?,
            None => None,
        };
        if let Some(first) = named.first() {
            let others = named.iter().chain(numbered.as_ref().map(|found| &found.id));
            if others.into_iter().any(|id| id != first) {
                return Ok(Err(Mismatch::TwoTransfers));
            }
        }
        if let Some(id) = named.first() {
            let found = transfers::lock(tx, *id)?;
            return Ok(Ok(Some(
                found.map_or(Found::Nothing(NAMES_NONE), |(_locked, found)| {
                    Found::Transfer(Box::new(found), By::Reference)
                }),
            )));
        }
        // Such an id is that of another program, whatever its number.
        if references.transfer.is_some() {
            return Ok(Ok(Some(Found::Nothing(OTHER_INSTRUCTION))));
        }
        if let Some(numbered) = numbered {
            return Ok(Ok(Some(Found::Transfer(Box::new(numbered), By::Number))));
        }
        for reference in [&references.bank_reference, &references.booking_reference] {
            let Some(reference) = reference else { continue };
            let known = transfer_search::by_bank_reference(tx, reference)?;
            if let [found] = known.as_slice() {
                return Ok(Ok(Some(Found::Transfer(
                    Box::new(found.clone()),
                    By::BankReference,
                ))));
            }
        }
        Ok(Ok(None))
    }

    /// Looks for the only transfer of account, sum and day of a debit that names none. `nameless`: all such entries of the file.
    fn fitting(
        &self,
        tx: &mut Tx,
        entry: &Entry,
        nameless: &[&Entry],
    ) -> Result<Found, StorageError> {
        let (day, amount, account) = match (&entry.fact, entry.amount, entry.accounts.as_slice()) {
            (
                Fact::UnderWay {
                    debited_on: Some(day),
                },
                Some(amount),
                [account],
            ) => (*day, amount, account),
            (Fact::Returned { .. } | Fact::Reversed { .. }, ..) => {
                return Ok(Found::Nothing(
                    "money that came back, and the file does not say which transfer: look for it by hand",
                ));
            }
            (Fact::CameIn { .. }, ..) => return Ok(Found::Nothing(MONEY_CAME_IN)),
            _ => return Ok(Found::Nothing(NAMES_NONE)),
        };
        if nameless.iter().any(|other| is_another_alike(entry, other)) {
            return Ok(Found::Nothing("another entry has its account, sum and day"));
        }
        let mut fitting = transfer_search::sent_on(tx, account, amount, day)?;
        // Those of which another debit is known are not meant.
        fitting.retain(|transfer| match self.debited.get(&transfer.id) {
            Some((_, before)) => before.shares_reference(&told_references(entry)),
            None => transfer.bank.bank_reference.is_none(),
        });
        Ok(match <[Transfer; 1]>::try_from(fitting) {
            Ok([only]) => Found::Transfer(Box::new(only), By::Fit),
            Err(none) if none.is_empty() => {
                Found::Nothing("no transfer has its account, sum and day")
            }
            Err(_) => Found::Nothing("several transfers have its account, sum and day"),
        })
    }

    /// Remembers a debit, also one that was taken back. A transfer is debited once: where the bank took another debit back, the money
    /// may be with the recipient.
    fn debit_once(&mut self, entry: &Entry, transfer: &Transfer) -> Result<(), Mismatch> {
        let is_debit = matches!(
            entry.fact,
            Fact::UnderWay {
                debited_on: Some(_)
            } | Fact::Reversed { .. }
        );
        if !is_debit {
            return Ok(());
        }
        let document = transfer.document_number;
        let told = told_references(entry);
        match self.debited.get(&transfer.id) {
            // The same debit once more, as where two statements overlap.
            Some((_, before)) if before.shares_reference(&told) => Ok(()),
            Some((number, _)) => Err(Mismatch::DebitedTwice {
                document,
                number: *number,
            }),
            None if transfer.bank.is_of_another_debit(&told) => {
                Err(Mismatch::DebitedBefore(document))
            }
            None => {
                self.debited.insert(transfer.id, (entry.number, told));
                Ok(())
            }
        }
    }
}

fn unmatched(entry: &Entry, why: &'static str) -> Unmatched {
    Unmatched {
        line: entry.line,
        name: entry.name(),
        sum: entry.sum(),
        why,
    }
}

/// Returns what an entry is about which the operator has decided, before that is done.
pub(crate) fn decided(entry: &Entry) -> Unmatched {
    let what = match &entry.fact {
        Fact::UnderWay { debited_on: None } => "the bank works on it",
        Fact::UnderWay { .. } => "a debit",
        Fact::Credited { .. } => "credited to the recipient",
        Fact::CameIn { .. } => "money that came in",
        Fact::Returned { .. } | Fact::Reversed { .. } => "money that came back",
        Fact::Refused { .. } => "a refusal of the bank",
        Fact::Other(why) => why,
        Fact::Unread(_) => "it can't be read",
    };
    unmatched(entry, what)
}

/// Returns the bank's references of an entry.
fn told_references(entry: &Entry) -> BankAnswer {
    BankAnswer {
        bank_reference: entry.references.bank_reference.clone(),
        booking_reference: entry.references.booking_reference.clone(),
        ..BankAnswer::default()
    }
}

/// Whether a debit without a reference is another one than a debit without a reference that is known: they are of two days. Where one of them has a
/// reference, they may be one, of which a statement tells the day of the order, and another one the day of the booking.
fn is_debited_on_another_day(entry: &Entry, known: &[BankFact]) -> bool {
    let Fact::UnderWay {
        debited_on: Some(day),
    } = entry.fact
    else {
        return false;
    };
    let references = &entry.references;
    references.bank_reference.is_none()
        && references.booking_reference.is_none()
        && known.iter().any(|fact| {
            fact.kind == BankFactKind::Debited
                && fact.bank_reference.is_none()
                && fact.booking_reference.is_none()
                && fact.day.is_some_and(|known| known != day)
        })
}

/// Whether another debit has the same account, sum and day, so that nobody can tell which is ours. One that is told twice, as where two
/// statements overlap, has one reference.
fn is_another_alike(entry: &Entry, other: &Entry) -> bool {
    let is_told_twice = told_references(entry).shares_reference(&told_references(other));
    other.number != entry.number
        && !is_told_twice
        && (&other.fact, other.amount, &other.accounts)
            == (&entry.fact, entry.amount, &entry.accounts)
}

/// Returns an entry with what money that came in means for a transfer. `None`: the money is not that of the transfer.
fn understood(entry: &Entry, transfer: &Transfer, by: By) -> Option<Entry> {
    let mut entry = entry.clone();
    if let Fact::CameIn {
        account,
        on,
        reason,
    } = entry.fact
    {
        if account == transfer.planned.payee.iban {
            entry.fact = Fact::Credited { on };
            // The entry itself names the account of the other side only.
            entry.accounts = vec![account];
        } else if by == By::Reference {
            entry.fact = Fact::Returned { reason, on };
        } else {
            return None;
        }
    }
    Some(entry)
}

/// Returns what an entry tells of the money. `None`: only that the bank works on it.
fn fact_of(entry: &Entry) -> Option<BankFact> {
    let fact = match &entry.fact {
        Fact::UnderWay { debited_on } => {
            let told = told_references(entry);
            BankFact {
                bank_reference: told.bank_reference,
                booking_reference: told.booking_reference,
                ..BankFact::of(BankFactKind::Debited, Some((*debited_on)?))
            }
        }
        Fact::Credited { on } => BankFact::of(BankFactKind::Credited, *on),
        Fact::Refused { on, .. } => BankFact::of(BankFactKind::Refused, Some(*on)),
        Fact::Returned { on, .. } => BankFact::of(BankFactKind::Returned, *on),
        Fact::Reversed { .. } => BankFact::of(BankFactKind::Returned, None),
        // Money that came in was understood before.
        Fact::CameIn { .. } | Fact::Other(_) | Fact::Unread(_) => return None,
    };
    Some(fact)
}

/// Returns what an entry changes. A bank tells again and again what became of a payment: a debit says nothing new of what was credited,
/// and a return is kept as it was told first.
fn row(entry: &Entry, transfer: &Transfer) -> Row {
    let mut row = Row {
        line: entry.line,
        transfer: transfer.id,
        status: transfer.status,
        reason: transfer.reason.clone(),
        value_date: None,
        bank: BankAnswer {
            uetr: entry.references.uetr.clone(),
            ..BankAnswer::default()
        },
    };
    let is_returned = transfer.status == TransferStatus::Returned;
    match &entry.fact {
        Fact::UnderWay { debited_on } => {
            // Only the debit has the reference under which the payer's statement names it.
            if debited_on.is_some() {
                let told = told_references(entry);
                row.bank.bank_reference = told.bank_reference;
                row.bank.booking_reference = told.booking_reference;
            }
        }
        Fact::Credited { on } => {
            row.bank.credited_on = *on;
            if !is_returned {
                row.status = TransferStatus::Credited;
            }
        }
        Fact::Returned { reason, on } if !is_returned => {
            become_returned(&mut row, reason, *on);
        }
        Fact::Reversed { reason } if !is_returned => {
            become_returned(&mut row, reason, None);
        }
        Fact::Refused { reason, on, .. } if !is_returned => {
            become_returned(&mut row, reason, Some(*on));
        }
        // Money that came in was understood before.
        Fact::Returned { .. }
        | Fact::Reversed { .. }
        | Fact::Refused { .. }
        | Fact::CameIn { .. }
        | Fact::Other(_)
        | Fact::Unread(_) => {}
    }
    row
}

fn become_returned(row: &mut Row, reason: &str, on: Option<Date>) {
    row.status = TransferStatus::Returned;
    row.reason = Some(reason.to_owned());
    row.bank.returned_on = on;
}

/// Returns the findings of a file as refused rows.
pub(crate) fn bad_rows(findings: Vec<cabinet_bank_files::Finding>) -> ImportError {
    let rows = findings
        .into_iter()
        .map(|finding| BadRow::new(finding.line, Reason::File(finding.problem)));
    ImportError::Rows(rows.collect())
}
