//! One realtime connection.

#![expect(
    clippy::disallowed_methods,
    reason = "pings keep a connection of this machine alive; the expiry of a token follows the clock"
)]

use std::collections::HashMap;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use cabinet_app::{notary_channel, session_channel};
use cabinet_gateways::realtime::Publication;
use futures_util::stream::{SelectAll, StreamExt};
use jiff::Timestamp;
use tokio::sync::broadcast;
use tokio::time::{Instant, sleep_until};
use tokio_stream::wrappers::BroadcastStream;

use super::pace::Pace;
use super::protocol::{self, Command, Connect, Ending, ProtocolError, Subscribe};
use crate::http::limits::Place;
use crate::state::ApiState;
use crate::tokens::realtime::{Listener, Reading};

/// Time limit for the first frame with `connect`.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);
/// Time between two pings.
const PING: Duration = Duration::from_secs(25);
/// Time limit for the answer to a ping.
const PONG_TIME_MAX: Duration = Duration::from_secs(8);
/// Time after the expiry of the token in which the client may send a new one.
const EXPIRY_GRACE: Duration = Duration::from_secs(25);
/// Most channels of one connection.
const CHANNELS_MAX: usize = 16;

type Publications = SelectAll<std::pin::Pin<Box<dyn futures_util::Stream<Item = Heard> + Send>>>;

/// A publication of a channel; `None` when the connection has missed some.
struct Heard {
    channel: String,
    publication: Option<Publication>,
}

struct Connection {
    state: ApiState,
    socket: WebSocket,
    listener: Listener,
    until: Timestamp,
    /// Subscribed channels, each with the handle that ends the subscription.
    channels: HashMap<String, futures_util::stream::AbortHandle>,
    publications: Publications,
    /// Hears when the notary's session ends.
    session_end: Option<broadcast::Receiver<Publication>>,
    opened: Instant,
    pace: Pace,
}

/// What to do after a frame.
enum Next {
    GoOn,
    End(Ending),
    Gone,
}

/// Serves a connection until one side closes it. `unknown` is its place among those of its address, kept unless a notary is signed in.
pub async fn serve(state: ApiState, mut socket: WebSocket, unknown: Place) {
    let Opening {
        id,
        connect,
        commands,
    } = match read_opening(&mut socket).await {
        Ok(opening) => opening,
        Err(Some(ending)) => return end(socket, ending).await,
        Err(None) => return,
    };
    let now = state.services.now();
    let (listener, until) = match state.realtime_tokens.read(&connect.token, now) {
        Reading::Good(listener, until) => (listener, until),
        Reading::Invalid => return end(socket, Ending::InvalidToken).await,
        Reading::Expired => {
            // The client closes the connection, fetches a new token and reconnects, so the rest of the frame is ignored.
            let _ = socket
                .send(Message::text(protocol::error(
                    id,
                    ProtocolError::TokenExpired,
                )))
                .await;
            return;
        }
    };
    let _place = match listener {
        Listener::Notary(..) => {
            drop(unknown);
            None
        }
        Listener::Anonymous => match state.limits.connection_of_stranger() {
            None => return end(socket, Ending::Crowded).await,
            Some(place) => Some((place, unknown)),
        },
    };
    // Before the question, so that an end between the two is heard.
    let session_end = listen_for_end(&state, listener);
    if !is_signed_in(&state, listener).await {
        return end(socket, Ending::SignedOut).await;
    }
    let client = state.services.request_id();
    let reply = protocol::connected(
        id,
        &client,
        until.duration_since(now).as_secs(),
        PING.as_secs(),
    );
    let mut connection = Connection {
        state,
        socket,
        listener,
        until,
        channels: HashMap::new(),
        publications: SelectAll::new(),
        session_end,
        opened: Instant::now(),
        pace: Pace::default(),
    };
    if connection.send(reply).await.is_err() {
        return;
    }
    for command in commands {
        match connection.obey(command).await {
            Next::GoOn => {}
            Next::End(ending) => return end(connection.socket, ending).await,
            Next::Gone => return,
        }
    }
    connection.go_on().await;
}

/// The first frame of a connection: the command `connect` with its id, and the commands after it.
struct Opening {
    id: u32,
    connect: Connect,
    commands: std::vec::IntoIter<Command>,
}

