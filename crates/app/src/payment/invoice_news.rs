//! The acquirer's state of an invoice in the words of the domain.

use cabinet_domain::payment::{CardDetails, InvoiceNews, RefundEnd, RefundNews};
use cabinet_domain::{AttemptId, Money, RefundId};
use cabinet_gateways::acquirer::{
    AcquirerName, HRYVNIA, InvoiceState, InvoiceStatus, PaymentReference, Refund,
};
use jiff::Timestamp;

/// Returns the acquirer's state of an invoice as news. `as_of`: a moment at which the state was still valid.
pub(super) fn news_of(
    acquirer: AcquirerName,
    state: &InvoiceState,
    as_of: Option<Timestamp>,
) -> InvoiceNews {
    let payment = state.payment.as_ref();
    let given_back = state
        .refunds
        .iter()
        .filter(|refund| refund.status == "success")
        .filter_map(|refund| refund.amount);
    let by_refunds = Money::sum(given_back).unwrap_or(state.amount);
    // Which status follows a full refund in several parts is not documented. The acquirer's own list of successful refunds decides.
    // A rest of 0 does not: it is also named before the charge is complete. Of nothing, nothing can be given back.
    let is_given_back = state.status == InvoiceStatus::Success
        && !state.amount.is_zero()
        && by_refunds >= state.amount;
    let status = if is_given_back {
        InvoiceStatus::Reversed
    } else {
        state.status.clone()
    };
    let by_rest = state
        .final_amount
        .and_then(|rest| state.amount.minus(rest).ok())
        .unwrap_or(Money::ZERO);
    InvoiceNews {
        acquirer,
        invoice_id: state.invoice_id.clone(),
        payment_reference: attempt_of_reference(state.payment_reference.as_ref()),
        status,
        amount: state.amount,
        is_hryvnia: state.currency == HRYVNIA,
        refunded: by_refunds.max(by_rest),
        refunds: state.refunds.iter().map(refund_news).collect(),
        modified_at: state.modified_at,
        created_at: state.created_at,
        as_of,
        card: CardDetails {
            masked_pan: payment.and_then(|payment| payment.masked_pan.clone()),
            payment_system: payment.and_then(|payment| payment.payment_system.clone()),
            approval_code: payment.and_then(|payment| payment.approval_code.clone()),
            rrn: payment.and_then(|payment| payment.rrn.clone()),
        },
        // A fee above the charge is in another unit than documented, so it is unknown.
        acquirer_fee: payment
            .and_then(|payment| payment.fee)
            .filter(|fee| *fee <= state.amount),
        failure_code: state
            .failure
            .as_ref()
            .and_then(|failure| failure.code.clone()),
    }
}

fn refund_news(refund: &Refund) -> RefundNews {
    RefundNews {
        refund: refund.refund_reference.as_deref().and_then(RefundId::parse),
        end: RefundEnd::from_wire(&refund.status),
        amount: refund.amount,
    }
}

/// Returns our reference, where the acquirer names one.
pub(crate) fn attempt_of_reference(
    payment_reference: Option<&PaymentReference>,
) -> Option<AttemptId> {
    payment_reference.and_then(|payment_reference| AttemptId::parse(payment_reference.as_str()))
}

#[cfg(test)]
mod tests {
    use cabinet_gateways::acquirer::{InvoiceId, PaymentDetails};

    use super::*;

    fn money(kopiykas: i64) -> Money {
        Money::from_kopiykas(kopiykas).unwrap()
    }

    fn state(refunds: &[(&str, i64)], rest: Option<i64>) -> InvoiceState {
        InvoiceState {
            invoice_id: InvoiceId::parse("i1").unwrap(),
            status: InvoiceStatus::Success,
            amount: money(30_000),
            currency: HRYVNIA,
            final_amount: rest.map(money),
            created_at: None,
            modified_at: None,
            payment_reference: None,
            failure: None,
            payment: None,
            wallet: None,
            refunds: refunds
                .iter()
                .map(|(status, amount)| Refund {
                    status: (*status).to_owned(),
                    amount: Some(money(*amount)),
                    refund_reference: None,
                })
                .collect(),
        }
    }

    #[test]
    fn a_success_with_a_sum_of_nothing_has_given_nothing_back() {
        let state = InvoiceState {
            amount: Money::ZERO,
            ..state(&[], None)
        };
        let news = news_of(AcquirerName::Monobank, &state, None);
        assert_eq!(news.status, InvoiceStatus::Success);
    }

    #[test]
    fn a_payment_whose_refunds_add_up_to_it_is_given_back_also_where_it_is_called_paid() {
        let given_back = [
            state(&[("success", 10_000), ("success", 20_000)], Some(0)),
            state(&[("success", 30_000)], None),
        ];
        for state in given_back {
            let news = news_of(AcquirerName::Monobank, &state, None);
            assert_eq!(
                (news.status, news.refunded),
                (InvoiceStatus::Reversed, money(30_000))
            );
        }
    }

    #[test]
    fn a_fee_above_the_charge_is_unknown() {
        for (fee, kept) in [(390, Some(390)), (30_000, Some(30_000)), (30_001, None)] {
            let mut state = state(&[], None);
            state.payment = Some(PaymentDetails {
                masked_pan: None,
                payment_system: None,
                approval_code: None,
                rrn: None,
                fee: Some(money(fee)),
            });
            let news = news_of(AcquirerName::Monobank, &state, None);
            assert_eq!(news.acquirer_fee, kept.map(money));
        }
    }

    #[test]
    fn refunds_change_no_other_status_than_that_of_a_paid_payment() {
        let mut state = state(&[("success", 30_000)], None);
        state.status = InvoiceStatus::Processing;
        assert_eq!(
            news_of(AcquirerName::Monobank, &state, None).status,
            InvoiceStatus::Processing
        );
    }

    #[test]
    fn a_payment_of_which_something_may_remain_stays_paid() {
        for (state, refunded) in [
            (state(&[], Some(30_000)), 0),
            (state(&[("success", 10_000)], Some(20_000)), 10_000),
            (
                state(&[("success", 10_000), ("processing", 20_000)], None),
                10_000,
            ),
            (
                state(&[("success", 10_000), ("failure", 20_000)], None),
                10_000,
            ),
            // The alarm of a partial refund is opened, since no refund is named.
            (state(&[], Some(0)), 30_000),
        ] {
            let news = news_of(AcquirerName::Monobank, &state, None);
            assert_eq!(
                (news.status, news.refunded),
                (InvoiceStatus::Success, money(refunded))
            );
        }
    }
}
