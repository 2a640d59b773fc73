//! Maps the acquirers' failure codes to what a payer can do about them (monobank: service documentation, payment error codes; LiqPay:
//! documentation, "errors"). No code means one thing at one acquirer and another at the other.

use crate::Key;

/// Returns the key that tells the payer why a card was declined.
#[must_use]
pub fn decline_key(code: Option<&str>) -> Key {
    let Some(code) = code else {
        return Key::PaymentDeclined;
    };
    match code {
        // LiqPay's words.
        "limit" | "err_limit_amount" | "amount_limit" => return Key::PaymentLimitExceeded,
        "expired_prepared" | "expired_sender" => return Key::PaymentExpired,
        _ if code.starts_with("expired_") => return Key::PaymentNotConfirmed,
        "err_mpi" => return Key::PaymentNotConfirmed,
        "err_card" | "err_card_bin" | "err_card_type" => return Key::PaymentCardUnusable,
        "err_cache" | "err_terminal_notfound" | "err_payment_create" => {
            return Key::AcquirerUnavailable;
        }
        _ => {}
    }
    match code.parse::<u32>() {
        Ok(59 | 9859) => Key::PaymentInsufficientFunds,
        // Lost, blocked, expired or restricted cards, and wrong card data.
        Ok(
            6
            | 40
            | 41
            | 50..=52
            | 56..=58
            | 71
            | 72
            | 75
            | 80
            | 81
            | 1056
            | 1064
            | 1080
            | 1194
            | 1200
            | 1419
            // LiqPay: the card has no 3-D Secure.
            | 5,
        ) => Key::PaymentCardUnusable,
        Ok(60..=63 | 83 | 1405 | 1407 | 1077 | 1145) => Key::PaymentLimitExceeded,
        Ok(84 | 1034 | 1035 | 1045 | 1054 | 1421 | 1422 | 1425 | 1429 | 1458 | 8002 | 8004) => {
            Key::PaymentNotConfirmed
        }
        Ok(8001) => Key::PaymentExpired,
        // The acquirer's own faults: another try may succeed.
        Ok(
            54 | 67 | 68 | 73 | 74 | 98 | 1000 | 1005 | 1010 | 1036 | 1044 | 1053 | 1066 | 1115
            | 1121 | 1420 | 8003 | 8005 | 8006,
        ) => Key::AcquirerUnavailable,
        _ => Key::PaymentDeclined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_payer_is_told_what_to_do() {
        for (code, key) in [
            (Some("59"), Key::PaymentInsufficientFunds),
            (Some("1419"), Key::PaymentCardUnusable),
            (Some("61"), Key::PaymentLimitExceeded),
            (Some("8004"), Key::PaymentNotConfirmed),
            (Some("54"), Key::AcquirerUnavailable),
            (Some("9859"), Key::PaymentInsufficientFunds),
            (Some("limit"), Key::PaymentLimitExceeded),
            (Some("expired_3ds"), Key::PaymentNotConfirmed),
            (Some("expired_prepared"), Key::PaymentExpired),
            (Some("55"), Key::PaymentDeclined),
            (Some("a new one"), Key::PaymentDeclined),
            (None, Key::PaymentDeclined),
        ] {
            assert_eq!(decline_key(code), key, "{code:?}");
        }
    }
}
