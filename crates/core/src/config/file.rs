// SPDX-License-Identifier: Apache-2.0
//! The schema of the configuration file, for its JSON Schema and editors.
//!
//! Types that [`super::Config`] has as well are in `valid`. `check` parses the file without serde, which would stop at the first
//! error. A test keeps both in sync.
//!
//! Fields exist since version 0.1.0, unless they have `#[schemars(extend("x-since" = "0.2.0"))]`; a test asks for it.

use std::collections::BTreeMap;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Advice, Exemption, ExtensionSettings, FeatureGates, HardenedSettings, Level, Profile,
    ServerAdmission, Silencing, Strategy,
};

/// Configuration file of garden-gate. All fields are optional.
#[derive(Debug, Default, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GateConfiguration {
    /// API version of the file format; optional.
    pub api_version: ApiVersion,
    /// Kind of the file; optional.
    pub kind: Kind,
    /// Default levels of all rules: `documented` covers the checks that Gardener enforces and those that its documentation promises,
    /// `gardener` exactly those that Gardener enforces. `hardened` adds warnings to `documented`, about Shoots that violate the hardening
    /// guide of diki.
    pub profile: Profile,
    /// Levels of individual rules or findings, by id or by pattern: `*` for all ids, `shoot/*` for all ids with this prefix. The most
    /// specific entry applies: the id of the finding, then the id of its rule, the longest pattern, and the profile. A pattern only lowers
    /// levels: `"*": warn` prevents all refusals and keeps levels that are `warn` or `off` in the profile. `garden-gate rules` lists the ids; that of a GardenPolicy
    /// is `policy/` and its name.
    #[schemars(example = json!({"*": "warn", "seed/delete-in-use": "deny"}))]
    pub rules: BTreeMap<String, Level>,
    /// Decisions of the webhook server; other commands make all of them. `webhook` leaves the decisions of some admission plugins of
    /// gardener-apiserver to these plugins. `complete` makes them as well, for landscapes that disable plugins such as ShootValidator; it needs
    /// further webhooks and permissions.
    pub admission: ServerAdmission,
    /// Toleration lists of the landscape, as in Gardener's admission plugin ShootTolerationRestriction.
    pub tolerations: Tolerations,
    /// Version of Gardener by which objects are judged, in quotes, such as `"1.145"`; patch versions do not matter. If omitted, the version
    /// in the ConfigMap `gardener-info` of the garden applies, or the newest known version. The flag `--gardener-version` takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"1.145")]
    pub gardener_version: Option<String>,
    /// Feature gates of gardener-apiserver that affect verdicts; use the same values as gardener-apiserver.
    pub feature_gates: FeatureGates,
    /// Whether gardener-apiserver enables its admission plugin MutatingAdmissionPolicy, which it does not by default. Then `review` and
    /// `audit` evaluate the MutatingAdmissionPolicies of the garden, and judge objects as these policies change them.
    pub mutating_admission_policies: bool,
    /// Extensions of the landscape by name, such as `aws` or `calico`. Omitted settings come from the garden: the version from
    /// ControllerDeployments, and whether the admission component is registered from webhook configurations.
    #[schemars(example = json!({"aws": {"version": "v1.74.0", "admission": true}}))]
    pub extensions: BTreeMap<String, ExtensionSettings>,
    /// Maximum sizes of objects, as in `server.resourceAdmissionConfiguration.limits` of gardener-admission-controller. The first entry that
    /// matches a resource applies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = json!([{"apiGroups": ["core.gardener.cloud"], "apiVersions": ["*"], "resources": ["shoots"], "size": "100k"}]))]
    pub resource_limits: Vec<ResourceLimit>,
    /// Requests that are exempt from rules.
    pub exempt: Exempt,
    /// Settings of rules that give advice.
    pub advice: Advice,
    /// Settings of the rules that profile `hardened` adds.
    pub hardened: HardenedSettings,
    /// Configuration of gardener-scheduler.
    pub scheduler: Scheduler,
    /// Handling of annotations `ignore.garden-gate.dev/<finding>`, which silence warnings about their object; refusals cannot be silenced.
    pub silencing: Silencing,
    /// Assumptions and prices of `garden-gate plan`.
    pub plan: Plan,
    /// Defaults for command line flags of `garden-gate review`; servers ignore them.
    pub review: Review,
}

/// Assumptions and prices of `garden-gate plan`.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Plan {
    /// Durations of the steps of one machine, which replace the assumptions of garden-gate: each with `best`, `typical` and `worst`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = json!({"machineCreation": {"best": "90s", "typical": "3m", "worst": "10m"}, "machineRemoval": {"typical": "15m"}}))]
    pub durations: Option<Durations>,
    /// Prices of machines, for the costs of a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = json!({"currency": "EUR", "machineTypes": {"m5.large": 0.115}}))]
    pub prices: Option<Prices>,
}

/// Prices of machines.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Prices {
    /// Currency of all prices, such as `EUR`; required.
    pub currency: String,
    /// Price of a machine per hour, by machine type; other types are reported as unknown.
    pub machine_types: BTreeMap<String, f64>,
}

