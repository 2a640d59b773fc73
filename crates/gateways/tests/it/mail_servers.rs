//! The mail adapter with servers that are slow, silent, unsafe or verbose.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cabinet_gateways::mail::{Letter, Mail as _, MailError};
use cabinet_gateways::smtp::{Encryption, Smtp, SmtpSettings};
use secrecy::SecretString;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::TcpListener;

/// The time limit of a step that is answered.
const AMPLE: Duration = Duration::from_secs(30);
/// The time limit of a step that gets no answer.
const SHORT: Duration = Duration::from_millis(500);

/// What a server does after its last line.
#[derive(Clone, Copy)]
enum Then {
    Closes,
    KeepsSilent,
}

/// What the client has sent so far.
type Heard = Arc<Mutex<String>>;

/// A server that sends its lines one by one, each after a line of the client, or after the whole e-mail when it has sent 354.
async fn server(lines: &'static [&'static str], then: Then) -> (u16, Heard) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = Heard::default();
    let ear = Arc::clone(&heard);
    tokio::spawn(async move {
        let mut stream = BufStream::new(listener.accept().await.unwrap().0);
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                let whole_letter = lines[number - 1].starts_with("354");
                loop {
                    let mut typed = String::new();
                    if stream.read_line(&mut typed).await.unwrap_or(0) == 0 {
                        return;
                    }
                    ear.lock().unwrap().push_str(&typed);
                    if !whole_letter || typed == ".\r\n" {
                        break;
                    }
                }
            }
            stream.write_all(line.as_bytes()).await.unwrap();
            stream.write_all(b"\r\n").await.unwrap();
            stream.flush().await.unwrap();
        }
        if matches!(then, Then::KeepsSilent) {
            std::future::pending::<()>().await;
        }
    });
    (port, heard)
}

/// Time limits of opening a connection and of sending a letter.
#[derive(Clone, Copy)]
struct Limits {
    opening: Duration,
    sending: Duration,
}

const AMPLE_LIMITS: Limits = Limits {
    opening: AMPLE,
    sending: AMPLE,
};

fn adapter(port: u16, encryption: Encryption, limits: Limits) -> Smtp {
    let from = "cabinet@cabinet.example".to_owned();
    let mut settings = SmtpSettings::new("127.0.0.1".to_owned(), port, from);
    settings.encryption = encryption;
    settings.account = Some(("user".to_owned(), SecretString::from("hidden".to_owned())));
    settings.opening_time_limit = limits.opening;
    settings.sending_time_limit = limits.sending;
    Smtp::new(settings).unwrap()
}

fn letter() -> Letter {
    Letter {
        id: "0190a".to_owned(),
        to: "support@cabinet.example".to_owned(),
        subject: "Тема".to_owned(),
        text: "Текст".to_owned(),
        written_at: "2026-11-20T10:00:00Z".parse().unwrap(),
    }
}

async fn sent(
    lines: &'static [&'static str],
    then: Then,
    encryption: Encryption,
) -> (Result<(), MailError>, String) {
    sent_within(AMPLE_LIMITS, lines, then, encryption).await
}

async fn sent_within(
    limits: Limits,
    lines: &'static [&'static str],
    then: Then,
    encryption: Encryption,
) -> (Result<(), MailError>, String) {
    let (port, heard) = server(lines, then).await;
    let sending = adapter(port, encryption, limits);
    let letter = letter();
    // Reached only where no limit ends the silence.
    let outcome = tokio::time::timeout(4 * AMPLE, sending.send(&letter));
    let outcome = outcome.await.unwrap();
    let heard = heard.lock().unwrap().clone();
    (outcome, heard)
}

fn refused(code: &str) -> Result<(), MailError> {
    Err(MailError::Refused {
        code: code.to_owned(),
    })
}

