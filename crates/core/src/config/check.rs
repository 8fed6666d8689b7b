// SPDX-License-Identifier: Apache-2.0
//! Converts the configuration file of garden-gate to a [`Config`].

use jiff::SignedDuration;

use super::levels::{self, check_id};
use super::reader::{Field, Located, Parser, Reader};
use super::{
    Advice, Config, Exemption, Exemptions, FeatureGates, KnownIds, VersionSource, duration,
    extensions, plan, resource_limits, tolerations,
};
use garden_gate_model::api::GardenerVersion;

/// Maximum length of an id.
///
/// Deeper values are not read, since each position would repeat the key.
const LONGEST_ID: usize = 200;
const GATES: [&str; 5] = [
    "CloudProfileCapabilities",
    "DisableNginxIngressInShoot",
    "InPlaceNodeUpdates",
    "VersionClassificationLifecycle",
    "LiveControlPlaneMigration",
];

/// Parses the whole file, except for `review`.
/// Missing and invalid fields get their defaults.
pub(super) fn read(reader: &mut Reader<'_>, root: &Located<'_>, known: &KnownIds) -> Config {
    let mut config = Config::default();
    let fields: &mut [Field<'_>] = &mut [
        ("apiVersion", &mut |reader, at| _ = reader.one_of(at, &["garden-gate.dev/v1alpha1"])),
        ("kind", &mut |reader, at| _ = reader.one_of(at, &["GateConfiguration"])),
        ("profile", &mut |reader, at| {
            config.profile = reader.choice(at, &["documented", "gardener", "hardened"]);
        }),
        ("rules", &mut |reader, at| {
            let read = levels::read(reader, at, known);
            (config.levels, config.patterns) = (read.levels, read.patterns);
        }),
        ("admission", &mut |reader, at| {
            config.admission = reader.choice(at, &["webhook", "complete"]);
        }),
        ("tolerations", &mut |reader, at| config.tolerations = tolerations::read(reader, at, &[])),
        ("gardenerVersion", &mut |reader, at| {
            if let Some(version) = read_version(reader, at) {
                config.gardener_version = version;
                config.version_source = VersionSource::Configuration;
            }
        }),
        ("featureGates", &mut |reader, at| config.feature_gates = read_gates(reader, at)),
        ("mutatingAdmissionPolicies", &mut |reader, at| {
            config.mutating_admission_policies = reader.boolean(at).unwrap_or(false);
        }),
        ("extensions", &mut |reader, at| config.extensions = extensions::read(reader, at, known)),
        ("resourceLimits", &mut |reader, at| {
            config.resource_limits = resource_limits::read(reader, at);
        }),
        ("exempt", &mut |reader, at| config.exemptions = read_exemptions(reader, at, known)),
        ("advice", &mut |reader, at| config.advice = read_advice(reader, at)),
        ("hardened", &mut |reader, at| {
            let types = &mut config.hardened.required_extensions;
            let parse: Parser<'_> = &mut |reader, at| *types = reader.names(at);
            reader.fields(at, &mut [("requiredExtensions", parse)]);
        }),
        ("scheduler", &mut |reader, at| {
            let strategy = &mut config.scheduler_strategy;
            let strategies = ["SameRegion", "MinimalDistance"];
            let parse: Parser<'_> = &mut |reader, at| *strategy = reader.choice(at, &strategies);
            reader.fields(at, &mut [("strategy", parse)]);
        }),
        ("silencing", &mut |reader, at| {
            config.silencing = reader.choice(at, &["allowed", "ignored"]);
        }),
        ("plan", &mut |reader, at| config.plan = plan::read(reader, at)),
        ("review", &mut |_, _| {}),
    ];
    reader.fields(root, fields);
    config
}

fn read_version(reader: &mut Reader<'_>, at: &Located<'_>) -> Option<GardenerVersion> {
    let newest = GardenerVersion::NEWEST;
    let help = format!("write a version of Gardener in quotes, such as \"{newest}\"");
    // YAML reads `1.150` as the number 1.15.
    let text = reader.typed(at, at.value.as_str(), "a version in quotes", &help)?;
    reader.valid(at, GardenerVersion::parse(text), &help)
}

fn read_gates(reader: &mut Reader<'_>, at: &Located<'_>) -> FeatureGates {
    reader.mapping(at, &GATES);
    let [capabilities, nginx_ingress, in_place, lifecycle, migration] =
        GATES.map(|gate| at.field(gate).and_then(|at| reader.boolean(&at)));
    FeatureGates {
        cloud_profile_capabilities: capabilities,
        disable_nginx_ingress_in_shoot: nginx_ingress.unwrap_or(false),
        in_place_node_updates: in_place.unwrap_or(false),
        version_classification_lifecycle: lifecycle.unwrap_or(false),
        live_control_plane_migration: migration.unwrap_or(false),
    }
}

fn read_exemptions(reader: &mut Reader<'_>, at: &Located<'_>, known: &KnownIds) -> Exemptions {
    let mut read =
        Exemptions { all: read_exemption(reader, at, &["rules"]), ..Exemptions::default() };
    let ids = known.with_exemptions();
    let rules = at.field("rules").map(|rules| reader.entries(&rules)).unwrap_or_default();
    for (id, entry) in rules {
        if !ids.contains(&id) && known.findings.contains(&id) {
            let message = format!("`{id}` is the id of a finding, but exemptions are by rule");
            let help = format!("`garden-gate rules {id}` shows which rule reports it");
            reader.error(&entry.key(), &message, &help);
        } else {
            check_id(reader, &entry, id, known, &ids, "no rule");
        }
        if id.len() <= LONGEST_ID {
            read.by_rule.insert(id.to_owned(), read_exemption(reader, &entry, &[]));
        }
    }
    read
}

/// Parses an exemption, which may also have the fields `others`.
fn read_exemption(reader: &mut Reader<'_>, at: &Located<'_>, others: &[&str]) -> Exemption {
    reader.mapping(at, &[&["users", "groups", "namespaces"], others].concat());
    let mut names = |field| at.field(field).map(|at| reader.names(&at)).unwrap_or_default();
    Exemption { users: names("users"), groups: names("groups"), namespaces: names("namespaces") }
}

fn read_advice(reader: &mut Reader<'_>, at: &Located<'_>) -> Advice {
    let mut advice = Advice::default();
    let fields: &mut [Field<'_>] = &mut [
        ("expiringWithin", &mut |reader, at| {
            read_duration(reader, at, &mut advice.expiring_within, SignedDuration::ZERO);
        }),
        ("credentialsRotationInterval", &mut |reader, at| {
            // Same as the minimum of gardener-apiserver.
            let shortest = SignedDuration::from_hours(24);
            read_duration(reader, at, &mut advice.credentials_rotation_interval, shortest);
        }),
    ];
    reader.fields(at, fields);
    advice
}

fn read_duration(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    duration: &mut SignedDuration,
    shortest: SignedDuration,
) {
    let help = "write it as `30d`, `12h` or `1h30m`";
    let Some(text) = reader.typed(at, at.value.as_str(), "a duration", help) else {
        return;
    };
    match reader.valid(at, duration::parse(text), help) {
        Some(read) if read < shortest => {
            let message = format!("`{text}` is shorter than {}h", shortest.as_hours());
            reader.error(at, &message, "write at least `1d`");
        }
        read => *duration = read.unwrap_or(*duration),
    }
}
