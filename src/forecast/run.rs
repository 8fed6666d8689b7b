//! One maintenance run: its changes, and whether admission permits them.

use jiff::Timestamp;
use serde_json::Value;

use super::after::{MaintainedShoot, after};
use super::cause::{Place, class};
use super::dry_run::dry_run;
use super::effect::Effects;
use super::operations::{Operations, annotate, clear};
use super::removed::may_remove;
use super::rotations::go_on;
use super::{Blocker, Class, Event, Part, Profile};
use crate::admission::{Review, Verdict, World};
use crate::api::Shoot;
use crate::config::Level;
use crate::gardener::defaults;
use crate::gardener::version::maintenance::{Outcome, Run, Targets, run};

/// A Shoot during the simulation.
pub(super) struct State {
    /// The stored object.
    pub(super) stored: Value,
    /// The typed object, defaulted.
    pub(super) shoot: Shoot,
    /// Pending operations other than version updates.
    pub(super) operations: Operations,
}

/// The result of a run.
#[derive(Default)]
pub(super) struct RunOutcome {
    pub(super) events: Vec<Event>,
    pub(super) blocked: Vec<Blocker>,
    pub(super) unknown: Vec<String>,
    /// The Shoot after the run; `None` if it does not change.
    pub(super) after: Option<State>,
}

impl RunOutcome {
    /// Reports whether the run is denied or a required update is impossible.
    pub(super) fn is_stuck(&self) -> bool {
        let mut events = self.events.iter();
        !self.blocked.is_empty() || events.any(|it| it.class == Class::NoUpdatePossible)
    }
}

impl State {
    /// Creates the state of a stored Shoot.
    ///
    /// # Errors
    /// Fails if the Shoot cannot be parsed.
    pub(super) fn new(mut stored: Value, now: Timestamp) -> Result<Self, serde_json::Error> {
        let shoot = read(&stored)?;
        let operations = Operations::of(&stored, &shoot, now);
        go_on(&mut stored, &[]);
        Ok(Self {
            operations,
            shoot,
            stored,
        })
    }

    /// Simulates a run at the time of `world`; `since` is the start of the forecast.
    ///
    /// # Errors
    /// Fails if the Shoot cannot be serialized or parsed.
    pub(super) fn attempt(
        &self,
        profile: &Profile,
        world: &World<'_>,
        since: Timestamp,
    ) -> Result<RunOutcome, serde_json::Error> {
        let at = world.now;
        let run = run(&self.shoot, &profile.spec, at);
        let is_hibernated = self.shoot.wants_hibernation();
        let (started, operations) = self.operations.start(at, is_hibernated);
        let failed = self.operations.fail(at, is_hibernated);
        let has_failures = run.has_failures() || !failed.is_empty();
        let is_quiet = !run.changes() && !has_failures && started.is_empty();
        if is_quiet && !may_remove(&self.stored) {
            return Ok(RunOutcome::default());
        }
        let MaintainedShoot {
            mut shoot,
            removed,
            migrates_secret_binding,
        } = after(&self.stored, &run);
        let mut attempt = RunOutcome::default();
        let changes = run.changes() || !removed.is_empty() || !started.is_empty();
        if !changes && !has_failures {
            return Ok(attempt);
        }
        if !started.is_empty() {
            annotate(&mut shoot, &operations);
        }
        let new = read(&shoot)?;
        if changes {
            let review = dry_run(&self.stored, &shoot, world)?;
            attempt.blocked = blockers(&review);
            attempt.unknown = unknown(&review);
        }
        let telling = RunDescription {
            state: self,
            profile,
            at,
            since,
            effects: Effects::of(&self.shoot, &new),
        };
        attempt.events = telling.versions(&run);
        attempt.events.extend(removed.iter().map(|removed| {
            let path = removed.field();
            telling.removed(path, &removed.names)
        }));
        if migrates_secret_binding {
            attempt.events.push(telling.migrates());
        }
        attempt.events.extend(started);
        attempt.events.extend(failed);
        if changes && attempt.blocked.is_empty() {
            attempt.after = Some(self.after(shoot, at)?);
        }
        Ok(attempt)
    }

    /// Reports whether a run at `at` affects versions with a lifecycle transition since `from`.
    pub(super) fn is_due(&self, profile: &Profile, from: Timestamp, at: Timestamp) -> bool {
        let targets = Targets::of(&self.shoot, &profile.spec);
        let kubernetes = profile.has_turned(from, at);
        if kubernetes && targets.control_plane(at).is_recorded() {
            return true;
        }
        let is_recorded = |it: Option<Outcome>| it.is_some_and(|it| it.is_recorded());
        let mut pools = self.shoot.spec.provider.workers.iter().enumerate();
        pools.any(|(index, pool)| {
            kubernetes && is_recorded(targets.pool(index, at))
                || profile.has_image_turned(pool, from, at) && is_recorded(targets.image(index, at))
        })
    }