#[tokio::test]
async fn nothing_but_a_greeting_leaves_without_encryption() {
    let no_offer: &[&str] = &["220 hi", "250-hi\r\n250 AUTH PLAIN", "221 bye"];
    let (outcome, heard) = sent(no_offer, Then::Closes, Encryption::StartTls).await;
    assert_eq!(outcome, refused("NO_STARTTLS"));
    assert_eq!(heard, "EHLO cabinet.example\r\nQUIT\r\n");

    let no_handshake: &[&str] = &[
        "220 hi",
        "250-hi\r\n250-AUTH PLAIN\r\n250 STARTTLS",
        "220 go",
    ];
    let (outcome, heard) = sent(no_handshake, Then::Closes, Encryption::StartTls).await;
    assert_eq!(outcome, Err(MailError::Unavailable));
    assert_eq!(heard, "EHLO cabinet.example\r\nSTARTTLS\r\n");

    let not_encrypted: &[&str] = &["220 hi", "250 AUTH PLAIN"];
    let (outcome, heard) = sent(not_encrypted, Then::Closes, Encryption::FromTheStart).await;
    assert_eq!(outcome, Err(MailError::Unavailable));
    assert_eq!(heard, "");
}

#[tokio::test]
async fn a_server_that_lets_nobody_in_got_no_letter() {
    let none: &[&str] = &["220 hi", "250 hi", "221 bye"];
    let (outcome, heard) = sent(none, Then::Closes, Encryption::None).await;
    assert_eq!(outcome, refused("NO_AUTH"));
    assert!(!heard.contains("MAIL"), "{heard}");
    let later: &[&str] = &["421 too busy for you"];
    let (outcome, _) = sent(later, Then::Closes, Encryption::None).await;
    assert_eq!(outcome, Err(MailError::Unavailable));
}

#[tokio::test]
async fn an_answer_at_which_the_library_panics_ends_no_task() {
    let lines = &["220 mail.example", "250-mail.example\r\n250  "];
    let (result, _) = sent(lines, Then::KeepsSilent, Encryption::None).await;
    assert_eq!(result, Err(MailError::Unavailable));
}

#[tokio::test]
async fn silence_ends_by_the_clock() {
    let limits = Limits {
        opening: SHORT,
        ..AMPLE_LIMITS
    };
    for lines in [&[] as &[&str], &["220 hi"], &["220 hi", "250 AUTH PLAIN"]] {
        let (outcome, _) = sent_within(limits, lines, Then::KeepsSilent, Encryption::None).await;
        assert_eq!(outcome, Err(MailError::Unavailable), "{lines:?}");
    }
}

const TO_THE_LETTER: [&str; 6] = [
    "220 hi",
    "250-hi\r\n250 AUTH PLAIN",
    "235 welcome",
    "250 from",
    "250 to",
    "354 go on",
];

#[tokio::test]
async fn what_became_of_a_letter_without_an_answer_is_unknown() {
    let (outcome, heard) = sent(&TO_THE_LETTER, Then::Closes, Encryption::None).await;
    assert_eq!(outcome, Err(MailError::Unknown));
    assert!(
        heard.contains("RCPT TO:<support@cabinet.example>"),
        "{heard}"
    );
    // Whatever the server has heard when the time is over.
    let limits = Limits {
        sending: SHORT,
        ..AMPLE_LIMITS
    };
    let (outcome, _) =
        sent_within(limits, &TO_THE_LETTER, Then::KeepsSilent, Encryption::None).await;
    assert_eq!(outcome, Err(MailError::Unknown));
}

#[tokio::test]
async fn a_refusal_is_known_by_its_code_and_the_servers_words_go_no_further() {
    let unknown: &[&str] = &[
        "220 hi",
        "250-hi\r\n250 AUTH PLAIN",
        "235 welcome",
        "250 from",
        "550 5.1.1 <support@cabinet.example> is unknown",
        "221 bye",
    ];
    let (outcome, _) = sent(unknown, Then::Closes, Encryption::None).await;
    assert_eq!(outcome, refused("550"));
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "the mail server refused: 550"
    );
    let greylisted: &[&str] = &[
        "220 hi",
        "250-hi\r\n250 AUTH PLAIN",
        "235 welcome",
        "250 from",
        "451 4.7.1 come again",
        "221 bye",
    ];
    let (outcome, _) = sent(greylisted, Then::Closes, Encryption::None).await;
    assert_eq!(outcome, Err(MailError::Unavailable));
}

#[tokio::test]
async fn where_nobody_listens_the_letter_stays() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let smtp = adapter(port, Encryption::None, AMPLE_LIMITS);
    let outcome = smtp.send(&letter()).await;
    assert_eq!(outcome, Err(MailError::Unavailable));
}
