use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::ObjectKey;

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
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(json.as_bytes()).ok()?;
        Some(Self {
            key,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            length: json.len(),
            json: encoder.finish().ok()?.into(),
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
        let mut json = String::with_capacity(self.length);
        let mut decoder = DeflateDecoder::new(&*self.json);
        decoder.read_to_string(&mut json).ok()?;
        Some(json)
    }
}

/// Whether it is the same object in the same state.
impl PartialEq for Compressed {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.length == other.length && self.json == other.json
    }
}
