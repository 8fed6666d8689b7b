// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::str::FromStr;

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::{JudgedVersion, Level, LevelPatterns, Levels, PathLevels, VersionSource};
use crate::plan::PlanSettings;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::{GardenerVersion, Toleration, UserInfo, Versions};
use garden_gate_text::go::Quantity;

/// The checked configuration with all defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The version of Gardener by which objects are judged; the newest known one unless the landscape is known to run another.
    pub gardener_version: GardenerVersion,
    /// The source of that version.
    pub version_source: VersionSource,
    /// The profile, which defines the default levels.
    pub profile: Profile,
    /// Levels of rules and findings by id.
    pub levels: BTreeMap<String, Level>,
    /// Maximum levels by pattern.
    pub patterns: LevelPatterns,
    /// The decisions that a server makes; other commands make all of them.
    pub admission: ServerAdmission,
    /// Global toleration lists, as in Gardener's ShootTolerationRestriction plugin.
    pub tolerations: TolerationLists,
    /// Gardener's feature gates.
    pub feature_gates: FeatureGates,
    /// Whether MutatingAdmissionPolicies of the garden are evaluated.
    pub mutating_admission_policies: bool,
    /// Settings of extensions by name, which take precedence over the garden.
    pub extensions: BTreeMap<&'static str, ExtensionSettings>,
    /// Maximum sizes of objects; the first that matches applies.
    pub resource_limits: Vec<ResourceLimit>,
    /// Requests that are exempt from rules.
    pub exemptions: Exemptions,
    /// Settings of rules that give advice.
    pub advice: Advice,
    /// Settings of the rules that profile `hardened` adds.
    pub hardened: HardenedSettings,
    /// The strategy of the scheduler for selecting seeds; `None` if unknown.
    pub scheduler_strategy: Option<Strategy>,
    /// Handling of annotations that silence warnings.
    pub silencing: Silencing,
    /// Assumptions of plans.
    pub plan: PlanSettings,
}

/// The maximum size of the objects of some resources, as in the configuration of gardener-admission-controller.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceLimit {
    /// API groups; `*` matches all.
    pub api_groups: Vec<String>,
    /// API versions; `*` matches all.
    pub api_versions: Vec<String>,
    /// Plural names of resources; `*` matches all.
    pub resources: Vec<String>,
    /// The size in bytes.
    pub size: Quantity,
}

impl ResourceLimit {
    /// Reports whether it is for a resource.
    pub fn is_for(&self, [group, version, resource]: [&str; 3]) -> bool {
        let has = |all: &[String], name: &str| all.iter().any(|it| it == "*" || it == name);
        has(&self.api_groups, group)
            && has(&self.api_versions, version)
            && has(&self.resources, resource)
    }
}

/// Strategy of gardener-scheduler for selecting a Seed among the candidates for a Shoot.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, JsonSchema)]
pub enum Strategy {
    /// Only Seeds in the region of the Shoot.
    SameRegion,
    /// Seeds at the minimal distance.
    MinimalDistance,
}

/// Handling of annotations that silence warnings about their object.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Silencing {
    /// Annotations silence warnings.
    #[default]
    Allowed,
    /// Annotations are ignored; all warnings are reported.
    Ignored,
}

/// The decisions that a server makes.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ServerAdmission {
    /// Leaves some decisions of gardener-apiserver's admission plugins to these plugins.
    #[default]
    Webhook,
    /// Makes these decisions as well, for landscapes that disable admission plugins.
    Complete,
}

/// Default levels of all rules.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Checks that Gardener's API server enforces, and those that its documentation promises.
    #[default]
    Documented,
    /// Exactly the checks that Gardener's API server enforces, without advice.
    Gardener,
    /// The checks of `documented`, and warnings about Shoots that violate the hardening guide of diki.
    Hardened,
}

impl Profile {
    /// The names of all profiles.
    pub const NAMES: [&str; 3] = ["documented", "gardener", "hardened"];

    /// Returns the name of the profile.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Gardener => "gardener",
            Self::Hardened => "hardened",
        }
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::deserialize(text.into_deserializer()).map_err(|_: Error| {
            format!("`{text}` is not a profile; use documented, gardener or hardened")
        })
    }
}

/// Lists of tolerations that apply to all Projects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TolerationLists {
    /// Tolerations that are added to every new Shoot without a toleration of the same key.
    pub defaults: Vec<Toleration>,
    /// Tolerations allowed in every Shoot.
    pub whitelist: Vec<Toleration>,
}

