// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, ErrorType, FindingKind, Findings, Help, Write, rule};
use crate::rules::shared::validation::Part;
use crate::rules::shoot::static_validation::{kubelets, received};
use garden_gate_model::api::kubernetes::{Table, Tables, autoscaler_gates};
use garden_gate_model::api::{GardenerVersion, Shoot};

rule! {
    page: include_str!("feature_gates.md"),
    id: "shoot/feature-gates",
    summary: "rejects unknown, unsupported or locked feature gates",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        UNKNOWN = "shoot/feature-gate-unknown": "the feature gate is unknown",
        ABSENT = "shoot/feature-gate-absent": "the Kubernetes version does not support the feature gate",
        LOCKED = "shoot/feature-gate-locked": "the Kubernetes version locks the feature gate to the other value",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let (received, facts) = received(context, new);
    for (component, version) in gated(new, &received) {
        check_component(&component, version, facts.gardener, findings);
    }
    let autoscaler = received.at(&["spec", "kubernetes", "verticalPodAutoscaler"]);
    if let Some(autoscaler) = autoscaler {
        check_autoscaler(&autoscaler, facts.gardener, findings);
    }
}

type Problem = (&'static FindingKind, ErrorType, String);

/// Returns the components of a Shoot that may have feature gates of Kubernetes, each with its version.
pub(crate) fn gated<'a>(shoot: &'a Shoot, object: &Part<'a>) -> Vec<(Part<'a>, &'a str)> {
    let without_workers = ["kubeAPIServer", "kubeControllerManager"];
    let has_workers = !shoot.is_workerless();
    let with_workers = ["kubeScheduler", "kubeProxy", "kubelet"].iter().filter(|_| has_workers);
    let kubernetes = object.at(&["spec", "kubernetes"]);
    let version = &*shoot.spec.kubernetes.version;
    let components = without_workers
        .iter()
        .chain(with_workers)
        .filter_map(|it| Some((kubernetes.as_ref()?.at(&[it])?, version)));
    components.chain(kubelets(shoot, object)).collect()
}

/// Returns the feature gates of a component.
pub(crate) fn gates(component: &Part<'_>) -> Vec<(String, bool)> {
    let gates = component.at(&["featureGates"]).map(|it| it.entries()).unwrap_or_default();
    let value = |(name, value): (String, Part<'_>)| Some((name, value.flag_at(&[])?));
    gates.into_iter().filter_map(value).collect()
}

fn check_component(
    component: &Part<'_>,
    version: &str,
    gardener: GardenerVersion,
    findings: &mut Findings,
) {
    for (gate, value) in gates(component) {
        let field = || component.path().child("featureGates").child_called(&gate);
        let judged = Tables::judge(gardener, version, |known| {
            problem(&gate, value, version, known.feature_gates)
        });
        match judged {
            Ok(None) => {}
            Ok(Some((kind, error, message))) => findings.report_lazily(kind, |findings| {
                findings
                    .report(kind, error, field(), message)
                    .help(Help::remove("remove the gate"));
            }),
            Err(why) => {
                let message = format!(
                    "cannot tell whether Kubernetes `{version}` accepts feature gate `{gate}`: {why}"
                );
                findings.undetermined(&field(), message);
            }
        }
    }
}

fn problem(gate: &str, value: bool, version: &str, known: &Table) -> Option<Problem> {
    let Some(offered) = known.get(gate) else {
        let message = format!("Kubernetes has no feature gate `{gate}`");
        return Some((&UNKNOWN, ErrorType::Invalid, message));
    };
    if !offered.is_in(version) {
        let versions = offered.versions();
        let message =
            format!("Kubernetes `{version}` has no feature gate `{gate}`; it exists {versions}");
        return Some((&ABSENT, ErrorType::Forbidden, message));
    }
    let is_locked = offered.locked(version).is_some_and(|only| only != value);
    is_locked.then(|| {
        let message = format!(
            "in Kubernetes `{version}` feature gate `{gate}` cannot be {value}, it is {} for good",
            !value
        );
        (&LOCKED, ErrorType::Forbidden, message)
    })
}

fn check_autoscaler(autoscaler: &Part<'_>, gardener: GardenerVersion, findings: &mut Findings) {
    let known = autoscaler_gates(gardener);
    for (gate, _) in gates(autoscaler) {
        if !known.contains(&gate.as_str()) {
            findings.report_lazily(&UNKNOWN, |findings| {
                let message = format!("the vertical pod autoscaler has no feature gate `{gate}`");
                let field = autoscaler.path().child("featureGates").child_called(&gate);
                let help = format!("it has `{}`", known.join("`, `"));
                findings.invalid(&UNKNOWN, field, message).help(help);
            });
        }
    }
}
