use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// An object of a request as JSON text.
#[derive(Clone, Debug)]
pub struct Sent<'a> {
    text: &'a str,
    unread: Unread,
}

/// Where in an object stands what nobody reads and is often half of it: its `metadata.managedFields`, and what was applied last. In
/// the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread {
    places: [Range<usize>; 2],
    count: usize,
}

impl Unread {
    /// Adds a place behind the others; without effect if there are enough.
    pub(super) fn add(&mut self, place: Range<usize>) {
        if let Some(next) = self.places.get_mut(self.count) {
            *next = place;
            self.count += 1;
        }
    }

    /// The same places in a text that begins later.
    pub(super) fn behind(mut self, start: usize) -> Self {
        for place in &mut self.places {
            *place = place.start.saturating_sub(start)..place.end.saturating_sub(start);
        }
        self
    }
}

impl<'a> Sent<'a> {
    pub(super) fn new(text: &'a str, unread: Unread) -> Self {
        Self { text, unread }
    }

    /// The object as it was received.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The object with `null` for what nobody reads, as far as it is known where that stands.
    #[must_use]
    pub fn read(&self) -> Cow<'a, str> {
        let places = self.unread.places.iter().take(self.unread.count);
        match replace(self.text, places) {
            Some(text) if self.unread.count > 0 => Cow::Owned(text),
            _ => Cow::Borrowed(self.text),
        }
    }
}

/// A text with `null` for what stands at places, which are in its order; `None` where there are no such places.
pub(super) fn replace<'p>(
    text: &str,
    places: impl Iterator<Item = &'p Range<usize>> + Clone,
) -> Option<String> {
    let cut: usize = places.clone().map(ExactSizeIterator::len).sum();
    let room = places.clone().count() * "null".len();
    let mut replaced = String::with_capacity(text.len().saturating_sub(cut) + room);
    let mut from = 0;
    for place in places {
        replaced.push_str(text.get(from..place.start)?);
        replaced.push_str("null");
        from = place.end;
    }
    replaced.push_str(text.get(from..)?);
    Some(replaced)
}

impl<'a> From<&'a RawValue> for Sent<'a> {
    fn from(raw: &'a RawValue) -> Self {
        Self::new(raw.get(), Unread::default())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Sent<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::from)
    }
}
