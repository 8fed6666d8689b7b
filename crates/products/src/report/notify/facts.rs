// SPDX-License-Identifier: Apache-2.0
//! Facts of a landscape that the owners of Projects should know.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};

use crate::report::site::{AllGroups, Landscape, SiteObject, SiteShoot};
use garden_gate_model::api::Kind;

/// The facts of a landscape, by Project.
#[derive(Debug)]
pub struct LandscapeFacts {
    /// The day of the forecast (UTC).
    pub(super) today: Date,
    /// The Projects, sorted by name; also those without facts.
    pub(super) projects: BTreeMap<String, ProjectFacts>,
}

/// The facts of a Project.
#[derive(Debug, Default)]
pub struct ProjectFacts {
    /// The name of the Project, or the namespace if no Project is known.
    pub(super) project: String,
    /// The owner of the Project; may be empty.
    pub(super) owner: String,
    /// Equal facts once, most urgent first.
    pub(super) groups: Vec<FactGroup>,
    /// Objects of which not all facts are known: Shoots without a forecast.
    pub(super) uncertain: Vec<u32>,
}

/// Equal facts of several objects.
#[derive(Debug)]
pub(super) struct FactGroup {
    pub(super) kind: &'static str,
    pub(super) what: String,
    pub(super) why: Vec<String>,
    pub(super) advice: Vec<String>,
    pub(super) rule: Option<&'static str>,
    pub(super) facts: Vec<Fact>,
}

/// A fact of one object.
#[derive(Debug)]
pub(super) struct Fact {
    pub(super) id: FactId,
    pub(super) kind: Kind,
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) title: String,
    /// The day on which it happens; `None` if it is the case now.
    pub(super) day: Option<Date>,
    /// The digest of the reason.
    pub(super) digest: u32,
}

/// The identity of a fact, which stays the same when its day or its reason changes.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) struct FactId {
    /// The digest of the object.
    pub(super) object: u32,
    /// The digest of the change or the violation.
    pub(super) subject: u32,
}

impl LandscapeFacts {
    /// Returns the facts of a landscape; those of objects that belong to no Project are left out.
    pub fn of(landscape: &Landscape) -> Self {
        let mut projects: BTreeMap<String, ProjectFacts> = BTreeMap::new();
        // They are sorted by Project.
        let same = |a: &SiteShoot, b: &SiteShoot| project_of_shoot(a) == project_of_shoot(b);
        for shoots in landscape.shoots.chunk_by(same) {
            let Some(first) = shoots.first() else { continue };
            let facts = project(&mut projects, project_of_shoot(first), &first.owner().name);
            let AllGroups { act, forced, .. } = AllGroups::of(landscape, shoots);
            for group in act.into_iter().chain(forced) {
                let subject = (group.kind, &*group.what, group.rule.unwrap_or_default());
                let each = group.shoots.iter().zip(&group.each);
                let of_group = each.filter_map(|(position, (day, reason))| {
                    let (namespace, name) = shoots.get(*position)?.key();
                    let title = shoots.get(*position)?.owner().title(namespace, name);
                    Some(Fact::of((Kind::Shoot, namespace, name), title, subject, (*day, reason)))
                });
                facts.groups.push(FactGroup {
                    kind: group.kind,
                    facts: of_group.collect(),
                    what: group.what,
                    why: group.why,
                    advice: group.advice,
                    rule: group.rule,
                });
            }
            let unknown = shoots.iter().filter(|it| it.forecast.is_err()).map(|it| {
                let (namespace, name) = it.key();
                object_digest(Kind::Shoot, namespace, name)
            });
            facts.uncertain.extend(unknown);
        }
        add_refused(&mut projects, &landscape.objects);
        Self { today: landscape.at.to_zoned(TimeZone::UTC).date(), projects }
    }

    /// Returns the number of Projects.
    pub fn projects(&self) -> usize {
        self.projects.len()
    }
}

impl ProjectFacts {
    /// Returns the name of the Project, or the namespace if no Project is known.
    pub fn project(&self) -> &str {
        &self.project
    }

