//! Realtime messages to browsers: channels, their last publications and their listeners.
//!
//! The hub is part of the process that serves the browsers. A channel keeps its last publications with increasing offsets, so
//! that a reconnecting browser gets what it missed. The epoch is random for each start, and changes when publications may have been
//! missed. A browser with another epoch reloads, because its offsets are not valid here.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

/// How many publications a channel keeps.
const HISTORY: usize = 32;
/// How many publications a slow listener may be behind before it is disconnected.
const BACKLOG: usize = 64;

/// A published message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Its number in the channel, from 1.
    pub offset: u64,
    /// JSON text.
    pub data: Arc<str>,
}

/// The subscription of a channel.
pub struct Listening {
    /// Within which the offsets count.
    pub epoch: String,
    /// The channel's present offset.
    pub offset: u64,
    /// The publications after the listener's offset, or `None` if they are not known any more.
    pub missed: Option<Vec<Publication>>,
    /// The publications from now on. It ends when the hub begins anew.
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

    /// Returns the publications after `offset`, or `None` if some are forgotten.
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
    /// Random for each start.
    start: String,
    channels: Mutex<Channels>,
}

#[derive(Default)]
struct Channels {
    by_name: HashMap<String, Channel>,
    /// How often the hub has begun anew since its start.
    times: u64,
    /// An offset above those of all forgotten channels. A recreated channel starts there, so that a listener of the forgotten one
    /// reloads and does not get wrong publications.
    start: u64,
}

impl Hub {
    /// Makes a hub without channels. `start` must be random for each start.
    pub fn new(start: String) -> Hub {
        Hub {
            start,
            channels: Mutex::default(),
        }
    }

    /// Forgets all channels, and ends their subscriptions. A listener that comes back reloads.
    pub fn begin_anew(&self) {
        let mut channels = self.channels();
        channels.by_name.clear();
        channels.times += 1;
    }

    fn epoch(&self, channels: &Channels) -> String {
        format!("{}-{}", self.start, channels.times)
    }

    /// Returns whether a channel has, or recently had, a listener. If not, publishing to it is useless.
    pub fn is_known(&self, channel: &str) -> bool {
        self.channels().by_name.contains_key(channel)
    }

    /// Publishes JSON text in a channel. Does nothing if the channel is not known; a later listener loads the data anyway.
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
        // Having no listener is no error.
        let _ = channel.sender.send(publication);
    }

    /// Subscribes to a channel. `since` is the last offset that the listener knows, with its epoch.
    pub fn listen(&self, channel: &str, since: Option<(u64, &str)>) -> Listening {
        let mut channels = self.channels();
        let (start, present) = (channels.start, self.epoch(&channels));
        let channel = channels
            .by_name
            .entry(channel.to_owned())
            .or_insert_with(|| Channel::new(start));
        let missed = since.and_then(|(offset, epoch)| {
            if epoch == present {
                channel.since(offset)
            } else {
                None
            }
        });
        Listening {
            epoch: present,
            offset: channel.offset,
            missed,
            publications: channel.sender.subscribe(),
        }
    }

    /// Forgets channels without listeners. Must be called regularly, or the table only grows.
    pub fn forget_idle(&self) {
        let mut channels = self.channels();
        let Channels { by_name, start, .. } = &mut *channels;
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
        let back = hub.listen("c", Some((1, "now-0")));
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
        assert!(hub.listen("c", Some((10, "now-0"))).missed.is_none());
        assert!(hub.listen("c", Some((99, "before"))).missed.is_none());
        assert!(hub.listen("c", Some((101, "now-0"))).missed.is_none());
        assert_eq!(
            texts(hub.listen("c", Some((98, "now-0"))).missed.unwrap()),
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
        assert!(hub.listen("c", Some((1, "now-0"))).missed.is_none());
        let back = hub.listen("c", Some((other.offset, &other.epoch)));
        assert_eq!(texts(back.missed.unwrap()), ["1", "2", "3"]);
    }

    #[tokio::test]
    async fn after_a_gap_every_subscription_ends_and_nothing_is_passed_off_as_recovered() {
        let hub = Hub::new("now".to_owned());
        let mut first = hub.listen("c", None);
        hub.publish("c", "1");
        hub.begin_anew();
        hub.publish("c", "lost");
        assert_eq!(first.publications.recv().await.unwrap().offset, 1);
        assert!(first.publications.recv().await.is_err());
        let back = hub.listen("c", Some((0, &first.epoch)));
        assert!(back.missed.is_none());
        assert_ne!(back.epoch, first.epoch);
    }
}
