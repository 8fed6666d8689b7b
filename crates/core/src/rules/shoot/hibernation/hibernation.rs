// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shoot::encryption::{actual, wanted};
use crate::rules::shoot::operation::{MAINTENANCE, needs_awake, split};
use garden_gate_model::api::{HibernationSchedule, Shoot};
use garden_gate_text::go::{CronSchedule, is_location};

rule! {
    page: include_str!("hibernation.md"),
    id: "shoot/hibernation",
    summary: "rejects invalid hibernation schedules, and hibernation during a rotation",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        SELF_HOSTED = "shoot/hibernation-self-hosted": "a self-hosted Shoot sets `spec.hibernation`" since 148,
        MAINTENANCE_OPERATION = "shoot/hibernation-maintenance-operation": "a hibernated Shoot requests an operation that needs its control plane",
        SCHEDULE_EMPTY = "shoot/hibernation-schedule-empty": "a schedule has neither start nor end",
        CRON_INVALID = "shoot/hibernation-cron-invalid": "a start or end is not a valid cron schedule",
        CRON_DUPLICATE = "shoot/hibernation-cron-duplicate": "a cron schedule is a duplicate",
        LOCATION_INVALID = "shoot/hibernation-location-invalid": "a location is not a valid time zone",
        ROTATION_IN_PROGRESS = "shoot/hibernation-rotation-in-progress": "a Shoot is hibernated during a key rotation",
        ENCRYPTION_MISMATCH = "shoot/hibernation-encryption-mismatch": "a Shoot is hibernated while resources are re-encrypted",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// Phases of a rotation that need a running control plane.
const ETCD_PHASES: [&str; 2] = ["Preparing", "Completing"];
const KEY_PHASES: [&str; 3] = ["Preparing", "PreparingWithoutWorkersRollout", "Completing"];

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    check_spec(context, new, findings);
    if let Some(old) = shoot.old
        && new.wants_hibernation()
        && !old.wants_hibernation()
    {
        check_falling_asleep(new, old, findings);
    }
}

fn check_spec(context: &Context<'_>, shoot: &Shoot, findings: &mut Findings) {
    let Some(hibernation) = &shoot.spec.hibernation else {
        return;
    };
    let path = FieldPath::new("spec.hibernation");
    if shoot.is_self_hosted() && context.runs(SELF_HOSTED.versions) {
        let message =
            "a self-hosted Shoot cannot sleep, because its control plane runs on its own nodes";
        findings
            .forbid(&SELF_HOSTED, path, message)
            .help(Help::remove("remove the hibernation block"));
        return;
    }
    if shoot.wants_hibernation() {
        check_maintenance(shoot, &path.child("enabled"), findings);
    }
    let mut seen = BTreeSet::new();
    for (index, schedule) in hibernation.schedules.iter().enumerate() {
        check_schedule(schedule, &path.child("schedules").index(index), &mut seen, findings);
    }
}

fn check_maintenance(shoot: &Shoot, path: &FieldPath, findings: &mut Findings) {
    let operations = split(shoot.annotation(MAINTENANCE));
    for operation in operations.iter().filter(|operation| needs_awake(operation)) {
        let message = format!(
            "operation `{operation}` in annotation `{MAINTENANCE}` needs a control plane that runs"
        );
        findings
            .forbid(&MAINTENANCE_OPERATION, path.clone(), message)
            .help("remove the operation from the annotation, or leave the Shoot awake");
    }
}

fn check_schedule<'a>(
    schedule: &'a HibernationSchedule,
    path: &FieldPath,
    seen: &mut BTreeSet<&'a str>,
    findings: &mut Findings,
) {
    let HibernationSchedule { start, end, location } = schedule;
    if start.is_none() && end.is_none() {
        let message = "a schedule needs a start, an end, or both";
        let field = path.child("start/end");
        findings
            .required(&SCHEDULE_EMPTY, field, message)
            .at(path)
            .help("add `start: 0 20 * * *`, or remove the entry");
    }
    for (field, cron) in [("start", start), ("end", end)] {
        if let Some(cron) = cron {
            check_cron(cron, &path.child(field), seen, findings);
        }
    }
    if let Some(location) = location.as_deref().filter(|location| !is_location(location)) {
        let message = format!("`{location}` is not a time zone");
        let field = path.child("location");
        findings.invalid(&LOCATION_INVALID, field, message).value(location).help(
            "use the exact name of a zone of the tz database, such as `Europe/Berlin` or `UTC`",
        );
    }
}

fn check_cron<'a>(
    cron: &'a str,
    path: &FieldPath,
    seen: &mut BTreeSet<&'a str>,
    findings: &mut Findings,
) {
    if let Err(why) = CronSchedule::parse(cron) {
        let message = format!("`{cron}` is not a cron schedule: {why}");
        findings.invalid(&CRON_INVALID, path.clone(), message).value(cron).help(
            "write minute, hour, day of month, month and day of week (0 to 6), such as `0 20 * * 1-5`",
        );
    } else if !seen.insert(cron) {
        let message = format!(
            "`{cron}` stands in the list already; starts, ends and all locations share one list"
        );
        findings
            .duplicate(&CRON_DUPLICATE, path.clone(), message)
            .value(cron)
            .help("choose another minute, or remove the entry");
    }
}

fn check_falling_asleep(new: &Shoot, old: &Shoot, findings: &mut Findings) {
    let path = FieldPath::new("spec.hibernation.enabled");
    let status = &new.status;
    let rotations = [
        (
            "etcdEncryptionKey",
            status.phase(|all| all.etcd_encryption_key.as_ref()),
            &ETCD_PHASES[..],
        ),
        ("serviceAccountKey", status.phase(|all| all.service_account_key.as_ref()), &KEY_PHASES),
    ];
    for (credentials, phase, busy) in rotations {
        if busy.contains(&phase) {
            let message = format!(
                "the Shoot cannot fall asleep while `status.credentials.rotation.{credentials}.phase` is `{phase}`"
            );
            findings
                .forbid(&ROTATION_IN_PROGRESS, path.clone(), message)
                .help("wait until the phase is `Prepared` or `Completed`");
        }
    }
    if wanted(old) != actual(&old.status) {
        let message = "the Shoot cannot fall asleep while `spec.kubernetes.kubeAPIServer.encryptionConfig.resources` \
            and `status.credentials.encryptionAtRest.resources` differ";
        findings
            .forbid(&ENCRYPTION_MISMATCH, path, message)
            .help("wait until the resources are re-encrypted");
    }
}
