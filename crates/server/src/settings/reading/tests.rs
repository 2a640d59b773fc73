use secrecy::ExposeSecret;

use super::*;

fn command(pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    from_pairs(RunMode::Command, pairs)
}

/// A file of this test's own, removed at the end.
struct TemporaryFile(std::path::PathBuf);

impl TemporaryFile {
    fn new(name: &str, text: &str) -> TemporaryFile {
        let path = std::env::temp_dir().join(format!("cabinet-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        TemporaryFile(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn every_default_is_a_value_of_its_setting() {
    let settings = from_pairs(RunMode::Serve, &[]).unwrap();
    assert_eq!(settings.listen, "127.0.0.1:8080".parse().unwrap());
    assert_eq!(settings.limits.login_attempts_per_minute, 60);
    assert!(settings.secret_key.value().is_err());
    let settings = from_pairs(RunMode::ServeSandbox, &[]).unwrap();
    assert_eq!(settings.limits.login_attempts_per_minute, 6000);
    assert!(settings.secret_key.value().is_ok());
}

#[test]
fn the_environment_is_read_by_kind() {
    let settings = command(&[
        ("CABINET_LISTEN", "127.0.0.1:9000"),
        ("CABINET_CODES_LENGTH", "6"),
        ("CABINET_CODES_LIFETIME_MINUTES", "2"),
        ("CABINET_CODES_HIDE_ACCOUNT_EXISTENCE", "true"),
        ("CABINET_ACQUIRER_TOKEN", "t"),
        ("CABINET_ACQUIRER_PAGE_HOSTS", "pay.example, 127.0.0.1:8081"),
    ])
    .unwrap();
    assert_eq!(settings.listen, "127.0.0.1:9000".parse().unwrap());
    assert_eq!(settings.codes.length, 6);
    assert_eq!(settings.codes.lifetime_minutes.as_secs(), 120);
    assert!(settings.codes.hide_account_existence);
    assert_eq!(
        settings.acquirer.token.value().unwrap().expose_secret(),
        "t"
    );
    assert_eq!(
        settings.acquirer.page_hosts,
        ["pay.example", "127.0.0.1:8081"]
    );
}

#[test]
fn a_wrong_setting_is_named_without_its_value() {
    let names = DEFINITIONS
        .iter()
        .filter(|one| one.form != Form::Text)
        .map(Definition::variable);
    for name in names {
        let text = command(&[(&name, "hidden-value")]).unwrap_err().to_string();
        assert!(
            text.starts_with(&format!("{name}: ")) && !text.contains("hidden-value"),
            "{text}"
        );
    }
    for (name, value) in [
        ("CABINET_LISTEN", "hidden-value"),
        ("CABINET_PUBLIC_URL", "hidden-value"),
        ("CABINET_PUBLIC_URL", "http://hidden-value.example"),
        ("CABINET_DATABASE_URL", "hidden-value"),
        ("CABINET_SECRET_KEY", "hidden-value"),
        ("CABINET_CLIENT_ADDRESS_HEADER", "hidden-value: 1"),
        ("CABINET_LOG", "cabinet_app=hidden-value"),
        ("CABINET_ACQUIRER_PAGE_HOSTS", "https://hidden-value"),
        ("CABINET_MAIL_PORT", "70000"),
        ("CABINET_CODES_LENGTH", "9"),
        ("CABINET_ACTS_REGISTER_NUMBER_MARKS", "hidden-value"),
        ("CABINET_ACTS_REGISTER_NUMBER_MARKS", "- /"),
        ("CABINET_CODES_LENGTH", "3"),
        ("CABINET_SESSIONS_IDLE_MINUTES", "0"),
        ("CABINET_LIMITS_LOGIN_ATTEMPTS_PER_MINUTE", "0"),
        ("CABINET_OPERATOR_CODE", "hidden-value"),
        ("CABINET_OPERATOR_IBAN", "UA233052990000026001234567890"),
        ("CABINET_OPERATOR_ADDRESS", " "),
        ("CABINET_SUPPORT_EMAIL", "hidden-value"),
    ] {
        let text = command(&[(name, value)]).unwrap_err().to_string();
        assert!(
            text.starts_with(&format!("{name}: "))
                && !text.contains("hidden-value")
                && !text.contains("UA23"),
            "{text}"
        );
    }
    let text = command(&[("CABINET_CODES_LENGTH", "9")]).unwrap_err();
    assert_eq!(
        text.to_string(),
        "CABINET_CODES_LENGTH: a whole number from 4 to 8 is expected"
    );
}

#[test]
fn an_unknown_setting_is_named_and_a_renamed_one_with_its_new_name() {
    assert_eq!(
        command(&[("CABINET_LISTENN", "x")]).unwrap_err(),
        SettingsError::Unknown("CABINET_LISTENN".to_owned())
    );
    let text = command(&[("CABINET_CODES_ALIKE_ANSWERS", "true")]).unwrap_err();
    assert_eq!(
        text.to_string(),
        "unknown setting CABINET_CODES_ALIKE_ANSWERS: its name is CABINET_CODES_HIDE_ACCOUNT_EXISTENCE now"
    );
}

#[test]
fn every_renamed_setting_is_in_the_list_by_its_new_name_alone() {
    let is_known = |path: &str| DEFINITIONS.iter().any(|one| one.path == path);
    for (old, new) in RENAMED {
        assert!(!is_known(old) && is_known(new), "{old}");
    }
}

#[test]
fn the_marks_of_a_register_number_are_listed_or_named() {
    let marks = |text: &str| {
        let settings = command(&[("CABINET_ACTS_REGISTER_NUMBER_MARKS", text)]).unwrap();
        settings.acts.register_number_marks
    };
    assert_eq!(marks("any"), None);
    assert_eq!(marks("none").as_deref(), Some(""));
    assert_eq!(marks("-/№").as_deref(), Some("-/№"));
}

#[test]
fn a_secret_comes_from_its_file_but_not_from_both() {
    let file = TemporaryFile::new("secret", "from-file\n");
    let settings = command(&[("CABINET_SMS_TOKEN_FILE", file.path())]).unwrap();
    let token = settings.sms.token.value().unwrap();
    assert_eq!(token.expose_secret(), "from-file");
    let both = command(&[
        ("CABINET_SMS_TOKEN_FILE", file.path()),
        ("CABINET_SMS_TOKEN", "x"),
    ]);
    assert_eq!(
        both.unwrap_err(),
        SettingsError::Both("CABINET_SMS_TOKEN".to_owned())
    );
    assert_eq!(
        command(&[("CABINET_SMS_SENDER_FILE", file.path())]).unwrap_err(),
        SettingsError::Unknown("CABINET_SMS_SENDER_FILE".to_owned())
    );
}

#[test]
fn the_environment_wins_over_the_file() {
    let file = TemporaryFile::new("config", "listen = \"127.0.0.1:1\"\n[codes]\nlength = 5\n");
    let settings = command(&[
        ("CABINET_CONFIG", file.path()),
        ("CABINET_CODES_LENGTH", "8"),
    ])
    .unwrap();
    assert_eq!(settings.listen, "127.0.0.1:1".parse().unwrap());
    assert_eq!(settings.codes.length, 8);
}

#[test]
fn the_file_is_checked_like_the_environment() {
    for (index, (text, name)) in [
        ("[codes]\nlenght = 5\n", "codes.lenght"),
        ("[codez]\nlength = 5\n", "codez"),
        ("codes = 5\n", "codes"),
        (
            "[codes]\nalike_answers = true\n",
            "CABINET_CODES_HIDE_ACCOUNT_EXISTENCE",
        ),
        (
            "[codes]\nlength = \"hidden-value\"\n",
            "CABINET_CODES_LENGTH",
        ),
        ("[codes]\nlength = 9\n", "CABINET_CODES_LENGTH"),
        (
            "[codes]\nhide_account_existence = 1\n",
            "CABINET_CODES_HIDE_ACCOUNT_EXISTENCE",
        ),
        ("[sms]\nsender = 5\n", "CABINET_SMS_SENDER"),
        ("listen = \"hidden-value\"\n", "CABINET_LISTEN"),
        ("[mail]\nport = 70000\n", "CABINET_MAIL_PORT"),
        ("hidden-value", "CABINET_CONFIG"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = TemporaryFile::new(&format!("checked-{index}"), text);
        let text = command(&[("CABINET_CONFIG", file.path())])
            .unwrap_err()
            .to_string();
        assert!(
            text.contains(name) && !text.contains("hidden-value"),
            "{text}"
        );
    }
}

#[test]
fn real_services_and_the_sandbox_exclude_each_other() {
    let token = ("CABINET_ACQUIRER_TOKEN", "hidden-value");
    let text = from_pairs(RunMode::ServeSandbox, &[token]).unwrap_err();
    assert_eq!(
        text,
        SettingsError::OutsideSandbox("CABINET_ACQUIRER_TOKEN".to_owned())
    );
    let listen = ("CABINET_SANDBOX_LISTEN", "127.0.0.1:9");
    let text = from_pairs(RunMode::Serve, &[listen]).unwrap_err();
    assert_eq!(
        text,
        SettingsError::SandboxOnly("CABINET_SANDBOX_LISTEN".to_owned())
    );
    assert!(from_pairs(RunMode::Command, &[token, listen]).is_ok());
}

#[test]
fn half_of_a_services_settings_is_refused() {
    for (name, value, missing) in [
        ("CABINET_MAIL_PORT", "25", "CABINET_MAIL_HOST"),
        ("CABINET_MAIL_USER", "cabinet", "CABINET_MAIL_HOST"),
        ("CABINET_MAIL_PASSWORD", "hidden-value", "CABINET_MAIL_HOST"),
        (
            "CABINET_MAIL_FROM",
            "cabinet@cabinet.example",
            "CABINET_MAIL_HOST",
        ),
        (
            "CABINET_CALLS_TOKEN",
            "hidden-value",
            "CABINET_CALLS_ACCOUNT",
        ),
    ] {
        let text = from_pairs(RunMode::Serve, &[(name, value)]).unwrap_err();
        assert_eq!(
            text.to_string(),
            format!("{name} is set, but {missing} is not")
        );
    }
}
