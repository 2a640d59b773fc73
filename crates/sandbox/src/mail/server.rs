//! The SMTP commands that a sending client needs (RFC 5321, 4.5.1), unencrypted, with AUTH PLAIN and limits.
//!
//! Only CRLF ends a line, so that no two readers can see different letters in the same bytes (SMTP smuggling).

#![expect(
    clippy::disallowed_methods,
    reason = "what a fault does to a connection lasts as long as the other side really waits"
)]

use std::future::Future;
use std::io;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::{TcpListener, TcpStream};

use super::{Letter, reading};
use crate::faults::{Fault, FaultKind, FaultService};
use crate::sandbox::Sandbox;

/// Longest line with its end, in bytes (RFC 5321, 4.5.3.1.6).
const LINE_BYTES_MAX: usize = 1_000;
/// Largest letter, in bytes.
const LETTER_BYTES_MAX: usize = 256 * 1_024;
/// Most recipients of a letter (RFC 5321, 4.5.3.1.8).
const RECEIVERS_MAX: usize = 100;
/// How long the server waits for a line.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// The path of a letter, for `Fault::path`.
const FAULT_PATH: &str = "/letter";

impl Sandbox {
    /// Serves SMTP until `shutdown` is ready.
    pub async fn serve_smtp(
        &self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send,
    ) {
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut shutdown => return,
            };
            match accepted {
                Ok((stream, _)) => {
                    let sandbox = self.clone();
                    tokio::spawn(async move {
                        // A broken connection concerns only its client.
                        let _ = Session::new(sandbox, stream).run().await;
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "The sandbox's mail server cannot take a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

/// A line of text, or why there is none.
enum Input {
    Line(String),
    /// The client has closed the connection or was silent for too long.
    Over,
    /// Too long, or not ended by CRLF.
    Bad,
}

/// Whether the session goes on.
enum Next {
    Command,
    Close,
}

struct Session {
    sandbox: Sandbox,
    stream: BufStream<TcpStream>,
    greeted: bool,
    signed_in: bool,
    /// Whether `MAIL` has begun a letter.
    begun: bool,
    receivers: Vec<String>,
}

impl Session {
    fn new(sandbox: Sandbox, stream: TcpStream) -> Self {
        Self {
            sandbox,
            stream: BufStream::new(stream),
            greeted: false,
            signed_in: false,
            begun: false,
            receivers: Vec::new(),
        }
    }

    async fn run(mut self) -> io::Result<()> {
        self.say("220 sandbox ESMTP").await?;
        loop {
            let line = match self.line().await? {
                Input::Line(line) => line,
                Input::Over => return Ok(()),
                Input::Bad => {
                    return self
                        .say("500 5.5.2 The line is too long or not ended by CRLF")
                        .await;
                }
            };
            let (verb, argument) = line.split_once(' ').unwrap_or((&line, ""));
            let next = self
                .command(&verb.to_ascii_uppercase(), argument.trim())
                .await?;
            if matches!(next, Next::Close) {
                return Ok(());
            }
        }
    }

    async fn command(&mut self, verb: &str, argument: &str) -> io::Result<Next> {
        let reply = match verb {
            "EHLO" => {
                self.greet();
                self.say("250-sandbox").await?;
                self.say(&format!("250-SIZE {LETTER_BYTES_MAX}")).await?;
                self.say("250-8BITMIME").await?;
                "250 AUTH PLAIN"
            }
            "HELO" => {
                self.greet();
                "250 sandbox"
            }
            "AUTH" => self.sign_in(argument).await?,
            "MAIL" => self.begin(argument),
            "RCPT" => self.add_receiver(argument),
            "DATA" if self.receivers.is_empty() => "503 5.5.1 RCPT first",
            "DATA" => return self.take_letter().await,
            "RSET" => {
                self.forget_letter();
                "250 2.0.0 Forgotten"
            }
            "NOOP" => "250 2.0.0 Still here",
            "VRFY" => "252 2.5.0 Send it and see",
            "QUIT" => {
                self.say("221 2.0.0 Goodbye").await?;
                return Ok(Next::Close);
            }
            _ => "500 5.5.1 Unknown command",
        };
        self.say(reply).await?;
        Ok(Next::Command)
    }

    fn greet(&mut self) {
        self.greeted = true;
        self.forget_letter();
    }

    fn forget_letter(&mut self) {
        self.begun = false;
        self.receivers.clear();
    }

    async fn sign_in(&mut self, argument: &str) -> io::Result<&'static str> {
        let (mechanism, first) = argument.split_once(' ').unwrap_or((argument, ""));
        if !self.greeted || self.signed_in || self.begun {
            return Ok("503 5.5.1 Not now");
        }
        if !mechanism.eq_ignore_ascii_case("PLAIN") {
            return Ok("504 5.5.4 PLAIN only");
        }
        let response = if first.is_empty() {
            self.say("334 ").await?;
            match self.line().await? {
                Input::Line(line) => line,
                Input::Over | Input::Bad => return Ok("501 5.5.2 Not base64"),
            }
        } else {
            first.to_owned()
        };
        let settings = self.sandbox.settings();
        let expected = format!("\0{}\0{}", settings.mail_user, settings.mail_password);
        self.signed_in = STANDARD
            .decode(response.trim())
            .is_ok_and(|given| given == expected.as_bytes());
        Ok(if self.signed_in {
            "235 2.7.0 Welcome"
        } else {
            "535 5.7.8 Wrong user or password"
        })
    }

    fn begin(&mut self, argument: &str) -> &'static str {
        if !self.greeted || self.begun {
            return "503 5.5.1 Not now";
        }
        if !self.signed_in {
            return "530 5.7.0 AUTH first";
        }
        let Some((_, parameters)) = path(argument, "FROM:") else {
            return "501 5.5.4 MAIL FROM:<address>";
        };
        let size = parameters.split(' ').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.eq_ignore_ascii_case("SIZE")
                .then_some(value)?
                .parse()
                .ok()
        });
        if size.is_some_and(|size: usize| size > LETTER_BYTES_MAX) {
            return "552 5.3.4 Too large";
        }
        self.begun = true;
        "250 2.1.0 From them"
    }

    fn add_receiver(&mut self, argument: &str) -> &'static str {
        if !self.begun {
            return "503 5.5.1 MAIL first";
        }
        match path(argument, "TO:") {
            None => "501 5.5.4 RCPT TO:<address>",
            Some((address, _)) if !address.contains('@') => "553 5.1.3 Not an address",
            Some(_) if self.receivers.len() >= RECEIVERS_MAX => "452 4.5.3 Too many receivers",
            Some((address, _)) => {
                self.receivers.push(address.to_owned());
                "250 2.1.5 To them"
            }
        }
    }

