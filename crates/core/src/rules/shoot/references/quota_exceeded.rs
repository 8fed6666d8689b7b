// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::sync::Arc;

use super::binding_missing::{Binding, Bindings};
use super::counted::{LOAD_BALANCERS, METRICS, used_by};
use crate::admission::{Change, Context, FieldPath, Findings, Kind, rule};
use crate::rules::shared::lists::list;
use garden_gate_model::api::{Quota, QuotaScope, Shoot, ShootUse, Worker};
use garden_gate_text::go::parse_time;

rule! {
    page: include_str!("quota_exceeded.md"),
    id: "shoot/quota-exceeded",
    summary: "rejects Shoots above the Quotas of their binding",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update]],
    reads: [SecretBinding, CredentialsBinding, Quota, Shoot, CloudProfile, NamespacedCloudProfile],
    findings: {
        EXCEEDED = "shoot/quota-exceeded": "the Shoots of a Quota exceed it",
        LIFETIME = "shoot/quota-lifetime": "the lifetime of the Shoot is extended beyond the limit of a Quota",
        MISSING = "shoot/quota-missing": "the Quota that a binding references is not found",
        UNCOUNTABLE = "shoot/quota-uncountable": "the resources of the Shoots of a Quota cannot be determined",
    },
    check: Judge(check),
}

/// The annotation with the time at which Gardener deletes a Shoot of a Quota with a limited lifetime.
pub const EXPIRATION: &str = "shoot.gardener.cloud/expiration-timestamp";
const HOURS_A_DAY: i32 = 24;
const NANOSECONDS_AN_HOUR: i64 = 60 * 60 * 1_000_000_000;

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new.filter(|new| new.metadata.deletion_timestamp.is_none()) else {
        return;
    };
    let bindings = Bindings::of(context, &new.spec, findings);
    // As Gardener, uses only the first of two bindings; no valid Shoot has two.
    let Some(binding) = bindings.0.first() else {
        return;
    };
    let counts = shoot.old.is_none_or(|old| may_take_more(new, old));
    let mut days = None;
    for quota in quotas_of(context, binding, findings) {
        if let Some(limit) = quota.spec.cluster_lifetime_days {
            days = Some(days.map_or(limit, |days: i32| days.min(limit)));
        }
        if counts {
            check_amounts(context, new, binding, &quota, findings);
        }
    }
    if let (Some(days), Some(old)) = (days, shoot.old) {
        check_lifetime(context, new, old, days, findings);
    }
}

/// Returns the Quotas that a binding names.
fn quotas_of(
    context: &Context<'_>,
    binding: &Binding<'_>,
    findings: &mut Findings,
) -> Vec<Arc<Quota>> {
    let mut quotas = Vec::new();
    let found = binding.found.as_ref();
    let mut seen = BTreeSet::new();
    for (namespace, name) in found.map(|it| it.quotas.as_slice()).unwrap_or_default() {
        // Counting is expensive, and duplicates give the same result.
        if !seen.insert((namespace, name)) {
            continue;
        }
        let field = FieldPath::new(binding.field);
        if !context.absence_is_known(Kind::Quota) {
            break;
        }
        let quota = context.get::<Quota>((namespace.as_str(), name.as_str()));
        let what = format_args!("what Quota `{namespace}/{name}` allows");
        match findings.known(quota, &field, what) {
            Some(Some(quota)) => quotas.push(quota),
            Some(None) => {
                let message = format!(
                    "{} `{}` names Quota `{namespace}/{name}`, which does not exist",
                    binding.kind, binding.name
                );
                findings
                    .forbid(&MISSING, field, message)
                    .value(binding.name)
                    .help("name another binding, or have the Quota made again");
            }
            None => {}
        }
    }
    quotas
}

/// Reports whether a change can make a Shoot larger, by Gardener's comparison.
fn may_take_more(new: &Shoot, old: &Shoot) -> bool {
    let is_as_before = |pool: &Worker| {
        old.spec.provider.workers.iter().find(|old| old.name == pool.name).is_some_and(|old| {
            let types = [pool, old].map(|it| &it.machine.machine_type);
            types[0] == types[1] && pool.maximum == old.maximum && pool.volume == old.volume
        })
    };
    let opens = new.has_ingress() && !old.has_ingress();
    opens || !new.spec.provider.workers.iter().all(is_as_before)
}

