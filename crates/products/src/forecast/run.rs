// SPDX-License-Identifier: Apache-2.0
//! One maintenance run: its changes, and whether admission permits them.

use std::borrow::Cow;

use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::after::{MaintainedShoot, after, disables_ingress};
use super::cause::{VersionContext, class};
use super::dry_run::dry_run_of_texts;
use super::effect::Effects;
use super::operations::{Operations, annotate, clear};
use super::removed::may_remove;
use super::rotations::go_on;
use super::{BindingMigration, Blocker, Class, Event, Part, Profile};
use garden_gate_core::admission::{Review, Verdict, World};
use garden_gate_core::config::Level;
use garden_gate_model::api::{Shoot, Versions};
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::version::maintenance::{Outcome, Run, Targets, run};
use garden_gate_text::json::decode;

/// The versions of Gardener that rotate no ETCD encryption key of a hibernated Shoot.
/// Others try it, and the API server refuses the run.
const SKIPS_ETCD: Versions = Versions::since(149);

/// A Shoot during the simulation.
pub(super) struct State {
    /// The stored object.
    pub(super) stored: Value,
    /// The same as JSON.
    text: Box<RawValue>,
    /// The typed object, defaulted.
    pub(super) shoot: Shoot,
    /// Pending operations other than version updates.
    pub(super) operations: Operations,
    /// The replacement of the SecretBinding in an earlier run.
    migration: Option<BindingMigration>,
}

/// The result of a run.
#[derive(Default)]
pub(super) struct RunOutcome {
    pub(super) events: Vec<Event>,
    pub(super) blocked: Vec<Blocker>,
    pub(super) unknown: Vec<String>,
    /// The Shoot after the run; `None` if it does not change.
    pub(super) after: Option<State>,
    /// The Shoot as the run sends it, defaulted; `None` if the run is denied or changes nothing.
    pub(super) sent: Option<Shoot>,
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
        Ok(Self { operations, shoot, text: to_raw_value(&stored)?, stored, migration: None })
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
        let is_skipped = is_hibernated && SKIPS_ETCD.contains(world.config.gardener_version);
        let (started, operations) = self.operations.start(at, is_skipped);
        let failed = self.operations.fail(at, is_skipped);
        let has_failures = run.has_failures() || !failed.is_empty();
        let is_quiet = !run.changes() && !has_failures && started.is_empty();
        let is_disallowed = disables_ingress(&self.stored, world);
        if is_quiet && !is_disallowed && !may_remove(&self.stored) {
            return Ok(RunOutcome::default());
        }
        let MaintainedShoot { mut shoot, removed, migration, disables_ingress } =
            after(&self.stored, &run, world);
        let mut attempt = RunOutcome::default();
        let changes =
            run.changes() || !removed.is_empty() || disables_ingress || !started.is_empty();
        if !changes && !has_failures {
            return Ok(attempt);
        }
        if !started.is_empty() {
            annotate(&mut shoot, &operations);
        }
        let sent = to_raw_value(&shoot)?;
        let new = read_text(&sent)?;
        if changes {
            let garden = migration
                .as_ref()
                .or(self.migration.as_ref())
                .map_or(Cow::Borrowed(world.garden), |it| it.garden(world.garden));
            let world = World { garden: &garden, ..*world };
            let metadata = &self.shoot.metadata;
            let names = [&*metadata.namespace, &*metadata.name];
            let review = dry_run_of_texts(names, [&self.text, &sent], &world);
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
        attempt
            .events
            .extend(removed.iter().map(|removed| field_removed(&removed.field(), &removed.names)));
        if let Some(migration) = &migration {
            attempt.events.push(telling.migrates(migration));
        }
        if disables_ingress {
            attempt.events.push(disabled_ingress());
        }
        attempt.events.extend(started);
        attempt.events.extend(failed);
        if changes && attempt.blocked.is_empty() {
            attempt.after = Some(self.after(shoot, migration, at)?);
            attempt.sent = Some(new);
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
    fn after(
        &self,
        mut stored: Value,
        migration: Option<BindingMigration>,
        at: Timestamp,
    ) -> Result<Self, serde_json::Error> {
        let mut operations = self.operations.clone();
        operations.started(at, &mut stored);
        clear(&mut stored, operations.can_begin());
        let text = to_raw_value(&stored)?;
        Ok(Self {
            shoot: read_text(&text)?,
            text,
            stored,
            operations,
            migration: migration.or_else(|| self.migration.clone()),
        })
    }
}

/// Parses a stored Shoot and applies defaults.
///
/// # Errors
/// Fails if the Shoot cannot be parsed.
pub(super) fn read(stored: &Value) -> Result<Shoot, serde_json::Error> {
    read_text(&to_raw_value(stored)?)
}

fn read_text(stored: &RawValue) -> Result<Shoot, serde_json::Error> {
    let mut shoot: Shoot = decode(stored.get())?;
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
    let mut unknown: Vec<String> = review
        .undetermined
        .iter()
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
        let context = VersionContext {
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
            cause: context.cause(outcome),
            effects: match class {
                Class::NoUpdatePossible => Vec::new(),
                _ => self.effects.on(&part),
            },
            advice: advice(class, outcome.after()),
            oddities: oddities.collect(),
            part,
        })
    }

