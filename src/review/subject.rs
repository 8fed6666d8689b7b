use std::cell::OnceCell;
use std::error::Error;
use std::mem::take;
use std::sync::Arc;

use jiff::Timestamp;
use json_patch::Patch;
use rayon::prelude::*;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::file_documents::FileDocument;
use super::fix::fix;
use super::kind_suggestions::{ManifestKind, meant};
use super::template;
use crate::audit::Auditor;
use crate::config::Level;
use crate::coverage::unjudged;
use crate::engine::{
    ErrorType, Finding, Kind, Operation, Phase, Request, Review, Undetermined, Verdict,
};
use crate::forecast::impact;
use crate::garden::directory::kind_hints::mentioned;
use crate::garden::{self, GardenObject, ObjectKey, Snapshot};
use crate::model::{Known, UserInfo, group_and_version};
use crate::report::{Drifted, Edit, Fix, Outcome, Reviewed, diff};
use crate::source::{self, Document, Excerpt, Position, SourceError, Text};
use crate::stored::{self, Drift};

/// What is shown of what would be stored in place of what is sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shows {
    /// As a diff of YAML.
    pub(crate) changes: bool,
    /// As a JSON Patch.
    pub(crate) patch: bool,
}

/// A report about other copies of an object.
#[derive(Clone, Debug)]
pub(crate) enum Copies {
    Warned(String),
    Noted(String),
}

/// One object of a file, on its way to a verdict.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) file: Arc<str>,
    number: usize,
    identity: Identity,
    /// What to judge, or why there is nothing.
    source: Result<Source, (String, Position)>,
    written: FileDocument,
    /// Where the object begins in it.
    begin: Position,
    /// What the others of a change see of it.
    kept: Option<GardenObject>,
    /// In what the garden differs from it.
    pub(crate) drift: Vec<Drift>,
    /// What was written into the file because of that.
    pub(crate) edits: Vec<Edit>,
    /// Where else the change has the object.
    pub(crate) copies: Option<Copies>,
    /// Where the object is in the document: empty for a manifest, inside for an AdmissionReview.
    object_at: &'static str,
}

/// Where a request comes from.
#[derive(Clone)]
enum Source {
    /// An AdmissionReview.
    Review(String),
    /// A manifest that becomes what is stored.
    Manifest(Kind, Change),
}

/// An object before and after, as JSON; an object that is new has no old state, and one that goes has no new one.
#[derive(Clone, Default)]
struct Change {
    /// What the manifest says, until it is applied to something.
    new: Option<Box<RawValue>>,
    old: Option<Box<RawValue>>,
    /// Where the old state comes from, for the heading; empty without one.
    from: String,
    /// Whether the old state is what the garden has.
    is_applied: bool,
    /// What is not known of the old state.
    doubt: Doubt,
}

/// Whether it is known what an object replaces.
#[derive(Clone, Default)]
enum Doubt {
    #[default]
    None,
    /// There may be one, with the reason why nobody knows.
    MayReplace(String),
    /// There is one, with the reason why nobody knows what it is like.
    Replaces(String),
}

#[derive(Clone, Default)]
struct Identity {
    kind: String,
    namespace: String,
    name: String,
}

/// What a file holds.
#[derive(Default)]
pub(crate) struct Held {
    /// Every object that can be judged.
    pub(crate) subjects: Vec<Subject>,
    /// Objects that others may refer to, of which nothing but the names matters.
    pub(crate) named: Vec<ObjectKey>,
    /// How many objects are not judged.
    pub(crate) others: usize,
}

/// An object of a file.
enum Object {
    Judged(Box<Subject>),
    Named(ObjectKey),
    /// One that is of no concern.
    Other,
}

/// What a file holds. Documents stay in memory if it `keeps` them.
pub(crate) fn read(file: &str, text: String, keeps: bool) -> Held {
    let file: Arc<str> = file.into();
    let text = Arc::new(text);
    let objects = in_parts(&file, &text, keeps).unwrap_or_else(|| {
        let text = Arc::new(Text::new(text));
        objects(&file, &text, keeps).unwrap_or_else(|error| {
            let subject = Subject {
                source: Err((error.message, error.position)),
                written: FileDocument::unreadable(text),
                ..Subject::unreadable(&file, String::new())
            };
            vec![Object::Judged(Box::new(subject))]
        })
    });
    let mut held = Held::default();
    for (index, object) in objects.into_iter().enumerate() {
        match object {
            Object::Judged(subject) => held.subjects.push(Subject {
                number: index + 1,
                ..*subject
            }),
            Object::Named(key) => {
                held.named.push(key);
                held.others += 1;
            }
            Object::Other => held.others += 1,
        }
    }
    held
}

