// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Write, rule};
use crate::rules::shoot::event_ttl::{LONGEST_EVENT_TTL, event_ttl};
use crate::rules::shoot::operation::{ETCD_COMPLETE, ETCD_START, NOW, asks_only_for};
use crate::rules::shoot::profile_name::keeps_profile_name;
use garden_gate_model::api::{DNSProvider, Shoot};
use garden_gate_text::go::is_at_least;

rule! {
    page: include_str!("deprecated_fields.md"),
    id: "shoot/deprecated-fields",
    summary: "warns about deprecated fields",
    phase: Static,
    level: Warn,
    entry_point: Review,
    scopes: [Shoot [Create, Update]],
    findings: {
        EVICTION = "shoot/warn-pod-eviction-timeout": "podEvictionTimeout is set",
        ETCD_SPLIT = "shoot/warn-etcd-split-rotation-op": "the etcd encryption key is rotated in two steps",
        PROFILE_NAME = "shoot/warn-cloud-profile-name": "spec.cloudProfileName is set",
        IPVS = "shoot/warn-kube-proxy-ipvs": "kube-proxy runs in IPVS mode",
        MAX_PD_VOLS = "shoot/warn-kube-max-pd-vols": "kubeMaxPDVols is set",
        SECRET_BINDING = "shoot/warn-secret-binding-name": "spec.secretBindingName is set",
        WATCH_CACHE = "shoot/warn-watch-cache-default": "watchCacheSizes.default is set",
        DNS_SECRET = "shoot/warn-dns-secret-name": "a DNS provider names its Secret by secretName",
        EVENT_TTL = "shoot/warn-event-ttl": "a stored eventTTL is longer than 24 hours" until 142,
    },
    check: Judge(check),
}

/// The message about a `secretName` that Gardener copies back whenever it is removed.
const COPIED_SECRET: &str = "Kubernetes 1.35 forbids `secretName` of DNS providers; until then, Gardener copies it from `credentialsRef`";

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    check_kubernetes(new, findings);
    if shoot.old.is_some()
        && event_ttl(context.new_opened()).is_some_and(|it| it > LONGEST_EVENT_TTL)
    {
        let message =
            "Gardener 1.143 reduces `eventTTL` to 24 hours, and 1.147 forbids longer ones";
        let field = FieldPath::new("spec.kubernetes.kubeAPIServer.eventTTL");
        add(&EVENT_TTL, field, message, "write `24h`", findings);
    }
    check_proxy(new, shoot.old, findings);
    check_names(new, shoot.old, findings);
    check_providers(new, findings);
    check_operation(context, shoot, findings);
}

/// Describes a field that is forbidden from Kubernetes 1.`minor` on.
///
/// The text mentions whether the next minor version is the one that forbids it.
pub(crate) fn forbidden_from(minor: u64, field: &str, shoot: &Shoot) -> String {
    let version = &shoot.spec.kubernetes.version;
    let is_next = is_at_least(version, 1, minor - 1) && !is_at_least(version, 1, minor);
    if is_next {
        format!("the next version, Kubernetes 1.{minor}, forbids {field}; change it first")
    } else {
        format!("{field} is deprecated, and forbidden from Kubernetes 1.{minor}")
    }
}

fn check_names(new: &Shoot, old: Option<&Shoot>, findings: &mut Findings) {
    let version = &new.spec.kubernetes.version;
    if is_at_least(version, 1, 33) && keeps_profile_name(new, old) {
        let message = forbidden_from(34, "`spec.cloudProfileName`", new);
        let field = FieldPath::new("spec.cloudProfileName");
        let help = "use `spec.cloudProfile.name`";
        add(&PROFILE_NAME, field, &message, help, findings);
    }
    if new.spec.secret_binding_name.is_some() {
        let message = forbidden_from(34, "`spec.secretBindingName`", new);
        let field = FieldPath::new("spec.secretBindingName");
        let help = "use `spec.credentialsBindingName`";
        add(&SECRET_BINDING, field, &message, help, findings);
    }
}

