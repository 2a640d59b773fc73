//! What names a person, an account or a card stays out of debug output, and so out of logs.

use cabinet_domain::{
    ActualPayer, Iban, Inn, Line, Okpo, Payee, PersonName, Phone, Purpose, TruncatedPan,
};

#[test]
fn debug_output_names_nobody() {
    let payee = Payee {
        name: Line::parse("Шевченко Олена Іванівна", 140).unwrap(),
        iban: Iban::parse("UA223052990000026001234567890").unwrap(),
        okpo: Okpo::parse("3068208400").unwrap(),
        purpose: Line::parse("101 Адмінзбір, КС123456, 3068208400", 160).unwrap(),
    };
    let actual_payer = ActualPayer {
        inn: Inn::parse("КС123456").unwrap(),
        name: PersonName::parse("Шевченко Олена Іванівна").unwrap(),
    };
    let shown = format!(
        "{payee:?} {actual_payer:?} {:?} {:?} {:?} {:?}",
        Inn::read("KC123456"),
        Phone::parse("+380501112233"),
        Purpose::parse("101 Адмінзбір, Шевченко, 3068208400"),
        TruncatedPan::parse_profile("4242424242424242"),
    );
    for secret in [
        "Шевченко",
        "Олена",
        "3068208400",
        "123456",
        "26001234567890",
        "501112233",
        "424242",
        "КС",
        "збір",
    ] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}