/// The objects of a text with several documents, each read by itself; `None` if one cannot be: what is wrong is told of the text as a whole.
fn in_parts(file: &Arc<str>, text: &Arc<String>, keeps: bool) -> Option<Vec<Object>> {
    let parts = source::split(text);
    if parts.len() == 1 {
        return None;
    }
    let parts = parts.into_par_iter().map(|(before, place)| {
        let text = Arc::new(Text::part(Arc::clone(text), place, before));
        objects(file, &text, keeps)
    });
    let parts: Result<Vec<_>, SourceError> = parts.collect();
    Some(parts.ok()?.into_iter().flatten().collect())
}

/// The objects of a text.
fn objects(file: &Arc<str>, text: &Arc<Text>, keeps: bool) -> Result<Vec<Object>, SourceError> {
    let documents = source::parse_keeping_repeated(text.as_str())?;
    let is_one = documents.len() == 1;
    let objects = documents.into_iter().flat_map(|document| {
        let parts = flatten(&document);
        let is_whole = is_one && parts.as_ref().is_none();
        let parts = parts.unwrap_or_else(|| vec![document]);
        // An array may hold lists.
        let parts = parts
            .into_iter()
            .flat_map(|part| flatten(&part).unwrap_or_else(|| vec![part]));
        parts.map(move |part| (part, is_whole))
    });
    let objects = objects.map(|(document, is_whole)| {
        let Some(subject) = subject(file, &document) else {
            return named(&document).map_or(Object::Other, Object::Named);
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

/// Puts manifests that name no namespace into this one.
pub(crate) fn set_namespaces(subjects: &mut [Subject], namespace: Option<&str>) {
    let Some(namespace) = namespace else { return };
    for subject in subjects.iter_mut() {
        subject.set_namespace(namespace);
    }
}

/// A text that says nothing.
fn nothing() -> Arc<Text> {
    Arc::new(Text::new(String::new()))
}

/// The items of a `List`, or of an array with objects; `None` for anything else. A typed list of ours may leave them out: there are none.
fn flatten(document: &Document) -> Option<Vec<Document>> {
    if let Some(items) = document.items() {
        let has_objects = items.iter().any(|it| it.text("/kind").is_some());
        return has_objects.then_some(items);
    }
    let kind = document.text("/kind").unwrap_or_default();
    let item = kind.strip_suffix("List")?;
    let items = document.part("/items").and_then(|items| items.items());
    let api_version = document.text("/apiVersion").unwrap_or_default();
    items.or_else(|| match meant(&api_version, item) {
        ManifestKind::Kind(_) => Some(Vec::new()),
        _ => None,
    })
}

/// What a document is about that others may refer to; `None` if nobody does.
fn named(document: &Document) -> Option<ObjectKey> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, name) = (text("/apiVersion"), text("/kind"));
    let kind = Kind::of_manifest(group_and_version(&api_version).0, &name)?;
    let is_named = matches!(kind.known(), Known::Labelled { .. } | Known::Asked);
    is_named.then(|| ObjectKey::new(kind, text("/metadata/namespace"), text("/metadata/name")))
}

/// What a document is about; `None` if it is not judged.
fn subject(file: &Arc<str>, document: &Document) -> Option<Subject> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, kind) = (text("/apiVersion"), text("/kind"));
    let mut kept = None;
    let (identity, source, object_at) = if kind == "AdmissionReview" {
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
        file: Arc::clone(file),
        number: 1,
        identity,
        source,
        written: FileDocument::unreadable(nothing()),
        begin: document.position(object_at),
        kept,
        drift: Vec::new(),
        edits: Vec::new(),
        copies: None,
        object_at,
    })
}