fn check_providers(new: &Shoot, findings: &mut Findings) {
    let is_copied = !is_at_least(&new.spec.kubernetes.version, 1, 35);
    let providers = new.spec.dns.iter().flat_map(|dns| &dns.providers);
    for (index, provider) in providers.enumerate() {
        if provider.secret_name.is_some() || (is_copied && names_secret(provider)) {
            let (message, help) = if is_copied && names_secret(provider) {
                (COPIED_SECRET.to_owned(), "remove it in the update to Kubernetes 1.35")
            } else {
                (forbidden_from(35, "`secretName` of DNS providers", new), "use `credentialsRef`")
            };
            let field = FieldPath::new("spec.dns.providers").index(index).child("secretName");
            add(&DNS_SECRET, field, &message, help, findings);
        }
    }
}

fn check_kubernetes(shoot: &Shoot, findings: &mut Findings) {
    let kubernetes = &shoot.spec.kubernetes;
    let path = FieldPath::new("spec.kubernetes");
    let manager = kubernetes.kube_controller_manager.as_ref();
    if manager.is_some_and(|manager| manager.pod_eviction_timeout.is_some()) {
        let message = forbidden_from(33, "`podEvictionTimeout`, which has no effect,", shoot);
        let help = "use `defaultNotReadyTolerationSeconds` and `defaultUnreachableTolerationSeconds` of the kubeAPIServer";
        let field = path.child("kubeControllerManager").child("podEvictionTimeout");
        add(&EVICTION, field, &message, help, findings);
    }
    let scheduler = kubernetes.kube_scheduler.as_ref();
    if scheduler.is_some_and(|scheduler| scheduler.kube_max_pd_vols.is_some()) {
        let message = forbidden_from(35, "`kubeMaxPDVols`", shoot);
        let field = path.child("kubeScheduler").child("kubeMaxPDVols");
        let help = "remove it; CSI drivers set the limit";
        add(&MAX_PD_VOLS, field, &message, help, findings);
    }
    let server = kubernetes.kube_api_server.as_ref();
    let sizes = server.and_then(|server| server.watch_cache_sizes.as_ref());
    if sizes.is_some_and(|sizes| sizes.default.is_some()) {
        let message = forbidden_from(35, "`watchCacheSizes.default`", shoot);
        let field = path.child("kubeAPIServer").child("watchCacheSizes");
        let help = "remove it; the cache finds its size itself";
        add(&WATCH_CACHE, field.child("default"), &message, help, findings);
    }
}

fn check_proxy(new: &Shoot, old: Option<&Shoot>, findings: &mut Findings) {
    if !uses_ipvs(new) {
        return;
    }
    let message = if is_at_least(&new.spec.kubernetes.version, 1, 35) {
        "kube-proxy runs in IPVS mode, which is deprecated from Kubernetes 1.35"
    } else if old.is_some_and(|old| !uses_ipvs(old)) {
        "kube-proxy was switched to IPVS mode, which is deprecated from Kubernetes 1.35"
    } else {
        return;
    };
    let field = FieldPath::new("spec.kubernetes.kubeProxy.mode");
    add(&IPVS, field, message, "use IPTables or NFTables", findings);
}

fn check_operation(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    if new.annotation(NOW).is_none() {
        return;
    }
    let mut split = [ETCD_START, ETCD_COMPLETE].into_iter();
    if let Some(operation) = split.find(|it| asks_only_for(it, context, shoot)) {
        let message = forbidden_from(34, &format!("operation `{operation}`"), new);
        let field = FieldPath::new("metadata.annotations").key(NOW);
        let help = "use `rotate-etcd-encryption-key`, which does both steps";
        add(&ETCD_SPLIT, field, &message, help, findings);
    }
}

/// Reports whether kube-proxy runs in IPVS mode; it runs in Shoots with workers unless it is disabled.
fn uses_ipvs(shoot: &Shoot) -> bool {
    let has_workers = !shoot.spec.provider.workers.is_empty();
    shoot.spec.kubernetes.kube_proxy.as_ref().is_some_and(|proxy| {
        proxy.enabled.unwrap_or(has_workers) && proxy.mode.as_deref() == Some("IPVS")
    })
}

fn names_secret(provider: &DNSProvider) -> bool {
    let reference = provider.credentials_ref.as_ref();
    reference.is_some_and(|reference| reference.api_version == "v1" && reference.kind == "Secret")
}

fn add(
    kind: &'static FindingKind,
    field: FieldPath,
    message: &str,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    findings.forbid(kind, field, message).help(help);
}