    /// Returns the state after the run and its operations are completed.
    fn after(&self, mut stored: Value, at: Timestamp) -> Result<Self, serde_json::Error> {
        let mut operations = self.operations.clone();
        operations.started(at, &mut stored);
        clear(&mut stored, operations.can_begin());
        Ok(Self {
            shoot: read(&stored)?,
            stored,
            operations,
        })
    }
}

fn read(stored: &Value) -> Result<Shoot, serde_json::Error> {
    let mut shoot: Shoot = serde_json::from_value(stored.clone())?;
    let namespace = shoot.metadata.namespace.clone();
    defaults::shoot(&mut shoot, &namespace);
    Ok(shoot)
}

fn blockers(review: &Review) -> Vec<Blocker> {
    let denials = review.findings.iter().filter(|it| it.level == Level::Deny);
    let blockers = denials.map(|finding| Blocker {
        rule: finding.finding,
        field: finding.field.clone(),
        message: finding.message.clone(),
        help: finding.help.clone(),
    });
    blockers.collect()
}

fn unknown(review: &Review) -> Vec<String> {
    if review.verdict() != Verdict::Undetermined {
        return Vec::new();
    }
    let unknown = review.undetermined.iter();
    let mut unknown: Vec<String> = unknown
        .filter(|it| it.level == Level::Deny)
        .map(|it| it.message.clone())
        .collect();
    unknown.dedup();
    unknown
}

/// Formats the events of a run.
struct RunDescription<'a> {
    state: &'a State,
    profile: &'a Profile,
    at: Timestamp,
    since: Timestamp,
    effects: Effects<'a>,
}

impl RunDescription<'_> {
    fn versions(&self, run: &Run) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        events.extend(self.version(Part::ControlPlane, &run.kubernetes));
        let workers = &self.state.shoot.spec.provider.workers;
        for (pool, worker) in run.pools.iter().zip(workers) {
            let name = &pool.name;
            if let Some(outcome) = &pool.kubernetes {
                let part = Part::Pool { pool: name.clone() };
                events.extend(self.version(part, outcome));
            }
            if let (Some(outcome), Some(image)) = (&pool.image, &worker.machine.image) {
                let (pool, image) = (name.clone(), image.name.clone());
                events.extend(self.version(Part::Image { pool, image }, outcome));
            }
        }
        events
    }

    fn version(&self, part: Part, outcome: &Outcome) -> Option<Event> {
        let class = class(outcome)?;
        let place = Place {
            part: &part,
            shoot: &self.state.shoot,
            spec: &self.profile.spec,
            at: self.at,
            since: self.since,
        };
        let oddities = outcome.oddities.iter().map(ToString::to_string);
        Some(Event {
            from: outcome.from.clone(),
            to: outcome.is_updated().then(|| outcome.after().to_owned()),
            class,
            cause: place.cause(outcome),
            effects: match class {
                Class::NoUpdatePossible => Vec::new(),
                _ => self.effects.on(&part),
            },
            advice: advice(class, &part, outcome.after()),
            oddities: oddities.collect(),
            part,
        })
    }

    fn removed(&self, path: String, names: &[String]) -> Event {
        let what = match names {
            [] => "it".to_owned(),
            names => names.join(", "),
        };
        Event {
            from: names.join(", "),
            to: None,
            class: Class::Forced,
            cause: format!("the Kubernetes version does not have {what} any more"),
            effects: Vec::new(),
            advice: "take it out yourself before, and see whether anything misses it".to_owned(),
            oddities: Vec::new(),
            part: Part::Field { path },
        }
    }

    fn migrates(&self) -> Event {
        let spec = &self.state.shoot.spec;
        Event {
            part: Part::Field {
                path: "spec.secretBindingName".to_owned(),
            },
            from: spec.secret_binding_name.clone().unwrap_or_default(),
            to: Some("a CredentialsBinding of the same Secret".to_owned()),
            class: Class::Forced,
            cause: "Kubernetes 1.34 and later take no SecretBinding".to_owned(),
            effects: Vec::new(),
            advice: "set `spec.credentialsBindingName` yourself before".to_owned(),
            oddities: Vec::new(),
        }
    }
}

fn advice(class: Class, part: &Part, to: &str) -> String {
    let field = match part {
        Part::Image { .. } => "machineImageVersion",
        _ => "kubernetesVersion",
    };
    match class {
        Class::Regular => format!(
            "update to `{to}` yourself when it suits, or set `spec.maintenance.autoUpdate.{field}` to false"
        ),
        Class::Forced => format!("update to `{to}` or later yourself before"),
        Class::NoUpdatePossible => {
            "ask the operators of the landscape for a later version in the profile".to_owned()
        }
    }
}
