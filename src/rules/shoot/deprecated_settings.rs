use super::pools;
use crate::compat::is_at_least;
use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// A Shoot uses no setting that Gardener or Kubernetes is going to drop.
    ///
    /// ## Why
    /// A later version refuses it, or drops it when maintenance updates the Shoot.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE:
    ///
    /// - from Kubernetes 1.33 on: `spec.cloudProfileName`; before: `clusterAutoscaler.maxEmptyBulkDelete`;
    /// - kube-proxy in IPVS mode: from 1.35 on, and whenever an update brings it about;
    /// - with every version: `spec.addons`, `spec.secretBindingName`, `spec.dns.providers[].secretName`, and in `spec.kubernetes`
    ///   `kubeControllerManager.podEvictionTimeout`, `kubeScheduler.kubeMaxPDVols`, `kubeAPIServer.enableAnonymousAuthentication`,
    ///   `kubeAPIServer.watchCacheSizes.default`;
    /// - the annotation `gardener.cloud/operation` with `rotate-etcd-encryption-key-start` or `rotate-etcd-encryption-key-complete`.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   cloudProfileName: stratus
    ///   kubernetes:
    ///     version: 1.33.0
    /// ```
    ///
    /// ## How to fix
    /// Use what takes its place; each message names it.
    ///
    /// ## Gardener
    /// GetWarnings in `pkg/api/core/shoot/warnings.go`. Its warnings about rotations of credentials that are due are not among these.
    pub(crate) static RULE {
        id: "shoot/deprecated-settings",
        summary: "a Shoot uses no setting that is going to be dropped",
        phase: Static,
        scopes: [Shoot [Create, Update] [""]],
        documented: Warn,
        gardener: Warn,
        findings: [DEPRECATED],
        check: Check::Shoot(check),
    }
}

static DEPRECATED: FindingKind = FindingKind {
    id: "shoot/deprecated-setting",
    summary: "the Shoot uses a setting that is going to be dropped",
};

const OPERATION: &str = "gardener.cloud/operation";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    if shoot.old.is_some() && pools::is_frozen(context, new) {
        return;
    }
    let mut warn = |path: FieldPath, says: &str, help: &str| {
        let message = format!("`{path}` is deprecated {says}");
        let offence = Offence::new(&DEPRECATED, ErrorType::Invalid, path, message);
        findings.add(offence.help(help));
    };
    for (path, says, help) in plain(new, shoot.old) {
        warn(FieldPath::new(path), says, help);
    }
    for (index, provider) in new.spec.dns.providers.iter().enumerate() {
        if provider.secret_name.is_some() {
            let path = FieldPath::new("spec.dns.providers").index(index);
            warn(
                path.child("secretName"),
                "and forbidden from Kubernetes 1.35 on",
                "use `credentialsRef`",
            );
        }
    }
    let operation = new.metadata.annotations.get(OPERATION);
    let rotation = [
        "rotate-etcd-encryption-key-start",
        "rotate-etcd-encryption-key-complete",
    ];
    if operation.is_some_and(|it| rotation.contains(&it.as_str())) {
        warn(
            FieldPath::new("metadata.annotations").key(OPERATION),
            "with this value",
            "use `rotate-etcd-encryption-key`",
        );
    }
}

type Deprecation = (&'static str, &'static str, &'static str);

/// The settings in use that stand at one place, with what is said about them and what takes their place.
fn plain(new: &Shoot, old: Option<&Shoot>) -> Vec<Deprecation> {
    const FROM_1_33: &str = "and forbidden from Kubernetes 1.33 on";
    const FROM_1_35: &str = "and forbidden from Kubernetes 1.35 on";
    let spec = &new.spec;
    let kubernetes = &spec.kubernetes;
    let from = |minor| is_at_least(&kubernetes.version, 1, minor);
    let ipvs = new.uses_ipvs() && (from(35) || old.is_some_and(|old| !old.uses_ipvs()));
    let scheduler = &kubernetes.kube_scheduler;
    let server = &kubernetes.kube_api_server;
    let table: [(bool, Deprecation); 9] = [
        (
            from(33) && !spec.cloud_profile_name.is_empty(),
            (
                "spec.cloudProfileName",
                "and gone from Kubernetes 1.34 on",
                "use `spec.cloudProfile`",
            ),
        ),
        (
            !from(33)
                && kubernetes
                    .cluster_autoscaler
                    .max_empty_bulk_delete
                    .is_some(),
            (
                "spec.kubernetes.clusterAutoscaler.maxEmptyBulkDelete",
                FROM_1_33,
                "use `maxScaleDownParallelism`",
            ),
        ),
        (
            ipvs,
            (
                "spec.kubernetes.kubeProxy.mode",
                "as `IPVS` from Kubernetes 1.35 on",
                "use `NFTables` or `IPTables`",
            ),
        ),
        (
            kubernetes
                .kube_controller_manager
                .pod_eviction_timeout
                .is_some(),
            (
                "spec.kubernetes.kubeControllerManager.podEvictionTimeout",
                FROM_1_33,
                "use the toleration seconds of `kubeAPIServer`",
            ),
        ),
        (
            spec.addons.is_some(),
            (
                "spec.addons",
                FROM_1_35,
                "install them into the cluster yourself",
            ),
        ),
        (
            scheduler.kube_max_pd_vols.is_some(),
            (
                "spec.kubernetes.kubeScheduler.kubeMaxPDVols",
                FROM_1_35,
                "leave it out",
            ),
        ),
        (
            spec.secret_binding_name.is_some(),
            (
                "spec.secretBindingName",
                "and forbidden from Kubernetes 1.34 on",
                "use `spec.credentialsBindingName`",
            ),
        ),
        (
            server.enable_anonymous_authentication.is_some(),
            (
                "spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication",
                FROM_1_35,
                "use `structuredAuthentication`",
            ),
        ),
        (
            server.watch_cache_sizes.default.is_some(),
            (
                "spec.kubernetes.kubeAPIServer.watchCacheSizes.default",
                FROM_1_35,
                "leave it out; it has no effect",
            ),
        ),
    ];
    let used = table.into_iter().filter(|(used, _)| *used);
    used.map(|(_, deprecation)| deprecation).collect()
}
