// SPDX-License-Identifier: Apache-2.0
//! The request or manifest that is judged, with the old state of the object.

use serde_json::value::RawValue;

use garden_gate_core::admission::{Kind, Review, Undetermined};

/// The source of a request.
#[derive(Clone)]
pub(super) enum Source {
    /// An AdmissionReview.
    Review(String),
    /// A manifest, which is converted to a request.
    Manifest(Kind, Change),
}

/// The old and the new state of an object, as JSON.
///
/// A new object has no old state, and a deleted one has no new state.
#[derive(Clone, Default)]
pub(super) struct Change {
    /// The manifest, or the result of applying it.
    pub(super) new: Option<Box<RawValue>>,
    pub(super) old: Option<Box<RawValue>>,
    /// The source of the old state, for the heading; empty without an old state.
    pub(super) from: String,
    /// Whether the old state is that in the garden.
    pub(super) is_applied: bool,
    /// Whether the manifest is compared with an earlier one.
    pub(super) is_compared: bool,
    /// Uncertainty about the old state.
    pub(super) doubt: Doubt,
}

/// Uncertainty about the old state of an object.
#[derive(Clone, Default)]
pub(in crate::review) enum Doubt {
    #[default]
    None,
    /// The object may exist; the string is the reason of the uncertainty.
    MayReplace(String),
    /// The object exists; the string is the reason why its state is unknown.
    Replaces(String),
}

impl Change {
    /// Adds the uncertainty to a verdict.
    ///
    /// If an unknown old state exists, the verdict is undetermined. If it may exist, the object is judged as new, with
    /// a note.
    pub(super) fn add_doubt(&self, review: &mut Review, notes: &mut Vec<String>) {
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
