//! The installation: its worker, crashes, copies of its database, its clock and its reference data.

use cabinet_domain::OperatorReason;
use cabinet_storage::Tx;
use cabinet_storage::engine::restored;
use jiff::SignedDuration;

use crate::action::{Action, Outcome};
use crate::database::reference_files;
use crate::history::{COMPARED_EVERY, History, Restore};
use crate::services::start_services;
use crate::time::DAYS_AHEAD;

impl History<'_> {
    /// Runs a round of the worker.
    pub(crate) fn work(&mut self) {
        let services = self.services.clone();
        self.start(Action::Work, async move {
            services.reference.refresh().await?;
            let due = services.payments.poll_due().await?;
            services.maintenance.tidy_up().await?;
            services.audit.seal().await?;
            services.outbox.deliver().await?;
            Ok(Outcome::Due(due))
        });
    }

    /// Looks for what a restored copy lacks, and compares due days with the acquirer's statement.
    pub(crate) fn compare(&mut self) {
        let services = self.services.clone();
        self.start(Action::Compare, async move {
            let recovered = services.reconciliation.recover_again().await;
            services.reconciliation.compare_due_days().await?;
            recovered?;
            Ok(Outcome::Done)
        });
    }

    /// Ends the cabinet in the middle of its operations, and starts it again.
    pub(crate) fn crash(&mut self) {
        self.trace.note("the cabinet ends and starts again");
        for running in std::mem::take(&mut self.running) {
            match running.action {
                Action::Order {
                    notary,
                    key,
                    client,
                    token,
                } => {
                    self.browsers
                        .remember_unanswered_order(notary, key, client, token);
                }
                Action::Report(delivery) => self.deliveries.extend(delivery.next_try()),
                _ => {}
            }
        }
        self.start_again();
    }

    fn start_again(&mut self) {
        let starting = start_services(
            &self.store,
            &self.time,
            &self.bytes,
            &self.wire,
            &self.messages,
            &self.weather,
        );
        self.services = self.executor.run(starting);
        self.compare_at = self.time.truth() + COMPARED_EVERY;
    }

    /// Copies the database.
    pub(crate) fn copy(&mut self) {
        self.trace.note("the database is copied");
        self.executor.run(self.database.copy(&self.store));
        self.copied = Some(self.step);
    }

    /// Restores the copy of the database.
    pub(crate) fn restore(&mut self) {
        let Some(copied) = self.copied else { return };
        self.crash();
        self.trace.note("the copy of the database is put back");
        self.store = self
            .executor
            .run(self.database.put_back(self.store.clone()));
        // What the first start on a copy does. The transfers of a history with a restore don't leave.
        let (store, now) = (self.store.clone(), self.time.of_cabinet());
        let begin = move |tx: &mut Tx| restored::begin_recovery(tx, now);
        let begun = self.executor.run(async move { store.write(begin).await });
        begun.expect("the copy can be written");
        self.restores.push(Restore {
            copied,
            restored: self.step,
        });
        self.start_again();
    }

    /// Sets the cabinet's clock within the error of the history.
    pub(crate) fn set_clock(&mut self) {
        let wrong = self.weather.clock_wrong;
        let ahead = self.chance.between(-wrong, wrong);
        self.trace
            .note(format!("the cabinet's clock is {ahead} seconds ahead"));
        self.time.set_ahead(SignedDuration::from_secs(ahead));
    }

    /// Sets the cabinet's clock up to an hour wrong, or right.
    pub(crate) fn jump_clock(&mut self) {
        // Beyond the longest delay, too, after which absence would be a proof. The days of a bank's files are compared with those of the lists.
        let far = if self.weather.bank { 0 } else { 2 };
        let ahead = match self.chance.weighted(&[3, far, 12]) {
            0 => self.chance.between(-3_600, 3_600),
            1 => self.chance.between(-4 * 3_600, 4 * 3_600),
            _ => 0,
        };
        self.trace
            .note(format!("the cabinet's clock is set {ahead} seconds ahead"));
        self.time.set_ahead(SignedDuration::from_secs(ahead));
    }

    /// Whether a clock that is days ahead could make the cabinet believe that the statement must show a charge which it does not show yet. The days
    /// of a bank's files are compared with those of the lists, so there it is never so wrong. Where the acquirer tells no time nothing could
    /// contradict it.
    pub(crate) fn can_clock_mislead(&self) -> bool {
        self.weather.statement_late > 0
            && self.weather.tells_time
            && !self.weather.bank
            && self.time.ahead() < DAYS_AHEAD
    }

    /// Sets the cabinet's clock days ahead. It stays so until somebody sets it.
    pub(crate) fn set_clock_days_ahead(&mut self) {
        self.trace.note("the cabinet's clock is set days ahead");
        self.time.set_ahead(DAYS_AHEAD);
    }

    /// Loads another commission, valid from today or tomorrow.
    pub(crate) fn change_tariff(&mut self) {
        self.tariffs += 1;
        let now = self.time.of_cabinet();
        let days = self.chance.between(0, 1);
        let day = cabinet_domain::kyiv_date(now + SignedDuration::from_hours(24 * days));
        let mut files = reference_files();
        if let Some(tariffs) = files.get_mut("tariffs.csv") {
            tariffs.push_str(&format!("{day},2.5,14.00\n"));
        }
        self.trace
            .note(format!("another commission is loaded, from {day}"));
        let reason = OperatorReason::parse("another commission").expect("a reason");
        let administration = self.services.operator.administration();
        let loading = administration.load_reference(files, &reason, now);
        let loaded = self.executor.run(loading);
        assert!(
            loaded.is_ok(),
            "the changed reference data is without fault"
        );
    }
}
