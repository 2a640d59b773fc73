//! The mail server over SMTP, and its letters over HTTP.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use crate::support::{self, AMPLE, World, world};
use cabinet_gateways::mail::{Letter, Mail as _, MailError};
use cabinet_gateways::smtp::{Smtp, SmtpSettings};
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::{TcpListener, TcpStream};

/// Starts a sandbox with a mail server. Returns it and the server's port.
async fn mail_world() -> (World, u16) {
    let world = world().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let served = world.sandbox.clone();
    tokio::spawn(async move { served.serve_smtp(listener, std::future::pending()).await });
    (world, port)
}

fn adapter(port: u16, password: &str) -> Smtp {
    let from = "Кабінет нотаріуса <cabinet@cabinet.example>".to_owned();
    let mut settings = SmtpSettings::new("127.0.0.1".to_owned(), port, from);
    settings.account = Some((
        "cabinet".to_owned(),
        SecretString::from(password.to_owned()),
    ));
    settings.opening_time_limit = AMPLE;
    settings.sending_time_limit = AMPLE;
    Smtp::new(settings).unwrap()
}

fn letter(subject: &str, text: &str) -> Letter {
    Letter {
        id: "0190a".to_owned(),
        to: "support@cabinet.example".to_owned(),
        subject: subject.to_owned(),
        text: text.to_owned(),
        written_at: "2026-11-20T09:59:00Z".parse().unwrap(),
    }
}

async fn letters(world: &World) -> Vec<Value> {
    let (status, letters) = world.get("/sandbox/letters").await;
    assert_eq!(status, 200, "{letters}");
    letters.as_array().unwrap().clone()
}

const PASSWORD: &str = "sandbox-mail-password";

#[tokio::test]
async fn a_letter_arrives_as_it_was_written() {
    let (world, port) = mail_world().await;
    let smtp = adapter(port, PASSWORD);
    let long = "Дуже довгий рядок без кінця ".repeat(100);
    let subject = "Повідомлення про помилку в платежі: Адміністративний збір (державний нотаріус)";
    let texts = [
        "Plain = text, 100%\n.\n..\n.leading dots\nFrom the middle\n\nEnd".to_owned(),
        "ascii ".repeat(500).trim_end().to_owned(),
        "Сума: 1\u{a0}250,50\u{a0}грн\n.\n..\nКінець – «так»".to_owned(),
        long.trim_end().to_owned(),
    ];
    for text in &texts {
        smtp.send(&letter(subject, text)).await.unwrap();
    }
    let arrived = letters(&world).await;
    assert_eq!(arrived.len(), texts.len());
    for (letter, text) in arrived.iter().rev().zip(&texts) {
        assert_eq!(letter["to"], "support@cabinet.example");
        assert_eq!(letter["subject"], subject);
        assert_eq!(letter["text"], text.as_str());
        assert_eq!(letter["sent_at"], support::START);
    }
}

#[tokio::test]
async fn the_inbox_shows_letters_among_messages_and_escapes_them() {
    let (world, port) = mail_world().await;
    let smtp = adapter(port, PASSWORD);
    smtp.send(&letter("<b>Тема</b>", "Текст <script>"))
        .await
        .unwrap();
    for path in ["/inbox", "/"] {
        let page = world.client().get(format!("{}{path}", world.url));
        let page = page.send().await.unwrap().text().await.unwrap();
        assert!(page.contains("support@cabinet.example"), "{path}");
        assert!(page.contains("&lt;b&gt;Тема&lt;/b&gt;"), "{path}");
        assert!(!page.contains("<script"), "{path}");
    }
    let page = world
        .client()
        .get(format!("{}/inbox?phone=380501112233", world.url));
    let page = page.send().await.unwrap().text().await.unwrap();
    assert!(
        !page.contains("support@cabinet.example"),
        "a letter goes to no phone"
    );
}

#[tokio::test]
async fn a_wrong_password_is_refused() {
    let (world, port) = mail_world().await;
    let answer = adapter(port, "guess").send(&letter("Тема", "Текст")).await;
    let code = "535".to_owned();
    assert_eq!(answer, Err(MailError::Refused { code }));
    assert!(letters(&world).await.is_empty());
}

