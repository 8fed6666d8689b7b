//! Converts the configuration file of garden-gate to a [`Config`].

use jiff::SignedDuration;

use super::reader::{LocatedValue, Reader, note_policy, unknown_id};
use super::{
    Config, Exemption, KnownIds, VersionSource, duration, extensions, levels, resource_limits,
    tolerations,
};
use garden_gate_model::api::GardenerVersion;

/// The only valid `apiVersion`, which is optional.
pub(super) const API_VERSION: &str = "garden-gate.dev/v1alpha1";
/// The only valid `kind`, which is optional.
pub(super) const KIND: &str = "GateConfiguration";

const FIELDS: &[&str] = &[
    "apiVersion",
    "kind",
    "profile",
    "rules",
    "admission",
    "tolerations",
    "gardenerVersion",
    "featureGates",
    "extensions",
    "resourceLimits",
    "exempt",
    "advice",
    "hardened",
    "scheduler",
    "silencing",
    "review",
];
/// Maximum length of an id.
///
/// Deeper values are not read, since each position would repeat the key.
const LONGEST_ID: usize = 200;
const EXEMPTION_FIELDS: &[&str] = &["users", "groups", "namespaces"];
const GATES: &[&str] = &[
    "CloudProfileCapabilities",
    "DisableNginxIngressInShoot",
    "InPlaceNodeUpdates",
    "VersionClassificationLifecycle",
    "LiveControlPlaneMigration",
];

/// Parses the whole file.
/// Missing and invalid fields get their defaults.
pub(super) fn read(reader: &mut Reader<'_>, root: &LocatedValue<'_>, known: &KnownIds) -> Config {
    let mut config = Config::default();
    if !reader.mapping(root, FIELDS) {
        return config;
    }
    for (field, expected) in [("apiVersion", API_VERSION), ("kind", KIND)] {
        if let Some(at) = root.field(field) {
            reader.one_of(&at, &[expected]);
        }
    }
    if let Some(at) = root.field("profile") {
        let profile = reader.choice(&at, &["documented", "gardener", "hardened"]);
        config.profile = profile.unwrap_or_default();
    }
    if let Some(at) = root.field("rules") {
        levels::read(reader, &at, known, &mut config);
    }
    if let Some(at) = root.field("admission") {
        let admission = reader.choice(&at, &["webhook", "complete"]);
        config.admission = admission.unwrap_or_default();
    }
    if let Some(at) = root.field("tolerations") {
        config.tolerations = tolerations::read(reader, &at, &[]);
    }
    if let Some(at) = root.field("gardenerVersion") {
        read_version(reader, &at, &mut config);
    }
    if let Some(at) = root.field("featureGates") {
        read_gates(reader, &at, &mut config);
    }
    if let Some(at) = root.field("extensions") {
        extensions::read(reader, &at, &mut config);
    }
    if let Some(at) = root.field("resourceLimits") {
        resource_limits::read(reader, &at, &mut config);
    }
    if let Some(at) = root.field("exempt") {
        read_exemptions(reader, &at, known, &mut config);
    }
    if let Some(at) = root.field("advice") {
        read_advice(reader, &at, &mut config);
    }
    if let Some(at) = root.field("hardened") {
        read_hardened(reader, &at, &mut config);
    }
    if let Some(at) = root.field("scheduler") {
        read_scheduler(reader, &at, &mut config);
    }
    if let Some(at) = root.field("silencing") {
        let silencing = reader.choice(&at, &["allowed", "ignored"]);
        config.silencing = silencing.unwrap_or_default();
    }
    config
}

/// Parses the field `gardenerVersion` of the configuration.
fn read_version(reader: &mut Reader<'_>, at: &LocatedValue<'_>, config: &mut Config) {
    let newest = GardenerVersion::NEWEST;
    let help = format!("write a version of Gardener in quotes, such as \"{newest}\"");
    let Some(text) = at.value.as_str() else {
        // YAML reads `1.150` as the number 1.15.
        return reader.wrong_type(at, "a version in quotes", &help);
    };
    match GardenerVersion::parse(text) {
        Ok(version) => {
            config.gardener_version = version;
            config.version_source = VersionSource::Configuration;
        }
        Err(error) => reader.error(at, error.to_string(), help),
    }
}