/// Durations of the steps of one machine.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Durations {
    /// The creation of a machine until its node is ready; by default `2m` and `4m`, at worst the creation timeout of the pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_creation: Option<StepDurations>,
    /// The drain of a node and the deletion of its machine; by default `1m` and `6m`, at worst the drain timeout of the pool and 6 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_removal: Option<StepDurations>,
    /// The update of a drained node in place; by default `3m` and `8m`. The worst includes the drain, and is by default the sum of both
    /// timeouts of the pool and 4 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_update: Option<StepDurations>,
}

/// Durations of a step, such as `90s` or `1h30m`; at most 30 days.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StepDurations {
    /// Shortest duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Usual duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typical: Option<String>,
    /// Longest duration, unless the timeouts of the pool are shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<String>,
}

/// Maximum size of the objects of some resources.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ResourceLimit {
    /// API groups; `*` matches all.
    #[schemars(example = json!(["core.gardener.cloud"]))]
    pub api_groups: Vec<String>,
    /// API versions; `*` matches all.
    #[schemars(example = json!(["*"]))]
    pub api_versions: Vec<String>,
    /// Resources by their plural names, such as `shoots`; `*` matches all.
    #[schemars(example = json!(["shoots"]))]
    pub resources: Vec<String>,
    /// Maximum size of an object as JSON, in bytes, such as `100k` or `1Mi`. The status does not count.
    #[schemars(example = &"100k")]
    pub size: String,
}

/// Defaults for command line flags of `garden-gate review`. Paths are relative to the directory of this file.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Review {
    /// Directory of manifests that represents the garden, as with `--garden`. If the configuration was found, the directory must be in its Git
    /// repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"dump")]
    pub garden: Option<String>,
    /// Baseline file with known findings, which are not reported again, as with `--baseline`. If the configuration was found, the file must be
    /// in its Git repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &".garden-gate-baseline.json")]
    pub baseline: Option<String>,
    /// What fails a review, as with `--fail-on`; `undetermined` if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<FailOn>,
    /// URL of the documentation page of a rule, with the placeholder `{rule}` for its id: a link in text and Markdown, and `helpUri` in SARIF.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"https://docs.example.com/rules/{rule}.html")]
    pub rule_url: Option<String>,
    /// Files in directories to exclude from reviews: `.gitignore` patterns, relative to the directory of this file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = json!(["vendor/"]))]
    pub exclude: Vec<String>,
    /// Levels of rules by file path; if several entries match, later ones take precedence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = json!([{"paths": ["prod/**"], "rules": {"shoot/worker-pools-roll": "deny"}}]))]
    pub per_path: Vec<PerPath>,
}

/// Levels of rules for matching files.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PerPath {
    /// File patterns, as in a `.gitignore`, relative to the directory of this file.
    pub paths: Vec<String>,
    /// Levels by id or pattern, as in the top-level `rules`.
    pub rules: BTreeMap<String, Level>,
}

/// The least severe result that fails a review.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Nothing.
    Never,
    /// Refusals.
    Deny,
    /// Refusals and undetermined verdicts.
    #[default]
    Undetermined,
    /// Refusals, undetermined verdicts and warnings.
    Warn,
}

impl FailOn {
    /// The names in the configuration and on the command line.
    pub const NAMES: [&str; 4] = ["never", "deny", "undetermined", "warn"];
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read: Result<Self, serde::de::value::Error> =
            Self::deserialize(text.into_deserializer());
        read.map_err(|error| error.to_string())
    }
}

/// Configuration of gardener-scheduler.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Scheduler {
    /// Strategy for selecting a Seed, `schedulers.shoot.candidateDeterminationStrategy` of gardener-scheduler.
    /// If omitted, no warning depends on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
}

/// API version of the file format.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub enum ApiVersion {
    /// The only supported version.
    #[default]
    #[serde(rename = "garden-gate.dev/v1alpha1")]
    V1alpha1,
}

/// Kind of the file.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub enum Kind {
    /// Configuration of garden-gate.
    #[default]
    GateConfiguration,
}

/// Toleration lists that apply to all Projects.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Tolerations {
    /// Tolerations that are added to every new Shoot without a toleration of the same key.
    #[schemars(example = json!([{"key": "shared.example.com/pool"}]))]
    pub defaults: Vec<Toleration>,
    /// Tolerations allowed in every Shoot, in addition to those that its Project allows. An entry without a value covers all values of
    /// its key.
    #[schemars(example = json!([{"key": "shared.example.com/pool"}]))]
    pub whitelist: Vec<Toleration>,
}

/// Toleration of a Seed taint.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Toleration {
    /// Key of the taint.
    pub key: String,
    /// Value of the taint; an absent value differs from an empty one.
    pub value: Option<String>,
}

/// Requests that are exempt from all rules or from individual ones.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Exempt {
    /// Users whose requests are exempt.
    #[schemars(example = json!(["admin@example.com"]))]
    pub users: Vec<String>,
    /// Groups whose members' requests are exempt.
    #[schemars(example = json!(["system:masters"]))]
    pub groups: Vec<String>,
    /// Namespaces whose objects are exempt.
    #[schemars(example = json!(["garden-test"]))]
    pub namespaces: Vec<String>,
    /// Exemptions from individual rules and GardenPolicies, by id.
    #[schemars(example = json!({"shoot/worker-pools-roll": {"groups": ["operators"]}}))]
    pub rules: BTreeMap<String, Exemption>,
}
