//! What waits is counted, with the moment since when.

use cabinet_domain::payment::AlarmKind;
use cabinet_domain::{AlarmId, PersonName};
use cabinet_metrics::{Queue, Word as _};

use super::acquirer::some_order;
use super::fixtures::{at, begin_attempt, id, locked, notary};
use crate::account::notaries;
use crate::operator::alarms;
use crate::testing::execute;
use crate::worker::outbox;
use crate::worker::queues::{self, Waiting};
use crate::{Store, on_both_databases};

async fn measured(store: &Store, queue: Queue) -> (i64, Option<jiff::Timestamp>) {
    let Waiting { count, since } = store
        .read(move |tx| queues::measure(tx, queue, at(1_000)))
        .await
        .unwrap();
    (count, since)
}

on_both_databases! {
    async fn every_queue_is_empty_at_first(store: Store) {
        for queue in Queue::ALL {
            assert_eq!(measured(&store, *queue).await, (0, None), "{queue:?}");
        }
        assert_eq!(store.read(queues::open_alarms).await, Ok(Vec::new()));
        assert_eq!(store.read(queues::statement_compared).await, Ok(None));
    }

    async fn what_waits_is_counted_from_the_oldest_on(store: Store) {
        let order = some_order(&store).await;
        store
            .write(move |tx| {
                for (number, kind, second) in [(1, outbox::TEXT_MESSAGE, 30), (2, outbox::CLIENT_MESSAGE, 20), (3, "letter", 40), (4, "letter", 10)] {
                    outbox::add(tx, id(900 + number), kind, "{}", at(second), at(second))?;
                }
                outbox::park(tx, id(904), at(50), "no such mailbox")?;
                for (number, kind) in [(1, AlarmKind::ChargedTwice), (2, AlarmKind::LetterRefused), (3, AlarmKind::LetterRefused)] {
                    alarms::raise(tx, AlarmId::new(id(950 + number)), kind, &format!("subject:{number}"), Some(order.id), at(60 + i64::try_from(number).unwrap_or_default()))?;
                }
                alarms::close(tx, AlarmId::new(id(951)), "Повернено", at(70)).map(drop)
            })
            .await
            .unwrap();
        assert_eq!(measured(&store, Queue::TextMessages).await, (2, Some(at(20))));
        assert_eq!(measured(&store, Queue::Letters).await, (1, Some(at(40))));
        assert_eq!(measured(&store, Queue::Parked).await, (1, Some(at(50))));
        assert_eq!(measured(&store, Queue::Alarms).await, (2, Some(at(62))));
        assert_eq!(store.read(queues::open_alarms).await, Ok(vec![(AlarmKind::LetterRefused, 2)]));
    }

    async fn a_name_waits_since_the_first_was_asked_for(store: Store) {
        let olena = notary(&store, 1).await;
        let ask = async |name: Option<&str>, second| {
            let name = name.map(|name| PersonName::parse(name).unwrap());
            store.write(locked(olena, move |tx, notary| notaries::request_name(tx, notary, name.as_ref(), at(second)))).await.unwrap();
            measured(&store, Queue::Names).await
        };
        assert_eq!(ask(Some("Коваль-Бондар Олена Іванівна"), 20).await, (1, Some(at(20))));
        assert_eq!(ask(Some("Бондар Олена Іванівна"), 30).await, (1, Some(at(20))));
        assert_eq!(ask(None, 40).await, (0, None));
        assert_eq!(ask(Some("Бондар Олена Іванівна"), 50).await, (1, Some(at(50))));
        store.write(locked(olena, move |tx, notary| notaries::take_requested_name(tx, notary, at(60)))).await.unwrap();
        assert_eq!(measured(&store, Queue::Names).await, (0, None));
        assert_eq!(ask(Some("Коваль Олена Іванівна"), 70).await, (1, Some(at(70))));
        // Nobody decides about the name of a blocked account.
        store.write(|tx| execute(tx, "update notaries set standing = 'blocked'")).await.unwrap();
        assert_eq!(measured(&store, Queue::Names).await, (0, None));
        assert_eq!(store.read(notaries::with_requested_name).await.unwrap(), []);
    }

    async fn a_payment_is_overdue_from_the_moment_when_it_should_have_been_asked_about(store: Store) {
        let order = some_order(&store).await;
        store
            .write(move |tx| begin_attempt(tx, 300, &order, 10))
            .await
            .unwrap();
        for (next, expected) in [(2_000, (0, None)), (990, (1, Some(at(990))))] {
            let sql = format!("update attempts set next_check_at = {}", at(next).as_microsecond());
            store.write(move |tx| execute(tx, &sql)).await.unwrap();
            assert_eq!(measured(&store, Queue::PaymentChecks).await, expected);
        }
    }
}
