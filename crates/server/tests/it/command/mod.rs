//! `cabinet …` with the settings of a running cabinet.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

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

/// Runs a command at a terminal, where a line is typed. Returns whether it went well, and what stood there.
pub fn at_terminal(command: &Command, line: &str) -> (bool, String) {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let quoted = words.map(|word| format!("'{}'", word.to_str().unwrap().replace('\'', r"'\''")));
    let given = command.get_envs();
    // It gives the command a terminal of its own, and its end as its own.
    let mut terminal = Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .arg(quoted.collect::<Vec<_>>().join(" "))
        .arg("/dev/null")
        .envs(given.filter_map(|(name, value)| Some((name, value?))))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = terminal.stdin.take().unwrap();
    keys.write_all(format!("{line}\n").as_bytes()).unwrap();
    let shown = terminal.wait_with_output().unwrap();
    drop(keys);
    let text = String::from_utf8_lossy(&shown.stdout).replace('\r', "");
    (shown.status.success(), text)
}

/// Returns the events of an action, as `cabinet audit show` prints them.
pub fn events(app: &TestApp, number: &str, action: &str) -> Vec<String> {
    let trail = said(&cabinet(app, &["audit", "show", "--order", number]));
    let lines = trail.lines().filter(|line| line.contains(action));
    lines.map(str::to_owned).collect()
}

/// Changes the database as somebody who has its password could.
pub fn as_intruder(app: &TestApp, statements: &str) {
    let database = app.database_folder().unwrap().join("cabinet.db");
    let connection = rusqlite::Connection::open(database).unwrap();
    let wait = std::time::Duration::from_secs(10);
    connection.busy_timeout(wait).unwrap();
    connection.execute_batch(statements).unwrap();
}
