//! `cabinet report daily|acts`: for the operator's accountant.

use anyhow::{anyhow, bail};
use cabinet_app::audit::Recorder;
use cabinet_app::books::{
    Accountant, Act, Daily, DailyRow, DayOfTransfers, GivenBack, RefundKind, TransferOfDay,
};
use cabinet_app::transfer::Totals;
use cabinet_domain::kernel::csv;
use cabinet_domain::{Balance, Month, OrderStatus, kyiv_date, kyiv_time};
use clap::{Subcommand, ValueEnum};
use jiff::civil::Date;
use serde_json::{Value, json};
use std::path::PathBuf;

use super::new_file::NewFile;
use super::transfers::{fees_words, totals_words};
use super::typed;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Reports.
#[derive(Subcommand)]
pub enum Action {
    /// The statement of a day: what cards were charged, the transfers and the commissions. Fails if they do not add up.
    Daily {
        /// The day (Kyiv): 2026-03-02, 02.03.2026, today or yesterday.
        #[arg(long, value_parser = typed::day)]
        day: Date,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// The acts of a month: the commissions of each notary, with VAT as the settings say.
    Acts {
        /// The month, for instance 2026-03.
        #[arg(long)]
        month: String,
        /// Writes a file of this form instead of printing a table; needs --file.
        #[arg(long, requires = "file", conflicts_with = "json")]
        format: Option<Format>,
        /// The file to write; it must not exist.
        #[arg(long, requires = "format")]
        file: Option<PathBuf>,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
}

/// A form of the acts.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// A workbook.
    Xlsx,
    /// Semicolons, UTF-8 with a byte order mark.
    Csv,
}

/// Runs the command.
///
/// # Errors
/// Returns an error when a day or month is wrong, sums do not add up, a file can't be made, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let operator = wiring::operator(&settings, &store, recorder);
    let accountant = operator.accountant(settings.operator.vat);
    let outcome = match action {
        Action::Daily { day, json } => daily(&accountant, day, json).await,
        Action::Acts {
            month,
            format,
            file,
            json,
        } => acts(&accountant, &month, format.zip(file), json).await,
    };
    store.close().await;
    outcome
}

async fn daily(accountant: &Accountant, day: Date, as_json: bool) -> anyhow::Result<()> {
    let daily = accountant.daily(day, environment::now()).await?;
    if as_json {
        console::print(&format!("{:#}\n", daily_json(&daily)));
    } else {
        console::print(&daily_table(&daily));
    }
    if daily.adds_up() {
        Ok(())
    } else {
        bail!("the sums of {day} do not add up: run `cabinet doctor --full`")
    }
}

fn daily_table(daily: &Daily) -> String {
    let mut text = format!("{}: charges by number, UAH\n", daily.day);
    for row in &daily.rows {
        let charge = &row.charge;
        let mark = match (row.adds_up, charge.status) {
            (Some(false), _) => "  DOES NOT ADD UP",
            (_, OrderStatus::Refunded) => "  refunded since",
            _ => "",
        };
        let owed = if charge.is_first {
            format!(
                "{} transfers + {} commission",
                charge.transfers.decimal(),
                charge.commissions.decimal()
            )
        } else {
            "duplicate, to be given back".to_owned()
        };
        text.push_str(&format!(
            "{}  {}  {} = {owed}  {}{mark}\n",
            charge.number,
            kyiv_time(charge.at).strftime("%H:%M"),
            charge.charged.decimal(),
            charge.notary_name,
        ));
    }
    text.push_str(&format!(
        "charged {} = transfers {} + commissions {} + duplicates {}\ncommissions {} = acquirer’s fees {} + remainder {}{}\n",
        daily.charged.decimal(),
        daily.transfers.decimal(),
        daily.commissions.decimal(),
        daily.duplicates.decimal(),
        daily.commissions.decimal(),
        daily.acquirer_fees.decimal(),
        daily.remainder().decimal(),
        unknown_fees(daily.fees_unknown),
    ));
    text.push_str(&transfers_table(daily.day, &daily.of_transfers));
    text.push_str(&format!("{}: given back to cards, UAH\n", daily.day));
    for given in &daily.given_back {
        text.push_str(&format!(
            "{}  {}  {}  {}, charged on {}  {}\n",
            given.number,
            kyiv_time(given.at).strftime("%H:%M"),
            given.amount.decimal(),
            refund_words(given),
            kyiv_date(given.charged_at),
            given.notary_name,
        ));
    }
    text.push_str(&format!(
        "given back {}\nleft {} = charged {} - given back {}\n",
        daily.refunded().decimal(),
        daily.left().decimal(),
        daily.charged.decimal(),
        daily.refunded().decimal(),
    ));
    text
}

