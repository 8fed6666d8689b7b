// SPDX-License-Identifier: Apache-2.0
//! Manifests of objects that an API server has stored, such as the output of `kubectl get -o yaml`.

use serde_json::value::RawValue;

use super::AsNew;
use super::creation::{is_about_news, is_contained};
use garden_gate_core::admission::{Finding, Operation, Phase, Request, Review, Undetermined};
use garden_gate_core::config::Level;
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::Kind;
use garden_gate_text::json::Json;

/// A manifest of a stored object whose stored state is unknown.
pub struct StoredManifest<'a> {
    kind: Kind,
    /// The object as in the manifest.
    object: &'a RawValue,
    /// The object without the parts that only the system writes.
    new: AsNew,
    /// The same without its seed, if it has one.
    unscheduled: Option<Box<RawValue>>,
    /// Whether the manifest cannot create an object: an API server refuses new objects with a `resourceVersion`.
    is_proven: bool,
}

impl<'a> StoredManifest<'a> {
    /// The note at the verdict of such a manifest.
    pub const NOTE: &'static str = "its `uid` or `resourceVersion` shows that it exists, but its stored state is unknown: judged without the parts that only the system writes; name the garden with `--garden` or `--live` to compare both";

    /// Returns the manifest of a request to create an object that exists; `None` for all other requests.
    ///
    /// AdmissionReviews are no manifests: API servers set the UID of an object before they call validating webhooks.
    /// Objects of Shoot clusters are judged in the same way on every write.
    pub fn of(request: &Request<'a>, garden: &Snapshot) -> Option<Self> {
        let kind = request.kind().filter(|it| !it.is_outside_garden())?;
        let is_new_manifest = request.is_converted && request.operation == Operation::Create;
        let object = request.object.filter(|_| is_new_manifest)?;
        let mut metadata = Json::text(object.get()).take(&["metadata"]);
        let mut is_set = |name: &str| {
            let value = metadata.take(&[name]);
            !value.is_null() && !value.is_empty()
        };
        let is_proven = is_set("resourceVersion");
        if !is_proven && !is_set("uid") {
            return None;
        }
        let new = AsNew::of(kind, object, garden);
        let has_seed = kind == Kind::Shoot;
        Some(Self {
            kind,
            object,
            unscheduled: has_seed.then(|| new.unscheduled()).flatten(),
            new,
            is_proven,
        })
    }

    /// Returns a request to create the object as a new one.
    pub fn as_new<'r>(&'r self, request: &Request<'_>) -> Request<'r> {
        self.request(request, [Some(&self.new.object), None])
    }

    /// Returns a request to create the object without the seed that the scheduler chose; `None` if it has none.
    pub fn as_unscheduled<'r>(&'r self, request: &Request<'_>) -> Option<Request<'r>> {
        let object = self.unscheduled.as_deref()?;
        Some(self.request(request, [Some(object), None]))
    }

    /// Reports whether a review without the seed replaces that with the seed: it has no finding that the other lacks.
    pub fn is_enough(unscheduled: &Review, scheduled: &Review) -> bool {
        is_contained(unscheduled, scheduled)
    }

    /// Returns a request with the parts that only the system writes: to add them, or to create the object with them if the
    /// manifest can create one.
    pub fn as_completed<'r>(&'r self, request: &Request<'_>) -> Request<'r> {
        let old: Option<&RawValue> = self.is_proven.then_some(&self.new.object);
        self.request(request, [Some(self.object), old])
    }

    /// Returns a request to update the object without a change.
    pub fn as_unchanged<'r>(&'r self, request: &Request<'_>) -> Request<'r> {
        self.request(request, [Some(self.object), Some(self.object)])
    }

    fn request<'r>(
        &self,
        request: &Request<'_>,
        objects: [Option<&'r RawValue>; 2],
    ) -> Request<'r> {
        Request {
            name: request.name.clone(),
            namespace: request.namespace.clone(),
            ..Request::of_objects(self.kind, request.user_info.clone(), objects)
        }
    }

    /// Combines the review of the object as a new one with those of [`Self::as_completed`] and [`Self::as_unchanged`].
    ///
    /// Refusals are undetermined unless the update without a change is refused, too. Those that only matter for new objects
    /// are dropped if the manifest cannot create one. Errors of the decoder count in all parts of the manifest.
    pub fn combine(&self, review: &mut Review, [completed, unchanged]: [Review; 2]) {
        let mut open = Vec::new();
        review.findings.retain_mut(|it| {
            self.new.locate(it);
            let is_refusal = it.level == Level::Deny;
            let is_about_news = is_about_news(it);
            let is_kept = !is_about_news && (!is_refusal || contains(&unchanged.findings, it));
            if is_refusal && !is_kept && !(is_about_news && self.is_proven) {
                open.push(unknown(it));
            }
            is_kept
        });
        let added = completed
            .findings
            .iter()
            .filter(|it| it.level == Level::Deny && !contains(&review.findings, it));
        open.extend(added.map(unknown));
        review.undetermined.extend(open);
        let mut decoding = unchanged.findings;
        decoding.retain(|it| it.phase == Phase::Decoding && !contains(&review.findings, it));
        review.findings.splice(..0, decoding);
    }
}

/// Reports whether the finding is among `findings`.
fn contains(findings: &[Finding], finding: &Finding) -> bool {
    findings.iter().any(|it| {
        (it.finding, it.level, &it.pointer) == (finding.finding, finding.level, &finding.pointer)
    })
}

/// Returns the undetermined check for a refusal that only matters if the object is new or has changed.
fn unknown(finding: &Finding) -> Undetermined {
    let message = format!("{}; refused unless the object is stored like this", finding.message);
    Undetermined::new(finding.rule, finding.field.clone(), message)
}
