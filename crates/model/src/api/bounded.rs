// SPDX-License-Identifier: Apache-2.0
//! Deserialization of fields: a short text must not become a long list of large elements.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Maximum number of elements of a list of objects.
///
/// An element of three bytes may take hundreds in memory.
const ELEMENTS: usize = 10_000;
/// Maximum number of elements of a list that is scanned for every element of another one.
const FEW: usize = 100;
/// Maximum size of a string that is read or printed for every element of a list, in bytes.
const TEXT: usize = 1024;

/// Deserializes `null` as the type's default, in an AdmissionReview outside of its objects.
///
/// # Errors
/// Fails if the value is of another type.
pub fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reports whether a value equals its default, so that serialization omits it.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Deserializes a list of objects.
pub(crate) fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    optional_list(deserializer).map(Option::unwrap_or_default)
}

/// Deserializes a list of objects whose absence differs from an empty list.
pub(crate) fn optional_list<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let list = Option::<Bounded<T, ELEMENTS>>::deserialize(deserializer)?;
    Ok(list.map(|list| list.0))
}

/// Deserializes a list that is short in every object.
pub(crate) fn short_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    optional_short_list(deserializer).map(Option::unwrap_or_default)
}

/// Deserializes an optional list that is short in every object.
pub(crate) fn optional_short_list<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let list = Option::<Bounded<T, FEW>>::deserialize(deserializer)?;
    Ok(list.map(|list| list.0))
}

/// Deserializes a string that is short in every object; absent and `null` are empty.
pub(crate) fn short_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    optional_short_text(deserializer).map(Option::unwrap_or_default)
}

/// Deserializes an optional string that is short in every object.
pub(crate) fn optional_short_text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    if text.as_ref().is_some_and(|text| text.len() > TEXT) {
        return Err(D::Error::custom(format_args!(
            "the text has more than {TEXT} bytes, more than any object needs"
        )));
    }
    Ok(text)
}

/// A list of at most `MOST` elements.
struct Bounded<T, const MOST: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for Bounded<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BoundedVisitor(PhantomData))
    }
}

struct BoundedVisitor<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for BoundedVisitor<T, MOST> {
    type Value = Bounded<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::custom(format_args!(
                    "the list has more than {MOST} elements, more than any object needs"
                )));
            }
            list.push(element);
        }
        Ok(Bounded(list))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn read(count: usize) -> Result<usize, String> {
        let text = Value::from(vec![0; count]).to_string();
        let list = list::<_, u8>(&mut serde_json::Deserializer::from_str(&text));
        list.map(|list| list.len()).map_err(|why| why.to_string())
    }

    #[test]
    fn a_list_may_have_ten_thousand_elements_and_no_more() {
        assert_eq!(read(0), Ok(0));
        assert_eq!(read(ELEMENTS), Ok(ELEMENTS));
        let why = read(ELEMENTS + 1).unwrap_err();
        assert!(why.starts_with("the list has more than 10000 elements"), "{why}");
    }

    #[test]
    fn a_short_text_has_an_end() {
        let read = |length: usize| {
            let text = Value::from("x".repeat(length)).to_string();
            short_text(&mut serde_json::Deserializer::from_str(&text)).map(|text| text.len())
        };
        assert_eq!(read(TEXT).unwrap(), TEXT);
        assert!(read(TEXT + 1).is_err());
    }
}
