//! What requests hold of the memory, from the first byte of a body to the last byte of an answer.
//!
//! The larger a request, the more it must leave for others, so that large ones can never keep out ordinary ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kubernetes stores objects of at most 1.5 MiB; a review holds two, and JSON may be wider than what is stored.
pub(in crate::server) const BODY_LIMIT: usize = 8 << 20;
/// API servers send UUIDs. Bytes.
pub(in crate::server) const UID_LIMIT: usize = 256;
/// Of all texts about the user; tokens that say more do not fit into a header. Bytes.
pub(in crate::server) const USER_LIMIT: usize = 64 << 10;
/// How many more of its own size a request must leave room for.
const OTHERS: u64 = 4;

/// The memory for all requests together, in estimated bytes.
#[derive(Debug)]
pub(in crate::server) struct Budget {
    size: u64,
    held: AtomicU64,
}

/// Why a request may not hold what it needs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::server) enum Lack {
    /// It would not fit if it were the only one; this many bytes would.
    Ever(u64),
    /// Others hold too much of it.
    Now,
}

/// A request's share of the budget; given back when dropped.
#[derive(Debug)]
pub(in crate::server) struct Permit {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Budget {
    pub(in crate::server) fn new(size: u64) -> Arc<Self> {
        let held = AtomicU64::new(0);
        Arc::new(Self { size, held })
    }

    /// The share of a request of which nothing has come yet.
    pub(in crate::server) fn permit(self: &Arc<Self>) -> Permit {
        let budget = Arc::clone(self);
        Permit { budget, bytes: 0 }
    }

    /// What a request of this size must leave.
    fn reserve(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(OTHERS).min(self.size / 4)
    }

    fn largest(&self) -> u64 {
        self.size - self.size / 4
    }

    #[cfg(test)]
    pub(in crate::server) fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }
}

impl Permit {
    /// Holds exactly `bytes` from now on; if that is not possible, what was held before.
    pub(in crate::server) fn hold(&mut self, bytes: u64) -> Result<(), Lack> {
        let Some(more) = bytes.checked_sub(self.bytes) else {
            self.budget
                .held
                .fetch_sub(self.bytes - bytes, Ordering::Relaxed);
            self.bytes = bytes;
            return Ok(());
        };
        let Budget { size, held } = &*self.budget;
        if bytes > self.budget.largest() {
            return Err(Lack::Ever(self.budget.largest()));
        }
        let limit = size - self.budget.reserve(bytes);
        held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
            held.checked_add(more).filter(|held| *held <= limit)
        })
        .map_err(|_| Lack::Now)?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Lack};

    #[test]
    fn what_is_held_is_given_back() {
        let budget = Budget::new(1000);
        let mut permit = budget.permit();
        for bytes in [10, 300, 20] {
            assert_eq!(permit.hold(bytes), Ok(()));
            assert_eq!(budget.held(), bytes);
        }
        drop(permit);
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn large_requests_leave_room_for_small_ones() {
        let budget = Budget::new(1000);
        let (mut first, mut second) = (budget.permit(), budget.permit());
        assert_eq!(first.hold(700), Ok(()));
        assert_eq!(second.hold(61), Err(Lack::Now));
        let mut small: Vec<_> = (0..25).map(|_| budget.permit()).collect();
        for small in &mut small {
            assert_eq!(small.hold(10), Ok(()));
        }
        assert_eq!(budget.held(), 950);
        drop(first);
        assert_eq!(second.hold(61), Ok(()));
    }

    #[test]
    fn what_could_never_fit_is_told_apart() {
        let budget = Budget::new(1000);
        let mut permit = budget.permit();
        assert_eq!(permit.hold(10), Ok(()));
        assert_eq!(permit.hold(751), Err(Lack::Ever(750)));
        assert_eq!(budget.held(), 10);
        assert_eq!(permit.hold(750), Ok(()));
    }
}
