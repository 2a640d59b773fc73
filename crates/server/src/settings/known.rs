//! Every setting there is.

/// What a setting is, for reading it from the environment and for the list that `cabinet settings` prints.
pub(super) struct Known {
    /// In the file; the environment's name follows from it.
    pub(super) path: &'static str,
    pub(super) kind: Kind,
    pub(super) about: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Secret,
    Number,
    Flag,
}

const fn known(path: &'static str, kind: Kind, about: &'static str) -> Known {
    Known { path, kind, about }
}

/// Every setting there is.
pub(super) const KNOWN: &[Known] = &[
    known(
        "listen",
        Kind::Text,
        "Address and port the cabinet listens on (127.0.0.1:8080)",
    ),
    known(
        "public_url",
        Kind::Text,
        "Address the notaries' browsers use; https outside this machine",
    ),
    known(
        "database_url",
        Kind::Secret,
        "sqlite:PATH or postgres://… (sqlite:var/cabinet.sqlite)",
    ),
    known(
        "secret_key",
        Kind::Secret,
        "At least 32 characters; signs access tokens and hashes codes",
    ),
    known(
        "client_address_header",
        Kind::Text,
        "Header in which a trusted proxy names the client's address",
    ),
    known(
        "log",
        Kind::Text,
        "What is logged: error, warn, info, debug, or a filter by target (info)",
    ),
    known(
        "sandbox_listen",
        Kind::Text,
        "Address and port of the sandbox (127.0.0.1:8081); only with --sandbox",
    ),
    known(
        "sandbox_smtp_listen",
        Kind::Text,
        "Address and port of the sandbox's mail server (127.0.0.1, any free port); only with --sandbox",
    ),
    known(
        "acquirer.base_url",
        Kind::Text,
        "Address of the acquirer's interface (https://api.monobank.ua)",
    ),
    known("acquirer.token", Kind::Secret, "The merchant's token"),
    known(
        "acquirer.page_hosts",
        Kind::Text,
        "Hosts a payment page may be on, by commas (pay.mbnk.biz, pay.monobank.ua)",
    ),
    known(
        "sms.base_url",
        Kind::Text,
        "Address of the SMS service (https://api.turbosms.ua)",
    ),
    known("sms.token", Kind::Secret, "The SMS service's token"),
    known("sms.sender", Kind::Text, "The registered sender's name"),
    known(
        "calls.base_url",
        Kind::Text,
        "Address of the voice service (https://api.twilio.com)",
    ),
    known(
        "calls.account",
        Kind::Text,
        "The voice service's account; without it nobody can log in by a call",
    ),
    known(
        "calls.token",
        Kind::Secret,
        "The voice service's token; also checks its callbacks",
    ),
    known("calls.caller", Kind::Text, "The number calls come from"),
    known(
        "mail.host",
        Kind::Text,
        "The mail server; without it complaints are kept and nobody gets a letter",
    ),
    known(
        "mail.port",
        Kind::Number,
        "Its port: 465 for TLS from the start, any other for STARTTLS (587)",
    ),
    known(
        "mail.user",
        Kind::Text,
        "The user, where the server asks for one",
    ),
    known("mail.password", Kind::Secret, "That user's password"),
    known(
        "mail.from",
        Kind::Text,
        "Whom letters come from: Name <address>, or the address alone",
    ),
    known(
        "codes.length",
        Kind::Number,
        "Digits of a one-time code, 4 to 8 (4)",
    ),
    known(
        "codes.alike_answers",
        Kind::Flag,
        "true: a login answers alike for known and unknown phones (false)",
    ),
    known(
        "sessions.idle_minutes",
        Kind::Number,
        "A session unused for so long ends (240)",
    ),
    known(
        "sessions.absolute_minutes",
        Kind::Number,
        "A session ends after so long whatever is done (720)",
    ),
    known(
        "operator.name",
        Kind::Text,
        "Who runs the service and gets the commission, for receipts",
    ),
    known("operator.code", Kind::Text, "Its EDRPOU code"),
    known("operator.iban", Kind::Text, "Its account"),
    known("operator.address", Kind::Text, "Its address"),
    known(
        "support.email",
        Kind::Text,
        "Whom notaries write to; gets the complaints by mail",
    ),
    known("support.phone", Kind::Text, "Whom notaries call"),
    known(
        "offer.file_uk",
        Kind::Text,
        "Text of the public offer in Ukrainian, a plain text file",
    ),
    known(
        "offer.file_en",
        Kind::Text,
        "Text of the public offer in English, a plain text file",
    ),
];
