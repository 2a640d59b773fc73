//! `cabinet check`, and that `cabinet serve` refuses by the same rules.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use cabinet_test_kit::{Fault, FaultKind, FaultService, TestApp, on_both_databases};
use serde_json::Value;

use crate::folder::Folder;

const SECRET: &str = "q7Zt0Vw2Kc9xYd4LpR8sJm1NfB6hGe3TuAoXiQyWzE5";

/// The settings of a real installation whose services are those of the sandbox.
fn settings(app: &TestApp, folder: &Path) -> BTreeMap<&'static str, String> {
    let outside = app.outside();
    let (services, offer) = (&outside.settings, folder.join("offer.txt"));
    std::fs::write(&offer, "Публічна оферта").unwrap();
    let offer = offer.to_str().unwrap();
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    BTreeMap::from([
        ("CABINET_DATABASE_URL", app.database_address()),
        ("CABINET_LISTEN", free.to_string()),
        ("CABINET_SECRET_KEY", SECRET.to_owned()),
        ("CABINET_ACQUIRER_BASE_URL", outside.url.clone()),
        ("CABINET_ACQUIRER_TOKEN", services.acquirer_token.clone()),
        ("CABINET_SMS_BASE_URL", outside.url.clone()),
        ("CABINET_SMS_TOKEN", services.sms_token.clone()),
        ("CABINET_SMS_SENDER", "Cabinet".to_owned()),
        ("CABINET_CALLS_BASE_URL", outside.url.clone()),
        ("CABINET_CALLS_ACCOUNT", services.voice_account.clone()),
        ("CABINET_CALLS_TOKEN", services.voice_token.clone()),
        ("CABINET_CALLS_CALLER", "+380440000000".to_owned()),
        ("CABINET_MAIL_HOST", outside.smtp_address.ip().to_string()),
        ("CABINET_MAIL_PORT", outside.smtp_address.port().to_string()),
        ("CABINET_MAIL_USER", services.mail_user.clone()),
        ("CABINET_MAIL_PASSWORD", services.mail_password.clone()),
        (
            "CABINET_MAIL_FROM",
            "Кабінет <cabinet@cabinet.example>".to_owned(),
        ),
        ("CABINET_OPERATOR_NAME", "ТОВ «Кабінет»".to_owned()),
        ("CABINET_OPERATOR_CODE", "32855961".to_owned()),
        (
            "CABINET_OPERATOR_IBAN",
            iban("322001", "0000026007233566002"),
        ),
        (
            "CABINET_OPERATOR_ADDRESS",
            "м. Київ, вул. Перша, 1".to_owned(),
        ),
        (
            "CABINET_SUPPORT_EMAIL",
            "support@cabinet.example".to_owned(),
        ),
        ("CABINET_SUPPORT_PHONE", "0 800 000 000".to_owned()),
        ("CABINET_OFFER_FILE_UK", offer.to_owned()),
        ("CABINET_OFFER_FILE_EN", offer.to_owned()),
    ])
}

fn cabinet(arguments: &[&str], settings: &BTreeMap<&'static str, String>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cabinet"))
        .args(arguments)
        .env_clear()
        .envs(settings)
        .output()
        .unwrap()
}

/// Runs a check. Returns whether a start is possible, and the lines that are not fine.
fn check(settings: &BTreeMap<&'static str, String>) -> (bool, Vec<String>) {
    let output = cabinet(&["check"], settings);
    let told = String::from_utf8(output.stdout).unwrap();
    for secret in ["_TOKEN", "_PASSWORD", "_SECRET_KEY"] {
        let values = settings.iter().filter(|(name, _)| name.ends_with(secret));
        for (name, value) in values {
            assert!(!told.contains(value.as_str()), "{name} is printed: {told}");
        }
    }
    let lines = told.lines().filter(|line| !line.starts_with("fine "));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() || said.contains("the start"),
        "{said}"
    );
    (output.status.success(), lines.map(str::to_owned).collect())
}

/// Returns the account of a bank with right check digits.
fn iban(bank: &str, account: &str) -> String {
    let digits = format!("{bank}{account}");
    // UA is 3010 (ISO 13616).
    let remainder = format!("{digits}301000")
        .bytes()
        .fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
    format!("UA{:02}{digits}", 98 - remainder)
}

