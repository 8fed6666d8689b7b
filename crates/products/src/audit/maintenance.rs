//! Findings about the next maintenance of a Shoot.

use jiff::SignedDuration;
use serde_json::value::RawValue;

use crate::forecast::{Class, Event, Maintenance, Part, Profiles, forecast};
use garden_gate_core::admission::{FieldPath, Finding, Findings, World};
use garden_gate_core::rules::{BLOCKED, IMPOSSIBLE, MAINTENANCE_FAILS};
use garden_gate_model::api::Shoot;
use garden_gate_text::json::{Json, decode};

/// Length of the simulated period, which contains at least one maintenance window of every Shoot.
const AHEAD: SignedDuration = SignedDuration::from_hours(48);

/// Returns the parts of the next maintenance that fail; nothing if that is unknown.
pub(super) fn failures(stored: &RawValue, world: &World<'_>, profiles: &Profiles) -> Vec<Finding> {
    let Ok(shoot) = decode::<Shoot>(stored.get()) else {
        return Vec::new();
    };
    let key = shoot.profile(&shoot.metadata.namespace);
    let offered = key.map(|key| profiles.get(&key, world.garden));
    let profile = offered.as_deref().and_then(|it| it.as_ref().ok());
    let (Some(profile), Ok(until)) = (profile, world.now.checked_add(AHEAD)) else {
        return Vec::new();
    };
    let value = Json::text(stored.get()).to_value();
    let foreseen = forecast(value, profile, world, until);
    let windows = foreseen.map(|it| it.windows).unwrap_or_default();
    MAINTENANCE_FAILS.find(world.config, |findings| {
        for window in &windows {
            for event in &window.events {
                if event.class == Class::NoUpdatePossible {
                    impossible(event, &shoot, findings);
                }
            }
            if window.is_blocked() {
                blocked(window, &shoot, findings);
            }
        }
    })
}

fn impossible(event: &Event, shoot: &Shoot, findings: &mut Findings) {
    let message =
        format!("no maintenance can update {}: {}", event.part, event.cause.trim_end_matches('.'));
    findings
        .forbid(&IMPOSSIBLE, field(&event.part, shoot), message)
        .value(event.from.as_str())
        .help("ask the operators of the landscape for a later version in the profile");
}

/// Adds one finding for each rule that refuses the maintenance, at the field of the refusal.
fn blocked(window: &Maintenance, shoot: &Shoot, findings: &mut Findings) {
    let updates = window
        .events
        .iter()
        .map(|event| match &event.to {
            Some(to) => format!("{} to `{to}`", event.part),
            None => event.part.to_string(),
        })
        .collect::<Vec<_>>()
        .join(", ");
    let first = window.events.first().map(|event| field(&event.part, shoot));
    for blocker in &window.blocked {
        let message = format!(
            "the maintenance from `{:.0}` on is refused, and with it all that it would update ({updates}): {} ({})",
            window.begin, blocker.message, blocker.rule
        );
        let place = first.clone().unwrap_or_else(FieldPath::root);
        findings.forbid(&BLOCKED, place, message).help(blocker.help.as_str());
    }
}

/// Returns the field that holds the version of a part.
fn field(part: &Part, shoot: &Shoot) -> FieldPath {
    let worker = |name: &str| {
        let mut workers = shoot.spec.provider.workers.iter();
        let index = workers.position(|worker| worker.name == name);
        FieldPath::new("spec.provider.workers").index(index.unwrap_or_default())
    };
    match part {
        Part::ControlPlane | Part::Operation => FieldPath::new("spec.kubernetes").child("version"),
        Part::Pool { pool } => worker(pool).child("kubernetes").child("version"),
        Part::Image { pool, .. } => {
            let machine = worker(pool).child("machine");
            machine.child("image").child("version")
        }
        Part::Field { .. } => FieldPath::new("spec"),
    }
}
