//! Numbers of orders and of transfers' documents that a process on PostgreSQL has reserved for itself.
//!
//! A number that is drawn from the row of its counter locks that row until the commit, so all orders of the installation would wait for each
//! other. So a process takes many numbers at once, in a transaction of its own, and gives them out from its memory. A number that was given
//! out is never taken back: a unit of work that is undone, and a process that ends, leave gaps.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engine::error::Result;

/// What is numbered by every order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Series {
    /// Orders.
    Orders,
    /// Documents of transfers.
    Documents,
}

impl Series {
    /// The name of its counter.
    pub(crate) const fn counter(self) -> &'static str {
        match self {
            Series::Orders => "order_number",
            Series::Documents => "document_number",
        }
    }

    /// The first number that is ever given. That of an order has six digits, so that all orders look alike.
    pub(crate) const fn first(self) -> i64 {
        match self {
            Series::Orders => 100_001,
            Series::Documents => 1,
        }
    }
}

/// The numbers of a process that are not given out yet.
#[derive(Debug, Default)]
pub(crate) struct ReservedNumbers {
    orders: Mutex<VecDeque<i64>>,
    documents: Mutex<VecDeque<i64>>,
    /// Held while more are reserved, because many units of work run out of them together.
    reserving: Mutex<()>,
    /// How often they were dropped.
    dropped: AtomicU64,
}

impl ReservedNumbers {
    fn of(&self, series: Series) -> MutexGuard<'_, VecDeque<i64>> {
        let numbers = match series {
            Series::Orders => &self.orders,
            Series::Documents => &self.documents,
        };
        numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a number out. `None`: more must be reserved.
    pub(crate) fn take(&self, series: Series) -> Option<i64> {
        self.of(series).pop_front()
    }

    /// Has more numbers reserved, unless there are so many by now.
    pub(crate) fn replenish(
        &self,
        series: Series,
        wanted: usize,
        reserve: impl FnOnce() -> Result<std::ops::RangeInclusive<i64>>,
    ) -> Result<()> {
        let _one_at_a_time = self
            .reserving
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if self.of(series).len() < wanted {
            let dropped = self.dropped.load(Ordering::SeqCst);
            let reserved = reserve()?;
            let mut numbers = self.of(series);
            // The database that knew of these may be gone since.
            if self.dropped.load(Ordering::SeqCst) == dropped {
                numbers.extend(reserved);
            }
        }
        Ok(())
    }

    /// Drops them, because the database may not know that they were reserved.
    pub(crate) fn forget(&self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
        self.of(Series::Orders).clear();
        self.of(Series::Documents).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_dropped_while_they_are_reserved_are_not_given() {
        let numbers = ReservedNumbers::default();
        let reserve = || {
            numbers.forget();
            Ok(1..=2)
        };
        numbers.replenish(Series::Orders, 1, reserve).unwrap();
        assert_eq!(numbers.take(Series::Orders), None);
        numbers.replenish(Series::Orders, 1, || Ok(3..=4)).unwrap();
        assert_eq!(numbers.take(Series::Orders), Some(3));
    }
}
