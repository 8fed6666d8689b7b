use std::sync::Arc;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::fix::fix;
use super::meant::{Meant, meant};
use crate::config::Level;
use crate::engine::{
    ErrorType, Finding, Kind, Operation, Phase, Request, RequestError, Review, Undetermined,
};
use crate::garden::directory::mentions::mentioned;
use crate::garden::{ObjectKey, Snapshot};
use crate::model::UserInfo;
use crate::report::{Fix, Outcome, Reviewed, diff};
use crate::rules;
use crate::source::{self, Document, Excerpt, Position, Text};

/// One object of a file, on its way to a verdict.
pub(super) struct Subject {
    pub(super) file: String,
    number: usize,
    identity: Identity,
    /// What to judge, or why there is nothing.
    source: Result<Source, (String, Position)>,
    document: Option<Document>,
    text: Arc<Text>,
    /// Where the object is in the document: empty for a manifest, inside for an AdmissionReview.
    object_at: &'static str,
}

/// Where a request comes from.
enum Source {
    /// An AdmissionReview.
    Review(String),
    /// A manifest that becomes what is stored.
    Manifest(Kind, Change),
}

/// An object before and after; an object that is new has no old state, and one that goes has no new one.
struct Change {
    new: Option<Box<RawValue>>,
    old: Option<Box<RawValue>>,
    /// Where the old state comes from, for the heading; empty without one.
    from: String,
    /// What is not known of the old state.
    doubt: Doubt,
}

/// Whether it is known what an object replaces.
#[derive(Default)]
enum Doubt {
    #[default]
    None,
    /// There may be one, with the reason why nobody knows.
    MayReplace(String),
    /// There is one, with the reason why nobody knows what it is like.
    Replaces(String),
}

#[derive(Default)]
struct Identity {
    kind: String,
    namespace: String,
    name: String,
}

/// Every object of a file that can be judged, and how many others there are, which are of no concern to us.
pub(super) fn read(file: &str, text: String) -> (Vec<Subject>, usize) {
    let text = Arc::new(Text::new(text));
    match source::parse_keeping_repeated(text.as_str()) {
        Ok(documents) => {
            let objects: Vec<Document> = documents.iter().flat_map(flatten).collect();
            let all = objects.len();
            let objects = objects.into_iter().enumerate();
            let subjects: Vec<Subject> = objects
                .filter_map(|(index, document)| subject((file, &text), index + 1, document))
                .collect();
            let others = all - subjects.len();
            (subjects, others)
        }
        Err(error) => {
            let source = Err((error.message, error.position));
            let subject = Subject {
                source,
                text,
                ..Subject::unreadable(file, String::new())
            };
            (vec![subject], 0)
        }
    }
}

/// The items of a `List`, else the document itself. A typed list of ours may leave them out: there are none.
fn flatten(document: &Document) -> Vec<Document> {
    let kind = document.text("/kind").unwrap_or_default();
    if !kind.ends_with("List") {
        return vec![document.clone()];
    }
    let items = document.part("/items").and_then(|items| items.items());
    let api_version = document.text("/apiVersion").unwrap_or_default();
    let item = kind.trim_end_matches("List");
    items.unwrap_or_else(|| match meant(&api_version, item) {
        Meant::Kind(_) => Vec::new(),
        _ => vec![document.clone()],
    })
}

