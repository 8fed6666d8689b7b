// SPDX-License-Identifier: Apache-2.0
//! Reasons to skip texts and manifests: they are templates, or contain no objects to judge.

use serde_json::Value;
use serde_json::value::RawValue;

use super::Subject;
use crate::report::Placeholder;
use crate::review::template::{self, Placeholders};
use garden_gate_core::admission::Kind;
use garden_gate_core::garden::texts::mentioned;

impl Subject {
    /// Returns the error if the text is neither valid YAML nor JSON.
    pub fn why_unreadable(&self) -> Option<String> {
        let why = self.source.as_ref().err().filter(|_| !self.written.is_readable());
        why.map(|(why, _)| why.clone())
    }

    /// Returns the error of a text that contains no judged kind or is a template.
    pub fn why_no_manifest(&self) -> Option<String> {
        // Many objects may share a long text.
        let why = self.why_unreadable()?;
        let text = self.written.as_str();
        let is_lost =
            !template::is_template(text) && mentioned(text).into_iter().any(Kind::is_judged);
        Some(why).filter(|_| !is_lost)
    }

    /// Returns a placeholder of an invalid text that is skipped, since it is a template of a judged object.
    pub(in crate::review) fn template(&self) -> Option<Placeholder> {
        self.why_unreadable()?;
        let text = self.written.as_str();
        let is_of_ours = mentioned(text).into_iter().any(Kind::is_judged);
        is_of_ours.then(|| template::of_text(text)).flatten()
    }

    /// Returns a placeholder of a manifest that is skipped, since its kind, name or namespace holds it.
    pub(in crate::review) fn identity_placeholder(&self) -> Option<Placeholder> {
        template::of_identity(self.new_state()?.get())
    }

    /// Reports whether the manifest has placeholders outside of its metadata.
    pub(in crate::review) fn has_placeholders(&self) -> bool {
        let placeholders = self.new_state().and_then(|it| Placeholders::of(it.get()));
        placeholders.is_some_and(|it| it.first_field().is_some())
    }

    /// Reports whether the manifest is a strategic merge patch.
    pub(in crate::review) fn has_patch_directive(&self) -> bool {
        let Some(new) = self.new_state().map(RawValue::get) else {
            return false;
        };
        let object = new.contains("\"$patch\":").then(|| serde_json::from_str(new));
        object.is_some_and(|it| it.as_ref().is_ok_and(has_directive))
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
