// SPDX-License-Identifier: Apache-2.0
//! Types of objects in requests, with their processing before and after webhooks.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::check::{Checked, Pair};
use super::{Context, profile_change, samples};
use garden_gate_model::api::{
    CloudProfile, Named, NamespacedCloudProfile, ObjectMeta, Project, Seed, Shoot, Versions,
    WebhookConfiguration, Workload,
};
use garden_gate_model::gardener::defaults;
use garden_gate_text::json::Json;

/// A type of object that rules evaluate.
pub(super) trait AdmissionObject: DeserializeOwned + Checked {
    /// Returns name, namespace and annotations.
    fn metadata(&self) -> &ObjectMeta;

    /// The fields that [`Self::share`] copies.
    const SHARED: &[&str];

    /// Copies a field that has the same JSON in `other`.
    fn share(&mut self, other: &Self, field: &str);

    /// Completes the received objects, for example with defaults, before any rule runs.
    fn complete(_: &mut Pair<Self>, _: &Context<'_>) {}

    /// Converts the new object to the form that will be stored, after mutation.
    fn settle(_: &mut Pair<Self>) {}

    /// Reports whether fields are absent or partial that an API server fills in from the garden.
    fn is_partial(&self) -> bool {
        false
    }

    /// Completes a stored object with `fill` if its manifest `raw` lacks fields or has partial ones.
    fn complete_old(&mut self, _raw: Json<'_>, _fill: &mut dyn FnMut(&mut Self)) {}

    /// Sets the completed stored object for comparisons of JSON.
    fn set_filled(&self, _: &Context<'_>) {}

    /// Returns copies of the objects with different values for fields that the garden does not provide.
    fn samples(_: &Pair<Self>) -> Vec<Pair<Self>> {
        Vec::new()
    }

    /// Returns the object as JSON to detect changes; `None` if rules only remove list elements.
    fn text(&self) -> Option<serde_json::Result<String>> {
        None
    }

    /// Reports whether Gardener validates the request at all; some plugins skip updates without changes.
    fn is_changed(_: &Pair<Self>, _: &Context<'_>) -> bool {
        true
    }
}

/// Implements [`AdmissionObject::share`] for these fields.
macro_rules! shares {
    ($($field:ident)*) => {
        const SHARED: &[&str] = &[$(stringify!($field)),*];

        fn share(&mut self, other: &Self, field: &str) {
            match field {
                $(stringify!($field) => self.$field.clone_from(&other.$field),)*
                _ => {}
            }
        }
    };
}

/// The versions in which an update of the Shoot itself keeps the stored seed, whatever it contains.
const KEEPS_SEED_NAME: Versions = Versions::until(143);

impl AdmissionObject for Shoot {
    shares!(metadata spec status);

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn complete(objects: &mut Pair<Self>, context: &Context<'_>) {
        let request = context.request;
        if request.is_template {
            return;
        }
        objects.each(|shoot| defaults::shoot(shoot, &request.namespace));
        let Pair { new, old } = objects;
        let Some(new) = new else { return };
        if request.sub_resource != "status" {
            defaults::stored_status(new, old.as_deref());
        }
        if let Some(old) = old.as_deref()
            && request.sub_resource.is_empty()
            && context.runs(KEEPS_SEED_NAME)
        {
            new.spec.seed_name.clone_from(&old.spec.seed_name);
        }
        if old.is_none() {
            defaults::system_fields(new);
        }
    }

    fn is_partial(&self) -> bool {
        samples::is_partial(self)
    }

    fn complete_old(&mut self, raw: Json<'_>, fill: &mut dyn FnMut(&mut Self)) {
        let mut filled = self.clone();
        fill(&mut filled);
        samples::take_filled(self, filled, raw);
    }

    fn set_filled(&self, context: &Context<'_>) {
        context.set_filled_old(self);
    }

    fn samples(objects: &Pair<Self>) -> Vec<Pair<Self>> {
        let Some(new) = &objects.new else {
            return Vec::new();
        };
        samples::samples(new, objects.old.as_deref())
    }

    fn text(&self) -> Option<serde_json::Result<String>> {
        text(self)
    }

    fn is_changed(objects: &Pair<Self>, context: &Context<'_>) -> bool {
        let new = objects.new.as_deref();
        new.is_none_or(|new| context.changes(new))
    }
}

impl AdmissionObject for Project {
    shares!(metadata spec);

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn complete(objects: &mut Pair<Self>, _: &Context<'_>) {
        objects.each(defaults::project);
    }

    fn settle(objects: &mut Pair<Self>) {
        if let Some(new) = &mut objects.new {
            defaults::canonicalize_project(new);
        }
    }

    fn text(&self) -> Option<serde_json::Result<String>> {
        text(self)
    }
}

impl AdmissionObject for CloudProfile {
    shares!(metadata spec);

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn complete(objects: &mut Pair<Self>, _: &Context<'_>) {
        objects.each(defaults::cloud_profile);
    }

    fn settle(objects: &mut Pair<Self>) {
        if let Pair { new: Some(new), old: Some(old) } = objects {
            defaults::sync_architectures(&mut new.spec, &old.spec);
        }
    }
}

impl AdmissionObject for NamespacedCloudProfile {
    shares!(metadata spec status);

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn is_changed(objects: &Pair<Self>, context: &Context<'_>) -> bool {
        match objects {
            Pair { new: Some(new), old: Some(old) } => {
                !profile_change::is_unchanged(context, new, old)
            }
            _ => true,
        }
    }
}

/// Implements the trait for types without completion.
macro_rules! judged_as_sent {
    ($($type:ident [$($field:ident)*]),+) => {$(
        impl AdmissionObject for $type {
            shares!($($field)*);

            fn metadata(&self) -> &ObjectMeta {
                &self.metadata
            }
        }
    )+};
}
judged_as_sent! {
    Seed [metadata spec status], Named [metadata], WebhookConfiguration [metadata], Workload [metadata]
}

fn text(object: &impl Serialize) -> Option<serde_json::Result<String>> {
    Some(serde_json::to_string(object))
}
