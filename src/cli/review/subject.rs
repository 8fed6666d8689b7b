use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};

use super::fix::fix;
use crate::engine::{Finding, Kind, Operation, Request, RequestError, Review};
use crate::model::UserInfo;
use crate::report::{Fix, Outcome, Reviewed, diff};
use crate::rules;
use crate::source::{self, Document, Excerpt, Position, Text};

/// One object of a file, on its way to a verdict.
pub(super) struct Subject {
    file: String,
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
    /// A manifest, as if this user created it.
    Manifest(Kind, UserInfo, Box<RawValue>),
}

#[derive(Default)]
struct Identity {
    kind: String,
    namespace: String,
    name: String,
}

/// Every object of a file that can be judged; what is of no concern to us is left out.
pub(super) fn read(file: &str, text: String, requester: &UserInfo) -> Vec<Subject> {
    let text = Arc::new(Text::new(text));
    match source::parse(text.as_str()) {
        Ok(documents) => documents
            .iter()
            .flat_map(flatten)
            .enumerate()
            .filter_map(|(index, document)| subject((file, &text), index + 1, document, requester))
            .collect(),
        Err(error) => {
            let source = Err((error.message, error.position));
            vec![Subject {
                file: file.to_owned(),
                number: 1,
                identity: Identity::default(),
                source,
                document: None,
                text,
                object_at: "",
            }]
        }
    }
}

/// The items of a `List`, else the document itself.
fn flatten(document: &Document) -> Vec<Document> {
    let is_list = document
        .text("/kind")
        .is_some_and(|kind| kind.ends_with("List"));
    let items = document
        .part("/items")
        .filter(|_| is_list)
        .and_then(|items| items.items());
    items.unwrap_or_else(|| vec![document.clone()])
}

fn subject(
    (file, source_text): (&str, &Arc<Text>),
    number: usize,
    document: Document,
    requester: &UserInfo,
) -> Option<Subject> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
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
        let review = Source::Review(document.to_value().to_string());
        (identity, Ok(review), object_at)
    } else {
        let api = api_version
            .split_once('/')
            .unwrap_or(("", api_version.as_str()));
        let kind = Kind::judged().find(|known| known.api() == api && known.as_str() == kind)?;
        let identity = Identity {
            kind: kind.to_string(),
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        };
        let object = to_raw_value(&document.to_value());
        let source = object.map(|object| Source::Manifest(kind, requester.clone(), object));
        let unwritable = |error: serde_json::Error| (error.to_string(), Position::START);
        (identity, source.map_err(unwritable), "")
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
    fn request(&self, identity: &Identity) -> Result<Request<'_>, RequestError> {
        match self {
            Source::Review(review) => Request::from_review(review.as_bytes()),
            Source::Manifest(kind, user, object) => Ok(Request {
                name: identity.name.clone(),
                namespace: identity.namespace.clone(),
                ..Request::of_objects(*kind, user.clone(), [Some(object), None])
            }),
        }
    }
}

impl Subject {
    /// Asks for the verdict and puts it together with where everything stands.
    pub(super) fn judge(self, verdict: impl FnOnce(&Request<'_>) -> Review) -> Reviewed {
        let (mut operation, mut unjudged) = (Operation::Create, Vec::new());
        let unreadable = |(why, place): &(String, _)| (why.clone(), self.text.excerpt(*place));
        let judged = self.source.as_ref().map_err(unreadable);
        let judged = judged.and_then(|source| {
            let request = source.request(&self.identity);
            let request = request.map_err(|error| (error.to_string(), self.excerpt("")))?;
            operation = request.operation;
            unjudged = rules::unjudged(&request);
            Ok(verdict(&request))
        });
        let begin = self.excerpt(self.object_at);
        let changes = judged
            .as_ref()
            .map_or_else(|_| String::new(), |review| self.changes(review));
        let outcome = match judged {
            Ok(review) => {
                let findings = review.findings.iter();
                let excerpts = findings.map(|finding| self.excerpt_of(finding)).collect();
                Outcome::Judged(review, excerpts)
            }
            Err((why, excerpt)) => Outcome::Unreadable(why, excerpt),
        };
        let Identity {
            kind,
            namespace,
            name,
        } = self.identity;
        Reviewed {
            file: self.file,
            document: self.number,
            kind,
            namespace,
            name,
            operation,
            begin,
            outcome,
            changes,
            unjudged,
            fix: None,
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
        let sent = object.to_value();
        let mut stored = sent.clone();
        let patched = json_patch::patch(&mut stored, &review.patch);
        let names = [self.file.as_str(), "as it would be stored"];
        let changes = patched
            .ok()
            .map(|()| diff((names[0], &sent), (names[1], &stored)));
        changes.and_then(Result::ok).unwrap_or_default()
    }

    fn excerpt_of(&self, finding: &Finding) -> Excerpt {
        self.excerpt(&format!("{}{}", self.object_at, finding.pointer))
    }

    fn excerpt(&self, pointer: &str) -> Excerpt {
        let document = self.document.as_ref();
        let position = document.map_or(Position::START, |document| document.position(pointer));
        self.text.excerpt(position)
    }
}