fn check_amounts(
    context: &Context<'_>,
    new: &Shoot,
    binding: &Binding<'_>,
    quota: &Quota,
    findings: &mut Findings,
) {
    let (namespace, name) = (&quota.metadata.namespace, &quota.metadata.name);
    let title = format!("Quota `{namespace}/{name}`");
    let field = FieldPath::new(binding.field);
    let own = context.request.namespace.as_str();
    let within = match quota.spec.scope() {
        Some(QuotaScope::Project) => Some(own),
        Some(QuotaScope::Credentials) => None,
        None => {
            let message = format!("{title} has a scope that Gardener does not know");
            let help = "name another binding, or recreate the Quota with the scope of a Project, Secret or WorkloadIdentity";
            findings.forbid(&UNCOUNTABLE, field, message).help(help);
            return;
        }
    };
    let others = context.shoots_of_quota((namespace, name), within);
    let what = format_args!("which Shoots {title} counts");
    let Some(mut others) = findings.known(others, &field, what) else {
        return;
    };
    others.retain(|it| *it.name.namespace != *own || *it.name.name != *new.metadata.name);
    let own = ShootUse::from(new);
    let used = match used_by(context, others.iter().copied().chain([&own])) {
        Ok(used) => used,
        Err(problem) if problem.is_unknown => {
            let message = format!("cannot tell what {title} has left: {}", problem.why);
            return findings.undetermined(&field, message);
        }
        Err(problem) => {
            let message = format!("{title} cannot be counted: {}", problem.why);
            let help = "let the profile list what that Shoot uses, or let the Shoot use what its profile lists";
            findings.forbid(&UNCOUNTABLE, field, message).help(help);
            return;
        }
    };
    let exceeded: Vec<(&str, String)> = METRICS
        .iter()
        .zip(used)
        .filter_map(|(metric, used)| {
            let limit = quota.spec.metrics.get(*metric)?;
            let amount = || format!("{metric} {} of {limit}", limit.with_nanos(used));
            (used > limit.nanos()).then(|| (*metric, amount()))
        })
        .collect();
    let Some((first, _)) = exceeded.first() else {
        return;
    };
    let field =
        if *first == LOAD_BALANCERS { field } else { FieldPath::new("spec.provider.workers") };
    let amounts: Vec<&str> = exceeded.iter().map(|(_, amount)| amount.as_str()).collect();
    let message = format!("{title} would be exceeded: {}", amounts.join(", "));
    let others = list(others.iter().map(|it| &it.name));
    findings.forbid(&EXCEEDED, field, message).help(format!(
        "have fewer or smaller machines at most, or delete what nobody needs; the Quota counts these Shoots, too: {others}"
    ));
}

/// Converts days to nanoseconds; overflows as in Gardener, which multiplies 32 bits and then 64.
fn lifetime(days: i32) -> i64 {
    i64::from(days.wrapping_mul(HOURS_A_DAY)).wrapping_mul(NANOSECONDS_AN_HOUR)
}

fn check_lifetime(
    context: &Context<'_>,
    new: &Shoot,
    old: &Shoot,
    days: i32,
    findings: &mut Findings,
) {
    let Some(planned) = new.annotation(EXPIRATION) else {
        return;
    };
    if old.annotation(EXPIRATION) == Some(planned) {
        return;
    }
    let latest = context.now.as_nanosecond() + i128::from(lifetime(days));
    let problem = match parse_time(planned) {
        None => "is not a time such as `2030-01-31T12:00:00Z`".to_owned(),
        Some(planned) if planned.as_nanosecond() > latest => {
            format!(
                "is more than {days} days from now, which a Quota of the binding allows at most"
            )
        }
        Some(_) => return,
    };
    let field = FieldPath::new("metadata.annotations").key(EXPIRATION);
    findings
        .forbid(&LIFETIME, field, format!("`{EXPIRATION}` {problem}"))
        .value(planned)
        .help("write an earlier time");
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::lifetime;

    #[rstest]
    #[case(0, 0)]
    #[case(30, 2_592_000_000_000_000)]
    #[case(106_751, 9_223_286_400_000_000_000)]
    #[case(106_752, -9_223_371_273_709_551_616)]
    #[case(213_503, -84_873_709_551_616)]
    #[case(213_504, 1_526_290_448_384)]
    #[case(89_478_485, 1_755_337_115_697_872_896)]
    #[case(89_478_486, -1_755_308_315_697_872_896)]
    #[case(178_956_971, 28_800_000_000_000)]
    #[case(i32::MAX, -86_400_000_000_000)]
    #[case(-1, -86_400_000_000_000)]
    #[case(i32::MIN, 0)]
    fn lifetime_overflows_as_in_go(#[case] days: i32, #[case] nanoseconds: i64) {
        assert_eq!(lifetime(days), nanoseconds);
    }
}
