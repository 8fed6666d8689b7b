// SPDX-License-Identifier: Apache-2.0
//! The resources that a Shoot lists in `spec.resources`, which configurations name.

use std::collections::BTreeMap;

use crate::admission::{Context, FieldPath, FindingKind, Findings};
use crate::garden::ObjectKey;
use crate::rules::shared::lists::short;
use crate::rules::shared::references::RESOURCES;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Kind;
use garden_gate_text::json::Json;

/// The resources in `spec.resources`, as changed by mutating webhooks; of several with a name the first counts.
pub(super) struct Resources {
    by_name: BTreeMap<String, Resource>,
}

/// A reference in `spec.resources`.
pub(super) struct Resource {
    pub(super) api_version: String,
    pub(super) kind: String,
    /// The name of the object.
    pub(super) object: String,
}

impl Resources {
    /// Reads the resources of the new Shoot.
    pub(super) fn of(context: &Context<'_>) -> Self {
        let mut edits = context
            .configurations()
            .map(|it| it.edits.as_slice())
            .unwrap_or_default()
            .iter()
            .rev()
            .filter(|(_, edit)| edit.pointer == "/spec/resources");
        let Some((_, edit)) = edits.next() else {
            return Self::read(&Part::whole(context.new_opened()));
        };
        let text = format!("{{\"spec\":{{\"resources\":{}}}}}", edit.value);
        Self::read(&Part::whole(&Json::text(&text).opened()))
    }

    fn read(shoot: &Part<'_>) -> Self {
        let mut by_name = BTreeMap::new();
        for resource in shoot.items_at(RESOURCES) {
            let text = |field: &'static str| resource.text_at(&["resourceRef", field]);
            by_name.entry(resource.text_at(&["name"])).or_insert_with(|| Resource {
                api_version: text("apiVersion"),
                kind: text("kind"),
                object: text("name"),
            });
        }
        Self { by_name }
    }

    /// Returns the resource with a name.
    pub(super) fn named(&self, name: &str) -> Option<&Resource> {
        self.by_name.get(name)
    }

    /// Returns the resource with a name, which has to be of a kind, or else a message.
    pub(super) fn of_kind(&self, name: &str, kind: Kind) -> Result<&Resource, String> {
        let found = self.named(name).ok_or_else(|| {
            format!("`spec.resources` lists no {kind} with the name `{}`", short(name))
        })?;
        if found.kind == kind.as_str() {
            Ok(found)
        } else {
            Err(format!(
                "`{}` in `spec.resources` is not a {kind}, but a `{}`",
                short(name),
                short(&found.kind)
            ))
        }
    }
}

/// Checks that a Secret is listed and exists; its contents are not judged.
pub(super) fn check_secret(
    context: &Context<'_>,
    resources: &Resources,
    (name, field): (&str, &FieldPath),
    (unlisted, not_found): (&'static FindingKind, &'static FindingKind),
    findings: &mut Findings,
) {
    match resources.of_kind(name, Kind::Secret) {
        Err(message) => {
            findings
                .invalid(unlisted, field.clone(), message)
                .value(name)
                .help("add the Secret to `spec.resources` with this `name`");
        }
        Ok(resource) => {
            if let Some(key) = missing_object(context, Kind::Secret, &resource.object) {
                findings
                    .invalid(not_found, field.clone(), format!("there is no {key}"))
                    .value(name)
                    .help("create the Secret first");
            }
        }
    }
}

/// Returns the key of an object in the namespace of the Shoot if it is known not to exist.
pub(super) fn missing_object(context: &Context<'_>, kind: Kind, name: &str) -> Option<ObjectKey> {
    let key = ObjectKey::new(kind, &context.request.namespace, name);
    (context.named(&key) == Ok(None)).then_some(key)
}
