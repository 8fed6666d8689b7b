use std::cell::OnceCell;
use std::error::Error;
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::applied::AssumedStates;
use super::credentials;
use super::file_documents::FileDocument;
use super::fixes::webhooks::fix;
use super::kind_suggestions::{ManifestKind, meant};
use super::template::{self, Placeholders};
use crate::admission::{
    self, ErrorType, Finding, Kind, Operation, Origin, Phase, Request, Review, Undetermined,
    Verdict,
};
use crate::api::{ConfigMapData, Retrieval, UserInfo, group_and_version};
use crate::audit::Auditor;
use crate::config::{Config, Level};
use crate::coverage::{Unjudged, unjudged};
use crate::forecast::impact;
use crate::garden::directory::config_map_data;
use crate::garden::directory::kind_hints::mentioned;
use crate::garden::{self, GardenObject, NamedObject, ObjectKey, RawObject, Snapshot};
use crate::json::Json;
use crate::report::{Drifted, Edit, Fix, Outcome, Reviewed, TextFix, yaml_diff};
use crate::stored::{self, Drift};
use crate::yaml::{self, Document, Editor, Excerpt, Position, SourceError, Text, TextEdit};

/// Maximum number of lines of a suggested change.
const MOST_LINES: usize = 20;
/// Maximum size of a document whose fixes reports contain, in bytes, because each fix parses it.
const LONGEST_FIXED: usize = 128 << 10;
/// Maximum number of findings of an object whose fixes are shown, since each is checked by parsing the result.
const MOST_FIXES: usize = 100;

/// The form in which changes before storing are shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shows {
    /// As a diff of YAML.
    pub(crate) changes: bool,
    /// As a JSON Patch.
    pub(crate) patch: bool,
    /// Whether fixes are shown as replacements of text.
    pub(crate) fixes: bool,
}

/// A message about other copies of an object.
#[derive(Clone, Debug)]
pub(crate) enum Copies {
    Warned(String),
    Noted(String),
}

/// An object of a file, with everything that its verdict needs.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) file: Arc<str>,
    number: usize,
    identity: Identity,
    /// The object or request to judge, or an error.
    source: Result<Source, (String, Position)>,
    written: FileDocument,
    /// The beginning of the object in the document.
    begin: Position,
    /// The object as the other objects of a change see it.
    kept: Option<GardenObject>,
    /// The differences from the stored object.
    pub(crate) drift: Vec<Drift>,
    /// The versions that were written into the file, and those that could not be.
    pub(crate) edits: Vec<Edit>,
    /// A message about other copies of the object in the change.
    pub(crate) copies: Option<Copies>,
    /// The pointer to the object in the document: empty for a manifest, set for an AdmissionReview.
    object_at: &'static str,
}

/// The source of a request.
#[derive(Clone)]
enum Source {
    /// An AdmissionReview.
    Review(String),
    /// A manifest, which is converted to a request.
    Manifest(Kind, Change),
}

/// The old and the new state of an object, as JSON.
///
/// A new object has no old state, and a deleted one has no new state.
#[derive(Clone, Default)]
struct Change {
    /// The manifest, or the result of applying it.
    new: Option<Box<RawValue>>,
    old: Option<Box<RawValue>>,
    /// The source of the old state, for the heading; empty without an old state.
    from: String,
    /// Whether the old state is that in the garden.
    is_applied: bool,
    /// Whether the manifest is compared with an earlier one.
    is_compared: bool,
    /// Uncertainty about the old state.
    doubt: Doubt,
}

/// A verdict, with remarks on it.
pub(crate) struct Judged {
    pub(crate) review: Review,
    /// One sentence each.
    pub(crate) notes: Vec<String>,
    /// Policies that are not evaluated.
    pub(crate) unjudged: Vec<Unjudged>,
}

/// Uncertainty about the old state of an object.
#[derive(Clone, Default)]
pub(crate) enum Doubt {
    #[default]
    None,
    /// The object may exist; the string is the reason of the uncertainty.
    MayReplace(String),
    /// The object exists; the string is the reason why its state is unknown.
    Replaces(String),
}

#[derive(Clone, Default)]
struct Identity {
    kind: String,
    namespace: String,
    name: String,
}

/// The content of a file.
#[derive(Default)]
pub(crate) struct FileObjects {
    /// The objects that can be judged.
    pub(crate) subjects: Vec<Subject>,
    /// Objects to which others may refer, by name only, or with the values of ConfigMaps.
    pub(crate) named: Vec<NamedObject>,
    /// Policies, their bindings, and Namespaces, with the file.
    pub(crate) policies: Vec<(Arc<str>, GardenObject)>,
    /// Objects that policies may use as parameters.
    pub(crate) parameters: Vec<RawObject>,
    /// The number of objects that are not judged.
    pub(crate) others: usize,
    /// The reason to skip documents that are templates, if there are any.
    pub(crate) template: Option<String>,
}