/// Makes the starter tables look like real ones.
fn make_real(files: &mut BTreeMap<String, String>) {
    for name in ["requisites.csv", "templates.csv"] {
        let text = files.get_mut(name).unwrap();
        let cells: Vec<String> = text.split(',').map(real_account).collect();
        *text = unmarked(&cells.join(",")).replace("Демонстраційний", "Перший");
    }
}

fn real_account(cell: &str) -> String {
    let digits = cell.strip_prefix("UA").filter(|digits| digits.len() == 27);
    match digits.map(|digits| digits.split_at(8)) {
        Some((_, account)) if cell[4..].starts_with("899998") => {
            iban("899998", &account.replacen("0999", "0313", 1))
        }
        Some((_, account)) => iban("322001", account),
        None => cell.to_owned(),
    }
}

/// Takes everything out of the starter tables that says that their accounts are invented.
fn take_marks_away(files: &mut BTreeMap<String, String>) {
    for name in ["requisites.csv", "templates.csv"] {
        let text = files.get_mut(name).unwrap();
        *text = unmarked(text).replace("Демонстраційний", "Перший");
    }
}

fn unmarked(text: &str) -> String {
    text.replace(",yes\n", ",no\n")
}

on_both_databases! {
    async fn a_whole_installation_passes_and_what_fails_around_it_is_told(app: TestApp) {
        let folder = Folder::new();
        app.restart_with(|settings| settings.secret = SECRET).await;
        let services = app.services();
        services.keys.remember(&services.store, services.now()).await.unwrap();
        app.load_reference(make_real).await;
        let mut settings = settings(&app, &folder.0);
        settings.insert("CABINET_FEES_LAST_YEAR_REFUSED_FROM", "off".to_owned());
        let (starts, lines) = check(&settings);
        assert!(starts, "{lines:#?}");
        // The sandbox of a test lives in March.
        let around = |lines: Vec<String>| -> Vec<String> {
            let (clocks, others): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| line.contains("the acquirer's. Keep both"));
            assert!(clocks.len() <= 1);
            // Nor has anybody confirmed the starter accounts, their fees are of the year that they were made in, in December they lack the Treasury's
            // last day of it, and its PostgreSQL waits for no disk.
            let of_the_test = ["fees in force", "last confirmed", "the tables lack the last day", "WARNING durability"];
            let is_of_the_test = |line: &String| of_the_test.iter().any(|text| line.contains(text));
            others.into_iter().filter(|line| !is_of_the_test(line)).collect()
        };
        assert!(lines.iter().any(|line| line.starts_with("WARNING clock: it is ")), "{lines:#?}");
        assert_eq!(around(lines), Vec::<String>::new());

        // A service that refuses, one that fails, one that is not there, a name that is none.
        settings.insert("CABINET_ACQUIRER_TOKEN", "not-the-token".to_owned());
        settings.insert("CABINET_CALLS_TOKEN", "not-the-token-either".to_owned());
        settings.insert("CABINET_MAIL_PASSWORD", "not-the-password".to_owned());
        settings.insert("CABINET_SMS_BASE_URL", "https://nobody.invalid".to_owned());
        settings.insert("CABINET_PUBLIC_URL", "https://127.0.0.1:1".to_owned());
        settings.insert("CABINET_CLIENT_ADDRESS_HEADER", "X-Forwarded-For".to_owned());
        let (starts, lines) = check(&settings);
        assert!(starts, "{lines:#?}");
        let lines = around(lines);
        assert_eq!(lines.len(), 5, "{lines:#?}");
        for (line, start) in lines.iter().zip([
            "WARNING acquirer: it refuses a harmless call (FORBIDDEN). Check CABINET_ACQUIRER_TOKEN",
            "WARNING SMS service TurboSMS: the name nobody.invalid has no address",
            "WARNING voice service: it refuses a harmless call (20003). Check CABINET_CALLS_ACCOUNT",
            "WARNING mail server: it refuses the login (535)",
            "WARNING public address: 127.0.0.1 can't be reached on port 1",
        ]) {
            assert!(line.starts_with(start), "{line}");
        }

        // Where the acquirer talks without encryption or not at all.
        settings.insert("CABINET_ACQUIRER_BASE_URL", app.outside().url.replace("http:", "https:"));
        let (starts, lines) = check(&settings);
        assert!(starts && lines.iter().any(|line| line.starts_with("WARNING acquirer: no encrypted connection to 127.0.0.1")), "{lines:#?}");
        settings.insert("CABINET_ACQUIRER_BASE_URL", app.outside().url.clone());
        settings.insert("CABINET_ACQUIRER_TOKEN", app.outside().acquirer_token().to_owned());
        let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        fault.path = Some("pubkey".to_owned());
        app.outside().faults(&[fault]).await;
        let (starts, lines) = check(&settings);
        assert!(starts && lines.iter().any(|line| line.starts_with("WARNING acquirer: it gives no answer that can be used")), "{lines:#?}");
        app.outside().faults(&[]).await;

        // The second acquirer, where it is set up.
        settings.insert("CABINET_ACQUIRER_PROVIDERS", "monobank,liqpay".to_owned());
        let (starts, lines) = check(&settings);
        assert!(!starts && lines.iter().any(|line| line.starts_with("BLOCKS ") && line.contains("CABINET_LIQPAY_PUBLIC_KEY is not set")), "{lines:#?}");
        settings.insert("CABINET_LIQPAY_BASE_URL", app.outside().url.clone());
        settings.insert("CABINET_LIQPAY_PUBLIC_KEY", app.outside().settings.liqpay_public_key.clone());
        settings.insert("CABINET_LIQPAY_PRIVATE_KEY", app.outside().settings.liqpay_private_key.clone());
        let (starts, lines) = check(&settings);
        // Payments of a test shop bring no money.
        assert!(!starts && lines.iter().any(|line| line.starts_with("BLOCKS ") && line.contains("CABINET_LIQPAY_PUBLIC_KEY is a test shop's")), "{lines:#?}");
        let told = String::from_utf8(cabinet(&["check"], &settings).stdout).unwrap();
        assert!(told.contains("acquirer LiqPay: archive: it gives the archive of payments"), "{told}");
        assert!(String::from_utf8(cabinet(&["serve"], &settings).stderr).unwrap().contains("CABINET_LIQPAY_PUBLIC_KEY is a test shop's"));
        settings.insert("CABINET_LIQPAY_PRIVATE_KEY", "another".to_owned());
        let (_, lines) = check(&settings);
        assert!(lines.iter().any(|line| line.starts_with("WARNING acquirer LiqPay: it refuses a harmless call (invalid_signature). Check CABINET_LIQPAY_PUBLIC_KEY")), "{lines:#?}");

        // Another key would lose the saved cards.
        settings.insert("CABINET_SECRET_KEY", SECRET.chars().rev().collect());
        let (starts, lines) = check(&settings);
        assert!(!starts && lines.iter().any(|line| line.starts_with("BLOCKS  keys: the wallets of saved cards were named under another key")), "{lines:#?}");
    }

    async fn invented_accounts_stop_a_start_also_without_their_mark(app: TestApp) {
        let folder = Folder::new();
        app.restart_with(|settings| settings.secret = SECRET).await;
        app.load_reference(take_marks_away).await;
        let mut settings = settings(&app, &folder.0);
        settings.insert("CABINET_OPERATOR_IBAN", "UA573220010000026007233566001".to_owned());
        let (starts, lines) = check(&settings);
        assert!(!starts);
        let blocking: Vec<&String> = lines.iter().filter(|line| line.starts_with("BLOCKS ")).collect();
        assert_eq!(blocking.len(), 2, "{lines:#?}");
        assert!(blocking[0].starts_with("BLOCKS  settings: CABINET_OPERATOR_IBAN is a demonstration account"), "{lines:#?}");
        assert!(blocking[1].contains(" recipients and templates of the reference data are demonstration accounts, which must not be paid to: load real data"), "{lines:#?}");
        // A start refuses by the same rules, and a working cabinet does not take such tables over.
        let said = |settings: &BTreeMap<&'static str, String>| String::from_utf8(cabinet(&["serve"], settings).stderr).unwrap();
        assert!(said(&settings).contains("CABINET_OPERATOR_IBAN is a demonstration account"));
        settings.insert("CABINET_OPERATOR_IBAN", iban("322001", "0000026007233566002"));
        let refused = said(&settings);
        assert!(refused.lines().last().unwrap().contains("are demonstration accounts"), "{refused}");
        app.load_reference(make_real).await;
        app.restart_with(|settings| settings.app.refuses_demonstration = true).await;
        let reference = app.services().reference;
        assert_eq!(reference.current().unwrap().demonstrations(), 0);
        app.load_reference(take_marks_away).await;
        let refused = reference.refresh().await.unwrap_err().to_string();
        assert!(refused.contains("are demonstration accounts"), "{refused}");
        assert_eq!(reference.current().unwrap().demonstrations(), 0);
    }
}

