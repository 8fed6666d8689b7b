// SPDX-License-Identifier: Apache-2.0
//! The corpus of random requests: valid objects, and recorded values of fields.

use std::collections::{BTreeMap, BTreeSet};

use garden_gate_model::api::Kind;
use garden_gate_model::api::extensions::Extension;
use serde_json::Value;

use crate::parity::configurations::configurations;
use crate::random::Random;

/// Fields that requests do not change: they identify the object, or the server sets them.
const FIXED: &[&str] = &[
    "/apiVersion",
    "/kind",
    "/metadata/namespace",
    "/metadata/generateName",
    "/metadata/ownerReferences",
    "/metadata/managedFields",
    "/metadata/selfLink",
    "/metadata/uid",
    "/metadata/resourceVersion",
    "/metadata/generation",
    "/metadata/creationTimestamp",
    "/metadata/deletionTimestamp",
    "/metadata/deletionGracePeriodSeconds",
];

/// Objects and values by kind.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    /// New objects that Gardener has accepted in this garden.
    pub(crate) valid: BTreeMap<String, Vec<Value>>,
    /// Recorded values of each path of a kind or configuration, with `[]` for any item of a list.
    places: BTreeMap<String, Vec<(String, Vec<Value>)>>,
}

impl Corpus {
    /// Collects the requests and manifests of gardens with these manifests, also by configuration of these extensions.
    pub(crate) fn of(
        families: &[Value],
        manifests: &[Value],
        extensions: &[&'static Extension],
    ) -> Self {
        let mut corpus = Self::default();
        let mut seen = BTreeMap::new();
        let gardens = families.iter().flat_map(|it| it["gardens"].as_array().unwrap());
        let gardens =
            gardens.filter(|it| it["manifests"].as_array().is_some_and(|it| it == manifests));
        for case in gardens.flat_map(|it| it["cases"].as_array().unwrap()) {
            let (request, expect) = (&case["request"], &case["expect"]);
            let object = &request["object"];
            let is_whole = request["subResource"].is_null();
            if request["operation"] == "CREATE" && expect["allowed"] == true && is_whole {
                let kind = object["kind"].as_str().unwrap().to_owned();
                corpus.valid.entry(kind).or_default().push(object.clone());
            }
            take(object, extensions, &mut seen);
            take(&request["oldObject"], extensions, &mut seen);
        }
        for manifest in manifests {
            take(manifest, extensions, &mut seen);
        }
        for ((kind, place), values) in seen {
            let values = values.iter().map(|it| serde_json::from_str(it).unwrap());
            let places = corpus.places.entry(kind).or_default();
            places.push((place, values.collect()));
        }
        corpus
    }

    /// Returns the kinds with valid objects, of kinds with their frequency.
    pub(crate) fn kinds(&self, all: &[(Kind, usize)]) -> Vec<Kind> {
        let known = all.iter().filter(|(kind, _)| self.valid.contains_key(kind.as_str()));
        known.flat_map(|(kind, times)| std::iter::repeat_n(*kind, *times)).collect()
    }

    /// Returns a random path of a kind, and a recorded value; all paths have the same probability.
    pub(crate) fn pick(&self, kind: &str, random: &mut Random) -> Option<(&str, &Value)> {
        let (place, values) = random.pick(self.places.get(kind)?);
        Some((place, random.pick(values)))
    }

    /// Returns a random recorded value of a path.
    pub(crate) fn pick_at(&self, kind: &str, place: &str, random: &mut Random) -> Option<&Value> {
        let places = self.places.get(kind)?;
        let at = places.binary_search_by(|(it, _)| it.as_str().cmp(place)).ok()?;
        Some(random.pick(&places[at].1))
    }
}

/// Reports whether requests do not change a path.
pub(crate) fn is_fixed(place: &str) -> bool {
    place == "/metadata"
        || FIXED.contains(&place)
        || FIXED.iter().any(|it| place.starts_with(&format!("{it}/")))
}

type Seen = BTreeMap<(String, String), BTreeSet<String>>;

fn take(object: &Value, extensions: &[&'static Extension], seen: &mut Seen) {
    let Some(kind) = object["kind"].as_str() else {
        return;
    };
    take_at(kind, String::new(), object, 1, seen);
    for (place, configuration) in configurations(object, extensions) {
        let value = object.pointer(&place).unwrap();
        let name = configuration.object.name;
        take_at(name, String::new(), value, 0, seen);
    }
}

/// Collects the values deeper than a number of steps.
fn take_at(kind: &str, place: String, value: &Value, depth: usize, seen: &mut Seen) {
    if place != "/metadata" && is_fixed(&place) {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let place = format!("{place}/{}", escaped(name));
                take_at(kind, place, value, depth, seen);
            }
        }
        Value::Array(items) => {
            for item in items {
                take_at(kind, format!("{place}/[]"), item, depth, seen);
            }
        }
        _ => {}
    }
    if place.matches('/').count() > depth {
        seen.entry((kind.to_owned(), place)).or_default().insert(value.to_string());
    }
}

/// Escapes a name for a path.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Unescapes a step of a path.
pub(crate) fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
