//! The bank of the operator: which payments it was given, what it did with each, and the files in which it tells of that.

use std::collections::BTreeMap;

use cabinet_domain::{Money, Transfer, TransferId};
use jiff::civil::Date;

/// What money that leaves may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// The cabinet refused to mark a list as sent.
    ListRefused,
    /// A list was marked as sent, and the bank did not get it.
    ListLost,
    /// The bank carried out what it had refused.
    PaidAfterRefusal,
    /// The money came back.
    CameBack,
    /// A notary had it sent again.
    SentAgain,
    /// A notary wanted it back on the card.
    GivenBack,
    /// A clerk marked that as given back, before she did so in the acquirer's cabinet.
    MarkedByHand,
}

impl Obstacle {
    /// All of them.
    pub const ALL: [Obstacle; 7] = [
        Obstacle::ListRefused,
        Obstacle::ListLost,
        Obstacle::PaidAfterRefusal,
        Obstacle::CameBack,
        Obstacle::SentAgain,
        Obstacle::GivenBack,
        Obstacle::MarkedByHand,
    ];
}

/// What the bank did with a payment. The order of the facts is their order in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// It said that it does not carry the payment out.
    Refused,
    /// It took the money from the operator's account.
    Debited,
    /// The recipient's bank has the money.
    Credited,
    /// The money is back on the operator's account.
    Returned,
}

/// A payment that the bank was given.
pub(crate) struct BankPayment {
    pub(crate) transfer: TransferId,
    pub(crate) document_number: i64,
    pub(crate) amount: Money,
    pub(crate) iban: String,
    /// What it did, each with its day.
    facts: Vec<(Fact, Date)>,
    /// How many of the facts stand in a file.
    told: usize,
}

impl BankPayment {
    fn has(&self, fact: Fact) -> bool {
        self.facts.iter().any(|done| done.0 == fact)
    }

    fn last(&self) -> Option<Fact> {
        self.facts.last().map(|done| done.0)
    }

    /// Returns what the bank may do with it on a day. The likeliest is last.
    fn next(&self, day: Date) -> &'static [Fact] {
        match self.facts.last() {
            None => &[Fact::Refused, Fact::Debited],
            // A clerk of the bank carries out what the program refused.
            Some((Fact::Refused, _)) => &[Fact::Debited],
            Some((Fact::Debited, _)) => &[Fact::Returned, Fact::Credited],
            // The recipient's bank sends it back days later.
            Some((Fact::Credited, on)) if *on < day => &[Fact::Returned],
            Some((Fact::Credited | Fact::Returned, _)) => &[],
        }
    }

    /// Returns whether the operator's account lacks the money.
    pub(crate) fn has_left(&self) -> bool {
        self.has(Fact::Debited) && !self.has(Fact::Returned)
    }

    /// Returns the status that the cabinet must show once it has read every file. `is_settled`: a person has asked the bank about what its files
    /// contradict.
    pub(crate) fn status(&self, is_settled: bool) -> &'static str {
        let is_refused = self.has(Fact::Refused) && !is_settled;
        match self.last() {
            Some(Fact::Returned) => "returned",
            Some(_) if is_refused && self.has(Fact::Debited) => "disputed",
            Some(Fact::Refused) => "returned",
            Some(Fact::Credited) => "credited",
            Some(Fact::Debited) | None => "sent",
        }
    }
}

/// The bank's book, and the files that it wrote.
#[derive(Default)]
pub(crate) struct Bank {
    payments: Vec<BankPayment>,
    /// Every file, oldest first.
    files: Vec<String>,
    /// The places of the files that the cabinet has not read.
    pub(crate) unread: Vec<usize>,
    /// How often each obstacle was met.
    met: BTreeMap<Obstacle, usize>,
}

/// The operator's account.
pub(crate) const OPERATOR_ACCOUNT: &str = "UA273052990000026009876543210";

impl Bank {
    /// Counts an obstacle.
    pub(crate) fn count(&mut self, obstacle: Obstacle) {
        *self.met.entry(obstacle).or_default() += 1;
    }

    /// Returns how often each obstacle was met.
    pub(crate) fn met(&self) -> BTreeMap<Obstacle, usize> {
        self.met.clone()
    }

    pub(crate) fn payments(&self) -> &[BankPayment] {
        &self.payments
    }

    /// Returns the text of a file.
    pub(crate) fn file(&self, place: usize) -> &str {
        &self.files[place]
    }

    /// Returns the places of all files.
    pub(crate) fn all_files(&self) -> Vec<usize> {
        (0..self.files.len()).collect()
    }

