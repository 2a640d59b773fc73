//! What the operator's accountant and the clerks of her bank do, and what notaries do about money that came back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cabinet_app::audit::Recorder;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::operator::support_desk::RefundOrderWish;
use cabinet_app::transfer::returns::PayeeRequest;
use cabinet_app::transfer::{Format, ImportError, ListStatus, Reason, Transfers};
use cabinet_bank_files::{BankFile, Payer};
use cabinet_domain::payment::{Alarm, RefundWish};
use cabinet_domain::{
    AfterReturn, Iban, Money, Okpo, OperatorReason, Origin, Transfer, TransferStatus, kyiv_date,
};
use cabinet_storage::operator::alarms;
use cabinet_storage::order::orders;
use cabinet_storage::payment::attempts;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use crate::action::{Action, Outcome};
use crate::bank::{Fact, OPERATOR_ACCOUNT, Obstacle};
use crate::database::{NOTARIES, notary, origin_of, signer};
use crate::history::History;
use crate::ledger;
use crate::time::CabinetClock;

/// Returns the account from which the bank pays.
fn payer() -> Payer {
    Payer {
        name: "ТОВ «Кабінет»".to_owned(),
        iban: Iban::parse(OPERATOR_ACCOUNT).expect("an account"),
        code: Okpo::parse("32855961").expect("a code"),
    }
}

