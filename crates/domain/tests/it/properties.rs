//! Rules that hold for every value, tried on many.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use cabinet_domain::{
    ActualPayer, BudgetCode, CertificateNumber, Count, Email, Iban, Inn, Line, Locale, MaskedPan,
    Money, Okpo, PartRole, Payee, PaymentKind, Percent, PersonName, Phone, Price, Purpose,
    RegistryIdentifier, Tariff, TransferParties, TruncatedPan, luhn_fits, names_payment_card,
    plan_item_transfers, price,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Amounts up to 100,000 UAH: five items of 999 units and their commissions stay within the largest sum.
fn amount() -> impl Strategy<Value = Money> {
    prop_oneof![1..=200_000_i64, 1..=10_000_000_i64]
        .prop_map(|kopiykas| Money::from_kopiykas(kopiykas).unwrap())
}

fn kind() -> impl Strategy<Value = PaymentKind> {
    select(PaymentKind::ALL.to_vec())
}

/// Both published tariffs and others around them.
fn tariff() -> impl Strategy<Value = Tariff> {
    prop_oneof![
        Just((150, 500)),
        Just((150, 1000)),
        (0..=1000_i64, 0..=5000_i64),
    ]
    .prop_map(|(basis_points, minimum)| Tariff {
        valid_from: None,
        basis_points,
        minimum: Money::from_kopiykas(minimum).unwrap(),
    })
}

fn count() -> impl Strategy<Value = Count> {
    (1..=999_i64).prop_map(|units| Count::new(units).unwrap())
}

/// The account number with right check digits for a bank and an account.
fn iban_of(bank_and_account: &str) -> String {
    let value = format!("{bank_and_account}301000")
        .bytes()
        .fold(0, |remainder, digit| {
            (remainder * 10 + u32::from(digit - b'0')) % 97
        });
    format!("UA{:02}{bank_and_account}", 98 - value)
}

fn payee(iban: &str) -> Payee {
    Payee {
        name: Line::parse("ГУК у м.Києві/Тестовий р-н/22012600", 140).unwrap(),
        iban: Iban::parse(iban).unwrap(),
        okpo: Okpo::parse("37993783").unwrap(),
        purpose: Line::parse("101 Адмінзбір 3068208400", 160).unwrap(),
    }
}

fn parties() -> TransferParties {
    TransferParties {
        recipient: payee("UA728999980334100000000026001"),
        notary: Some(payee("UA223052990000026001234567890")),
        actual_payer: ActualPayer {
            inn: Inn::parse("3068208400").unwrap(),
            name: PersonName::parse("Шевченко Олена Іванівна").unwrap(),
        },
    }
}

fn part(kind: PaymentKind, price: &Price, role: PartRole) -> Option<Money> {
    price
        .parts(kind)
        .unwrap()
        .iter()
        .find(|part| part.role == role)
        .map(|part| part.amount)
}

