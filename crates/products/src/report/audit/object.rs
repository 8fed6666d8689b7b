// SPDX-License-Identifier: Apache-2.0
use crate::audit::Audited;
use crate::report::{Outcome, Reviewed};
use garden_gate_core::garden::ObjectKey;
use garden_gate_text::yaml::{Excerpt, Position};

impl Reviewed {
    /// Returns the result of an audit for an object without a file.
    pub fn audited(key: &ObjectKey, audited: Audited) -> Self {
        let Audited { review, occasions, notes, unjudged, forecast, .. } = audited;
        let nowhere = Excerpt::from(Position::START);
        let silenced = review.silenced.iter().map(|it| it.findings.len());
        let count = review.findings.len() + review.undetermined.len() + silenced.sum::<usize>();
        let names = (key.kind.as_str(), key.namespace.as_str(), key.name.as_str());
        Self {
            outcome: Outcome::Judged(review, vec![nowhere.clone(); count]),
            occasions,
            notes,
            unjudged,
            forecast,
            ..Self::new((&path(key), 1), names, nowhere)
        }
    }
}

/// Returns the path of the object in the API, as the name of its file.
fn path(key: &ObjectKey) -> String {
    let (group, version) = key.kind.api();
    let resource = key.kind.resource();
    let namespace = match key.namespace.as_str() {
        "" => String::new(),
        namespace => format!("namespaces/{namespace}/"),
    };
    format!("apis/{group}/{version}/{namespace}{resource}/{}", key.name)
}
