//! The table of an order's steps, walked in every direction.

use cabinet_domain::{OrderEvent, OrderStatus, Step, TransferStatus, history_name, step};

/// The statuses reached by applying events in order.
fn apply(from: OrderStatus, events: &[OrderEvent]) -> OrderStatus {
    events
        .iter()
        .fold(from, |status, event| match step(status, *event) {
            Step::To(next) => next,
            Step::Stay | Step::Contradiction => status,
        })
}

const REPORTS: [OrderEvent; 5] = [
    OrderEvent::AcquirerWaits,
    OrderEvent::AcquirerPaid,
    OrderEvent::AcquirerFailed,
    OrderEvent::AcquirerExpired,
    OrderEvent::AcquirerRefunded,
];

/// All orders in which these events can come.
fn permutations(events: &[OrderEvent]) -> Vec<Vec<OrderEvent>> {
    if events.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for (index, first) in events.iter().enumerate() {
        let rest: Vec<_> = events
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != index)
            .map(|(_, event)| *event)
            .collect();
        for mut tail in permutations(&rest) {
            tail.insert(0, *first);
            all.push(tail);
        }
    }
    all
}

#[test]
fn reports_end_alike_in_whatever_order_they_come() {
    for chosen in 0..(1_u32 << REPORTS.len()) {
        let reports: Vec<_> = REPORTS
            .iter()
            .enumerate()
            .filter(|(bit, _)| chosen & (1 << bit) != 0)
            .map(|(_, event)| *event)
            .collect();
        for from in OrderStatus::ALL {
            let in_order = apply(from, &reports);
            for permutation in permutations(&reports) {
                assert_eq!(
                    apply(from, &permutation),
                    in_order,
                    "{from:?} {permutation:?}"
                );
                let twice = [permutation.clone(), permutation.clone()].concat();
                assert_eq!(
                    apply(from, &twice),
                    in_order,
                    "twice: {from:?} {permutation:?}"
                );
            }
        }
    }
}

#[test]
fn money_that_came_is_never_forgotten() {
    for event in OrderEvent::ALL {
        let left = matches!(step(OrderStatus::Paid, event), Step::To(status) if status != OrderStatus::Refunded);
        assert!(!left, "{event:?}");
        assert!(
            !matches!(step(OrderStatus::Refunded, event), Step::To(_)),
            "{event:?}"
        );
    }
    for reports in permutations(&REPORTS[..4]) {
        assert_eq!(
            apply(OrderStatus::InProgress, &reports),
            OrderStatus::Paid,
            "{reports:?}"
        );
    }
}

#[test]
fn a_second_payment_is_invited_only_where_none_can_come() {
    for status in OrderStatus::ALL {
        let may = matches!(
            status,
            OrderStatus::Pending | OrderStatus::Failed | OrderStatus::Expired
        );
        assert_eq!(status.can_be_paid_again(), may, "{status:?}");
    }
    let again = [
        OrderEvent::PayAgain,
        OrderEvent::NoAnswer,
        OrderEvent::AcquirerWaits,
    ];
    assert_eq!(
        apply(OrderStatus::Failed, &again[..1]),
        OrderStatus::InProgress
    );
    assert_eq!(
        apply(OrderStatus::Expired, &again[..2]),
        OrderStatus::InProgress
    );
    assert_eq!(apply(OrderStatus::Expired, &again), OrderStatus::Pending);
}

#[test]
fn a_step_never_names_the_status_it_comes_from() {
    for from in OrderStatus::ALL {
        for event in OrderEvent::ALL {
            assert_ne!(step(from, event), Step::To(from), "{from:?} {event:?}");
        }
    }
}

#[test]
fn every_contradiction_and_every_late_payment_has_a_name_of_its_own() {
    for from in OrderStatus::ALL {
        for event in OrderEvent::ALL {
            let name = history_name(from, event);
            let is_contradiction = step(from, event) == Step::Contradiction;
            assert_eq!(
                name.starts_with("contradiction_"),
                is_contradiction,
                "{from:?} {event:?}"
            );
            let is_late = event == OrderEvent::AcquirerPaid
                && matches!(from, OrderStatus::Failed | OrderStatus::Expired);
            assert_eq!(name == "late_payment", is_late, "{from:?} {event:?}");
        }
    }
}

#[test]
fn names_read_back() {
    for status in OrderStatus::ALL {
        assert_eq!(OrderStatus::parse(status.as_str()), Some(status));
    }
    for status in TransferStatus::ALL {
        assert_eq!(TransferStatus::parse(status.as_str()), Some(status));
    }
    assert_eq!(OrderStatus::parse("Paid"), None);
    assert_eq!(TransferStatus::parse(""), None);
}

#[test]
fn a_transfer_goes_forward_or_comes_back() {
    let steps: Vec<_> = TransferStatus::ALL
        .into_iter()
        .flat_map(|from| TransferStatus::ALL.map(|to| (from, to)))
        .filter(|(from, to)| from.may_become(*to))
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    let expected = [
        ("planned", "sent"),
        ("planned", "returned"),
        ("sent", "credited"),
        ("sent", "returned"),
        ("credited", "returned"),
        ("returned", "planned"),
    ];
    assert_eq!(steps, expected);
}
