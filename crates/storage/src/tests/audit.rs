//! The audit trail: what is appended is read, nothing else can be done, and what an intruder does all the same is noticed.

use cabinet_domain::{
    Actor, AuditAction, AuditChange, AuditEvent, AuditEventId, AuditObject, AuditSeal, AuditValue,
    Browser, ItemId, Network, NotaryId, Origin, TransferId,
};

use jiff::SignedDuration;

use super::fixtures::{at, client, id, notary, order};
use crate::audit::chain::{self, Break, Keeps};
use crate::audit::{AuditFilter, insert, page};
use crate::testing::{execute, number};
use crate::{ConstraintKind, StorageError, Store, Tx, on_both_databases};

fn event(number: u64, second: i64) -> AuditEvent {
    AuditEvent {
        id: AuditEventId::new(id(number)),
        created_at: at(second),
        origin: Origin::worker(),
        action: AuditAction::OrderPaid,
        notary_id: None,
        order_id: None,
        object: None,
        changes: Vec::new(),
    }
}

/// An event in which every field has a value.
fn full_event(number: u64, notary: NotaryId) -> AuditEvent {
    let change = |field: &str, from: Option<&'static str>, to: Option<&'static str>| AuditChange {
        field: field.to_owned(),
        from: from.map(AuditValue::word),
        to: to.map(AuditValue::word),
    };
    AuditEvent {
        origin: Origin {
            actor: Actor::Notary(notary),
            network: Some(Network::of([198, 51, 100, 7].into())),
            browser: Browser::of_user_agent("Firefox/141.0 (Windows)"),
        },
        action: AuditAction::ReceiptsDownloaded,
        notary_id: Some(notary),
        object: Some(AuditObject::Item(ItemId::new(id(7)))),
        changes: vec![
            change("a \"quoted\" field", Some("sent"), Some("credited")),
            change("b", None, Some("x")),
        ],
        ..event(number, 5)
    }
}

async fn append(store: &Store, events: Vec<AuditEvent>) {
    let write = move |tx: &mut Tx| events.iter().try_for_each(|event| insert(tx, event));
    store.write(write).await.unwrap();
}

/// Appends so many events, a second apart, and seals them.
async fn sealed(store: &Store, count: u64) {
    let events = (1..=count)
        .zip(1..)
        .map(|(number, second)| event(number, second));
    append(store, events.collect()).await;
    store.write(chain::seal).await.unwrap();
}

async fn broken(store: &Store) -> Vec<Break> {
    chain::check(store, None, Keeps::Unknown)
        .await
        .unwrap()
        .breaks
}

/// Runs statements after removing every trigger, as an intruder with the password of the database could.
async fn as_intruder(store: &Store, statements: &'static [&'static str]) {
    let is_sqlite = store.is_sqlite();
    let write = move |tx: &mut Tx| -> Result<(), StorageError> {
        for (trigger, table) in [
            ("audit_events_are_inserted_unsealed", "audit_events"),
            ("audit_events_are_not_updated", "audit_events"),
            ("audit_events_are_not_deleted", "audit_events"),
        ] {
            let of = if is_sqlite {
                String::new()
            } else {
                format!(" on {table}")
            };
            execute(tx, &format!("drop trigger if exists {trigger}{of}"))?;
        }
        for statement in statements {
            execute(tx, statement)?;
        }
        Ok(())
    };
    store.write(write).await.unwrap();
}

/// Returns the constraint that refuses a statement.
async fn refused(store: &Store, sql: &'static str) -> String {
    match store.write(move |tx| execute(tx, sql)).await {
        Err(StorageError::Constraint {
            kind: ConstraintKind::Check,
            name,
        }) => name,
        other => panic!("{sql}: {other:?}"),
    }
}

/// A copy of the first event as the fourth.
const PUT_IN: &str =
    "insert into audit_events (id, created_at, actor, action, changes, sequence, hash)
    select ID, created_at, actor, action, changes, 4, hash from audit_events where sequence = 1";

