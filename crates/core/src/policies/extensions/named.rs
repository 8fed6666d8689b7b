// SPDX-License-Identifier: Apache-2.0
//! The extensions that an object names.

use std::borrow::Cow;

use super::super::own::OwnPolicy;
use super::compiled::CompiledExtension;
use super::shipped::{is_shipped, shipped};
use crate::admission::{Kind, Operation, Request};
use crate::garden::{ObjectKey, Snapshot};
use garden_gate_model::api::CloudProfile;
use garden_gate_model::gardener::extensions::Documents;
use garden_gate_text::json::Json;

/// The types of extensions that the new object of a request names, and the configurations in the objects.
#[derive(Debug, Default)]
pub(in crate::policies) struct NamedExtensions<'a> {
    /// The kinds and types.
    pub(in crate::policies) types: Vec<(&'static str, Cow<'a, str>)>,
    /// The configurations in the new and the stored object.
    pub(in crate::policies) documents: [Documents<'a>; 2],
}

impl<'a> NamedExtensions<'a> {
    /// Finds the types and configurations; none unless an object is created or updated, and names an extension with a definition.
    pub(in crate::policies) fn of(
        request: &Request<'a>,
        garden: &Snapshot,
        own: &[OwnPolicy],
    ) -> Self {
        let is_written = matches!(request.operation, Operation::Create | Operation::Update);
        let kind = request.kind().filter(|_| is_written && request.sub_resource.is_empty());
        let (Some(kind), Some(new)) = (kind, request.object) else {
            return Self::default();
        };
        // If it is not known, rules report that.
        let parent = (kind == Kind::NamespacedCloudProfile)
            .then(|| parent_type(new.get(), garden).unwrap_or_default());
        let documents = |text: &'a str| {
            let mut documents = Documents::of(kind, text);
            if let Some(class) = &parent {
                documents.choose(class);
            }
            documents
        };
        let new = documents(new.get());
        let named = Self { types: new.types.clone(), ..Self::default() };
        let mut defined = own.iter().filter_map(|it| it.extension.as_ref());
        if !is_shipped(&named.types) && !defined.any(|it| named.include(it)) {
            return Self::default();
        }
        let old = documents(request.old_object.map_or("{}", |it| it.get()));
        Self { documents: [new, old], ..named }
    }

    /// Reports whether the object names an extension.
    pub(in crate::policies) fn include(&self, extension: &CompiledExtension) -> bool {
        extension.is_one_of(self.types.iter().map(|(kind, class)| (*kind, &**class)))
    }

    /// Returns the shipped definitions of the extensions that the object names.
    pub(in crate::policies) fn shipped(&self) -> impl Iterator<Item = &'static OwnPolicy> {
        shipped(&self.types)
    }
}

/// Returns the type of the parent of a NamespacedCloudProfile.
fn parent_type(profile: &str, garden: &Snapshot) -> Option<String> {
    let profile = Json::text(profile).opened();
    let name: String = profile.opened_at(&["spec", "parent", "name"]).read().ok()?;
    let parent = garden.find::<CloudProfile>(&ObjectKey::named(Kind::CloudProfile, name.as_str()));
    Some(parent.ok()??.spec.kind.clone())
}
