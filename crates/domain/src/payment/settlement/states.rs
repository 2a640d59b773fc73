//! The state of an invoice, or its absence.

use super::{Search, Work};
use crate::payment::absence::{BETWEEN_READINGS, NO_TRACE};
use crate::payment::case::find_attempt;
use crate::payment::facts::{conclude, doubt, end, join, stray_of};
use crate::payment::schedule::next_check;
use crate::payment::{
    AlarmKind, Attempt, AttemptKind, AttemptState, Clocks, Evidence, Expected, InvoiceNews,
    InvoiceStatus, Missing, NewAttempt, Told,
};
use crate::{AttemptId, Money, OrderStatus};
use jiff::Timestamp;

impl Work<'_> {
    pub(super) fn take_state(&mut self, news: &InvoiceNews, fresh: AttemptId) -> Option<bool> {
        let now = self.now;
        let id = match find_attempt(
            &self.case,
            news.acquirer,
            &news.invoice_id,
            news.payment_reference,
        ) {
            Some(attempt) => attempt.id,
            None => self.adopt(news, fresh)?,
        };
        let is_taken = matches!(
            news.status,
            InvoiceStatus::Success | InvoiceStatus::Reversed
        );
        // Where refunds have no names, one that was told of is done.
        let lists = news.acquirer.lists_refunds();
        let unmade = self.case.refunds.iter();
        let unmade = unmade.filter(|refund| lists && refund.attempt_id == id && !refund.is_done());
        let unmade = Money::sum(unmade.map(|refund| refund.amount)).unwrap_or(Money::MAX);
        let attempt = self.attempt(id)?;
        let differs = news.amount != attempt.amount || !news.is_hryvnia;
        if is_taken && differs {
            let is_newer = doubt(attempt, news, now);
            let alarm = match news.status {
                // Whether the recipients' money is still there is not known.
                InvoiceStatus::Reversed if attempt.has_standing_charge() => {
                    Some(AlarmKind::PaymentContradicted)
                }
                // The money has been given back, so the attempt is over.
                InvoiceStatus::Reversed => None,
                _ => Some(AlarmKind::AmountDiffers),
            };
            if is_newer {
                self.alarms.extend(alarm.map(|kind| (kind, id)));
            }
            self.is_contradicted = true;
            return Some(is_newer);
        }
        let was_charged = attempt.charged_at.is_some();
        let joined = join(attempt, news, unmade, now);
        let is_stray_charge = attempt.is_stray && !was_charged && attempt.charged_at.is_some();
        if joined.contradicts_charge {
            self.alarms.push((AlarmKind::PaymentContradicted, id));
        }
        if joined.contradicts_refund {
            self.alarms.push((AlarmKind::RefundContradicted, id));
        }
        self.is_contradicted = joined.contradicts_charge || joined.contradicts_refund;
        if is_stray_charge {
            self.alarms.push((AlarmKind::StrayInvoicePaid, id));
        }
        let attempt = self.attempt(id)?;
        let at = Clocks {
            ours: now,
            theirs: news.as_of,
        };
        conclude(attempt, at);
        self.call_about_open_end(id, news.as_of.unwrap_or(now));
        let is_refund_new = self.take_refund_states(id, news);
        if news.status == InvoiceStatus::Success && self.is_given_back_unasked(id, news) {
            self.alarms.push((AlarmKind::RefundedInPart, id));
        }
        self.detail = Some(news.status.as_str().to_owned());
        Some(joined.is_new || is_refund_new)
    }

    /// Adopts an invoice that the cabinet did not know. It has one of the order's references, or one that encodes the
    /// order and was lost by a restored copy of the database. In the latter case it must be a page: a saved card is
    /// charged by an order's first attempt, which is stored with the order.
    fn adopt(&mut self, news: &InvoiceNews, id: AttemptId) -> Option<AttemptId> {
        let payment_reference = news.payment_reference?;
        let order = &self.case.order;
        let forgotten = || NewAttempt {
            id: payment_reference,
            order_id: order.id,
            acquirer: news.acquirer,
            kind: AttemptKind::Invoice,
            amount: order.sum,
            created_at: self.now,
        };
        let of_order = &self.case.attempts;
        let mut stray = match of_order
            .iter()
            .find(|attempt| attempt.payment_reference == payment_reference)
        {
            Some(known) => stray_of(known, id, news.invoice_id.clone(), self.now),
            None if payment_reference.names(order.id) => {
                let known = forgotten().prepared();
                stray_of(&known, id, news.invoice_id.clone(), self.now)
            }
            None => return None,
        };
        if stray.acquirer != news.acquirer {
            stray.acquirer = news.acquirer;
            stray.kind = AttemptKind::Invoice;
        }
        self.case.attempts.push(stray);
        Some(id)
    }

    /// Handles an invoice that the acquirer does not know. `as_of` is the acquirer's time of the answer, if known.
    pub(super) fn take_absence(&mut self, id: AttemptId, as_of: Option<Timestamp>) -> Option<bool> {
        let at = self.clocks(as_of);
        let has_money = self.case.order.status.has_money();
        let attempt = self.in_state(id, &[AttemptState::Accepted])?;
        let is_page = attempt.kind == AttemptKind::Invoice;
        if is_page && attempt.told.is_none() && !attempt.acquirer.keeps_unpaid_invoices() {
            return Some(self.take_untouched_page(id, at));
        }
        let evidence = attempt.lacks(Missing::Invoice, at, attempt.invoice_expected());
        let pause = evidence.pause(next_check(attempt.checks));
        let is_proof = evidence.is_proof() && attempt.charged_at.is_none();
        // An order that has money gets no page after this one, so a payment that is told of it later charges nothing twice. One that took another
        // sum is asked about until that has gone back.
        let took_money = is_told(attempt, &[InvoiceStatus::Success]);
        let is_over = is_page && is_proof && !took_money && (has_money || !is_being_paid(attempt));
        if is_over {
            end(attempt, OrderStatus::Expired);
            self.detail = Some("not_found".to_owned());
        } else if is_proof && !is_page {
            // The statement tells whether it was charged.
            attempt.state = AttemptState::Submitted;
            attempt.last_error = Some("not_found".to_owned());
            attempt.next_check_at = Some(at.ours);
            self.alarms.push((AlarmKind::InvoiceNotFound, id));
        } else {
            attempt.next_check_at = Some(at.ours + pause);
            self.alarms.push((AlarmKind::InvoiceNotFound, id));
        }
        Some(is_over)
    }

    /// Handles a page of an acquirer that knows a page only after somebody has begun to pay there. It does not know this one, so nobody has.
    /// Returns whether the time of the page is over, after which nobody can begin any more.
    fn take_untouched_page(&mut self, id: AttemptId, at: Clocks) -> bool {
        let delays = self.delays;
        let Some(attempt) = self.attempt(id) else {
            return false;
        };
        let expected = Expected {
            since: attempt.page_end(),
            within: delays.until(attempt.acquirer, Missing::Invoice),
        };
        let evidence = attempt.lacks(Missing::Invoice, at, expected);
        attempt.last_error = None;
        if evidence.is_proof() {
            attempt.told = Some(Told {
                status: InvoiceStatus::Expired,
                modified_at: attempt.page_ends_at(),
            });
            end(attempt, OrderStatus::Expired);
            self.detail = Some("expired".to_owned());
        } else {
            let pause = evidence.pause(next_check(attempt.checks));
            attempt.next_check_at = Some(at.ours + pause);
        }
        evidence.is_proof()
    }

    /// Handles a statement without the charge. A charge of a saved card is given up once it must have appeared there. An invoice whose
    /// answer was lost may be requested again, because its page was shown to nobody; one that may have been shown is over once a payment
    /// on it must have appeared.
    pub(super) fn take_search(&mut self, id: AttemptId, search: Search) -> Option<bool> {
        let (at, delays) = (self.clocks(search.as_of), self.delays);
        let is_latest = self.case.latest().is_some_and(|latest| latest.id == id);
        let is_needless = self.case.order.status.has_money() || !is_latest;
        let attempt = self.in_state(id, &[AttemptState::Submitted])?;
        let may_have_been_shown = attempt.may_have_been_shown();
        if attempt.kind == AttemptKind::Invoice && is_needless && !may_have_been_shown {
            end(attempt, OrderStatus::Expired);
            return Some(true);
        }
        let expected = attempt.charge_expected(delays);
        let evidence = attempt.lacks(Missing::Charge, at, expected);
        if attempt.kind == AttemptKind::CardToken && evidence.is_proof() {
            attempt.state = AttemptState::Refused;
            attempt.failure_code = Some(NO_TRACE.to_owned());
            attempt.answered_at = Some(at.ours);
            attempt.next_check_at = None;
            self.detail = Some(NO_TRACE.to_owned());
        } else if may_have_been_shown && evidence.is_proof() {
            end(attempt, OrderStatus::Expired);
            self.detail = Some(NO_TRACE.to_owned());
        } else {
            let next = at.ours + evidence.pause(next_check(attempt.checks));
            // People are told when it is known, so the first of the two readings that prove it is not late.
            let due = expected.proved_at(attempt.is_clock_in_doubt()) - BETWEEN_READINGS;
            let is_next = evidence == Evidence::TooEarly && (at.ours..next).contains(&due);
            attempt.next_check_at = Some(if is_next { due } else { next });
        }
        Some(true)
    }

    /// Returns this moment by both clocks.
    pub(super) const fn clocks(&self, as_of: Option<Timestamp>) -> Clocks {
        Clocks {
            ours: self.now,
            theirs: as_of,
        }
    }
}

/// Returns whether the acquirer told of a payment on the page that has not failed.
fn is_being_paid(attempt: &Attempt) -> bool {
    use InvoiceStatus::{Hold, Processing, Success};
    is_told(attempt, &[Processing, Hold, Success])
}

fn is_told(attempt: &Attempt, statuses: &[InvoiceStatus]) -> bool {
    let told = attempt.told.as_ref();
    told.is_some_and(|told| statuses.contains(&told.status))
}
