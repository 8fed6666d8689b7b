// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::{MachineControllerManagerSettings, Shoot};

rule! {
    page: include_str!("worker_machine_controller_manager.md"),
    id: "shoot/worker-machine-controller-manager",
    summary: "rejects invalid machine controller manager settings of a worker pool",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        DURATION = "shoot/worker-mcm-duration-negative": "a timeout is negative",
        IN_PLACE_TIMEOUT = "shoot/worker-mcm-in-place-timeout": "a rolling pool sets a timeout for in-place updates",
        HEALTH_TIMEOUT = "shoot/worker-mcm-disable-health-timeout": "a rolling pool disables the health timeout",
        EVICT_RETRIES = "shoot/worker-mcm-evict-retries-negative": "`maxEvictRetries` is negative",
        AUTO_PRESERVE = "shoot/worker-mcm-auto-preserve-out-of-range": "`autoPreserveFailedMachineMax` is negative or too large for the pool",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    for pool in pairs(new, None) {
        let Some(settings) = &pool.new.machine_controller_manager else {
            continue;
        };
        check_durations(&pool, settings, findings);
        check_in_place_settings(&pool, settings, findings);
        if let Some(retries) = settings.max_evict_retries.filter(|retries| *retries < 0) {
            let message =
                format!("maxEvictRetries is `{retries}`, but a number of attempts is not negative");
            let [reported, place] = paths(&pool, "maxEvictRetries");
            findings
                .invalid(&EVICT_RETRIES, reported, message)
                .at(&place)
                .value(retries)
                .help("write a number from 0 on");
        }
        check_auto_preserve(&pool, settings, findings);
    }
}

fn check_durations(
    pool: &Pool<'_>,
    settings: &MachineControllerManagerSettings,
    findings: &mut Findings,
) {
    let in_place = settings.in_place_update_timeout.as_ref();
    let durations = [
        ("machineDrainTimeout", settings.machine_drain_timeout.as_ref()),
        ("machineHealthTimeout", settings.machine_health_timeout.as_ref()),
        ("machineCreationTimeout", settings.machine_creation_timeout.as_ref()),
        ("machinePreserveTimeout", settings.machine_preserve_timeout.as_ref()),
        // A pool with rolling updates must not have it at all.
        ("inPlaceUpdateTimeout", in_place.filter(|_| pool.new.is_in_place())),
    ];
    for (field, duration) in durations {
        let Some(duration) = duration.filter(|duration| duration.value.is_negative()) else {
            continue;
        };
        let text = &duration.text;
        let message = format!("{field} is `{text}`, but a timeout is not negative");
        let [reported, place] = paths(pool, field);
        findings
            .invalid(&DURATION, reported, message)
            .at(&place)
            .value(text.as_str())
            .help("write a duration from `0s` on");
    }
}

fn check_in_place_settings(
    pool: &Pool<'_>,
    settings: &MachineControllerManagerSettings,
    findings: &mut Findings,
) {
    if pool.new.is_in_place() {
        return;
    }
    let name = &pool.new.name;
    if settings.in_place_update_timeout.is_some() {
        let message = format!("pool `{name}` rolls, so it has no inPlaceUpdateTimeout");
        let [reported, place] = paths(pool, "inPlaceUpdateTimeout");
        findings
            .forbid(&IN_PLACE_TIMEOUT, reported, message)
            .at(&place)
            .help(Help::remove("remove it; only pools that are updated in place have it"));
    }
    if settings.disable_health_timeout == Some(true) {
        let message = format!("pool `{name}` rolls, so its health timeout cannot be disabled");
        let [reported, place] = paths(pool, "disableHealthTimeout");
        findings.forbid(&HEALTH_TIMEOUT, reported, message).at(&place).help(Help::remove(
            "remove it; only for pools that are updated in place it may be true",
        ));
    }
}

fn check_auto_preserve(
    pool: &Pool<'_>,
    settings: &MachineControllerManagerSettings,
    findings: &mut Findings,
) {
    let Some(kept) = settings.auto_preserve_failed_machine_max else {
        return;
    };
    let maximum = pool.new.maximum;
    let components = pool.new.system_components.as_ref().is_none_or(|it| it.allow);
    let spare = if components && maximum > 0 { maximum - 1 } else { maximum };
    let message = if kept < 0 {
        format!(
            "autoPreserveFailedMachineMax is `{kept}`, but a number of machines is not negative"
        )
    } else if kept <= spare {
        return;
    } else if spare < maximum {
        format!(
            "autoPreserveFailedMachineMax is `{kept}`; with a maximum of {maximum} it is at most {spare}, as one machine must run system components"
        )
    } else {
        format!(
            "autoPreserveFailedMachineMax is `{kept}`, more than the pool's maximum of {maximum}"
        )
    };
    let field = "autoPreserveFailedMachineMax";
    let [reported, place] = paths(pool, field);
    findings
        .invalid(&AUTO_PRESERVE, reported, message)
        .at(&place)
        .value(kept)
        .help(format!("write a number from 0 to {}", spare.max(0)));
}

/// Returns the path of a setting that Gardener reports, and its actual path.
fn paths(pool: &Pool<'_>, field: &'static str) -> [FieldPath; 2] {
    ["machineControllerManagerSettings", "machineControllerManager"]
        .map(|settings| pool.path().child(settings).child(field))
}
