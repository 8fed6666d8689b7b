// SPDX-License-Identifier: Apache-2.0
//! Classification of a document by its `apiVersion`, `kind` and name.

use serde_json::Value;

use super::dump::DumpRecord;
use super::kind_hints::{kept, mentioned};
use garden_gate_model::api::{Kind, ObjectKey, Retrieval, group_and_version};
use garden_gate_text::json::escape_step;
use garden_gate_text::yaml::{Document, SourceError};

/// The `apiVersion` and `kind` of an object, or those of the items of a typed list such as ShootList.
pub(super) struct Identity {
    api_version: String,
    kind: String,
}

impl Identity {
    /// Returns the supported kind, regardless of the version.
    pub(super) fn kind(&self) -> Option<Kind> {
        let (group, _) = group_and_version(&self.api_version);
        Kind::of_manifest(group, &self.kind).filter(|kind| kind.known() != Retrieval::Never)
    }

    fn is_dump(&self) -> bool {
        self.kind == DumpRecord::KIND && self.api_version == DumpRecord::API_VERSION
    }
}

/// The part of the garden that is unknown because of an unreadable document.
pub(super) enum UnknownObjects {
    /// The content of this object.
    Object(ObjectKey),
    /// The set of objects of these kinds.
    Kinds(Vec<Kind>),
}

/// The classification of a document.
pub(super) enum DocumentIdentity {
    /// A supported object, with its `apiVersion`.
    OfGarden(Kind, String),
    /// An object of which only the name is kept.
    Named(Kind),
    /// A list, with the identity of its items if it is typed.
    List(Option<Identity>),
    /// The record of `garden-gate dump`.
    Dump,
    /// An object of an unsupported kind.
    Other(String),
    /// Not an object.
    Nothing,
}

/// Classifies a document.
///
/// # Errors
/// Fails if the document is not an object but may have been meant as an object of a garden.
pub(super) fn identify(
    document: &Document,
    inherited: Option<&Identity>,
) -> Result<DocumentIdentity, (SourceError, UnknownObjects)> {
    let kind = header(document, "kind", inherited.map(|it| &it.kind));
    let api_version = header(document, "apiVersion", inherited.map(|it| &it.api_version));
    let identity = match (kind, api_version) {
        (Ok(kind), Ok(api_version)) => Identity { api_version, kind },
        (Err(error), Ok(_)) if is_cut_list(document) => {
            return nothing(error, kept().collect());
        }
        (Err(error), Ok(api_version)) => {
            let (group, _) = group_and_version(&api_version);
            let of_group = |kind: &Kind| !group.is_empty() && kind.api().0 == group;
            return nothing(error, kept().filter(of_group).collect());
        }
        (Ok(name), Err(error)) => {
            return nothing(error, kept().filter(|it| it.as_str() == name).collect());
        }
        (Err(error), Err(_)) => {
            return nothing(error, mentioned(&document.to_value().to_string()));
        }
    };
    if let Some(item) = list_of(document, &identity) {
        return Ok(DocumentIdentity::List(item));
    }
    Ok(match identity.kind() {
        Some(kind) if has_label(kind, document) => {
            DocumentIdentity::OfGarden(kind, identity.api_version)
        }
        Some(kind) => DocumentIdentity::Named(kind),
        None if identity.is_dump() => DocumentIdentity::Dump,
        None => DocumentIdentity::Other(identity.kind),
    })
}

/// Returns [`DocumentIdentity::Nothing`], or an error if the document may be an object of these kinds.
fn nothing(
    error: SourceError,
    kinds: Vec<Kind>,
) -> Result<DocumentIdentity, (SourceError, UnknownObjects)> {
    if kinds.is_empty() {
        Ok(DocumentIdentity::Nothing)
    } else {
        Err((error, UnknownObjects::Kinds(kinds)))
    }
}

/// Reports whether a document without a kind may be a truncated list.
///
/// `kubectl` writes `apiVersion`, `items`, `kind`, in this order.
fn is_cut_list(document: &Document) -> bool {
    let is_only_version = || document.to_value().as_object().is_some_and(|it| it.len() == 1);
    document.part("/items").is_some() || is_only_version()
}

/// Returns the identity of the items of a list; `None` if the document is not a list.
fn list_of(document: &Document, identity: &Identity) -> Option<Option<Identity>> {
    let item = identity.kind.strip_suffix("List")?;
    if item.is_empty() {
        return Some(None);
    }
    let item = Identity { api_version: identity.api_version.clone(), kind: item.to_owned() };
    let has_items = document.part("/items").and_then(|it| it.items()).is_some();
    (has_items || item.kind().is_some()).then_some(Some(item))
}

/// Returns the key of an object.
///
/// # Errors
/// Fails if a name or namespace is missing, so that the object cannot be identified.
pub(super) fn name(
    document: &Document,
    kind: Kind,
) -> Result<ObjectKey, (SourceError, UnknownObjects)> {
    let unknown = |error| (error, UnknownObjects::Kinds(vec![kind]));
    let name = header(document, "metadata.name", None).map_err(unknown)?;
    let namespace = if kind.is_namespaced() {
        header(document, "metadata.namespace", None).map_err(unknown)?
    } else {
        String::new()
    };
    Ok(ObjectKey::new(kind, namespace, name))
}

/// Reports whether an object has the label that its kind requires, if any.
fn has_label(kind: Kind, document: &Document) -> bool {
    match kind.known() {
        Retrieval::Labelled { label, .. } => {
            let (label, value) = (escape_step(label.0), label.1);
            let found = document.text(&format!("/metadata/labels/{label}"));
            found.as_deref() == Some(value) || is_gardener_info(kind, document)
        }
        _ => true,
    }
}

/// Reports whether a document is the ConfigMap with the version of Gardener.
fn is_gardener_info(kind: Kind, document: &Document) -> bool {
    let key = ObjectKey::gardener_info();
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    kind == key.kind
        && text("/metadata/name") == key.name
        && text("/metadata/namespace") == key.namespace
}

/// Returns the string of a required header field.
fn header(
    document: &Document,
    field: &str,
    inherited: Option<&String>,
) -> Result<String, SourceError> {
    let pointer = format!("/{}", field.replace('.', "/"));
    let message = match document.part(&pointer).map(|part| part.to_value()) {
        Some(Value::String(text)) if !text.is_empty() => return Ok(text),
        None | Some(Value::Null | Value::String(_)) => match inherited {
            Some(inherited) => return Ok(inherited.clone()),
            None if document.is_mapping() => format!("`{field}` is missing"),
            None => "this is no object; every document needs `apiVersion`, `kind` and `metadata`"
                .to_owned(),
        },
        Some(_) => format!("`{field}` is not a text; put it in quotes"),
    };
    Err(SourceError::new(document.position(&pointer), message))
}
