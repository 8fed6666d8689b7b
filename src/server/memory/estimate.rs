//! What a body can become in memory, estimated from its text before anything is made of it.
//!
//! A list element of two bytes can become a struct of hundreds. Which text becomes what is only known once it is parsed,
//! so what is counted is what any JSON needs to describe much: commas as it arrives, and once it is gone through elements that are
//! objects or lists, and objects that are fields. Commas inside of a text count too, which only makes the estimate larger.

use memchr::memchr2;

use crate::compat::Nested;
use crate::engine::Kind;
use crate::model::{
    Condition, Container, ContainerRuntime, HibernationSchedule, MachineImageVersion, MachineType,
    Member, NodeTaint, PodToleration, Toleration, Volume, Webhook, WebhookRule, Worker,
};

/// Of a request of which nothing is known: its head, its tasks and its stream. Bytes.
const REQUEST: u64 = 16 << 10;
/// Texts are copied out of the body, into findings, and into the answer.
const COPIES: u64 = 3;
/// Of what a comma can end: a text in a list that grows, or an entry of a map and of its copy. Bytes.
const COMMA: u64 = 160;
/// Of an object with fields that is itself a field: a map's first node, which has room for eleven. Bytes.
const MAP: u64 = 640;
/// A list that has just grown is there twice, in the old size and in the doubled one.
const GROWTH: u64 = 3;
/// Of what rules find about an element, on average. Bytes.
const FOUND: u64 = 1024;
/// Elements that something is found about; of each kind of finding only the first hundreds are kept.
const MOST_FOUND: u64 = 4_000;
/// What a list of objects may have at most, whatever its kind.
const MOST_ELEMENTS: u64 = 10_000;
/// Maps that an object and each element of its lists may have; others are in what nobody models, and stay text.
const MAPS: u64 = 32;
const MAPS_PER_ELEMENT: u64 = 8;
/// Above this many bytes it is counted which commas stand between elements of lists. Smaller bodies are judged one for each
/// processor at a time, so that what is found in them takes little: counting would cost more than it brings.
const EXACT: usize = 64 << 10;
/// In smaller bodies one of so many commas is taken for one between elements.
const COMMAS_PER_SCALAR: u64 = 8;

/// What is counted of a body as it arrives.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(in crate::server) struct Tokens {
    commas: u64,
}

impl Tokens {
    /// Counts the next part of a body.
    pub(in crate::server) fn count(&mut self, part: &[u8]) {
        self.commas += part.iter().filter(|it| **it == b',').count() as u64;
    }

    /// Of a body for which `capacity` bytes are allocated, before it is known what it is about.
    pub(in crate::server) fn as_text(self, capacity: usize) -> u64 {
        let text = (capacity as u64).saturating_mul(1 + COPIES);
        REQUEST + text + self.commas * COMMA
    }

    /// Of the same once it is read as objects of a kind, with so much in it; what rules may find is included.
    pub(in crate::server) fn as_objects(
        self,
        (text, capacity): (&[u8], usize),
        nested: Nested,
        kind: Kind,
    ) -> u64 {
        let scalars = match text.len() > EXACT {
            true => scalars(text),
            false => self.commas / COMMAS_PER_SCALAR,
        };
        let Nested { elements, maps } = nested;
        let found = (elements + scalars).min(MOST_FOUND) * FOUND;
        let maps = maps.min(MAPS + elements * MAPS_PER_ELEMENT) * MAP;
        // Both objects of a request have one list of these.
        let large = elements.min(2 * MOST_ELEMENTS);
        let Elements { large_one, other } = of_kind(kind);
        let elements = large * large_one + (elements - large) * other;
        self.as_text(capacity) + maps + elements * GROWTH + found
    }
}

/// Elements of lists in a JSON text that are neither objects nor lists, but for the first of each list.
fn scalars(json: &[u8]) -> u64 {
    let (mut count, mut at) = (0, 0);
    while let Some(next) = memchr2(b'"', b',', &json[at..]) {
        at += next + 1;
        if json[at - 1] == b'"' {
            at = end_of_text(json, at);
            continue;
        }
        at = skip_space(json, at);
        match json.get(at) {
            Some(b'{' | b'[') => {}
            Some(b'"') => {
                at = skip_space(json, end_of_text(json, at + 1));
                count += u64::from(json.get(at) != Some(&b':'));
            }
            _ => count += 1,
        }
    }
    count
}

/// Where a text of which `at` is inside ends, behind its quote.
fn end_of_text(json: &[u8], mut at: usize) -> usize {
    while let Some(next) = json.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += next;
        if json[at] == b'"' {
            return at + 1;
        }
        // The backslash, and what it escapes.
        at += 2;
    }
    json.len()
}

fn skip_space(json: &[u8], at: usize) -> usize {
    let rest = json[at..].iter();
    at + rest.take_while(|it| it.is_ascii_whitespace()).count()
}

/// The most that elements of lists can become. Bytes.
struct Elements {
    /// In the one list of the largest.
    large_one: u64,
    /// In any other list.
    other: u64,
}

fn of_kind(kind: Kind) -> Elements {
    let (large_one, other) = match kind {
        Kind::Shoot => {
            let others = [
                size_of::<Volume>(),
                size_of::<NodeTaint>(),
                size_of::<Condition>(),
                size_of::<HibernationSchedule>(),
                size_of::<ContainerRuntime>(),
            ];
            let other = others.into_iter().max().unwrap_or_default();
            (size_of::<Worker>(), other)
        }
        Kind::CloudProfile | Kind::NamespacedCloudProfile => {
            (size_of::<MachineType>(), size_of::<MachineImageVersion>())
        }
        Kind::Project => (size_of::<Member>(), size_of::<Toleration>()),
        Kind::Seed => (size_of::<Condition>(), size_of::<Toleration>()),
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            (size_of::<Webhook>(), size_of::<WebhookRule>())
        }
        Kind::DaemonSet | Kind::Deployment | Kind::Pod => {
            (size_of::<Container>(), size_of::<PodToleration>())
        }
        // Nothing is read of them but their names.
        _ => (size_of::<String>(), size_of::<String>()),
    };
    Elements {
        large_one: large_one.max(other) as u64,
        other: other as u64,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::scalars;

    #[rstest]
    #[case::nothing("", 0)]
    #[case::fields(r#"{"a":1,"b":"x", "c" : null}"#, 0)]
    #[case::elements(r#"["a","b", 3 ,null,{},[]]"#, 3)]
    #[case::inside_of_texts(r#"{"a":"x,y,\",z","b":",,"}"#, 0)]
    #[case::texts_that_look_like_fields(r#"["a:","b:",":"]"#, 2)]
    #[case::cut_off(r#"["a","b\"#, 1)]
    fn scalar_elements_are_told_from_fields(#[case] json: &str, #[case] want: u64) {
        assert_eq!(scalars(json.as_bytes()), want);
    }
}
