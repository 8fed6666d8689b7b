// SPDX-License-Identifier: Apache-2.0
//! The findings of a landscape, by id.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::finding::CountedFinding;
use super::landscape::Landscape;
use super::object::Object;
use super::projects::{Namespace, Numbers};
use crate::audit::Trigger;
use garden_gate_core::admission::Kind;
use garden_gate_core::config::Level;

/// Number of objects that a finding names.
const EXAMPLES: usize = 20;

/// The findings of a landscape.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteFindings")]
pub(super) struct Document<'a> {
    /// The findings, by level and number of objects.
    findings: Vec<Found<'a>>,
    /// The namespaces, to which findings refer by number.
    namespaces: &'a [Namespace<'a>],
    /// Cluster-scoped objects with findings or undetermined checks, which have no Project.
    #[schemars(with = "Vec<Object<'a>>")]
    objects: Vec<&'a RawValue>,
}

/// A finding with its counts.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteCountedFinding")]
struct Found<'a> {
    /// The level.
    level: Level,
    /// The id.
    finding: &'static str,
    /// The id of the rule.
    rule: &'static str,
    /// The violation as a sentence; the first message for the finding of a policy.
    sentence: &'a str,
    /// The occasions on which it matters.
    occasions: BTreeSet<Trigger>,
    /// The number of objects.
    objects: usize,
    /// The number of objects by kind.
    #[schemars(with = "BTreeMap<String, usize>")]
    kinds: BTreeMap<Kind, usize>,
    /// The number of objects by namespace, which is a number; -1 for cluster-scoped objects.
    namespaces: Vec<(isize, usize)>,
    /// The first objects.
    examples: Vec<Example<'a>>,
    /// True if Gardener accepts the objects, and only garden-gate refuses them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    beyond: bool,
}

/// An object with a finding.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteExample")]
struct Example<'a> {
    /// The kind.
    kind: &'static str,
    /// The namespace; empty for cluster-scoped objects.
    namespace: &'a str,
    /// The name.
    name: &'a str,
}

/// Returns the findings of all objects.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for its own documents.
pub(super) fn document<'a>(
    landscape: &'a Landscape,
    numbers: &'a Numbers<'a>,
) -> serde_json::Result<Document<'a>> {
    let mut counts: BTreeMap<(Reverse<Level>, &'static str), Count<'a>> = BTreeMap::new();
    let mut add = |object: (Kind, &'a str, &'a str), findings: &'a [CountedFinding]| {
        let number = numbers.namespace(object.1).and_then(|it| it.try_into().ok()).unwrap_or(-1);
        let mut seen = BTreeSet::new();
        for finding in findings {
            let key = (Reverse(finding.level), finding.id);
            let count = counts.entry(key).or_insert_with(|| Count::of(finding));
            count.found.occasions.insert(finding.occasion);
            if seen.insert(key) {
                count.add(object, number);
            }
        }
    };
    for shoot in &landscape.shoots {
        let (namespace, name) = shoot.key();
        add((Kind::Shoot, namespace, name), &shoot.findings);
    }
    for object in &landscape.objects {
        add((object.key.kind, &object.namespace, &object.key.name), &object.findings);
    }
    let found = counts
        .into_values()
        .map(|it| Found { namespaces: it.namespaces.into_iter().collect(), ..it.found });
    let mut findings: Vec<Found<'a>> = found.collect();
    findings.sort_by_key(|it| {
        let waits = !it.occasions.contains(&Trigger::EveryWrite);
        (Reverse(it.level), waits, Reverse(it.objects), it.finding)
    });
    let objects = landscape
        .objects
        .iter()
        .filter(|it| it.namespace.is_empty())
        .filter_map(|it| it.document.as_deref())
        .map(serde_json::from_str)
        .collect::<serde_json::Result<Vec<&RawValue>>>()?;
    Ok(Document { findings, namespaces: &numbers.namespaces, objects })
}

/// A finding while its objects are counted.
struct Count<'a> {
    found: Found<'a>,
    namespaces: BTreeMap<isize, usize>,
}

impl<'a> Count<'a> {
    fn of(finding: &'a CountedFinding) -> Self {
        let found = Found {
            level: finding.level,
            finding: finding.id,
            rule: finding.rule,
            sentence: finding.sentence(),
            occasions: BTreeSet::new(),
            objects: 0,
            kinds: BTreeMap::new(),
            namespaces: Vec::new(),
            examples: Vec::new(),
            beyond: finding.is_beyond,
        };
        Self { found, namespaces: BTreeMap::new() }
    }

    fn add(&mut self, (kind, namespace, name): (Kind, &'a str, &'a str), number: isize) {
        let found = &mut self.found;
        found.objects += 1;
        *found.kinds.entry(kind).or_default() += 1;
        *self.namespaces.entry(number).or_default() += 1;
        if found.examples.len() < EXAMPLES {
            found.examples.push(Example { kind: kind.as_str(), namespace, name });
        }
    }
}
