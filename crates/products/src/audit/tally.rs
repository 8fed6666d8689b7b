// SPDX-License-Identifier: Apache-2.0
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Trigger;
use crate::forecast::Owner;
use garden_gate_core::admission::{Finding, Kind, Review, Verdict};
use garden_gate_core::config::Level;
use garden_gate_core::garden::ObjectKey;
use garden_gate_text::go::clip;

/// Maximum number of objects named as examples; the others are counted.
const EXAMPLES: usize = 3;
/// Maximum size of a message in bytes.
const MESSAGE: usize = 500;

/// Counts of all objects and findings of an audit.
///
/// Its size grows with the number of rules and Projects, not with the number of objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The number of objects by kind.
    pub objects: BTreeMap<Kind, usize>,
    /// The counts of all objects.
    pub all: ObjectCounts,
    /// Counts by level and id of the finding; refusals come first.
    pub findings: BTreeMap<(Reverse<Level>, &'static str), Count>,
    /// Groups by Project. Objects without a Project are in the group with the empty name.
    pub projects: BTreeMap<String, Group>,
    /// Groups by the owner of the Project.
    pub owners: BTreeMap<String, Group>,
}

/// Counts of objects by verdict.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ObjectCounts {
    /// The number of all objects.
    pub objects: usize,
    /// The number of objects that would be refused on some occasion.
    pub denied: usize,
    /// The number of other objects for which a check that can refuse is undetermined.
    pub undetermined: usize,
    /// The number of remaining objects with findings or undetermined checks.
    pub warned: usize,
}

/// Counts of the findings with one id and level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Count {
    /// The id of the rule.
    pub rule: &'static str,
    /// The number of objects with the finding, by kind.
    pub kinds: BTreeMap<Kind, usize>,
    /// The number of findings; one object may have several.
    pub findings: usize,
    /// The occasions on which the finding matters.
    pub occasions: BTreeSet<Trigger>,
    /// The first objects with the finding, such as `garden-dev/web`.
    pub examples: Vec<String>,
    /// The message of the first finding.
    pub message: String,
}

/// The objects of a Project or owner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Counts of the objects by verdict.
    pub stands: ObjectCounts,
    /// The number of objects with each finding, by id.
    pub findings: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Counts one more object.
    pub fn add(
        &mut self,
        key: &ObjectKey,
        owner: &Owner,
        (review, occasions): (&Review, &[Trigger]),
    ) {
        *self.objects.entry(key.kind).or_default() += 1;
        let mut seen = BTreeSet::new();
        for (finding, occasion) in review.findings.iter().zip(occasions) {
            let count = self.findings.entry(sort(finding)).or_default();
            if count.findings == 0 {
                count.rule = finding.rule;
                count.message = clip(&finding.message, MESSAGE);
            }
            count.findings += 1;
            count.occasions.insert(*occasion);
            if seen.insert(sort(finding)) {
                *count.kinds.entry(key.kind).or_default() += 1;
                if count.examples.len() < EXAMPLES {
                    count.examples.push(match key.namespace.as_str() {
                        "" => key.name.clone(),
                        namespace => format!("{namespace}/{}", key.name),
                    });
                }
            }
        }
        let ids: BTreeSet<&'static str> = seen.into_iter().map(|(_, id)| id).collect();
        self.all.add(review);
        let project = self.projects.entry(owner.project.clone()).or_default();
        project.add(review, &ids);
        if !owner.name.is_empty() {
            let owner = self.owners.entry(owner.name.clone()).or_default();
            owner.add(review, &ids);
        }
    }

    /// Counts an object that could not be parsed.
    pub fn add_unreadable(&mut self) {
        self.all.objects += 1;
        self.all.undetermined += 1;
    }
}

fn sort(finding: &Finding) -> (Reverse<Level>, &'static str) {
    (Reverse(finding.level), finding.finding)
}

impl Count {
    /// Returns the number of objects with the finding.
    pub fn objects(&self) -> usize {
        self.kinds.values().sum()
    }
}

impl ObjectCounts {
    fn add(&mut self, review: &Review) {
        self.objects += 1;
        match review.verdict() {
            Verdict::Denied => self.denied += 1,
            Verdict::Undetermined => self.undetermined += 1,
            Verdict::Allowed if !review.findings.is_empty() => self.warned += 1,
            Verdict::Allowed => {}
        }
    }
}

impl Group {
    fn add(&mut self, review: &Review, ids: &BTreeSet<&'static str>) {
        self.stands.add(review);
        for id in ids {
            *self.findings.entry(id).or_default() += 1;
        }
    }
}
