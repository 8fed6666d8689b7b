// SPDX-License-Identifier: Apache-2.0
//! Fields of the API at a path of a manifest, also in the configurations of extensions.

use serde_json::Value;

use super::outline::{Step, pointer};
use garden_gate_model::api::extensions::{Configuration, Extension, described_configurations};
use garden_gate_model::api::{
    Described, Field, GardenerVersion, Object, Removed, Shape, configuration_paths,
};

/// The field of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldAt {
    /// The declaration; `None` for the object itself.
    pub(super) field: Option<&'static Field>,
    /// The declaration of a field that later versions of Gardener do not have.
    pub(super) removed: Option<&'static Removed>,
    /// The shape of the value.
    pub(super) shape: Shape,
    /// The extension that declares it; empty for Gardener.
    pub(super) owner: &'static str,
    /// The version of the owner whose fields count.
    pub(super) version: GardenerVersion,
    /// The configuration whose value this is.
    pub(super) configuration: Option<&'static Configuration>,
}

/// A field of an object, in the order for readers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Member {
    Field(&'static Field),
    /// A field that later versions of Gardener do not have.
    Removed(&'static Removed, Shape),
}

impl Member {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Field(field) => field.name,
            Self::Removed(removed, _) => removed.field,
        }
    }

    pub(super) fn shape(&self) -> Shape {
        match self {
            Self::Field(field) => field.shape,
            Self::Removed(_, shape) => *shape,
        }
    }
}

impl FieldAt {
    /// Returns the field at a path; `None` if the kind has no such field in that version of Gardener.
    pub(super) fn of(
        kind: &Described,
        path: &[Step],
        object: &Value,
        version: GardenerVersion,
    ) -> Option<Self> {
        let mut at = Self {
            field: None,
            removed: None,
            shape: Shape::Object(kind.object),
            owner: "",
            version: version.known(),
            configuration: None,
        };
        for depth in 1..=path.len() {
            at = at.child(&path[depth - 1])?;
            if matches!(at.shape, Shape::Any)
                && let Some((extension, configuration)) =
                    configuration(kind.kind, &path[..depth], object)
            {
                at.shape = Shape::Object(configuration.object);
                at.owner = extension.name;
                at.version = extension.newest().as_declared();
                at.configuration = Some(configuration);
            }
        }
        Some(at)
    }

    fn child(self, step: &Step) -> Option<Self> {
        let Self { owner, version, .. } = self;
        let inner = |shape: Shape| Some(Self { shape, ..self });
        match (self.shape, step) {
            (Shape::List(item, _), Step::Item(_)) => inner(*item),
            (Shape::Map(value), Step::Key(_)) => inner(*value),
            (Shape::Object(object), Step::Key(name)) => {
                let member = members(object, version).find(|it| it.name() == name)?;
                let (field, removed) = match member {
                    Member::Field(field) => (Some(field), None),
                    Member::Removed(removed, _) => (None, Some(removed)),
                };
                Some(Self {
                    field,
                    removed,
                    shape: member.shape(),
                    owner,
                    version,
                    configuration: None,
                })
            }
            _ => None,
        }
    }
}

/// Returns the fields of an object in a version, with those that later versions do not have.
pub(super) fn members(
    object: &'static Object,
    version: GardenerVersion,
) -> impl Iterator<Item = Member> {
    let fields = object.fields_in(version).map(Member::Field);
    let removed = Removed::fields_in(object, version);
    fields.chain(removed.map(|(it, shape)| Member::Removed(it, shape)))
}

/// Returns the configuration of a known extension at a path, which a type elsewhere in the object chooses.
fn configuration(
    kind: &str,
    path: &[Step],
    object: &Value,
) -> Option<(&'static Extension, &'static Configuration)> {
    let mut all = described_configurations().filter_map(|(extension, it)| {
        let (own, chooser) = configuration_paths(kind, it.place)?;
        Some((extension, it, own, chooser))
    });
    let (extension, configuration, ..) = all.find(|(_, it, own, chooser)| {
        fits(path, own) && {
            let chosen = object.pointer(&pointer(&followed(chooser, path)));
            chosen.and_then(Value::as_str) == Some(it.class)
        }
    })?;
    Some((extension, configuration))
}

/// Reports whether a path has the steps of a pattern, such as `spec.extensions.[].type`.
pub fn fits(path: &[Step], pattern: &str) -> bool {
    let mut wanted = pattern.split('.');
    let fits = path.iter().all(|step| match (step, wanted.next()) {
        (Step::Item(_), Some("[]")) => true,
        (Step::Key(name), Some(wanted)) => name == wanted,
        _ => false,
    });
    fits && wanted.next().is_none()
}

/// Returns the path of a pattern, with the items of another path.
pub fn followed(pattern: &str, path: &[Step]) -> Vec<Step> {
    let mut items = path.iter().filter(|it| matches!(it, Step::Item(_)));
    let steps = pattern.split('.').map(|name| match name {
        "[]" => items.next().cloned().unwrap_or(Step::Item(0)),
        name => Step::Key(name.to_owned()),
    });
    steps.collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use garden_gate_model::api::described;

    fn steps(text: &str) -> Vec<Step> {
        let steps = text.split('.').filter(|it| !it.is_empty());
        let step = |it: &str| match it.parse() {
            Ok(index) => Step::Item(index),
            Err(_) => Step::Key(it.to_owned()),
        };
        steps.map(step).collect()
    }

    fn field(path: &str) -> Option<FieldAt> {
        let object = json!({"spec": {
            "provider": {"type": "aws", "workers": [{}, {
                "machine": {"image": {"name": "gardenlinux"}},
                "cri": {"containerRuntimes": [{"type": "gvisor"}]},
            }]},
            "networking": {"type": "calico"},
            "extensions": [{"type": "acl"}],
        }});
        FieldAt::of(described("Shoot")?, &steps(path), &object, GardenerVersion::NEWEST)
    }

    #[rstest]
    #[case::root("", None, "")]
    #[case::field("spec.region", Some("region"), "")]
    #[case::item("spec.provider.workers.0.machine.type", Some("type"), "")]
    #[case::scalar_item("spec.provider.workers.0.zones.1", Some("zones"), "")]
    #[case::map("metadata.labels.a", Some("labels"), "")]
    #[case::configuration("spec.provider.infrastructureConfig.networks", Some("networks"), "aws")]
    #[case::network("spec.networking.providerConfig.apiVersion", Some("apiVersion"), "calico")]
    #[case::defined("spec.extensions.0.providerConfig.rule.cidrs", Some("cidrs"), "acl")]
    #[case::defined_runtime(
        "spec.provider.workers.1.cri.containerRuntimes.0.providerConfig.configFlags",
        Some("configFlags"),
        "gvisor"
    )]
    fn field_at_a_path(#[case] path: &str, #[case] name: Option<&str>, #[case] owner: &str) {
        let found = field(path).unwrap();
        assert_eq!((found.field.map(|it| it.name), found.owner), (name, owner));
    }

    #[rstest]
    #[case::unknown("spec.regions")]
    #[case::index_of_a_mapping("spec.0")]
    #[case::key_of_a_list("spec.provider.workers.name")]
    #[case::unknown_in_configuration("spec.provider.infrastructureConfig.x")]
    #[case::no_type("spec.provider.workers.0.machine.image.providerConfig.x")]
    fn other_paths_have_no_field(#[case] path: &str) {
        assert!(field(path).is_none());
    }
}