    /// Takes a payment over. Returns false if it was given before.
    pub(crate) fn take(&mut self, transfer: &Transfer) -> bool {
        let number = transfer.document_number;
        if self
            .payments
            .iter()
            .any(|one| one.document_number == number)
        {
            return false;
        }
        self.payments.push(BankPayment {
            transfer: transfer.id,
            document_number: number,
            amount: transfer.planned.amount,
            iban: transfer.planned.payee.iban.as_str().to_owned(),
            facts: Vec::new(),
            told: 0,
        });
        true
    }

    /// Returns the payment of a transfer.
    pub(crate) fn of(&self, transfer: TransferId) -> Option<&BankPayment> {
        self.payments.iter().find(|one| one.transfer == transfer)
    }

    /// Returns whether the recipient's bank has the money of a transfer, as far as the bank knows today.
    pub(crate) fn has_credited(&self, transfer: TransferId) -> bool {
        let payment = self.of(transfer);
        payment.is_some_and(|one| one.last() == Some(Fact::Credited))
    }

    /// Works on each payment that `choose` picks a fact for, of those that are possible.
    pub(crate) fn work(
        &mut self,
        day: Date,
        mut choose: impl FnMut(&'static [Fact]) -> Option<Fact>,
    ) -> Vec<(i64, Fact)> {
        let mut done = Vec::new();
        for payment in &mut self.payments {
            let Some(fact) = choose(payment.next(day)) else {
                continue;
            };
            let obstacle = match (payment.last(), fact) {
                (Some(Fact::Refused), _) => Some(Obstacle::PaidAfterRefusal),
                (_, Fact::Returned) => Some(Obstacle::CameBack),
                _ => None,
            };
            if let Some(obstacle) = obstacle {
                *self.met.entry(obstacle).or_default() += 1;
            }
            payment.facts.push((fact, day));
            done.push((payment.document_number, fact));
        }
        done
    }

    /// Writes all that no file tells yet: a statement of the operator's account, and reports.
    pub(crate) fn write(&mut self) {
        let mut booked = String::new();
        let mut reports = Vec::new();
        for payment in &mut self.payments {
            for (fact, day) in &payment.facts[payment.told..] {
                match fact {
                    Fact::Debited => booked.push_str(&entry(payment, *day, "DBIT", "")),
                    Fact::Returned => booked.push_str(&entry(payment, *day, "CRDT", RETURN)),
                    Fact::Refused => reports.push(report(payment, *day, "RJCT", REFUSAL)),
                    Fact::Credited => reports.push(report(payment, *day, "ACCC", &credited(*day))),
                }
            }
            payment.told = payment.facts.len();
        }
        if !booked.is_empty() {
            reports.push(format!(
                "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>{OPERATOR_ACCOUNT}</IBAN></Id></Acct>\
                 {booked}</Stmt></BkToCstmrStmt></Document>"
            ));
        }
        for file in reports {
            self.unread.push(self.files.len());
            self.files.push(file);
        }
    }
}

const RETURN: &str = "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>";
const REFUSAL: &str = "<StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf>";

fn credited(on: Date) -> String {
    format!("<FctvIntrBkSttlmDt><Dt>{on}</Dt></FctvIntrBkSttlmDt>")
}

/// Writes an entry of camt.053.
fn entry(of: &BankPayment, day: Date, direction: &str, more: &str) -> String {
    let reversal = if more.is_empty() {
        ""
    } else {
        "<RvslInd>true</RvslInd>"
    };
    let reference = if direction == "DBIT" {
        format!("<AcctSvcrRef>D-{}</AcctSvcrRef>", of.document_number)
    } else {
        String::new()
    };
    let (amount, number, iban) = (of.amount.decimal(), of.document_number, &of.iban);
    format!(
        "<Ntry><Amt Ccy=\"UAH\">{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd>{reversal}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{day}</Dt></BookgDt>\
         {reference}<NtryDtls><TxDtls><Refs><EndToEndId>{number}</EndToEndId></Refs><RltdPties><CdtrAcct><Id>\
         <IBAN>{iban}</IBAN></Id></CdtrAcct></RltdPties>{more}</TxDtls></NtryDtls></Ntry>"
    )
}

/// Writes a report of pain.002 about one payment.
fn report(of: &BankPayment, day: Date, status: &str, more: &str) -> String {
    let id = of.transfer.to_string().replace('-', "");
    format!(
        "<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>{day}T12:00:00+02:00</CreDtTm></GrpHdr><OrgnlPmtInfAndSts><TxInfAndSts><OrgnlInstrId>{id}</OrgnlInstrId>\
         <TxSts>{status}</TxSts>{more}</TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>"
    )
}
