// SPDX-License-Identifier: Apache-2.0
use std::sync::atomic::{AtomicU64, Ordering};

use super::{ObjectKey, deflate, inflate};

/// The number of the next compressed object, so that each has a unique number.
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
    /// Compresses the JSON of an object; returns `None` on errors.
    pub fn of(key: ObjectKey, json: &str) -> Option<Self> {
        let compressed = deflate(json).ok()?;
        Some(Self {
            key,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            length: json.len(),
            json: compressed.into(),
        })
    }

    /// Returns the key of the object.
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Returns a number that is unique among all compressed objects, also among states of the same object.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the size of the JSON in bytes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Decompresses the JSON; returns `None` if it is damaged.
    pub fn json(&self) -> Option<String> {
        inflate(&self.json, self.length).ok()
    }
}

/// Compares object and state.
impl PartialEq for Compressed {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.length == other.length && self.json == other.json
    }
}
