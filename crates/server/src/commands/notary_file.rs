//! `cabinet notary find|show|set-phone`.

use anyhow::anyhow;
use cabinet_app::audit::Recorder;
use cabinet_app::operator::support_desk::{CartLine, NotaryFile};
use cabinet_domain::Phone;

use super::complaints::add_complaints;
use super::order::{FullChoice, read_reason};
use super::order_sheet::add_found;
use super::sheet::{Cell, Sheet};
use super::typed;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Shows an account.
///
/// # Errors
/// Returns an error when there is no such account, the reason can't be kept, or the database fails.
pub async fn show(
    settings: &Settings,
    account: &str,
    shown: &FullChoice,
    as_json: bool,
    recorder: Recorder,
) -> anyhow::Result<()> {
    let shown = shown.read()?;
    let (store, desk) = wiring::support_desk(settings, recorder).await?;
    let account = typed::bare_phone(account);
    let file = desk.notary(account, &shown, environment::now()).await?;
    console::print(&sheet(&file).text(as_json));
    store.close().await;
    Ok(())
}

/// Finds accounts by name.
///
/// # Errors
/// Returns an error when the text is no part of a name, or the database fails.
pub async fn find(
    settings: &Settings,
    name: &str,
    as_json: bool,
    recorder: Recorder,
) -> anyhow::Result<()> {
    let (store, desk) = wiring::support_desk(settings, recorder).await?;
    let found = desk.notaries_named(name).await?;
    if found.is_empty() && !as_json {
        console::print("No account fits.\n");
    } else {
        let columns = ["name", "phone", "identifier", "standing", "signed_up", "id"];
        let rows = found.into_iter().map(|notary| -> Vec<Cell> {
            vec![
                notary.name.into(),
                notary.phone.into(),
                notary.identifier.into(),
                notary.standing.into(),
                notary.created_at.into(),
                notary.id.to_string().into(),
            ]
        });
        let mut sheet = Sheet::default();
        sheet.table("accounts", &columns, rows);
        console::print(&sheet.list_text(as_json));
    }
    store.close().await;
    Ok(())
}

/// Replaces the phone of an account.
///
/// # Errors
/// Returns an error when there is no such account, somebody has the phone, the reason can't be kept, or the database fails.
pub async fn set_phone(
    settings: &Settings,
    account: &str,
    phone: &str,
    reason: &str,
    recorder: Recorder,
) -> anyhow::Result<()> {
    let reason = read_reason(reason)?;
    let (account, phone) = (typed::bare_phone(account), typed::bare_phone(phone));
    let phone = Phone::parse(phone)
        .map_err(|_| anyhow!("--to: that is not a telephone number, write +380501112233"))?;
    let store = wiring::open_store(settings).await?;
    let change = wiring::operator(settings, &store, recorder).phone_change();
    let ended = change
        .change(account, phone, &reason, environment::now())
        .await?;
    console::print(&format!(
        "The phone is changed. Sessions that ended: {ended}. The old phone, the new one and the email address are told.\n"
    ));
    store.close().await;
    Ok(())
}

fn sheet(file: &NotaryFile) -> Sheet {
    let (standing, practice) = (&file.standing, &file.practice);
    let mut sheet = Sheet::default();
    sheet
        .field("notary", file.id.to_string())
        .field("name", file.name.clone())
        .field("phone", file.phone.clone())
        .field("phone_additional", file.phone_additional.clone())
        .field("email", file.email.clone())
        .field("identifier", file.identifier.clone())
        .field("certificate", file.certificate.clone())
        .field("code", file.code.clone())
        .field("account", file.account.clone())
        .field("account_code", file.account_code.clone())
        .field("made_at", file.created_at)
        .field("phone_verified_at", file.phone_verified_at)
        .field("agreed_terms_at", file.agreed_terms_at)
        .field("login_step", file.login_step.as_str())
        .field("new_flow", file.chooses_payment_method)
        .field("standing", standing.account.as_str())
        .field("standing_since", standing.since)
        .field("standing_by", standing.by.as_str())
        .field(
            "standing_reason",
            standing
                .reason
                .as_ref()
                .map(|line| line.as_str().to_owned()),
        )
        .field("status", practice.status.as_str())
        .field("status_since", practice.since)
        .field("status_by", practice.by.as_str())
        .field(
            "status_reason",
            practice
                .reason
                .as_ref()
                .map(|line| line.as_str().to_owned()),
        );
    let rows = file.sessions.iter().map(|session| -> Vec<Cell> {
        vec![
            session.created_at.into(),
            session.last_used_at.into(),
            session
                .browser
                .as_ref()
                .map(|browser| browser.as_str().to_owned())
                .into(),
            session
                .network
                .as_ref()
                .map(|network| network.as_str().to_owned())
                .into(),
        ]
    });
    let columns = ["began", "last_used", "browser", "network"];
    sheet.table("sessions", &columns, rows);
    add_cart(&mut sheet, &file.cart);
    add_found(&mut sheet, &file.orders);
    add_complaints(&mut sheet, &file.complaints);
    sheet
}

fn add_cart(sheet: &mut Sheet, cart: &[CartLine]) {
    let columns = [
        "added",
        "client",
        "kind",
        "service",
        "count",
        "recipient",
        "account",
        "purpose",
        "total",
        "item",
    ];
    let rows = cart.iter().map(|line| -> Vec<Cell> {
        let payment = &line.payment;
        let service = Some(payment.service.clone());
        vec![
            line.added_at.into(),
            line.client_name.clone().into(),
            payment.kind.slug().into(),
            service.filter(|text| !text.is_empty()).into(),
            payment.count.into(),
            payment.recipient.clone().into(),
            payment.account.clone().into(),
            payment.purpose.clone().into(),
            payment.total.into(),
            payment.id.to_string().into(),
        ]
    });
    sheet.table("cart", &columns, rows);
}