/// A manifest that is new, and what others see of it. What cannot be read as what it should be is nothing to others; its own verdict
/// says so.
fn manifest(
    kind: Kind,
    document: &Document,
) -> Result<(Source, Option<GardenObject>), (String, Position)> {
    let new = to_raw_value(document);
    let new = new.map_err(|error| (error.to_string(), Position::START))?;
    // Of fields that repeat the last one counts, as for a document.
    let kept = garden::read(kind, new.get()).or_else(|_| garden::read(kind, document));
    let change = Change {
        new: Some(new),
        ..Change::default()
    };
    Ok((Source::Manifest(kind, change), kept.ok().flatten()))
}

impl Change {
    /// Without the old state there is no verdict; where perhaps there is none, the verdict is that about a new object.
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
    /// What is the matter with a file that holds nothing to judge.
    pub(crate) fn unreadable(file: &str, why: String) -> Self {
        Self {
            file: file.into(),
            number: 1,
            identity: Identity::default(),
            source: Err((why, Position::START)),
            written: FileDocument::unreadable(nothing()),
            begin: Position::START,
            kept: None,
            drift: Vec::new(),
            edits: Vec::new(),
            copies: None,
            object_at: "",
        }
    }

    /// Why nothing could be made of the text: it is neither YAML nor JSON; `None` if something could.
    pub(crate) fn why_unreadable(&self) -> Option<String> {
        let why = self.source.as_ref().err();
        let why = why.filter(|_| !self.written.is_readable());
        why.map(|(why, _)| why.clone())
    }

    /// As [`Self::why_unreadable`], if nothing that is judged is lost: the text is a template, or of something else.
    pub(crate) fn why_no_manifest(&self) -> Option<String> {
        // Many objects may share a text that is long.
        let why = self.why_unreadable()?;
        let text = self.written.as_str();
        let is_lost = !text.contains("{{") && mentioned(text).into_iter().any(Kind::is_judged);
        Some(why).filter(|_| !is_lost)
    }

    /// Why the text, which could not be read, is not judged: it is a template of an object that would be.
    pub(crate) fn why_template(&self) -> Option<String> {
        self.why_unreadable()?;
        let text = self.written.as_str();
        let is_of_ours = mentioned(text).into_iter().any(Kind::is_judged);
        is_of_ours
            .then(|| template::why_text(&self.file, text))
            .flatten()
    }

    /// Why the manifest is not judged: it has placeholders.
    pub(crate) fn why_placeholders(&self) -> Option<String> {
        template::why_manifest(&self.file, self.new_state()?.get())
    }

    /// Whether it says how it is to be merged into another object.
    pub(crate) fn has_patch_directive(&self) -> bool {
        self.new_state()
            .is_some_and(|it| it.get().contains("\"$patch\":"))
    }

    /// Whether it is a manifest of an object in a namespace of the garden, and names none.
    pub(crate) fn lacks_namespace(&self) -> bool {
        let key = self.key();
        key.is_some_and(|it| it.kind.is_namespaced() && !it.kind.is_of_shoot_cluster())
            && self.identity.namespace.is_empty()
    }