/// Returns what happened to transfers, in the words in which a bank's page can be compared with it.
fn transfers_table(day: Date, of: &DayOfTransfers) -> String {
    let mut text = format!("{day}: transfers by document, UAH\n");
    for row in &of.rows {
        let outcomes: Vec<&str> = row.outcomes.iter().map(|outcome| outcome.word()).collect();
        text.push_str(&format!(
            "{}  order {}  {}  {}{}\n",
            row.document_number,
            row.order_number,
            row.amount.decimal(),
            outcomes.join(", "),
            if row.is_to_budget {
                "  to the budget"
            } else {
                ""
            },
        ));
    }
    for (outcome, totals) in &of.totals {
        text.push_str(&format!("{}\n", totals_words(outcome.word(), totals)));
    }
    for (what, totals) in [
        ("sent until then and not debited yet", &of.not_debited),
        (
            "debited within 30 days and not told as credited yet",
            &of.not_credited,
        ),
    ] {
        text.push_str(&format!("{}\n", totals_words(what, totals)));
    }
    if of.fees != Balance::default() {
        text.push_str(&fees_words(of.fees));
    }
    text
}

fn transfers_json(of: &DayOfTransfers) -> Value {
    let totals = |totals: &Totals| {
        json!({
            "transfers": totals.transfers,
            "amount": totals.amount.decimal(),
            "to_budget": totals.to_budget,
            "to_budget_amount": totals.to_budget_amount.decimal(),
        })
    };
    let row = |row: &TransferOfDay| {
        json!({
            "document": row.document_number,
            "order": row.order_number,
            "amount": row.amount.decimal(),
            "to_budget": row.is_to_budget,
            "outcomes": row.outcomes.iter().map(|outcome| outcome.word()).collect::<Vec<_>>(),
        })
    };
    let by_outcome = of
        .totals
        .iter()
        .map(|(outcome, of)| (outcome.word().to_owned(), totals(of)));
    json!({
        "rows": of.rows.iter().map(row).collect::<Vec<_>>(),
        "totals": by_outcome.collect::<serde_json::Map<_, _>>(),
        "not_debited": totals(&of.not_debited),
        "not_credited": totals(&of.not_credited),
        "bank_fees": of.fees.decimal(),
    })
}

/// Returns what the fees lack. The remainder is then too large.
fn unknown_fees(charges: usize) -> String {
    match charges {
        0 => String::new(),
        1 => "; the fee of 1 charge is UNKNOWN".to_owned(),
        more => format!("; the fees of {more} charges are UNKNOWN"),
    }
}

fn refund_words(given: &GivenBack) -> String {
    match &given.kind {
        RefundKind::Order => format!("order, of it commission {}", given.commission.decimal()),
        RefundKind::Duplicate => "duplicate".to_owned(),
        RefundKind::Part {
            documents,
            called_off,
            unmarked,
        } => {
            let mut words = vec!["part".to_owned()];
            for (what, numbers) in [
                ("returned transfer", documents),
                ("transfer that was not sent", called_off),
            ] {
                if !numbers.is_empty() {
                    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                    words.push(format!("{what} {}", numbers.join(", ")));
                }
            }
            if given.commission > Balance::ZERO {
                words.push(format!("of it commission {}", given.commission.decimal()));
            }
            if *unmarked > Balance::ZERO {
                words.push(format!("NOT MARKED {}", unmarked.decimal()));
            }
            words.join(", ")
        }
    }
}

