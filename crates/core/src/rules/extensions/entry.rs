// SPDX-License-Identifier: Apache-2.0
//! The entries of `spec.extensions` in a Shoot.

use serde::de::DeserializeOwned;

use super::{CommonFindings, Component, Failure};
use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings, Help};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::{ConfigurationPlace, Extension};
use garden_gate_model::gardener::extensions::Document;
use garden_gate_text::json::Json;

/// An entry of `spec.extensions` while the admission component of its extension judges it.
pub(crate) struct JudgedEntry<'c, 'a> {
    pub(crate) component: Component<'c, 'a>,
    /// The path of the configuration.
    pub(crate) place: FieldPath,
    /// The configuration, if the entry has one.
    pub(crate) document: Option<&'c Document<'a>>,
    undecodable: &'static FindingKind,
}

impl<'c, 'a> JudgedEntry<'c, 'a> {
    /// Prepares the judgement of the first entry for an extension; see [`Component::begin`].
    ///
    /// Returns `None` also if there is no such entry, or it is disabled in the new and the stored object.
    pub(crate) fn begin(
        context: &'c Context<'a>,
        extension: &'static Extension,
        common: CommonFindings,
        findings: &mut Findings,
    ) -> Option<Self> {
        let (_, class) = extension.resource;
        let index = judged_index_of(context.new_opened(), context.old_opened(), class)?;
        Self::at(index, context, extension, common, findings)
    }

    /// Prepares the judgement of the entry at an index; see [`Component::begin`].
    pub(super) fn at(
        index: usize,
        context: &'c Context<'a>,
        extension: &'static Extension,
        common: CommonFindings,
        findings: &mut Findings,
    ) -> Option<Self> {
        let component = Component::begin(context, extension, common, findings)?;
        let document = component.new_documents().nth(ConfigurationPlace::Extension, index);
        Some(Self { component, place: path(index), document, undecodable: common.undecodable })
    }

    /// Decodes the configuration; `None` if there is none, or it is refused.
    pub(crate) fn decode<T: DeserializeOwned>(&self, findings: &mut Findings) -> Option<T> {
        let failure = Failure::without_field(self.undecodable);
        self.component.decode(self.document?, &failure, findings)
    }

    /// Decodes the configuration like [`Self::decode`]; reports with `help` that there is none.
    pub(crate) fn decode_required<T: DeserializeOwned>(
        &self,
        required: &'static FindingKind,
        help: &str,
        findings: &mut Findings,
    ) -> Option<T> {
        if self.document.is_none() {
            let (_, class) = self.component.extension.resource;
            let message = format!("{class} has no configuration");
            findings.required(required, self.place.clone(), message).help(help);
        }
        self.decode(findings)
    }
}

/// Returns the index of the first entry for a type of extension, also of a disabled one.
pub(super) fn index_of(shoot: &Json<'_>, class: &str) -> Option<usize> {
    let entries = shoot.opened_at(&["spec", "extensions"]).opened_elements();
    entries.iter().position(|entry| {
        let found = entry.opened_at(&["type"]).read::<String>();
        found.is_ok_and(|it| it == class)
    })
}

/// Reports whether the first entry for a type of extension is enabled; `None` if there is no entry.
fn is_enabled(shoot: &Json<'_>, class: &str) -> Option<bool> {
    let index = index_of(shoot, class)?;
    let entries = shoot.opened_at(&["spec", "extensions"]).opened_elements();
    let disabled = entries.get(index)?.opened_at(&["disabled"]).read::<bool>();
    Some(!disabled.is_ok_and(|it| it))
}

/// Reports whether the first entry for a type of extension is disabled.
pub(super) fn is_disabled(shoot: &Json<'_>, class: &str) -> bool {
    is_enabled(shoot, class) == Some(false)
}

/// Returns the index of the first entry for a type of extension, unless it is disabled.
pub(super) fn enabled_index_of(shoot: &Json<'_>, class: &str) -> Option<usize> {
    index_of(shoot, class).filter(|_| !is_disabled(shoot, class))
}

/// Returns the index of the first entry for a type of extension, unless it is disabled in the new and the stored object.
///
/// Gardener labels a Shoot with the extensions that are not disabled. The webhooks of an extension are called if the new or
/// the stored object has its label.
fn judged_index_of(new: &Json<'_>, old: &Json<'_>, class: &str) -> Option<usize> {
    let is_judged = is_enabled(new, class)? || is_enabled(old, class) == Some(true);
    index_of(new, class).filter(|_| is_judged)
}

/// Returns the path of the configuration in an entry.
pub(super) fn path(index: usize) -> FieldPath {
    let entries = FieldPath::new("spec.extensions");
    entries.index(index).child("providerConfig")
}

/// Reports the first worker pool without containerd; returns whether there is none.
pub(super) fn check_containerd(
    shoot: &Shoot,
    failure: &'static FindingKind,
    findings: &mut Findings,
) -> bool {
    let pools = shoot.spec.provider.workers.iter().enumerate();
    let mut runtimes = pools.filter_map(|(index, pool)| Some((index, &pool.cri.as_ref()?.name)));
    let Some((index, name)) = runtimes.find(|(_, name)| *name != "containerd") else {
        return true;
    };
    let pool = FieldPath::new("spec.provider.workers").index(index);
    let message = format!("the extension does not work with the container runtime `{name}`");
    findings
        .report(failure, ErrorType::Denied, FieldPath::root(), message)
        .at(&pool.descendant("cri.name"))
        .help(Help::set("set `name: containerd`", "containerd"));
    false
}
