// SPDX-License-Identifier: Apache-2.0
use garden_gate_model::api::Kind;
use garden_gate_model::gardener::extensions::labels::is_replaced;

/// A part of an object.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A field of the object.
    Field(&'a str),
    /// A field of `metadata`.
    Metadata(&'a str),
    /// An annotation.
    Annotation(&'a str),
    /// A label.
    Label(&'a str),
    /// All labels that Gardener replaces in every write of an object of the kind.
    ReplacedLabels(Kind),
    /// All labels with a prefix.
    LabelPrefix(&'a str),
    /// A finalizer.
    Finalizer(&'a str),
    /// A field of a Shoot's `spec` that repeats another one, if that is set.
    SpecBeside {
        /// The field that the system fills in.
        copy: &'a str,
        /// The field that it repeats.
        original: &'a str,
    },
}

/// A part of stored objects that only the system writes, or a request about the stored object.
#[derive(Debug)]
pub struct SystemWritten {
    /// The kinds; empty for all.
    pub kinds: &'static [Kind],
    /// The part.
    pub part: Part<'static>,
    /// The program that writes it, or the source in Gardener or Kubernetes.
    pub source: &'static str,
}

impl SystemWritten {
    /// Reports whether it is about objects of the kind.
    pub fn is_of(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

impl Part<'_> {
    /// Reports whether `other` belongs to this part.
    pub fn covers(&self, other: &Part<'_>) -> bool {
        match (self, other) {
            (Part::Field(own), Part::Field(other))
            | (Part::Metadata(own), Part::Metadata(other))
            | (Part::Annotation(own), Part::Annotation(other))
            | (Part::Label(own), Part::Label(other))
            | (Part::Finalizer(own), Part::Finalizer(other)) => own == other,
            (Part::LabelPrefix(prefix), Part::Label(other)) => other.starts_with(prefix),
            (Part::ReplacedLabels(kind), Part::Label(other)) => is_replaced(*kind, other),
            _ => false,
        }
    }
}

const fn row(kinds: &'static [Kind], part: Part<'static>, source: &'static str) -> SystemWritten {
    SystemWritten { kinds, part, source }
}

const ALL: &[Kind] = &[];
const SHOOT: &[Kind] = &[Kind::Shoot];
const SEED: &[Kind] = &[Kind::Seed];
const WITH_OPERATIONS: &[Kind] = &[Kind::Shoot, Kind::Seed, Kind::Project];
/// The kinds whose controllers set the finalizer `gardener`.
const PROTECTED: &[Kind] = &[
    Kind::Shoot,
    Kind::Project,
    Kind::CloudProfile,
    Kind::NamespacedCloudProfile,
    Kind::Seed,
    Kind::ExposureClass,
    Kind::Quota,
    Kind::SecretBinding,
    Kind::CredentialsBinding,
];

use Part::{
    Annotation, Field, Finalizer, Label, LabelPrefix, Metadata, ReplacedLabels, SpecBeside,
};

const SERVER: &str = "kube-apiserver, `FillObjectMetaSystemFields` and `BeforeCreate`";

/// The parts of stored objects that only the system writes.
///
/// A seed that the scheduler chose and tolerations of an ExposureClass are removed by [`AsNew`](super::AsNew).
pub const SYSTEM_WRITTEN: &[SystemWritten] = &[
    row(ALL, Field("status"), "PrepareForCreate of each strategy in `pkg/apiserver/registry`"),
    row(ALL, Metadata("uid"), SERVER),
    row(ALL, Metadata("resourceVersion"), SERVER),
    row(ALL, Metadata("generation"), SERVER),
    row(ALL, Metadata("creationTimestamp"), SERVER),
    row(ALL, Metadata("deletionTimestamp"), SERVER),
    row(ALL, Metadata("deletionGracePeriodSeconds"), SERVER),
    row(ALL, Metadata("managedFields"), SERVER),
    row(ALL, Metadata("selfLink"), SERVER),
    row(
        PROTECTED,
        Finalizer("gardener"),
        "the controllers of gardener-controller-manager and gardenlet",
    ),
    row(SHOOT, Finalizer("gardener.cloud/reference-protection"), "`pkg/controller/reference`"),
    row(
        &[Kind::Shoot, Kind::Seed],
        Finalizer("core.gardener.cloud/controllerregistration"),
        "`pkg/controllermanager/controller/controllerregistration/clusterfinalizer`",
    ),
    row(
        &[Kind::ShootState],
        Finalizer("core.gardener.cloud/shootstate"),
        "`pkg/controllermanager/controller/shootstate`",
    ),
    row(SHOOT, Annotation("gardener.cloud/created-by"), "`plugin/pkg/shoot/mutator`"),
    row(
        WITH_OPERATIONS,
        Annotation("gardener.cloud/operation"),
        "a request that controllers remove, and set in maintenance",
    ),
    row(
        WITH_OPERATIONS,
        Annotation("gardener.cloud/timestamp"),
        "controllers that trigger a reconciliation",
    ),
    row(
        SHOOT,
        Annotation("maintenance.gardener.cloud/operation"),
        "a request that the maintenance removes",
    ),
    row(
        SHOOT,
        Annotation("maintenance.shoot.gardener.cloud/needs-retry-operation"),
        "`pkg/controllermanager/controller/shoot/maintenance`",
    ),
    row(
        SHOOT,
        Annotation("migration.gardener.cloud/live-migrate"),
        "a request about an existing control plane",
    ),
    row(
        SHOOT,
        Annotation("shoot.gardener.cloud/expiration-timestamp"),
        "`pkg/controllermanager/controller/shoot/quota`",
    ),
    row(SHOOT, Annotation("shoot.gardener.cloud/tasks"), "`plugin/pkg/shoot/mutator`"),
    row(
        SHOOT,
        Label("shoot.gardener.cloud/status"),
        "`pkg/controllermanager/controller/shoot/statuslabel`",
    ),
    row(
        SHOOT,
        Label("shoot.gardener.cloud/self-hosted"),
        "Canonicalize of `registry/core/shoot/strategy.go`",
    ),
    row(
        &[Kind::Shoot, Kind::Seed],
        LabelPrefix("name.seed.gardener.cloud/"),
        "Canonicalize of `registry/core/shoot/strategy.go`, `plugin/pkg/seed/mutator`",
    ),
    row(
        SEED,
        Label("seed.gardener.cloud/provider"),
        "Canonicalize of `registry/core/seed/strategy.go`",
    ),
    row(
        SEED,
        Label("seed.gardener.cloud/region"),
        "Canonicalize of `registry/core/seed/strategy.go`",
    ),
    row(SHOOT, ReplacedLabels(Kind::Shoot), "`plugin/pkg/global/extensionlabels`"),
    row(SEED, ReplacedLabels(Kind::Seed), "`plugin/pkg/global/extensionlabels`"),
    row(
        &[Kind::CloudProfile],
        ReplacedLabels(Kind::CloudProfile),
        "`plugin/pkg/global/extensionlabels`",
    ),
    row(
        &[Kind::NamespacedCloudProfile],
        ReplacedLabels(Kind::NamespacedCloudProfile),
        "`plugin/pkg/global/extensionlabels`",
    ),
    row(
        &[Kind::SecretBinding],
        ReplacedLabels(Kind::SecretBinding),
        "`plugin/pkg/global/extensionlabels`",
    ),
    row(
        &[Kind::CredentialsBinding],
        ReplacedLabels(Kind::CredentialsBinding),
        "`plugin/pkg/global/extensionlabels`",
    ),
    row(
        SHOOT,
        SpecBeside { copy: "cloudProfileName", original: "cloudProfile" },
        "SyncCloudProfileFields in `pkg/utils/gardener/cloudprofile.go`",
    ),
];
