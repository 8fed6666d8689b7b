use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// An object of a request as JSON text.
#[derive(Clone, Debug)]
pub struct Sent<'a> {
    text: &'a str,
    unread: Unread,
    halves: Halves,
}

/// Where in an object its `spec` and its `status` stand, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Halves {
    pub(super) spec: Option<Range<usize>>,
    pub(super) status: Option<Range<usize>>,
}

/// What two objects have in common word for word.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Common {
    /// All of their `spec`.
    pub spec: bool,
    /// All of their `status`.
    pub status: bool,
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
            *place = behind(place, start);
        }
        self
    }
}

impl Halves {
    /// The same places in a text that begins later.
    pub(super) fn behind(self, start: usize) -> Self {
        let [spec, status] = [self.spec, self.status].map(|it| it.map(|it| behind(&it, start)));
        Self { spec, status }
    }
}

fn behind(place: &Range<usize>, start: usize) -> Range<usize> {
    place.start.saturating_sub(start)..place.end.saturating_sub(start)
}

impl<'a> Sent<'a> {
    pub(super) fn new(text: &'a str, unread: Unread, halves: Halves) -> Self {
        Self {
            text,
            unread,
            halves,
        }
    }

    /// The object as it was received.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The object with `null` for what nobody reads, as far as it is known where that stands.
    #[must_use]
    pub fn read(&self) -> Cow<'a, str> {
        self.read_without(Common::default())
    }

    /// As [`Self::read`], with `null` also for what it has in common with another object.
    #[must_use]
    pub fn read_without(&self, common: Common) -> Cow<'a, str> {
        let Halves { spec, status } = &self.halves;
        let unread = self.unread.places.iter().take(self.unread.count);
        let mut places: Vec<_> = unread
            .chain(spec.as_ref().filter(|_| common.spec))
            .chain(status.as_ref().filter(|_| common.status))
            .collect();
        places.sort_unstable_by_key(|place| place.start);
        match replace(self.text, places.iter().copied()) {
            Some(text) if !places.is_empty() => Cow::Owned(text),
            _ => Cow::Borrowed(self.text),
        }
    }

    /// What it has in common with another object word for word, as far as it is known where that stands.
    #[must_use]
    pub fn common_with(&self, other: &Self) -> Common {
        let same = |own: &Option<Range<usize>>, others: &Option<Range<usize>>| {
            let own = self.text.get(own.clone()?)?;
            let others = other.text.get(others.clone()?)?;
            Some(own == others)
        };
        let Halves { spec, status } = &self.halves;
        Common {
            spec: same(spec, &other.halves.spec).unwrap_or_default(),
            status: same(status, &other.halves.status).unwrap_or_default(),
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
        Self::new(raw.get(), Unread::default(), Halves::default())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Sent<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::from)
    }
}
