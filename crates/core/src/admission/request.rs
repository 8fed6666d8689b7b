// SPDX-License-Identifier: Apache-2.0
use std::cell::OnceCell;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use garden_gate_model::api::{Kind, UserInfo, group_and_version, null_is_default};
use garden_gate_text::json::{FieldTexts, Json, Nested, Scanned, scan};

/// The `request` of an AdmissionReview, with the objects still as JSON text.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request<'a> {
    /// Identifies the request; echoed in the response.
    #[serde(default)]
    pub uid: String,
    /// Group, version and resource that the webhook is registered for.
    #[serde(default)]
    pub resource: Resource,
    /// The subresource; empty for the object itself.
    #[serde(default, deserialize_with = "null_is_default")]
    pub sub_resource: String,
    /// The object's name; empty on a CREATE with `generateName` and on deletecollection.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The object's namespace; empty for cluster-scoped kinds.
    #[serde(default, deserialize_with = "null_is_default")]
    pub namespace: String,
    /// The operation.
    pub operation: Operation,
    /// The requesting user.
    #[serde(default)]
    pub user_info: UserInfo,
    /// The object as it would be stored; absent on DELETE.
    #[serde(default, borrow)]
    pub object: Option<&'a RawValue>,
    /// The stored object; absent on CREATE.
    #[serde(default, borrow)]
    pub old_object: Option<&'a RawValue>,
    /// Whether the request is a dry run.
    #[serde(default, deserialize_with = "null_is_default")]
    pub dry_run: bool,
    /// The completely parsed object, if the caller already has it.
    #[serde(skip)]
    pub opened: Option<&'a Json<'a>>,
    /// Counts of the values in the AdmissionReview.
    #[serde(skip)]
    pub nested: Nested,
    /// The fields of the new and the stored object, if they are known.
    #[serde(skip)]
    pub fields: [Option<FieldTexts<'a>>; 2],
    /// Whether the objects were converted from manifests.
    ///
    /// Then the bytes of RawExtensions differ from the API server's.
    #[serde(skip)]
    pub is_converted: bool,
    /// Whether the objects were decoded before, perhaps by an API server that knows more fields.
    #[serde(skip)]
    pub is_decoded: bool,
    /// Whether an API server has stored the object unchanged, and therefore knows all of its fields.
    #[serde(skip)]
    pub is_stored: bool,
    /// Whether the object is described by a template in another one, where more fields may be absent.
    #[serde(skip)]
    pub is_template: bool,
    /// A sentence about other manifests of the change that define the same object with other content.
    #[serde(skip)]
    pub other_copies: Option<&'a str>,
}

/// Group, version and plural name of a resource.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Resource {
    /// The API group.
    #[serde(default)]
    pub group: String,
    /// The API version.
    #[serde(default)]
    pub version: String,
    /// The plural name.
    #[serde(default)]
    pub resource: String,
}

/// The operation of a request on an object.
#[derive(
    Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Operation {
    /// Creation of an object.
    Create,
    /// Update of a stored object.
    Update,
    /// Deletion of a stored object.
    Delete,
    /// Connection to a subresource; never evaluated.
    Connect,
}

impl Operation {
    /// Returns the name in the Kubernetes API.
    pub fn as_str(self) -> &'static str {
        match self {
            Operation::Create => "CREATE",
            Operation::Update => "UPDATE",
            Operation::Delete => "DELETE",
            Operation::Connect => "CONNECT",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error in the body of an AdmissionReview.
///
/// Messages are self-contained and include the position if it is known.
#[derive(Debug, Error)]
pub enum RequestError {
    /// The body has no content.
    #[error("the body is empty; send an AdmissionReview of admission.k8s.io/v1 as JSON")]
    Empty,
    /// The body is not JSON or does not match the schema.
    #[error("the body is not an AdmissionReview: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The body is JSON of another kind or version.
    #[error(
        "the body has apiVersion `{api_version}` and kind `{kind}`; send apiVersion `admission.k8s.io/v1` and kind `AdmissionReview`"
    )]
    WrongKind {
        /// The `apiVersion` found.
        api_version: String,
        /// The `kind` found.
        kind: String,
    },
    /// The AdmissionReview has no request, but perhaps a response.
    #[error("the AdmissionReview has no `request`")]
    NoRequest,
    /// The request has no UID, so that it cannot be answered.
    #[error("the AdmissionReview has no `request.uid`")]
    NoUid,
    /// The request does not name its resource.
    #[error("the AdmissionReview has no `request.resource.resource`")]
    NoResource,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AdmissionReview<'a> {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
    #[serde(default, borrow)]
    request: Option<Request<'a>>,
}

