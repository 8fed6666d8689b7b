// SPDX-License-Identifier: Apache-2.0
/// Calls a macro with every kind and its properties, one per row.
///
/// The model of its objects, if any, follows the name: in parentheses a model that only this kind has, so that rules can look it up by its
/// type; in brackets a shared one.
#[rustfmt::skip]
macro_rules! for_each_kind {
    ($macro:ident) => { $macro! {
        /// A managed cluster.
        Shoot { api: CORE, plural: "shoots", is_namespaced: true, judged: InGarden, known: Watched }
        /// A team's namespace and permissions.
        Project(Project) { api: CORE, plural: "projects", is_namespaced: false, judged: InGarden, known: Watched }
        /// The available versions, images and machine types.
        CloudProfile(CloudProfile) { api: CORE, plural: "cloudprofiles", is_namespaced: false, judged: InGarden, known: Watched }
        /// A project's overlay of a CloudProfile.
        NamespacedCloudProfile(NamespacedCloudProfile) { api: CORE, plural: "namespacedcloudprofiles", is_namespaced: true, judged: InGarden, known: Watched }
        /// A cluster that hosts control planes.
        Seed(Seed) { api: CORE, plural: "seeds", is_namespaced: false, judged: InGarden, known: Watched }
        /// The state of a Shoot during a migration of its control plane.
        ShootState[Named] { api: CORE, plural: "shootstates", is_namespaced: true, judged: InGarden, known: Collected }
        /// Credentials that Shoots may use, as a Secret.
        SecretBinding(SecretBinding) { api: CORE, plural: "secretbindings", is_namespaced: true, judged: InGarden, known: WatchedIfRead }
        /// Credentials that Shoots may use.
        CredentialsBinding(CredentialsBinding) { api: SECURITY, plural: "credentialsbindings", is_namespaced: true, judged: InGarden, known: WatchedIfRead }
        /// Validating webhooks of a Shoot cluster.
        ValidatingWebhookConfiguration[WebhookConfiguration] { api: ADMISSION, plural: "validatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Optional }
        /// Mutating webhooks of a Shoot cluster.
        MutatingWebhookConfiguration[WebhookConfiguration] { api: ADMISSION, plural: "mutatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Optional }
        /// Pods of a Shoot cluster, one on each node.
        DaemonSet { api: APPS, plural: "daemonsets", is_namespaced: true, judged: InShoots, known: Never }
        /// Pods of a Shoot cluster.
        Deployment { api: APPS, plural: "deployments", is_namespaced: true, judged: InShoots, known: Never }
        /// A pod of a Shoot cluster.
        Pod { api: KUBERNETES, plural: "pods", is_namespaced: true, judged: InShoots, known: Never }
        /// Pods of a Shoot cluster with stable names.
        StatefulSet { api: APPS, plural: "statefulsets", is_namespaced: true, judged: InShoots, known: Never }
        /// Pods of a Shoot cluster, as a Deployment creates them.
        ReplicaSet { api: APPS, plural: "replicasets", is_namespaced: true, judged: InShoots, known: Never }
        /// Pods of a Shoot cluster.
        ReplicationController { api: KUBERNETES, plural: "replicationcontrollers", is_namespaced: true, judged: InShoots, known: Never }
        /// Pods of a Shoot cluster that run once.
        Job { api: BATCH, plural: "jobs", is_namespaced: true, judged: InShoots, known: Never }
        /// Pods of a Shoot cluster that run on a schedule.
        CronJob { api: BATCH, plural: "cronjobs", is_namespaced: true, judged: InShoots, known: Never }
        /// A Service of a Shoot cluster.
        Service { api: KUBERNETES, plural: "services", is_namespaced: true, judged: InShoots, known: Never }
        /// An Ingress of a Shoot cluster.
        Ingress { api: NETWORKING, plural: "ingresses", is_namespaced: true, judged: InShoots, known: Never }
        /// A volume of a Shoot cluster.
        PersistentVolumeClaim { api: KUBERNETES, plural: "persistentvolumeclaims", is_namespaced: true, judged: InShoots, known: Never }
        /// A snapshot of a volume of a Shoot cluster.
        VolumeSnapshot { api: SNAPSHOTS, plural: "volumesnapshots", is_namespaced: true, judged: InShoots, known: Never }
        /// The content of a snapshot of a Shoot cluster.
        VolumeSnapshotContent { api: SNAPSHOTS, plural: "volumesnapshotcontents", is_namespaced: false, judged: InShoots, known: Never }
        /// A custom resource of a Shoot cluster.
        CustomResourceDefinition { api: EXTENDED, plural: "customresourcedefinitions", is_namespaced: false, judged: InShoots, known: Never }
        /// A landscape of Gardener, which gardener-operator installs.
        Garden[Named] { api: OPERATOR, plural: "gardens", is_namespaced: false, judged: InRuntime, known: Optional }
        /// An extension of Gardener, which gardener-operator installs.
        Extension[Named] { api: OPERATOR, plural: "extensions", is_namespaced: false, judged: InRuntime, known: Optional }
        /// Seeds and tolerations for control planes of a class.
        ExposureClass(ExposureClass) { api: CORE, plural: "exposureclasses", is_namespaced: false, judged: InGarden, known: Watched }
        /// Limits for the Shoots of a binding.
        Quota(Quota) { api: CORE, plural: "quotas", is_namespaced: true, judged: InGarden, known: WatchedIfRead }
        /// Credentials that only Gardener's operators can read.
        InternalSecret[Named] { api: CORE, plural: "internalsecrets", is_namespaced: true, judged: InReview, known: Files }
        /// Credentials without a secret, for workload with an identity.
        WorkloadIdentity(WorkloadIdentity) { api: SECURITY, plural: "workloadidentities", is_namespaced: true, judged: InReview, known: Asked }
        /// The resources that an extension of Gardener reconciles.
        ControllerRegistration(ControllerRegistration) { api: CORE, plural: "controllerregistrations", is_namespaced: false, judged: InReview, known: WatchedIfRead }
        /// The Helm chart of an extension of Gardener, with its version.
        ControllerDeployment(ControllerDeployment) { api: CORE_DEPLOYMENTS, plural: "controllerdeployments", is_namespaced: false, judged: InReview, known: Optional }
        /// An extension of Gardener that is installed for a Seed.
        ControllerInstallation { api: CORE, plural: "controllerinstallations", is_namespaced: false, judged: InReview, known: Never }
        /// A bucket for backups of etcd.
        BackupBucket(BackupBucket) { api: CORE, plural: "backupbuckets", is_namespaced: false, judged: InReview, known: Optional }
        /// The backups of one etcd in a bucket.
        BackupEntry(BackupEntry) { api: CORE, plural: "backupentries", is_namespaced: true, judged: InReview, known: Optional }
        /// Temporary SSH access to the nodes of a Shoot.
        Bastion { api: OPERATIONS, plural: "bastions", is_namespaced: true, judged: InReview, known: Never }
        /// A Shoot that is registered as a Seed.
        ManagedSeed(ManagedSeed) { api: SEED_MANAGEMENT, plural: "managedseeds", is_namespaced: true, judged: InReview, known: WatchedIfRead }
        /// A set of equal ManagedSeeds with their Shoots.
        ManagedSeedSet { api: SEED_MANAGEMENT, plural: "managedseedsets", is_namespaced: true, judged: InReview, known: Never }
        /// A gardenlet of a cluster that is no Shoot.
        Gardenlet[Named] { api: SEED_MANAGEMENT, plural: "gardenlets", is_namespaced: true, judged: InReview, known: Optional }
        /// Settings; those with distances between regions.
        ConfigMap(RegionConfig) { api: KUBERNETES, plural: "configmaps", is_namespaced: true, judged: Nowhere, known: REGIONS }
        /// Secret settings; the metadata of those for default domains.
        Secret(DomainSecret) { api: KUBERNETES, plural: "secrets", is_namespaced: true, judged: Nowhere, known: DOMAINS }
        /// Namespaces of objects; no rule looks them up yet.
        Namespace[Named] { api: KUBERNETES, plural: "namespaces", is_namespaced: false, judged: Nowhere, known: Counted }
        /// A limit on the objects of a namespace, by their number.
        ResourceQuota(ResourceQuota) { api: KUBERNETES, plural: "resourcequotas", is_namespaced: true, judged: Nowhere, known: Optional }
        /// A policy that an API server evaluates.
        ValidatingAdmissionPolicy(AdmissionPolicy) { api: ADMISSION, plural: "validatingadmissionpolicies", is_namespaced: false, judged: Nowhere, known: Optional }
        /// The binding of a policy.
        ValidatingAdmissionPolicyBinding(AdmissionPolicyBinding) { api: ADMISSION, plural: "validatingadmissionpolicybindings", is_namespaced: false, judged: Nowhere, known: Optional }
        /// A policy by which an API server changes objects.
        MutatingAdmissionPolicy(MutatingPolicy) { api: ADMISSION, plural: "mutatingadmissionpolicies", is_namespaced: false, judged: Nowhere, known: Optional }
        /// The binding of a policy that changes objects.
        MutatingAdmissionPolicyBinding(MutatingPolicyBinding) { api: ADMISSION, plural: "mutatingadmissionpolicybindings", is_namespaced: false, judged: Nowhere, known: Optional }
        /// Permissions in all namespaces.
        ClusterRole[Role] { api: RBAC, plural: "clusterroles", is_namespaced: false, judged: Nowhere, known: Files }
        /// The users with these permissions in all namespaces.
        ClusterRoleBinding[RoleBinding] { api: RBAC, plural: "clusterrolebindings", is_namespaced: false, judged: Nowhere, known: Files }
        /// Permissions in a namespace.
        Role[Role] { api: RBAC, plural: "roles", is_namespaced: true, judged: Nowhere, known: Files }
        /// The users with these permissions in a namespace.
        RoleBinding[RoleBinding] { api: RBAC, plural: "rolebindings", is_namespaced: true, judged: Nowhere, known: Files }
    } };
}

pub(super) use for_each_kind;