    async fn take_letter(&mut self) -> io::Result<Next> {
        self.say("354 Until a line with a dot alone").await?;
        let mut letter: Vec<u8> = Vec::new();
        let mut too_large = false;
        loop {
            let line = match self.bytes().await? {
                Bytes::Line(line) => line,
                Bytes::Over => return Ok(Next::Close),
                Bytes::Bad => {
                    self.say("500 5.5.2 The line is too long or not ended by CRLF")
                        .await?;
                    return Ok(Next::Close);
                }
            };
            if line == b".\r\n" {
                break;
            }
            // The client has doubled a dot at the beginning of a line (RFC 5321, 4.5.2).
            let line = line.strip_prefix(b".").unwrap_or(&line);
            // The rest is read too, so that the client gets the answer.
            too_large |= letter.len() + line.len() > LETTER_BYTES_MAX;
            if !too_large {
                letter.extend_from_slice(line);
            }
        }
        let receivers = std::mem::take(&mut self.receivers);
        self.forget_letter();
        if too_large {
            self.say("552 5.3.4 Too large").await?;
            return Ok(Next::Command);
        }
        self.answer_letter(&letter, &receivers).await
    }

    /// Accepts the letter, or fails it with the next fault that is set.
    async fn answer_letter(&mut self, letter: &[u8], receivers: &[String]) -> io::Result<Next> {
        const TAKEN: &str = "250 2.0.0 Taken";
        let fault = self.sandbox.faults().take(FaultService::Mail, FAULT_PATH);
        if carried_out(fault.as_ref()) {
            self.keep(letter, receivers);
        }
        let Some(fault) = fault else {
            self.say(TAKEN).await?;
            return Ok(Next::Command);
        };
        let reply = match fault.kind {
            FaultKind::TimeoutBefore | FaultKind::TimeoutAfter => {
                let limit = self.sandbox.settings().hold_limit;
                tokio::time::sleep(fault.delay_or(limit)).await;
                return Ok(Next::Close);
            }
            FaultKind::Reset => return Ok(Next::Close),
            FaultKind::Delay => {
                tokio::time::sleep(fault.delay_or(Duration::from_secs(1))).await;
                if fault.effect != Some(true) {
                    self.keep(letter, receivers);
                }
                TAKEN.to_owned()
            }
            FaultKind::Refuse => {
                let code = fault.code.as_deref().and_then(|code| code.parse().ok());
                let code: u16 = code.filter(|code| (500..600).contains(code)).unwrap_or(554);
                format!("{code} 5.7.1 Refused on order")
            }
            FaultKind::Status429 => "452 4.3.1 Later".to_owned(),
            FaultKind::Status500 => "451 4.3.0 A fault inside".to_owned(),
            FaultKind::Garbage => "<html><body>Ooops</body></html>".to_owned(),
            // A lost letter is accepted. `Fault::is_possible` refuses the other kinds for e-mail.
            FaultKind::Drop
            | FaultKind::Duplicate
            | FaultKind::Reorder
            | FaultKind::Forge
            | FaultKind::WrongAmount
            | FaultKind::WrongCurrency
            | FaultKind::Behind
            | FaultKind::WrongDate => TAKEN.to_owned(),
        };
        self.say(&reply).await?;
        Ok(Next::Command)
    }

