// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::lists::short;
use crate::rules::shoot::hibernation::hibernation_constraint::HIBERNATION_POSSIBLE;
use garden_gate_model::api::{HibernationSchedule, Shoot};

rule! {
    page: include_str!("hibernation_schedule_blocked.md"),
    id: "advice/hibernation-schedule-blocked",
    summary: "warns about a hibernation schedule while `HibernationPossible` is not `True`",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        BLOCKED = "advice/hibernation-schedule-blocked": "a new hibernation schedule will be refused when it fires",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let Some(constraint) = old
        .status
        .constraint(HIBERNATION_POSSIBLE)
        .filter(|constraint| constraint.status != "True")
    else {
        return;
    };
    let known: HashSet<&HibernationSchedule> = schedules(old).iter().collect();
    let why = short(&constraint.message);
    for (index, schedule) in schedules(new).iter().enumerate() {
        if schedule.start.is_some() && !known.contains(schedule) {
            let path = FieldPath::new("spec.hibernation.schedules").index(index);
            let message = format!(
                "this schedule will be refused when it fires as long as the constraint `{HIBERNATION_POSSIBLE}` is `{}`: {}",
                constraint.status, why
            );
            let field = path.child("start");
            findings
                .forbid(&BLOCKED, field, message)
                .value(schedule.start.clone())
                .help("correct what the constraint names before then");
        }
    }
}

fn schedules(shoot: &Shoot) -> &[HibernationSchedule] {
    let hibernation = shoot.spec.hibernation.as_ref();
    hibernation.map_or(&[], |hibernation| &hibernation.schedules)
}
