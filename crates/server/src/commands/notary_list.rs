//! `cabinet notary list`.

use cabinet_domain::Notary;

use super::sheet::{Cell, Sheet};

/// Returns the accounts, with masked phones and without names.
pub fn accounts(accounts: &[Notary]) -> Sheet {
    let columns = [
        "id",
        "phone",
        "phone_verified",
        "login_step",
        "new_flow",
        "standing",
        "since",
        "by",
        "reason",
        "status",
        "status_since",
        "status_by",
        "status_reason",
        "doubt",
    ];
    let row = |notary: &Notary| -> Vec<Cell> {
        let (standing, practice) = (&notary.standing, &notary.practice);
        let reason = standing.reason.as_ref();
        let status_reason = practice.reason.as_ref();
        vec![
            notary.id.to_string().into(),
            notary.phone.masked().into(),
            notary.phone_verified_at.is_some().into(),
            notary.login_step.as_str().into(),
            notary.chooses_payment_method.into(),
            standing.account.as_str().into(),
            standing.since.into(),
            standing.by.as_str().into(),
            reason.map(|reason| reason.as_str()).into(),
            practice.status.as_str().into(),
            practice.since.into(),
            practice.by.as_str().into(),
            status_reason.map(|reason| reason.as_str()).into(),
            practice
                .is_doubtful()
                .then_some("nobody has told the status: cabinet notary set-status")
                .into(),
        ]
    };
    let mut sheet = Sheet::default();
    sheet.table("accounts", &columns, accounts.iter().map(row));
    sheet
}

/// Returns the accounts that wait, or whose new name does, with what the operator compares with the register.
pub fn waiting(accounts: &[Notary]) -> Sheet {
    let columns = [
        "phone",
        "name",
        "identifier",
        "certificate",
        "signed_up",
        "id",
        "new_name",
    ];
    let row = |notary: &Notary| -> Vec<Cell> {
        let profile = &notary.profile;
        let certificate = profile.certificate_number.as_ref();
        vec![
            notary.phone.as_str().into(),
            profile.full_name.as_str().into(),
            profile.registry_identifier.as_str().into(),
            certificate.map(|number| number.as_str()).into(),
            notary.created_at.into(),
            notary.id.to_string().into(),
            notary
                .requested_name
                .as_ref()
                .map(|name| name.as_str())
                .into(),
        ]
    };
    let mut sheet = Sheet::default();
    sheet.table("waiting", &columns, accounts.iter().map(row));
    sheet
}