#[tokio::test]
async fn faults_on_order_are_told_apart_and_only_some_let_the_letter_through() {
    let (world, port) = mail_world().await;
    let refused = |code: &str| {
        Err(MailError::Refused {
            code: code.to_owned(),
        })
    };
    for (fault, expected, arrives) in [
        (json!({"kind": "refuse"}), refused("554"), false),
        (
            json!({"kind": "refuse", "code": "550"}),
            refused("550"),
            false,
        ),
        (
            json!({"kind": "refuse", "code": "250"}),
            refused("554"),
            false,
        ),
        (
            json!({"kind": "status_429"}),
            Err(MailError::Unavailable),
            false,
        ),
        (
            json!({"kind": "status_500"}),
            Err(MailError::Unavailable),
            false,
        ),
        (
            json!({"kind": "status_500", "effect": true}),
            Err(MailError::Unavailable),
            true,
        ),
        (
            json!({"kind": "timeout_before"}),
            Err(MailError::Unknown),
            false,
        ),
        (
            json!({"kind": "timeout_after"}),
            Err(MailError::Unknown),
            true,
        ),
        (json!({"kind": "reset"}), Err(MailError::Unknown), true),
        (
            json!({"kind": "reset", "effect": false}),
            Err(MailError::Unknown),
            false,
        ),
        (json!({"kind": "garbage"}), Err(MailError::Unknown), true),
        (json!({"kind": "delay", "delay_ms": 10}), Ok(()), true),
        (
            json!({"kind": "delay", "delay_ms": 10, "effect": true}),
            Ok(()),
            true,
        ),
        (json!({"kind": "drop"}), Ok(()), false),
    ] {
        let mut ordered = fault.clone();
        ordered["service"] = "mail".into();
        world.faults(ordered).await;
        let before = letters(&world).await.len();
        let smtp = adapter(port, PASSWORD);
        assert_eq!(
            smtp.send(&letter("Тема", "Текст")).await,
            expected,
            "{fault}"
        );
        let arrived = letters(&world).await.len() - before;
        assert_eq!(arrived, usize::from(arrives), "{fault}");
        let (_, left) = world.get("/sandbox/faults").await;
        assert_eq!(left, json!([]), "{fault}");
    }
    let smtp = adapter(port, PASSWORD);
    smtp.send(&letter("Тема", "Текст")).await.unwrap();
}

/// An SMTP client that sends single lines.
struct Typist(BufStream<TcpStream>);

impl Typist {
    async fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let mut typist = Self(BufStream::new(stream));
        assert_eq!(typist.reply().await, 220);
        typist
    }

    /// Reads all lines of the next reply. Returns its code, or 0 if the server has closed the connection.
    async fn reply(&mut self) -> u16 {
        loop {
            let mut line = String::new();
            let reading = self.0.read_line(&mut line);
            let read = tokio::time::timeout(AMPLE, reading).await;
            if read.unwrap().unwrap_or(0) == 0 {
                return 0;
            }
            if line.as_bytes()[3] == b' ' {
                return line[..3].parse().unwrap();
            }
        }
    }

    async fn send(&mut self, bytes: &[u8]) -> u16 {
        // If the server has closed the connection, reading its reply shows that.
        let _ = self.0.write_all(bytes).await;
        let _ = self.0.flush().await;
        self.reply().await
    }

    async fn types(&mut self, line: &str) -> u16 {
        self.send(format!("{line}\r\n").as_bytes()).await
    }

    async fn all(&mut self, lines: &[(&str, u16)]) {
        for (line, code) in lines {
            assert_eq!(self.types(line).await, *code, "{line}");
        }
    }
}

/// `\0cabinet\0sandbox-mail-password` in base64.
const CREDENTIALS: &str = "AGNhYmluZXQAc2FuZGJveC1tYWlsLXBhc3N3b3Jk";

async fn ready_for_data(port: u16) -> Typist {
    let mut typist = Typist::connect(port).await;
    let auth = format!("AUTH PLAIN {CREDENTIALS}");
    typist
        .all(&[
            ("EHLO me", 250),
            (&auth, 235),
            ("MAIL FROM:<a@b.example>", 250),
            ("RCPT TO:<c@d.example>", 250),
            ("DATA", 354),
        ])
        .await;
    typist
}