    fn migrates(&self, migration: &BindingMigration) -> Event {
        let spec = &self.state.shoot.spec;
        let to = migration.name().map(|it| format!("CredentialsBinding {it}"));
        let how = match migration {
            BindingMigration::Existing(_) => {
                ", and this one has the same Secret and Quotas".to_owned()
            }
            BindingMigration::Created(_) => ", and maintenance creates this one".to_owned(),
            BindingMigration::Impossible(why) => {
                format!(", and maintenance cannot replace it: {why}")
            }
            BindingMigration::Unknown { why, .. } => format!("; the name is not certain: {why}"),
        };
        Event {
            from: spec.secret_binding_name.clone().unwrap_or_default(),
            to,
            cause: format!("Kubernetes 1.34 and later take no SecretBinding{how}"),
            advice: "set `spec.credentialsBindingName` yourself before".to_owned(),
            ..of_field("spec.secretBindingName")
        }
    }
}

fn disabled_ingress() -> Event {
    Event {
        from: "true".to_owned(),
        to: Some("false".to_owned()),
        cause: "the operators of the landscape disallow the add-on (feature gate `DisableNginxIngressInShoot`); the ingress controller is deleted"
            .to_owned(),
        advice: "deploy another ingress controller and disable the add-on yourself before".to_owned(),
        ..of_field("spec.addons.nginxIngress.enabled")
    }
}

/// Returns the event of a change of a field, without values and a cause.
fn of_field(path: &str) -> Event {
    Event {
        part: Part::Field { path: path.to_owned() },
        from: String::new(),
        to: None,
        class: Class::Forced,
        cause: String::new(),
        effects: Vec::new(),
        advice: String::new(),
        oddities: Vec::new(),
    }
}

/// Returns the advice about an update of a version; empty for automatic updates, which need no action.
fn advice(class: Class, to: &str) -> String {
    match class {
        Class::Regular => String::new(),
        Class::Forced => {
            format!("to choose the time, update to `{to}` or later yourself before")
        }
        Class::NoUpdatePossible => {
            "ask the operators of the landscape for a later version in the profile".to_owned()
        }
    }
}

fn field_removed(path: &str, names: &[String]) -> Event {
    let what = match names {
        [] => "it".to_owned(),
        names => names.join(", "),
    };
    Event {
        from: names.join(", "),
        cause: format!("the Kubernetes version does not have {what} any more"),
        advice: "take it out yourself before, and see whether anything misses it".to_owned(),
        ..of_field(path)
    }
}
