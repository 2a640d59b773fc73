//! Measuring what waits in the database.

use std::sync::Arc;

use cabinet_domain::Clock;
use cabinet_domain::payment::AlarmKind;
use cabinet_metrics::{
    ALARMS_OPEN, QUEUE_OLDEST_SECONDS, QUEUE_WAITING, QUEUES_MEASURED, Queue, STATEMENT_COMPARED,
    TRANSFERS_STOPPED, Word as _,
};
use cabinet_storage::transfer::transfers;
use cabinet_storage::worker::queues::{self, Waiting};
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;

use crate::kernel::refusal::Result;

/// Measures what waits. Every process measures the same database, so a collector takes the largest value.
#[derive(Clone)]
pub struct Measurements {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
}

/// What was found.
struct Found {
    queues: Vec<(Queue, Waiting)>,
    alarms: Vec<(AlarmKind, i64)>,
    compared: Option<Timestamp>,
    transfers_are_stopped: bool,
}

impl Measurements {
    /// Measures every queue, the open alarms and the last comparison with the statement.
    ///
    /// # Errors
    /// Fails where the database can't be read. The metrics keep what was measured last, and the time of that.
    pub async fn measure(&self) -> Result<()> {
        let now = self.clock.now();
        let found = self.store.read_long(move |tx| read(tx, now)).await?;
        for (queue, waiting) in found.queues {
            let age = waiting.since.map(|since| now.duration_since(since));
            let age = age.map_or(0.0, |age| age.as_secs_f64().max(0.0));
            QUEUE_WAITING.set(queue, waiting.count as f64);
            QUEUE_OLDEST_SECONDS.set(queue, age);
        }
        for kind in AlarmKind::ALL {
            let open = found.alarms.iter().find(|(known, _)| *known == kind);
            ALARMS_OPEN.set(kind, open.map_or(0, |(_, open)| *open) as f64);
        }
        let compared = found.compared.map_or(0, Timestamp::as_second);
        STATEMENT_COMPARED.set((), compared as f64);
        TRANSFERS_STOPPED.set((), f64::from(u8::from(found.transfers_are_stopped)));
        QUEUES_MEASURED.set((), now.as_second() as f64);
        Ok(())
    }
}

fn read(tx: &mut Tx, now: Timestamp) -> Result<Found, StorageError> {
    let mut queues = Vec::new();
    for queue in Queue::ALL {
        queues.push((*queue, queues::measure(tx, *queue, now)?));
    }
    Ok(Found {
        queues,
        alarms: queues::open_alarms(tx)?,
        compared: queues::statement_compared(tx)?,
        transfers_are_stopped: transfers::stopped_since(tx)?.is_some(),
    })
}
