// SPDX-License-Identifier: Apache-2.0
//! Memory that requests hold, from the first byte of a body to the last byte of a response.
//!
//! The larger a request, the more it must leave free, so that large requests never block ordinary ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum body size.
///
/// Kubernetes stores objects up to 1.5 MiB; a review has two, and its JSON may be larger than the stored form.
pub(crate) const BODY_LIMIT: usize = 8 << 20;
/// Maximum length of a UID in bytes.
/// API servers send UUIDs.
pub(crate) const UID_LIMIT: usize = 256;
/// Maximum total length of the user information in bytes.
/// Tokens with more do not fit into a header.
pub(crate) const USER_LIMIT: usize = 64 << 10;
/// Multiple of the request size that a request must leave free.
const OTHERS: u64 = 4;

/// The memory for all requests together, in estimated bytes.
#[derive(Debug)]
pub(crate) struct Budget {
    size: u64,
    held: AtomicU64,
}

/// The reason why memory cannot be reserved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ReserveError {
    /// The size exceeds the limit for a single request, which is the value in bytes.
    ExceedsCapacity(u64),
    /// Other requests hold too much memory.
    Exhausted,
}

/// Memory reserved by a request; released on drop.
#[derive(Debug)]
pub(crate) struct Permit {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Budget {
    pub(crate) fn new(size: u64) -> Arc<Self> {
        let held = AtomicU64::new(0);
        Arc::new(Self { size, held })
    }

    /// Returns an empty permit for a new request.
    pub(crate) fn permit(self: &Arc<Self>) -> Permit {
        let budget = Arc::clone(self);
        Permit { budget, bytes: 0 }
    }

    /// Returns the number of bytes that a request of this size must leave free.
    fn reserve(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(OTHERS).min(self.size / 4)
    }

    fn largest(&self) -> u64 {
        self.size - self.size / 4
    }

    #[cfg(test)]
    pub(crate) fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }
}

impl Permit {
    /// Reserves exactly `bytes`.
    /// On failure, the former reservation is kept.
    pub(crate) fn hold(&mut self, bytes: u64) -> Result<(), ReserveError> {
        let Some(more) = bytes.checked_sub(self.bytes) else {
            self.budget.held.fetch_sub(self.bytes - bytes, Ordering::Relaxed);
            self.bytes = bytes;
            return Ok(());
        };
        let Budget { size, held } = &*self.budget;
        if bytes > self.budget.largest() {
            return Err(ReserveError::ExceedsCapacity(self.budget.largest()));
        }
        let limit = size - self.budget.reserve(bytes);
        held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
            held.checked_add(more).filter(|held| *held <= limit)
        })
        .map_err(|_| ReserveError::Exhausted)?;
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
    use super::{Budget, ReserveError};

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
        assert_eq!(second.hold(61), Err(ReserveError::Exhausted));
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
        assert_eq!(permit.hold(751), Err(ReserveError::ExceedsCapacity(750)));
        assert_eq!(budget.held(), 10);
        assert_eq!(permit.hold(750), Ok(()));
    }
}