    /// Returns the owner of the Project; may be empty.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    pub(super) fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.groups.iter().flat_map(|it| &it.facts)
    }
}

impl Fact {
    fn of(
        (kind, namespace, name): (Kind, &str, &str),
        title: String,
        (of_kind, what, rule): (&str, &str, &str),
        (day, reason): (Option<Date>, &str),
    ) -> Self {
        let subject = digest(&[of_kind, what, rule]);
        Self {
            id: FactId { object: object_digest(kind, namespace, name), subject },
            kind,
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            title,
            day,
            digest: digest(&[reason]),
        }
    }
}

/// Adds the refusals of objects other than Shoots, equal ones once.
fn add_refused(projects: &mut BTreeMap<String, ProjectFacts>, objects: &[SiteObject]) {
    let mut known: BTreeMap<(String, &str), FactGroup> = BTreeMap::new();
    for object in objects {
        let namespace = object.key.namespace.as_str();
        let of_project =
            if object.owner.project.is_empty() { namespace } else { &object.owner.project };
        if of_project.is_empty() {
            continue;
        }
        project(projects, of_project, &object.owner.name);
        for finding in object.findings.iter().filter(|it| it.is_urgent()) {
            let (what, why) = (finding.sentence(), finding.occasion());
            let group =
                known.entry((of_project.to_owned(), finding.id)).or_insert_with(|| FactGroup {
                    kind: "refused",
                    what: what.to_owned(),
                    why: vec![why.to_owned()],
                    advice: Vec::new(),
                    rule: Some(finding.rule),
                    facts: Vec::new(),
                });
            let (kind, name) = (object.key.kind, &*object.key.name);
            let title = match namespace {
                "" => format!("{} {name}", kind.as_str()),
                _ => format!("{} {}", kind.as_str(), object.owner.title(namespace, name)),
            };
            let subject = ("refused", finding.id, finding.rule);
            let fact = Fact::of((kind, namespace, name), title, subject, (None, why));
            if group.facts.last().is_none_or(|it| it.id != fact.id) {
                group.facts.push(fact);
            }
        }
    }
    for ((of_project, _), group) in known {
        if let Some(facts) = projects.get_mut(&of_project) {
            facts.groups.push(group);
        }
    }
    for facts in projects.values_mut() {
        // Forced updates come last; the sort is stable.
        facts.groups.sort_by_key(|it| it.kind == "forced");
        distinguish(&mut facts.groups);
    }
}

/// Gives facts different ids that differ in their reason or their day only, such as those of two worker pools.
///
/// Otherwise each run would find that one of them differs from the other. The first one keeps its id when others appear.
pub(super) fn distinguish(groups: &mut [FactGroup]) {
    let mut facts: Vec<&mut Fact> = groups.iter_mut().flat_map(|it| &mut it.facts).collect();
    facts.sort_by_key(|it| (it.id, it.day, it.digest));
    let (mut before, mut ordinal) = (None, 0_u32);
    for fact in facts {
        ordinal = if before == Some(fact.id) { ordinal + 1 } else { 0 };
        before = Some(fact.id);
        if ordinal > 0 {
            fact.id.subject = digest(&[&*fact.id.subject.to_string(), &*ordinal.to_string()]);
        }
    }
}

fn project<'a>(
    projects: &'a mut BTreeMap<String, ProjectFacts>,
    name: &str,
    owner: &str,
) -> &'a mut ProjectFacts {
    projects.entry(name.to_owned()).or_insert_with(|| ProjectFacts {
        project: name.to_owned(),
        owner: owner.to_owned(),
        ..ProjectFacts::default()
    })
}

fn project_of_shoot(shoot: &SiteShoot) -> &str {
    match shoot.owner().project.as_str() {
        "" => shoot.key().0,
        project => project,
    }
}

fn object_digest(kind: Kind, namespace: &str, name: &str) -> u32 {
    digest(&[kind.as_str(), namespace, name])
}

fn digest(parts: &[&str]) -> u32 {
    let digest = Sha256::digest(parts.join("\0"));
    digest.iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte))
}
