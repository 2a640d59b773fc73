//! `cabinet order show|find|ask|cancel|refund`: what the support needs on the first call.

use anyhow::{Context, anyhow};
use cabinet_app::audit::Recorder;
use cabinet_app::operator::support_desk::{
    CancelOrder, OrderState, RefundOrder, RefundOrderWish, RefundPreview, Shown, Sought, SoughtDays,
};
use cabinet_app::payment::Questioned;
use cabinet_domain::payment::{KnownPart, RefundState, RefundWish};
use cabinet_domain::{Balance, CancelledItems, Money, OperatorReason, kyiv_date};
use clap::{Args, Subcommand};
use jiff::civil::Date;

use super::order_sheet;
use super::sheet::Sheet;
use super::typed;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on orders.
#[derive(Subcommand)]
pub enum Action {
    /// Shows everything that is known of an order. People are masked.
    Show {
        /// The order's number.
        #[arg(value_parser = typed::order_number)]
        number: i64,
        #[command(flatten)]
        shown: FullChoice,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lists the orders that fit, the newest first, at most fifty. People are masked.
    Find(Wanted),
    /// Asks the acquirer about the order now, and settles what it answers as the worker does.
    Ask {
        /// The order's number.
        #[arg(value_parser = typed::order_number)]
        number: i64,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Cancels an unpaid order, as its notary can: the payment page is closed first. The notary is told.
    Cancel {
        /// The order's number.
        #[arg(value_parser = typed::order_number)]
        number: i64,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
        /// Its payments go back to the notary's cart. Without it they stay in the cancelled order.
        #[arg(long)]
        return_items: bool,
        /// The notary says that nobody paid by the order's QR codes.
        #[arg(long)]
        despite_codes: bool,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Gives money of a paid order back to the card, through the acquirer: all that is left, a sum that no recipient is owed, or what a
    /// transfer would have brought. The notary is told.
    Refund(GivenBack),
}

/// What is given back.
#[derive(Args)]
pub struct GivenBack {
    /// The order's number.
    #[arg(value_parser = typed::order_number)]
    number: i64,
    /// Why; kept in the audit trail and with the refund.
    #[arg(long)]
    reason: String,
    /// Only this sum in hryvnias, as in 10.50: a part of the commission.
    #[arg(long, group = "part")]
    sum: Option<String>,
    /// The same sum was given back before, and is to be given back once more.
    #[arg(long, requires = "sum", conflicts_with = "already_given_back")]
    again: bool,
    /// Only what the transfer with this document number would have brought. It must not have been sent, or have come back.
    #[arg(long, group = "part")]
    transfer: Option<i64>,
    /// The acquirer gave it back already without our asking, in its own cabinet or before a restore: only records for which transfer, or that
    /// it was a part of the commission.
    #[arg(long, requires = "part")]
    already_given_back: bool,
    /// Gives it back without asking.
    #[arg(long)]
    yes: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Whether people are shown in full.
#[derive(Args)]
pub struct FullChoice {
    /// Shows people in full: names, telephones, codes, accounts, purposes. The audit trail keeps that, with the reason.
    #[arg(long, requires = "reason")]
    full: bool,
    /// Why they are shown in full.
    #[arg(long, requires = "full")]
    reason: Option<String>,
}

impl FullChoice {
    /// Reads the choice.
    ///
    /// # Errors
    /// Returns an error when the reason can't be kept.
    pub fn read(&self) -> anyhow::Result<Shown> {
        match &self.reason {
            Some(reason) if self.full => Ok(Shown::Full(read_reason(reason)?)),
            _ => Ok(Shown::Masked),
        }
    }
}

/// What orders are looked for by: the telephone, the code, the reference, or what happened on some days.
#[derive(Args)]
pub struct Wanted {
    /// The notary's telephone; `-` reads it from standard input.
    #[arg(long, value_parser = typed::or_of_input, conflicts_with_all = ["code", "reference"])]
    phone: Option<String>,
    /// The code of a client, or the code printed on a receipt; `-` reads it from standard input.
    #[arg(long, value_parser = typed::or_of_input, conflicts_with_all = ["reference"])]
    code: Option<String>,
    /// What a bank names: the acquirer's invoice, RRN, our reference, the reference, UETR or document number of a transfer; or any id.
    #[arg(long)]
    reference: Option<String>,
    #[command(flatten)]
    days: WantedDays,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// What orders of some days are looked for by. All that is given must fit.
#[derive(Args)]
#[group(multiple = true, conflicts_with_all = ["phone", "code", "reference"])]
pub struct WantedDays {
    /// The client's name, or parts of it, in any case; `-` reads it from standard input.
    #[arg(long, value_parser = typed::or_of_input)]
    name: Option<String>,
    /// The last four digits of the card.
    #[arg(long)]
    card: Option<String>,
    /// The charged sum in hryvnias, or that of the fees without the commission, as in 360.50.
    #[arg(long)]
    sum: Option<String>,
    /// The day (Kyiv) on which the order was made, begun to be paid, charged or paid, as in 2026-11-23 or 23.11.2026; today, yesterday.
    #[arg(long, conflicts_with_all = ["from", "to"], value_parser = typed::day)]
    day: Option<Date>,
    /// The first of such days. Without days the last 31 are looked through.
    #[arg(long, value_parser = typed::day)]
    from: Option<Date>,
    /// The last of such days; today where it is not given.
    #[arg(long, requires = "from", value_parser = typed::day)]
    to: Option<Date>,
}

/// Days that are looked through where none is given.
const DAYS_LOOKED_THROUGH: i32 = 31;

impl WantedDays {
    fn read(self, today: Date) -> anyhow::Result<Sought> {
        if self.name.is_none()
            && self.card.is_none()
            && self.sum.is_none()
            && self.day.is_none()
            && self.from.is_none()
        {
            return Err(anyhow!(
                "name one of --phone, --code, --reference, --name, --card, --sum, --day or --from"
            ));
        }
        let sum = self.sum.as_deref().map(|sum| {
            Money::parse_typed(sum)
                .map_err(|_| anyhow!("--sum: that is not a sum in hryvnias, write 360.50"))
        });
        let (from, to) = match (self.day, self.from) {
            (Some(day), _) => (day, day),
            (None, Some(from)) => (from, self.to.unwrap_or(today)),
            (None, None) => {
                let days = jiff::Span::new().days(DAYS_LOOKED_THROUGH - 1);
                (today.saturating_sub(days), today)
            }
        };
        Ok(Sought::OfDays(SoughtDays {
            from,
            to,
            name: self.name,
            card_end: self.card,
            sum: sum.transpose()?,
        }))
    }
}

/// Runs the command.
///
/// # Errors
/// Returns an error that says what to do: when there is no such order, it can't be cancelled, a setting is missing, or the database
/// fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let now = environment::now();
    match action {
        Action::Show {
            number,
            shown,
            json,
        } => {
            let shown = shown.read()?;
            let (store, desk) = wiring::support_desk(&settings, recorder).await?;
            let file = desk.order(number, &shown, now).await?;
            console::print(&order_sheet::sheet(&file).text(json));
            store.close().await;
        }
        Action::Find(wanted) => {
            let as_json = wanted.json;
            let sought = read_wanted(wanted)?;
            let days = match &sought {
                Sought::OfDays(days) => Some((days.from, days.to)),
                _ => None,
            };
            let (store, desk) = wiring::support_desk(&settings, recorder).await?;
            let found = desk.find(sought).await?;
            console::print(&order_sheet::found(&found, as_json));
            if let Some((from, to)) = days {
                // Beside the list, so that a program can still read it.
                console::advise(&format!("Looked through {from} to {to}.\n"));
            }
            store.close().await;
        }
        Action::Ask { number, json } => ask(&settings, number, recorder, json).await?,
        Action::Cancel {
            number,
            reason,
            return_items,
            despite_codes,
            json,
        } => {
            let cancel = CancelOrder {
                number,
                items: if return_items {
                    CancelledItems::ToCart
                } else {
                    CancelledItems::Drop
                },
                despite_codes,
                reason: read_reason(&reason)?,
            };
            let services = wiring::services(&settings).await?;
            let actions = services.order_actions(recorder);
            let is_new = actions.cancel(&cancel, now).await?;
            let mut sheet = Sheet::default();
            sheet.field("order", number).field("cancelled", true);
            sheet.field("before", !is_new);
            console::print(&match (json, is_new) {
                (true, _) => sheet.text(true),
                (false, true) => {
                    "The order is cancelled: nobody can pay it any more. The notary is told.\n"
                        .to_owned()
                }
                (false, false) => "The order was cancelled before: nothing changed.\n".to_owned(),
            });
            services.store.close().await;
        }
        Action::Refund(wanted) => refund(&settings, wanted, recorder).await?,
    }
    Ok(())
}

/// Reads the reason of a change.
///
/// # Errors
/// Returns an error when it can't be kept.
pub fn read_reason(text: &str) -> anyhow::Result<OperatorReason> {
    OperatorReason::parse(text).map_err(|error| anyhow!("--reason: {error}"))
}

fn read_wanted(wanted: Wanted) -> anyhow::Result<Sought> {
    let Wanted {
        phone,
        code,
        reference,
        days,
        json: _,
    } = wanted;
    if let Some(phone) = phone {
        return Ok(Sought::Phone(typed::bare_phone(&phone).to_owned()));
    }
    if let Some(code) = code {
        return Ok(Sought::Code(code));
    }
    if let Some(reference) = reference {
        return Ok(Sought::Reference(reference));
    }
    days.read(kyiv_date(environment::now()))
}

fn read_refund(wanted: &GivenBack) -> anyhow::Result<RefundOrder> {
    let amount = wanted.sum.as_ref().map(|sum| {
        Money::parse_typed(sum)
            .map_err(|_| anyhow!("--sum: that is not a sum in hryvnias, write 10.50"))
    });
    let is_known = wanted.already_given_back;
    let wish = match (amount.transpose()?, wanted.transfer) {
        (Some(amount), _) if is_known => RefundOrderWish::Record(KnownPart::Sum(amount)),
        (Some(amount), _) => RefundOrderWish::Ask(RefundWish::Sum {
            amount,
            is_again: wanted.again,
        }),
        (None, Some(document)) if is_known => {
            RefundOrderWish::Record(KnownPart::Transfer(document))
        }
        (None, Some(document)) => RefundOrderWish::Ask(RefundWish::Transfer(document)),
        (None, None) => RefundOrderWish::Ask(RefundWish::Whole),
    };
    Ok(RefundOrder {
        number: wanted.number,
        wish,
        reason: read_reason(&wanted.reason)?,
    })
}

/// Says what a refund would do.
fn would_be_given(asked: &RefundOrder, preview: Option<RefundPreview>) -> String {
    let number = asked.number;
    let Some(RefundPreview { amount, called_off }) = preview else {
        return format!(
            "order {number}: what the acquirer gave back without our asking would be recorded\n"
        );
    };
    let mut text = format!(
        "order {number}: {} UAH would be given back to the card\n",
        amount.decimal()
    );
    if !called_off.is_empty() {
        let amounts = called_off.iter().map(|(_, amount)| amount.kopiykas());
        let documents: Vec<String> = called_off
            .iter()
            .map(|(document, _)| document.to_string())
            .collect();
        text.push_str(&format!(
            "of it {} transfers, {} UAH, would not be sent any more: documents {}\n",
            called_off.len(),
            Balance::from_kopiykas(amounts.sum()).decimal(),
            documents.join(", ")
        ));
    }
    text
}

async fn refund(settings: &Settings, wanted: GivenBack, recorder: Recorder) -> anyhow::Result<()> {
    let asked = read_refund(&wanted)?;
    let services = wiring::services(settings).await?;
    services
        .reference
        .refresh()
        .await
        .context("the reference data can't be read")?;
    let actions = services.order_actions(recorder);
    match actions.look_at_refund(&asked).await {
        Ok(preview) => console::agree(&would_be_given(&asked, preview), wanted.yes)?,
        // The refund asks the acquirer first, which may tell more than is known here.
        Err(_) if wanted.yes => {}
        Err(error) => return Err(anyhow::Error::from(error).context("nothing was given back")),
    }
    let came = actions.refund(&asked).await;
    let came = came.context("nothing was given back")?;
    services.store.close().await;
    let said = match came.state {
        RefundState::Done => "the money is given back to the card; the notary is told",
        RefundState::Accepted => {
            "the acquirer has taken the refund and not told its end: the worker asks until it is certain"
        }
        RefundState::Prepared | RefundState::Submitted => {
            "what became of the refund is not known: do not give it back by another way. The worker asks the acquirer until it is certain"
        }
        RefundState::NotSent => {
            return Err(anyhow!(
                "nothing was given back: the acquirer certainly has not got the request. Try again in some minutes"
            ));
        }
        RefundState::Refused => {
            let code = came.code.as_deref().unwrap_or_default();
            return Err(anyhow!(
                "nothing was given back: the acquirer refused it with {code}. {}",
                refused_advice(code)
            ));
        }
    };
    let mut sheet = Sheet::default();
    sheet.field("order", asked.number).field("answer", said);
    order_sheet::add_refunds(&mut sheet, &[came]);
    console::print(&sheet.text(wanted.json));
    Ok(())
}

/// Says what to do about a refund that the acquirer refused.
fn refused_advice(code: &str) -> &'static str {
    match code {
        "CANCEL_NOT_AVAILABLE" => {
            "It does not give this payment back any more or not yet: look in its cabinet at the merchant's balance, the age of the payment and the kind of the card"
        }
        "WRONG_CANCEL_AMOUNT" => {
            "It holds that less is left of the payment: cabinet order ask, and see what was given back"
        }
        _ => "See cabinet order show, and ask the acquirer's support by the invoice",
    }
}

async fn ask(
    settings: &Settings,
    number: i64,
    recorder: Recorder,
    as_json: bool,
) -> anyhow::Result<()> {
    let services = wiring::services(settings).await?;
    services
        .reference
        .refresh()
        .await
        .context("the reference data can't be read")?;
    let asked = services
        .order_actions(recorder)
        .ask(number, environment::now())
        .await?;
    let said = match asked.questioned {
        Questioned::Nothing => {
            "the acquirer has no invoice of the order: there is nothing to ask about"
        }
        Questioned::Answered => "the acquirer answered",
        Questioned::Silent => {
            "the acquirer did not answer about every invoice; the worker asks again by itself"
        }
    };
    let mut sheet = Sheet::default();
    sheet.field("order", number).field("answer", said);
    sheet.field("changed", asked.before != asked.after);
    add_states(&mut sheet, &asked.before, &asked.after);
    add_absences(&mut sheet, &asked.after);
    console::print(&sheet.text(as_json));
    services.store.close().await;
    Ok(())
}

/// Adds what was known of an order before it was asked about, and what is known now.
fn add_states(sheet: &mut Sheet, before: &OrderState, after: &OrderState) {
    let columns = [
        "when",
        "status",
        "payment",
        "reason",
        "acquirer_says",
        "since",
        "code",
        "last_error",
        "open_alarms",
    ];
    let row = |when: &'static str, state: &OrderState| {
        let told = state.acquirer.as_ref();
        let kinds: Vec<&str> = state.alarms.iter().map(|kind| kind.as_str()).collect();
        vec![
            when.into(),
            state.status.as_str().into(),
            state.payment_state.as_str().into(),
            state.failure.map(|key| key.as_str()).into(),
            told.map(|told| told.status.as_str()).into(),
            told.map(|told| told.at).into(),
            told.and_then(|told| told.failure_code.clone()).into(),
            state.last_error.clone().into(),
            Some(kinds.join(", "))
                .filter(|text| !text.is_empty())
                .into(),
        ]
    };
    let rows = [row("before", before), row("after", after)];
    sheet.table("states", &columns, rows);
}

/// Adds what an acquirer did not know of an order.
fn add_absences(sheet: &mut Sheet, state: &OrderState) {
    let columns = [
        "missing",
        "readings",
        "first",
        "first_by_acquirer",
        "last",
        "last_by_acquirer",
    ];
    let absences = state.absences.iter().map(|absence| {
        vec![
            absence.missing.as_str().into(),
            absence.readings.into(),
            absence.first.ours.into(),
            absence.first.theirs.into(),
            absence.last.ours.into(),
            absence.last.theirs.into(),
        ]
    });
    sheet.table("missing", &columns, absences);
}
