//! The figures of a notary for her saved cards: up to what sum a day they pay without a proof, and from what sum she is told. Larger ones need a
//! proof of their own (decision 70).

use cabinet_domain::{AuditAction, CardFigures, Key, Money, NotaryId, Origin, kyiv_time};
use cabinet_storage::Tx;
use cabinet_storage::payment::card_figures;

use super::Accounts;
use crate::audit::{AuditEntry, PROVED};
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::kernel::texts::changed_card_figures;
use crate::payment::approval::Signer;

/// Figures as they were typed.
#[derive(Clone, Copy, Debug)]
pub struct CardFiguresRequest {
    /// See [`CardFigures::daily_unproved_max`].
    pub daily_unproved_max: Option<Money>,
    /// See [`CardFigures::told_from`].
    pub told_from: Option<Money>,
}

impl CardFiguresRequest {
    /// Reads figures.
    ///
    /// # Errors
    /// `field_required`, `amount_invalid`, and the errors that were found before.
    pub fn read(self, mut errors: FieldErrors) -> Result<CardFigures, Refusal> {
        let mut sum = |field, given: Option<Money>| {
            if errors.has(field) {
                return None;
            }
            let given = given.ok_or(Key::FieldRequired);
            let given = given.and_then(|sum| {
                if sum.is_zero() {
                    Err(Key::AmountInvalid)
                } else {
                    Ok(sum)
                }
            });
            errors.take(field, given)
        };
        let daily = sum("daily_unproved_max", self.daily_unproved_max);
        let told = sum("told_from", self.told_from);
        errors.check()?;
        let (Some(daily_unproved_max), Some(told_from)) = (daily, told) else {
            return Err(Refusal::field("daily_unproved_max", Key::FieldRequired));
        };
        Ok(CardFigures {
            daily_unproved_max,
            told_from,
        })
    }
}

impl Accounts {
    /// `GET /me/card-figures`: returns the figures that hold for a notary.
    pub async fn card_figures(&self, notary: NotaryId) -> Result<CardFigures> {
        let approvals = self.approvals;
        let read = move |tx: &mut Tx| approvals.figures_of(tx, notary);
        Ok(self.store.read(read).await?)
    }

    /// `POST /me/card-figures`: sets the figures. Larger ones need a proof, and the notary is told of them.
    ///
    /// # Errors
    /// `unauthorized`, `confirmation_required` with what is to be proved, `device_too_new_for_act`.
    pub async fn set_card_figures(
        &self,
        signer: Signer,
        figures: CardFigures,
        origin: Origin,
    ) -> Result<CardFigures> {
        let notary = signer.notary;
        let (unit, approvals) = (self.ids.unit(), self.approvals);
        let notifier = self.notifier.clone();
        let write = move |tx: &mut Tx| -> Result<()> {
            let mut unit = unit.clone();
            let now = unit.now;
            let (locked, account) = Decider::from(signer).lock(tx, now)?;
            let before = approvals.figures_of(tx, notary)?;
            if figures == before {
                return Ok(());
            }
            let daily = (before.daily_unproved_max, figures.daily_unproved_max);
            let told = (before.told_from, figures.told_from);
            let mut entry = AuditEntry::new(AuditAction::CardFiguresChanged)
                .of_notary(notary)
                .changed("daily_unproved_max", Some(daily.0), Some(daily.1))
                .changed("told_from", Some(told.0), Some(told.1));
            if figures.loosen(before) {
                let proved = approvals.approve_figures(tx, signer, figures, now)??;
                entry = entry.with(PROVED, &proved);
                let at = kyiv_time(now);
                let notice = changed_card_figures(figures, &at, notifier.support_phone());
                notifier.tell_known_everywhere(tx, &mut unit, &account, &notice)?;
            }
            card_figures::set(tx, &locked, figures, now)?;
            Ok(entry.record(tx, &mut unit, &origin)?)
        };
        self.store.write(write).await?;
        Ok(figures)
    }
}
