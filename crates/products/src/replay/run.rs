// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet, HashSet};

use garden_gate_core::admission::{
    Case, EntryPoint, Question, Request, Review, RuleLists, Rules, World,
};
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::{self, OwnPolicy, Policies};
use garden_gate_core::rules;
use garden_gate_model::api::GardenerVersion;
use jiff::Timestamp;

use super::{RecordedRequest, RecordedVerdict};
use crate::forecast::Owner;

/// Maximum rounds of lookups of policies.
const ROUNDS: usize = 3;
/// Maximum number of objects of a group that are named.
const NAMED: usize = 3;
/// Maximum number of unreadable lines that are named.
const UNREADABLE: usize = 20;

/// By what requests are judged.
#[derive(Clone, Copy, Debug)]
pub struct ReplayJudge<'a> {
    /// The configuration; unless it has a version of Gardener, the recorded one applies.
    pub config: &'a Config,
    /// The policies of operators.
    pub policies: &'a [OwnPolicy],
}

/// The verdicts with which new ones are compared.
#[derive(Clone, Copy, Debug)]
pub enum ReplayBase<'a> {
    /// The recorded ones, by the server with the garden of that time.
    Recorded,
    /// Those by another configuration, with the same garden.
    Judged(ReplayJudge<'a>),
}

/// Judges recorded requests again.
#[derive(Clone, Copy, Debug)]
pub struct Replayer<'a> {
    /// The garden.
    pub garden: &'a Snapshot,
    /// The verdicts to compare with.
    pub base: ReplayBase<'a>,
    /// The judge of new verdicts.
    pub judge: ReplayJudge<'a>,
}

/// The effect on a request, most severe first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Change {
    /// The request was not denied, and is denied by the finding.
    Denied,
    /// The request is also denied by the finding, and was denied by others.
    DeniedOtherwise,
    /// The rule is undetermined now.
    Undetermined,
    /// The request was denied by the finding, and is not denied by any.
    NotDenied,
    /// The request gets the warning.
    Warned,
    /// The request no longer has the finding; it is as denied, allowed or undetermined as before by others.
    Gone,
}

/// The requests with the same effect of the same finding.
#[derive(Clone, Debug, Default)]
pub struct ChangeGroup {
    /// The number of requests.
    pub requests: usize,
    /// The number of objects.
    pub objects: usize,
    /// The numbers of requests by owner.
    pub owners: BTreeMap<Owner, usize>,
    /// Some of the objects, with the place of a request for each.
    pub named: Vec<(String, String)>,
    /// The message of the first request; empty if the finding is gone.
    pub message: String,
    known: HashSet<String>,
}

/// The results of all requests.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// The number of requests that were judged.
    pub requests: usize,
    /// The number of requests with changes.
    pub changed: usize,
    /// The number of requests that are denied, and were not denied before.
    pub newly_denied: usize,
    /// The changes by effect and finding.
    pub groups: BTreeMap<(Change, String), ChangeGroup>,
    /// The first lines that are not records, with the reasons.
    pub unreadable: Vec<(String, String)>,
    /// The number of all such lines.
    pub unreadable_count: usize,
}

/// The result of a request.
#[derive(Debug)]
pub struct Compared {
    place: String,
    object: String,
    owner: Owner,
    /// The effects with the findings and their messages.
    changes: Vec<(Change, String, String)>,
}

impl Replayed {
    /// Adds the result of a line, or why it has none.
    pub fn add(&mut self, place: &str, result: Result<Compared, String>) {
        let compared = match result {
            Ok(compared) => compared,
            Err(why) => return self.add_unreadable(place, why),
        };
        self.requests += 1;
        self.changed += usize::from(!compared.changes.is_empty());
        let is_denied = compared.changes.iter().any(|(change, ..)| *change == Change::Denied);
        self.newly_denied += usize::from(is_denied);
        for (change, id, message) in compared.changes {
            let group = self.groups.entry((change, id)).or_default();
            group.requests += 1;
            *group.owners.entry(compared.owner.clone()).or_default() += 1;
            if group.known.insert(compared.object.clone()) {
                group.objects += 1;
                if group.named.len() < NAMED {
                    group.named.push((compared.object.clone(), compared.place.clone()));
                }
            }
            if group.message.is_empty() {
                group.message = message;
            }
        }
    }

    fn add_unreadable(&mut self, place: &str, why: String) {
        self.unreadable_count += 1;
        if self.unreadable.len() < UNREADABLE {
            self.unreadable.push((place.to_owned(), why));
        }
    }

