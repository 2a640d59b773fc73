//! Bodies of requests, which have a time limit, and of answers, which tell when they end.

#![expect(
    clippy::disallowed_methods,
    reason = "the limits of connections are those of this machine"
)]

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use cabinet_metrics::{CONNECTIONS_CUT, CutBy};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

use super::activity::Busy;

/// The body of a request. Reading it fails when its time is over, counted from the first wait for the client.
pub struct TimedBody {
    body: Incoming,
    time: Duration,
    end: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    pub const fn new(body: Incoming, time: Duration) -> TimedBody {
        TimedBody {
            body,
            time,
            end: None,
        }
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let time = this.time;
        let end = this.end.get_or_insert_with(|| Box::pin(sleep(time)));
        match end.as_mut().poll(context) {
            Poll::Ready(()) => {
                CONNECTIONS_CUT.count(CutBy::Body);
                Poll::Ready(Some(Err("the body took too long".into())))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer. The request is over when it is dropped.
pub struct CountedBody {
    body: Body,
    _busy: Busy,
}

impl CountedBody {
    pub const fn new(body: Body, busy: Busy) -> CountedBody {
        CountedBody { body, _busy: busy }
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