#[test]
fn everything_that_is_missing_is_named_at_once_and_nothing_is_made() {
    let folder = Folder::new();
    let database = folder.0.join("cabinet.db");
    let secret = folder.0.join("secret");
    std::fs::write(&secret, SECRET).unwrap();
    let mut settings = BTreeMap::from([
        (
            "CABINET_DATABASE_URL",
            format!("sqlite:{}", database.display()),
        ),
        ("CABINET_PUBLIC_URL", "https://nobody.invalid".to_owned()),
        (
            "CABINET_SECRET_KEY_FILE",
            secret.to_str().unwrap().to_owned(),
        ),
        ("CABINET_CODES_LENGTH", "99".to_owned()),
        ("CABINET_LISTENN", "x".to_owned()),
    ]);
    let output = cabinet(&["check", "--json"], &settings);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = told["findings"].as_array().unwrap();
    let of = |weight: &str, subject: &str| -> Vec<&Value> {
        let fits = |one: &&Value| one["weight"] == weight && one["subject"] == subject;
        found.iter().filter(fits).collect()
    };
    let blocking = of("blocks", "settings");
    for name in [
        "CABINET_LISTENN",
        "CABINET_CODES_LENGTH",
        "CABINET_CLIENT_ADDRESS_HEADER",
        "CABINET_ACQUIRER_TOKEN",
        "CABINET_SMS_TOKEN",
        "CABINET_SMS_SENDER",
        "CABINET_OPERATOR_NAME",
        "CABINET_OPERATOR_CODE",
        "CABINET_OPERATOR_IBAN",
        "CABINET_OPERATOR_ADDRESS",
        "CABINET_SUPPORT_EMAIL",
        "CABINET_SUPPORT_PHONE",
        "CABINET_OFFER_FILE_UK",
        "CABINET_OFFER_FILE_EN",
    ] {
        let named = blocking
            .iter()
            .filter(|one| one["text"].as_str().unwrap().contains(name));
        assert_eq!(named.count(), 1, "{name}: {told:#}");
    }
    assert_eq!(blocking.len(), 14, "{told:#}");
    let token = blocking
        .iter()
        .find(|one| one["text"].as_str().unwrap().contains("CABINET_SMS_TOKEN"));
    let to_do = token.unwrap()["to_do"].as_str().unwrap();
    assert_eq!(
        to_do,
        "Token of TurboSMS. Set a secret, here or in a file that CABINET_SMS_TOKEN_FILE names."
    );
    assert_eq!(of("blocks", "reference data").len(), 1, "{told:#}");
    assert_eq!(of("warning", "public address").len(), 1, "{told:#}");
    assert_eq!(told["blocking"], 15);
    // Everybody could read the secret.
    assert_eq!(of("warning", "files").len(), 1, "{told:#}");
    assert!(!database.exists(), "a check makes no database");
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);

    // Nor does a command.
    for command in [&["doctor"][..], &["notary", "list"], &["alarms", "list"]] {
        let database = BTreeMap::from([(
            "CABINET_DATABASE_URL",
            settings["CABINET_DATABASE_URL"].clone(),
        )]);
        let said = String::from_utf8(cabinet(command, &database).stderr).unwrap();
        assert!(
            said.contains("there is no database "),
            "{command:?}: {said}"
        );
    }
    assert!(!database.exists(), "a command makes no database");

    // A start names the same.
    let output = cabinet(&["serve"], &settings);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("cabinet: 14 things stop the start:\n"),
        "{said}"
    );
    assert!(
        said.contains("\n  CABINET_SUPPORT_PHONE is not set, and this start needs it\n"),
        "{said}"
    );
    assert!(!database.exists());

    // A folder that is not there, and an address that somebody has.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    settings.insert("CABINET_LISTEN", taken.local_addr().unwrap().to_string());
    settings.insert(
        "CABINET_DATABASE_URL",
        "sqlite:/nowhere/at/all/cabinet.db".to_owned(),
    );
    std::thread::spawn(move || {
        for connection in taken.incoming() {
            drop(connection);
        }
    });
    let told = String::from_utf8(cabinet(&["check"], &settings).stdout).unwrap();
    assert!(told.contains("\nBLOCKS  address: 127.0.0.1:"), "{told}");
    assert!(
        told.contains("\nBLOCKS  database: no file can be made in /nowhere/at/all: "),
        "{told}"
    );
}
