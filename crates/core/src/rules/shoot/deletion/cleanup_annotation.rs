// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Write, rule};
use crate::rules::shoot::deletion::cleanup::{
    KUBERNETES, Period, REMOVED, SKIP, SNAPSHOTS, STEPS, Step, period,
};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::parse_bool;

rule! {
    page: include_str!("cleanup_annotation.md"),
    id: "shoot/cleanup-annotation",
    summary: "warns about cleanup annotations with an unexpected or new effect",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    findings: {
        HANGS = "shoot/cleanup-period-hangs": "an existing value is not a number and blocks deletion",
        NEGATIVE = "shoot/cleanup-period-negative": "a negative value removes finalizers at once",
        ZERO = "shoot/cleanup-period-zero": "zero removes finalizers at once; infrastructure may be left behind",
        IGNORED = "shoot/cleanup-period-ignored": "the value is not below the limit and has no or little effect",
        EFFECT = "shoot/cleanup-period-effect": "the effect of the new value, in seconds",
        UNKNOWN = "shoot/cleanup-annotation-unknown": "Gardener no longer reads the annotation",
        SKIPS = "shoot/skip-cleanup-present": "most resources of the cluster are not cleaned up",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    for step in &STEPS {
        if let Some(value) = new.annotation(step.key) {
            let old = shoot.old.and_then(|old| old.annotation(step.key));
            check_period(step, value, old != Some(value), findings);
        }
    }
    for key in REMOVED {
        if let Some(value) = new.annotation(key) {
            let message = "Gardener no longer reads this annotation; it has no effect".to_owned();
            add(&UNKNOWN, key, value, message, Help::remove("remove it"), findings);
        }
    }
    if let Some(value) = new.annotation(SKIP) {
        check_skip(value, findings);
    }
}

fn check_period(step: &Step, value: &str, is_new: bool, findings: &mut Findings) {
    let (kind, message, help) = match period(step, value) {
        // The rule that refuses new ones has reported it already.
        Period::Hangs if is_new => return,
        Period::Hangs => (
            &HANGS,
            format!("`{value}` is not a number of seconds; the deletion of the Shoot will hang"),
            "write digits only, such as `300`, or remove the annotation",
        ),
        Period::Negative(seconds) => (
            &NEGATIVE,
            format!(
                "`{value}` is negative: {}; infrastructure may be left behind",
                effects(step, seconds)
            ),
            "write a positive number, or remove the annotation",
        ),
        Period::Zero => (
            &ZERO,
            format!(
                "`0` gives up at once: {}; infrastructure may be left behind",
                effects(step, 0)
            ),
            "write a positive number, unless leftovers do not matter",
        ),
        Period::SnapshotsOnly(seconds) => (
            &IGNORED,
            format!(
                "`{value}` counts for volume snapshots and for the time after which leftovers are ignored only: {}",
                effects(step, seconds)
            ),
            "write a number below 300 if all Kubernetes resources are meant",
        ),
        Period::Ignored(seconds) => (
            &IGNORED,
            format!(
                "`{value}` is not below the limit of {} s: {}",
                step.cap,
                effects(step, seconds)
            ),
            "write a smaller number, or remove the annotation",
        ),
        Period::Used(_) if !is_new => return,
        Period::Used(seconds) => (
            &EFFECT,
            format!("when the Shoot is deleted, {}", effects(step, seconds)),
            "nothing to do if that is what you want",
        ),
    };
    add(kind, step.key, value, message, help, findings);
}

fn effects(step: &Step, seconds: i64) -> String {
    let effect = step.effect(seconds);
    if step.key != KUBERNETES {
        return effect;
    }
    format!(
        "{effect}; {}; what is created more than {} s after the start is ignored",
        SNAPSHOTS.effect(seconds),
        seconds.max(0)
    )
}

fn check_skip(value: &str, findings: &mut Findings) {
    let still = match parse_bool(value) {
        Some(true) => "",
        _ => ", since any value counts",
    };
    let message = format!(
        "`{value}` skips the cleanup{still}: only webhooks, Services, PersistentVolumeClaims and volume snapshots are deleted with the Shoot"
    );
    let help = "remove the annotation unless everything else may be left behind";
    add(&SKIPS, SKIP, value, message, help, findings);
}

fn add(
    kind: &'static FindingKind,
    key: &str,
    value: &str,
    message: String,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    let field = FieldPath::new("metadata.annotations").key(key);
    findings.invalid(kind, field, message).value(value).help(help);
}