on_both_databases! {
    async fn an_event_is_read_as_it_was_recorded_and_once(store: Store) {
        let olena = notary(&store, 1).await;
        let full = full_event(11, olena);
        let operator = AuditEvent { origin: Origin::operator("oksana".to_owned()), ..event(12, 6) };
        let stranger = AuditEvent { origin: Origin { actor: Actor::Stranger, ..Origin::worker() }, ..event(13, 7) };
        let all = vec![full, operator, stranger, event(14, 8)];
        append(&store, all.clone()).await;
        // A unit of work that runs twice.
        append(&store, all.clone()).await;
        let listed = store.read(|tx| page(tx, &AuditFilter::default(), None, 10)).await.unwrap();
        let read: Vec<AuditEvent> = listed.iter().map(|listed| listed.event.clone()).collect();
        assert_eq!(read, all);
        assert!(listed.iter().all(|listed| listed.seal.is_none()));
        store.write(chain::seal).await.unwrap();
        let listed = store.read(|tx| page(tx, &AuditFilter::default(), None, 10)).await.unwrap();
        let numbers: Vec<i64> = listed.iter().map(|listed| listed.seal.unwrap().sequence).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
        assert_eq!(broken(&store).await, []);
    }

    async fn events_are_found_by_what_they_concern(store: Store) {
        let (olena, taras) = (notary(&store, 1).await, notary(&store, 2).await);
        let client = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let order = order(&store, 200, olena, client.id, 20).await;
        append(&store, vec![
            AuditEvent { notary_id: Some(olena), order_id: Some(order.id), ..event(1, 1) },
            AuditEvent { notary_id: Some(taras), action: AuditAction::SignedIn, ..event(2, 2) },
            AuditEvent { notary_id: Some(olena), object: Some(AuditObject::Transfer(TransferId::new(id(9)))), ..event(3, 3) },
            AuditEvent { order_id: Some(order.id), ..event(4, 3) },
        ]).await;
        let found = |filter: AuditFilter, after: Option<AuditEvent>, limit| {
            let store = store.clone();
            async move {
                let listed = store.read(move |tx| page(tx, &filter, after.as_ref(), limit)).await.unwrap();
                let number = |listed: &crate::audit::ListedEvent| listed.event.id.uuid().as_u128() & 0xff;
                (listed.iter().map(number).collect::<Vec<u128>>(), listed.iter().map(|listed| listed.order_number).collect::<Vec<_>>())
            }
        };
        let filter = AuditFilter::default();
        let of_order = AuditFilter { order: Some(order.id), ..filter };
        assert_eq!(found(of_order, None, 9).await, (vec![1, 4], vec![Some(order.number); 2]));
        assert_eq!(found(AuditFilter { notary: Some(olena), ..filter }, None, 9).await.0, [1, 3]);
        assert_eq!(found(AuditFilter { notary: Some(olena), ..of_order }, None, 9).await.0, [1]);
        assert_eq!(found(AuditFilter { since: Some(at(2)), ..filter }, None, 9).await.0, [2, 3, 4]);
        assert_eq!(found(AuditFilter { action: Some(AuditAction::SignedIn), ..filter }, None, 9).await.0, [2]);
        assert_eq!(found(filter, None, 3).await.0, [1, 2, 3]);
        assert_eq!(found(filter, Some(event(3, 3)), 3).await.0, [4]);
        assert_eq!(found(filter, Some(event(4, 3)), 3).await.0, [0; 0]);
    }

    async fn the_database_refuses_to_change_the_trail(store: Store) {
        sealed(&store, 2).await;
        append(&store, vec![event(3, 3)]).await;
        let events = "audit_events_append_only";
        for sql in [
            "update audit_events set action = 'signed_in' where sequence = 1",
            "update audit_events set sequence = 9 where sequence = 1",
            "update audit_events set hash = null, sequence = null where sequence = 1",
            "update audit_events set changes = '[]', sequence = 9, hash = (select hash from audit_events where sequence = 1), actor = 'stranger' where sequence is null",
            "update audit_events set created_at = created_at",
            "delete from audit_events where sequence = 1",
            "delete from audit_events where sequence is null",
        ] {
            assert_eq!(refused(&store, sql).await, events, "{sql}");
        }
        let starts = "audit_starts_append_only";
        assert_eq!(refused(&store, "insert into audit_starts (sequence, hash, created_at) select 1, hash, 0 from audit_events where sequence = 2").await, starts);
        store.write(|tx| chain::begin_at(tx, at(2), at(9))).await.unwrap();
        store.write(|tx| chain::remove_before_start(tx, 100)).await.unwrap();
        assert_eq!(refused(&store, "update audit_starts set created_at = 0").await, starts);
        assert_eq!(refused(&store, "delete from audit_starts").await, starts);
        if store.is_sqlite() {
            // Replacing would delete a row without asking the trigger.
            let replace = "insert or replace into audit_events (id, created_at, actor, action, changes) select id, 0, 'worker', 'x', '[]' from audit_events";
            assert_eq!(store.write(move |tx| execute(tx, replace)).await, Ok(0));
        } else {
            assert_eq!(refused(&store, "truncate audit_events").await, events);
            assert_eq!(refused(&store, "truncate audit_starts").await, starts);
        }
        assert_eq!(store.read(|tx| number(tx, "select count(*) from audit_events")).await, Ok(2));
        assert_eq!(broken(&store).await, []);
    }

    async fn whoever_empties_the_trail_is_found_by_its_beginning(store: Store) {
        let day = 24 * 60 * 60;
        let now = 1_000 * day;
        let kept = Keeps::For(SignedDuration::from_hours(24 * 365), at(now));
        for number in 1..=1_000 {
            if number % 10 == 0 {
                append(&store, vec![event(number, i64::try_from(number).unwrap() * day)]).await;
            }
        }
        store.write(chain::seal).await.unwrap();
        let breaks = async |noted: Option<AuditSeal>, keeps| chain::check(&store, noted, keeps).await.unwrap().breaks;
        let noted = store.read(chain::end).await.unwrap();
        // What the worker does after 365 days is right.
        store.write(move |tx| chain::begin_at(tx, at(now - 365 * day), at(now))).await.unwrap();
        store.write(|tx| chain::remove_before_start(tx, 1_000)).await.unwrap();
        assert_eq!(breaks(Some(noted), kept).await, []);
        assert_eq!(breaks(Some(noted), Keeps::All).await, [Break::BeginsTooLate(63)]);
        // A seal that is older than the events are kept says nothing any more, and is refused.
        let old = AuditSeal { sequence: 3, ..noted };
        assert_eq!(breaks(Some(old), kept).await, [Break::BeginsAfterNoted(63, 3)]);

        // An intruder makes the trail begin with its end, and removes the rest by what the triggers allow.
        store.write(move |tx| chain::begin_at(tx, at(now + day), at(9 * now))).await.unwrap();
        store.write(|tx| chain::remove_before_start(tx, 1_000)).await.unwrap();
        assert_eq!(breaks(None, kept).await, [Break::BeginsTooLate(100)]);
        append(&store, vec![event(2_000, now + day)]).await;
        store.write(chain::seal).await.unwrap();
        assert_eq!(breaks(None, kept).await, [Break::BeginsTooLate(100)]);
        // A date of the beginning that lies far ahead does not help against a noted seal.
        assert_eq!(breaks(Some(AuditSeal { sequence: 99, ..noted }), Keeps::Unknown).await, [Break::BeginsAfterNoted(100, 99)]);
    }

    async fn a_sealed_event_can_not_be_put_in(store: Store) {
        sealed(&store, 3).await;
        let put_in = put_in(&store);
        let outcome = store.write(move |tx| execute(tx, &put_in)).await;
        let Err(StorageError::Constraint { name, .. }) = outcome else { panic!("{outcome:?}") };
        assert_eq!(name, "audit_events_append_only");
    }

    async fn what_happens_later_is_sealed_later(store: Store) {
        sealed(&store, 3).await;
        let end = store.read(chain::end).await.unwrap();
        // It began earlier and was committed later.
        append(&store, vec![event(9, 0)]).await;
        assert!(store.read(chain::has_unsealed).await.unwrap());
        assert_eq!(store.read(|tx| chain::unsealed_before(tx, at(1))).await, Ok(1));
        assert_eq!(store.read(|tx| chain::unsealed_before(tx, at(0))).await, Ok(0));
        assert_eq!(store.write(chain::seal).await, Ok(1));
        assert_eq!(store.write(chain::seal).await, Ok(0));
        assert!(!store.read(chain::has_unsealed).await.unwrap());
        let check = chain::check(&store, Some(end), Keeps::Unknown).await.unwrap();
        assert_eq!((check.events, check.end.sequence, check.broken), (4, 4, 0));
        assert_eq!(check.start, AuditSeal::START);
    }

    async fn parallel_workers_seal_each_event_once(store: Store) {
        let events = (1..=20).map(|number| event(number, 1)).collect();
        append(&store, events).await;
        super::fixtures::at_once(&store, 4, |_| chain::seal).await;
        let check = chain::check(&store, None, Keeps::Unknown).await.unwrap();
        assert_eq!((check.events, check.end.sequence, check.broken), (20, 20, 0));
    }

    async fn a_changed_event_is_noticed(store: Store) {
        sealed(&store, 5).await;
        as_intruder(&store, &["update audit_events set notary_id = id where sequence = 3"]).await;
        assert_eq!(broken(&store).await, [Break::Changed(3)]);
    }

    async fn every_field_is_sealed(store: Store) {
        let olena = notary(&store, 1).await;
        append(&store, vec![full_event(11, olena)]).await;
        store.write(chain::seal).await.unwrap();
        as_intruder(&store, &[]).await;
        for (spoil, mend) in [
            ("created_at = created_at + 1", "created_at = created_at - 1"),
            ("actor = 'stranger', actor_id = null", "actor = 'notary', actor_id = notary_id"),
            ("action = 'signed_in'", "action = 'receipts_downloaded'"),
            ("notary_id = null", "notary_id = actor_id"),
            ("order_id = notary_id", "order_id = null"),
            ("object_kind = 'alarm'", "object_kind = 'item'"),
            ("object_id = object_id || '0'", "object_id = substr(object_id, 1, 36)"),
            ("changes = replace(changes, 'sent', 'x')", "changes = replace(changes, '\"x\",\"credited\"', '\"sent\",\"credited\"')"),
            ("network = null", "network = '198.51.100.0/24'"),
            ("browser = null", "browser = 'Firefox, Windows'"),
            // A text moved to the next field.
            ("network = '198.51.100.0/24Firefox, ', browser = 'Windows'", "network = '198.51.100.0/24', browser = 'Firefox, Windows'"),
        ] {
            store.write(move |tx| execute(tx, &format!("update audit_events set {spoil}"))).await.unwrap();
            assert_eq!(broken(&store).await, [Break::Changed(1)], "{spoil}");
            store.write(move |tx| execute(tx, &format!("update audit_events set {mend}"))).await.unwrap();
            assert_eq!(broken(&store).await, [], "{mend}");
        }
    }

    async fn deleted_events_are_noticed(store: Store) {
        sealed(&store, 6).await;
        as_intruder(&store, &["delete from audit_events where sequence in (1, 3, 4, 6)"]).await;
        assert_eq!(broken(&store).await, [Break::Missing(1, 1), Break::Missing(3, 4), Break::Missing(6, 6)]);
        // The numbers of the last ones are not given again.
        append(&store, vec![event(9, 9)]).await;
        store.write(chain::seal).await.unwrap();
        assert_eq!(broken(&store).await, [Break::Missing(1, 1), Break::Missing(3, 4), Break::Missing(6, 6)]);
    }

    async fn swapped_events_are_noticed(store: Store) {
        sealed(&store, 5).await;
        as_intruder(&store, &[
            "update audit_events set sequence = 100 where sequence = 2",
            "update audit_events set sequence = 2 where sequence = 3",
            "update audit_events set sequence = 3 where sequence = 100",
        ]).await;
        assert_eq!(broken(&store).await, [Break::Changed(2), Break::Changed(3), Break::Changed(4)]);
    }

    async fn an_event_that_was_put_in_is_noticed(store: Store) {
        sealed(&store, 3).await;
        as_intruder(&store, &[]).await;
        let put_in = put_in(&store);
        store.write(move |tx| execute(tx, &put_in)).await.unwrap();
        assert_eq!(broken(&store).await, [Break::Changed(4)]);
    }

    async fn a_trail_that_was_written_anew_differs_from_a_noted_seal(store: Store) {
        sealed(&store, 3).await;
        let noted = store.read(chain::end).await.unwrap();
        as_intruder(&store, &[
            "update audit_events set action = 'signed_in', sequence = null, hash = null",
            "delete from counters where name = 'audit_sealed_until'",
        ]).await;
        store.write(chain::seal).await.unwrap();
        assert_eq!(broken(&store).await, [], "the chain alone does not show it");
        let check = chain::check(&store, Some(noted), Keeps::Unknown).await.unwrap();
        assert_eq!(check.breaks, [Break::NotAsNoted(3)]);
        as_intruder(&store, &["delete from audit_events where sequence = 3", "delete from counters where name = 'audit_sealed_until'"]).await;
        assert_eq!(broken(&store).await, []);
        let check = chain::check(&store, Some(noted), Keeps::Unknown).await.unwrap();
        assert_eq!(check.breaks, [Break::Missing(3, 3)]);
    }

    async fn the_oldest_events_can_be_removed_and_the_rest_still_be_checked(store: Store) {
        let remove = async |before, now| {
            store.write(move |tx| chain::begin_at(tx, before, now)).await.unwrap();
            let mut removed = 0;
            loop {
                match store.write(|tx| chain::remove_before_start(tx, 2)).await.unwrap() {
                    0 => return removed,
                    some => removed += some,
                }
            }
        };
        assert_eq!(remove(at(9), at(9)).await, 0);
        sealed(&store, 5).await;
        let second = store.read(|tx| page(tx, &AuditFilter::default(), None, 2)).await.unwrap()[1].seal.unwrap();
        store.write(|tx| chain::begin_at(tx, at(3), at(9))).await.unwrap();
        // What is before the beginning is no part of the trail, whether it is removed yet or not.
        assert_eq!(store.write(|tx| chain::remove_before_start(tx, 1)).await, Ok(1));
        assert_eq!(store.read(chain::oldest).await, Ok(Some(at(3))));
        assert_eq!(broken(&store).await, []);
        assert_eq!(remove(at(3), at(9)).await, 1);
        let check = chain::check(&store, Some(second), Keeps::Unknown).await.unwrap();
        assert_eq!((check.start, check.events, check.broken), (second, 3, 0));
        let forged = AuditSeal { hash: [7; 32], ..second };
        assert_eq!(chain::check(&store, Some(forged), Keeps::Unknown).await.unwrap().breaks, [Break::NotAsNoted(2)]);
        // Also all of them.
        assert_eq!(remove(at(99), at(99)).await, 3);
        append(&store, vec![event(9, 100)]).await;
        store.write(chain::seal).await.unwrap();
        let check = chain::check(&store, None, Keeps::Unknown).await.unwrap();
        assert_eq!((check.start.sequence, check.end.sequence, check.broken), (5, 6, 0));
        as_intruder(&store, &["delete from audit_events"]).await;
        assert_eq!(broken(&store).await, [Break::Missing(6, 6)]);
    }
}

fn put_in(store: &Store) -> String {
    let fresh = id(99).simple();
    let fresh = if store.is_sqlite() {
        format!("x'{fresh}'")
    } else {
        format!("cast('{fresh}' as uuid)")
    };
    PUT_IN.replace("ID", &fresh)
}
