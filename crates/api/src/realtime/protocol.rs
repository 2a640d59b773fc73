//! Messages of the protocol: commands of the client, replies and pushes of the server. A frame may contain several, one per line.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use cabinet_gateways::realtime::Publication;

/// A command of a client.
#[derive(Deserialize)]
pub struct Command {
    /// Number of the command, repeated in the reply. Absent in a pong and in a message without a reply.
    #[serde(default)]
    pub id: Option<u32>,
    /// The first command of every connection.
    #[serde(default)]
    pub connect: Option<Connect>,
    /// Subscribes to a channel.
    #[serde(default)]
    pub subscribe: Option<Subscribe>,
    /// Ends a subscription.
    #[serde(default)]
    pub unsubscribe: Option<Unsubscribe>,
    /// Extends the connection with a new token.
    #[serde(default)]
    pub refresh: Option<Refresh>,
    /// A message without a reply; ignored.
    #[serde(default)]
    pub send: Option<Value>,
    /// Other commands, which are not supported.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Reads the commands of a frame, one a line. Returns `None` if a line is not a command.
pub fn read_frame(frame: &str) -> Option<Vec<Command>> {
    frame
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Opens a connection.
#[derive(Deserialize)]
pub struct Connect {
    /// From `GET /cntr/tkn`.
    #[serde(default)]
    pub token: String,
}

/// Subscribes to a channel.
#[derive(Deserialize)]
pub struct Subscribe {
    /// Name of the channel.
    #[serde(default)]
    pub channel: String,
    /// Whether the client asks for publications that it missed since `offset`.
    #[serde(default)]
    pub recover: bool,
    /// Offset of the last publication that the client received.
    #[serde(default)]
    pub offset: u64,
    /// Epoch of that offset: it changes with each start of the server.
    #[serde(default)]
    pub epoch: String,
}

/// Ends a subscription.
#[derive(Deserialize)]
pub struct Unsubscribe {
    /// The channel.
    #[serde(default)]
    pub channel: String,
}

/// A new token.
#[derive(Deserialize)]
pub struct Refresh {
    /// From `GET /cntr/tkn`.
    #[serde(default)]
    pub token: String,
}

/// Errors of the protocol, with their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolError {
    /// The caller has no right to the channel.
    PermissionDenied,
    /// The command is not supported.
    MethodNotFound,
    /// The connection is already subscribed to the channel.
    AlreadySubscribed,
    /// Too many channels.
    LimitExceeded,
    /// The token has expired; the client fetches a new one and reconnects.
    TokenExpired,
    /// Internal error.
    Internal,
}

impl ProtocolError {
    const fn code(self) -> u16 {
        match self {
            ProtocolError::Internal => 100,
            ProtocolError::PermissionDenied => 103,
            ProtocolError::MethodNotFound => 104,
            ProtocolError::AlreadySubscribed => 105,
            ProtocolError::LimitExceeded => 106,
            ProtocolError::TokenExpired => 109,
        }
    }

    const fn message(self) -> &'static str {
        match self {
            ProtocolError::Internal => "internal server error",
            ProtocolError::PermissionDenied => "permission denied",
            ProtocolError::MethodNotFound => "method not found",
            ProtocolError::AlreadySubscribed => "already subscribed",
            ProtocolError::LimitExceeded => "limit exceeded",
            ProtocolError::TokenExpired => "token expired",
        }
    }
}

/// Why the server closes a connection. After codes from 3500 on the client does not reconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The server stops.
    Shutdown,
    /// The token expired and was not replaced.
    Expired,
    /// The client reads too slowly and missed publications.
    Slow,
    /// The client did not answer a ping.
    NoPong,
    /// The token is not valid.
    InvalidToken,
    /// The client violated the protocol.
    BadRequest,
    /// The client sent no `connect` in time.
    Stale,
    /// The notary's session has ended.
    SignedOut,
    /// The limit of anonymous connections is reached.
    Crowded,
    /// The client sent too many commands, or asked for what it has no right to.
    TooManyRefusals,
}

impl Ending {
    /// The close code.
    pub const fn code(self) -> u16 {
        match self {
            Ending::Shutdown => 3001,
            Ending::Expired => 3005,
            Ending::Slow => 3008,
            Ending::NoPong => 3012,
            Ending::InvalidToken => 3500,
            Ending::BadRequest => 3501,
            Ending::Stale => 3502,
            Ending::SignedOut => 3503,
            Ending::Crowded => 3504,
            Ending::TooManyRefusals => 3505,
        }
    }

    /// The close reason.
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Shutdown => "shutdown",
            Ending::Expired => "connection expired",
            Ending::Slow => "slow",
            Ending::NoPong => "no pong",
            Ending::InvalidToken => "invalid token",
            Ending::BadRequest => "bad request",
            Ending::Stale => "stale",
            Ending::SignedOut => "session ended",
            Ending::Crowded => "connection limit",
            Ending::TooManyRefusals => "too many refusals",
        }
    }
}

/// An error as a reply.
pub fn error(id: u32, error: ProtocolError) -> String {
    json!({ "id": id, "error": { "code": error.code(), "message": error.message(), "temporary": error == ProtocolError::Internal } }).to_string()
}

/// The reply to `connect`.
pub fn connected(id: u32, client: &str, seconds: i64, ping_seconds: u64) -> String {
    json!({ "id": id, "connect": { "client": client, "version": "cabinet", "expires": true, "ttl": seconds, "ping": ping_seconds, "pong": true } })
        .to_string()
}

/// The reply to `refresh`.
pub fn refreshed(id: u32, seconds: i64) -> String {
    json!({ "id": id, "refresh": { "expires": true, "ttl": seconds } }).to_string()
}

/// The reply to `unsubscribe`.
pub fn unsubscribed(id: u32) -> String {
    json!({ "id": id, "unsubscribe": {} }).to_string()
}

/// The reply to `subscribe`: the current offset, and the publications missed since the offset of the client.
pub fn subscribed(
    id: u32,
    epoch: &str,
    offset: u64,
    was_recovering: bool,
    missed: Option<&[Publication]>,
) -> String {
    let publications: Vec<Value> = missed.unwrap_or_default().iter().map(publication).collect();
    json!({ "id": id, "subscribe": {
        "recoverable": true, "positioned": true, "epoch": epoch, "offset": offset,
        "was_recovering": was_recovering, "recovered": missed.is_some(), "publications": publications,
    } })
    .to_string()
}

/// A publication as a push.
pub fn pushed(channel: &str, publication_: &Publication) -> String {
    json!({ "push": { "channel": channel, "pub": publication(publication_) } }).to_string()
}

/// The push before the connection is closed.
pub fn disconnecting(ending: Ending) -> String {
    json!({ "push": { "disconnect": { "code": ending.code(), "reason": ending.reason() } } })
        .to_string()
}

fn publication(publication: &Publication) -> Value {
    let data: Value = serde_json::from_str(&publication.data).unwrap_or(Value::Null);
    json!({ "data": data, "offset": publication.offset })
}