/// Waits for the first frame. An error is the reason to close the connection; `None` if it is closed already.
async fn read_opening(socket: &mut WebSocket) -> Result<Opening, Option<Ending>> {
    let text = match tokio::time::timeout(CONNECT_TIME_MAX, socket.recv()).await {
        Err(_) => return Err(Some(Ending::Stale)),
        Ok(Some(Ok(Message::Text(text)))) => text,
        Ok(Some(Ok(Message::Binary(_)))) => return Err(Some(Ending::BadRequest)),
        Ok(_) => return Err(None),
    };
    let mut commands = protocol::read_frame(&text)
        .ok_or(Some(Ending::BadRequest))?
        .into_iter();
    commands
        .next()
        .and_then(|first| Some((first.id?, first.connect?)))
        .map(|(id, connect)| Opening {
            id,
            connect,
            commands,
        })
        .ok_or(Some(Ending::BadRequest))
}

async fn end(mut socket: WebSocket, ending: Ending) {
    // Ignored: the client may have closed the connection already.
    let _ = socket
        .send(Message::text(protocol::disconnecting(ending)))
        .await;
    let frame = CloseFrame {
        code: ending.code(),
        reason: ending.reason().into(),
    };
    let _ = socket.send(Message::Close(Some(frame))).await;
}

impl Connection {
    async fn go_on(mut self) {
        let mut ping_at = Instant::now() + PING;
        let mut pong_by: Option<Instant> = None;
        let ending = loop {
            let time = self.state.services.time.clone();
            let advanced = time.advanced();
            let left = self.until.duration_since(self.state.services.now());
            let left = Duration::try_from(left).unwrap_or(Duration::ZERO);
            tokio::select! {
                frame = self.socket.recv() => match frame {
                    Some(Ok(Message::Text(text))) => {
                        pong_by = None;
                        match self.take_frame(&text).await {
                            Next::GoOn => {}
                            Next::End(ending) => break Some(ending),
                            Next::Gone => break None,
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Binary(_))) => break Some(Ending::BadRequest),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break None,
                },
                Some(heard) = self.publications.next(), if !self.publications.is_empty() => {
                    let Some(publication) = heard.publication else { break Some(Ending::Slow) };
                    if self.send(protocol::pushed(&heard.channel, &publication)).await.is_err() {
                        break None;
                    }
                }
                ending = session_ended(&mut self.session_end) => break Some(ending),
                () = sleep_until(ping_at) => {
                    // A session may also be ended by a command of the operator, which is another process.
                    if !is_signed_in(&self.state, self.listener).await {
                        break Some(Ending::SignedOut);
                    }
                    ping_at = Instant::now() + PING;
                    pong_by = Some(Instant::now() + PONG_TIME_MAX);
                    if self.send("{}".to_owned()).await.is_err() {
                        break None;
                    }
                }
                () = sleep_until(pong_by.unwrap_or(ping_at)), if pong_by.is_some() => break Some(Ending::NoPong),
                () = time.sleep_since_advance(advanced, left + EXPIRY_GRACE) => break Some(Ending::Expired),
                () = self.state.stopping() => break Some(Ending::Shutdown),
            }
        };
        if let Some(ending) = ending {
            end(self.socket, ending).await;
        }
    }

    async fn send(&mut self, text: String) -> Result<(), axum::Error> {
        self.socket.send(Message::text(text)).await
    }

    async fn take_frame(&mut self, text: &str) -> Next {
        let Some(commands) = protocol::read_frame(text) else {
            return Next::End(Ending::BadRequest);
        };
        for command in commands {
            match self.obey(command).await {
                Next::GoOn => {}
                other => return other,
            }
        }
        Next::GoOn
    }

    async fn obey(&mut self, command: Command) -> Next {
        if !self.pace.takes(self.opened.elapsed()) {
            return self.refuse(command.id, ProtocolError::LimitExceeded).await;
        }
        let Some(id) = command.id else {
            // `{}` is the answer to a ping.
            let is_pong = command.other.is_empty()
                && command.connect.is_none()
                && command.subscribe.is_none();
            return if is_pong {
                Next::GoOn
            } else {
                Next::End(Ending::BadRequest)
            };
        };
        let reply = if command.connect.is_some() {
            return Next::End(Ending::BadRequest);
        } else if let Some(subscribe) = command.subscribe {
            if subscribe.channel.is_empty() {
                return Next::End(Ending::BadRequest);
            }
            match self.subscribe(id, &subscribe).await {
                Ok(reply) => reply,
                Err(error) => return self.refuse(Some(id), error).await,
            }
        } else if let Some(unsubscribe) = command.unsubscribe {
            if let Some(switch) = self.channels.remove(&unsubscribe.channel) {
                switch.abort();
            }
            protocol::unsubscribed(id)
        } else if let Some(refresh) = command.refresh {
            let now = self.state.services.now();
            match self.state.realtime_tokens.read(&refresh.token, now) {
                Reading::Good(listener, until) if listener == self.listener => {
                    self.until = until;
                    protocol::refreshed(id, until.duration_since(now).as_secs())
                }
                // After an error reply the client would not reconnect; after a close it does, with a new token.
                Reading::Expired => return Next::End(Ending::Expired),
                Reading::Good(..) | Reading::Invalid => return Next::End(Ending::InvalidToken),
            }
        } else if command.send.is_some() {
            return Next::GoOn;
        } else {
            return self.refuse(Some(id), ProtocolError::MethodNotFound).await;
        };
        if self.send(reply).await.is_ok() {
            Next::GoOn
        } else {
            Next::Gone
        }
    }

