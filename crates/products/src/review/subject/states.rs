// SPDX-License-Identifier: Apache-2.0
//! The old and the new state of a manifest's object.

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::Subject;
use super::source::{Change, Doubt, Source};
use garden_gate_text::json::Json;

impl Subject {
    /// Sets the old state to the object in the garden, and the new state to the merged object.
    ///
    /// The heading names an earlier origin of the old state, too.
    ///
    /// # Errors
    /// Fails if a state cannot be serialized as JSON.
    pub(in crate::review) fn applies_to(
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

    pub(super) fn change(&self) -> Option<&Change> {
        match &self.source {
            Ok(Source::Manifest(_, change)) => Some(change),
            _ => None,
        }
    }

    pub(super) fn change_mut(&mut self) -> Option<&mut Change> {
        match &mut self.source {
            Ok(Source::Manifest(_, change)) => Some(change),
            _ => None,
        }
    }

    /// Reports whether this is a manifest with the same content as another one.
    pub(in crate::review) fn is_like(&self, other: &Self) -> bool {
        let [own, new] = [self, other].map(|it| it.new_state().map(RawValue::get));
        own.is_some() && (own == new || self.content() == other.content())
    }

    /// Returns the content of a manifest.
    pub fn content(&self) -> Option<Value> {
        Some(Json::text(self.new_state()?.get()).to_value())
    }

    /// Sets the old state to the content of another manifest.
    ///
    /// # Errors
    /// Fails if the old state cannot be serialized as JSON.
    pub fn replaces(&mut self, stored: &Self, origin: &str) -> serde_json::Result<()> {
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
    pub fn is_new(&self) -> bool {
        self.change().is_some_and(|change| change.old.is_none())
    }

    /// Records the uncertainty about the old state.
    pub(in crate::review) fn doubt(&mut self, doubt: Doubt) {
        if let Some(change) = self.change_mut() {
            change.doubt = doubt;
        }
    }

    /// Returns the uncertainty about the old state of a manifest.
    pub(in crate::review) fn old_state_doubt(&self) -> &Doubt {
        self.change().map_or(&Doubt::None, |change| &change.doubt)
    }

    /// Converts the manifest to its deletion.
    pub(in crate::review) fn become_deletion(&mut self, origin: &str) {
        if let Some(change) = self.change_mut() {
            change.old = change.new.take();
            origin.clone_into(&mut change.from);
        }
    }

    /// Returns the new state of a manifest; `None` for a deletion.
    pub fn new_state(&self) -> Option<&RawValue> {
        self.change()?.new.as_deref()
    }

    /// Returns the old state of a manifest.
    pub(in crate::review) fn old_state(&self) -> Option<Value> {
        let old = self.change()?.old.as_ref()?;
        Some(Json::text(old.get()).to_value())
    }

    /// Reports whether the object exists after the change.
    pub fn exists_after(&self) -> bool {
        self.change().is_none_or(|change| change.new.is_some())
    }
}
