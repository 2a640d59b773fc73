//! The frames of the protocol: commands of a client, replies and pushes of the server. Several stand in one frame, one a line.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use cabinet_gateways::realtime::Publication;

/// A command of a client.
#[derive(Deserialize)]
pub struct Command {
    /// Grows with each command; the reply carries it. None: a pong, or a message that wants no reply.
    #[serde(default)]
    pub id: Option<u32>,
    /// The first command of every connection.
    #[serde(default)]
    pub connect: Option<Connect>,
    /// Listen to a channel.
    #[serde(default)]
    pub subscribe: Option<Subscribe>,
    /// Listen no more.
    #[serde(default)]
    pub unsubscribe: Option<Unsubscribe>,
    /// A new token for a connection that goes on.
    #[serde(default)]
    pub refresh: Option<Refresh>,
    /// A message without a reply; the cabinet takes none.
    #[serde(default)]
    pub send: Option<Value>,
    /// Whatever else a client may ask.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Opens a connection.
#[derive(Deserialize)]
pub struct Connect {
    /// From `GET /cntr/tkn`.
    #[serde(default)]
    pub token: String,
}

/// Listens to a channel.
#[derive(Deserialize)]
pub struct Subscribe {
    /// Its name.
    #[serde(default)]
    pub channel: String,
    /// The client was here before and names its place.
    #[serde(default)]
    pub recover: bool,
    /// The place.
    #[serde(default)]
    pub offset: u64,
    /// The start of the server the place belongs to.
    #[serde(default)]
    pub epoch: String,
}

/// Listens no more.
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
    /// The caller may not listen to the channel.
    PermissionDenied,
    /// There is no such method here.
    MethodNotFound,
    /// The connection listens to the channel already.
    AlreadySubscribed,
    /// Too many channels.
    LimitExceeded,
    /// The token was good once; the client fetches another and comes again.
    TokenExpired,
    /// A fault of ours.
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

/// Why the server ends a connection. Codes from 3500 on are for good, the others ask the client to come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The process stops.
    Shutdown,
    /// The token ran out and no other came.
    Expired,
    /// The client reads too slowly.
    Slow,
    /// The client did not answer a ping.
    NoPong,
    /// The token is none of ours.
    InvalidToken,
    /// The client does not keep to the protocol.
    BadRequest,
    /// The client said nothing.
    Stale,
    /// Too many who are not signed in listen already.
    Crowded,
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
            Ending::Crowded => 3504,
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
            Ending::Crowded => "connection limit",
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

/// The reply to `subscribe`: the place, and what was missed since the place the client named.
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