impl FileObjects {
    /// Removes documents that are templates, unless the file has nothing else and they are not of a judged kind.
    pub(crate) fn leave_templates(&mut self) {
        let is_lost = |it: &Subject| it.why_unreadable().is_some();
        self.template = self.subjects.iter().find_map(Subject::why_template);
        if self.template.is_some() || !self.subjects.iter().all(is_lost) {
            self.subjects.retain(|it| !is_lost(it));
        }
    }
}

/// An object of a file.
enum Object {
    Judged(Box<Subject>),
    Other(Box<OtherObject>),
}

/// An object that is not judged, and its relevance for others.
#[derive(Default)]
struct OtherObject {
    named: Option<NamedObject>,
    policy: Option<GardenObject>,
    parameter: Option<RawObject>,
}

/// Parses a file. Documents stay in memory if `keeps` is set.
pub(crate) fn read(file: &str, text: String, keeps: bool) -> FileObjects {
    let file: Arc<str> = file.into();
    let text = Arc::new(text);
    let objects = in_parts(&file, &text, keeps).unwrap_or_else(|| {
        let text = Arc::new(Text::new(text));
        let parsed = objects(&file, &text, keeps);
        parsed.unwrap_or_else(|error| vec![unreadable(&file, text, error)])
    });
    let mut held = FileObjects::default();
    for (index, object) in objects.into_iter().enumerate() {
        match object {
            Object::Judged(subject) => {
                held.subjects.push(Subject { number: index + 1, ..*subject })
            }
            Object::Other(other) => {
                let OtherObject { named, policy, parameter } = *other;
                held.named.extend(named);
                let policy = policy.map(|policy| (Arc::clone(&file), policy));
                held.policies.extend(policy);
                held.parameters.extend(parameter);
                held.others += 1;
            }
        }
    }
    held
}

/// Parses the documents of a text in parallel.
///
/// A template among them hides no other document, since `kubectl` applies one after another. Returns `None` if another
/// document fails, so that the error refers to the text as a whole.
fn in_parts(file: &Arc<str>, text: &Arc<String>, keeps: bool) -> Option<Vec<Object>> {
    let parts = yaml::split(text);
    if parts.len() == 1 {
        return None;
    }
    let parts = parts.into_par_iter().map(|(before, place)| {
        let text = Arc::new(Text::part(Arc::clone(text), place, before));
        match objects(file, &text, keeps) {
            Err(error) if template::is_template(text.as_str()) => {
                Ok(vec![unreadable(file, text, error)])
            }
            parsed => parsed,
        }
    });
    let parts: Result<Vec<_>, SourceError> = parts.collect();
    Some(parts.ok()?.into_iter().flatten().collect())
}

/// Returns a text without objects.
fn unreadable(file: &Arc<str>, text: Arc<Text>, error: SourceError) -> Object {
    text.hide(credentials::lines(text.as_str()));
    let source = Err((error.message, error.position));
    Object::Judged(Box::new(Subject {
        written: FileDocument::unreadable(text),
        ..Subject::of(Arc::clone(file), source)
    }))
}

/// Parses the objects of a text.
fn objects(file: &Arc<str>, text: &Arc<Text>, keeps: bool) -> Result<Vec<Object>, SourceError> {
    let documents = yaml::parse_keeping_repeated(text.as_str())?;
    text.hide(credentials::lines_in(text.as_str(), &documents));
    let is_one = documents.len() == 1;
    let objects = documents.into_iter().flat_map(|document| {
        let parts = flatten(&document);
        let is_whole = is_one && parts.as_ref().is_none();
        let parts = parts.unwrap_or_else(|| vec![document]);
        // An array may contain lists.
        let parts = parts.into_iter().flat_map(|part| flatten(&part).unwrap_or_else(|| vec![part]));
        parts.map(move |part| (part, is_whole))
    });
    let objects = objects.map(|(document, is_whole)| {
        let Some(subject) = subject(file, &document) else {
            return Object::Other(Box::new(other(file, &document)));
        };
        let text = Arc::clone(text);
        let written = match is_whole {
            true => FileDocument::whole(text, document, keeps),
            false => FileDocument::part(text, document),
        };
        Object::Judged(Box::new(Subject { written, ..subject }))
    });
    Ok(objects.collect())
}

/// Returns the items of a list, or of an array with objects; `None` for other documents.
///
/// For kubectl, each object with `items` is a list, whatever its kind and the case of that name. A typed list of a judged
/// kind may omit its items if it is empty; one with items without a kind is not split.
fn flatten(document: &Document) -> Option<Vec<Document>> {
    let is_typed = |it: &Document| it.text("/kind").is_some_and(|it| !it.is_empty());
    if let Some(items) = document.items() {
        return items.iter().any(is_typed).then_some(items);
    }
    let items = document.field_in_any_case("items");
    let items = items.and_then(|items| items.items());
    let is_of_ours = is_list_of_judged(document);
    let kind = document.text("/kind").unwrap_or_default();
    match items {
        Some(items) if is_of_ours => items.iter().all(is_typed).then_some(items),
        Some(items) if kind.ends_with("List") || items.iter().any(is_typed) => Some(items),
        None if is_of_ours => Some(Vec::new()),
        _ => None,
    }
}

