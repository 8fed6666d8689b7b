// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;
use jiff::tz::Offset;
use serde_json::Value;

use super::hibernation::{LONGEST_MESSAGE, Sleep, Sleeping};
use super::rotations::waiting;
use super::run::{RunOutcome, State};
use super::version_status::standings;
use super::{Class, Disruption, Event, Maintenance, Part, Profile, VersionStatus};
use garden_gate_core::admission::World;
use garden_gate_core::plan::{ShootChange, ShootPlan};
use garden_gate_core::rules::{CA_VALIDITIES, EXPIRATION, PRECONDITIONS, is_rotated};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::version::maintenance::{Window, runs_at};
use garden_gate_text::go::clip;

/// Maximum number of runs, more than any real Shoot has.
/// The forecast ends then, with a remark.
pub(super) const MOST_RUNS: usize = 2_000;
/// The advice about version updates of a denied run.
const BLOCKED: &str = "fix what blocks it first; rules refuse the same update by you, too";
/// The advice about other events of a denied run that have none.
const BLOCKED_ANYWAY: &str = "fix what blocks it first";

/// The forecast of maintenance for a Shoot.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The namespace of the Shoot.
    pub namespace: String,
    /// The name of the Shoot.
    pub name: String,
    /// The profile of the Shoot, such as `CloudProfile stratus`.
    pub profile: String,
    /// The daily maintenance window.
    pub window: Window,
    /// The UTC offset of the window in the Shoot's spec.
    pub offset: Offset,
    /// The state of its versions.
    pub standings: Vec<VersionStatus>,
    /// The windows with changes or failures, in order.
    pub windows: Vec<Maintenance>,
    /// Remarks, one sentence each.
    pub remarks: Vec<String>,
}

impl Forecast {
    /// Returns the state of a part's version.
    pub fn standing(&self, part: &Part) -> Option<&VersionStatus> {
        self.standings.iter().find(|it| it.part == *part)
    }
}

/// Simulates the maintenance of a stored Shoot, from the time of `world` to `until`.
///
/// Each run continues with the results of the previous ones. The garden does not change; versions pass through their
/// lifecycle.
/// Failures and denied runs are reported once, not in each window.
///
/// # Errors
/// Fails if the Shoot cannot be parsed.
pub fn forecast(
    stored: Value,
    profile: &Profile,
    world: &World<'_>,
    until: Timestamp,
) -> Result<Forecast, serde_json::Error> {
    simulated(stored, profile, (world, until), false)
}

/// Simulates the maintenance like [`forecast`]; with `has_machines`, also plans the machines of each run.
///
/// # Errors
/// Fails like [`forecast`].
pub(super) fn simulated(
    stored: Value,
    profile: &Profile,
    (world, until): (&World<'_>, Timestamp),
    has_machines: bool,
) -> Result<Forecast, serde_json::Error> {
    let state = State::new(stored, world.now)?;
    let deletion = deletion(&state.shoot).filter(|it| *it < until);
    let until = deletion.map_or(until, |it| it.max(world.now));
    let mut simulation = Simulation {
        profile,
        world,
        until,
        has_machines,
        window: Window::of(&state.shoot),
        sleeping: Sleeping::of(&state.shoot, world.now),
        windows: Vec::new(),
        failed: Vec::new(),
        remarks: remarks(&state),
    };
    let first = state.shoot.clone();
    if first.metadata.deletion_timestamp.is_none() {
        simulation.run(state)?;
    }
    let Simulation { window, sleeping, windows, mut remarks, .. } = simulation;
    remarks.extend(sleeping.remarks);
    remarks.extend(precondition(&first, &windows));
    remarks.extend(deletion.map(|at| {
        format!("Gardener deletes it at {at:.0}, when its lifetime by its Quota ends (annotation `{EXPIRATION}`)")
    }));
    Ok(Forecast {
        standings: standings(&first, profile, &windows, (world.now, until)),
        profile: profile.title.clone(),
        offset: Window::offset(&first),
        namespace: first.metadata.namespace,
        name: first.metadata.name,
        window,
        windows,
        remarks,
    })
}

/// Returns when Gardener deletes a Shoot whose Quota limits its lifetime.
///
/// Source: `pkg/controllermanager/controller/shoot/quota/reconciler.go`.
pub fn deletion(shoot: &Shoot) -> Option<Timestamp> {
    let is_deleted = shoot.metadata.deletion_timestamp.is_some();
    let expiration = shoot.annotation(EXPIRATION).filter(|_| !is_deleted)?;
    expiration.parse().ok()
}

fn remarks(State { shoot, stored, .. }: &State) -> Vec<String> {
    if shoot.metadata.deletion_timestamp.is_some() {
        return vec!["it is being deleted; maintenance leaves it alone".to_owned()];
    }
    let mut remarks = waiting(stored, shoot);
    let authorities = shoot.status.constraint(CA_VALIDITIES);
    if authorities.is_some_and(|it| it.status != "True") && !is_rotated(shoot) {
        remarks.push(
            "a certificate authority expires in less than a year; consider the operation `rotate-ca-start`, which maintenance does not start by itself"
                .to_owned(),
        );
    }
    match &shoot.spec.maintenance.time_window {
        None => remarks.push(
            "it has no maintenance window; any time of the day is taken for one".to_owned(),
        ),
        Some(window) if !Window::is_readable(shoot) => remarks.push(format!(
            "its maintenance window `{}` to `{}` cannot be read; Gardener takes any time of the day for one",
            window.begin, window.end
        )),
        Some(_) => {}
    }
    remarks
}

/// Returns a remark if a run affects nodes while the webhooks of the cluster may stop that.
fn precondition(shoot: &Shoot, windows: &[Maintenance]) -> Option<String> {
    let constraint = shoot.status.constraint(PRECONDITIONS).filter(|it| it.status != "True")?;
    let mut events = windows.iter().flat_map(|it| &it.events);
    let mut effects = events.by_ref().flat_map(|it| &it.effects);
    let is_affected = effects.any(|it| it.happens >= Disruption::InPlace);
    is_affected.then(|| {
        format!(
            "webhooks of the cluster may stop the update of its nodes: constraint `{PRECONDITIONS}` is `{}`: {}",
            constraint.status,
            clip(constraint.message.clone(), LONGEST_MESSAGE)
        )
    })
}

struct Simulation<'a> {
    profile: &'a Profile,
    world: &'a World<'a>,
    until: Timestamp,
    has_machines: bool,
    window: Window,
    sleeping: Sleeping,
    windows: Vec<Maintenance>,
    /// Failures in the windows so far.
    failed: Vec<Event>,
    remarks: Vec<String>,
}

