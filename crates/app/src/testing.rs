//! The settings of the installations that the tests and the simulation make.

#![expect(
    clippy::expect_used,
    reason = "what fails here fails a test, and says so"
)]

use cabinet_domain::payment::Delays;
use cabinet_domain::{
    AccountLimits, CardFigures, Iban, OrderId, RegisterNumberRule, SignUpConfirmation,
};
use cabinet_receipts::{Fiscal, SlipTitles, Vat};
use cabinet_reference::TableChoices;
use cabinet_storage::Store;

use crate::audit::Recorder;
use crate::client_link::letter_token::LetterLink;
use crate::kernel::keys::Keys;
use crate::kernel::notifier::Notifier;
use crate::operator::OperatorServices;
use crate::settings::{
    AcquirerNames, AppSettings, ClientLinkSettings, CodeSettings, Operator, RetentionSettings,
    SessionSettings, Support,
};

/// Returns the use cases of the operator over a database, before there is a cabinet. They tell nobody by letter.
#[must_use]
pub fn operator(store: Store, recorder: Recorder) -> OperatorServices {
    let settings = settings();
    OperatorServices {
        store,
        recorder,
        notifier: Notifier::new(settings.support, false),
        sign_up_confirmation: settings.sign_up_confirmation,
        retention: settings.retention,
    }
}

/// Returns the token of a letter that an earlier version wrote, with the receipt attached.
#[must_use]
pub fn letter_with_receipt(keys: &Keys, order: OrderId) -> String {
    let link = LetterLink {
        order,
        address: None,
        receipt: None,
    };
    link.token(keys)
}

/// Returns every setting at its default, with an invented operator. No page of an acquirer is allowed.
#[must_use]
pub fn settings() -> AppSettings {
    AppSettings {
        public_url: "http://127.0.0.1:8080".to_owned(),
        codes: CodeSettings::default(),
        sessions: SessionSettings::default(),
        client_links: ClientLinkSettings::default(),
        retention: RetentionSettings::default(),
        sign_up_confirmation: SignUpConfirmation::Register,
        account_limits: AccountLimits::default(),
        card_figures: CardFigures::default(),
        register_number: RegisterNumberRule::default(),
        delays: Delays::default(),
        table_choices: TableChoices::default(),
        operator: Operator {
            name: "ТОВ «Кабінет»".to_owned(),
            code: "32855961".to_owned(),
            iban: Iban::parse("UA223052990000026001234567890").expect("an account"),
            address: "м. Київ, вул. Перша, 1".to_owned(),
            vat: Vat::Unstated,
            fiscal: Fiscal::default(),
            provider: None,
            slip_titles: SlipTitles::default(),
        },
        support: Support {
            email: "support@cabinet.example".to_owned(),
            phone: "0 800 000 000".to_owned(),
        },
        acquirer_names: AcquirerNames {
            monobank: "АТ «УНІВЕРСАЛ БАНК»".to_owned(),
            liqpay: "АТ КБ «ПРИВАТБАНК»".to_owned(),
        },
        page_hosts: Vec::new(),
        sandbox: true,
        refuses_demonstration: false,
    }
}