/// Reports whether a document is a typed list of a judged kind, such as a `ShootList`.
fn is_list_of_judged(document: &Document) -> bool {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let kind = text("/kind");
    let item = kind.strip_suffix("List");
    item.is_some_and(|it| matches!(meant(&text("/apiVersion"), it), ManifestKind::Kind(_)))
}

/// Groups of Kubernetes whose objects are not used as parameters, except for ConfigMaps.
const BUILT_IN: [&str; 5] = ["", "apps", "autoscaling", "batch", "policy"];

/// Returns an object that is not judged.
fn other(file: &str, document: &Document) -> OtherObject {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, name) = (text("/apiVersion"), text("/kind"));
    let (group, _) = group_and_version(&api_version);
    let kind = Kind::of_manifest(group, &name);
    let is_policy = matches!(
        kind,
        Some(
            Kind::ValidatingAdmissionPolicy
                | Kind::ValidatingAdmissionPolicyBinding
                | Kind::Namespace
        )
    );
    let is_built_in = BUILT_IN.contains(&group) || group.ends_with(".k8s.io");
    let may_be_parameter = match kind {
        Some(kind) => kind == Kind::ConfigMap,
        None => !is_built_in && !name.is_empty(),
    };
    if !is_policy && !may_be_parameter {
        return OtherObject {
            named: kind.and_then(|kind| named(kind, document)),
            ..OtherObject::default()
        };
    }
    let value = document.to_value();
    // The values of a template are unknown.
    let is_known = template::why_object(file, &value.to_string()).is_none();
    OtherObject {
        named: kind.and_then(|kind| named(kind, document)),
        policy: kind.filter(|_| is_policy && is_known).and_then(|kind| policy(kind, document)),
        parameter: RawObject::of(value).filter(|_| may_be_parameter && is_known),
    }
}

/// Returns a policy, a binding or a Namespace; `None` if it has no name.
fn policy(kind: Kind, document: &Document) -> Option<GardenObject> {
    let name = document.text("/metadata/name").filter(|it| !it.is_empty())?;
    match garden::read_with_configuration(kind, document) {
        Ok(object) => object,
        Err(error) => {
            let key = ObjectKey::named(kind, &name);
            Some(GardenObject::Unreadable(key, error.message))
        }
    }
}

/// Returns an object to which others refer by name; `None` for other objects.
fn named(kind: Kind, document: &Document) -> Option<NamedObject> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let is_named = matches!(kind.known(), Retrieval::Labelled { .. } | Retrieval::Asked);
    // The values of a template are unknown.
    let is_known = |it: &ConfigMapData| !it.values().any(template::has_placeholders);
    let data = || config_map_data(kind, document).filter(is_known);
    is_named.then(|| NamedObject {
        key: ObjectKey::new(kind, text("/metadata/namespace"), text("/metadata/name")),
        data: data().map(Arc::new),
    })
}

