// SPDX-License-Identifier: Apache-2.0
//! The types for which extensions are registered.

use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, FindingKind, Findings, Help};
use crate::rules::shared::lists::similar;
use garden_gate_model::api::ControllerResource;

/// The registered kind for entries of `spec.extensions`.
pub(crate) const EXTENSION: &str = "Extension";

/// The resources of ControllerRegistrations for clusters of a kind.
pub(crate) struct Registered<'a>(Vec<&'a ControllerResource>);

impl<'a> Registered<'a> {
    /// Returns the registered resources for Shoots or for Seeds.
    ///
    /// Returns `None` if not all are known, for which a finding is added.
    pub(crate) fn for_clusters(
        kind: &str,
        context: &Context<'a>,
        findings: &mut Findings,
    ) -> Option<Self> {
        let path = FieldPath::new("spec");
        let what = "which extensions are registered";
        let all = findings.known(context.controller_registrations(), &path, what)?;
        let resources = all.flat_map(|it| &it.spec.resources);
        let main = resources.filter(|it| it.primary != Some(false) && it.is_for(kind));
        Some(Self(main.collect()))
    }

    /// Returns the registered resources of a kind.
    pub(crate) fn of(&self, kind: &str) -> impl Iterator<Item = &ControllerResource> {
        self.0.iter().copied().filter(move |it| it.kind == kind)
    }

    /// Reports whether a type of a kind is registered.
    pub(crate) fn has(&self, kind: &str, class: &str) -> bool {
        self.of(kind).any(|it| it.class == class)
    }

    /// Refuses a type that is not registered for each of some kinds.
    pub(crate) fn forbid(
        &self,
        unregistered: &'static FindingKind,
        (kinds, class): (&[&str], &str),
        path: FieldPath,
        findings: &mut Findings,
    ) {
        let kind = kinds
            .iter()
            .find(|kind| !self.has(kind, class))
            .or(kinds.first())
            .copied()
            .unwrap_or(EXTENSION);
        let known: BTreeSet<_> = self.of(kind).map(|it| it.class.as_str()).collect();
        let meant = similar(class, known.iter().copied());
        let message = format!("no extension is registered for {kind} `{class}`");
        let help = meant.unwrap_or_else(|| match known.len() {
            0 => Help::from(format!("nothing is registered for {kind}")),
            1..=20 => {
                let known: Vec<_> = known.into_iter().collect();
                format!("registered are {}", known.join(", ")).into()
            }
            many => format!("{many} other types are registered").into(),
        });
        findings.forbid(unregistered, path, message).value(class).help(help);
    }
}
