//! The statuses of orders and transfers, and the steps between them.

use cabinet_domain::{OrderStatus, TransferStatus};

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
    ];
    assert_eq!(steps, expected);
}
