//! The schema of the configuration file, for its JSON Schema and editors.
//!
//! `check` parses the file by hand to report every error with its position. A test keeps both in sync.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Level, Profile, Silencing, Strategy};

/// The configuration file of garden-gate. Every field may be left out.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GateConfiguration {
    /// The version of this format; may be left out.
    pub api_version: ApiVersion,
    /// What this file is; may be left out.
    pub kind: Kind,
    /// The levels of all rules at once: `documented` is what Gardener enforces and what its documentation promises,
    /// `gardener` exactly what Gardener enforces.
    pub profile: Profile,
    /// Levels of single rules, or of single findings, by id, or by pattern: `*` for all, `shoot/*` for all that begin so. The most specific
    /// counts: the id of the finding, that of its rule, the longest pattern, the profile. A pattern only lowers levels: `"*": warn` lets nothing
    /// refuse, and leaves what the profile has at `warn` or `off`. `garden-gate rules` lists the ids.
    pub rules: BTreeMap<String, Level>,
    /// The landscape's toleration lists, as of Gardener's plugin ShootTolerationRestriction.
    pub tolerations: Tolerations,
    /// The feature gates of gardener-apiserver that change a verdict, as they are set there.
    pub feature_gates: FeatureGates,
    /// Whom and what the rules leave alone.
    pub exempt: Exempt,
    /// Settings of the advice.
    pub advice: Advice,
    /// What gardener-scheduler is told.
    pub scheduler: Scheduler,
    /// Whether an object may silence warnings about itself by annotations `ignore.garden-gate.dev/<finding>`; refusals never are.
    pub silencing: Silencing,
    /// What `garden-gate review` does where its command line says nothing; servers do not look at it.
    pub review: Review,
}

/// What `garden-gate review` does where its command line says nothing. Paths are relative to the folder of this file.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Review {
    /// A directory of manifests that stands for the garden, as with `--garden`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub garden: Option<String>,
    /// What was found before and is not reported again, as with `--baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The lowest level of findings that fails a review, as with `--fail-on`; `deny` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<FailOn>,
    /// The URL of the page of a rule, with `{rule}` for its id: `helpUri` in SARIF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_url: Option<String>,
    /// Files in directories that are not reviewed: patterns as in a `.gitignore`, relative to the folder of this file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Levels of rules for some files; where several entries match, later ones take precedence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_path: Vec<PerPath>,
}

/// Levels of rules for some files.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PerPath {
    /// Patterns of the files, as in a `.gitignore`, relative to the folder of this file.
    pub paths: Vec<String>,
    /// Levels by id or pattern, as in `rules`.
    pub rules: BTreeMap<String, Level>,
}

/// Levels that may fail a review.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Refusals only.
    Deny,
    /// Warnings, too.
    Warn,
}

/// What gardener-scheduler is told.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Scheduler {
    /// How it chooses among seeds, its `schedulers.shoot.candidateDeterminationStrategy`. If left out, no warning depends on
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
}

/// The version of the format.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub enum ApiVersion {
    /// The only version there is.
    #[default]
    #[serde(rename = "garden-gate.dev/v1alpha1")]
    V1alpha1,
}

/// What the file is.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub enum Kind {
    /// The configuration of the gate.
    #[default]
    GateConfiguration,
}

/// Toleration lists that hold for all Projects.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Tolerations {
    /// Added to every new Shoot that has no toleration of the same key.
    pub defaults: Vec<Toleration>,
    /// What every Shoot may tolerate, beyond what its Project allows. An entry without a value covers every value of its key.
    pub whitelist: Vec<Toleration>,
}

/// A toleration of a seed taint.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Toleration {
    /// The key of the taint.
    pub key: String,
    /// The value of the taint; absent and empty are different things.
    pub value: Option<String>,
}

/// Feature gates; Gardener's defaults are all false.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
pub struct FeatureGates {
    /// Worker pools may be updated in place.
    pub in_place_node_updates: bool,
    /// Versions may have a lifecycle.
    pub version_classification_lifecycle: bool,
    /// The control plane of a Shoot may move to another seed while it runs.
    pub live_control_plane_migration: bool,
}

/// Who and what is left alone by all rules, or by single ones.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Exempt {
    /// Requests of these users.
    pub users: Vec<String>,
    /// Requests of users in these groups.
    pub groups: Vec<String>,
    /// Objects in these namespaces.
    pub namespaces: Vec<String>,
    /// Exemptions from single rules, by rule id.
    pub rules: BTreeMap<String, ExemptFromRule>,
}

/// Who and what a single rule leaves alone.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExemptFromRule {
    /// Requests of these users.
    pub users: Vec<String>,
    /// Requests of users in these groups.
    pub groups: Vec<String>,
    /// Objects in these namespaces.
    pub namespaces: Vec<String>,
}

/// Settings of the advice.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Advice {
    /// How long before a version expires its use is warned about: days (`30d`), or a duration of Go (`12h30m`).
    pub expiring_within: String,
    /// How old credentials of a Shoot may be before their rotation is due, as gardener-apiserver's flag
    /// `--shoot-credentials-rotation-interval` says: at least a day (`24h`).
    pub credentials_rotation_interval: String,
}

impl Default for Advice {
    fn default() -> Self {
        Self {
            expiring_within: "30d".to_owned(),
            credentials_rotation_interval: "90d".to_owned(),
        }
    }
}