#[tokio::test]
async fn commands_are_taken_in_their_order_only() {
    let (world, port) = mail_world().await;
    let mut typist = Typist::connect(port).await;
    let auth = format!("auth plain {CREDENTIALS}");
    typist
        .all(&[
            ("NOOP", 250),
            ("VRFY postmaster", 252),
            ("MAIL FROM:<a@b.example>", 503),
            (&auth, 503),
            ("helo me", 250),
            ("MAIL FROM:<a@b.example>", 530),
            ("AUTH LOGIN", 504),
            ("AUTH PLAIN", 334),
            ("not base64", 535),
            ("AUTH PLAIN", 334),
            (CREDENTIALS, 235),
            (&auth, 503),
            ("RCPT TO:<c@d.example>", 503),
            ("DATA", 503),
            ("MAIL FROM:a@b.example", 501),
            ("MAIL FROM:<a@b.example> SIZE=99999999", 552),
            ("MAIL FROM:<> BODY=8BITMIME SIZE=100", 250),
            ("MAIL FROM:<a@b.example>", 503),
            ("DATA", 503),
            ("RCPT TO:c@d.example", 501),
            ("RCPT TO:<nobody>", 553),
            ("rcpt to:<c@d.example>", 250),
            ("RSET", 250),
            ("RCPT TO:<c@d.example>", 503),
            ("HELP", 500),
            ("", 500),
            ("QUIT", 221),
        ])
        .await;
    assert_eq!(typist.reply().await, 0);
    assert!(letters(&world).await.is_empty());
}

#[tokio::test]
async fn every_receiver_gets_the_letter_and_they_are_limited() {
    let (world, port) = mail_world().await;
    let mut typist = Typist::connect(port).await;
    let auth = format!("AUTH PLAIN {CREDENTIALS}");
    typist
        .all(&[
            ("EHLO me", 250),
            (&auth, 235),
            ("MAIL FROM:<a@b.example>", 250),
        ])
        .await;
    for number in 0..100 {
        let line = format!("RCPT TO:<n{number}@d.example>");
        assert_eq!(typist.types(&line).await, 250);
    }
    assert_eq!(typist.types("RCPT TO:<more@d.example>").await, 452);
    assert_eq!(typist.types("DATA").await, 354);
    assert_eq!(typist.send(b"Subject: One\r\n\r\nText\r\n.\r\n").await, 250);
    assert_eq!(letters(&world).await.len(), 100);
    // The next letter starts without recipients.
    assert_eq!(typist.types("DATA").await, 503);
}

#[tokio::test]
async fn too_much_is_refused_and_the_conversation_goes_on_where_it_can() {
    let (world, port) = mail_world().await;
    let mut typist = ready_for_data(port).await;
    let line = format!("{}\r\n", "x".repeat(998));
    let large = format!("{}.\r\n", line.repeat(263));
    assert_eq!(typist.send(large.as_bytes()).await, 552);
    assert_eq!(typist.types("NOOP").await, 250);

    let mut typist = ready_for_data(port).await;
    let whole = format!("Subject: 998\r\n\r\n{line}.\r\n");
    assert_eq!(typist.send(whole.as_bytes()).await, 250);
    assert_eq!(letters(&world).await[0]["text"], "x".repeat(998));

    let mut typist = ready_for_data(port).await;
    let long = "x".repeat(1_000);
    assert_eq!(typist.send(long.as_bytes()).await, 500);
    assert_eq!(typist.reply().await, 0);
    let mut typist = Typist::connect(port).await;
    assert_eq!(typist.send(format!("EHLO {long}").as_bytes()).await, 500);
    assert_eq!(letters(&world).await.len(), 1);
}

#[tokio::test]
async fn a_letter_ends_at_one_line_only_and_no_second_one_hides_in_it() {
    let (world, port) = mail_world().await;
    for hidden in ["\n.\r\n", "\n.\n", "\r\n.\n"] {
        let mut typist = ready_for_data(port).await;
        let text = format!("Subject: Outer\r\n\r\nText{hidden}MAIL FROM:<x@y.example>\r\n.\r\n");
        assert_eq!(typist.send(text.as_bytes()).await, 500, "{hidden:?}");
    }
    assert!(letters(&world).await.is_empty());
    let mut typist = ready_for_data(port).await;
    let text = b"Subject: Dots\r\n\r\n..\r\n...two\r\nText\r\n.\r\n";
    assert_eq!(typist.send(text).await, 250);
    assert_eq!(letters(&world).await[0]["text"], ".\n..two\nText");
}