fn read_gates(reader: &mut Reader<'_>, at: &LocatedValue<'_>, config: &mut Config) {
    if !reader.mapping(at, GATES) {
        return;
    }
    let mut gate = |name| at.field(name).and_then(|at| reader.boolean(&at));
    let gates = &mut config.feature_gates;
    gates.cloud_profile_capabilities = gate("CloudProfileCapabilities");
    gates.disable_nginx_ingress_in_shoot = gate("DisableNginxIngressInShoot").unwrap_or(false);
    gates.in_place_node_updates = gate("InPlaceNodeUpdates").unwrap_or(false);
    gates.version_classification_lifecycle =
        gate("VersionClassificationLifecycle").unwrap_or(false);
    gates.live_control_plane_migration = gate("LiveControlPlaneMigration").unwrap_or(false);
}

fn read_exemptions(
    reader: &mut Reader<'_>,
    at: &LocatedValue<'_>,
    known: &KnownIds,
    config: &mut Config,
) {
    config.exemptions.all = read_exemption(reader, at, &["rules"]);
    let Some(rules) = at.field("rules") else {
        return;
    };
    let ids = known.with_exemptions();
    for (id, entry) in reader.entries(&rules).unwrap_or_default() {
        let is_rule = ids.contains(&id);
        if !is_rule && known.findings.contains(&id) {
            let message = format!("`{id}` is the id of a finding, but exemptions are by rule");
            let help = format!("`garden-gate rules {id}` shows which rule reports it");
            reader.key_error(&entry, message, help);
        } else if known.may_be_policy(id) {
            note_policy(reader, &entry, id);
        } else if !is_rule {
            unknown_id(reader, &entry, id, &ids, "no rule");
        }
        if id.len() > LONGEST_ID {
            continue;
        }
        let exemption = read_exemption(reader, &entry, &[]);
        config.exemptions.by_rule.insert(id.to_owned(), exemption);
    }
}

fn read_exemption(reader: &mut Reader<'_>, at: &LocatedValue<'_>, others: &[&str]) -> Exemption {
    if !reader.mapping(at, &[EXEMPTION_FIELDS, others].concat()) {
        return Exemption::default();
    }
    let mut names = |field| at.field(field).map(|at| reader.names(&at)).unwrap_or_default();
    Exemption { users: names("users"), groups: names("groups"), namespaces: names("namespaces") }
}

fn read_scheduler(reader: &mut Reader<'_>, at: &LocatedValue<'_>, config: &mut Config) {
    if !reader.mapping(at, &["strategy"]) {
        return;
    }
    if let Some(at) = at.field("strategy") {
        config.scheduler_strategy = reader.choice(&at, &["SameRegion", "MinimalDistance"]);
    }
}

fn read_advice(reader: &mut Reader<'_>, at: &LocatedValue<'_>, config: &mut Config) {
    if !reader.mapping(at, &["expiringWithin", "credentialsRotationInterval"]) {
        return;
    }
    let advice = &mut config.advice;
    for (field, shortest, duration) in [
        ("expiringWithin", SignedDuration::ZERO, &mut advice.expiring_within),
        // Same as the minimum of gardener-apiserver.
        (
            "credentialsRotationInterval",
            SignedDuration::from_hours(24),
            &mut advice.credentials_rotation_interval,
        ),
    ] {
        if let Some(at) = at.field(field)
            && let Some(read) = read_duration(reader, &at, shortest)
        {
            *duration = read;
        }
    }
}

fn read_hardened(reader: &mut Reader<'_>, at: &LocatedValue<'_>, config: &mut Config) {
    if !reader.mapping(at, &["requiredExtensions"]) {
        return;
    }
    if let Some(at) = at.field("requiredExtensions") {
        config.hardened.required_extensions = reader.names(&at);
    }
}

fn read_duration(
    reader: &mut Reader<'_>,
    at: &LocatedValue<'_>,
    shortest: SignedDuration,
) -> Option<SignedDuration> {
    let help = "write it as `30d`, `12h` or `1h30m`";
    let Some(text) = at.value.as_str() else {
        reader.wrong_type(at, "a duration", help);
        return None;
    };
    match duration::parse(text) {
        Ok(duration) if duration < shortest => {
            let message = format!("`{text}` is shorter than {}h", shortest.as_hours());
            reader.error(at, message, "write at least `1d`");
            None
        }
        Ok(duration) => Some(duration),
        Err(message) => {
            reader.error(at, message, help);
            None
        }
    }
}