impl History<'_> {
    pub(super) fn transfers(&self) -> Transfers {
        let clock = Arc::new(CabinetClock(Arc::clone(&self.time)));
        let origin = Origin::operator("accountant".to_owned());
        let recorder = Recorder::new(clock, Arc::clone(&self.bytes) as _, origin);
        let seals = self.services.keys.seals().clone();
        cabinet_app::testing::operator(self.store.clone(), recorder).transfers(seals)
    }

    /// Reads all transfers of all orders, each with its notary, in a fixed order. A notary may not know an order whose answer was lost.
    pub(crate) fn all_transfers(&self) -> BTreeMap<i64, (usize, Transfer)> {
        let store = self.store.clone();
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let mut all = BTreeMap::new();
            for attempt in attempts::begun_between(tx, Timestamp::MIN, Timestamp::MAX)? {
                let Some(order) = orders::by_id(tx, attempt.order_id)? else {
                    continue;
                };
                let Some(owner) = (0..NOTARIES).find(|owner| notary(*owner) == order.notary_id)
                else {
                    continue;
                };
                for transfer in transfers::of_order(tx, order.id)? {
                    all.insert(transfer.document_number, (owner, transfer));
                }
            }
            Ok(all)
        };
        let read = self
            .executor
            .run(async move { store.read_long(read).await });
        read.expect("the transfers can be read")
    }

    /// Does some of what is to be done about the money that leaves.
    pub(crate) fn let_clerks_act(&mut self) {
        let duties = [
            History::export_list,
            History::send_list,
            History::take_marks_back,
            History::let_bank_work,
            History::read_file_of_bank,
            History::read_file_of_bank,
            History::settle_disputes,
            History::decide_about_return,
            History::give_back_what_is_asked_for,
            History::give_back_by_hand_at_last,
        ];
        for duty in duties {
            if self.chance.percent(40) {
                duty(self);
            }
        }
    }

    /// Exports what is to be sent. Two clerks may do so one after the other.
    fn export_list(&mut self) {
        let (transfers, now) = (self.transfers(), self.time.of_cabinet());
        let payer = payer();
        let exporting = transfers.export(Format::Pain001, &payer, now);
        let exported = self.executor.run(exporting);
        let exported = exported.expect("what is planned can be exported");
        if exported.transfers == 0 {
            return;
        }
        self.trace
            .note(format!("a list of {} is exported", exported.transfers));
        self.lists.push(exported.file);
    }

    /// Marks an exported list as sent and, where the cabinet takes that, gives it to the bank. What was taken back is never given.
    fn send_list(&mut self) {
        let place = match self.lists.len() {
            0 => return,
            count => self.chance.below(count),
        };
        // A list stays on the clerk's disk: she may take the wrong one later.
        let file = if self.chance.percent(70) {
            self.lists.remove(place)
        } else {
            self.lists[place].clone()
        };
        let (transfers, now) = (self.transfers(), self.time.of_cabinet());
        let sent = ListStatus {
            status: TransferStatus::Sent,
            payer: payer(),
        };
        let marking = transfers.import_file(&file, Some(sent), None, now);
        let taken = match self.executor.run(marking) {
            Ok(taken) => taken,
            Err(error) => {
                self.trace.note(format!("a list is not marked: {error:?}"));
                self.bank.count(Obstacle::ListRefused);
                return;
            }
        };
        let changed = taken.imported.changed;
        self.trace.note(format!("a list is marked: {changed}"));
        if changed == 0 {
            // Marked before: the bank has it already.
            return;
        }
        let Ok(BankFile::List(listed)) = cabinet_bank_files::read(&file) else {
            self.broken.push("a list can't be read".to_owned());
            return;
        };
        let all = self.all_transfers();
        // At the end no list is lost.
        let is_given = self.gates.are_open() || self.chance.percent(60);
        for row in listed {
            let Some((_, transfer)) = all.get(&row.document_number) else {
                self.broken
                    .push("a list names a transfer that is not there".to_owned());
                continue;
            };
            // Its money came by card all the same, and the operator has asked nobody yet.
            if self.browsers.marked.contains(&transfer.order_id) && !self.gates.are_open() {
                self.broken.push(format!(
                    "document {} is sent, and its order is marked as paid by QR codes",
                    row.document_number
                ));
            }
            if !is_given {
                self.not_given.push(transfer.id);
            } else if !self.bank.take(transfer) {
                self.broken.push(format!(
                    "the bank is given document {} twice",
                    row.document_number
                ));
            }
        }
        if !is_given {
            self.trace.note("the bank does not get it");
            self.bank.count(Obstacle::ListLost);
        }
    }

    /// Plans anew what the bank was not given. The cabinet takes that on a later day.
    fn take_marks_back(&mut self) {
        if self.not_given.is_empty() {
            return;
        }
        let (transfers, now) = (self.transfers(), self.time.of_cabinet());
        let reason = OperatorReason::parse("the bank has no such list").expect("a reason");
        let taking = transfers.take_back_mark(&self.not_given, &reason, now);
        let taken = self.executor.run(taking);
        self.trace
            .note(format!("the marks are taken back: {}", taken.is_ok()));
        if taken.is_ok() {
            self.not_given.clear();
        }
    }

    /// Lets the bank go on with some of its payments and tell of it.
    fn let_bank_work(&mut self) {
        let day = kyiv_date(self.time.truth());
        let (chance, bank) = (&mut self.chance, &mut self.bank);
        let done = bank.work(day, |next| match next {
            [] => None,
            _ if chance.percent(30) => None,
            // What seemed to be over.
            [after] => {
                let likely = if *after == Fact::Debited { 70 } else { 30 };
                chance.percent(likely).then_some(*after)
            }
            [rare, usual, ..] => Some(if chance.percent(35) { *rare } else { *usual }),
        });
        if self.chance.percent(70) {
            self.bank.write();
        }
        for (number, fact) in done {
            self.trace.note(format!("the bank: {number} is {fact:?}"));
        }
    }

    /// Takes a file of the bank over, in any order, and perhaps once more later.
    fn read_file_of_bank(&mut self) {
        let place = match self.bank.unread.len() {
            0 => return,
            count => self.chance.below(count),
        };
        let file = if self.chance.percent(80) {
            self.bank.unread.remove(place)
        } else {
            self.bank.unread[place]
        };
        self.import(file);
    }

    fn import(&mut self, place: usize) {
        let (transfers, now) = (self.transfers(), self.time.of_cabinet());
        let text = self.bank.file(place).to_owned();
        let importing = transfers.import_file(text.as_bytes(), None, None, now);
        match self.executor.run(importing) {
            Ok(taken) if taken.unmatched.is_empty() => self.trace.note(format!(
                "file {place} of the bank is read: {} changed, disputed {:?}",
                taken.imported.changed, taken.disputed
            )),
            Ok(taken) => self.broken.push(format!(
                "{} entries of file {place} of the bank are of no transfer",
                taken.unmatched.len()
            )),
            // By the cabinet's clock the file may tell of tomorrow. It is read later.
            Err(error) if kyiv_date(now) != kyiv_date(self.time.truth()) => {
                self.trace.note(format!("file {place} waits: {error:?}"));
                self.bank.unread.push(place);
            }
            Err(error) => {
                let text = format!("file {place} of the bank is refused: {error:?}");
                self.broken.push(text);
            }
        }
    }

    /// Returns the parts that came back and about which nobody has decided, each with its notary.
    fn undecided_parts(&self) -> Vec<(usize, Transfer)> {
        // A notary finds an order whose answer was lost in her archive.
        let all = self.all_transfers().into_values();
        let orders: BTreeSet<_> = all
            .map(|(owner, transfer)| (owner, transfer.order_id))
            .collect();
        let store = self.store.clone();
        let read = move |tx: &mut Tx| -> Result<Vec<(usize, Transfer)>, StorageError> {
            let mut all = Vec::new();
            for (owner, order) in &orders {
                for part in transfers::returned_of(tx, *order)? {
                    if part.after() == AfterReturn::Undecided {
                        all.push((*owner, part.transfer));
                    }
                }
            }
            Ok(all)
        };
        self.executor
            .run(async move { store.read_long(read).await })
            .expect("the parts can be read")
    }

    /// Lets a notary decide about a part that came back: the card, or the same recipient once more.
    fn decide_about_return(&mut self) {
        let undecided = self.undecided_parts();
        self.let_thief_redirect(&undecided);
        let Some((owner, transfer)) = self.chance.pick(&undecided).cloned() else {
            return;
        };
        let again = self.chance.percent(50);
        self.bank.count(if again {
            Obstacle::SentAgain
        } else {
            Obstacle::GivenBack
        });
        let (services, id) = (self.services.clone(), transfer.id.to_string());
        let action = Action::Decide {
            document_number: transfer.document_number,
            again,
        };
        self.start(action, async move {
            if again {
                let payee = transfer.planned.payee;
                let request = PayeeRequest {
                    iban: Some(payee.iban.as_str().to_owned()),
                    okpo: Some(payee.okpo.as_str().to_owned()),
                    recipient_name: Some(payee.name.as_str().to_owned()),
                    purpose: Some(payee.purpose.as_str().to_owned()),
                };
                let (errors, origin) = (FieldErrors::new(), origin_of(notary(owner)));
                let sent = services
                    .returns
                    .send_again(signer(owner), &id, request, errors, origin);
                sent.await?;
            } else {
                let (who, origin) = (signer(owner), origin_of(notary(owner)));
                services.returns.request_refund(who, &id, origin).await?;
            }
            Ok(Outcome::Done)
        });
    }

    /// Asks the bank where the money of disputed transfers is, enters what it says in a table of the operator's own, and closes the alarms of all
    /// that are settled. What was given back or sent again before stays disputed: only a return is entered there.
    fn settle_disputes(&mut self) {
        let subjects = self.open_alarms();
        for (_, transfer) in self.all_transfers().into_values() {
            let (id, number) = (transfer.id, transfer.document_number);
            if !subjects.contains(&format!("transfer:{number}")) {
                continue;
            }
            let is_disputed = transfer.status == TransferStatus::Disputed;
            if is_disputed && !self.bank.has_credited(id) {
                continue;
            }
            if is_disputed && !self.has_gone_on(&transfer) {
                let table = format!("transfer_id;status\n{id};credited\n");
                let reason = OperatorReason::parse("the bank was asked").expect("a reason");
                let now = self.time.of_cabinet();
                let transfers = self.transfers().because(reason);
                let importing = transfers.import_file(table.as_bytes(), None, None, now);
                match self.executor.run(importing) {
                    Ok(_) => drop(self.settled.insert(id)),
                    // While a refund is under way nothing is settled.
                    Err(ImportError::Rows(rows))
                        if rows.iter().all(|row| row.reason == Reason::BeingGivenBack) =>
                    {
                        self.trace.note(format!(
                            "the dispute about document {number} waits for a refund"
                        ));
                        continue;
                    }
                    Err(error) => {
                        let text = format!("what the bank says of a dispute fails: {error}");
                        self.broken.push(text);
                        continue;
                    }
                }
            }
            self.trace
                .note(format!("the bank was asked about document {number}"));
            self.close_alarm_of(number);
        }
    }

    /// Returns whether the money of a transfer went back to the card, or out once more.
    fn has_gone_on(&self, transfer: &Transfer) -> bool {
        let all = self.all_transfers();
        let mut others = all.values();
        let is_refunded = transfer
            .refund
            .is_some_and(|refund| refund.refunded_at.is_some());
        is_refunded || others.any(|(_, other)| other.replaces == Some(transfer.id))
    }

    /// Returns the subjects of the open alarms.
    fn open_alarms(&self) -> BTreeSet<String> {
        let open = self.list_alarms();
        open.into_iter().map(|alarm| alarm.subject).collect()
    }

    fn list_alarms(&self) -> Vec<Alarm<String>> {
        let store = self.store.clone();
        let read = |tx: &mut Tx| alarms::list(tx, false, 1_000);
        let open = self
            .executor
            .run(async move { store.read_long(read).await });
        open.expect("the alarms can be read")
    }

    fn close_alarm_of(&mut self, document_number: i64) {
        let open = self.list_alarms();
        let subject = format!("transfer:{document_number}");
        let now = self.time.of_cabinet();
        for alarm in open.iter().filter(|alarm| alarm.subject == subject) {
            let administration = self.services.operator.administration();
            let closing =
                administration.close_alarm(alarm.id, "the bank was asked", Money::ZERO, now);
            let closed = self.executor.run(closing);
            assert!(closed.is_ok(), "an open alarm can be closed");
        }
    }

    /// Gives back to cards what notaries asked for, or marks it so: then it is done by hand, later.
    fn give_back_what_is_asked_for(&mut self) {
        let open = self
            .executor
            .run(self.services.operator.card_refunds().open())
            .expect("the requests can be read");
        for (number, transfer) in open {
            if self.chance.percent(85) && self.mark_by_hand(&transfer) {
                continue;
            }
            let wish = RefundOrderWish::Ask(RefundWish::Transfer(transfer.document_number));
            self.start_refund(transfer.order_id, number, wish);
        }
    }

    /// Marks a part as given back to the card. Returns false where monobank has no charge of it, or the cabinet does not take that.
    fn mark_by_hand(&mut self, transfer: &Transfer) -> bool {
        let invoices = self.acquirer.invoices();
        let accounts = ledger::accounts_of(&self.acquirer, transfer.order_id);
        let charged = accounts.into_iter().find(|(id, account)| {
            let mut liqpay = invoices.iter().filter(|one| one.is_liqpay);
            account.stands() && !liqpay.any(|one| one.id == *id)
        });
        let Some((invoice, _)) = charged else {
            return false;
        };
        let (refunds, now) = (
            self.services.operator.card_refunds(),
            self.time.of_cabinet(),
        );
        let marking = refunds.mark(transfer.id, "in the acquirer's cabinet", now);
        let is_marked = self.executor.run(marking).is_ok();
        if is_marked {
            let number = transfer.document_number;
            self.trace
                .note(format!("document {number} is marked as given back"));
            self.bank.count(Obstacle::MarkedByHand);
            let amount = transfer.planned.amount.kopiykas();
            self.to_give_back.push((transfer.order_id, invoice, amount));
        }
        is_marked
    }

    /// Lets the clerk do what she has marked as done, mostly days later.
    fn give_back_by_hand_at_last(&mut self) {
        if self.chance.percent(25) {
            self.give_back_by_hand();
        }
    }

    /// Does in the acquirer's cabinet what was marked as done there.
    pub(crate) fn give_back_by_hand(&mut self) {
        for (order, invoice, amount) in std::mem::take(&mut self.to_give_back) {
            let said = self.acquirer.refund(&invoice, Some(amount));
            let name = self.trace.name("invoice", &invoice);
            self.trace
                .note(format!("{amount} of {name} are given back by hand: {said}"));
            if matches!(said.as_str(), "success" | "processing") {
                *self.by_hand.entry(order).or_default() += amount;
            } else if self.weather.refunds {
                // Another clerk has given it back.
                self.is_mark_wrong = true;
            } else {
                self.broken.push(format!(
                    "{name}: the cabinet gave back what a clerk gives back by hand: {said}"
                ));
            }
        }
    }

    /// Ends a round at the bank: everything planned is sent, everything sent arrives, every file is read, some once more, and what came back is
    /// decided about.
    pub(crate) fn end_at_bank(&mut self) {
        self.give_back_by_hand();
        self.lists.clear();
        self.take_marks_back();
        self.export_list();
        if !self.lists.is_empty() {
            self.send_list();
        }
        let day = kyiv_date(self.time.truth());
        for _ in 0..2 {
            self.bank.work(day, |next| match next {
                [_, usual] => Some(*usual),
                _ => None,
            });
        }
        self.bank.write();
        let mut files = self.bank.all_files();
        while !files.is_empty() {
            let place = files.remove(self.chance.below(files.len()));
            self.import(place);
        }
        self.settle_disputes();
        for _ in 0..10 {
            self.decide_about_return();
        }
        self.give_back_what_is_asked_for();
    }
}