    /// Puts a manifest that names no namespace into this one.
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
            self.kept = garden::read(*kind, new.get()).ok().flatten();
            change.new = Some(new);
            namespace.clone_into(&mut self.identity.namespace);
        }
    }

    /// Where annotations go: into the existing ones or, with `true`, as a new field of the metadata.
    pub(crate) fn annotations(&self) -> Option<(Position, bool)> {
        let document = self.document()?;
        let at = |pointer: &str| document.first_key(&format!("{}{pointer}", self.object_at));
        let found = match document.part(&format!("{}/metadata/annotations", self.object_at)) {
            Some(_) => (at("/metadata/annotations")?, false),
            None => (at("/metadata")?, true),
        };
        Some((self.position_in_file(found.0), found.1))
    }

    /// `shoots/web.yaml:3`, where the object begins; with the column if that is not the first.
    pub(crate) fn place(&self) -> String {
        let begin = self.written.excerpt(self.begin).position;
        match begin.column {
            1 => format!("{}:{}", self.file, begin.line),
            column => format!("{}:{}:{column}", self.file, begin.line),
        }
    }

    /// What a manifest is about; `None` for an AdmissionReview, which brings its old state along.
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

    /// What an AdmissionReview is a request for; `None` for a manifest, and for what no rule looks at.
    pub(crate) fn asks_for(&self) -> Option<(Kind, Operation)> {
        let Ok(Source::Review(review)) = &self.source else {
            return None;
        };
        let request = Request::from_review(review.as_bytes()).ok()?;
        Some((request.kind()?, request.operation))
    }

    /// What is written, read again if it was not kept.
    pub(crate) fn document(&self) -> Option<Document> {
        self.written.document()
    }

    /// All that the file says.
    pub(crate) fn whole_text(&self) -> &str {
        self.written.of_file()
    }

    /// Where in the file a place of the document is.
    pub(crate) fn position_in_file(&self, position: Position) -> Position {
        self.written.excerpt(position).position
    }

    /// What is kept of the object as it is written, for others; `None` if it cannot be read as what it should be.
    pub(crate) fn take_kept(&mut self) -> Option<GardenObject> {
        self.kept.take()
    }

    /// Makes it the change of what the garden has, to which it is applied.
    ///
    /// # Errors
    /// When the old or new state cannot be written as JSON.
    pub(crate) fn applies_to(
        &mut self,
        old: &Value,
        new: Option<&Value>,
        origin: &str,
    ) -> serde_json::Result<()> {
        if let Ok(Source::Manifest(_, change)) = &mut self.source {
            change.is_applied = true;
        }
        self.updates(old, new, origin)
    }

    fn updates(
        &mut self,
        old: &Value,
        new: Option<&Value>,
        origin: &str,
    ) -> serde_json::Result<()> {
        if let Ok(Source::Manifest(_, change)) = &mut self.source {
            change.old = Some(to_raw_value(old)?);
            if let Some(new) = new {
                change.new = Some(to_raw_value(new)?);
            }
            origin.clone_into(&mut change.from);
        }
        Ok(())
    }

    /// Whether it is a manifest that says what another one says.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let [own, other] = [self, other].map(|it| it.new_state().map(RawValue::get));
        let value = |text: Option<&str>| serde_json::from_str::<Value>(text?).ok();
        own.is_some() && (own == other || value(own) == value(other))
    }

    /// Makes it the change of what another manifest says.
    ///
    /// # Errors
    /// When the old state cannot be written as JSON.
    pub(crate) fn replaces(&mut self, stored: &Self, origin: &str) -> serde_json::Result<()> {
        let Some(old) = stored.new_state() else {
            return Ok(());
        };
        // Of fields that repeat the last one counts.
        let old: Value = serde_json::from_str(old.get())?;
        self.updates(&old, None, origin)
    }

    /// Whether it is a manifest without an old state.
    pub(crate) fn is_new(&self) -> bool {
        matches!(&self.source, Ok(Source::Manifest(_, change)) if change.old.is_none())
    }

    /// Notes that nobody knows whether there is an object that it replaces, and why.
    pub(crate) fn may_replace(&mut self, why: String) {
        self.doubt(Doubt::MayReplace(why));
    }

    /// Notes that nobody knows what the object that it replaces is like, and why.
    pub(crate) fn replaces_unknown(&mut self, why: String) {
        self.doubt(Doubt::Replaces(why));
    }

    fn doubt(&mut self, doubt: Doubt) {
        if let Ok(Source::Manifest(_, change)) = &mut self.source {
            change.doubt = doubt;
        }
    }

    /// Makes it the removal of what the manifest says.
    pub(crate) fn goes(&mut self, origin: &str) {
        if let Ok(Source::Manifest(_, change)) = &mut self.source {
            change.old = change.new.take();
            origin.clone_into(&mut change.from);
        }
    }

    /// What will be stored, as far as it is a manifest and stays.
    pub(crate) fn new_state(&self) -> Option<&RawValue> {
        let Ok(Source::Manifest(_, change)) = &self.source else {
            return None;
        };
        change.new.as_deref()
    }

    /// What was there before, as far as that is a manifest, too.
    pub(crate) fn old_state(&self) -> Option<Value> {
        let Ok(Source::Manifest(_, change)) = &self.source else {
            return None;
        };
        serde_json::from_str(change.old.as_ref()?.get()).ok()
    }

    /// Leaves nothing to judge, for a reason.
    pub(crate) fn fails(&mut self, why: String) {
        let document = self.document();
        let position = document.map_or(Position::START, |it| it.position("/metadata/name"));
        self.source = Err((why, position));
    }

    /// Whether the object will be there afterwards.
    pub(crate) fn stays(&self) -> bool {
        !matches!(&self.source, Ok(Source::Manifest(_, change)) if change.new.is_none())
    }

    /// `Project dev`, `Shoot garden-dev/web`.
    pub(crate) fn title(&self) -> String {
        let Identity {
            kind,
            namespace,
            name,
        } = &self.identity;
        let slash = if namespace.is_empty() { "" } else { "/" };
        format!("{kind} {namespace}{slash}{name}")
    }

    /// How an object stands that is there, as the manifest has it; `None` for what is no manifest of an object.
    pub(crate) fn stands(&self, auditor: &Auditor<'_>) -> Option<(ObjectKey, Reviewed)> {
        let (key, stored) = (self.key()?, self.new_state()?);
        let mut occasions = Vec::new();
        let seen = (auditor.garden(), auditor.now(), Shows::default());
        let reviewed = self.judge(&UserInfo::default(), seen, |_| {
            let audited = auditor.object(&key, stored);
            occasions = audited.occasions;
            (audited.review, Vec::new())
        });
        let reviewed = Reviewed {
            operation: None,
            occasions,
            ..reviewed
        };
        Some((key, reviewed))
    }

    /// Asks for the verdict in a garden, with notes, works out what would be stored if that is shown, and puts it together with where everything stands.
    pub(crate) fn judge(
        &self,
        requester: &UserInfo,
        (garden, now, shows): (&Snapshot, Timestamp, Shows),
        verdict: impl FnOnce(&Request<'_>) -> (Review, Vec<String>),
    ) -> Reviewed {
        let opened = Opened {
            subject: self,
            document: OnceCell::new(),
        };
        let Identity {
            kind,
            namespace,
            name,
        } = &self.identity;
        let mut reviewed = Reviewed {
            operation: Some(Operation::Create),
            edits: self.edits.clone(),
            ..Reviewed::new(
                (&self.file, self.number),
                (kind, namespace, name),
                self.written.excerpt(self.begin),
            )
        };
        let judged = opened.request(requester, |request, sent| {
            reviewed.operation = Some(request.operation);
            reviewed.unjudged = unjudged(request, garden);
            reviewed.impact = impact(request, garden, now);
            let (mut review, notes) = verdict(request);
            reviewed.notes = notes;
            let patch = take(&mut review.patch);
            let completes = review.verdict() != Verdict::Denied && stored::completes(request);
            let is_wanted = shows.changes && !patch.is_empty() || completes;
            let is_shown = is_wanted && (shows.changes || shows.patch);
            let changed = (is_shown || !self.drift.is_empty())
                .then(|| opened.stored(&patch, (request, garden, completes), sent))
                .flatten();
            reviewed.drift = opened.drift(changed.as_ref().map(|(_, stored)| stored));
            let changed = changed.filter(|_| is_shown);
            if let Some((sent, stored)) = changed.as_ref().filter(|_| shows.changes) {
                let names = [&self.file, "as it would be stored"];
                let changes = diff((names[0], sent), (names[1], stored));
                reviewed.changes = changes.unwrap_or_default();
            }
            let whole = changed.filter(|_| completes && shows.patch);
            let whole = whole.map(|(sent, stored)| json_patch::diff(&sent, &stored));
            reviewed.patch = Some(whole.unwrap_or(patch));
            review
        });
        reviewed.outcome = match judged {
            Ok(mut review) => {
                if let Ok(Source::Manifest(_, change)) = &self.source {
                    change.from.clone_into(&mut reviewed.from);
                    reviewed.is_applied = change.is_applied;
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
                Outcome::Judged(review, excerpts)
            }
            Err((why, excerpt)) => Outcome::Unreadable(why, excerpt),
        };
        reviewed
    }

    /// The object put right, if there is something that we know how to.
    pub(crate) fn fix(&self) -> anyhow::Result<Option<Fix>> {
        let document = self.document();
        let object = document.and_then(|document| document.part(self.object_at));
        object.map_or(Ok(None), |object| fix(&self.file, &object.to_value()))
    }
}

/// A subject with its document, once that is asked for: what nothing is said about needs none.
struct Opened<'s> {
    subject: &'s Subject,
    document: OnceCell<Option<Document>>,
}

