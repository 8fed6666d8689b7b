// SPDX-License-Identifier: Apache-2.0
//! Estimates the memory that a body requires after parsing, from its JSON.
//!
//! A list element of two bytes can become a struct of hundreds of bytes. The target types are only known after parsing.
//! Therefore the estimate depends on the numbers of commas, elements of lists, and objects.

use garden_gate_core::admission::Kind;
use garden_gate_model::api::{
    Condition, Container, ContainerRuntime, HibernationSchedule, MachineImageVersion, MachineType,
    NodeTaint, PodToleration, ProjectMember, Toleration, Volume, Webhook, WebhookRule, Worker,
};
use garden_gate_text::json::Nested;

/// Fixed overhead of a request: headers, tasks and stream, in bytes.
const REQUEST: u64 = 16 << 10;
/// Number of copies of strings: from the body, in findings, and in the response.
const COPIES: u64 = 3;
/// Maximum bytes per comma: a string in a growing list, or a map entry and its copy.
const COMMA: u64 = 160;
/// Bytes per object that is a field: the first node of a map, which holds eleven entries.
const MAP: u64 = 640;
/// Number of trees of the same objects: as JSON, and as values of expressions.
const TREES: u64 = 2;
/// Maximum bytes of a value in both trees.
const VALUE: u64 = 256;
/// Maximum bytes of an object or a list in both trees, without its values.
const VALUES: u64 = 1024;
/// Factor for list growth: the old buffer and the doubled one exist at the same time.
const GROWTH: u64 = 3;
/// Average bytes of the findings about one element.
const FOUND: u64 = 1024;
/// Maximum number of elements with findings; only the first hundreds of each kind of finding are kept.
const MOST_FOUND: u64 = 4_000;
/// Maximum number of elements in a list of objects, for any kind.
const MOST_ELEMENTS: u64 = 10_000;
/// Maximum number of maps per object and per list element.
/// Others belong to unmodeled fields and remain JSON text.
const MAPS: u64 = 32;
const MAPS_PER_ELEMENT: u64 = 8;
/// Returns the estimate before parsing, with `capacity` allocated bytes.
pub(crate) fn as_text(capacity: usize) -> u64 {
    let text = (capacity as u64).saturating_mul(1 + COPIES);
    REQUEST + text
}

/// Returns the additional estimate for the same objects as values of expressions.
pub(crate) fn as_values(capacity: usize, nested: Nested) -> u64 {
    let text = (capacity as u64).saturating_mul(TREES);
    let objects = nested.elements + nested.maps;
    text + nested.commas * VALUE + objects * VALUES
}

/// Returns the estimate for a body that is parsed as objects of a kind, including findings.
pub(crate) fn as_objects(capacity: usize, nested: Nested, kind: Kind) -> u64 {
    let Nested { commas, elements, scalars, maps } = nested;
    let found = (elements + scalars).min(MOST_FOUND) * FOUND;
    let map_bytes = maps.min(MAPS + elements * MAPS_PER_ELEMENT) * MAP;
    // Only one list per object has elements of the largest type; a request has two objects.
    let large = elements.min(2 * MOST_ELEMENTS);
    let Elements { large_one, other } = of_kind(kind);
    let elements = large * large_one + (elements - large) * other;
    as_text(capacity) + commas * COMMA + map_bytes + elements * GROWTH + found
}

/// Maximum bytes of list elements after parsing.
struct Elements {
    /// The maximum in the list with the largest elements.
    large_one: u64,
    /// The maximum in any other list.
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
        Kind::Project => (size_of::<ProjectMember>(), size_of::<Toleration>()),
        Kind::Seed => (size_of::<Condition>(), size_of::<Toleration>()),
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            (size_of::<Webhook>(), size_of::<WebhookRule>())
        }
        kind if kind.is_workload() => (size_of::<Container>(), size_of::<PodToleration>()),
        // Only their names are read.
        _ => (size_of::<String>(), size_of::<String>()),
    };
    Elements { large_one: large_one.max(other) as u64, other: other as u64 }
}
