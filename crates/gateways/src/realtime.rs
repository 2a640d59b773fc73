//! What the server tells without being asked: channels, their last publications, and who listens.
//!
//! The hub lives in the process that serves the browsers. A channel remembers its last publications under growing offsets, so
//! that a browser whose connection broke off gets what it missed. The epoch is random for each start: offsets of another start
//! mean nothing here, and a browser that comes back with them loads anew.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

/// Publications a channel remembers.
const HISTORY: usize = 32;
/// Publications a slow listener may fall behind before it is cut off.
const BACKLOG: usize = 64;

/// Something that was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Its place in the channel, from 1.
    pub offset: u64,
    /// JSON text.
    pub data: Arc<str>,
}

/// What a new listener of a channel gets.
pub struct Listening {
    /// The channel's place at this moment.
    pub offset: u64,
    /// What was missed since the place the listener named; `None` if that can't be told any more.
    pub missed: Option<Vec<Publication>>,
    /// What comes from now on.
    pub publications: broadcast::Receiver<Publication>,
}

struct Channel {
    offset: u64,
    history: VecDeque<Publication>,
    sender: broadcast::Sender<Publication>,
}

impl Channel {
    fn new(offset: u64) -> Channel {
        Channel {
            offset,
            history: VecDeque::with_capacity(HISTORY),
            sender: broadcast::Sender::new(BACKLOG),
        }
    }

    /// What came after `offset`, if all of it is still remembered.
    fn since(&self, offset: u64) -> Option<Vec<Publication>> {
        if offset > self.offset {
            return None;
        }
        let oldest = self
            .history
            .front()
            .map_or(self.offset + 1, |publication| publication.offset);
        let all_there = offset + 1 >= oldest;
        all_there.then(|| {
            self.history
                .iter()
                .filter(|publication| publication.offset > offset)
                .cloned()
                .collect()
        })
    }
}

/// All channels of this process.
pub struct Hub {
    epoch: String,
    channels: Mutex<Channels>,
}

#[derive(Default)]
struct Channels {
    by_name: HashMap<String, Channel>,
    /// A place that no forgotten channel had reached. A channel that is made anew starts there, so that a listener of the
    /// forgotten one is told to load anew, and not given the wrong publications.
    start: u64,
}

impl Hub {
    /// A hub without channels. `epoch` is random for each start.
    pub fn new(epoch: String) -> Hub {
        Hub {
            epoch,
            channels: Mutex::default(),
        }
    }

    /// Names this start of the hub.
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// Whether anybody listens to the channel, or may come back to it: if not, there is nobody to tell anything.
    pub fn is_known(&self, channel: &str) -> bool {
        self.channels().by_name.contains_key(channel)
    }

    /// Publishes JSON text in a channel. Nothing happens where nobody ever listened; who listens later loads anew.
    pub fn publish(&self, channel: &str, data: &str) {
        let mut channels = self.channels();
        let Some(channel) = channels.by_name.get_mut(channel) else {
            return;
        };
        channel.offset += 1;
        let publication = Publication {
            offset: channel.offset,
            data: data.into(),
        };
        if channel.history.len() == HISTORY {
            channel.history.pop_front();
        }
        channel.history.push_back(publication.clone());
        // Nobody listening is no fault.
        let _ = channel.sender.send(publication);
    }

    /// Listens to a channel; `since` is the place the listener knows from before, with the epoch it belongs to.
    pub fn listen(&self, channel: &str, since: Option<(u64, &str)>) -> Listening {
        let mut channels = self.channels();
        let start = channels.start;
        let channel = channels
            .by_name
            .entry(channel.to_owned())
            .or_insert_with(|| Channel::new(start));
        let missed = since.and_then(|(offset, epoch)| {
            if epoch == self.epoch {
                channel.since(offset)
            } else {
                None
            }
        });
        Listening {
            offset: channel.offset,
            missed,
            publications: channel.sender.subscribe(),
        }
    }

    /// Forgets channels that nobody listens to and whose last publications nobody will ask for; called now and then, or the
    /// table only grows.
    pub fn forget_idle(&self) {
        let mut channels = self.channels();
        let Channels { by_name, start } = &mut *channels;
        by_name.retain(|_, channel| {
            let kept = channel.sender.receiver_count() > 0;
            if !kept {
                *start = (*start).max(channel.offset + 1);
            }
            kept
        });
    }

    fn channels(&self) -> MutexGuard<'_, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(publications: Vec<Publication>) -> Vec<String> {
        publications
            .into_iter()
            .map(|publication| publication.data.to_string())
            .collect()
    }

    #[tokio::test]
    async fn a_listener_gets_what_comes_and_what_it_missed() {
        let hub = Hub::new("now".to_owned());
        let mut first = hub.listen("c", None);
        hub.publish("c", "1");
        hub.publish("c", "2");
        assert_eq!(first.publications.recv().await.unwrap().offset, 1);
        let back = hub.listen("c", Some((1, "now")));
        assert_eq!(
            (back.offset, texts(back.missed.unwrap())),
            (2, vec!["2".to_owned()])
        );
    }

    #[test]
    fn what_is_forgotten_is_not_passed_off_as_recovered() {
        let hub = Hub::new("now".to_owned());
        let _listening = hub.listen("c", None);
        for number in 0..100 {
            hub.publish("c", &number.to_string());
        }
        assert!(hub.listen("c", Some((10, "now"))).missed.is_none());
        assert!(hub.listen("c", Some((99, "before"))).missed.is_none());
        assert!(hub.listen("c", Some((101, "now"))).missed.is_none());
        assert_eq!(
            texts(hub.listen("c", Some((98, "now"))).missed.unwrap()),
            ["98", "99"]
        );
    }

    #[test]
    fn a_channel_is_known_while_somebody_may_come_back_to_it() {
        let hub = Hub::new("now".to_owned());
        assert!(!hub.is_known("c"));
        let listening = hub.listen("c", None);
        hub.forget_idle();
        assert!(hub.is_known("c"));
        drop(listening);
        assert!(hub.is_known("c"));
        hub.forget_idle();
        assert!(!hub.is_known("c"));
    }

    #[test]
    fn a_listener_that_comes_back_to_a_channel_made_anew_loads_anew() {
        let hub = Hub::new("now".to_owned());
        drop(hub.listen("c", None));
        hub.publish("c", "before");
        hub.forget_idle();
        let other = hub.listen("c", None);
        for news in ["1", "2", "3"] {
            hub.publish("c", news);
        }
        assert!(hub.listen("c", Some((1, "now"))).missed.is_none());
        let back = hub.listen("c", Some((other.offset, "now")));
        assert_eq!(texts(back.missed.unwrap()), ["1", "2", "3"]);
    }
}
