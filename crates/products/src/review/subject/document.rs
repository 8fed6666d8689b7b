// SPDX-License-Identifier: Apache-2.0
//! Recognizes the manifest or AdmissionReview in a document.

use std::sync::Arc;

use serde_json::value::to_raw_value;

use super::source::{Change, Source};
use super::{Identity, Subject};
use crate::review::kind_suggestions::{ManifestKind, meant};
use garden_gate_core::admission::Kind;
use garden_gate_core::garden::{self, GardenObject};
use garden_gate_text::yaml::{Document, Position};

/// Reports whether a document is a typed list of a judged kind, such as a `ShootList`.
pub(super) fn is_list_of_judged(document: &Document) -> bool {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let kind = text("/kind");
    let item = kind.strip_suffix("List");
    item.is_some_and(|it| matches!(meant(&text("/apiVersion"), it), ManifestKind::Kind(_)))
}

/// Returns the subject of a document; `None` if it is not judged.
pub(super) fn subject(file: &Arc<str>, document: &Document) -> Option<Subject> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, kind) = (text("/apiVersion"), text("/kind"));
    let mut kept = None;
    let (identity, source, object_at) = if kind == "AdmissionReview" {
        if is_of_other_kind(document) {
            return None;
        }
        let object_at = if text("/request/operation") == "DELETE" {
            "/request/oldObject"
        } else {
            "/request/object"
        };
        let identity = Identity {
            kind: text("/request/kind/kind"),
            namespace: text("/request/namespace"),
            name: text("/request/name"),
        };
        let review = serde_json::to_string(document)
            .map(Source::Review)
            .map_err(|error| (error.to_string(), Position::START));
        (identity, review, object_at)
    } else {
        let (name, source) = match meant(&api_version, &kind) {
            _ if is_list_of_judged(document) => {
                let why = "an item of this list has no `kind`, which kubectl sets; write `apiVersion` and `kind` in each item";
                (kind, Err((why.to_owned(), document.position("/items"))))
            }
            ManifestKind::Other => return None,
            ManifestKind::Nothing(why) => (kind, Err((why, document.position("/kind")))),
            ManifestKind::Kind(kind) => {
                let manifest = manifest(kind, document);
                let source = manifest.map(|(source, object)| {
                    kept = object;
                    source
                });
                (kind.to_string(), source)
            }
        };
        let identity = Identity {
            kind: name,
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        };
        (identity, source, "")
    };
    Some(Subject {
        identity,
        begin: document.position(object_at),
        kept,
        object_at,
        ..Subject::of(Arc::clone(file), source)
    })
}

/// Reports whether an AdmissionReview is about objects that are never judged, such as those of other projects.
///
/// Workload is only judged in the current version of AdmissionReviews.
fn is_of_other_kind(review: &Document) -> bool {
    let text = |pointer: &str| review.text(pointer).unwrap_or_default();
    let is_current = text("/apiVersion") == "admission.k8s.io/v1";
    let is_judged = |kind: Kind| is_current || !kind.is_of_shoot_cluster();
    let [group, version, resource] =
        ["group", "version", "resource"].map(|field| text(&format!("/request/resource/{field}")));
    let of_resource = Kind::of_resource(&group, &version, &resource);
    let [group, version, name] =
        ["group", "version", "kind"].map(|field| text(&format!("/request/kind/{field}")));
    let api_version = match group.as_str() {
        "" => version,
        group => format!("{group}/{version}"),
    };
    let is_other = match meant(&api_version, &name) {
        ManifestKind::Kind(kind) => !is_judged(kind),
        ManifestKind::Nothing(_) => false,
        ManifestKind::Other => true,
    };
    let is_named = !resource.is_empty() || !name.is_empty();
    is_named && is_other && !of_resource.is_some_and(is_judged)
}

/// Returns a new manifest, and the object for the other objects of a change.
///
/// An invalid manifest is not visible to other objects; its own verdict contains the error.
fn manifest(
    kind: Kind,
    document: &Document,
) -> Result<(Source, Option<GardenObject>), (String, Position)> {
    let new = to_raw_value(document).map_err(|error| (error.to_string(), Position::START))?;
    // The last one of duplicate fields counts, as for a document.
    let kept = garden::read_with_configuration(kind, new.get())
        .or_else(|_| garden::read_with_configuration(kind, document));
    let change = Change { new: Some(new), ..Change::default() };
    Ok((Source::Manifest(kind, change), kept.ok().flatten()))
}
