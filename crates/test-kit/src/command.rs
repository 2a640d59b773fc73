//! The operator's commands on the database of the application under test.

use std::process::{Command, Output};

use crate::TestApp;
use crate::settings::SECRET;

/// Returns a run of the program on the database of a test, without any setting but its address, the secret of a test that has not rotated
/// it, and the operator's account, from which transfers are paid.
pub fn command_on(app: &TestApp, program: &str) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("CABINET_DATABASE_URL", app.database_address());
    command.envs([
        ("CABINET_SECRET_KEY", SECRET),
        ("CABINET_OPERATOR_NAME", "ТОВ «Демонстраційний кабінет»"),
        ("CABINET_OPERATOR_CODE", "32855961"),
        ("CABINET_OPERATOR_IBAN", "UA573220010000026007233566001"),
    ]);
    command
}

/// Returns the output of a run that must succeed.
#[track_caller]
pub fn said(output: &Output) -> String {
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    told
}

/// Returns the error lines of a run that must fail, and that says nothing else.
#[track_caller]
pub fn complained(output: &Output) -> Vec<String> {
    assert!(!output.status.success() && output.stdout.is_empty());
    let told = String::from_utf8_lossy(&output.stderr);
    told.lines().map(str::to_owned).collect()
}
