// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashSet};

use garden_gate_core::admission::{Case, EntryPoint, Judgement, Request, Review, World};
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::{self, OwnPolicy, Policies};
use garden_gate_core::rules;
use garden_gate_model::api::GardenerVersion;
use garden_gate_text::go::clip;
use jiff::Timestamp;

use super::{RecordedRequest, RecordedVerdict};
use crate::forecast::Owner;

/// Maximum number of objects of a group that are named.
const NAMED: usize = 3;
/// Maximum size of the name of an object, an id or a message in bytes.
const LONGEST: usize = 1_000;
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
            object: clip(object, LONGEST),
            owner: Owner::of_namespace(&request.namespace, self.garden),
            changes: changes(&old, &review)
                .into_iter()
                .map(|(change, id, message)| (change, clip(id, LONGEST), clip(message, LONGEST)))
                .collect(),
        })
    }

    /// Judges a request as the server does, without the answers of an API server.
    fn review(
        &self,
        request: &Request<'_>,
        judge: &ReplayJudge<'_>,
        (now, version): (Timestamp, Option<GardenerVersion>),
    ) -> Review {
        let mut config = judge.config.clone();
        config.set_garden_version(version);
        let policies =
            Policies { cache: None, own: judge.policies, is_user_known: true, is_enforced: true };
        let mut case = Case::default();
        loop {
            let garden = case.garden(self.garden);
            let world = World { rules: rules::ALL.into(), garden, config: &config, now };
            let questions = match case.judge(EntryPoint::Validate, request, &world) {
                Judgement::Questions(questions) => questions,
                Judgement::Review(mut review) => {
                    let remarks = policies::judge(request, &mut review, &world, policies);
                    if remarks.questions.is_empty() || !case.has_rounds() {
                        return review;
                    }
                    remarks.questions
                }
            };
            let mut garden = garden.clone();
            for question in questions {
                garden.answer_unknown(question, "a replay asks no API server");
            }
            case.answer(garden);
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
    let denied = if old.denied.is_empty() { Change::Denied } else { Change::DeniedOtherwise };
    let allowed = if new.denied.is_empty() { Change::NotDenied } else { Change::Gone };
    let may_still_apply = new.denied.is_empty() && !new.undetermined.is_subset(&old.undetermined);
    let mut changes = Vec::new();
    for id in new.denied.difference(&old.denied) {
        changes.push((denied, id.clone(), message(id)));
    }
    for id in old.denied.difference(&new.denied).filter(|_| !may_still_apply) {
        changes.push((allowed, id.clone(), String::new()));
    }
    for id in new.undetermined.difference(&old.undetermined) {
        changes.push((Change::Undetermined, id.clone(), why(id)));
    }
    for id in new.warned.difference(&old.warned) {
        changes.push((Change::Warned, id.clone(), message(id)));
    }
    let gone = old.warned.difference(&new.warned);
    for id in gone.chain(old.undetermined.difference(&new.undetermined)) {
        changes.push((Change::Gone, id.clone(), String::new()));
    }
    changes
}