impl Opened<'_> {
    /// Looks at what an API server would be asked, and at the object in it as JSON.
    fn request<T>(
        &self,
        requester: &UserInfo,
        look: impl FnOnce(&Request<'_>, Option<&RawValue>) -> T,
    ) -> Result<T, (String, Excerpt)> {
        let subject = self.subject;
        let here = |error: &dyn Error| (error.to_string(), self.excerpt(""));
        let written = &subject.written;
        let source = subject.source.as_ref();
        let source = source.map_err(|(why, place)| (why.clone(), written.excerpt(*place)))?;
        let (request, new) = match source {
            Source::Review(review) => {
                let request = Request::from_review(review.as_bytes());
                (request.map_err(|error| here(&error))?, None)
            }
            Source::Manifest(kind, change) => {
                let [new, old] = [change.new.as_deref(), change.old.as_deref()];
                let request = Request {
                    name: subject.identity.name.clone(),
                    namespace: subject.identity.namespace.clone(),
                    ..Request::of_objects(*kind, requester.clone(), [new, old])
                };
                (request, new)
            }
        };
        let [new_object, _] = request.received();
        let opened = new_object.opened();
        let request = Request {
            opened: Some(&opened),
            ..request
        };
        Ok(look(&request, new))
    }

    fn document(&self) -> Option<&Document> {
        let document = self.document.get_or_init(|| self.subject.document());
        document.as_ref()
    }

    /// What was `sent`, or stands in an AdmissionReview, and what would be stored in its place: what `patch` makes of it, completed if that
    /// is wanted.
    fn stored(
        &self,
        patch: &Patch,
        (request, garden, completes): (&Request<'_>, &Snapshot, bool),
        sent: Option<&RawValue>,
    ) -> Option<(Value, Value)> {
        let sent: Value = match sent {
            Some(sent) => serde_json::from_str(sent.get()).ok()?,
            None => {
                let object = self.document()?.part(self.subject.object_at)?;
                object.to_value()
            }
        };
        let mut stored = sent.clone();
        json_patch::patch(&mut stored, patch).ok()?;
        if completes {
            stored::complete(request, &sent, &mut stored, garden);
        }
        Some((sent, stored))
    }

    /// In what the garden differs, as far as applying the object, which makes it what it is `becoming`, changes that.
    fn drift(&self, becoming: Option<&Value>) -> Vec<Drifted> {
        let mut drift = self.subject.drift.clone();
        if let (Some(key), Some(becoming)) = (self.subject.key(), becoming) {
            drift = stored::that_matter(drift, key.kind, becoming);
        }
        let drifted = drift.into_iter().map(|drift| Drifted {
            excerpt: self.excerpt(&drift.pointer),
            drift,
        });
        drifted.collect()
    }

    /// Where findings are, then what could not be judged, then what is silenced.
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

    /// Of what is named as Gardener writes it, `spec.provider.workers[0].name`; as near as it can be told from that.
    fn excerpt_of_field(&self, field: &str) -> Excerpt {
        let steps = field
            .split(['.', '['])
            .map(|step| step.trim_end_matches(']'));
        let steps = steps.filter(|step| !step.is_empty());
        let pointer: String = steps
            .map(|step| format!("/{}", step.replace('/', "~1")))
            .collect();
        self.excerpt(&format!("{}{pointer}", self.subject.object_at))
    }

    fn excerpt(&self, pointer: &str) -> Excerpt {
        let document = self.document();
        let position = document.map_or(Position::START, |document| document.position(pointer));
        self.subject.written.excerpt(position)
    }
}

/// Whether a reader has to look at the name of the field rather than at its value.
fn is_about_a_name(finding: &Finding) -> bool {
    let names = [ErrorType::NotSupported, ErrorType::Duplicate];
    finding.phase == Phase::Decoding && names.contains(&finding.error)
}
