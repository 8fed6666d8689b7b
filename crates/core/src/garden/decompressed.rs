// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::sync::{Arc, OnceLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::read::read;
use garden_gate_model::api::{Compressed, GardenObject};

/// The estimated number of objects in the cache; the actual bound is the weight.
const OBJECTS: usize = 64;
/// Maximum bytes of JSON of all cached objects.
/// Their models take two to four times as much memory.
const MOST_BYTES: u64 = 24 << 20;

/// Cache of decompressed objects, shared by all clones.
#[derive(Clone, Default)]
pub(super) struct DecompressedObjects(Arc<OnceLock<Objects>>);

/// Maps the number of an object to the object and the length of its JSON in bytes.
type Objects = Cache<u64, (GardenObject, usize), Length>;

#[derive(Clone)]
struct Length;

impl Weighter<u64, (GardenObject, usize)> for Length {
    fn weight(&self, _: &u64, (_, length): &(GardenObject, usize)) -> u64 {
        *length as u64
    }
}

impl DecompressedObjects {
    /// Decompresses and parses an object, unless it is cached.
    pub(super) fn object(&self, compressed: &Compressed) -> GardenObject {
        let cache = || Cache::with_weighter(OBJECTS, MOST_BYTES, Length);
        let cache = self.0.get_or_init(cache);
        let number = compressed.number();
        if let Some((object, _)) = cache.get(&number) {
            return object;
        }
        let key = compressed.key();
        let json = compressed.json();
        let object = json
            .and_then(|json| read(key.kind, json.as_str()).ok().flatten())
            .unwrap_or_else(|| {
                let why = "what is kept of it is damaged".to_owned();
                GardenObject::Unreadable(key.clone(), why)
            });
        cache.insert(number, (object.clone(), compressed.length()));
        object
    }
}

impl fmt::Debug for DecompressedObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecompressedObjects").finish_non_exhaustive()
    }
}