fn subject(
    (file, source_text): (&str, &Arc<Text>),
    number: usize,
    document: Document,
) -> Option<Subject> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let unwritable = |error: serde_json::Error| (error.to_string(), Position::START);
    let (api_version, kind) = (text("/apiVersion"), text("/kind"));
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
        let review = serde_json::to_string(&document).map(Source::Review);
        (identity, review.map_err(unwritable), object_at)
    } else {
        let (name, source) = match meant(&api_version, &kind) {
            Meant::Other => return None,
            Meant::Nothing(why) => (kind, Err((why, document.position("/kind")))),
            Meant::Kind(kind) => {
                let object = to_raw_value(&document).map_err(unwritable);
                let source = object.map(|object| {
                    let (new, old, from) = (Some(object), None, String::new());
                    let doubt = Doubt::None;
                    Source::Manifest(
                        kind,
                        Change {
                            new,
                            old,
                            from,
                            doubt,
                        },
                    )
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
    let file = file.to_owned();
    Some(Subject {
        file,
        number,
        identity,
        source,
        document: Some(document),
        text: Arc::clone(source_text),
        object_at,
    })
}

impl Source {
    fn request(
        &self,
        identity: &Identity,
        requester: &UserInfo,
    ) -> Result<Request<'_>, RequestError> {
        match self {
            Source::Review(review) => Request::from_review(review.as_bytes()),
            Source::Manifest(kind, change) => Ok(Request {
                name: identity.name.clone(),
                namespace: identity.namespace.clone(),
                ..Request::of_objects(
                    *kind,
                    requester.clone(),
                    [change.new.as_deref(), change.old.as_deref()],
                )
            }),
        }
    }
}

impl Source {
    /// Without the old state there is no verdict; where perhaps there is none, the verdict is that about a new object.
    fn add_doubt(&self, review: &mut Review, notes: &mut Vec<String>) {
        let Source::Manifest(_, change) = self else {
            return;
        };
        match &change.doubt {
            Doubt::None => {}
            Doubt::MayReplace(why) => notes.push(format!("judged as a new object: {why}")),
            Doubt::Replaces(why) => review.undetermined.push(Undetermined {
                rule: "garden/unreadable",
                field: String::new(),
                message: format!("cannot tell what is replaced: {why}"),
                level: Level::Deny,
                would_deny: false,
            }),
        }
    }
}

impl Subject {
    /// What is the matter with a file that holds nothing to judge.
    pub(super) fn unreadable(file: &str, why: String) -> Self {
        Self {
            file: file.to_owned(),
            number: 1,
            identity: Identity::default(),
            source: Err((why, Position::START)),
            document: None,
            text: Arc::new(Text::new(String::new())),
            object_at: "",
        }
    }

    /// Why nothing could be made of the text: it is neither YAML nor JSON; `None` if something could.
    pub(super) fn why_unreadable(&self) -> Option<String> {
        let why = self
            .source
            .as_ref()
            .err()
            .filter(|_| self.document.is_none());
        why.map(|(why, _)| why.clone())
    }

    /// As [`Self::why_unreadable`], if nothing that is judged is lost: the text is a template, or of something else.
    pub(super) fn why_no_manifest(&self) -> Option<String> {
        let text = self.text.as_str();
        let is_template = text.contains("{{");
        let is_lost = || !is_template && mentioned(text).into_iter().any(Kind::is_judged);
        self.why_unreadable().filter(|_| !is_lost())
    }

    /// What a manifest is about; `None` for an AdmissionReview, which brings its old state along.
    pub(super) fn key(&self) -> Option<ObjectKey> {
        let Ok(Source::Manifest(kind, _)) = &self.source else {
            return None;
        };
        let namespace = match kind.is_namespaced() {
            true => self.identity.namespace.as_str(),
            false => "",
        };
        Some(ObjectKey::new(*kind, namespace, &self.identity.name))
    }

    /// What a manifest says, as JSON; `None` for an AdmissionReview.
    pub(super) fn manifest(&self) -> Option<Value> {
        let document = self.document.as_ref();
        document
            .filter(|_| self.key().is_some())
            .map(Document::to_value)
    }

    pub(super) fn document(&self) -> Option<&Document> {
        self.document.as_ref()
    }

    /// Makes it the change of what was there before.
    ///
    /// # Errors
    /// When the old or new state cannot be written as JSON.
    pub(super) fn updates(
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

    /// Whether it is a manifest without an old state.
    pub(super) fn is_new(&self) -> bool {
        matches!(&self.source, Ok(Source::Manifest(_, change)) if change.old.is_none())
    }

    /// Notes that nobody knows whether there is an object that it replaces, and why.
    pub(super) fn may_replace(&mut self, why: String) {
        self.doubt(Doubt::MayReplace(why));
    }

    /// Notes that nobody knows what the object that it replaces is like, and why.
    pub(super) fn replaces_unknown(&mut self, why: String) {
        self.doubt(Doubt::Replaces(why));
    }

    fn doubt(&mut self, doubt: Doubt) {
        if let Ok(Source::Manifest(_, change)) = &mut self.source {
            change.doubt = doubt;
        }
    }

    /// Makes it the removal of what the manifest says.
    pub(super) fn goes(&mut self, origin: &str) {
        if let Ok(Source::Manifest(_, change)) = &mut self.source {
            change.old = change.new.take();
            origin.clone_into(&mut change.from);
        }
    }

    /// What will be stored, as far as it is a manifest and stays.
    pub(super) fn new_state(&self) -> Option<&RawValue> {
        match &self.source {
            Ok(Source::Manifest(_, change)) => change.new.as_deref(),
            _ => None,
        }
    }

    /// Leaves nothing to judge, for a reason.
    pub(super) fn fails(&mut self, why: String) {
        let document = self.document.as_ref();
        let position = document.map_or(Position::START, |it| it.position("/metadata/name"));
        self.source = Err((why, position));
    }

    /// Whether the object will be there afterwards.
    pub(super) fn stays(&self) -> bool {
        !matches!(&self.source, Ok(Source::Manifest(_, change)) if change.new.is_none())
    }

    /// `Project dev`, `Shoot garden-dev/web`.
    pub(super) fn title(&self) -> String {
        let Identity {
            kind,
            namespace,
            name,
        } = &self.identity;
        let slash = if namespace.is_empty() { "" } else { "/" };
        format!("{kind} {namespace}{slash}{name}")
    }

    /// Asks for the verdict, with notes, and puts it together with where everything stands.
    pub(super) fn judge(
        &self,
        requester: &UserInfo,
        garden: &Snapshot,
        verdict: impl FnOnce(&Request<'_>) -> (Review, Vec<String>),
    ) -> Reviewed {
        let (mut operation, mut unjudged) = (Operation::Create, Vec::new());
        let unreadable = |(why, place): &(String, _)| (why.clone(), self.text.excerpt(*place));
        let judged = self.source.as_ref().map_err(unreadable);
        let judged = judged.and_then(|source| {
            let request = source.request(&self.identity, requester);
            let request = request.map_err(|error| (error.to_string(), self.excerpt("")))?;
            operation = request.operation;
            unjudged = rules::unjudged(&request, garden);
            let (mut review, mut notes) = verdict(&request);
            source.add_doubt(&mut review, &mut notes);
            Ok((review, notes))
        });
        let (mut notes, mut changes) = (Vec::new(), String::new());
        let outcome = match judged {
            Ok((review, noted)) => {
                notes = noted;
                changes = self.changes(&review);
                let findings = review.findings.iter();
                let findings = findings.map(|finding| self.excerpt_of(finding));
                let undetermined = review.undetermined.iter();
                let undetermined = undetermined.map(|it| self.excerpt_of_field(&it.field));
                let silenced = review.silenced.iter().flat_map(|it| &it.findings);
                let silenced = silenced.map(|finding| self.excerpt_of(finding));
                let excerpts = findings.chain(undetermined).chain(silenced).collect();
                Outcome::Judged(review, excerpts)
            }
            Err((why, excerpt)) => Outcome::Unreadable(why, excerpt),
        };
        let from = match &self.source {
            Ok(Source::Manifest(_, change)) => change.from.clone(),
            _ => String::new(),
        };
        Reviewed {
            file: self.file.clone(),
            document: self.number,
            kind: self.identity.kind.clone(),
            namespace: self.identity.namespace.clone(),
            name: self.identity.name.clone(),
            operation,
            from,
            begin: self.excerpt(self.object_at),
            outcome,
            changes,
            notes,
            unjudged,
            server: None,
            fix: None,
            known: Vec::new(),
        }
    }

    /// The object put right, if there is something that we know how to.
    pub(super) fn fix(&self) -> anyhow::Result<Option<Fix>> {
        let document = self.document.as_ref();
        let object = document.and_then(|document| document.part(self.object_at));
        object.map_or(Ok(None), |object| fix(&self.file, &object.to_value()))
    }

    /// What would be stored in place of what was sent.
    fn changes(&self, review: &Review) -> String {
        let object = self.document.as_ref().filter(|_| !review.patch.is_empty());
        let Some(object) = object.and_then(|document| document.part(self.object_at)) else {
            return String::new();
        };
        let sent = match &self.source {
            Ok(Source::Manifest(_, change)) => {
                let new = change.new.as_deref().map(RawValue::get).unwrap_or_default();
                serde_json::from_str(new).unwrap_or(Value::Null)
            }
            _ => object.to_value(),
        };
        let mut stored = sent.clone();
        let patched = json_patch::patch(&mut stored, &review.patch);
        let names = [self.file.as_str(), "as it would be stored"];
        let changes = patched
            .ok()
            .map(|()| diff((names[0], &sent), (names[1], &stored)));
        changes.and_then(Result::ok).unwrap_or_default()
    }

    fn excerpt_of(&self, finding: &Finding) -> Excerpt {
        let pointer = format!("{}{}", self.object_at, finding.pointer);
        match (&self.document, is_about_a_name(finding)) {
            (Some(document), true) => self.text.excerpt(document.key_position(&pointer)),
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
        self.excerpt(&format!("{}{pointer}", self.object_at))
    }

    fn excerpt(&self, pointer: &str) -> Excerpt {
        let document = self.document.as_ref();
        let position = document.map_or(Position::START, |document| document.position(pointer));
        self.text.excerpt(position)
    }
}

/// Whether a reader has to look at the name of the field rather than at its value.
fn is_about_a_name(finding: &Finding) -> bool {
    let names = [ErrorType::NotSupported, ErrorType::Duplicate];
    finding.phase == Phase::Decoding && names.contains(&finding.error)
}
