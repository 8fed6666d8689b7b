// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, UNFITTING, UNSUPPORTED,
    check as check_form, report_repeated,
};
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::version::maintenance::time_of_day;
use garden_gate_text::go::dns_subdomain_error;

rule! {
    page: include_str!("maintenance_form.md"),
    id: "shoot/maintenance-form",
    summary: "rejects invalid maintenance, alerting and system component settings",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, UNFITTING, UNSUPPORTED,
        WINDOW = "shoot/maintenance-window-malformed": "the maintenance window cannot be parsed",
        LENGTH = "shoot/maintenance-window-length": "the maintenance window is too short or too long",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTIONS: [&[&str]; 3] =
    [&["spec", "maintenance"], &["spec", "monitoring"], &["spec", "systemComponents"]];

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let (received, facts) = received(context, shoot.new);
    for at in SECTIONS {
        let section = Section { kind: "Shoot", at, except: &[] };
        check_form(section, context.new_opened(), facts, findings);
    }
    if let Some(window) = received.at(&["spec", "maintenance", "timeWindow"]) {
        check_window(&window, findings);
    }
    check_rotations(&received, findings);
    check_suffixes(&received, findings);
}

const MINUTE: i64 = 60;

fn check_window(window: &Part<'_>, findings: &mut Findings) {
    let [begin, end] = ["begin", "end"].map(|it| time_of_day(&window.text_at(&[it])));
    let (Some(begin), Some(end)) = (begin, end) else {
        let message =
            "begin or end of the maintenance window is no time of day with its distance from UTC";
        let field = window.path().child("begin/end");
        let wrong = if begin.is_none() { "begin" } else { "end" };
        findings
            .invalid(&WINDOW, field, message)
            .at(&window.path().child(wrong))
            .help("write it like `220000+0100`");
        return;
    };
    let day = 24 * 60 * MINUTE;
    let length = match (end - begin).rem_euclid(day) {
        0 => day,
        length => length,
    };
    if !(30 * MINUTE..=6 * 60 * MINUTE).contains(&length) {
        let message = format!("the maintenance window lasts {} minutes", length / MINUTE);
        findings
            .invalid(&LENGTH, window.path().clone(), message)
            .help("choose one of 30 minutes to 6 hours");
    }
}

const ROTATED: [&str; 3] = ["etcdEncryptionKey", "observability", "sshKeypair"];

fn check_rotations(shoot: &Part<'_>, findings: &mut Findings) {
    let Some(rotation) = shoot.at(&["spec", "maintenance", "autoRotation", "credentials"]) else {
        return;
    };
    for what in ROTATED {
        let Some(period) = rotation.seconds_at(&[what, "rotationPeriod"]) else {
            continue;
        };
        if period != 0.0 && !(1800.0..=90.0 * 86400.0).contains(&period) {
            let message = format!("`{what}` is rotated every {period} seconds");
            let field = rotation.path().child(what).child("rotationPeriod");
            let help = "choose 30 minutes (`30m`) to 90 days (`2160h`), or 0 for never";
            findings.invalid(&OUT_OF_RANGE, field, message).help(help);
        }
    }
}

fn check_suffixes(shoot: &Part<'_>, findings: &mut Findings) {
    let path = ["spec", "systemComponents", "coreDNS", "rewriting", "commonSuffixes"];
    let mut known = BTreeSet::new();
    for (field, suffix) in shoot.texts_at(&path) {
        check_suffix(&field, &suffix, findings);
        let bare = suffix.strip_prefix('.').unwrap_or(&suffix).to_owned();
        if known.contains(&bare) {
            report_repeated(format_args!("`{bare}`"), field, findings);
        }
        known.insert(bare);
    }
}

fn check_suffix(field: &FieldPath, suffix: &str, findings: &mut Findings) {
    let bare = suffix.strip_prefix('.').unwrap_or(suffix);
    let why = if bare.contains('.') {
        dns_subdomain_error(bare.strip_suffix('.').unwrap_or(bare))
    } else {
        Some("it has no dot, other than at its beginning")
    };
    if let Some(why) = why {
        let message = format!("`{suffix}` cannot be completed: {why}");
        findings.invalid(&MALFORMED, field.clone(), message).help("write it like `example.com`");
    }
}
