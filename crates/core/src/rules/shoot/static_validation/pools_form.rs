// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::ErrorType::TooLong;
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING, UNSUPPORTED,
    check as check_form, check_annotations, check_labels,
};
use crate::rules::shoot::static_validation::{pools, received};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("pools_form.md"),
    id: "shoot/pools-form",
    summary: "rejects invalid fields of worker pools",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED,
        BELOW = "shoot/pool-maximum-below-minimum": "a pool has a maximum below its minimum",
        DATA = "shoot/data-volumes-without-volume": "a worker pool has data volumes, but no root volume",
        KUBELET = "shoot/kubelet-data-volume-missing": "the kubelet's volume is not among the data volumes of the pool",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTION: Section = Section {
    kind: "Shoot",
    at: &["spec", "provider", "workers"],
    except: &["KubeletConfig", "WorkerControlPlane", "MachineControllerManagerSettings"],
};

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let (received, facts) = received(context, shoot.new);
    check_form(SECTION, context.new_opened(), facts, findings);
    for pool in pools(&received) {
        check_sizes(&pool, findings);
        check_volumes(&pool, findings);
        check_labels(&pool, &pool.path().child("labels"), findings);
        check_annotations(&pool, pool.path().child("annotations"), findings);
        check_taints(&pool, findings);
        check_sysctls(&pool, findings);
    }
}

fn check_sizes(pool: &Part<'_>, findings: &mut Findings) {
    let [minimum, maximum] =
        ["minimum", "maximum"].map(|it| pool.number_at(&[it]).unwrap_or_default());
    if maximum < minimum {
        let message =
            format!("the pool's maximum is {maximum}, which is less than its minimum, {minimum}");
        let field = pool.path().child("maximum");
        findings.forbid(&BELOW, field, message).help("raise the maximum, or lower the minimum");
    }
}

fn check_volumes(pool: &Part<'_>, findings: &mut Findings) {
    let volumes = pool.items_at(&["dataVolumes"]);
    if !volumes.is_empty() && pool.at(&["volume"]).is_none() {
        let message = "the pool has further volumes, but no first one";
        findings.required(&DATA, pool.path().child("volume"), message).help("set `volume`");
    }
    let Some(named) = pool.at(&["kubeletDataVolumeName"]) else {
        return;
    };
    let name = named.text().unwrap_or_default();
    if !volumes.iter().any(|it| it.text_at(&["name"]) == name) {
        let message = format!("the pool has no further volume `{name}` for its kubelet");
        findings.invalid(&KUBELET, named.path().clone(), message).help("name one of `dataVolumes`");
    }
}

fn check_taints(pool: &Part<'_>, findings: &mut Findings) {
    let mut known = BTreeSet::new();
    for taint in pool.items_at(&["taints"]) {
        let both = ["key", "effect"].map(|field| taint.text_at(&[field]));
        if known.contains(&both) {
            let message =
                format!("the pool has the taint `{}` twice with the same effect", both[0]);
            findings.duplicate(&REPEATED, taint.path().clone(), message).help("keep one of them");
        }
        known.insert(both);
    }
}

/// The maximum length of a path below `/proc/sys/`, and of a name in it.
const PATH: usize = 4086;
const NAME: usize = 255;

fn check_sysctls(pool: &Part<'_>, findings: &mut Findings) {
    let settings = pool.at(&["sysctls"]).map(|it| it.entries());
    for (key, value) in settings.into_iter().flatten() {
        let field = pool.path().child("sysctls").child_called(&key);
        let shown: String = key.chars().take(NAME).collect();
        if !is_setting(&key) || key.split('.').any(|it| it.len() > NAME) {
            let message = format!("`{shown}` is no kernel setting");
            findings
                .invalid(&MALFORMED, field.clone(), message)
                .help("write the name like `net.core.somaxconn`");
        }
        if key.len() > PATH {
            let message = format!("the name of a kernel setting has {} bytes", key.len());
            findings.report(&TOO_LONG, TooLong, field.clone(), message).help("use a shorter one");
        }
        if value.text().is_none_or(|it| it.is_empty()) {
            let message = format!("kernel setting `{shown}` has no value");
            findings.required(&MISSING, field, message).help("give it a value");
        }
    }
}

/// Reports whether a key is a valid kernel setting.
///
/// It consists of names with dots between them; all but the last may be `*`, and the last ends with a letter or digit.
fn is_setting(key: &str) -> bool {
    let is_inner = |b: u8| b.is_ascii_alphanumeric() || b"_/-".contains(&b);
    let begins =
        |part: &str| part.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_part = |part: &str| part == "*" || begins(part) && part.bytes().all(is_inner);
    let (parts, last) =
        key.rsplit_once('.').map_or((None, key), |(parts, last)| (Some(parts), last));
    let ends = last.bytes().last().is_some_and(|b| b.is_ascii_alphanumeric());
    ends && last.bytes().all(is_inner) && parts.is_none_or(|it| it.split('.').all(is_part))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_setting;

    /// Answers of `sysctlKeyRegex` in `pkg/api/core/validation/shoot.go`.
    #[rstest]
    #[case("net.core.somaxconn", true)]
    #[case("net.ipv4.conf.*.rp_filter", true)]
    #[case("-net.a/b", true)]
    #[case("_net", true)]
    #[case("_net.a", false)]
    #[case("net core.a", false)]
    #[case("net..a", false)]
    #[case("net.a_", false)]
    #[case("net.*", false)]
    #[case("", false)]
    fn names_of_kernel_settings(#[case] key: &str, #[case] expected: bool) {
        assert_eq!(is_setting(key), expected);
    }
}
