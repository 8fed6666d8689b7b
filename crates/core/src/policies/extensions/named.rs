//! The extensions that an object names.

use std::borrow::Cow;

use super::super::own::OwnPolicy;
use super::compiled::CompiledExtension;
use super::shipped::shipped;
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
    /// Finds the types and configurations; none unless an object is created or updated.
    pub(in crate::policies) fn of(request: &Request<'a>, garden: &Snapshot) -> Self {
        let is_written = matches!(request.operation, Operation::Create | Operation::Update);
        let kind = request.kind().filter(|_| is_written && request.sub_resource.is_empty());
        let (Some(kind), Some(new)) = (kind, request.object) else {
            return Self::default();
        };
        let old = request.old_object.map_or("{}", |it| it.get());
        let mut documents = [new.get(), old].map(|text| Documents::of(kind, text));
        if kind == Kind::NamespacedCloudProfile {
            // If it is not known, rules report that.
            let class = parent_type(new.get(), garden).unwrap_or_default();
            for it in &mut documents {
                it.choose(&class);
            }
        }
        let [new, _] = &documents;
        Self { types: new.types.clone(), documents }
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