/// Feature gates; all default to false in Gardener.
#[derive(Clone, Copy, Debug, Default, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
pub struct FeatureGates {
    /// Enables machine capabilities in CloudProfiles. If omitted, they are enabled since Gardener 1.146.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = true)]
    pub cloud_profile_capabilities: Option<bool>,
    /// Forbids to enable the add-on `nginxIngress` of Shoots; exists since Gardener 1.142.
    pub disable_nginx_ingress_in_shoot: bool,
    /// Enables in-place updates of worker pools.
    pub in_place_node_updates: bool,
    /// Enables the lifecycle of versions.
    pub version_classification_lifecycle: bool,
    /// Enables live migration of Shoot control planes to another Seed.
    pub live_control_plane_migration: bool,
}

/// An extension of Gardener in the landscape.
#[derive(Clone, Debug, Default, JsonSchema, PartialEq)]
#[serde(rename = "Extension", deny_unknown_fields, default)]
pub struct ExtensionSettings {
    /// Version of the extension, in quotes; patch versions do not matter.
    #[schemars(with = "Option<String>", example = &"v1.74.0")]
    pub version: Option<ExtensionVersion>,
    /// Whether the admission component of the extension judges requests. If it does not, its rules only warn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admission: Option<bool>,
    /// Flags of the admission component that change verdicts, as the definition of the extension declares them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Value>,
}

/// Requests that are exempt from all rules or from individual ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exemptions {
    /// Exemptions from all rules.
    pub all: Exemption,
    /// Exemptions from one rule, by rule id.
    pub by_rule: BTreeMap<String, Exemption>,
}

/// A request is exempt if its user, one of its user's groups, or its namespace is listed.
#[derive(Clone, Debug, Default, JsonSchema, PartialEq, Serialize)]
#[serde(rename = "ExemptFromRule", deny_unknown_fields, default)]
#[schemars(description = "Requests that are exempt from one rule.")]
pub struct Exemption {
    /// Users whose requests are exempt.
    pub users: Vec<String>,
    /// Groups whose members' requests are exempt.
    pub groups: Vec<String>,
    /// Namespaces whose objects are exempt.
    pub namespaces: Vec<String>,
}

/// Settings of rules that give advice.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Advice {
    /// Time before the expiration of a version in which its use causes a warning: days (`30d`) or a Go duration (`12h30m`).
    #[serde(serialize_with = "days")]
    #[schemars(with = "String", example = &"60d")]
    pub expiring_within: SignedDuration,
    /// Age of a Shoot's credentials at which their rotation is due, as in the flag
    /// `--shoot-credentials-rotation-interval` of gardener-apiserver: at least one day (`24h`).
    #[serde(serialize_with = "days")]
    #[schemars(with = "String", example = &"180d")]
    pub credentials_rotation_interval: SignedDuration,
}

/// Serializes the default of a duration, in days.
fn days<S: Serializer>(duration: &SignedDuration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{}d", duration.as_hours() / 24))
}

impl Default for Advice {
    fn default() -> Self {
        Self {
            expiring_within: SignedDuration::from_hours(30 * 24),
            credentials_rotation_interval: SignedDuration::from_hours(90 * 24),
        }
    }
}

/// Settings of the rules that profile `hardened` adds.
#[derive(Clone, Debug, Default, JsonSchema, PartialEq, Serialize)]
#[serde(rename = "Hardened", rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HardenedSettings {
    /// Types of extensions that every Shoot must use, as in `spec.extensions[].type`. The rule `hardened/extension-missing` warns about
    /// Shoots without them.
    #[schemars(example = json!(["shoot-oidc-service"]))]
    pub required_extensions: Vec<String>,
}

impl Exemption {
    /// Reports whether a request is exempt.
    pub fn covers(&self, user: &UserInfo, namespace: &str) -> bool {
        self.users.contains(&user.username)
            || self.groups.iter().any(|group| user.groups.contains(group))
            || self.namespaces.iter().any(|exempt| exempt == namespace)
    }
}

/// The versions of Gardener in which the feature gate `CloudProfileCapabilities` is enabled by default.
const CAPABILITIES: Versions = Versions::since(146);

impl Config {
    /// Reports whether the feature gate `CloudProfileCapabilities` is enabled.
    pub fn allows_capabilities(&self) -> bool {
        let gate = self.feature_gates.cloud_profile_capabilities;
        gate.unwrap_or_else(|| CAPABILITIES.contains(self.gardener_version))
    }

    /// Returns the version of Gardener by which objects are judged, with its source.
    pub fn judged_as(&self) -> JudgedVersion {
        JudgedVersion { version: self.gardener_version, source: self.version_source }
    }