    /// Answers a command that is not carried out. The last refusal ends the connection.
    async fn refuse(&mut self, id: Option<u32>, error: ProtocolError) -> Next {
        if let Some(id) = id
            && self.send(protocol::error(id, error)).await.is_err()
        {
            return Next::Gone;
        }
        if self.pace.refuses() {
            Next::End(Ending::TooManyRefusals)
        } else {
            Next::GoOn
        }
    }

    async fn subscribe(&mut self, id: u32, wanted: &Subscribe) -> Result<String, ProtocolError> {
        if self.channels.contains_key(&wanted.channel) {
            return Err(ProtocolError::AlreadySubscribed);
        }
        let listens_already = !self.channels.is_empty();
        match may_listen(&self.state, self.listener, &wanted.channel, listens_already).await {
            Ok(true) => {}
            Ok(false) => return Err(ProtocolError::PermissionDenied),
            // It is no fault of the client's.
            Err(()) => return Ok(protocol::error(id, ProtocolError::Internal)),
        }
        if self.channels.len() >= CHANNELS_MAX {
            return Err(ProtocolError::LimitExceeded);
        }
        let hub = self.state.services.realtime.hub();
        let since = wanted
            .recover
            .then_some((wanted.offset, wanted.epoch.as_str()));
        let listening = hub.listen(&wanted.channel, since);
        let reply = protocol::subscribed(
            id,
            &listening.epoch,
            listening.offset,
            wanted.recover,
            listening.missed.as_deref(),
        );
        let channel = wanted.channel.clone();
        // The only possible error is that the receiver fell behind. The stream ends when the hub begins anew.
        let publications = BroadcastStream::new(listening.publications)
            .map(Result::ok)
            .chain(futures_util::stream::once(std::future::ready(None)));
        let heard = publications.map(move |publication| Heard {
            channel: channel.clone(),
            publication,
        });
        let (heard, switch) = futures_util::stream::abortable(heard);
        self.channels.insert(wanted.channel.clone(), switch);
        self.publications.push(Box::pin(heard));
        Ok(reply)
    }
}

/// Listens for the end of the listener's session.
fn listen_for_end(
    state: &ApiState,
    listener: Listener,
) -> Option<broadcast::Receiver<Publication>> {
    let Listener::Notary(_, session) = listener else {
        return None;
    };
    let hub = state.services.realtime.hub();
    Some(hub.listen(&session_channel(session), None).publications)
}

/// Waits until the session ends, for ever where there is none. Where its end may have been missed, the client must connect anew.
async fn session_ended(end: &mut Option<broadcast::Receiver<Publication>>) -> Ending {
    match end {
        Some(end) => match end.recv().await {
            Ok(_) => Ending::SignedOut,
            Err(_) => Ending::Slow,
        },
        None => std::future::pending().await,
    }
}

/// Whether the listener's session is alive. Where the database can't be asked, it counts as alive: its channel tells nothing but
/// that something has changed.
async fn is_signed_in(state: &ApiState, listener: Listener) -> bool {
    let Listener::Notary(notary, session) = listener else {
        return true;
    };
    let accounts = &state.services.accounts;
    match accounts.is_session_alive(notary, session).await {
        Ok(alive) => alive,
        Err(error) => {
            error.log("A session can't be asked for", std::time::Instant::now());
            true
        }
    }
}

/// Returns whether the listener may subscribe to the channel: a notary to her own channel or to that of one open call that confirms her
/// session, an anonymous caller to the channel of one open call of a login.
async fn may_listen(
    state: &ApiState,
    listener: Listener,
    channel: &str,
    listens_already: bool,
) -> Result<bool, ()> {
    let session = match listener {
        Listener::Notary(notary, _) if channel == notary_channel(notary) => return Ok(true),
        _ if listens_already => return Ok(false),
        Listener::Notary(_, session) => Some(session),
        Listener::Anonymous => None,
    };
    state
        .services
        .accounts
        .is_open_phone_call(channel, session)
        .await
        .map_err(|error| {
            error.log(
                "A channel's right can't be checked",
                std::time::Instant::now(),
            );
        })
}
