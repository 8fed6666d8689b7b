// SPDX-License-Identifier: Apache-2.0
//! The plans of changed Shoots.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use rayon::prelude::*;
use serde_json::Value;
use serde_json::value::RawValue;

use super::change_set::ChangeSet;
use super::subject::{Doubt, Subject};
use crate::forecast::Profiles;
use garden_gate_core::admission::{Case, EntryPoint, Operation, Request, Review, Verdict, World};
use garden_gate_core::config::Level;
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_core::plan::{ChangePlan, ShootChange, ShootPlan, UnplannedShoot};
use garden_gate_core::policies::mutating_policies;
use garden_gate_core::workload::{ClusterChange, ClusterState};
use garden_gate_model::api::{Kind, Shoot};
use garden_gate_model::gardener::defaults;
use garden_gate_text::json::{JsonPath, decode, without_position};

/// Number of Shoots that one core plans in a row.
const IN_A_ROW: usize = 16;

/// The plan of a change, and the change of the only changed Shoot for the checks of its workload.
#[derive(Debug)]
pub struct PlannedChange {
    /// The plan.
    pub plan: ChangePlan,
    /// The change of the Shoot, or the reason why it is unknown; `None` if nobody asked for it.
    pub cluster: Option<Result<ClusterChange, String>>,
}

/// Plans the changed Shoots among some subjects, on all cores, as if all other changes were applied.
///
/// With `has_workload`, the change of the only Shoot is returned, too. `planned` is called after each subject.
pub fn change_plan(
    mut subjects: Vec<Subject>,
    others: OtherShoots,
    has_workload: bool,
    world: &World<'_>,
    planned: impl Fn() + Sync,
) -> PlannedChange {
    let OtherShoots { unchanged, mut unclear } = others;
    let garden = ChangeSet::of(&mut subjects).applied_to(world.garden);
    let mut keys: HashSet<ObjectKey> = unchanged.iter().cloned().collect();
    for key in subjects.iter().filter_map(Subject::key) {
        if !keys.insert(key.clone()) {
            unclear.insert(key, "two manifests have this Shoot; keep one".to_owned());
        }
    }
    let planner = Planner {
        profiles: Profiles::default(),
        world: &World { garden: &garden, ..*world },
        unclear: &unclear,
        policies: policies(world),
    };
    let plans = subjects.par_iter().with_max_len(IN_A_ROW).map(|subject| {
        let plan = planner.plan(subject);
        planned();
        plan
    });
    let plans: Vec<Option<Result<ShootPlan, UnplannedShoot>>> = plans.collect();
    let cluster = has_workload.then(|| planner.cluster_change(&subjects, &plans));
    let mut plan = ChangePlan {
        unchanged: unchanged.len(),
        settings: world.config.plan.clone(),
        ..ChangePlan::default()
    };
    for shoot in plans.into_iter().flatten() {
        match shoot {
            Ok(planned) => plan.shoots.push(planned),
            Err(unplanned) => plan.undetermined.push(unplanned),
        }
    }
    let lost = unclear.iter().filter(|(key, _)| key.kind == Kind::Shoot && !keys.contains(*key));
    plan.undetermined.extend(lost.map(|(key, why)| unplanned(key, why)));
    plan.undetermined.sort();
    plan.undetermined.dedup();
    PlannedChange { plan, cluster }
}

/// The Shoots of a change without an own plan.
#[derive(Clone, Debug, Default)]
pub struct OtherShoots {
    /// The Shoots that do not change, once for each manifest.
    pub unchanged: Vec<ObjectKey>,
    /// The Shoots of which one state is not known, with the reasons.
    pub unclear: HashMap<ObjectKey, String>,
}

impl OtherShoots {
    /// Takes the Shoots among unchanged manifests and among objects with an unknown state.
    pub fn new(unchanged: &[Subject], mut unclear: HashMap<ObjectKey, String>) -> Self {
        let keys = unchanged.iter().filter_map(Subject::key);
        unclear.retain(|key, _| key.kind == Kind::Shoot);
        Self { unchanged: keys.filter(|key| key.kind == Kind::Shoot).collect(), unclear }
    }
}

/// Returns sentences on the policies that may change Shoots, which a plan does not apply.
fn policies(world: &World<'_>) -> Vec<String> {
    let policies = mutating_policies(world.garden, false);
    let policies = policies.filter(|(_, kinds)| kinds.contains(&Kind::Shoot));
    policies.map(|(it, _)| format!("whether the {} changes the Shoot", it.title)).collect()
}

fn unplanned(key: &ObjectKey, why: &str) -> UnplannedShoot {
    UnplannedShoot { title: format!("{}/{}", key.namespace, key.name), why: why.to_owned() }
}

/// The common input of all plans.
struct Planner<'a> {
    profiles: Profiles,
    world: &'a World<'a>,
    /// The Shoots of which one state is not known, with the reasons.
    unclear: &'a HashMap<ObjectKey, String>,
    /// Sentences on policies that are not applied.
    policies: Vec<String>,
}

