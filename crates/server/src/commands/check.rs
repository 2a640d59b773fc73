//! `cabinet check`: names everything that is missing or wrong before a start, with what to do about it. Changes nothing.

mod data;
mod findings;
mod machine;
mod services;

use anyhow::bail;

use self::findings::Findings;
use crate::settings::{Reading, what_to_set};
use crate::{console, real_installation};

/// Runs the command.
///
/// # Errors
/// Returns an error when something stops the start of a server.
pub async fn run(reading: &Reading, json: bool) -> anyhow::Result<()> {
    let settings = &reading.settings;
    let mut findings = settings_findings(reading);
    findings.append(machine::files(reading));
    findings.append(machine::address(settings).await);
    // Each waits for somebody else, so they wait together.
    let (data, acquirer, liqpay, sms, voice, mail, public) = tokio::join!(
        data::examine(settings),
        services::acquirer(settings),
        services::liqpay(settings),
        services::sms(settings),
        services::voice(settings),
        services::mail(settings),
        services::public_address(settings),
    );
    for found in [data, acquirer, liqpay, sms, voice, mail, public] {
        findings.append(found);
    }
    console::print(&findings.text(json));
    match findings.blocking() {
        0 => Ok(()),
        1 => bail!("1 thing stops the start"),
        count => bail!("{count} things stop the start"),
    }
}

fn settings_findings(reading: &Reading) -> Findings {
    let mut findings = Findings::of("settings");
    let problems = real_installation::problems_of_settings(reading);
    if problems.is_empty() {
        findings.fine(format!(
            "{} are given, none is missing, unknown or wrong",
            reading.given()
        ));
    }
    for problem in problems {
        let name = problem.split([' ', ':']).next().unwrap_or_default();
        // What is not set, or set to nothing as in the example of the settings, is explained.
        let is_open = problem.contains("is not set, and this start needs it")
            || problem.ends_with("is expected");
        match what_to_set(name).filter(|_| is_open) {
            Some(hint) => findings.blocks(&problem, &hint),
            None => findings.blocks_by(&problem),
        }
    }
    findings
}