/// Returns the subject of a document; `None` if it is not judged.
fn subject(file: &Arc<str>, document: &Document) -> Option<Subject> {
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
        let review = serde_json::to_string(document).map(Source::Review);
        let review = review.map_err(|error| (error.to_string(), Position::START));
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
/// Workload is only judged in the current version of AdmissionReviews, and of ShootStates only the deletion.
fn is_of_other_kind(review: &Document) -> bool {
    let text = |pointer: &str| review.text(pointer).unwrap_or_default();
    let is_current = text("/apiVersion") == "admission.k8s.io/v1";
    let is_deletion = text("/request/operation") == "DELETE";
    let is_judged = |kind: Kind| match kind {
        Kind::ShootState => is_deletion,
        kind => is_current || !kind.is_of_shoot_cluster(),
    };
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
    let new = to_raw_value(document);
    let new = new.map_err(|error| (error.to_string(), Position::START))?;
    // The last one of duplicate fields counts, as for a document.
    let kept = garden::read_with_configuration(kind, new.get())
        .or_else(|_| garden::read_with_configuration(kind, document));
    let change = Change { new: Some(new), ..Change::default() };
    Ok((Source::Manifest(kind, change), kept.ok().flatten()))
}

impl Change {
    /// Adds the uncertainty to a verdict.
    ///
    /// If an unknown old state exists, the verdict is undetermined. If it may exist, the object is judged as new, with
    /// a note.
    fn add_doubt(&self, review: &mut Review, notes: &mut Vec<String>) {
        match &self.doubt {
            Doubt::None => {}
            Doubt::MayReplace(why) => notes.push(format!("judged as a new object: {why}")),
            Doubt::Replaces(why) => {
                let message = format!("cannot tell what is replaced: {why}");
                let rule = "garden/unreadable";
                let unknown = Undetermined::new(rule, String::new(), message);
                review.undetermined.push(unknown);
            }
        }
    }
}

impl Subject {
    /// Returns a subject with an error, for a file without objects to judge.
    pub(crate) fn unreadable(file: &str, why: String) -> Self {
        Self::of(file.into(), Err((why, Position::START)))
    }

    fn of(file: Arc<str>, source: Result<Source, (String, Position)>) -> Self {
        Self {
            file,
            number: 1,
            identity: Identity::default(),
            source,
            written: FileDocument::unreadable(Arc::new(Text::new(String::new()))),
            begin: Position::START,
            kept: None,
            drift: Vec::new(),
            edits: Vec::new(),
            copies: None,
            object_at: "",
        }
    }

    /// Returns the error if the text is neither valid YAML nor JSON.
    pub(crate) fn why_unreadable(&self) -> Option<String> {
        let why = self.source.as_ref().err();
        let why = why.filter(|_| !self.written.is_readable());
        why.map(|(why, _)| why.clone())
    }

    /// Returns the error of a text that contains no judged kind or is a template.
    pub(crate) fn why_no_manifest(&self) -> Option<String> {
        // Many objects may share a long text.
        let why = self.why_unreadable()?;
        let text = self.written.as_str();
        let is_lost =
            !template::is_template(text) && mentioned(text).into_iter().any(Kind::is_judged);
        Some(why).filter(|_| !is_lost)
    }

    /// Returns the reason to skip an invalid text that is a template of a judged object.
    pub(crate) fn why_template(&self) -> Option<String> {
        self.why_unreadable()?;
        let text = self.written.as_str();
        let is_of_ours = mentioned(text).into_iter().any(Kind::is_judged);
        is_of_ours.then(|| template::why_text(&self.file, text)).flatten()
    }

    /// Returns the reason to skip a manifest whose kind, name or namespace holds placeholders.
    pub(crate) fn why_placeholders(&self) -> Option<String> {
        template::why_manifest(&self.file, self.new_state()?.get())
    }

    /// Reports whether the manifest has placeholders outside of its metadata.
    pub(crate) fn has_placeholders(&self) -> bool {
        let placeholders = self.new_state().and_then(|it| Placeholders::of(it.get()));
        placeholders.is_some_and(|it| it.first_field().is_some())
    }

    /// Reports whether the manifest is a strategic merge patch.
    pub(crate) fn has_patch_directive(&self) -> bool {
        let Some(new) = self.new_state().map(RawValue::get) else {
            return false;
        };
        let object = new.contains("\"$patch\":").then(|| serde_json::from_str(new));
        object.is_some_and(|it| it.as_ref().is_ok_and(has_directive))
    }

    /// Reports whether this is a manifest of a namespaced garden object without a namespace.
    pub(crate) fn lacks_namespace(&self) -> bool {
        let key = self.key();
        key.is_some_and(|it| it.kind.is_namespaced() && !it.kind.is_of_shoot_cluster())
            && self.identity.namespace.is_empty()
    }

    /// Sets the namespace of a manifest without one.
    pub(crate) fn set_namespace(&mut self, namespace: &str) {
        let is_without = self.identity.namespace.is_empty();
        let document = is_without.then(|| self.document()).flatten();
        let (Ok(Source::Manifest(kind, change)), Some(document)) = (&mut self.source, document)
        else {
            return;
        };
        if kind.is_namespaced()
            && let Ok(new) = to_raw_value(&document.in_namespace(namespace))
        {
            self.kept = garden::read_with_configuration(*kind, new.get()).ok().flatten();
            change.new = Some(new);
            namespace.clone_into(&mut self.identity.namespace);
        }
    }

    /// Returns the position for new annotations.
    ///
    /// It is that of existing ones or, with `true`, that of a new field of the metadata.
    pub(crate) fn annotations(&self) -> Option<(Position, bool)> {
        let document = self.document()?;
        let at = |pointer: &str| document.first_key(&format!("{}{pointer}", self.object_at));
        let found = match document.part(&format!("{}/metadata/annotations", self.object_at)) {
            Some(_) => (at("/metadata/annotations")?, false),
            None => (at("/metadata")?, true),
        };
        Some((self.position_in_file(found.0), found.1))
    }

    /// Formats the position, such as `shoots/web.yaml:3`, with the column if that is not the first.
    pub(crate) fn place(&self) -> String {
        let begin = self.written.excerpt(self.begin).position;
        match begin.column {
            1 => format!("{}:{}", self.file, begin.line),
            column => format!("{}:{}:{column}", self.file, begin.line),
        }
    }

    /// Returns the key of a manifest; `None` for an AdmissionReview, which contains its old state.
    pub(crate) fn key(&self) -> Option<ObjectKey> {
        let Ok(Source::Manifest(kind, _)) = &self.source else {
            return None;
        };
        let namespace = match kind.is_namespaced() {
            true => self.identity.namespace.as_str(),
            false => "",
        };
        Some(ObjectKey::new(*kind, namespace, &self.identity.name))
    }

    /// Returns the kind and operation of an AdmissionReview; `None` for manifests and kinds without rules.
    pub(crate) fn asks_for(&self) -> Option<(Kind, Operation)> {
        let Ok(Source::Review(review)) = &self.source else {
            return None;
        };
        let request = Request::from_review(review.as_bytes()).ok()?;
        Some((request.kind()?, request.operation))
    }

    /// Returns the document, parsed again if it is not in memory.
    pub(crate) fn document(&self) -> Option<Document> {
        self.written.document()
    }

    /// Returns the text of the whole file.
    pub(crate) fn whole_text(&self) -> &str {
        self.written.of_file()
    }

    /// Converts a position in the document to a position in the file.
    pub(crate) fn position_in_file(&self, position: Position) -> Position {
        self.written.excerpt(position).position
    }

    /// Takes the object for the other objects of a change; `None` if it cannot be parsed as its kind.
    pub(crate) fn take_kept(&mut self) -> Option<GardenObject> {
        self.kept.take()
    }

    /// Sets the old state to the object in the garden, and the new state to the merged object.
    ///
    /// The heading names an earlier origin of the old state, too.
    ///
    /// # Errors
    /// Fails if a state cannot be serialized as JSON.
    pub(crate) fn applies_to(
        &mut self,
        old: &Value,
        new: Option<&Value>,
        origin: &str,
    ) -> serde_json::Result<()> {
        if let Some(change) = self.change_mut() {
            change.is_applied = true;
            change.old = Some(to_raw_value(old)?);
            if let Some(new) = new {
                change.new = Some(to_raw_value(new)?);
            }
            change.from = match change.from.as_str() {
                "" => origin.to_owned(),
                from => format!("{from} as stored in {origin}"),
            };
        }
        Ok(())
    }

    fn change(&self) -> Option<&Change> {
        match &self.source {
            Ok(Source::Manifest(_, change)) => Some(change),
            _ => None,
        }
    }

    fn change_mut(&mut self) -> Option<&mut Change> {
        match &mut self.source {
            Ok(Source::Manifest(_, change)) => Some(change),
            _ => None,
        }
    }

    /// Reports whether this is a manifest with the same content as another one.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let [own, new] = [self, other].map(|it| it.new_state().map(RawValue::get));
        own.is_some() && (own == new || self.content() == other.content())
    }

    /// Returns the content of a manifest.
    pub(crate) fn content(&self) -> Option<Value> {
        Some(Json::text(self.new_state()?.get()).to_value())
    }

    /// Sets the old state to the content of another manifest.
    ///
    /// # Errors
    /// Fails if the old state cannot be serialized as JSON.
    pub(crate) fn replaces(&mut self, stored: &Self, origin: &str) -> serde_json::Result<()> {
        if let (Some(change), Some(old)) = (self.change_mut(), stored.new_state()) {
            // The last one of duplicate fields counts.
            let old = Json::text(old.get()).to_value();
            change.old = Some(to_raw_value(&old)?);
            change.is_compared = true;
            origin.clone_into(&mut change.from);
        }
        Ok(())
    }

    /// Reports whether this is a manifest without an old state.
    pub(crate) fn is_new(&self) -> bool {
        self.change().is_some_and(|change| change.old.is_none())
    }

    /// Records the uncertainty about the old state.
    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        if let Some(change) = self.change_mut() {
            change.doubt = doubt;
        }
    }

    /// Converts the manifest to its deletion.
    pub(crate) fn goes(&mut self, origin: &str) {
        if let Some(change) = self.change_mut() {
            change.old = change.new.take();
            origin.clone_into(&mut change.from);
        }
    }

    /// Returns the new state of a manifest; `None` for a deletion.
    pub(crate) fn new_state(&self) -> Option<&RawValue> {
        self.change()?.new.as_deref()
    }

    /// Returns the old state of a manifest.
    pub(crate) fn old_state(&self) -> Option<Value> {
        let old = self.change()?.old.as_ref()?;
        Some(Json::text(old.get()).to_value())
    }

    /// Replaces the content by an error.
    pub(crate) fn fails(&mut self, why: String) {
        let document = self.document();
        let position = document.map_or(Position::START, |it| it.position("/metadata/name"));
        self.source = Err((why, position));
    }

    /// Reports whether the object exists after the change.
    pub(crate) fn stays(&self) -> bool {
        self.change().is_none_or(|change| change.new.is_some())
    }

    /// Formats a title, such as `Project dev` or `Shoot garden-dev/web`.
    pub(crate) fn title(&self) -> String {
        let Identity { kind, namespace, name } = &self.identity;
        let slash = if namespace.is_empty() { "" } else { "/" };
        format!("{kind} {namespace}{slash}{name}")
    }

    /// Audits the manifest as a stored object; `None` if this is not a manifest.
    pub(crate) fn stands(&self, auditor: &Auditor<'_>) -> Option<(ObjectKey, Reviewed)> {
        let (key, stored) = (self.key()?, self.new_state()?);
        let mut occasions = Vec::new();
        let seen = ((auditor.garden(), auditor.config()), auditor.now(), Shows::default());
        let reviewed = self.judge(&UserInfo::default(), seen, |_| {
            let audited = auditor.object(&key, stored);
            occasions = audited.occasions;
            Judged { review: audited.review, notes: audited.notes, unjudged: audited.unjudged }
        });
        let reviewed = Reviewed { operation: None, occasions, ..reviewed };
        Some((key, reviewed))
    }

    /// Judges the subject with `verdict`, and adds positions and notes.
    ///
    /// If requested, it adds the changes before storing.
    pub(crate) fn judge(
        &self,
        requester: &UserInfo,
        ((garden, config), now, shows): ((&Snapshot, &Config), Timestamp, Shows),
        verdict: impl FnOnce(&Request<'_>) -> Judged,
    ) -> Reviewed {
        let opened = Opened { subject: self, document: OnceCell::new() };
        let Identity { kind, namespace, name } = &self.identity;
        let mut reviewed = Reviewed {
            operation: Some(Operation::Create),
            edits: self.edits.clone(),
            ..Reviewed::new(
                (&self.file, self.number),
                (kind, namespace, name),
                self.written.excerpt(self.begin),
            )
        };
        let assumed = self.assumed_states(config);
        let judged = opened.request((requester, assumed.as_ref()), |request| {
            reviewed.operation = Some(request.operation);
            reviewed.unjudged = unjudged(request, (garden, config));
            reviewed.impact = impact(request, garden, now);
            let Judged { mut review, notes, unjudged } = verdict(request);
            if let Some(assumed) = &assumed {
                assumed.weaken(&mut review);
            }
            reviewed.notes = notes;
            reviewed.unjudged.extend(unjudged);
            let (patch, edits) = (take(&mut review.patch), take(&mut review.extension_edits));
            reviewed.template = self.note_placeholders(&mut review, &mut reviewed.notes);
            let completes = review.verdict() != Verdict::Denied && stored::completes(request);
            let is_whole = completes || !edits.is_empty();
            let is_wanted = shows.changes && !patch.is_empty() || is_whole;
            let is_shown = is_wanted && (shows.changes || shows.patch);
            let changed = (is_shown || !self.drift.is_empty()) && request.object.is_some();
            let changed = changed.then(|| {
                let garden = (completes.then_some(garden), config.gardener_version);
                stored::sent_and_stored(request, (&patch, &edits), garden)
            });
            let changed = changed.transpose().unwrap_or_else(|why| {
                let note = format!("the object as it would be stored is not known: {why}");
                reviewed.notes.push(note);
                None
            });
            reviewed.drift = opened.drift(changed.as_ref().map(|(_, stored)| stored));
            let changed = changed.filter(|_| is_shown);
            if let Some((sent, stored)) = changed.as_ref().filter(|_| shows.changes) {
                let names = [&self.file, "as it would be stored"];
                let changes = yaml_diff((names[0], sent), (names[1], stored));
                reviewed.changes = changes.unwrap_or_default();
            }
            let whole = changed.filter(|_| is_whole && shows.patch);
            let whole = whole.map(|(sent, stored)| json_patch::diff(&sent, &stored));
            reviewed.patch = Some(whole.unwrap_or(patch));
            review
        });
        reviewed.outcome = match judged {
            Ok(mut review) => {
                if let Some(change) = self.change() {
                    change.from.clone_into(&mut reviewed.from);
                    reviewed.is_compared = change.is_compared;
                    change.add_doubt(&mut review, &mut reviewed.notes);
                }
                match &self.copies {
                    Some(Copies::Noted(note)) => reviewed.notes.push(note.clone()),
                    Some(Copies::Warned(message)) => review.undetermined.push(Undetermined {
                        level: Level::Warn,
                        ..Undetermined::new(
                            "object/duplicate",
                            "metadata.name".to_owned(),
                            message.clone(),
                        )
                    }),
                    None => {}
                }
                let excerpts = opened.excerpts(&review);
                if shows.fixes {
                    reviewed.text_fixes = self.text_fixes(&review);
                }
                Outcome::Judged(review, excerpts)
            }
            Err((why, excerpt)) => Outcome::Unreadable(why, excerpt),
        };
        reviewed
    }

    /// Adds a note to a verdict about a manifest with placeholders, and removes fixes of them.
    ///
    /// Returns instead why the verdict does not count, if Gardener refuses a placeholder: `kubectl apply` does not store the
    /// manifest before another program replaces them.
    fn note_placeholders(&self, review: &mut Review, notes: &mut Vec<String>) -> Option<String> {
        let placeholders = Placeholders::of(self.new_state()?.get())?;
        let first = placeholders.first_field()?;
        let mut is_refused = false;
        for finding in &mut review.findings {
            if placeholders.are_at(&finding.pointer) {
                finding.fixes.clear();
                is_refused |= finding.level == Level::Deny
                    && finding.origin == Origin::Gardener
                    && !is_about_a_name(finding);
            }
        }
        if is_refused {
            return Some(first.why(&self.file));
        }
        notes.push(format!(
            "judged with placeholders (`{first}`), which `kubectl apply` does not replace"
        ));
        None
    }

    /// Returns the states of a manifest that is compared with an earlier one, but not with a stored object.
    fn assumed_states(&self, config: &Config) -> Option<AssumedStates> {
        let is_assumed = |it: &&Change| it.is_compared && !it.is_applied && it.new.is_some();
        let change = self.change().filter(is_assumed)?;
        let manifest = self.document().filter(|it| !it.repeats_keys())?.to_value();
        let created = (&*self.identity.namespace, config.judged_as().version);
        AssumedStates::of(self.key()?.kind, (change.old.as_deref()?, &manifest), created)
    }

    /// Returns an editor of the part of the file that contains the object; `None` if it cannot be edited.
    pub(crate) fn editor(&self) -> Option<Editor<'_>> {
        Editor::new(self.written.as_str())
    }

    /// Returns the byte range in the file of the part that contains the object.
    pub(crate) fn range(&self) -> Range<usize> {
        self.written.range()
    }

    /// Returns the text edits of this part, by its editor, that have the effect of edits of the object.
    ///
    /// Returns `None` for an AdmissionReview, and if a merged object differs from the file there.
    pub(crate) fn text_edits(
        &self,
        editor: &Editor<'_>,
        edits: &[admission::Edit],
    ) -> Option<Vec<TextEdit>> {
        let document = self.document()?;
        let change = self.change()?;
        if change.is_applied {
            let written = document.to_value();
            let merged = Json::text(change.new.as_ref()?.get()).to_value();
            let is_same = |edit: &admission::Edit| {
                let pointer = edit.pointer();
                written.pointer(pointer) == merged.pointer(pointer)
                    && (written.pointer(pointer).is_some() || !has_index(pointer))
            };
            if !edits.iter().all(is_same) {
                return None;
            }
        }
        editor.edits(&document, edits)
    }

    /// Returns the first fix of each finding as replacements of text; empty if there are none.
    fn text_fixes(&self, review: &Review) -> Vec<Option<TextFix>> {
        let mut findings = review.findings.iter();
        if findings.all(|it| it.fixes.is_empty()) {
            return Vec::new();
        }
        let text = self.written.as_str();
        let Some(editor) = self.editor().filter(|_| text.len() <= LONGEST_FIXED) else {
            return Vec::new();
        };
        let before = self.written.lines_before();
        let in_file = |position: Position| Position { line: position.line + before, ..position };
        let fix = |finding: &Finding| {
            let fix = finding.fixes.first()?;
            let edits = self.text_edits(&editor, &fix.edits)?;
            let lines = yaml::edited_lines(text, &edits);
            let lines = lines.filter(|(old, _)| old.lines().count() <= MOST_LINES);
            let lines = lines.filter(|_| !self.hides_any(text, &edits));
            Some(TextFix {
                title: fix.title.clone(),
                lines: lines.map(|(_, new)| new),
                replacements: edits
                    .into_iter()
                    .map(|it| (it.positions(text).map(in_file), it.text))
                    .collect(),
            })
        };
        let findings = review.findings.iter().enumerate();
        findings
            .map(|(index, finding)| (index < MOST_FIXES).then(|| fix(finding)).flatten())
            .collect()
    }

    /// Reports whether edits change lines that are not shown.
    fn hides_any(&self, text: &str, edits: &[TextEdit]) -> bool {
        let mut lines = edits.iter().flat_map(|it| {
            let [first, last] = it.positions(text);
            first.line..=last.line
        });
        lines.any(|line| self.written.is_hidden(line))
    }

    /// Reports whether both are the same document of a file.
    pub(crate) fn is_document_of(&self, other: &Self) -> bool {
        self.number == other.number
    }

    /// Returns the subject with the text of `again`, in which only these edits were made.
    pub(crate) fn rewritten(&self, again: &Subject, edits: &[&admission::Edit]) -> Option<Subject> {
        let mut subject =
            Subject { written: again.written.clone(), begin: again.begin, ..self.clone() };
        if edits.is_empty() {
            return Some(subject);
        }
        let Ok(Source::Manifest(kind, change)) = &mut subject.source else {
            return None;
        };
        let mut object = Json::text(change.new.as_ref()?.get()).to_value();
        edits.iter().try_for_each(|edit| edit.apply(&mut object))?;
        let new = to_raw_value(&object).ok()?;
        subject.kept = garden::read_with_configuration(*kind, new.get()).ok().flatten();
        change.new = Some(new);
        Some(subject)
    }

    /// Returns the fixed object, if a fix is known.
    pub(crate) fn fix(&self) -> anyhow::Result<Option<Fix>> {
        let document = self.document();
        let object = document.and_then(|document| document.part(self.object_at));
        object.map_or(Ok(None), |object| fix(&self.file, &object.to_value()))
    }
}