impl Planner<'_> {
    /// Returns the plan of a subject; `None` if it is not a Shoot.
    fn plan(&self, subject: &Subject) -> Option<Result<ShootPlan, UnplannedShoot>> {
        if let Some(key) = subject.key() {
            if key.kind != Kind::Shoot {
                return None;
            }
            if let Some(why) = self.unclear.get(&key) {
                return Some(Err(unplanned(&key, why)));
            }
        }
        let planned = subject.with_request(self.world.config, |request| self.of_request(request));
        let unplanned = |title: String, why| Some(Err(UnplannedShoot { title, why }));
        match (planned, subject.old_state_doubt()) {
            (Err(why), _) => unplanned(subject.place(), why),
            (Ok(None), _) => None,
            (Ok(Some(_)), Doubt::Replaces(why)) => {
                let why = format!("its old state is unknown: {why}");
                unplanned(title(subject), why)
            }
            (Ok(Some(Err(why))), _) => unplanned(title(subject), why),
            (Ok(Some(Ok(mut plan))), doubt) => {
                if let Doubt::MayReplace(why) = doubt {
                    plan.unknown.push(format!("whether the Shoot exists; planned as new: {why}"));
                }
                Some(Ok(plan))
            }
        }
    }

    /// Returns the plan of a request; `None` if it is not for a Shoot.
    fn of_request(&self, request: &Request<'_>) -> Option<Result<ShootPlan, String>> {
        let is_shoot = request.kind() == Some(Kind::Shoot) && request.sub_resource.is_empty();
        let is_write = request.operation != Operation::Connect;
        (is_shoot && is_write).then(|| self.of_shoot(request))
    }

    fn of_shoot(&self, request: &Request<'_>) -> Result<ShootPlan, String> {
        let review = self.review(request);
        let namespace = &*request.namespace;
        let old = request.old_object.map(|it| shoot(it.get(), namespace)).transpose();
        let old = old.map_err(|why| format!("its old state cannot be read: {why}"))?;
        let stored = request.object.map(|it| stored(it, &review)).transpose()?;
        let new = stored.as_deref().map(|it| shoot(it, namespace)).transpose()?;
        let profile = new.as_ref().or(old.as_ref()).and_then(|it| it.profile(namespace));
        let profile = profile.map(|key| self.profiles.get(&key, self.world.garden));
        let profile = match profile.as_deref() {
            Some(Ok(profile)) => Ok(&profile.spec),
            Some(Err(why)) => Err(why.as_str()),
            None => Err("the Shoot references no profile"),
        };
        let estimates = &self.world.config.plan.estimates;
        let change = ShootChange { old: old.as_ref(), new: new.as_ref(), profile, estimates };
        let mut plan = ShootPlan::of((namespace, &request.name), &change);
        plan.refusal = refusal(&review);
        plan.unknown.extend(self.policies.iter().cloned());
        Ok(plan)
    }

    /// Returns the change of the only planned Shoot.
    fn cluster_change(
        &self,
        subjects: &[Subject],
        plans: &[Option<Result<ShootPlan, UnplannedShoot>>],
    ) -> Result<ClusterChange, String> {
        let mut planned =
            subjects.iter().zip(plans).filter_map(|(it, plan)| Some((it, plan.as_ref()?)));
        let Some((subject, plan)) = planned.next() else {
            return Err("no Shoot changes".to_owned());
        };
        let others = planned.count();
        if others > 0 {
            return Err(format!(
                "{} Shoots change, and the workload belongs to one of them; plan that one alone",
                others + 1
            ));
        }
        let plan = plan.as_ref().map_err(|it| format!("the Shoot has no plan: {}", it.why))?;
        if let Doubt::MayReplace(why) = subject.old_state_doubt() {
            return Err(format!("the Shoot before the change is not known: {why}"));
        }
        subject.with_request(self.world.config, |request| {
            let new = request.object.ok_or("the Shoot is deleted")?;
            let new = stored(new, &self.review(request))?;
            let before = request.old_object.map(|it| cluster(it.get())).transpose()?;
            Ok(ClusterChange { before, after: cluster(&new)?, drained: plan.drained_pools() })
        })?
    }

    /// Judges the request without an API server, for the changes of rules to the object.
    fn review(&self, request: &Request<'_>) -> Review {
        Case::decide(EntryPoint::Review, request, self.world, |garden: &mut Snapshot, questions| {
            for question in questions {
                garden.answer_unknown(question, "a plan asks no API server");
            }
        })
    }
}

/// Returns the finding that refuses a change.
fn refusal(review: &Review) -> Option<String> {
    if review.verdict() != Verdict::Denied {
        return None;
    }
    let first = review.findings.iter().find(|it| it.level == Level::Deny)?;
    Some(format!("{}: {}", first.finding, first.message))
}

fn cluster(shoot: &str) -> Result<ClusterState, String> {
    ClusterState::of_shoot(shoot).map_err(|why| format!("the Shoot cannot be read: {why}"))
}

/// Returns a new Shoot as stored, with the changes of rules.
fn stored<'a>(object: &'a RawValue, review: &Review) -> Result<Cow<'a, str>, String> {
    let patch = review.mutation();
    if patch.0.is_empty() {
        return Ok(Cow::Borrowed(object.get()));
    }
    let unreadable = |why: &dyn Display| format!("its defaults cannot be applied: {why}");
    let mut value: Value = serde_json::from_str(object.get()).map_err(|why| unreadable(&why))?;
    json_patch::patch(&mut value, patch).map_err(|why| unreadable(&why))?;
    Ok(Cow::Owned(value.to_string()))
}

/// Decodes a Shoot, and adds defaults.
fn shoot(text: &str, namespace: &str) -> Result<Shoot, String> {
    let mut shoot: Shoot = decode(text).map_err(|error| {
        let field = JsonPath::of_error(text, &error).to_string();
        format!("`{field}`: {}", without_position(&error))
    })?;
    defaults::shoot(&mut shoot, namespace);
    Ok(shoot)
}

fn title(subject: &Subject) -> String {
    match subject.key() {
        Some(key) => format!("{}/{}", key.namespace, key.name),
        None => subject.place(),
    }
}
