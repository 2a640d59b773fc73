//! The acquirer's reports: which of them are sent, and when they arrive.

use cabinet_domain::payment::AcquirerName;
use cabinet_sandbox::ReportService;

use crate::action::{Action, Outcome, ReportDelivery};
use crate::history::History;

impl History<'_> {
    /// Takes the acquirer's new reports. Some are lost, and some are sent twice.
    pub(crate) fn collect_reports(&mut self) {
        for report in self.acquirer.take_reports() {
            if self.chance.percent(self.weather.reports_lost) {
                continue;
            }
            let delivery = ReportDelivery::new(report);
            if self.chance.percent(self.weather.reports_doubled) {
                self.deliveries.push(delivery.clone());
            }
            self.deliveries.push(delivery);
        }
    }

    /// Delivers a report, mostly the oldest.
    pub(crate) fn deliver_a_report(&mut self) {
        let position = if self.chance.percent(70) {
            0
        } else {
            self.chance.below(self.deliveries.len())
        };
        let delivery = self.deliveries.remove(position);
        self.deliver(delivery);
    }

    /// Delivers a report to the cabinet.
    pub(crate) fn deliver(&mut self, delivery: ReportDelivery) {
        let (services, report) = (self.services.clone(), delivery.report.clone());
        self.start(Action::Report(delivery), async move {
            let (acquirer, signature) = match report.service {
                ReportService::Monobank => (AcquirerName::Monobank, Some(report.signature)),
                // It stands in the body.
                ReportService::LiqPay => (AcquirerName::LiqPay, None),
            };
            let taken = services
                .payments
                .receive_report(acquirer, signature, report.body)
                .await;
            taken.map(Outcome::Report)
        });
    }
}
