use std::any::Any;
use std::array;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::compat::Passed;
use crate::engine::object::Decoded;

/// An object of a request as JSON text.
#[derive(Debug)]
pub struct Sent<'a> {
    text: &'a str,
    /// Apart, since what a request is made of is moved often.
    places: Box<Places>,
    /// What it is, for who asks first, if it was decoded as its review was gone through.
    decoded: RefCell<Option<Decoded>>,
}

/// Where parts of an object stand in a text, as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// `metadata.managedFields`, which nobody reads and is often half of an object.
    pub(super) managed_fields: Option<Passed>,
    /// The first elements of the former, while a body is gone through.
    pub(super) managers: Vec<Passed>,
    /// What was applied last, from the annotations; nobody reads it either.
    pub(super) last_applied: Option<Passed>,
    pub(super) spec: Option<Passed>,
    /// The [`LONG`] fields of `spec`.
    pub(super) long: [Option<Passed>; LONG.len()],
    pub(super) status: Option<Passed>,
}

/// Fields of `spec` that are long, and seldom change together.
pub(super) const LONG: [&str; 4] = ["kubernetes", "machineImages", "machineTypes", "provider"];

/// What two objects have in common word for word.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Common {
    /// All of their `spec`.
    pub spec: bool,
    /// Of a `spec` that is not the same, the [`LONG`] fields that are.
    long: [bool; LONG.len()],
    /// All of their `status`.
    pub status: bool,
}

impl Common {
    /// Whether they have, of `spec`s that are not the same, a field that is long: `kubernetes`, `machineImages`, `machineTypes` or
    /// `provider`.
    #[must_use]
    pub fn has(self, field: &str) -> bool {
        let mut fields = LONG.iter().zip(self.long);
        fields.any(|(name, is_same)| is_same && *name == field)
    }
}

impl Places {
    /// The same places in a text that begins later.
    pub(super) fn behind(&self, start: usize) -> Self {
        let behind = |passed: &Option<Passed>| passed.as_ref().map(|it| it.behind(start));
        Self {
            managers: Vec::new(),
            managed_fields: behind(&self.managed_fields),
            last_applied: behind(&self.last_applied),
            spec: behind(&self.spec),
            long: self.long.each_ref().map(behind),
            status: behind(&self.status),
        }
    }
}

impl<'a> Sent<'a> {
    pub(super) fn new(text: &'a str, places: Places, decoded: Option<Decoded>) -> Self {
        Self {
            text,
            places: Box::new(places),
            decoded: RefCell::new(decoded),
        }
    }

    /// What it was decoded as, if it was; only once.
    pub(in crate::engine) fn take_decoded<T: Any>(&self) -> Option<Box<T>> {
        self.decoded.take()?.downcast().ok()
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
        let places = &*self.places;
        let long = places.long.iter().zip(common.long);
        let parts = long.chain([
            (&places.managed_fields, true),
            (&places.last_applied, true),
            (&places.spec, common.spec),
            (&places.status, common.status),
        ]);
        let mut places = Vec::with_capacity(8);
        places.extend(
            parts
                .filter_map(|(passed, is_left_out)| passed.as_ref().filter(|_| is_left_out))
                .map(|passed| &passed.place),
        );
        places.sort_unstable_by_key(|place| place.start);
        match replace((self.text, 0), places.iter().copied()) {
            Some(text) if !places.is_empty() => Cow::Owned(text),
            _ => Cow::Borrowed(self.text),
        }
    }

    /// What it has in common with another object word for word, as far as it is known where that stands.
    #[must_use]
    pub fn common_with(&self, other: &Self) -> Common {
        let same = |own: &Option<Passed>, others: &Option<Passed>| {
            let own = self.text.get(own.as_ref()?.place.clone())?;
            let others = other.text.get(others.as_ref()?.place.clone())?;
            Some(own == others)
        };
        let same = |own, others| same(own, others).unwrap_or_default();
        let [own, others] = [&*self.places, &*other.places];
        let spec = same(&own.spec, &others.spec);
        Common {
            spec,
            long: array::from_fn(|number| !spec && same(&own.long[number], &others.long[number])),
            status: same(&own.status, &others.status),
        }
    }
}

/// What stands for what is left out.
pub(super) const NULL: &str = "null";

/// A text from where on it is said, with `null` for what stands at places, which are in its order and behind that; `None` where there are no such
/// places.
pub(super) fn replace<'p>(
    (text, mut from): (&str, usize),
    places: impl Iterator<Item = &'p Range<usize>> + Clone,
) -> Option<String> {
    let cut: usize = places.clone().map(ExactSizeIterator::len).sum();
    let room = places.clone().count() * NULL.len();
    let left = text.len().saturating_sub(from).saturating_sub(cut);
    let mut replaced = String::with_capacity(left + room);
    for place in places {
        replaced.push_str(text.get(from..place.start)?);
        replaced.push_str(NULL);
        from = place.end;
    }
    replaced.push_str(text.get(from..)?);
    Some(replaced)
}

impl<'a> From<&'a RawValue> for Sent<'a> {
    fn from(raw: &'a RawValue) -> Self {
        Self::new(raw.get(), Places::default(), None)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Sent<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::from)
    }
}
