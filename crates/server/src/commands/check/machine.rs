//! This machine: the files that settings name, and the address to listen on.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cabinet_gateways::outbound::{BaseUrl, look};
use tokio::net::TcpListener;

use super::findings::Findings;
use crate::settings::{Reading, Settings};

const LOOK_TIME_MAX: Duration = Duration::from_secs(5);
/// What `/healthz` of a cabinet answers.
pub const ALIVE: &[u8] = b"alive\n";
/// Rights of anybody to a file.
const OTHERS: u32 = 0o007;

/// Looks at the files of settings. Those that can't be read are named by the settings.
pub fn files(reading: &Reading) -> Findings {
    let mut findings = Findings::of("files");
    let mut paths: Vec<&PathBuf> = reading.files.iter().map(|(_, path)| path).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in &paths {
        hidden_from_others(&mut findings, path);
    }
    let offer = &reading.settings.offer;
    for file in [&offer.file_uk, &offer.file_en] {
        if let Some(path) = file.get()
            && let Ok(text) = std::fs::read_to_string(path)
            && text.trim().is_empty()
        {
            findings.warn(
                &format!("{} is empty, and notaries agree to it", path.display()),
                &format!("Put the public offer into it ({}).", file.name()),
            );
        }
    }
    let can_be_read = |path: &&PathBuf| std::fs::File::open(path).is_ok();
    if findings.is_empty() && !paths.is_empty() && paths.iter().all(can_be_read) {
        findings.fine("those with secrets can be read, and not by everybody");
    }
    findings
}

/// Warns of a file with secrets or personal data that every user of the machine can read.
pub fn hidden_from_others(findings: &mut Findings, path: &Path) {
    let Ok(file) = std::fs::metadata(path) else {
        return;
    };
    if file.permissions().mode() & OTHERS != 0 {
        findings.warn(
            &format!(
                "every user of this machine can read or change {}",
                path.display()
            ),
            &format!("chmod o= {}", path.display()),
        );
    }
}

/// Looks whether files can be made beside the database: SQLite needs two of them. A file is made for a moment.
pub fn folder_of_database(findings: &mut Findings, database: &Path) {
    let folder = match database.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let trial = folder.join(format!(".cabinet-check-{}", std::process::id()));
    let made = std::fs::File::create_new(&trial);
    let _ = std::fs::remove_file(&trial);
    if let Err(error) = made {
        let to_do = match error.kind() {
            ErrorKind::NotFound => "Make the folder, and give it to the user of the service.",
            _ => "Give the folder to the user of the service, and run this command as that user.",
        };
        findings.blocks(
            &format!("no file can be made in {}: {error}", folder.display()),
            to_do,
        );
    }
}

/// Looks whether the address can be listened on, or a cabinet does so already.
pub async fn address(settings: &Settings) -> Findings {
    let mut findings = Findings::of("address");
    let addresses = [
        ("CABINET_LISTEN", Some(settings.listen)),
        ("CABINET_OPERATIONS_LISTEN", settings.operations_listen),
    ];
    for (name, address) in addresses {
        let Some(address) = address else {
            continue;
        };
        match TcpListener::bind(address).await {
            Ok(_) => findings.fine(format!("{address} is free ({name})")),
            Err(error) if error.kind() == ErrorKind::AddrInUse && is_cabinet(address).await => {
                findings.fine(format!("a cabinet runs on {address} ({name})"));
            }
            Err(error) => findings.blocks(
                &format!("{address} can't be listened on: {error}"),
                &format!("Stop the program that has it, or choose another address ({name})."),
            ),
        }
    }
    findings
}

/// Whether a cabinet answers on an address of this machine.
async fn is_cabinet(address: std::net::SocketAddr) -> bool {
    let here = if address.ip().is_unspecified() {
        std::net::SocketAddr::from(([127, 0, 0, 1], address.port()))
    } else {
        address
    };
    let Ok(url) = BaseUrl::parse(&format!("http://{here}")) else {
        return false;
    };
    matches!(
        look("cabinet", &url, "/healthz", LOOK_TIME_MAX).await,
        Ok(Ok(answer)) if answer.body == ALIVE
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{RunMode, reading_of};

    #[test]
    fn files_that_can_not_be_read_are_not_called_fine() {
        let of = |path: &str| {
            let pairs = [("CABINET_ACQUIRER_TOKEN_FILE", path)];
            let reading = reading_of(RunMode::Serve, &pairs);
            assert!(!reading.files.is_empty());
            files(&reading).text(false)
        };
        assert!(!of("/nowhere/token").contains("can be read"));
        let file = std::env::temp_dir().join(format!("cabinet-token-{}", std::process::id()));
        std::fs::write(&file, "a token").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        let told = of(file.to_str().unwrap());
        std::fs::remove_file(&file).unwrap();
        assert!(told.contains("those with secrets can be read"), "{told}");
    }
}