/// Texts as people type them into the fields of all types.
fn typed_text() -> impl Strategy<Value = String> {
    let iban = "[0-9]{25}".prop_map(|account| iban_of(&account));
    prop_oneof![
        "\\PC{0,30}",
        "[ \u{a0}]?[A-Za-zА-Яа-яЇїҐґ’_ ]{1,20}[ \t]?",
        "[a-zа-я.]{1,8}@[a-zа-я]{1,8}\\.[a-z]{2,3}",
        "[A-ZА-Я0-9_]{4,15}",
        "[ -]?[0-9]{1,10} ?",
        "\\+?38 ?\\(?0[0-9]{2}\\)? ?[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{2}",
        "[A-ZА-Яa-zа-яіїє]{2} ?[0-9]{6}",
        "[0-9]{4} ?[0-9]{2}[*Xх•]{2} ?[*Xх•]{4} ?[0-9]{4}",
        "[0-9]{1,8}\\*{1,8}[0-9]{0,4}",
        iban.clone(),
        iban.prop_map(|iban| iban.to_lowercase().replace('0', "0 ")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_price_adds_up(kind in kind(), amount in amount(), tariff in tariff()) {
        let price = price(kind, amount, &tariff).unwrap();
        prop_assert_eq!(price.amount, amount);
        let parts = price.parts(kind).unwrap();
        prop_assert_eq!(Money::sum(parts.iter().map(|part| part.amount)), Ok(amount));
        prop_assert_eq!(Money::sum(parts.iter().map(|part| part.commission)), Ok(price.commission));
        prop_assert_eq!(amount.plus(price.commission), Ok(price.sum));
        for part in &parts {
            prop_assert!(part.commission >= tariff.minimum);
        }
    }

    #[test]
    fn a_commission_is_within_half_a_kopiyka_of_its_rate(kind in kind(), amount in amount(), rate in 0..=1000_i64) {
        let tariff = Tariff { valid_from: None, basis_points: rate, minimum: Money::ZERO };
        for part in price(kind, amount, &tariff).unwrap().parts(kind).unwrap() {
            let error = part.commission.kopiykas() * 10_000 - part.amount.kopiykas() * rate;
            prop_assert!((-5_000..=5_000).contains(&error), "half goes up: {error}");
            prop_assert_ne!(error, -5_000, "half goes up");
        }
    }

    #[test]
    fn a_larger_amount_never_costs_less(kind in kind(), amount in amount(), more in 1..=10_000_i64, tariff in tariff()) {
        let larger = amount.plus(Money::from_kopiykas(more).unwrap()).unwrap();
        let (small, large) = (price(kind, amount, &tariff).unwrap(), price(kind, larger, &tariff).unwrap());
        prop_assert!(small.commission <= large.commission);
        prop_assert!(small.sum < large.sum);
        for role in [PartRole::Notary, PartRole::Recipient] {
            prop_assert!(part(kind, &small, role) <= part(kind, &large, role));
        }
    }

    #[test]
    fn sixty_percent_is_within_half_a_kopiyka(amount in amount(), tariff in tariff()) {
        let price = price(PaymentKind::AdminPayment, amount, &tariff).unwrap();
        let notary = part(PaymentKind::AdminPayment, &price, PartRole::Notary).unwrap().kopiykas();
        let error = notary * 100 - amount.kopiykas() * 60;
        prop_assert!(error > -50 && error <= 50);
    }

    #[test]
    fn transfers_and_commissions_are_the_charge(
        items in vec((kind(), amount(), tariff(), count()), 1..6),
    ) {
        let parties = parties();
        let mut charged = Money::ZERO;
        let mut accounted = Money::ZERO;
        for (kind, amount, tariff, count) in items {
            let price = price(kind, amount, &tariff).unwrap();
            charged = charged.plus(price.total(count).unwrap()).unwrap();
            let transfers = plan_item_transfers(&parties, &price.parts(kind).unwrap(), count).unwrap();
            for transfer in &transfers {
                prop_assert!(!transfer.amount.is_zero());
                let expected = match transfer.role {
                    PartRole::Notary => parties.notary.as_ref().unwrap(),
                    PartRole::Recipient => &parties.recipient,
                };
                prop_assert_eq!(&transfer.payee, expected);
                prop_assert_eq!(&transfer.actual_payer, &parties.actual_payer);
            }
            let sent = Money::sum(transfers.iter().map(|transfer| transfer.amount)).unwrap();
            let commissions = price.commission.times(count).unwrap();
            accounted = accounted.plus(sent).unwrap().plus(commissions).unwrap();
        }
        prop_assert_eq!(accounted, charged);
    }

    #[test]
    fn shares_add_up(kopiykas in 0..=Money::MAX.kopiykas(), percent in 0..=100_u8) {
        let sum = Money::from_kopiykas(kopiykas).unwrap();
        let (first, rest) = sum.share(Percent::new(percent).unwrap());
        prop_assert_eq!(first.plus(rest), Ok(sum));
        prop_assert!(first <= sum);
    }

    #[test]
    fn sums_read_back_from_their_decimals(kopiykas in 0..=Money::MAX.kopiykas()) {
        let sum = Money::from_kopiykas(kopiykas).unwrap();
        prop_assert_eq!(Money::parse_decimal(&sum.decimal()), Ok(sum));
        let without_zeros = sum.decimal().trim_end_matches('0').trim_end_matches('.').to_owned();
        if !without_zeros.is_empty() {
            prop_assert_eq!(Money::parse_decimal(&without_zeros), Ok(sum));
        }
        let shown = sum.display(Locale::Uk).replace('\u{a0}', "").replace(',', ".");
        prop_assert_eq!(shown, sum.decimal());
        prop_assert_eq!(sum.display(Locale::En).replace(',', ""), sum.decimal());
    }

    #[test]
    fn any_text_is_a_sum_or_a_refusal(text in "[-+0-9., eE]{0,14}") {
        if let Ok(sum) = Money::parse_decimal(&text) {
            prop_assert!(sum <= Money::MAX);
            prop_assert!(text.split('.').nth(1).is_none_or(|fraction| fraction.len() <= 2));
        }
    }

    #[test]
    fn one_wrong_digit_of_an_account_is_noticed(digits in "[0-9]{25}", at in 2..29_usize, other in 1..=9_u8) {
        let good = iban_of(&digits);
        prop_assert!(Iban::parse(&good).is_ok());
        let mut wrong = good.into_bytes();
        wrong[at] = b'0' + (wrong[at] - b'0' + other) % 10;
        prop_assert!(Iban::parse(std::str::from_utf8(&wrong).unwrap()).is_err());
    }

    #[test]
    fn two_swapped_neighbours_of_an_account_are_noticed(digits in "[0-9]{25}", at in 2..28_usize) {
        let good = iban_of(&digits);
        let mut swapped = good.clone().into_bytes();
        swapped.swap(at, at + 1);
        let swapped = String::from_utf8(swapped).unwrap();
        // Modulo 97 a swap changes the remainder by 9 times the difference times a power of ten: never by nothing.
        prop_assert_eq!(Iban::parse(&swapped).is_ok(), swapped == good);
    }

    #[test]
    fn spaces_never_change_an_account(
        digits in "[0-9]{25}",
        gaps in vec(select(vec!["", " ", "\u{a0}", "\u{200b}\t"]), 29),
    ) {
        let good = iban_of(&digits);
        let spaced: String = good.chars().zip(gaps).map(|(character, gap)| format!("{gap}{character}")).collect();
        let iban = Iban::parse(&spaced).unwrap();
        prop_assert_eq!(iban.as_str(), &good);
        prop_assert_eq!(Iban::parse(&iban.grouped()), Ok(iban));
    }

    #[test]
    fn what_was_read_reads_back(text in "\\PC{0,20}") {
        if let Ok(inn) = Inn::parse(&text) {
            prop_assert_eq!(Inn::parse(inn.as_str()), Ok(inn));
        }
        if let Ok(phone) = Phone::parse(&text) {
            prop_assert_eq!(Phone::parse(phone.as_str()), Ok(phone));
        }
        if let Ok(line) = Line::parse(&text, 20) {
            prop_assert_eq!(Line::parse(line.as_str(), 20), Ok(line));
        }
        if let Ok(name) = PersonName::parse(&text) {
            prop_assert_eq!(PersonName::parse(name.as_str()), Ok(name));
        }
        if let Ok(purpose) = Purpose::parse(&text) {
            prop_assert_eq!(Purpose::parse(purpose.as_str()), Ok(purpose));
        }
    }

    #[test]
    fn every_way_to_write_a_number_is_the_same_number(digits in "[0-9]{9}") {
        let stored = Phone::parse(&format!("+380{digits}")).unwrap();
        let (operator, rest) = digits.split_at(2);
        let (three, four) = rest.split_at(3);
        let (two, last) = four.split_at(2);
        for text in [
            format!("380{digits}"),
            format!("0{digits}"),
            format!("+38 (0{operator}) {three}-{two}-{last}"),
            format!("0{operator} {three} {two} {last}"),
        ] {
            prop_assert_eq!(Phone::parse(&text), Ok(stored.clone()));
        }
        // The operator and the last two digits are all that is shown of it.
        prop_assert_eq!(stored.masked(), format!("+38 (0{operator}) ***-**-{last}"));
    }

    #[test]
    fn no_card_type_ever_shows_more_than_ten_digits(text in "[0-9*xX •-]{10,24}") {
        for card in [TruncatedPan::parse_profile(&text), TruncatedPan::parse_mask(&text)].into_iter().flatten() {
            prop_assert_eq!(card.as_str().bytes().filter(u8::is_ascii_digit).count(), 10);
            prop_assert!(!names_payment_card(card.as_str()));
        }
    }

    #[test]
    fn a_card_number_is_seen_and_truncated(digits in "[24569][0-9]{14}") {
        let number = (0..10).map(|last| format!("{digits}{last}")).find(|number| luhn_fits(number)).unwrap();
        let card = TruncatedPan::parse_profile(&number).unwrap();
        prop_assert_eq!(card.as_str(), format!("{}******{}", &number[..6], &number[12..]));
        let in_text = format!("карта {number}");
        prop_assert!(names_payment_card(&in_text));
        prop_assert!(TruncatedPan::parse_mask(&number).is_err());
    }

    /// Storage reads what was written with the parser of the type: it must give the same value again.
    #[test]
    fn what_was_read_once_is_read_again(text in typed_text()) {
        macro_rules! reads_again {
            ($($name:ident: $parse:expr;)+) => {$(
                if let Some(read) = $parse(&text) {
                    let again = $parse(read.as_str());
                    prop_assert_eq!(again.as_ref(), Some(&read), "{}", stringify!($name));
                    let again = again.as_ref().map(|again| again.as_str());
                    prop_assert_eq!(again, Some(read.as_str()), "{}", stringify!($name));
                }
            )+};
        }
        reads_again! {
            Email: |text: &str| Email::parse(text).ok();
            RegistryIdentifier: |text: &str| RegistryIdentifier::parse(text).ok();
            CertificateNumber: |text: &str| CertificateNumber::parse(text).ok();
            Phone: |text: &str| Phone::parse(text).ok();
            Inn: |text: &str| Inn::parse(text).ok();
            Iban: |text: &str| Iban::parse(text).ok();
            Okpo: |text: &str| Okpo::parse(text).ok();
            BudgetCode: |text: &str| BudgetCode::parse(text).ok();
            Purpose: |text: &str| Purpose::written(text).ok();
            PersonName: |text: &str| PersonName::parse(text).ok();
            Line: |text: &str| Line::parse(text, 4000).ok();
            MaskedPan: MaskedPan::parse;
        }
        if let Ok(identifier) = RegistryIdentifier::parse(&text) {
            prop_assert_eq!(RegistryIdentifier::parse_saved(identifier.as_str()), Some(identifier));
        }
        for card in [TruncatedPan::parse_profile(&text), TruncatedPan::parse_mask(&text)].into_iter().flatten() {
            prop_assert_eq!(TruncatedPan::parse_mask(card.as_str()), Ok(card.clone()));
            let mask = MaskedPan::parse(card.as_str());
            prop_assert_eq!(mask, Some(MaskedPan::from(card)));
        }
    }
}

mod books {
    use super::*;
    use cabinet_domain::{
        Figures, Month, MovedParts, PaidItems, PaidPart, Period, Report, StandingParts,
        TransferStatus, book_sums, income_entries, kyiv_date,
    };
    use jiff::civil::{Date, date};
    use jiff::{SignedDuration, Timestamp};

    fn day() -> impl Strategy<Value = Date> {
        (0..900_i64).prop_map(|days| date(2025, 1, 1) + SignedDuration::from_hours(24 * days))
    }

    fn part() -> impl Strategy<Value = PaidPart> {
        let days = (
            proptest::option::of(day()),
            proptest::option::of(day()),
            day(),
        );
        let what = (
            select(PartRole::ALL.to_vec()),
            1..1000_i64,
            select(TransferStatus::ALL.to_vec()),
        );
        (what, amount(), amount(), days).prop_map(
            |((role, document_number, status), amount, commission, days)| PaidPart {
                role,
                document_number,
                amount,
                commission,
                status,
                credited_on: days.0,
                returned_on: days.1,
                changed_on: days.2,
            },
        )
    }

    fn items() -> impl Strategy<Value = PaidItems> {
        let sums = (1..100_u64, amount(), amount(), any::<bool>());
        (day(), kind(), sums).prop_map(|(day, kind, (count, amount, commission, is_refunded))| {
            PaidItems {
                month: Month::of(day),
                kind,
                count,
                amount: amount.into(),
                commission: commission.into(),
                is_refunded,
            }
        })
    }

    fn standing() -> impl Strategy<Value = StandingParts> {
        let stands = (
            select(PartRole::ALL.to_vec()),
            select(TransferStatus::ALL.to_vec()),
            any::<bool>(),
        );
        (day(), kind(), stands, amount()).prop_map(
            |(day, kind, (role, status, is_refunded), amount)| StandingParts {
                month: Month::of(day),
                kind,
                role,
                status,
                is_refunded,
                amount: amount.into(),
            },
        )
    }

    fn moved() -> impl Strategy<Value = MovedParts> {
        let sums = (1..100_u64, amount(), amount());
        (
            day(),
            kind(),
            select(PartRole::ALL.to_vec()),
            any::<bool>(),
            sums,
        )
            .prop_map(
                |(day, kind, role, is_return, (count, amount, commission))| MovedParts {
                    month: Month::of(day),
                    kind,
                    role,
                    is_return,
                    count,
                    amount: amount.into(),
                    commission: commission.into(),
                },
            )
    }

    fn sum<'a>(figures: impl Iterator<Item = &'a Figures>) -> Figures {
        figures.fold(Figures::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }

    proptest! {
        #[test]
        fn months_and_kinds_add_up_and_the_order_of_rows_says_nothing(
            mut items in vec(items(), 0..30), mut parts in vec(standing(), 0..30), mut moved in vec(moved(), 0..30),
            by_payment in any::<bool>(),
        ) {
            let report = |period, items: &[PaidItems], parts: &[StandingParts], moved: &[MovedParts]| {
                if by_payment { Report::by_payment(period, items, parts, &[]) } else { Report::by_crediting(period, moved) }
            };
            let year = |year| Period::new(date(year, 1, 1), date(year, 12, 31)).unwrap();
            let both = Period::new(date(2025, 1, 1), date(2026, 12, 31)).unwrap();
            let whole = report(both, &items, &parts, &moved);
            prop_assert_eq!(whole.total(), sum(whole.kinds.iter().map(|(_, figures)| figures)));
            let years = [2025, 2026].map(|number| report(year(number), &items, &parts, &moved).total());
            prop_assert_eq!(whole.total(), sum(years.iter()));
            let quarters = whole.months.chunks(3).map(|months| {
                let period = Period::new(months[0].0.days().unwrap().from(), months[2].0.days().unwrap().to()).unwrap();
                let quarter = report(period, &items, &parts, &moved);
                assert_eq!(quarter.total(), sum(quarter.kinds.iter().map(|(_, figures)| figures)));
                quarter.total()
            });
            prop_assert_eq!(whole.total(), sum(quarters.collect::<Vec<_>>().iter()));
            items.reverse();
            parts.reverse();
            moved.reverse();
            prop_assert_eq!(whole, report(both, &items, &parts, &moved));
        }

        #[test]
        fn the_book_adds_up_by_day_month_quarter_and_year(parts in vec(part(), 0..30)) {
            let mut entries: Vec<_> = parts.iter().flat_map(income_entries).collect();
            let days = book_sums(&entries, |day| day);
            let income: i64 = entries.iter().map(|entry| entry.income.kopiykas()).sum();
            let difference: i64 = entries.iter().map(|entry| entry.difference().kopiykas()).sum();
            let months = book_sums(&entries, Month::of);
            let quarters = book_sums(&entries, |day| Month::of(day).quarter());
            let years = book_sums(&entries, |day| day.year());
            for sums in [
                days.values().copied().collect::<Vec<_>>(),
                months.values().copied().collect(),
                quarters.values().copied().collect(),
                years.values().copied().collect(),
            ] {
                prop_assert_eq!(sums.iter().map(|sum| sum.income.kopiykas()).sum::<i64>(), income);
                prop_assert_eq!(sums.iter().map(|sum| sum.difference().kopiykas()).sum::<i64>(), difference);
            }
            entries.reverse();
            prop_assert_eq!(days, book_sums(&entries, |day| day));
        }

        #[test]
        fn a_moment_is_in_the_period_of_its_day_in_kyiv(seconds in 1_735_700_000..1_798_700_000_i64) {
            let moment = Timestamp::from_second(seconds).unwrap();
            let day = kyiv_date(moment);
            let (begin, end) = Period::new(day, day).unwrap().moments().unwrap();
            prop_assert!(begin <= moment && moment < end);
        }
    }
}
