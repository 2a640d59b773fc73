//! Writes receipts of every kind into a folder, to be looked at: `cargo run -p cabinet-receipts --example samples -- FOLDER`.

#[path = "../tests/samples/codes.rs"]
#[expect(
    clippy::expect_used,
    reason = "the values of a sample are known to be right"
)]
mod sample_codes;
#[path = "../tests/samples/deal.rs"]
#[expect(
    clippy::expect_used,
    reason = "the values of a sample are known to be right"
)]
mod sample_deal;
#[path = "../tests/samples/mod.rs"]
#[expect(
    clippy::expect_used,
    reason = "the values of a sample are known to be right"
)]
mod samples;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use cabinet_domain::{BudgetCode, Line, Locale, ReturnApplication};
use cabinet_receipts::{
    Application, ArchiveEntry, ReceiptOrder, Selection, application, commission_receipt,
    deal_calculation, extract, payment_codes, payment_receipt, receipts_zip,
};

/// What the client asks back from the budget, or from the administrator of the registers.
fn asked(form: ReturnApplication) -> Result<Application, Box<dyn Error>> {
    let reason = "Помилково сплачено двічі за одну державну реєстрацію";
    Ok(Application {
        form,
        document_number: 4_711,
        budget_code: BudgetCode::parse("22012600").ok(),
        reason: Line::parse(reason, 250).map_err(|error| format!("{error:?}"))?,
        iban: samples::iban("322001", 26_201_234_567_890),
        made_at: samples::order().paid_at,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder")?);
    fs::create_dir_all(&folder)?;
    let sandbox = ReceiptOrder {
        sandbox: true,
        ..samples::split()
    };
    let many = samples::many(40);
    let third = Selection::Item(many.items[2].id);
    let receipts = [
        (
            "single-uk",
            payment_receipt(&samples::single(), Selection::Order, Locale::Uk)?,
        ),
        (
            "single-en",
            payment_receipt(&samples::single(), Selection::Order, Locale::En)?,
        ),
        (
            "split-uk",
            payment_receipt(&samples::split(), Selection::Order, Locale::Uk)?,
        ),
        (
            "split-commission-uk",
            commission_receipt(&samples::split(), Selection::Order, Locale::Uk)?,
        ),
        (
            "split-commission-en",
            commission_receipt(&samples::split(), Selection::Order, Locale::En)?,
        ),
        (
            "sandbox-uk",
            payment_receipt(&sandbox, Selection::Order, Locale::Uk)?,
        ),
        (
            "sandbox-en",
            payment_receipt(&sandbox, Selection::Order, Locale::En)?,
        ),
        (
            "returned-uk",
            payment_receipt(&samples::returned(), Selection::Order, Locale::Uk)?,
        ),
        (
            "returned-en",
            payment_receipt(&samples::returned(), Selection::Order, Locale::En)?,
        ),
        (
            "many-uk",
            payment_receipt(&many, Selection::Order, Locale::Uk)?,
        ),
        ("many-item-uk", payment_receipt(&many, third, Locale::Uk)?),
        (
            "many-commission-uk",
            commission_receipt(&many, Selection::Order, Locale::Uk)?,
        ),
        (
            "lengthy-uk",
            payment_receipt(&samples::lengthy(), Selection::Order, Locale::Uk)?,
        ),
        ("extract-uk", extract(&samples::returned(), Locale::Uk)?),
        ("extract-en", extract(&samples::split(), Locale::En)?),
        ("extract-long-uk", extract(&samples::lengthy(), Locale::Uk)?),
        (
            "application-budget",
            application(&samples::split(), &asked(ReturnApplication::Budget)?)?,
        ),
        (
            "application-register",
            application(
                &samples::single(),
                &asked(ReturnApplication::RegisterInformation)?,
            )?,
        ),
        (
            "codes-uk",
            payment_codes(&sample_codes::codes(), Locale::Uk)?,
        ),
        (
            "codes-en",
            payment_codes(&sample_codes::codes(), Locale::En)?,
        ),
        (
            "deal-uk",
            deal_calculation(&sample_deal::calculation(), Locale::Uk)?,
        ),
        (
            "deal-en",
            deal_calculation(&sample_deal::calculation(), Locale::En)?,
        ),
    ];
    let mut entries = Vec::new();
    for (name, pdf) in receipts {
        fs::write(folder.join(name).with_extension("pdf"), &pdf)?;
        entries.push(Ok(ArchiveEntry {
            name: format!("{name}.pdf"),
            dated: many.paid_at,
            content: pdf,
        }));
    }
    receipts_zip(entries, fs::File::create(folder.join("samples.zip"))?)?;
    Ok(())
}
