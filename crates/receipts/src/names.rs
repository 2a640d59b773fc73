//! File names of receipts (specification, point 9). They contain no path and are the same for the same receipt. Those of single files
//! are ASCII. Inside an archive a person tells them apart by number, client and payment.

use cabinet_domain::{ItemId, Locale, OrderId};

use crate::order::{ReceiptItem, ReceiptOrder, Selection};
use crate::wording::{Wording, receipt_kind_name};

/// Longest file name in an archive, in characters.
const NAME_CHARS_MAX: usize = 120;

/// Longest part of a client's name in a file name, in characters.
const CLIENT_CHARS_MAX: usize = 40;

/// Which of the two documents a receipt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReceiptKind {
    /// What was paid to the recipients.
    Payment,
    /// The commission of the service.
    Commission,
}

impl ReceiptKind {
    /// Both, the payment first.
    pub const ALL: [ReceiptKind; 2] = [ReceiptKind::Payment, ReceiptKind::Commission];

    /// Returns the name in requests (`receipt_type`) and in file names.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ReceiptKind::Payment => "payment",
            ReceiptKind::Commission => "commission",
        }
    }

    /// Reads a `receipt_type`.
    #[must_use]
    pub fn parse(text: &str) -> Option<ReceiptKind> {
        ReceiptKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

impl Selection {
    /// Returns the id of the order or item.
    pub(crate) fn id_in(self, order: &ReceiptOrder) -> String {
        match self {
            Selection::Order => order.id.to_string(),
            Selection::Item(item) => item.to_string(),
        }
    }
}

/// Returns `Receipt-payment-{id}.pdf` or `Receipt-commission-{id}.pdf`.
#[must_use]
pub fn item_receipt_name(item: ItemId, kind: ReceiptKind) -> String {
    format!("Receipt-{}-{item}.pdf", kind.as_str())
}

/// Returns `Receipt-{orderId}-payment.pdf` or `Receipt-{orderId}-commission.pdf`.
#[must_use]
pub fn order_receipt_name(order: OrderId, kind: ReceiptKind) -> String {
    format!("Receipt-{order}-{}.pdf", kind.as_str())
}

/// Returns `Receipts-{orderId}.zip`, the name of the archive of all receipts of an order.
#[must_use]
pub fn archive_name(order: OrderId) -> String {
    format!("Receipts-{order}.zip")
}

/// Returns the name of an item's receipt inside the archive: `100027 Мельник – Адміністративний збір.pdf`.
#[must_use]
pub fn archived_item_name(order: &ReceiptOrder, item: &ReceiptItem, locale: Locale) -> String {
    archived(order, item, receipt_kind_name(item.kind, locale))
}

/// Returns the name of the commission's receipt inside the archive: `100027 Мельник – Комісія сервісу.pdf`.
#[must_use]
pub fn archived_commission_name(order: &ReceiptOrder, locale: Locale) -> String {
    let what = Wording::of(locale).service_commission;
    order.items.first().map_or_else(
        || format!("{} – {what}.pdf", order.number),
        |item| archived(order, item, what),
    )
}

fn archived(order: &ReceiptOrder, item: &ReceiptItem, what: &str) -> String {
    // Of a person the surname, of an entity as much of its name as a file name takes.
    let is_entity =
        item.client_code.len() == 8 && item.client_code.bytes().all(|byte| byte.is_ascii_digit());
    let name = if is_entity {
        item.client_name.as_str()
    } else {
        item.client_name
            .split_whitespace()
            .next()
            .unwrap_or_default()
    };
    let name: String = name.chars().take(CLIENT_CHARS_MAX).collect();
    let name = name.trim();
    let separator = if name.is_empty() { "" } else { " " };
    format!("{}{separator}{name} – {what}.pdf", order.number)
}

/// Turns any text into a safe file name of 1 to 120 characters. Separators, control characters and characters that Windows
/// forbids become `_`. Dots and spaces at both ends are removed, so that `..` is impossible. Names of Windows devices get a `_`.
#[must_use]
pub fn safe_file_name(text: &str) -> String {
    let cleaned: String = text
        .chars()
        .map(|letter| match letter {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            hidden if hidden.is_control() || is_direction_mark(hidden) => '_',
            other => other,
        })
        .collect();
    let trimmed = cleaned.trim_matches([' ', '.', '\u{a0}']);
    let (stem, extension) = match trimmed.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.chars().count() <= 8 => {
            (stem, Some(extension))
        }
        _ => (trimmed, None),
    };
    let mut name: String = stem.chars().take(NAME_CHARS_MAX - 10).collect();
    if name.is_empty() || is_device(&name) {
        name.push('_');
    }
    if let Some(extension) = extension {
        name.push('.');
        name.push_str(extension);
    }
    name
}

/// Returns whether a character is invisible and could make a name look like another one.
fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Returns whether Windows reserves the name for a device, with any extension.
fn is_device(stem: &str) -> bool {
    let first = stem
        .split('.')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_uppercase();
    let numbered = first
        .strip_prefix("COM")
        .or_else(|| first.strip_prefix("LPT"));
    matches!(first.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || numbered.is_some_and(|number| {
            number.chars().count() == 1 && !number.starts_with(char::is_alphabetic)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn names_are_those_of_the_specification() {
        let item = ItemId::new(Uuid::from_u128(1));
        let order = OrderId::new(Uuid::from_u128(2));
        let names = [
            item_receipt_name(item, ReceiptKind::Payment),
            item_receipt_name(item, ReceiptKind::Commission),
            order_receipt_name(order, ReceiptKind::Payment),
            order_receipt_name(order, ReceiptKind::Commission),
            archive_name(order),
        ];
        assert_eq!(
            names,
            [
                "Receipt-payment-00000000-0000-0000-0000-000000000001.pdf",
                "Receipt-commission-00000000-0000-0000-0000-000000000001.pdf",
                "Receipt-00000000-0000-0000-0000-000000000002-payment.pdf",
                "Receipt-00000000-0000-0000-0000-000000000002-commission.pdf",
                "Receipts-00000000-0000-0000-0000-000000000002.zip",
            ]
        );
        assert!(names.iter().all(|name| safe_file_name(name) == *name));
    }

    #[test]
    fn kinds_are_read_by_their_own_names_only() {
        for kind in ReceiptKind::ALL {
            assert_eq!(ReceiptKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(ReceiptKind::parse("Payment"), None);
    }

    #[test]
    fn hostile_names_become_harmless() {
        for (text, name) in [
            ("../../etc/passwd", "_.._etc_passwd"),
            ("..\\..\\evil.exe", "_.._evil.exe"),
            ("/absolute.pdf", "_absolute.pdf"),
            ("C:\\x.pdf", "C__x.pdf"),
            ("a\0b\n.pdf", "a_b_.pdf"),
            ("квитанція.pdf", "квитанція.pdf"),
            ("\u{202E}fdp.exe", "_fdp.exe"),
            ("CON.pdf", "CON_.pdf"),
            ("com1", "com1_"),
            ("", "_"),
            ("...", "_"),
            (" . ", "_"),
        ] {
            assert_eq!(safe_file_name(text), name, "{text:?}");
        }
        assert!(safe_file_name(&"щ".repeat(5_000)).chars().count() <= NAME_CHARS_MAX);
    }
}