/// A subject with its document, which is parsed on first use; objects without findings do not need it.
struct Opened<'s> {
    subject: &'s Subject,
    document: OnceCell<Option<Document>>,
}

impl Opened<'_> {
    /// Calls `look` with the request of an API server.
    fn request<T>(
        &self,
        (requester, assumed): (&UserInfo, Option<&AssumedStates>),
        look: impl FnOnce(&Request<'_>) -> T,
    ) -> Result<T, (String, Excerpt)> {
        let subject = self.subject;
        let here = |error: &dyn Error| (error.to_string(), self.excerpt(""));
        let written = &subject.written;
        let source = subject.source.as_ref();
        let source = source.map_err(|(why, place)| (why.clone(), written.excerpt(*place)))?;
        let request = match source {
            Source::Review(review) => {
                let request = Request::from_review(review.as_bytes());
                request.map_err(|error| here(&error))?
            }
            Source::Manifest(kind, change) => {
                let states = match assumed {
                    Some(assumed) => [Some(&*assumed.new), Some(&*assumed.old)],
                    None => [change.new.as_deref(), change.old.as_deref()],
                };
                Request {
                    name: subject.identity.name.clone(),
                    namespace: subject.identity.namespace.clone(),
                    ..Request::of_objects(*kind, requester.clone(), states)
                }
            }
        };
        let [new_object, _] = request.received();
        let opened = new_object.opened();
        let request = Request { opened: Some(&opened), ..request };
        Ok(look(&request))
    }

    fn document(&self) -> Option<&Document> {
        let document = self.document.get_or_init(|| self.subject.document());
        document.as_ref()
    }

    /// Returns the drift that applying the object would revert; `becoming` is the resulting object.
    fn drift(&self, becoming: Option<&Value>) -> Vec<Drifted> {
        let mut drift = self.subject.drift.clone();
        if let (Some(key), Some(becoming)) = (self.subject.key(), becoming) {
            drift = stored::that_matter(drift, key.kind, becoming);
        }
        let drifted =
            drift.into_iter().map(|drift| Drifted { excerpt: self.excerpt(&drift.pointer), drift });
        drifted.collect()
    }

    /// Returns the excerpts of findings, then undetermined checks, then silenced findings.
    fn excerpts(&self, review: &Review) -> Vec<Excerpt> {
        let findings = review.findings.iter();
        let findings = findings.map(|finding| self.excerpt_of(finding));
        let undetermined = review.undetermined.iter();
        let undetermined = undetermined.map(|it| self.excerpt_of_field(&it.field));
        let silenced = review.silenced.iter().flat_map(|it| &it.findings);
        let silenced = silenced.map(|finding| self.excerpt_of(finding));
        findings.chain(undetermined).chain(silenced).collect()
    }

    fn excerpt_of(&self, finding: &Finding) -> Excerpt {
        let pointer = format!("{}{}", self.subject.object_at, finding.pointer);
        match (self.document(), is_about_a_name(finding)) {
            (Some(document), true) => {
                let written = &self.subject.written;
                written.excerpt(document.key_position(&pointer))
            }
            _ => self.excerpt(&pointer),
        }
    }

    /// Returns the excerpt of a field in Gardener's notation, such as `spec.provider.workers[0].name`.
    ///
    /// The notation is ambiguous, so this is the nearest position.
    fn excerpt_of_field(&self, field: &str) -> Excerpt {
        let steps = field.split(['.', '[']).map(|step| step.trim_end_matches(']'));
        let steps = steps.filter(|step| !step.is_empty());
        let pointer: String = steps.map(|step| format!("/{}", step.replace('/', "~1"))).collect();
        self.excerpt(&format!("{}{pointer}", self.subject.object_at))
    }

    fn excerpt(&self, pointer: &str) -> Excerpt {
        let document = self.document();
        let position = document.map_or(Position::START, |document| document.position(pointer));
        self.subject.written.excerpt(position)
    }
}

/// Reports whether an object contains a directive of a strategic merge patch, other than in configurations of extensions.
fn has_directive(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_directive),
        Value::Object(fields) => fields.iter().any(|(name, value)| {
            name == "$patch" || !name.ends_with("Config") && has_directive(value)
        }),
        _ => false,
    }
}

/// Reports whether a JSON pointer leads through a list.
fn has_index(pointer: &str) -> bool {
    let mut steps = pointer.split('/').skip(1);
    steps.any(|step| step.parse::<usize>().is_ok())
}

/// Reports whether a finding is about the name of a field, not about its value.
fn is_about_a_name(finding: &Finding) -> bool {
    let names = [ErrorType::NotSupported, ErrorType::Duplicate];
    finding.phase == Phase::Decoding && names.contains(&finding.error)
}