fn daily_json(daily: &Daily) -> Value {
    let row = |row: &DailyRow| {
        json!({
            "number": row.charge.number,
            "notary": row.charge.notary_name,
            "status": row.charge.status.as_str(),
            "charged_at": row.charge.at.to_string(),
            "charged": row.charge.charged.decimal(),
            "duplicate": !row.charge.is_first,
            "transfers": row.charge.transfers.decimal(),
            "commissions": row.charge.commissions.decimal(),
            "acquirer_fee": row.charge.acquirer_fee.map(Balance::decimal),
            "adds_up": row.adds_up,
        })
    };
    let given = |given: &GivenBack| {
        let (kind, documents, called_off, unmarked) = match &given.kind {
            RefundKind::Order => ("order", Vec::new(), Vec::new(), Balance::ZERO),
            RefundKind::Duplicate => ("duplicate", Vec::new(), Vec::new(), Balance::ZERO),
            RefundKind::Part {
                documents,
                called_off,
                unmarked,
            } => ("part", documents.clone(), called_off.clone(), *unmarked),
        };
        json!({
            "number": given.number,
            "notary": given.notary_name,
            "charged_at": given.charged_at.to_string(),
            "kind": kind,
            "document_numbers": documents,
            "called_off_numbers": called_off,
            "unmarked": unmarked.decimal(),
            "given_back_at": given.at.to_string(),
            "amount": given.amount.decimal(),
            "commission": given.commission.decimal(),
        })
    };
    json!({
        "day": daily.day.to_string(),
        "charges": daily.rows.iter().map(row).collect::<Vec<_>>(),
        "charged": daily.charged.decimal(),
        "transfers": daily.transfers.decimal(),
        "commissions": daily.commissions.decimal(),
        "duplicates": daily.duplicates.decimal(),
        "acquirer_fees": daily.acquirer_fees.decimal(),
        "acquirer_fees_unknown": daily.fees_unknown,
        "remainder": daily.remainder().decimal(),
        "adds_up": daily.adds_up(),
        "transfers_of_day": transfers_json(&daily.of_transfers),
        "given_back": daily.given_back.iter().map(given).collect::<Vec<_>>(),
        "refunded": daily.refunded().decimal(),
        "left": daily.left().decimal(),
    })
}

async fn acts(
    accountant: &Accountant,
    month: &str,
    target: Option<(Format, PathBuf)>,
    as_json: bool,
) -> anyhow::Result<()> {
    let month = Month::parse(month).ok_or_else(|| anyhow!("--month: a month as 2026-03"))?;
    // Made first: a report is recorded, so it must not fail for want of a file.
    let opened = target
        .map(|(format, path)| Ok::<_, anyhow::Error>((format, NewFile::make(&path)?, path)))
        .transpose()?;
    let acts = accountant.acts(month, environment::now()).await?;
    let vat = accountant.vat_words();
    match opened {
        Some((format, file, path)) => {
            let bytes = match format {
                Format::Xlsx => accountant.workbook(&acts, month)?,
                Format::Csv => acts_csv(&acts, &vat).into_bytes(),
            };
            file.fill(&bytes)?;
            console::print(&format!(
                "{} acts were written to {}.\n",
                acts.len(),
                path.display()
            ));
        }
        None if as_json => console::print(&format!("{:#}\n", acts_json(&acts, month, &vat))),
        None => console::print(&acts_table(&acts, month, &vat)),
    }
    Ok(())
}

fn acts_table(acts: &[Act], month: Month, vat: &str) -> String {
    let mut text =
        format!("Acts of {month}: payments, commission charged - given back, UAH {vat}\n");
    for act in acts {
        let of_which = act.vat.map(|vat| format!(", VAT {}", vat.decimal()));
        text.push_str(&format!(
            "{}  {}  {}  {} - {} = {}{}\n",
            act.notary_name,
            act.notary_code.as_deref().unwrap_or("-"),
            act.payments,
            act.charged.decimal(),
            act.given_back.decimal(),
            act.commission().decimal(),
            of_which.unwrap_or_default()
        ));
    }
    let all: Balance = acts.iter().map(Act::commission).sum();
    text.push_str(&format!("total {}\n", all.decimal()));
    text
}

fn acts_json(acts: &[Act], month: Month, vat: &str) -> Value {
    let act = |act: &Act| {
        json!({
            "notary": act.notary_name,
            "code": act.notary_code,
            "payments": act.payments,
            "charged": act.charged.decimal(),
            "given_back": act.given_back.decimal(),
            "commission": act.commission().decimal(),
            "vat": act.vat.map(Balance::decimal),
        })
    };
    json!({ "month": month.to_string(), "vat": vat, "acts": acts.iter().map(act).collect::<Vec<_>>() })
}

fn acts_csv(acts: &[Act], vat: &str) -> String {
    let mut text =
        "\u{feff}notary;code;payments;charged;given_back;commission;vat;vat_words\r\n".to_owned();
    for act in acts {
        let cells = [
            csv::cell(&act.notary_name),
            csv::cell(act.notary_code.as_deref().unwrap_or_default()),
            act.payments.to_string(),
            act.charged.decimal(),
            act.given_back.decimal(),
            act.commission().decimal(),
            act.vat.map(Balance::decimal).unwrap_or_default(),
            csv::cell(vat),
        ];
        text.push_str(&cells.join(";"));
        text.push_str("\r\n");
    }
    text
}
