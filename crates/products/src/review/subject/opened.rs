// SPDX-License-Identifier: Apache-2.0
//! The request of a subject, and positions in its document.

use std::cell::OnceCell;
use std::error::Error;

use serde_json::Value;

use super::source::Source;
use super::{Copies, Subject};
use crate::report::Drifted;
use crate::review::applied::AssumedStates;
use garden_gate_core::admission::{ErrorType, Finding, Phase, Request, Review};
use garden_gate_core::stored;
use garden_gate_model::api::UserInfo;
use garden_gate_text::yaml::{Document, Excerpt, Position};

/// A subject with its document, which is parsed on first use; objects without findings do not need it.
pub(super) struct OpenedSubject<'s> {
    pub(super) subject: &'s Subject,
    document: OnceCell<Option<Document>>,
}

impl<'s> OpenedSubject<'s> {
    pub(super) fn new(subject: &'s Subject) -> Self {
        Self { subject, document: OnceCell::new() }
    }

    /// Calls `look` with the request of an API server.
    pub(super) fn request<T>(
        &self,
        (requester, assumed): (&UserInfo, Option<&AssumedStates>),
        look: impl FnOnce(&Request<'_>) -> T,
    ) -> Result<T, (String, Excerpt)> {
        let subject = self.subject;
        let here = |error: &dyn Error| (error.to_string(), self.excerpt(""));
        let written = &subject.written;
        let source = subject
            .source
            .as_ref()
            .map_err(|(why, place)| (why.clone(), written.excerpt(*place)))?;
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
        let other_copies = match &subject.copies {
            Some(Copies::Warned(copies)) => Some(copies.as_str()),
            Some(Copies::Noted(_)) | None => None,
        };
        let request = Request { opened: Some(&opened), other_copies, ..request };
        Ok(look(&request))
    }

    fn document(&self) -> Option<&Document> {
        let document = self.document.get_or_init(|| self.subject.document());
        document.as_ref()
    }

    /// Returns the drift that applying the object would revert; `becoming` is the resulting object.
    pub(super) fn drift(&self, becoming: Option<&Value>) -> Vec<Drifted> {
        let mut drift = self.subject.drift.clone();
        if let (Some(key), Some(becoming)) = (self.subject.key(), becoming) {
            drift = stored::that_matter(drift, key.kind, becoming);
        }
        let drifted =
            drift.into_iter().map(|drift| Drifted { excerpt: self.excerpt(&drift.pointer), drift });
        drifted.collect()
    }

    /// Returns the excerpts of findings, then undetermined checks, then silenced findings.
    pub(super) fn excerpts(&self, review: &Review) -> Vec<Excerpt> {
        let findings = review.findings.iter().map(|finding| self.excerpt_of(finding));
        let undetermined = review.undetermined.iter().map(|it| self.excerpt_of_field(&it.field));
        let silenced = review
            .silenced
            .iter()
            .flat_map(|it| &it.findings)
            .map(|finding| self.excerpt_of(finding));
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
        let steps = field
            .split(['.', '['])
            .map(|step| step.trim_end_matches(']'))
            .filter(|step| !step.is_empty());
        let pointer: String = steps.map(|step| format!("/{}", step.replace('/', "~1"))).collect();
        self.excerpt(&format!("{}{pointer}", self.subject.object_at))
    }

    fn excerpt(&self, pointer: &str) -> Excerpt {
        let document = self.document();
        let position = document.map_or(Position::START, |document| document.position(pointer));
        self.subject.written.excerpt(position)
    }
}

/// Reports whether a finding is about the name of a field, not about its value.
pub(super) fn is_about_a_name(finding: &Finding) -> bool {
    let names = [ErrorType::NotSupported, ErrorType::Duplicate];
    finding.phase == Phase::Decoding && names.contains(&finding.error)
}
