// SPDX-License-Identifier: Apache-2.0
use std::collections::{HashMap, HashSet};

use serde_json::json;

use crate::admission::{FieldPath, FindingKind, Findings, Help, finding_kinds};
use garden_gate_model::api::{
    Capabilities, CapabilityDefinition, MachineImageVersion, architectures_of,
};

finding_kinds! {
    pub(crate) ARCHITECTURES = "cloudprofile/machine-image-architectures": "an image version has no architecture, or an unsupported one",
    pub(crate) FLAVORS = "cloudprofile/machine-image-flavors": "the capability flavors of an image version conflict with the profile's capabilities",
}

const ARCHITECTURE: &str = "architecture";
const KNOWN: [&str; 2] = ["amd64", "arm64"];

/// The capabilities that a profile defines, with their values.
///
/// For duplicate names the last one is used.
pub(crate) struct Defined<'a> {
    architectures: &'a [String],
    values: HashMap<&'a str, HashSet<&'a str>>,
}

impl<'a> Defined<'a> {
    pub(crate) fn by(capabilities: &'a [CapabilityDefinition]) -> Self {
        let definitions = capabilities.iter().map(|definition| {
            let values = definition.values.iter().map(String::as_str);
            (definition.name.as_str(), values.collect())
        });
        Self { architectures: architectures_of(capabilities), values: definitions.collect() }
    }

    fn has_architecture(&self, architecture: &str) -> bool {
        let known = self.values.get(ARCHITECTURE);
        known.is_some_and(|known| known.contains(architecture))
    }

    /// Checks that capabilities and their values are defined.
    ///
    /// The message about an undefined capability begins with `unknown`.
    pub(super) fn check(
        &self,
        capabilities: &Capabilities,
        unknown: &str,
        kind: &'static FindingKind,
        path: &dyn Fn() -> FieldPath,
        findings: &mut Findings,
    ) {
        const HELP: &str = "define it in `spec.machineCapabilities`, or remove it";
        for (name, values) in capabilities {
            let Some(defined) = self.values.get(name.as_str()) else {
                let message = format!("{unknown} `{name}`");
                findings.unsupported(kind, path(), message).value(name.as_str()).help(HELP);
                continue;
            };
            for (index, value) in values.iter().enumerate() {
                if !defined.contains(value.as_str()) {
                    let message = format!("capability `{name}` has no value `{value}`");
                    let path = path().child_called(name).index(index);
                    findings.unsupported(kind, path, message).value(value.as_str()).help(HELP);
                }
            }
        }
    }
}

/// Checks architectures and flavors of an image version against the profile's capabilities.
///
/// Mirrors validateMachineImageVersionArchitecture and validateMachineImageVersionFlavors in
/// `pkg/api/core/validation/cloudprofile.go`.
pub(crate) fn check_architectures(
    version: &MachineImageVersion,
    defined: &Defined<'_>,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    if !defined.values.is_empty() {
        return check_flavors(version, defined, place, findings);
    }
    if version.architectures.is_empty() {
        let message = format!("image version `{}` needs an architecture", version.version);
        let path = place().child("architectures");
        findings.required(&ARCHITECTURES, path, message).help("list `amd64`, `arm64` or both");
    }
    check_known(version, place, findings);
    if !version.capability_flavors.is_empty() {
        let message = format!(
            "image version `{}` has capability flavors, but the profile defines no capabilities",
            version.version
        );
        let path = place().child("capabilityFlavors");
        findings
            .forbid(&FLAVORS, path, message)
            .help("define `spec.machineCapabilities`, or use `architectures`");
    }
}

/// Checks that the architectures exist.
pub(crate) fn check_known(
    version: &MachineImageVersion,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    for (index, architecture) in version.architectures.iter().enumerate() {
        if !KNOWN.contains(&&**architecture) {
            report_unknown(architecture, &KNOWN, index, place, findings);
        }
    }
}

fn report_unknown(
    architecture: &str,
    known: &[impl AsRef<str>],
    index: usize,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let named = known.iter().take(3).map(|a| format!("`{}`", a.as_ref()));
    let message = format!(
        "architecture `{architecture}` does not exist here; there are {}",
        super::name_some(named, known.len())
    );
    let path = place().child("architectures").index(index);
    findings.unsupported(&ARCHITECTURES, path, message).value(architecture).help("use one of them");
}

fn check_flavors(
    version: &MachineImageVersion,
    defined: &Defined<'_>,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let several = defined.architectures.len() > 1;
    let flavors = &version.capability_flavors;
    let path = || place().child("capabilityFlavors");
    if several && flavors.is_empty() {
        let message = format!(
            "image version `{}` needs capability flavors, because the profile defines several architectures",
            version.version
        );
        findings.required(&FLAVORS, path(), message).help("add one flavor per architecture");
        return;
    }
    for (index, flavor) in flavors.iter().enumerate() {
        let path = || path().index(index);
        check_flavor_architecture(flavor, several, &path, findings);
        let unknown = "the profile does not define a capability";
        defined.check(flavor, unknown, &FLAVORS, &path, findings);
    }
    check_subset(version, defined, place, findings);
}

fn check_flavor_architecture(
    flavor: &Capabilities,
    several: bool,
    path: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let count = flavor.get(ARCHITECTURE).map_or(0, Vec::len);
    let path = || path().child(ARCHITECTURE);
    if count == 0 && several {
        let message = "a flavor needs an architecture, because the profile defines several";
        findings
            .required(&FLAVORS, path(), message)
            .help("name the one architecture of the flavor");
    } else if count > 1 {
        let message = format!("a flavor has one architecture, not {count}");
        findings.invalid(&FLAVORS, path(), message).help("make one flavor per architecture");
    }
}

/// Checks that the plain architectures are a subset of those of the flavors.
fn check_subset(
    version: &MachineImageVersion,
    defined: &Defined<'_>,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let flavors = version.capability_flavors.iter();
    let mut of_flavors: HashSet<&str> = flavors
        .filter_map(|flavor| flavor.get(ARCHITECTURE))
        .flatten()
        .map(String::as_str)
        .collect();
    if let (true, [only]) = (of_flavors.is_empty(), defined.architectures) {
        of_flavors.insert(only);
    }
    let architectures = &version.architectures;
    if !architectures.iter().all(|a| of_flavors.contains(&**a)) {
        let message = format!(
            "image version `{}` lists architectures that its capability flavors do not have",
            version.version
        );
        let path = place().child("architectures");
        findings
            .invalid(&ARCHITECTURES, path, message)
            .value(json!(architectures))
            .help(Help::remove("leave `architectures` out; they follow from the flavors"));
    }
    for (index, architecture) in architectures.iter().enumerate() {
        if !defined.has_architecture(architecture) {
            report_unknown(architecture, defined.architectures, index, place, findings);
        }
    }
}
