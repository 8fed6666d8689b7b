// SPDX-License-Identifier: Apache-2.0
//! Dry runs: the API server's own answers to a change, without storing anything.

use std::collections::{BTreeMap, BTreeSet};

use super::live::ClusterState;
use crate::garden::live::{DryRun, Intent};
use crate::review::cluster::Live;
use garden_gate_core::admission::{Kind, Operation, Verdict, World};
use garden_gate_core::config::Level;
use garden_gate_core::garden::ObjectKey;
use garden_gate_products::report::{Outcome, Reviewed, ServerAnswer, ServerVerdict, clip};
use garden_gate_products::review::Subject;
use garden_gate_products::review::change_set::{self, Applier};

/// Maximum size of a message in bytes.
const LONGEST: usize = 4096;

/// The answer of the API server for an object of a change.
pub(crate) struct ServerReview {
    answer: ServerAnswer,
    /// The operation of the dry run.
    operation: Operation,
    /// The verdict of garden-gate about the object alone, as in the dry run.
    alone: Verdict,
    /// Whether the verdict assumes permissions, which the API server checks for the requesting user.
    needs_verbs: bool,
}

/// A dry-run request, or the answer if no request is useful.
struct Plan {
    operation: Operation,
    request: Result<(ObjectKey, Intent), ServerAnswer>,
}

/// Sends a dry run for every manifest of a garden object, and returns the answers in their order.
pub(crate) fn ask(
    live: &Live,
    subjects: &[Subject],
    shown: &ClusterState,
    applier: &Applier<'_>,
    world: &World<'_>,
) -> Vec<Option<ServerReview>> {
    let brought = brought(subjects, shown);
    let plans = subjects.iter().map(|it| plan(it, shown, &brought));
    let plans: Vec<Option<Plan>> = plans.collect();
    let requests = plans.iter().flatten();
    let requests: Vec<_> =
        requests.filter_map(|plan| plan.request.as_ref().ok().cloned()).collect();
    let user = applier.is_named.then_some(&applier.user);
    let mut answers = live.dry_run(&requests, user).into_iter();
    let asked = plans.into_iter().zip(subjects).map(|(plan, subject)| {
        let Plan { operation, request } = plan?;
        let answer = match request {
            Ok(_) => answer(answers.next()?),
            Err(answer) => answer,
        };
        let (alone, needs_verbs) = change_set::alone(subject, applier, world);
        Some(ServerReview { answer, operation, alone, needs_verbs })
    });
    asked.collect()
}

/// Adds the answer of the API server to the verdict.
pub(crate) fn add_answer(object: &mut Reviewed, asked: ServerReview) {
    object.server = Some(verdict(object, asked));
}

/// Returns the namespaces of new Projects, with the titles of the Projects.
fn brought(subjects: &[Subject], shown: &ClusterState) -> BTreeMap<String, String> {
    let mut brought = BTreeMap::new();
    for subject in subjects {
        let project = subject.key().filter(|key| key.kind == Kind::Project);
        let new = project.filter(|key| subject.exists_after() && !shown.stored.contains_key(key));
        let Some(key) = new else {
            continue;
        };
        let document = subject.document();
        let namespace = document.and_then(|it| it.text("/spec/namespace"));
        // The default namespace of a Project.
        let namespace = namespace.unwrap_or_else(|| format!("garden-{}", key.name));
        brought.insert(namespace, subject.title());
    }
    brought
}

fn plan(
    subject: &Subject,
    shown: &ClusterState,
    brought: &BTreeMap<String, String>,
) -> Option<Plan> {
    let key = subject.key().filter(|key| !key.kind.is_outside_garden())?;
    let stored = shown.stored.get(&key);
    let operation = match (subject.exists_after(), stored) {
        (true, None) => Operation::Create,
        (true, Some(_)) => Operation::Update,
        (false, _) => Operation::Delete,
    };
    let unanswered = |why: &str| Err(ServerAnswer::Unanswered(why.to_owned()));
    let request = if let Some(why) = shown.unknown.get(&key) {
        unanswered(why)
    } else if let Some(project) = brought.get(&key.namespace) {
        let why = format!("it cannot know what this change brings: {project}");
        Err(ServerAnswer::Unable(why))
    } else {
        match (operation, stored, subject.new_state()) {
            (Operation::Delete, None, _) => {
                let why = "it holds no such object, so that there is nothing to delete";
                Err(ServerAnswer::Unable(why.to_owned()))
            }
            (Operation::Delete, ..) => Ok(Intent::Delete),
            (_, None, Some(new)) => Ok(Intent::Create(new.get().to_owned())),
            (_, Some(_), Some(new)) => Ok(Intent::Update(new.get().to_owned())),
            (_, _, None) => unanswered("there is nothing to send"),
        }
    };
    let request = request.map(|intent| (key, intent));
    Some(Plan { operation, request })
}

fn answer(answer: DryRun) -> ServerAnswer {
    match answer {
        DryRun::Allowed => ServerAnswer::Allowed,
        DryRun::Refused { code, message } => {
            let message = clip(&message, LONGEST);
            ServerAnswer::Refused { code, message }
        }
        DryRun::Unanswered(why) => ServerAnswer::Unanswered(clip(&why, LONGEST)),
    }
}

/// Compares the answer with the verdict about the object alone, as it was sent to the API server.
fn verdict(object: &Reviewed, asked: ServerReview) -> ServerVerdict {
    let ServerReview { answer, operation, alone, needs_verbs } = asked;
    let together = object.verdict();
    let theirs = match &answer {
        ServerAnswer::Allowed => Verdict::Allowed,
        ServerAnswer::Refused { .. } => Verdict::Denied,
        ServerAnswer::Unable(_) | ServerAnswer::Unanswered(_) => return ServerVerdict::new(answer),
    };
    if alone != together && alone == theirs {
        let mut why = "it cannot know what this change brings".to_owned();
        if let ServerAnswer::Refused { message, .. } = answer {
            why += &format!(", and says: {message}");
        }
        return ServerVerdict::new(ServerAnswer::Unable(why));
    }
    let is_about_verbs = needs_verbs && theirs == Verdict::Denied;
    let is_comparable = Some(operation) == object.operation && alone != Verdict::Undetermined;
    let is_comparable = is_comparable && !is_about_verbs;
    if is_comparable && alone != theirs {
        let is_judged_in_part = !object.unjudged.is_empty();
        ServerVerdict::disagreeing(answer, &refusing(object), is_judged_in_part)
    } else {
        ServerVerdict::new(answer)
    }
}

/// Returns the rules that refuse the object.
fn refusing(object: &Reviewed) -> Vec<&'static str> {
    let Outcome::Judged(review, _) = &object.outcome else {
        return Vec::new();
    };
    let refusals = review.findings.iter().filter(|it| it.level == Level::Deny);
    let rules: BTreeSet<&str> = refusals.map(|it| it.rule).collect();
    rules.into_iter().collect()
}
