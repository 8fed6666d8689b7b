// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::{IntOrPercent, Shoot, UpdateStrategy};

rule! {
    page: include_str!("worker_surge.md"),
    id: "shoot/worker-surge",
    summary: "rejects invalid `maxSurge` and `maxUnavailable` of a worker pool",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED = "shoot/worker-surge-malformed": "a string is not a valid percentage",
        NEGATIVE = "shoot/worker-surge-negative": "a number of machines is negative",
        OVER_100 = "shoot/worker-max-unavailable-over-100": "`maxUnavailable` exceeds 100%",
        BOTH_ZERO = "shoot/worker-surge-both-zero": "`maxSurge` and `maxUnavailable` are both zero",
        MANUAL = "shoot/worker-manual-surge": "a pool with `ManualInPlaceUpdate` sets `maxSurge` or `maxUnavailable`",
    },
    check: Judge(check),
}

const WRITE: &str = "write a number, or a percentage such as `10%`";

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    for pool in pairs(new, None) {
        let (surge, unavailable) = (&pool.new.max_surge, &pool.new.max_unavailable);
        let manual = pool.new.strategy() == UpdateStrategy::ManualInPlace;
        for (name, value) in [("maxSurge", surge), ("maxUnavailable", unavailable)] {
            let Some(value) = value else { continue };
            check_form(name, value, &pool, findings);
            if manual {
                report_set_by_hand(name, value, &pool, findings);
            }
        }
        if let Some(value) = unavailable.as_ref().filter(|it| it.percent() > Some(100)) {
            let message = format!(
                "maxUnavailable is `{value}`; at most `100%` of the machines can be unavailable"
            );
            let path = pool.path().child("maxUnavailable");
            findings
                .invalid(&OVER_100, path, message)
                .value(value.to_string())
                .help("lower it to `100%` or less");
        }
        if !manual && is_zero(surge.as_ref()) && is_zero(unavailable.as_ref()) {
            report_both_zero(&pool, findings);
        }
    }
}

fn check_form(name: &'static str, value: &IntOrPercent, pool: &Pool<'_>, findings: &mut Findings) {
    let path = || pool.path().child(name);
    let reported = match value {
        IntOrPercent::Text(text) if value.percent().is_none() => {
            let message = format!("{name} is `{text}`, which is neither a number nor a percentage");
            findings.invalid(&MALFORMED, path(), message).value(text.as_str())
        }
        IntOrPercent::Int(number) if *number < 0 => {
            let message = format!("{name} is `{number}`; there is no negative number of machines");
            findings.invalid(&NEGATIVE, path(), message).value(*number)
        }
        _ => return,
    };
    reported.help(WRITE);
}

fn report_set_by_hand(
    name: &'static str,
    value: &IntOrPercent,
    pool: &Pool<'_>,
    findings: &mut Findings,
) {
    let message =
        format!("{name} is `{value}`, but a pool with `ManualInPlaceUpdate` has no {name}");
    let path = pool.path().child(name);
    findings.invalid(&MANUAL, path, message).value(value.to_string()).help(
        "remove maxSurge and maxUnavailable; they may have been filled in for another strategy",
    );
}

fn report_both_zero(pool: &Pool<'_>, findings: &mut Findings) {
    let name = &pool.new.name;
    let message = format!(
        "maxSurge and maxUnavailable of pool `{name}` are both zero, so that no machine could ever be updated"
    );
    let path = pool.path().child("maxUnavailable");
    findings
        .invalid(&BOTH_ZERO, path, message)
        .value(pool.new.max_unavailable.as_ref().map(ToString::to_string))
        .help("raise one of the two; what is left out is filled in by update strategy");
}

/// Reports whether the value is zero.
///
/// A string that is not a percentage counts as its number, or as zero, like Go's `Atoi` without its error.
fn is_zero(value: Option<&IntOrPercent>) -> bool {
    match value {
        None => true,
        Some(IntOrPercent::Int(number)) => *number == 0,
        Some(value @ IntOrPercent::Text(text)) => value.percent().map_or_else(
            || {
                let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
                let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                !number || digits.bytes().all(|b| b == b'0')
            },
            |percent| percent == 0,
        ),
    }
}
