//! `cabinet transfers export|import|list|not-sent|held|returned|release|seal|resume|refunds|refunded`.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use cabinet_app::audit::Recorder;
use cabinet_app::transfer::returns::CardRefunds;
use cabinet_app::transfer::{
    Decided, Format, ImportError, Imported, ListStatus, MarkedList, OfPayment, Outcomes,
    SettledByHand, Taken, Totals, Transfers, Unmatched, UnsealedTransfer,
};
use cabinet_bank_files::{BYTES_MAX, Encoding, Payer};
use cabinet_domain::{
    Balance, Money, OperatorReason, Payee, TransferId, TransferStatus, kyiv_time,
};
use clap::{Subcommand, ValueEnum};

use super::new_file::NewFile;
use super::order::read_reason;
use super::transfer_lists;
use super::unknown::change_failed;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on transfers.
#[derive(Subcommand)]
pub enum Action {
    /// Writes the planned transfers as a file for the bank. Changes none of them.
    Export {
        /// The file to write; it must not exist.
        file: PathBuf,
        /// What the file is.
        #[arg(long, value_enum, default_value_t)]
        format: FormatName,
        /// How its text is encoded; pain001 is always UTF-8.
        #[arg(long, value_enum)]
        encoding: Option<EncodingName>,
    },
    /// Takes over what the bank tells of transfers. The file is told by its content: pain.002, camt.053, camt.054, a statement of Privat24,
    /// a list that `export` wrote, or a table with the columns transfer_id and status (sent, credited, returned), and where the bank
    /// tells them reason, uetr, bank_reference, credited_on and returned_on. Changes nothing unless all of it is right.
    Import {
        /// The file to read.
        file: PathBuf,
        /// The status of every row, for a list as `export` writes it.
        #[arg(long)]
        status: Option<String>,
        /// An entry of the bank's file that is settled by hand and left out, by the name that the command tells, such as 12:JBKL20P; may be
        /// given several times. Each is shown with its sum and asked about.
        #[arg(
            long = "leave-out",
            value_name = "ENTRY",
            conflicts_with = "status",
            requires = "reason"
        )]
        leave_out: Vec<String>,
        /// An entry of money that came back less a fee that the bank kept; may be given several times. The transfer counts as returned with its
        /// whole sum, which the notary sends again or has given back: the fee is the operator's. Each is shown and asked about.
        #[arg(
            long = "less-fee",
            value_name = "ENTRY",
            conflicts_with = "status",
            requires = "reason"
        )]
        less_fee: Vec<String>,
        /// Why they are left out, why the bank kept a fee, or why a table of your own says what no file of the bank does; kept in the audit trail.
        #[arg(long)]
        reason: Option<String>,
        /// Does so, or takes a table of your own over, without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Lists the planned transfers, or those that were marked as sent, by order and document: for comparing them with what the bank has.
    /// Recipients who are persons are masked.
    List(transfer_lists::Wanted),
    /// Plans transfers again that were marked as sent before today, and that the bank was not given: the list was lost.
    NotSent {
        /// The id of a transfer; may be given several times.
        #[arg(long = "id", required_unless_present = "documents")]
        ids: Vec<String>,
        /// The document number of a transfer, as the list for the bank has it; several separated by commas, or given several times.
        #[arg(long = "document", value_delimiter = ',')]
        documents: Vec<i64>,
        /// Says that the bank's statements since then were compared, and that the bank does not have the list.
        #[arg(long, required = true)]
        compared: bool,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
        /// Plans them again without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Lists the transfers that wait for the operator, each with the reason: large ones of new accounts, those of orders for which QR codes
    /// were given, those of cancelled orders, and those that came back before the database was restored.
    Held {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lists the transfers that came back and about which nobody has decided: the notary sends each again or has it given back.
    Returned {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lets held transfers be exported. One that came back may be sent again or given back from then on.
    Release {
        /// The id of a transfer; may be given several times.
        #[arg(long = "id", required = true)]
        ids: Vec<String>,
        /// Why; kept with the transfers and in the audit trail.
        #[arg(long)]
        reason: String,
        /// Releases them without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Shows transfers whose seals do not fit what they say, puts planned ones back to what their payments say, and seals them.
    Seal {
        /// The number of a document; several with commas. Without any: all whose seals do not fit.
        #[arg(long = "document", value_delimiter = ',')]
        documents: Vec<i64>,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
        /// Seals them without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Lets transfers be exported again after a restore, once they were compared with what the bank has.
    Resume {
        /// Says that they were compared.
        #[arg(long, required = true)]
        compared: bool,
        /// Also while the cabinet still looks for what the copy lacks: what was given back since may be sent, too.
        #[arg(long)]
        despite_recovery: bool,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
        /// Resumes without asking.
        #[arg(long)]
        yes: bool,
    },
    /// Lists the returned transfers that are to be given back to clients' cards.
    Refunds {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Marks a returned transfer as given back to the client's card. Tells the notary.
    Refunded {
        /// The id of the transfer.
        id: String,
        /// How it was given back, as the number of the operation at the acquirer; kept with the transfer.
        #[arg(long)]
        reason: String,
        /// Marks it without asking.
        #[arg(long)]
        yes: bool,
    },
}

/// What a list for the bank is.
#[derive(Clone, Copy, Default, ValueEnum)]
pub enum FormatName {
    /// The cabinet's own table.
    #[default]
    Csv,
    /// The table of Privat24 for business.
    Privat24,
    /// pain.001.001.09 of ISO 20022.
    Pain001,
}

/// How the text of a list is encoded.
#[derive(Clone, Copy, ValueEnum)]
pub enum EncodingName {
    /// UTF-8 with a byte order mark; the default.
    Utf8,
    /// Windows-1251.
    Cp1251,
}

/// Runs the command.
///
/// # Errors
/// Returns an error when a file can't be written or read, a row is wrong, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let operator = wiring::operator(&settings, &store, recorder);
    let refunds = operator.card_refunds();
    let seals = wiring::keys(&settings)?.seals().clone();
    let transfers = operator.transfers(seals);
    match action {
        Action::Export {
            file,
            format,
            encoding,
        } => {
            let list = format_of(format, encoding)?;
            export(&transfers, &file, list, &payer(&settings)?).await?;
        }
        Action::Import {
            file,
            status,
            leave_out,
            less_fee,
            reason,
            yes,
        } => {
            let of_all = status
                .map(|text| list_status(&settings, &text))
                .transpose()?;
            let reason = reason.as_deref().map(read_reason).transpose()?;
            let wanted = Wanted {
                of_all,
                leave_out,
                less_fee,
                reason,
                yes,
            };
            import(transfers, &file, wanted).await?;
        }
        Action::List(wanted) => transfer_lists::list(&transfers, wanted).await?,
        Action::NotSent {
            ids,
            documents,
            compared: _,
            reason,
            yes,
        } => plan_again(&transfers, &ids, &documents, &read_reason(&reason)?, yes).await?,
        Action::Held { json } => transfer_lists::held(&transfers, json).await?,
        Action::Returned { json } => transfer_lists::returned(&transfers, json).await?,
        Action::Release { ids, reason, yes } => release(&transfers, &ids, &reason, yes).await?,
        Action::Resume {
            compared: _,
            despite_recovery,
            reason,
            yes,
        } => {
            let (reason, now) = (read_reason(&reason)?, environment::now());
            let planned = totals_words("planned transfers", &transfers.next_list().await?);
            console::agree(
                &format!("the next export would have them: {planned}\n"),
                yes,
            )?;
            transfers.resume(now, despite_recovery, &reason).await.map_err(|error| change_failed(error, "the transfers stay stopped", "Repeat the command: if it says that the transfers are not stopped, this was done"))?;
            console::print("The next export has all planned transfers that are not held.\n");
            tell_held(&transfers).await?;
        }
        Action::Seal {
            documents,
            reason,
            yes,
        } => seal(&transfers, &documents, &read_reason(&reason)?, yes).await?,
        Action::Refunds { json } => transfer_lists::refunds(&refunds, json).await?,
        Action::Refunded { id, reason, yes } => {
            let id = TransferId::parse(&id).ok_or_else(|| anyhow!("{id} is not an id"))?;
            agree_about(
                &transfers,
                &[id],
                "be marked as given back to the card",
                yes,
            )
            .await?;
            mark_refunded(&refunds, id, &reason).await?;
        }
    }
    store.close().await;
    Ok(())
}

fn format_of(format: FormatName, encoding: Option<EncodingName>) -> anyhow::Result<Format> {
    let of_table = match encoding {
        None | Some(EncodingName::Utf8) => Encoding::Utf8,
        Some(EncodingName::Cp1251) => Encoding::Cp1251,
    };
    match (format, encoding) {
        (FormatName::Csv, _) => Ok(Format::Csv(of_table)),
        (FormatName::Privat24, _) => Ok(Format::Privat24(of_table)),
        (FormatName::Pain001, None | Some(EncodingName::Utf8)) => Ok(Format::Pain001),
        (FormatName::Pain001, Some(EncodingName::Cp1251)) => {
            bail!("--encoding: pain001 is always UTF-8")
        }
    }
}

/// The account that pays, from the settings.
fn payer(settings: &Settings) -> anyhow::Result<Payer> {
    let operator = &settings.operator;
    Ok(Payer {
        name: operator.name.value()?.clone(),
        iban: operator.iban.value()?.clone(),
        code: operator.code.value()?.clone(),
    })
}

async fn export(
    transfers: &Transfers,
    file: &Path,
    format: Format,
    payer: &Payer,
) -> anyhow::Result<()> {
    // Made first: an export is recorded, so it must not fail for want of a file.
    let target = NewFile::make(file)?;
    let exported = transfers.export(format, payer, environment::now()).await?;
    if exported.transfers == 0 {
        // A bank refuses a list without payments, and the schema of pain.001 does.
        drop(target);
        console::print("No transfer is planned: no file was written.\n");
    } else {
        target.fill(&exported.file)?;
        console::print(&format!(
            "{count} planned transfers were written to {file}: {sum} UAH, {budget}SHA-256 {digest}.\n\
             Before the bank gets it: cabinet transfers import {file} --status sent\n",
            count = exported.transfers,
            sum = exported.amount.decimal(),
            budget = budget_words(exported.to_budget),
            digest = exported.digest,
            file = file.display()
        ));
    }
    let withheld = transfers.withheld().await?;
    if !withheld.is_empty() {
        let numbers: Vec<String> = withheld.iter().map(ToString::to_string).collect();
        console::print(&format!(
            "Planned transfers of these orders wait for a refund or an open alarm (cabinet order show): {}\n",
            numbers.join(", ")
        ));
    }
    tell_held(transfers).await
}

async fn tell_held(transfers: &Transfers) -> anyhow::Result<()> {
    let held = transfers.held().await?.len();
    if held > 0 {
        console::print(&format!(
            "{held} transfers wait for your decision: cabinet transfers held\n"
        ));
    }
    Ok(())
}

/// Shows the transfers that a decision concerns, with their sum, and makes sure that it is wanted.
async fn agree_about(
    transfers: &Transfers,
    ids: &[TransferId],
    what: &str,
    yes: bool,
) -> anyhow::Result<()> {
    let briefs = transfers.briefs(ids).await?;
    let mut text = String::new();
    let mut sum = Balance::ZERO;
    for brief in &briefs {
        sum += Balance::from_kopiykas(brief.amount.kopiykas());
        let order = brief.order_number.unwrap_or_default();
        text.push_str(&format!(
            "document {}  order {order}  {}{}\n",
            brief.document_number,
            brief.amount.decimal(),
            if brief.is_to_budget {
                "  to the budget"
            } else {
                ""
            },
        ));
    }
    let count = briefs.len();
    text.push_str(&format!(
        "{count} transfers, {} UAH, would {what}\n",
        sum.decimal()
    ));
    console::agree(&text, yes)
}

async fn mark_refunded(refunds: &CardRefunds, id: TransferId, reason: &str) -> anyhow::Result<()> {
    refunds
        .mark(id, reason, environment::now())
        .await
        .map_err(|error| {
            change_failed(
                error,
                "nothing was marked",
                "See cabinet transfers refunds: what is not listed is marked",
            )
        })?;
    console::print("Marked. The notary is told.\n");
    Ok(())
}

async fn release(
    transfers: &Transfers,
    ids: &[String],
    reason: &str,
    yes: bool,
) -> anyhow::Result<()> {
    let ids = read_ids(ids)?;
    agree_about(transfers, &ids, "be released", yes).await?;
    transfers
        .release(&ids, reason, environment::now())
        .await
        .map_err(|error| {
            change_failed(
                error,
                "nothing was released",
                "See cabinet transfers held: what is not listed is released",
            )
        })?;
    console::print("Released. The next export has those that are planned.\n");
    Ok(())
}

/// Shows the transfers without seals that fit, and seals them if that is wanted.
async fn seal(
    transfers: &Transfers,
    documents: &[i64],
    reason: &OperatorReason,
    yes: bool,
) -> anyhow::Result<()> {
    let mut unsealed = transfers.unsealed().await?;
    if !documents.is_empty() {
        unsealed.retain(|of| documents.contains(&of.document_number));
    }
    if unsealed.is_empty() {
        console::print("Nothing to do: the seals fit.\n");
        return Ok(());
    }
    let text: String = unsealed.iter().map(unsealed_words).collect();
    let count = unsealed.len();
    console::agree(&format!("{text}{count} transfers would be sealed\n"), yes)?;
    let sealed = transfers
        .seal(&unsealed, reason, environment::now())
        .await
        .map_err(|error| {
            change_failed(
                error,
                "nothing was sealed",
                "Repeat the command: what is sealed is not shown again",
            )
        })?;
    console::print(&format!(
        "{sealed} sealed. The next export has those that are planned and not held.\n"
    ));
    Ok(())
}

/// Says where a transfer goes, and what its payment says.
fn unsealed_words(of: &UnsealedTransfer) -> String {
    let payee = |payee: &Payee, amount: Money| {
        format!(
            "{} UAH to {} {}",
            amount.decimal(),
            payee.iban.as_str(),
            payee.name.as_str()
        )
    };
    let and = match &of.of_payment {
        OfPayment::SentAgain => {
            "; it sends again what came back: ask the notary where to".to_owned()
        }
        OfPayment::Same => ", as its payment says".to_owned(),
        OfPayment::Unreadable => "; its payment can't be read".to_owned(),
        OfPayment::Other(said) => format!(
            ". Its payment says {}: it would be put back to that",
            payee(&said.0, said.1)
        ),
    };
    format!(
        "document {}  order {}  {}{and}\n",
        of.document_number,
        of.order_number.unwrap_or_default(),
        payee(&of.payee, of.amount)
    )
}

fn read_ids(ids: &[String]) -> anyhow::Result<Vec<TransferId>> {
    let read =
        |id: &String| TransferId::parse(id).ok_or_else(|| anyhow!("--id: {id} is not an id"));
    ids.iter().map(read).collect()
}

async fn plan_again(
    transfers: &Transfers,
    ids: &[String],
    documents: &[i64],
    reason: &OperatorReason,
    yes: bool,
) -> anyhow::Result<()> {
    let mut ids = read_ids(ids)?;
    ids.extend(transfers.with_documents(documents).await?);
    agree_about(
        transfers,
        &ids,
        "be planned again, and so be sent once more",
        yes,
    )
    .await?;
    transfers
        .take_back_mark(&ids, reason, environment::now())
        .await
        .map_err(|error| change_failed(error, "nothing was changed", "Repeat the command: if it says that a transfer can't be planned again, this was done"))?;
    console::print("Planned again. The next export has them; never give the bank the old list.\n");
    Ok(())
}

fn list_status(settings: &Settings, text: &str) -> anyhow::Result<ListStatus> {
    Ok(ListStatus {
        status: TransferStatus::parse(text)
            .ok_or_else(|| anyhow!("--status: sent, credited or returned"))?,
        payer: payer(settings)?,
    })
}

/// Tells what was marked, so that it can be compared with what `export` told and with what the bank shows.
fn tell_list(list: &MarkedList) {
    let known = match list.exported_at {
        Some(at) => format!(
            "the file that was exported at {}",
            kyiv_time(at).strftime("%Y-%m-%d %H:%M")
        ),
        None => "no exported file has this digest, but every cell of it is what the cabinet writes"
            .to_owned(),
    };
    console::print(&format!(
        "{} transfers, {} UAH, {}SHA-256 {}: {known}.\n",
        list.transfers,
        list.amount.decimal(),
        budget_words(list.to_budget),
        list.digest
    ));
}

/// Returns what banks kept of money that came back, in words.
pub fn fees_words(fees: Balance) -> String {
    format!(
        "of what came back the banks kept {} UAH as fees, which the operator bears\n",
        fees.decimal()
    )
}

/// Returns the sum of an entry and what it is.
fn described(entry: &Unmatched) -> String {
    match &entry.sum {
        Some(sum) => format!("{sum}, {}", entry.why),
        None => entry.why.to_owned(),
    }
}

/// Shows what the operator has decided, and asks: a return that is left out unseen is lost.
fn ask_about(file: &str, decided: &Decided<Unmatched>, yes: bool) -> anyhow::Result<()> {
    let left_out = decided
        .left_out
        .iter()
        .map(|entry| ("to be left out", entry));
    let less_fee = decided.less_fee.iter();
    let less_fee = less_fee.map(|entry| ("to be taken, less the bank's fee", entry));
    for (what, entry) in left_out.chain(less_fee) {
        let (line, name) = (entry.line, &entry.name);
        let described = described(entry);
        console::print(&format!(
            "{file}:{line}: entry {name}: {what}: {described}\n"
        ));
    }
    if yes {
        return Ok(());
    }
    let input = std::io::stdin();
    if !std::io::IsTerminal::is_terminal(&input) {
        bail!(
            "nothing was changed: without a terminal nobody can be asked. Look at these entries, and repeat with --yes"
        );
    }
    if !decided.left_out.is_empty() {
        console::print(
            "Nothing that the entries to be left out tell will be known to the cabinet. ",
        );
    }
    console::print("Go on? (yes/no) ");
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    if answer.trim() == "yes" {
        Ok(())
    } else {
        bail!("nothing was changed")
    }
}

/// How a file is imported.
struct Wanted {
    /// The status of every row of a list.
    of_all: Option<ListStatus>,
    /// Entries that are left out.
    leave_out: Vec<String>,
    /// Entries that came back less a fee.
    less_fee: Vec<String>,
    /// Why, or why a table of the operator's own is imported.
    reason: Option<OperatorReason>,
    /// Whether nobody is asked.
    yes: bool,
}

/// Makes sure that a table of the operator's own is wanted: it says of the money what no bank does. Returns whether the file is one.
async fn agree_about_table(
    transfers: &Transfers,
    bytes: &[u8],
    wanted: &Wanted,
) -> Result<Option<anyhow::Result<()>>, ImportError> {
    let status = wanted.of_all.as_ref().map(|of_all| of_all.status);
    let would = transfers.rehearse_table(bytes, status, environment::now());
    let Some(would) = would.await? else {
        return Ok(None);
    };
    if would.imported.changed == 0 {
        return Ok(Some(Ok(())));
    }
    if wanted.reason.is_none() {
        return Ok(Some(Err(anyhow!(
            "nothing was changed: a table of your own needs --reason \"...\", why it says what no file of the bank does"
        ))));
    }
    let outcomes = would.outcomes.iter();
    let text: String = outcomes
        .map(|(outcome, totals)| format!("would be {}\n", totals_words(outcome.word(), totals)))
        .collect();
    Ok(Some(console::agree(&text, wanted.yes)))
}

async fn import(transfers: Transfers, file: &Path, wanted: Wanted) -> anyhow::Result<()> {
    let bytes = read_bounded(file)?;
    let agreed = agree_about_table(&transfers, &bytes, &wanted).await;
    let is_table = agreed.as_ref().is_ok_and(Option::is_some);
    let refused = match agreed {
        Ok(Some(agreed)) => {
            agreed?;
            None
        }
        Ok(None) => None,
        Err(error) => Some(error),
    };
    let Wanted {
        of_all,
        leave_out,
        less_fee,
        reason,
        yes,
    } = wanted;
    if reason.is_some()
        && refused.is_none()
        && !is_table
        && leave_out.is_empty()
        && less_fee.is_empty()
    {
        bail!(
            "nothing was changed: --reason is for --leave-out and --less-fee, or for a table of your own"
        );
    }
    let transfers = match &reason {
        Some(reason) => transfers.because(reason.clone()),
        None => transfers,
    };
    let by_hand = reason
        .filter(|_| !leave_out.is_empty() || !less_fee.is_empty())
        .map(|reason| SettledByHand {
            left_out: leave_out,
            less_fee,
            reason,
        });
    let status = of_all.as_ref().map(|of_all| of_all.status);
    let name = file.file_name().unwrap_or_default().display();
    let asked = match (&by_hand, refused) {
        (_, Some(error)) => Err(error),
        (Some(by_hand), None) => Transfers::decided(&bytes, by_hand).map(Some),
        (None, None) => Ok(None),
    };
    let imported = match asked {
        Ok(decided) => {
            if let Some(decided) = decided {
                ask_about(&name.to_string(), &decided, yes)?;
            }
            transfers
                .import_file(&bytes, of_all, by_hand, environment::now())
                .await
        }
        Err(error) => Err(error),
    };
    match imported {
        Ok(taken) => {
            for entry in &taken.unmatched {
                console::print(&format!(
                    "{name}:{}: entry {}: left out: {}\n",
                    entry.line,
                    entry.name,
                    described(entry)
                ));
            }
            for document in &taken.disputed {
                console::print(&format!(
                    "document {document} is disputed: the bank refused it, and debited or credited it all the same. It is neither sent again nor given back until you have asked the bank, and imported its answer as a table of your own (status credited, sent or returned)\n"
                ));
            }
            // Whoever marks a list before giving it to the bank is stopped: the bank has it already.
            if status == Some(TransferStatus::Sent) && taken.imported.changed == 0 {
                bail!("the list was marked before: the bank must not get it again");
            }
            if let Some(list) = &taken.list {
                tell_list(list);
            }
            if taken == Taken::default() {
                console::print("The bank tells no movements: nothing to do.\n");
            } else {
                tell(taken.imported, &taken.outcomes);
                if taken.fees != Balance::default() {
                    console::print(&fees_words(taken.fees));
                }
            }
            Ok(())
        }
        Err(ImportError::Rows(rows)) => {
            for row in &rows {
                console::complain(&format!("{name}:{row}"));
            }
            let hint = if rows.iter().any(|row| row.entry.is_some()) {
                ". Once a person has settled an entry, the rest of the file is taken with --leave-out ENTRY --reason \"...\""
            } else {
                ""
            };
            bail!("{} bad rows: nothing was changed{hint}", rows.len());
        }
        Err(error @ (ImportError::NoSuchEntry(_) | ImportError::NoFee(_))) => {
            bail!(
                "{error}. Nothing was changed: give the names of the entries as the command tells them"
            )
        }
        Err(error @ ImportError::Storage(_)) => {
            let advice = if status == Some(TransferStatus::Sent) {
                "Repeat the command. If it says that the list was marked before, and you have not given the list to the bank, this was done: give it to the bank once"
            } else {
                "Repeat the command: what was taken before changes nothing"
            };
            Err(change_failed(error, "nothing was changed", advice))
        }
    }
}

/// Reads a file, but no more of it than is imported.
fn read_bounded(file: &Path) -> anyhow::Result<Vec<u8>> {
    let cannot = || format!("{} can't be read", file.display());
    let opened = std::fs::File::open(file).with_context(cannot)?;
    let mut bytes = Vec::new();
    let mut bounded = std::io::Read::take(opened, BYTES_MAX as u64 + 1);
    std::io::Read::read_to_end(&mut bounded, &mut bytes).with_context(cannot)?;
    Ok(bytes)
}

/// Tells what goes to the budget, if anything does.
pub fn budget_words((transfers, amount): (usize, Balance)) -> String {
    match transfers {
        0 => String::new(),
        _ => format!(
            "of it {transfers} to the budget: {} UAH, ",
            amount.decimal()
        ),
    }
}

/// Tells how many transfers have an outcome and their sum, as `debited 2: 300.00 UAH, of it 1 to the budget: 100.00 UAH`.
pub fn totals_words(outcome: &str, totals: &Totals) -> String {
    let sum = format!(
        "{outcome} {}: {} UAH, {}",
        totals.transfers,
        totals.amount.decimal(),
        budget_words((totals.to_budget, totals.to_budget_amount))
    );
    sum.trim_end_matches(", ").to_owned()
}

fn tell(imported: Imported, outcomes: &Outcomes) {
    console::print(&match imported {
        Imported {
            changed: 0,
            unchanged: 0,
        } => "Nothing changed: the file concerns no transfer of the cabinet.\n".to_owned(),
        Imported {
            changed: 0,
            unchanged,
        } => format!("Nothing changed: all {unchanged} transfers were so already.\n"),
        Imported { changed, unchanged } => {
            format!("{changed} transfers were changed, {unchanged} were so already.\n")
        }
    });
    for (outcome, totals) in outcomes {
        console::print(&format!("{}\n", totals_words(outcome.word(), totals)));
    }
}
