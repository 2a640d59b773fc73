//! The use cases of the operator, each with what it needs.

use std::sync::Arc;

use cabinet_domain::SignUpConfirmation;
use cabinet_receipts::Vat;
use cabinet_storage::Store;

use super::administration::Administration;
use super::erasure::Erasure;
use super::support_desk::{Complaints, PhoneChange, ReportReader, SupportDesk};
use crate::account::AccountConfirmation;
use crate::audit::{Audit, Recorder};
use crate::books::Accountant;
use crate::kernel::keys::{Keys, SealKeys};
use crate::kernel::notifier::Notifier;
use crate::settings::RetentionSettings;
use crate::transfer::Transfers;
use crate::transfer::returns::CardRefunds;
use crate::worker::report_archive::ReportArchive;

/// The use cases of the operator, by whom the recorder names. They need only the database, so commands run them beside a server and without
/// its settings.
#[derive(Clone)]
pub struct OperatorServices {
    /// The database.
    pub store: Store,
    /// Who acts.
    pub recorder: Recorder,
    /// Tells notaries of what is done.
    pub notifier: Notifier,
    /// Who confirms new accounts.
    pub sign_up_confirmation: SignUpConfirmation,
    /// How long rows are kept.
    pub retention: RetentionSettings,
}

impl OperatorServices {
    /// Confirming and blocking accounts, and the register of notaries.
    #[must_use]
    pub fn account_confirmation(&self) -> AccountConfirmation {
        AccountConfirmation {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            rule: self.sign_up_confirmation,
            notifier: self.notifier.clone(),
        }
    }

    /// The statements of the accountant. `vat`: what the operator says of VAT.
    #[must_use]
    pub fn accountant(&self, vat: Vat) -> Accountant {
        Accountant {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            vat,
        }
    }

    /// Tables, accounts, alarms and letters that were given up.
    #[must_use]
    pub fn administration(&self) -> Administration {
        Administration {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            notifier: self.notifier.clone(),
        }
    }

    /// The audit trail.
    #[must_use]
    pub fn audit(&self) -> Audit {
        Audit::new(self.store.clone())
    }

    /// The list of parts that go back to cards.
    #[must_use]
    pub fn card_refunds(&self) -> CardRefunds {
        CardRefunds {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            notifier: self.notifier.clone(),
        }
    }

    /// Complaints of notaries.
    #[must_use]
    pub fn complaints(&self) -> Complaints {
        Complaints {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            notifier: self.notifier.clone(),
        }
    }

    /// Erasing clients and accounts.
    #[must_use]
    pub fn erasure(&self) -> Erasure {
        Erasure {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            retention: self.retention.clone(),
        }
    }

    /// Another phone for an account.
    #[must_use]
    pub fn phone_change(&self) -> PhoneChange {
        PhoneChange {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            notifier: self.notifier.clone(),
        }
    }

    /// Old reports of the acquirer.
    #[must_use]
    pub fn report_archive(&self) -> ReportArchive {
        ReportArchive {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
        }
    }

    /// Looking orders and accounts up. Without `keys` it knows no codes of receipts.
    #[must_use]
    pub fn support_desk(&self, keys: Option<Keys>, read_report: ReportReader) -> SupportDesk {
        SupportDesk {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            keys: keys.map(Arc::new),
            read_report,
        }
    }

    /// Transfers of what was paid, sealed with these keys.
    #[must_use]
    pub fn transfers(&self, seals: SealKeys) -> Transfers {
        Transfers {
            store: self.store.clone(),
            recorder: self.recorder.clone(),
            seals,
            notifier: self.notifier.clone(),
            reason: None,
        }
    }
}
