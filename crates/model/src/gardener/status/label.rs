// SPDX-License-Identifier: Apache-2.0
use crate::api::ShootStatus;

/// The label with the state of a Shoot.
pub const LABEL: &str = "shoot.gardener.cloud/status";

/// Sorted from good to bad, so that the maximum is the worst.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
enum Health {
    Healthy,
    Progressing,
    Unknown,
    Unhealthy,
}

/// Returns Gardener's value of the label: `healthy`, `progressing`, `unknown` or `unhealthy`.
///
/// Mirrors `pkg/utils/gardener/shoot_status.go`: constraints are ignored.
pub fn status_label(status: &ShootStatus) -> &'static str {
    match health(status) {
        Health::Healthy => "healthy",
        Health::Progressing => "progressing",
        Health::Unknown => "unknown",
        Health::Unhealthy => "unhealthy",
    }
}

fn health(status: &ShootStatus) -> Health {
    let Some(last) = &status.last_operation else {
        return Health::Healthy;
    };
    let without_errors = unless(status.last_errors.is_empty());
    let succeeded = last.state == "Succeeded";
    // During creation and deletion of a cluster, its conditions are not meaningful.
    if last.kind == "Delete" || (last.kind == "Create" && !succeeded) {
        return without_errors;
    }
    let conditions = status.conditions.iter();
    let worst = conditions
        .map(|condition| of_condition(&condition.status))
        .max()
        .unwrap_or(Health::Healthy);
    let of_operation = match last.state.as_str() {
        "Processing" => without_errors,
        _ => unless(succeeded),
    };
    worst.max(of_operation)
}

fn unless(well: bool) -> Health {
    if well { Health::Healthy } else { Health::Unhealthy }
}

fn of_condition(status: &str) -> Health {
    match status {
        "True" => Health::Healthy,
        "Progressing" => Health::Progressing,
        "Unknown" => Health::Unknown,
        _ => Health::Unhealthy,
    }
}
