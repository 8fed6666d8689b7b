use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::Deref;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list that mostly has one element, which then needs no memory of its own: a profile can have tens of thousands of them.
#[derive(Clone, Debug)]
pub struct Few<T>(Elements<T>);

#[derive(Clone, Debug)]
enum Elements<T> {
    One([T; 1]),
    Other(Vec<T>),
}

impl<T> Few<T> {
    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        self.0 = match mem::take(self).0 {
            Elements::One([first]) => Elements::Other(vec![first, element]),
            Elements::Other(list) if list.is_empty() => Elements::One([element]),
            Elements::Other(mut list) => {
                list.push(element);
                Elements::Other(list)
            }
        };
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self(Elements::Other(Vec::new()))
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Elements::One(element) => element,
            Elements::Other(list) => list,
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut few = Self::default();
        elements.into_iter().for_each(|element| few.push(element));
        few
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for Few<T> {
    fn eq(&self, other: &[U; N]) -> bool {
        **self == *other
    }
}

impl<T: Serialize> Serialize for Few<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Few<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(FewVisitor(PhantomData))
    }
}

/// Nobody has as many of what there are few of.
const MOST: usize = 100;

struct FewVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FewVisitor<T> {
    type Value = Few<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Few<T>, A::Error> {
        let mut few = Few::default();
        while let Some(element) = list.next_element()? {
            if few.len() == MOST {
                let message =
                    format!("the list has more than {MOST} elements, more than any object needs");
                return Err(A::Error::custom(message));
            }
            few.push(element);
        }
        Ok(few)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Few;

    #[rstest]
    #[case("[]")]
    #[case("[1]")]
    #[case("[1,2]")]
    #[case("[1,2,3]")]
    fn a_list_stays_as_it_is(#[case] text: &str) {
        let few: Few<u8> = serde_json::from_str(text).unwrap();
        let list: Vec<u8> = serde_json::from_str(text).unwrap();
        assert_eq!(*few, *list);
        assert_eq!(serde_json::to_string(&few).unwrap(), text);
    }
}