    fn keep(&self, letter: &[u8], receivers: &[String]) {
        let content = reading::read(letter);
        for receiver in receivers {
            self.sandbox.mailbox().add(Letter {
                to: receiver.clone(),
                subject: content.subject.clone(),
                text: content.text.clone(),
                sent_at: self.sandbox.now(),
            });
        }
    }

    async fn say(&mut self, reply: &str) -> io::Result<()> {
        self.stream.write_all(reply.as_bytes()).await?;
        self.stream.write_all(b"\r\n").await?;
        self.stream.flush().await
    }

    async fn line(&mut self) -> io::Result<Input> {
        Ok(match self.bytes().await? {
            Bytes::Line(line) => match String::from_utf8(line) {
                Ok(line) => Input::Line(line.trim_end().to_owned()),
                Err(_) => Input::Bad,
            },
            Bytes::Over => Input::Over,
            Bytes::Bad => Input::Bad,
        })
    }

    /// Reads the next line with its CRLF.
    async fn bytes(&mut self) -> io::Result<Bytes> {
        let mut line = Vec::new();
        let mut limited = (&mut self.stream).take(LINE_BYTES_MAX as u64);
        let reading = limited.read_until(b'\n', &mut line);
        match tokio::time::timeout(SILENCE_MAX, reading).await {
            Err(_) | Ok(Ok(0)) => Ok(Bytes::Over),
            Ok(Err(error)) => Err(error),
            Ok(Ok(_)) if line.ends_with(b"\r\n") => Ok(Bytes::Line(line)),
            Ok(Ok(_)) => Ok(Bytes::Bad),
        }
    }
}

enum Bytes {
    Line(Vec<u8>),
    Over,
    Bad,
}

/// Returns whether a letter is kept at once in spite of a fault.
fn carried_out(fault: Option<&Fault>) -> bool {
    let Some(fault) = fault else { return true };
    match fault.kind {
        FaultKind::Delay | FaultKind::Status500 => fault.effect == Some(true),
        FaultKind::Garbage | FaultKind::Reset => fault.effect != Some(false),
        FaultKind::TimeoutBefore | FaultKind::Drop | FaultKind::Status429 | FaultKind::Refuse => {
            false
        }
        FaultKind::TimeoutAfter
        | FaultKind::Duplicate
        | FaultKind::Reorder
        | FaultKind::Forge
        | FaultKind::WrongAmount
        | FaultKind::WrongCurrency
        | FaultKind::Behind
        | FaultKind::WrongDate => true,
    }
}

/// Returns the address and the parameters of `FROM:<address> parameters`.
fn path<'a>(argument: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let (found, rest) = argument.split_at_checked(word.len())?;
    if !found.eq_ignore_ascii_case(word) {
        return None;
    }
    let rest = rest.trim_start().strip_prefix('<')?;
    let (address, parameters) = rest.split_once('>')?;
    Some((address, parameters.trim()))
}
