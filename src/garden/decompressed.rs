use std::fmt;
use std::sync::{Arc, OnceLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::read::read;
use crate::model::{Compressed, GardenObject};

/// Objects that the cache is laid out for; it is bounded by weight.
const OBJECTS: usize = 64;
/// Bytes of JSON of all objects in the cache; their models take two to four times as much.
const MOST_BYTES: u64 = 24 << 20;

/// Cache of decompressed objects, shared by all clones.
#[derive(Clone, Default)]
pub(super) struct DecompressedObjects(Arc<OnceLock<Objects>>);

/// By number, an object and the bytes of its JSON.
type Objects = Cache<u64, (GardenObject, usize), Length>;

#[derive(Clone)]
struct Length;

impl Weighter<u64, (GardenObject, usize)> for Length {
    fn weight(&self, _: &u64, (_, length): &(GardenObject, usize)) -> u64 {
        *length as u64
    }
}

impl DecompressedObjects {
    /// Decompresses and reads an object, unless it is in the cache.
    pub(super) fn object(&self, compressed: &Compressed) -> GardenObject {
        let cache = || Cache::with_weighter(OBJECTS, MOST_BYTES, Length);
        let cache = self.0.get_or_init(cache);
        let number = compressed.number();
        if let Some((object, _)) = cache.get(&number) {
            return object;
        }
        let key = compressed.key();
        let json = compressed.json();
        let object = json.and_then(|json| read(key.kind, json.as_str()).ok().flatten());
        let object = object.unwrap_or_else(|| {
            let why = "what is kept of it is damaged".to_owned();
            GardenObject::Unreadable(key.clone(), why)
        });
        cache.insert(number, (object.clone(), compressed.length()));
        object
    }
}

impl fmt::Debug for DecompressedObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened").finish_non_exhaustive()
    }
}
