// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, ErrorType, FindingKind, Findings, Help, Write, rule};
use crate::rules::shared::validation::Facts;
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::kubernetes::{Offered, Table, Tables};

rule! {
    page: include_str!("runtime_config.md"),
    id: "shoot/runtime-config",
    summary: "rejects unknown and unsupported APIs, and disabling of required ones",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        UNKNOWN = "shoot/api-unknown": "the API is unknown",
        ABSENT = "shoot/api-absent": "the Kubernetes version does not support the API",
        NEEDED = "shoot/api-needed": "a required API is disabled",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let (received, facts) = received(context, shoot.new);
    let config = received.at(&["spec", "kubernetes", "kubeAPIServer", "runtimeConfig"]);
    for (api, value) in config.iter().flat_map(|it| it.entries()) {
        let is_on = value.flag_at(&[]).unwrap_or_default();
        let judged = Tables::judge(facts.gardener, facts.version, |known| {
            problem(&api, is_on, known.apis, facts)
        });
        match judged {
            Ok(None) => {}
            Ok(Some((kind, error, message))) => findings.report_lazily(kind, |findings| {
                findings
                    .report(kind, error, value.path().clone(), message)
                    .help(Help::remove("remove the entry, or correct its name"));
            }),
            Err(why) => {
                let version = facts.version;
                let message =
                    format!("cannot tell whether Kubernetes `{version}` accepts `{api}`: {why}");
                findings.undetermined(value.path(), message);
            }
        }
    }
}

type Problem = (&'static FindingKind, ErrorType, String);

fn problem(api: &str, is_on: bool, known: &'static Table, facts: Facts<'_>) -> Option<Problem> {
    let version = facts.version;
    let steps = api.split('/').count();
    let Some(offered) = known.get(api).filter(|_| steps <= 3) else {
        let message = format!("Kubernetes has no API `{api}`");
        return Some((&UNKNOWN, ErrorType::Invalid, message));
    };
    if !offered.is_in(version) {
        let versions = offered.versions();
        let message = format!("Kubernetes `{version}` has no API `{api}`; it exists {versions}");
        return Some((&ABSENT, ErrorType::Forbidden, message));
    }
    let needed = (!is_on).then(|| needed(api, offered, known, facts)).flatten()?;
    let message = if needed == api {
        format!("the API `{api}` is needed and cannot be turned off")
    } else {
        format!("the API `{api}` cannot be turned off, as `{needed}` is needed")
    };
    Some((&NEEDED, ErrorType::Forbidden, message))
}

/// Returns the required part of an API: itself, its version, or one of its resources.
fn needed<'a>(
    api: &'a str,
    offered: &Offered,
    known: &'static Table,
    facts: Facts<'_>,
) -> Option<&'a str> {
    let word = if facts.workerless { "required-workerless" } else { "required" };
    if offered.is(word) {
        return Some(api);
    }
    let (around, _) = api.rsplit_once('/').unwrap_or_default();
    if let Some((name, offered)) = known.get_key_value(around) {
        return offered.is(word).then_some(*name);
    }
    let inside = known.iter().filter(|(name, _)| {
        let rest = name.strip_prefix(api);
        rest.is_some_and(|rest| rest.starts_with('/'))
    });
    let mut needed = inside.filter(|(_, offered)| offered.is(word));
    needed.next().map(|(name, _)| *name)
}
