// SPDX-License-Identifier: Apache-2.0
use crate::admission::ErrorType::TooLong;
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::amount;
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check as check_form, check_cpu_and_memory,
};
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::{Shoot, Versions};
use garden_gate_text::go::is_before;

rule! {
    page: include_str!("kubernetes_form.md"),
    id: "shoot/kubernetes-form",
    summary: "rejects invalid settings of control-plane components",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED,
        pub(super) LITTLE = "shoot/too-little-for-component": "`minAllowed` of a component is below its minimum",
        INGRESS_DISALLOWED = "shoot/nginx-ingress-disallowed": "the landscape disallows the add-on `nginxIngress`" since 142,
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTION: Section = Section {
    kind: "Shoot",
    at: &["spec", "kubernetes"],
    except: &["KubeAPIServerConfig", "KubeletConfig"],
};

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let (received, facts) = received(context, new);
    check_form(SECTION, context.new_opened(), facts, findings);
    check_addons(context, new, &received, findings);
    let Some(kubernetes) = received.at(SECTION.at) else {
        return;
    };
    if facts.workerless {
        check_workerless(&kubernetes, findings);
    }
    check_autoscaler(&kubernetes, facts, findings);
    check_proxy(&kubernetes, facts, findings);
    check_vertical(&kubernetes, findings);
    for (component, least) in [
        (&["etcd", "main", "autoscaling"][..], &[("memory", "300M")][..]),
        (&["etcd", "events", "autoscaling"], &[("memory", "60M")]),
        (&["clusterAutoscaler", "autoscaling"], &[("cpu", "10m"), ("memory", "30M")]),
    ] {
        if let Some(autoscaling) = kubernetes.at(component) {
            check_least(&autoscaling, least, findings);
        }
    }
}

/// Keys of the components for nodes, with Gardener's names; two names differ from their keys.
const OF_NODES: [(&str, &str); 5] = [
    ("kubeScheduler", "kubeScheduler"),
    ("kubeProxy", "kubeProxy"),
    ("kubelet", "kubelet"),
    ("clusterAutoscaler", "clusterAutoScaler"),
    ("verticalPodAutoscaler", "verticalPodAutoScaler"),
];

fn check_workerless(kubernetes: &Part<'_>, findings: &mut Findings) {
    for (field, called) in OF_NODES {
        if kubernetes.at(&[field]).is_some() {
            let message = format!("a Shoot without workers has no `{field}`");
            let field = kubernetes.path().child(called);
            findings
                .forbid(&UNFITTING, field, message)
                .help(Help::remove("remove it, or add a worker pool"));
        }
    }
}

const EXPANDERS: [(&str, Versions); 5] = [
    ("least-nodes", Versions::since(141)),
    ("least-waste", Versions::ALL),
    ("most-pods", Versions::ALL),
    ("priority", Versions::ALL),
    ("random", Versions::ALL),
];

fn check_autoscaler(kubernetes: &Part<'_>, facts: Facts<'_>, findings: &mut Findings) {
    let Some(autoscaler) = kubernetes.at(&["clusterAutoscaler"]) else {
        return;
    };
    if let Some(expander) = autoscaler.at(&["expander"]) {
        let text = expander.text().unwrap_or_default();
        let known: Vec<&str> = EXPANDERS
            .iter()
            .filter(|(_, versions)| versions.contains(facts.gardener))
            .map(|(name, _)| *name)
            .collect();
        for unknown in text.split(',').filter(|it| !known.contains(it)) {
            let message = format!("`{unknown}` is no expander");
            findings
                .unsupported(&UNSUPPORTED, expander.path().clone(), message)
                .help(format!("use {}", known.join(", ")));
        }
    }
    let bulk = autoscaler.at(&["maxEmptyBulkDelete"]);
    // The API server uses the former for the latter if that is absent.
    if autoscaler.at(&["maxScaleDownParallelism"]).is_none()
        && bulk.as_ref().and_then(|it| it.number()).is_some_and(|it| it < 0.0)
    {
        let message =
            "`maxEmptyBulkDelete` is less than 0, and stands for `maxScaleDownParallelism`, too";
        let field = autoscaler.path().child("maxScaleDownParallelism");
        findings.invalid(&OUT_OF_RANGE, field, message).help("use 0 or more");
    }
    let both = [
        bulk.as_ref().and_then(|it| it.number()),
        autoscaler.number_at(&["maxScaleDownParallelism"]),
    ];
    if let (Some(bulk), [Some(one), Some(other)]) = (bulk, both)
        && one != other
    {
        let message =
            format!("`maxEmptyBulkDelete` is {one}, and `maxScaleDownParallelism` {other}");
        findings
            .invalid(&UNFITTING, bulk.path().clone(), message)
            .help(Help::remove("remove `maxEmptyBulkDelete`"));
    }
}

/// The versions that know Kubernetes 1.30, in which NFTables needs its feature gate.
const NFTABLES_NEEDS_GATE: Versions = Versions::until(140);

