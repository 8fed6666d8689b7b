// SPDX-License-Identifier: Apache-2.0
//! The kinds of documents in files with policies.

use super::policy_document::PolicyError;
use garden_gate_model::api::extensions::{EXTENSION_DEFINITION_FIELDS, ExtensionDefinition};
use garden_gate_model::api::{
    GARDEN_POLICY_FIELDS, GardenPolicy, Kind, MUTATING_POLICY_BINDING_FIELDS,
    MUTATING_POLICY_FIELDS, Object, POLICY_BINDING_FIELDS, POLICY_FIELDS, group_and_version,
};
use garden_gate_text::nearest::{did_you_mean, is_typo};
use garden_gate_text::yaml::Document;

/// The kind of a policy.
#[derive(Clone, Copy, Debug)]
pub(super) enum PolicyKind {
    Garden,
    Admission,
    Binding,
    Mutating,
    MutatingBinding,
    Extension,
}

impl PolicyKind {
    const ALL: [Self; 6] = [
        Self::Garden,
        Self::Admission,
        Self::Binding,
        Self::Mutating,
        Self::MutatingBinding,
        Self::Extension,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Garden => GardenPolicy::KIND,
            Self::Extension => ExtensionDefinition::KIND,
            Self::Admission => Kind::ValidatingAdmissionPolicy.as_str(),
            Self::Binding => Kind::ValidatingAdmissionPolicyBinding.as_str(),
            Self::Mutating => Kind::MutatingAdmissionPolicy.as_str(),
            Self::MutatingBinding => Kind::MutatingAdmissionPolicyBinding.as_str(),
        }
    }

    /// Returns all fields, for strict decoding.
    pub(super) fn fields(self) -> &'static Object {
        match self {
            Self::Garden => GARDEN_POLICY_FIELDS,
            Self::Extension => EXTENSION_DEFINITION_FIELDS,
            Self::Admission => POLICY_FIELDS,
            Self::Binding => POLICY_BINDING_FIELDS,
            Self::Mutating => MUTATING_POLICY_FIELDS,
            Self::MutatingBinding => MUTATING_POLICY_BINDING_FIELDS,
        }
    }

    fn group(self) -> &'static Group {
        match self {
            Self::Garden | Self::Extension => &GARDEN_GATE,
            Self::Admission | Self::Binding | Self::Mutating | Self::MutatingBinding => {
                &ADMISSION_REGISTRATION
            }
        }
    }
}

/// An API group with policies.
struct Group {
    name: &'static str,
    versions: &'static [&'static str],
    /// All kinds, also of other objects.
    kinds: &'static [&'static str],
}

const GARDEN_GATE: Group = Group {
    name: "garden-gate.dev",
    versions: &["v1alpha1"],
    kinds: &[
        "GardenPolicy",
        "ExtensionDefinition",
        "PolicyTest",
        "GateConfiguration",
        "GardenDump",
        "ReviewBaseline",
    ],
};

const ADMISSION_REGISTRATION: Group = Group {
    name: "admissionregistration.k8s.io",
    versions: &["v1", "v1beta1", "v1alpha1"],
    kinds: &[
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
    ],
};

impl Group {
    /// Reports whether this is the name of a kind, or of a list of its objects.
    fn has(&self, kind: &str) -> bool {
        self.kinds.contains(&kind.strip_suffix("List").unwrap_or(kind))
    }
}

/// Returns the kind of a policy; `None` for other objects.
///
/// # Errors
/// Fails if the kind or API version of a policy is misspelt or missing.
pub(super) fn policy_kind(document: &Document) -> Result<Option<PolicyKind>, PolicyError> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, kind) = (text("/apiVersion"), text("/kind"));
    let (group, version) = group_and_version(&api_version);
    if let Some(policy) = PolicyKind::ALL.into_iter().find(|it| it.name() == kind) {
        let Group { name, versions, .. } = policy.group();
        if group != *name || !versions.contains(&version) {
            return Err(wrong_version(document, &api_version, policy));
        }
        return Ok(Some(policy));
    }
    let mut groups = [&GARDEN_GATE, &ADMISSION_REGISTRATION].into_iter();
    if let Some(group) = groups.find(|it| it.name == group || api_version == it.name) {
        return if group.has(&kind) { Ok(None) } else { Err(unknown_kind(document, &kind, group)) };
    }
    // Without an API version, this is no object of another group.
    let mut policies = PolicyKind::ALL.into_iter();
    match policies.find(|it| is_typo(&kind, it.name())) {
        Some(policy) if api_version.is_empty() || is_typo(group, policy.group().name) => {
            Err(unknown_kind(document, &kind, policy.group()))
        }
        _ => Ok(None),
    }
}

fn wrong_version(document: &Document, api_version: &str, policy: PolicyKind) -> PolicyError {
    let Group { name, versions, .. } = policy.group();
    let expected = versions.first().map(|version| format!("{name}/{version}"));
    PolicyError {
        position: document.position("/apiVersion"),
        message: match api_version {
            "" => format!("{} has no `apiVersion`", policy.name()),
            other => format!("`{other}` of {} is not known", policy.name()),
        },
        help: format!("write `{}`", expected.unwrap_or_default()),
    }
}

fn unknown_kind(document: &Document, kind: &str, group: &Group) -> PolicyError {
    let help = did_you_mean(kind, group.kinds);
    PolicyError {
        position: document.position("/kind"),
        message: match kind {
            "" => format!("an object of `{}` has no `kind`", group.name),
            kind => format!("`{kind}` is not a kind of `{}`", group.name),
        },
        help: help.unwrap_or_else(|| format!("the kinds are {}", group.kinds.join(", "))),
    }
}
