// SPDX-License-Identifier: Apache-2.0
use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A cache of another layer for values that it derives from objects of the garden.
///
/// All clones of a snapshot share it, like the objects themselves. It is dropped with the last one.
#[derive(Clone, Default)]
pub(super) struct DerivedValues(Arc<OnceLock<Box<dyn Any + Send + Sync>>>);

impl DerivedValues {
    /// Returns the cache, which is empty before its first use; `None` if there is one of another type.
    pub(super) fn get<T: Any + Default + Send + Sync>(&self) -> Option<&T> {
        let cache = self.0.get_or_init(|| Box::new(T::default()));
        cache.downcast_ref()
    }
}

impl fmt::Debug for DerivedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DerivedValues").finish_non_exhaustive()
    }
}
