// SPDX-License-Identifier: Apache-2.0
//! Objects of the garden as values of expressions, converted once for each version of an object.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, LazyLock, Weak};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::shoot_lists::ShootLists;
use garden_gate_cel::{EvaluationError, ExceededLimit, Value};

/// The number of values in all cached results: about 16 MiB.
const CAPACITY: u64 = 1 << 18;
/// The estimated number of cached results; one shard has the whole capacity.
const RESULTS: usize = 32;

/// The number of converted values that count as a cost of one.
pub(super) const VALUES_OF_COST: u64 = 4;
/// The number of bytes of a string that take as much memory as a value.
const VALUE: usize = 32;

/// Returns the number of values in a value; long strings count more than once.
pub(super) fn weight(value: &Value) -> u64 {
    let text = |length: usize| u64::try_from(1 + length / VALUE).unwrap_or(u64::MAX);
    match value {
        Value::String(it) => text(it.len()),
        Value::Bytes(it) => text(it.len()),
        Value::List(list) => 1 + list.items().iter().map(weight).sum::<u64>(),
        Value::Map(map) => {
            let weights = map.iter().map(|(key, value)| weight(key) + weight(value));
            1 + weights.sum::<u64>()
        }
        Value::Optional(Some(inner)) => 1 + weight(inner),
        _ => 1,
    }
}

/// Cache of converted objects, shared by all clones of a snapshot and dropped with the last one.
///
/// Keys are the addresses of the objects from which a value is made. Objects in a snapshot are immutable, and a cached
/// value keeps their allocations, so that an address identifies one version of an object.
#[derive(Default)]
pub(super) struct ConvertedObjects {
    objects: Objects,
    pub(super) shoots: ShootLists,
}

struct Objects(LazyLock<Cache<[usize; 2], Converted, Weight>>);

#[derive(Clone)]
struct Converted {
    value: Value,
    weight: u64,
    /// Keeps the addresses in the key from being reused, without keeping the objects.
    _sources: [Weak<dyn Any + Send + Sync>; 2],
}

#[derive(Clone)]
struct Weight;

impl Weighter<[usize; 2], Converted> for Weight {
    fn weight(&self, _: &[usize; 2], converted: &Converted) -> u64 {
        converted.weight
    }
}

impl Default for Objects {
    fn default() -> Self {
        let cache = || Cache::with_weighter(RESULTS, CAPACITY, Weight);
        Self(LazyLock::new(cache))
    }
}

impl fmt::Debug for ConvertedObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConvertedObjects").finish_non_exhaustive()
    }
}

impl ConvertedObjects {
    /// Returns the value of two objects, from the cache or converted.
    ///
    /// # Errors
    /// Fails with a limit if the conversion takes too long for a quick evaluation.
    pub(super) fn value<A: Any + Send + Sync, B: Any + Send + Sync>(
        &self,
        (first, second): (&Arc<A>, &Arc<B>),
        is_possible: bool,
        convert: impl FnOnce() -> Value,
    ) -> Result<Value, EvaluationError> {
        let key = [Arc::as_ptr(first).addr(), Arc::as_ptr(second).addr()];
        let cache = &self.objects.0;
        if let Some(known) = cache.get(&key) {
            return Ok(known.value);
        }
        if !is_possible {
            return Err(EvaluationError::Exceeded(ExceededLimit::Work));
        }
        let (first, second) = (Arc::downgrade(first), Arc::downgrade(second));
        let value = convert();
        let converted =
            Converted { weight: weight(&value), value: value.clone(), _sources: [first, second] };
        cache.insert(key, converted);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use super::{CAPACITY, ConvertedObjects};
    use garden_gate_cel::Value;

    #[test]
    fn object_is_converted_once_for_each_version() {
        let cache = ConvertedObjects::default();
        let conversions = Cell::new(0_i64);
        let value = |object: &Arc<u32>| {
            let convert = || {
                conversions.set(conversions.get() + 1);
                Value::from(i64::from(**object))
            };
            cache.value((object, object), true, convert).unwrap()
        };
        let object = Arc::new(7);
        let values = [value(&object), value(&object)].map(|it| it.to_string());
        assert_eq!((values, conversions.get()), (["7", "7"].map(str::to_owned), 1));
        // Freed allocations are likely to be reused at once.
        for number in 0..100 {
            assert_eq!(value(&Arc::new(number)).to_string(), number.to_string());
        }
        assert_eq!(conversions.get(), 101);
    }

    #[test]
    fn only_cached_values_are_quick() {
        let cache = ConvertedObjects::default();
        let object = Arc::new(7);
        let value = |is_possible| cache.value((&object, &object), is_possible, || Value::Null);
        assert!(value(false).is_err());
        assert!(value(true).is_ok() && value(false).is_ok());
    }

    #[test]
    fn converted_objects_are_bounded() {
        let cache = ConvertedObjects::default();
        let objects: Vec<Arc<usize>> = (0..40).map(Arc::new).collect();
        let large = || Value::list(vec![Value::Null; 20_000]);
        for object in &objects {
            cache.value((object, object), true, large).unwrap();
        }
        assert!(cache.objects.0.weight() <= CAPACITY);
        let is_kept = |it: &&Arc<usize>| cache.value((*it, *it), false, large).is_ok();
        let kept = objects.iter().filter(is_kept).count();
        assert!((1..=13).contains(&kept), "{kept}");
    }
}
