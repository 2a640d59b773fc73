//! `cabinet …` with the settings of a running cabinet.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::{Command, Output};

use cabinet_test_kit::{TestApp, command_on, said};

/// Returns a run of `cabinet …`.
pub fn command_of(app: &TestApp, arguments: &[&str]) -> Command {
    let acquirer = app.outside().url.clone();
    let mut command = command_on(app, env!("CARGO_BIN_EXE_cabinet"));
    command.args(arguments).envs([
        ("USER", "oksana"),
        (
            "CABINET_SECRET_KEY",
            "a secret of thirty-two characters or more",
        ),
        ("CABINET_PUBLIC_URL", app.public_url()),
        ("CABINET_ACQUIRER_BASE_URL", acquirer.as_str()),
        ("CABINET_ACQUIRER_TOKEN", app.outside().acquirer_token()),
        ("CABINET_SMS_TOKEN", "unused"),
        ("CABINET_SMS_SENDER", "Cabinet"),
        ("CABINET_OPERATOR_ADDRESS", "м. Київ, вул. Перша, 1"),
        ("CABINET_SUPPORT_EMAIL", "support@cabinet.example"),
        ("CABINET_SUPPORT_PHONE", "0 800 000 000"),
        ("CABINET_MAIL_HOST", "127.0.0.1"),
        ("CABINET_MAIL_FROM", "Кабінет <cabinet@cabinet.example>"),
    ]);
    command
}

/// Runs `cabinet …`.
pub fn cabinet(app: &TestApp, arguments: &[&str]) -> Output {
    command_of(app, arguments).output().unwrap()
}

/// Returns the events of an action, as `cabinet audit show` prints them.
pub fn events(app: &TestApp, number: &str, action: &str) -> Vec<String> {
    let trail = said(&cabinet(app, &["audit", "show", "--order", number]));
    let lines = trail.lines().filter(|line| line.contains(action));
    lines.map(str::to_owned).collect()
}
