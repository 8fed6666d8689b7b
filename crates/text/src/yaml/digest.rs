// SPDX-License-Identifier: Apache-2.0
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::Document;
use super::tree::number;
use super::tree::{Content, Value};

/// Hash and size of a document, or of a part of one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Digest {
    /// The hash; equal values have equal hashes, in any order of keys.
    pub hash: u64,
    /// The number of values and keys.
    pub values: usize,
    /// The size of strings, keys and numbers in bytes.
    pub bytes: usize,
}

impl Document {
    /// Returns the hash and the size of the document, which takes time linear in its size.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest { hash: 0, values: 0, bytes: 0 };
        digest.hash = digest.add(self.tree.value(self.root));
        digest
    }
}

impl Digest {
    /// Counts a value and returns its hash.
    fn add(&mut self, value: Value<'_>) -> u64 {
        self.values += 1;
        let mut hasher = DefaultHasher::new();
        match value.content() {
            Content::Null | Content::Alias(_) => 0_u8.hash(&mut hasher),
            Content::Bool(bool) => (1_u8, bool).hash(&mut hasher),
            Content::Number(range) => {
                (2_u8, number(self.text_of(value.text_at(range)))).hash(&mut hasher);
            }
            Content::Text(range) => (3_u8, self.text_of(value.text_at(range))).hash(&mut hasher),
            Content::Merge => (3_u8, "<<").hash(&mut hasher),
            Content::Sequence => {
                4_u8.hash(&mut hasher);
                value.items().for_each(|item| self.add(item).hash(&mut hasher));
            }
            Content::Mapping => (5_u8, self.mapping(value)).hash(&mut hasher),
        }
        hasher.finish()
    }

    /// Returns a sum of hashes, which does not depend on the order of keys.
    fn mapping(&mut self, value: Value<'_>) -> u64 {
        value.entries().fold(0, |sum: u64, entry| {
            self.values += 1;
            let mut hasher = DefaultHasher::new();
            (self.text_of(entry.key), self.add(entry.value)).hash(&mut hasher);
            sum.wrapping_add(hasher.finish())
        })
    }

    fn text_of<'t>(&mut self, text: &'t str) -> &'t str {
        self.bytes += text.len();
        text
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::yaml::parse;

    #[rstest]
    #[case::order_of_keys("{a: 1, b: {c: x, d: null}}", "{b: {d: ~, c: 'x'}, a: 1}", true)]
    #[case::way_of_writing("a: 1.50", "{\"a\": 1.5}", true)]
    #[case::anchors("a: &x [1]\nb: *x", "a: [1]\nb: [1]", true)]
    #[case::order_of_items("[a, b]", "[b, a]", false)]
    #[case::where_a_value_is("{a: {b: 1}, c: {}}", "{a: {}, c: {b: 1}}", false)]
    #[case::swapped_values("{a: x, b: y}", "{a: y, b: x}", false)]
    #[case::text_and_number("a: 1", "a: '1'", false)]
    #[case::nothing_and_text("a: ~", "a: ''", false)]
    #[case::empty_ones("a: []", "a: {}", false)]
    fn values_are_the_same(#[case] one: &str, #[case] other: &str, #[case] expected: bool) {
        let [one, other] = [one, other].map(|text| parse(text).unwrap().remove(0));
        assert_eq!(one.digest().hash == other.digest().hash, expected);
        assert_eq!(one.to_value() == other.to_value(), expected);
    }

    #[test]
    fn the_size_is_that_of_all_within() {
        let document = parse("name: abc\nlist: [1, {}]").unwrap().remove(0);
        let digest = document.digest();
        assert_eq!((digest.values, digest.bytes), (7, 12));
        assert_eq!(document.part("/list").unwrap().digest().values, 3);
    }
}