impl Simulation<'_> {
    fn run(&mut self, mut state: State) -> Result<(), serde_json::Error> {
        let now = self.world.now;
        let mut next =
            if runs_at(&state.shoot, now) { Some(now) } else { self.window.first_after(now) };
        let horizon = self.until;
        if next.is_none_or(|next| next > horizon) {
            let remark = "no maintenance window begins within the time of the forecast";
            self.remarks.push(remark.to_owned());
        }
        for _ in 0..MOST_RUNS {
            let Some(at) = next.filter(|at| *at <= horizon) else {
                return Ok(());
            };
            let world = World { now: at, ..*self.world };
            let mut attempt = state.attempt(self.profile, &world, now)?;
            let (after, is_stuck) = (attempt.after.take(), attempt.is_stuck());
            let machines =
                attempt.sent.take().and_then(|sent| self.machines(&state.shoot, &sent, at));
            self.record(at, attempt, machines);
            // The next run happens in the next window or, without changes, after the next transition in the profile.
            next = match after {
                Some(after) => {
                    state = after;
                    self.window.next_begin(at)
                }
                None => self.next_turn(&state, at, is_stuck),
            };
        }
        let remark = format!("the forecast ends after {MOST_RUNS} runs");
        self.remarks.push(remark);
        Ok(())
    }

    /// Returns the next run with possible changes.
    /// After a failure, that is the next one after any transition.
    fn next_turn(&self, state: &State, at: Timestamp, is_stuck: bool) -> Option<Timestamp> {
        let operation = state.operations.next_due(at).and_then(|due| self.window.first_after(due));
        let mut from = at;
        loop {
            let turn = self.profile.next_turn(&state.shoot, from);
            let run = turn.and_then(|turn| self.window.first_after(turn));
            let (Some(run), true) = (run, run < operation.or(Some(Timestamp::MAX))) else {
                return operation;
            };
            if is_stuck || run > self.until || state.is_due(self.profile, from, run) {
                return Some(run);
            }
            from = run;
        }
    }

    /// Plans the machines of a run; `None` if none changes.
    fn machines(&self, old: &Shoot, new: &Shoot, at: Timestamp) -> Option<Box<ShootPlan>> {
        if !self.has_machines || self.sleeping.at(at) != Sleep::Awake {
            return None;
        }
        let names = (&*old.metadata.namespace, &*old.metadata.name);
        let plan = ShootPlan::of(
            names,
            &ShootChange {
                old: Some(old),
                new: Some(new),
                profile: Ok(&self.profile.spec),
                estimates: &self.world.config.plan.estimates,
            },
        );
        let is_idle = plan.plan.totals.is_idle() && plan.undetermined.is_empty();
        (!is_idle).then(|| Box::new(plan))
    }

    /// Records the new events of a run.
    fn record(&mut self, at: Timestamp, attempt: RunOutcome, machines: Option<Box<ShootPlan>>) {
        let RunOutcome { mut events, blocked, unknown, .. } = attempt;
        let failures: Vec<Event> =
            events.iter().filter(|it| it.class == Class::NoUpdatePossible).cloned().collect();
        events.retain(|event| !self.failed.contains(event));
        self.failed = failures;
        if !blocked.is_empty() {
            for event in &mut events {
                if event.is_version_update() {
                    BLOCKED.clone_into(&mut event.advice);
                } else if event.advice.is_empty() {
                    BLOCKED_ANYWAY.clone_into(&mut event.advice);
                }
            }
        }
        let is_known = |last: &Maintenance| {
            let before = last.events.iter().filter(|it| it.class != Class::NoUpdatePossible);
            last.is_blocked() && last.blocked == blocked && before.eq(&events)
        };
        if events.is_empty() || self.windows.last().is_some_and(is_known) {
            return;
        }
        // Within a window, it may be too late for the run of this day, which then happens on the next day.
        let window = self.window;
        let before = at.checked_sub(jiff::SignedDuration::from_secs(1));
        let begin = before.ok().and_then(|before| window.next_begin(before));
        self.windows.push(Maintenance {
            // Outside of a window, a user has requested the run.
            begin: window.begin_of(at).unwrap_or(at),
            // Rounds the time just after an expiry down to the second.
            earliest: Timestamp::from_second(at.as_second()).unwrap_or(at),
            latest: begin.map_or(Timestamp::MAX, |begin| window.end_of(begin)),
            sleep: self.sleeping.at(at),
            events,
            blocked,
            unknown,
            machines,
        });
    }
}
