// SPDX-License-Identifier: Apache-2.0
//! Findings about the next maintenance of a Shoot.

use jiff::{SignedDuration, Timestamp};

use crate::forecast::{Class, Event, Forecast, Maintenance, Part};
use garden_gate_core::admission::{FieldPath, Finding, Findings};
use garden_gate_core::config::Config;
use garden_gate_core::rules::{BLOCKED, IMPOSSIBLE, MAINTENANCE_FAILS};
use garden_gate_model::api::Shoot;

/// Length of the simulated period, which contains at least one maintenance window of every Shoot.
const AHEAD: SignedDuration = SignedDuration::from_hours(48);

/// Returns the end of the simulated period; `None` beyond the end of time.
pub(super) fn soon(now: Timestamp) -> Option<Timestamp> {
    now.checked_add(AHEAD).ok()
}

/// Returns the parts of maintenance until `soon` that fail.
pub(super) fn failures(
    shoot: &Shoot,
    forecast: &Forecast,
    soon: Timestamp,
    config: &Config,
) -> Vec<Finding> {
    MAINTENANCE_FAILS.find(config, |findings| {
        for window in forecast.windows.iter().filter(|it| it.earliest <= soon) {
            for event in &window.events {
                if event.class == Class::NoUpdatePossible {
                    impossible(event, shoot, findings);
                }
            }
            if window.is_blocked() {
                blocked(window, shoot, findings);
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
