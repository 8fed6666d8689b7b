use std::sync::atomic::{AtomicU64, Ordering};

use super::{ObjectKey, deflate, inflate};

/// Counts the compressed objects, so that each has a number of its own.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A large object as compressed JSON, which takes a fraction of the memory of its model.
#[derive(Debug)]
pub struct Compressed {
    key: ObjectKey,
    number: u64,
    length: usize,
    json: Box<[u8]>,
}

impl Compressed {
    /// Compresses the JSON of an object; `None` if that fails.
    #[must_use]
    pub fn of(key: ObjectKey, json: &str) -> Option<Self> {
        let compressed = deflate(json).ok()?;
        Some(Self {
            key,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            length: json.len(),
            json: compressed.into(),
        })
    }

    /// Identifies the object.
    #[must_use]
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Differs from that of any other compressed object, also of another state of the same one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes of the JSON.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The JSON; `None` if it is damaged.
    #[must_use]
    pub fn json(&self) -> Option<String> {
        inflate(&self.json, self.length).ok()
    }
}

/// Whether it is the same object in the same state.
impl PartialEq for Compressed {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.length == other.length && self.json == other.json
    }
}