fn check_proxy(kubernetes: &Part<'_>, facts: Facts<'_>, findings: &mut Findings) {
    let gate = kubernetes.flag_at(&["kubeProxy", "featureGates", "NFTablesProxyMode"]);
    let mode =
        kubernetes.at(&["kubeProxy", "mode"]).filter(|it| it.text().as_deref() == Some("NFTables"));
    let Some(mode) = mode else { return };
    if NFTABLES_NEEDS_GATE.contains(facts.gardener)
        && is_before(facts.version, 1, 31)
        && gate != Some(true)
    {
        let message = "NFTables needs feature gate `NFTablesProxyMode` before Kubernetes 1.31";
        findings.invalid(&UNFITTING, mode.path().clone(), message).help(
            Help::set("set `featureGates.NFTablesProxyMode: true`, or use another mode", true)
                .at("../featureGates/NFTablesProxyMode"),
        );
    } else if gate == Some(false) {
        let message = "kube-proxy uses NFTables, but feature gate `NFTablesProxyMode` is off";
        findings.invalid(&UNFITTING, mode.path().clone(), message).help("remove one of both");
    }
}

fn check_vertical(kubernetes: &Part<'_>, findings: &mut Findings) {
    let allowed = kubernetes.at(&["verticalPodAutoscaler", "maxAllowed"]);
    if let Some(allowed) = allowed {
        check_cpu_and_memory(&allowed, findings);
    }
}

/// Mirrors ValidateControlPlaneAutoscaling.
pub(super) fn check_least(
    autoscaling: &Part<'_>,
    least: &[(&'static str, &str)],
    findings: &mut Findings,
) {
    let allowed = autoscaling.at(&["minAllowed"]);
    let entries = allowed.as_ref().map(|it| it.entries()).unwrap_or_default();
    let Some(allowed) = allowed.filter(|_| !entries.is_empty()) else {
        let message = "`minAllowed` is not set";
        let field = autoscaling.path().child("minAllowed");
        findings.required(&MISSING, field, message).help("set it, or remove `autoscaling`");
        return;
    };
    check_cpu_and_memory(&allowed, findings);
    for (resource, least) in least {
        let field = allowed.path().child(resource);
        let given =
            entries.iter().find(|(name, _)| name == resource).and_then(|(_, given)| given.amount());
        if given < amount(least) && given.is_some() {
            let message = format!("the component gets less {resource} than {least}");
            findings.invalid(&LITTLE, field, message).help(format!("give it {least} or more"));
        }
    }
}

fn check_addons(
    context: &Context<'_>,
    shoot: &Shoot,
    received: &Part<'_>,
    findings: &mut Findings,
) {
    let Some(addons) = received.at(&["spec", "addons"]) else {
        return;
    };
    let facts = Facts::of(shoot, context);
    check_form(ADDONS, context.new_opened(), facts, findings);
    let is_on = |addon: &'static str| addons.flag_at(&[addon, "enabled"]) == Some(true);
    let evaluates = shoot.spec.purpose.as_deref().is_none_or(|it| it == "evaluation");
    let (ingress, dashboard) = (is_on("nginxIngress"), is_on("kubernetesDashboard"));
    if (ingress || dashboard) && !evaluates {
        let message = "add-ons are for Shoots with purpose `evaluation`";
        findings.forbid(&UNFITTING, addons.path().clone(), message).help("remove them");
    }
    for (at, _) in
        [(INGRESS, ingress), (DASHBOARD, dashboard)].into_iter().filter(|(_, is_on)| *is_on)
    {
        let section = Section { kind: "Shoot", at, except: &[] };
        check_form(section, context.new_opened(), facts, findings);
    }
    if ingress {
        check_ingress_allowed(context, findings);
        check_ingress(&addons, findings);
    }
}

/// Checks that the landscape allows the ingress controller; a Shoot that has it keeps it.
fn check_ingress_allowed(context: &Context<'_>, findings: &mut Findings) {
    let had = Part::whole(context.old_opened()).at(INGRESS).and_then(|it| it.flag_at(&["enabled"]))
        == Some(true);
    let is_template = context.request.is_template;
    if !is_template && (had || !context.config.feature_gates.disable_nginx_ingress_in_shoot) {
        return;
    }
    let field = FieldPath::new("spec.addons.nginxIngress.enabled");
    let message =
        "the landscape disallows the ingress add-on (feature gate `DisableNginxIngressInShoot`)";
    findings
        .forbid(&INGRESS_DISALLOWED, field, message)
        .help(Help::remove("remove `nginxIngress`, and install an ingress controller yourself"));
}

const ADDONS: Section = Section { kind: "Shoot", at: &["spec", "addons"], except: &["Addons"] };
const INGRESS: &[&str] = &["spec", "addons", "nginxIngress"];
const DASHBOARD: &[&str] = &["spec", "addons", "kubernetesDashboard"];

/// The maximum size of all settings of the ingress controller, in bytes; the limit of a Secret.
const SETTINGS: usize = 1024 * 1024;

fn check_ingress(addons: &Part<'_>, findings: &mut Findings) {
    let config = addons.at(&["nginxIngress", "config"]);
    let Some((path, config)) = config.map(|it| (it.path().clone(), it.entries())) else {
        return;
    };
    let size = config.iter().filter_map(|(_, value)| value.text());
    if size.map(|it| it.len()).sum::<usize>() > SETTINGS {
        let message = format!("the settings have more than {SETTINGS} bytes together");
        findings.report(&TOO_LONG, TooLong, path, message).help("remove some of them");
    }
    let is_key = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    for (key, value) in config {
        let is_reserved = key == "." || key.starts_with("..");
        if key.is_empty() || key.len() > 253 || is_reserved || !key.bytes().all(is_key) {
            let message = format!("`{key}` cannot be the key of a setting");
            findings
                .invalid(&MALFORMED, value.path().clone(), message)
                .help("use letters, digits, `-`, `_` and `.`");
        }
    }
}
