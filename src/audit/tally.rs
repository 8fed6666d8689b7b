use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Occasion;
use crate::config::Level;
use crate::engine::{Finding, Kind, Review, Verdict};
use crate::forecast::Owner;
use crate::garden::ObjectKey;

/// So many objects are named as examples; the others are counted.
const EXAMPLES: usize = 3;

/// What was said about all objects of an audit together, counted one after the other. It grows with rules and Projects, not with objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many objects of each kind there are.
    pub objects: BTreeMap<Kind, usize>,
    /// How they all stand.
    pub all: Stands,
    /// By what was found: the id of the finding, what refuses first.
    pub findings: BTreeMap<(Reverse<Level>, &'static str), Count>,
    /// By Project; what belongs to none stands under the empty name.
    pub projects: BTreeMap<String, Group>,
    /// By the owner of the Project.
    pub owners: BTreeMap<String, Group>,
}

/// How objects stand.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Stands {
    /// How many objects there are.
    pub objects: usize,
    /// Of these, how many would be refused on some occasion.
    pub denied: usize,
    /// Of the rest, about how many something could not be told that might refuse them.
    pub undetermined: usize,
    /// Of the rest, about how many there is something to say.
    pub warned: usize,
}

/// What was found of one sort.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Count {
    /// The id of the rule.
    pub rule: &'static str,
    /// How many objects of each kind it was found about.
    pub kinds: BTreeMap<Kind, usize>,
    /// How often it was found, which may be several times about one object.
    pub findings: usize,
    /// When it matters.
    pub occasions: BTreeSet<Occasion>,
    /// The first of the objects, as `garden-dev/web`.
    pub examples: Vec<String>,
}

/// The objects that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// How they stand.
    pub stands: Stands,
    /// The ids of what was found about them, with the number of objects.
    pub findings: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Counts one more object.
    pub fn add(
        &mut self,
        key: &ObjectKey,
        owner: &Owner,
        (review, occasions): (&Review, &[Occasion]),
    ) {
        *self.objects.entry(key.kind).or_default() += 1;
        let mut seen = BTreeSet::new();
        for (finding, occasion) in review.findings.iter().zip(occasions) {
            let count = self.findings.entry(sort(finding)).or_default();
            count.rule = finding.rule;
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

    /// Counts an object that could not be read.
    pub fn add_unreadable(&mut self) {
        self.all.objects += 1;
        self.all.undetermined += 1;
    }
}

fn sort(finding: &Finding) -> (Reverse<Level>, &'static str) {
    (Reverse(finding.level), finding.finding)
}

impl Count {
    /// How many objects it was found about.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.kinds.values().sum()
    }
}

impl Stands {
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