    /// Reports whether the version of the garden applies, because neither a flag nor the file sets one.
    pub fn follows_garden(&self) -> bool {
        matches!(self.version_source, VersionSource::GardenerInfo | VersionSource::Newest)
    }

    /// Returns a warning that the version at `place` in the garden is not valid, if it would apply.
    pub fn invalid_garden_version(&self, place: &str, why: &str) -> Option<String> {
        let newest = GardenerVersion::NEWEST;
        self.follows_garden().then(|| format!(
            "{place}: {why}; objects are judged as Gardener {newest}, the newest known version, unless --gardener-version is set"
        ))
    }

    /// Sets the version of the flag `--gardener-version`, if any.
    pub fn set_flag_version(&mut self, flag: Option<GardenerVersion>) {
        if let Some(version) = flag {
            self.gardener_version = version;
            self.version_source = VersionSource::Flag;
        }
    }

    /// Sets the version of a component vector, if any.
    pub fn set_components_version(&mut self, version: Option<GardenerVersion>) {
        if let Some(version) = version {
            self.gardener_version = version;
            self.version_source = VersionSource::Components;
        }
    }

    /// Sets the version that the garden publishes, or the newest known one, if [`Self::follows_garden`].
    pub fn set_garden_version(&mut self, published: Option<GardenerVersion>) {
        if !self.follows_garden() {
            return;
        }
        self.gardener_version = published.unwrap_or_default();
        self.version_source = match published {
            Some(_) => VersionSource::GardenerInfo,
            None => VersionSource::Newest,
        };
    }

    /// Reports whether the profile goes beyond the checks of Gardener's API server.
    pub fn documented(&self) -> bool {
        self.profile != Profile::Gardener
    }

    /// Adds levels, which replace those of the same ids and patterns.
    pub fn extend_levels(&mut self, others: &PathLevels) {
        let levels = others.levels.iter().map(|(id, level)| (id.clone(), *level));
        self.levels.extend(levels);
        self.patterns.extend(&others.patterns);
    }

    /// Returns the level of a finding.
    ///
    /// The level of the finding's id applies first, then that of the rule's id, then that of the profile, limited by
    /// patterns.
    pub fn level(&self, rule: &str, finding: &str, levels: Levels) -> Level {
        if !self.sets_levels() {
            return self.of_profile(levels);
        }
        let set = self.levels.get(finding).or_else(|| self.levels.get(rule));
        set.copied().unwrap_or_else(|| {
            let of_profile = self.of_profile(levels);
            let most = self.patterns.of(rule, finding);
            most.map_or(of_profile, |most| most.min(of_profile))
        })
    }

    /// Reports whether the configuration overrides any level of the profile.
    pub(crate) fn sets_levels(&self) -> bool {
        !self.levels.is_empty() || !self.patterns.is_empty()
    }

    /// Reports whether the configuration lowers a level that is `deny` in the profile.
    pub fn is_lowered(&self, level: Level, levels: Levels) -> bool {
        level == Level::Warn && self.of_profile(levels) == Level::Deny
    }

    /// Returns the level in the profile.
    pub(crate) fn of_profile(&self, levels: Levels) -> Level {
        match self.profile {
            Profile::Documented => levels.documented,
            Profile::Gardener => levels.gardener,
            Profile::Hardened => levels.hardened,
        }
    }

    /// Reports whether a request is exempt from a rule.
    pub fn is_exempt(&self, rule: &str, user: &UserInfo, namespace: &str) -> bool {
        let own = self.exemptions.by_rule.get(rule);
        own.is_some_and(|own| own.covers(user, namespace))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(minor: u16) -> GardenerVersion {
        GardenerVersion::of_minor(minor)
    }

    #[test]
    fn flag_precedes_configuration_garden_and_newest() {
        let mut config = Config::default();
        let name = |config: &Config| config.judged_as().to_string();
        assert_eq!(name(&config), "Gardener 1.150 (newest known)");
        config.set_garden_version(Some(version(145)));
        assert_eq!(name(&config), "Gardener 1.145 (from gardener-info)");
        config.set_garden_version(None);
        assert_eq!(name(&config), "Gardener 1.150 (newest known)");
        config.gardener_version = version(146);
        config.version_source = VersionSource::Configuration;
        config.set_garden_version(Some(version(145)));
        assert_eq!(name(&config), "Gardener 1.146 (from the configuration)");
        config.set_flag_version(None);
        assert_eq!(name(&config), "Gardener 1.146 (from the configuration)");
        config.set_flag_version(Some(version(147)));
        config.set_garden_version(Some(version(145)));
        assert_eq!(name(&config), "Gardener 1.147 (from --gardener-version)");
    }
}