    /// Returns the groups of a change, those with most requests first.
    pub fn of(&self, change: Change) -> Vec<(&str, &ChangeGroup)> {
        let groups = self.groups.iter().filter(|((of, _), _)| *of == change);
        let mut groups: Vec<(&str, &ChangeGroup)> =
            groups.map(|((_, id), group)| (id.as_str(), group)).collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.requests));
        groups
    }
}

impl Replayer<'_> {
    /// Judges the request in a line of a record again; `place` is its file and line.
    ///
    /// # Errors
    /// Fails with the reason if the line is not a record, or its review has no request.
    pub fn replay(&self, place: &str, line: &str) -> Result<Compared, String> {
        let record = RecordedRequest::parse(line)?;
        let body = record.review.to_string();
        let request = Request::from_review(body.as_bytes()).map_err(|why| why.to_string())?;
        let version = GardenerVersion::parse(&record.gardener_version).ok();
        let at = (record.time, version);
        let review = self.review(&request, &self.judge, at);
        let old = match &self.base {
            ReplayBase::Recorded => record.verdict,
            ReplayBase::Judged(judge) => RecordedVerdict::of(&self.review(&request, judge, at)),
        };
        let kind = request.kind().map_or("object", |it| it.as_str());
        let object = match &*request.namespace {
            "" => format!("{kind} {}", request.name),
            namespace => format!("{kind} {namespace}/{}", request.name),
        };
        Ok(Compared {
            place: place.to_owned(),
            object,
            owner: Owner::of_namespace(&request.namespace, self.garden),
            changes: changes(&old, &review),
        })
    }

    fn review(
        &self,
        request: &Request<'_>,
        judge: &ReplayJudge<'_>,
        (now, version): (Timestamp, Option<GardenerVersion>),
    ) -> Review {
        let mut config = judge.config.clone();
        config.set_garden_version(version);
        let lists = RuleLists::of(rules::ALL, &config);
        let mut garden = self.garden.clone();
        let unknown = |garden: &mut Snapshot, questions: BTreeSet<Question>| {
            for question in questions {
                garden.answer_unknown(question, "a replay asks no API server");
            }
        };
        let mut rounds = 0;
        loop {
            let rules = Rules::of_server(rules::ALL, &lists);
            let world = World { rules, garden: &garden, config: &config, now };
            let mut review = Case::decide(EntryPoint::Validate, request, &world, unknown);
            let policies = Policies {
                cache: None,
                own: judge.policies,
                is_user_known: true,
                is_enforced: true,
            };
            let remarks = policies::judge(request, &mut review, &world, policies);
            if remarks.questions.is_empty() || rounds == ROUNDS {
                return review;
            }
            unknown(&mut garden, remarks.questions);
            rounds += 1;
        }
    }
}

/// Compares verdicts.
///
/// A denial that is gone while a rule became undetermined may still apply, and is not listed as gone.
fn changes(old: &RecordedVerdict, review: &Review) -> Vec<(Change, String, String)> {
    let new = RecordedVerdict::of(review);
    let message = |id: &str| {
        let finding = review.findings.iter().find(|it| it.finding == id);
        finding.map(|it| it.message.clone()).unwrap_or_default()
    };
    let why = |id: &str| {
        let rule = review.undetermined.iter().find(|it| it.rule == id);
        rule.map(|it| it.message.clone()).unwrap_or_default()
    };
    let mut changes = Vec::new();
    let added = |old: &BTreeSet<String>, new: &BTreeSet<String>| {
        new.difference(old).cloned().collect::<Vec<String>>()
    };
    let unknown = added(&old.undetermined, &new.undetermined);
    let is_gone = new.denied.is_empty() && unknown.is_empty();
    for id in added(&old.denied, &new.denied) {
        let change = if old.denied.is_empty() { Change::Denied } else { Change::DeniedOtherwise };
        changes.push((change, id.clone(), message(&id)));
    }
    let change = if is_gone { Some(Change::NotDenied) } else { None };
    let change = change.or_else(|| (!new.denied.is_empty()).then_some(Change::Gone));
    let gone = added(&new.denied, &old.denied).into_iter();
    changes.extend(
        change
            .into_iter()
            .flat_map(|change| gone.clone().map(move |id| (change, id, String::new()))),
    );
    changes.extend(unknown.into_iter().map(|id| (Change::Undetermined, id.clone(), why(&id))));
    for id in added(&old.warned, &new.warned) {
        changes.push((Change::Warned, id.clone(), message(&id)));
    }
    let gone = added(&new.warned, &old.warned)
        .into_iter()
        .chain(added(&new.undetermined, &old.undetermined));
    changes.extend(gone.map(|id| (Change::Gone, id, String::new())));
    changes
}
