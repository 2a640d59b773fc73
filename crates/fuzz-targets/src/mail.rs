//! Answers of the mail server.

use cabinet_gateways::mail::{Letter, Mail as _, MailError};
use cabinet_gateways::smtp::{Smtp, SmtpSettings};
use secrecy::SecretString;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

thread_local! {
    static MACHINE: (Runtime, TcpListener) = {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        (runtime, listener)
    };
}

/// A letter counts as sent only when the server has taken it. No text of the server is passed on.
///
/// The input is all that the server says. It says it at once, so nothing is waited for.
pub fn answers(bytes: &[u8]) {
    MACHINE.with(|(runtime, listener)| {
        let port = listener.local_addr().unwrap().port();
        for account in [
            None,
            Some(("user".to_owned(), SecretString::from("hidden"))),
        ] {
            let mut settings = SmtpSettings::new(
                "127.0.0.1".to_owned(),
                port,
                "cabinet@cabinet.example".to_owned(),
            );
            settings.account = account;
            let smtp = Smtp::new(settings).unwrap();
            let letter = letter();
            let server = async {
                let (mut socket, _) = listener.accept().await.unwrap();
                let (mut reading, mut writing) = socket.split();
                // The client may close the connection before it has heard or said everything.
                let _ = writing.write_all(bytes).await;
                let _ = writing.shutdown().await;
                let _ = reading.read_to_end(&mut Vec::new()).await;
            };
            let (sent, ()) = runtime.block_on(async { tokio::join!(smtp.send(&letter), server) });
            check(bytes, sent);
        }
    });
}

fn check(said: &[u8], sent: Result<(), MailError>) {
    let lines = || said.split(|byte| *byte == b'\n');
    let begins_with = |digit: u8| lines().any(|line| line.first() == Some(&digit));
    match sent {
        // The SMTP library goes on after any positive reply to DATA, so a 3 at the beginning is not asked for.
        Ok(()) => assert!(begins_with(b'2'), "nobody took the letter"),
        Err(MailError::Refused { code }) => {
            let is_reply = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit());
            assert!(is_reply || code == "NO_AUTH", "{code}");
        }
        Err(MailError::Unavailable | MailError::Unknown) => {}
    }
}

fn letter() -> Letter {
    Letter {
        id: "0190a".to_owned(),
        to: "support@cabinet.example".to_owned(),
        subject: "Тема".to_owned(),
        text: "Текст".to_owned(),
        written_at: jiff::Timestamp::UNIX_EPOCH,
    }
}