impl<'a> Request<'a> {
    /// Returns the new and the stored object as received; absent ones are `null`.
    pub fn received(&self) -> [Json<'a>; 2] {
        let objects = [self.object, self.old_object];
        objects.map(|object| Json::text(object.map_or("null", RawValue::get)))
    }

    /// Returns the new object as received, completely parsed by the caller or cached in `own`.
    pub fn parsed_object<'r>(&'r self, own: &'r OnceCell<Json<'a>>) -> &'r Json<'a> {
        let open = || {
            let [new, _] = self.received();
            new.opened()
        };
        match self.opened {
            Some(opened) => opened,
            None => own.get_or_init(open),
        }
    }

    /// Returns the kind of the object; `None` if the kind or its version is not supported.
    pub fn kind(&self) -> Option<Kind> {
        let Resource { group, version, resource } = &self.resource;
        Kind::of_resource(group, version, resource)
    }

    /// Parses the request of an AdmissionReview.
    ///
    /// # Errors
    /// Fails if the body is not an AdmissionReview of `admission.k8s.io/v1` with a request and a UID.
    pub fn from_review(body: &'a [u8]) -> Result<Self, RequestError> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Err(RequestError::Empty);
        }
        let text = std::str::from_utf8(body).ok();
        let scanned = match text.and_then(scan::<AdmissionReview<'_>>) {
            Some(scanned) => scanned,
            // serde_json returns the error. Skipped values may have invalid UTF-8.
            None => Scanned::uncounted(serde_json::from_slice(body)?, body.len()),
        };
        let Scanned { value: review, nested, mut objects } = scanned;
        if review.api_version != "admission.k8s.io/v1" || review.kind != "AdmissionReview" {
            return Err(RequestError::WrongKind {
                api_version: review.api_version,
                kind: review.kind,
            });
        }
        let request = review.request.ok_or(RequestError::NoRequest)?;
        if request.uid.is_empty() {
            return Err(RequestError::NoUid);
        }
        if request.resource.resource.is_empty() {
            return Err(RequestError::NoResource);
        }
        let fields = [request.object, request.old_object].map(|it| objects.take(it));
        Ok(Self { nested, fields, ..request })
    }

    /// Creates a request without an API server.
    ///
    /// `user_info` creates, updates or deletes the object, depending on which of the new and the stored object are
    /// given.
    /// The UID is `review`; the caller sets name and namespace.
    pub fn of_objects(
        kind: Kind,
        user_info: UserInfo,
        [object, old_object]: [Option<&'a RawValue>; 2],
    ) -> Self {
        let (group, version) = kind.api();
        let written = object.and_then(|object| written_version(kind, object));
        let resource = Resource {
            group: group.to_owned(),
            version: written.unwrap_or_else(|| version.to_owned()),
            resource: kind.resource().to_owned(),
        };
        let operation = match (object, old_object) {
            (Some(_), Some(_)) => Operation::Update,
            (None, Some(_)) => Operation::Delete,
            (_, None) => Operation::Create,
        };
        Self {
            uid: "review".to_owned(),
            resource,
            sub_resource: String::new(),
            name: String::new(),
            namespace: String::new(),
            operation,
            user_info,
            object,
            old_object,
            dry_run: false,
            opened: None,
            nested: Nested::default(),
            fields: [None, None],
            is_converted: true,
            is_decoded: false,
            is_stored: false,
            is_template: false,
            other_copies: None,
        }
    }

    /// Returns a message about an object that is missing from the request.
    ///
    /// Only a deletecollection request, which has no name, may lack both objects.
    pub(super) fn missing_object(&self) -> Option<&'static str> {
        let (new, old) = (self.object.is_some(), self.old_object.is_some());
        match self.operation {
            Operation::Create | Operation::Update if !new => {
                Some("the review has no `object`, so there is nothing to judge")
            }
            Operation::Update if !old => {
                Some("the review has no `oldObject`, so nobody can tell what changes")
            }
            Operation::Delete if !old && !self.name.is_empty() => {
                Some("the review has no `oldObject`, so nobody can tell what is removed")
            }
            _ => None,
        }
    }
}

/// Returns the API version of a manifest whose kind is served in several, if it is not the current one.
fn written_version(kind: Kind, object: &RawValue) -> Option<String> {
    if !kind.has_versions() {
        return None;
    }
    let object = Json::text(object.get()).opened();
    let api_version: String = object.opened_at(&["apiVersion"]).read().ok()?;
    let (group, version) = group_and_version(&api_version);
    (group == kind.api().0 && kind.is_read_as(version)).then(|| version.to_owned())
}
