// SPDX-License-Identifier: Apache-2.0
//! Component vectors of gardener-landscape-kit, which have the versions of Gardener and of its extensions.

use std::collections::BTreeMap;

use super::reader::{Located, Reader, shortened};
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::extensions::{Extension, ExtensionVersion};

/// The name of Gardener in a component vector.
const GARDENER: &str = "github.com/gardener/gardener";

/// The versions in a component vector.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components {
    /// The version of Gardener, if the vector has it.
    pub gardener: Option<GardenerVersion>,
    /// The versions of known extensions by name.
    pub extensions: BTreeMap<&'static str, ExtensionVersion>,
    /// The versions of all components by name, as written.
    pub all: BTreeMap<String, String>,
}

/// A component whose version differs between two vectors.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ChangedComponent<'a> {
    /// The name.
    pub name: &'a str,
    /// The old version; `None` if the component is new.
    pub old: Option<&'a str>,
    /// The new version; `None` if the component is removed.
    pub new: Option<&'a str>,
}

impl Components {
    /// Replaces the versions of components that `other` has, too, and adds its other ones.
    ///
    /// Source: `NewWithOverride` in `pkg/utils/componentvector` of gardener-landscape-kit.
    pub fn extend(&mut self, other: Self) {
        self.gardener = other.gardener.or(self.gardener);
        self.extensions.extend(other.extensions);
        self.all.extend(other.all);
    }

    /// Returns the components whose versions differ from those of `old`, by name.
    pub fn changed_since<'a>(&'a self, old: &'a Self) -> Vec<ChangedComponent<'a>> {
        let mut names: Vec<&str> =
            old.all.keys().chain(self.all.keys()).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let version = |of: &'a Self, name: &str| of.all.get(name).map(String::as_str);
        let all = names.into_iter().map(|name| ChangedComponent {
            name,
            old: version(old, name),
            new: version(self, name),
        });
        all.filter(|it| it.old != it.new).collect()
    }

    /// Reports whether objects are judged by other versions than with `old`.
    pub fn judges_differently(&self, old: &Self) -> bool {
        self.gardener != old.gardener || self.extensions != old.extensions
    }
}

impl ChangedComponent<'_> {
    /// Reports whether the component is Gardener or an extension with rules.
    pub fn is_judged(&self) -> bool {
        self.name == GARDENER || extensions(self.name).next().is_some()
    }
}

/// Returns the extensions that a component contains.
fn extensions(name: &str) -> impl Iterator<Item = &'static Extension> {
    Extension::all().filter(move |it| it.component == name)
}

/// Parses a component vector: a list of components with names and versions.
///
/// Source: `ValidateComponents` in `pkg/utils/componentvector` of gardener-landscape-kit. Other fields are ignored, as there.
pub(super) fn read(reader: &mut Reader<'_>, root: &Located<'_>) -> Components {
    let mut read = Components::default();
    let Some(list) = root.field("components") else {
        let help = "write `components:`, a list of components with `name` and `version`";
        reader.error(root, "the file has no `components`", help);
        return read;
    };
    let items = reader.items(&list);
    if list.value.is_array() && items.is_empty() {
        reader.error(&list, "`components` is empty", "list at least one component");
    }
    for item in items {
        let [name, version] = ["name", "version"].map(|field| text(reader, &item, field));
        let (Some((at_name, name)), Some((at, version))) = (name, version) else {
            continue;
        };
        if read.all.insert(name.to_owned(), version.to_owned()).is_some() {
            let message = format!("the component `{}` is listed twice", shortened(name));
            reader.error(&at_name, &message, "remove one of the two");
        } else if name == GARDENER {
            let help = format!("write a version such as v{}.0", GardenerVersion::NEWEST);
            read.gardener = reader.valid(&at, GardenerVersion::parse(version), &help);
        } else {
            for extension in extensions(name) {
                let help = format!("write a version such as v{}.0", extension.newest());
                let version = reader.valid(&at, ExtensionVersion::parse(version), &help);
                read.extensions.extend(version.map(|it| (extension.name, it)));
            }
        }
    }
    read
}

/// Returns a field of a component, which must be text that is not empty.
fn text<'v>(
    reader: &mut Reader<'_>,
    component: &Located<'v>,
    field: &str,
) -> Option<(Located<'v>, &'v str)> {
    if !component.value.is_object() {
        // The name of the first field reports the type.
        if field == "name" {
            reader.entries(component);
        }
        return None;
    }
    let Some(at) = component.field(field) else {
        let message = format!("{} has no `{field}`", component.name());
        reader.error(component, &message, &format!("add `{field}`, or remove the component"));
        return None;
    };
    let text = reader.text(&at)?;
    if text.trim().is_empty() {
        let message = format!("{} is empty", at.name());
        reader.error(&at, &message, "write a value, or remove the component");
        return None;
    }
    Some((at, text))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::config::{ConfigError, read_components};

    fn problems(text: &str) -> String {
        match read_components("c.yaml", text) {
            Err(ConfigError::Mistakes(problems)) => {
                problems.iter().map(|it| format!("{}: {}\n", it.position, it.message)).collect()
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn versions_of_gardener_and_known_extensions_are_read() {
        let text = "
components:
- name: github.com/gardener/gardener
  sourceRepository: https://github.com/gardener/gardener
  version: v1.148.4
- name: github.com/gardener/gardener-extension-provider-aws
  version: v1.73.0
  resources: {admissionAwsRuntime: {helmChart: {repository: example.com/a}}}
- name: github.com/gardener/gardener-extension-registry-cache
  version: v0.25.1
- name: github.com/gardener/gardener-extension-shoot-x
  version: latest
";
        let read = read_components("c.yaml", text).unwrap();
        assert_eq!(read.gardener, Some(GardenerVersion::of_minor(148)));
        let extensions = read.extensions.iter().map(|(name, version)| format!("{name} {version}"));
        let expected = ["aws 1.73", "registry-cache 0.25", "registry-mirror 0.25"];
        assert_eq!(extensions.collect::<Vec<_>>(), expected);
        assert_eq!(read.all.len(), 4);
    }

    #[rstest]
    #[case::empty("", "1:1: the file is empty\n")]
    #[case::other("kind: Shoot", "1:1: the file has no `components`\n")]
    #[case::list("[]", "1:1: the file has no `components`\n")]
    #[case::no_list("components: a", "1:13: `components` must be a list, but is `a`\n")]
    #[case::no_component("components: []", "1:1: `components` is empty\n")]
    #[case::scalar("components: [a]", "1:14: `components[0]` must be a mapping, but is `a`\n")]
    #[case::null("components: [null]", "1:14: `components[0]` must be a mapping, but is nothing\n")]
    #[case::no_name("components: [{version: v1}]", "1:14: `components[0]` has no `name`\n")]
    #[case::blank(
        "components: [{name: ' ', version: v1}]",
        "1:21: `components[0].name` is empty\n"
    )]
    #[case::no_version("components: [{name: a}]", "1:14: `components[0]` has no `version`\n")]
    #[case::number(
        "components: [{name: a, version: 1.2}]",
        "1:33: `components[0].version` must be text, but is `1.2`\n"
    )]
    #[case::twice(
        "components: [{name: a, version: v1}, {name: a, version: v1}]",
        "1:45: the component `a` is listed twice\n"
    )]
    #[case::bad_version(
        "components: [{name: github.com/gardener/gardener, version: latest}]",
        "1:60: `latest` is not a version: it is not of the form `1.2.3`, optionally with `-prerelease` and `+build`\n"
    )]
    #[case::two_documents(
        "components: [{name: a, version: b}]\n---\na: b",
        "3:1: a second document begins here\n"
    )]
    fn mistakes_have_positions(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(problems(text), expected);
    }

    #[test]
    fn later_vectors_override_earlier_ones() {
        let vector = |components: &[(&str, &str)]| {
            let list = components.iter().map(|(name, version)| {
                format!("- {{name: github.com/gardener/gardener{name}, version: {version}}}\n")
            });
            read_components("c.yaml", &format!("components:\n{}", list.collect::<String>()))
                .unwrap()
        };
        let base =
            vector(&[("", "v1.148.4"), ("-extension-provider-aws", "v1.73.0"), ("-x", "v1")]);
        let mut merged = base.clone();
        merged.extend(vector(&[("-extension-provider-aws", "v1.74.1"), ("-y", "v2")]));
        assert_eq!(merged.gardener, base.gardener);
        assert_eq!(merged.extensions["aws"].to_string(), "1.74");
        let changed = merged.changed_since(&base);
        let changed = changed.iter().map(|it| (it.name, it.old, it.new, it.is_judged()));
        let expected = [
            (
                "github.com/gardener/gardener-extension-provider-aws",
                Some("v1.73.0"),
                Some("v1.74.1"),
                true,
            ),
            ("github.com/gardener/gardener-y", None, Some("v2"), false),
        ];
        assert_eq!(changed.collect::<Vec<_>>(), expected);
        assert!(merged.judges_differently(&base));
        let patch = vector(&[("", "v1.148.5"), ("-extension-provider-aws", "v1.73.1")]);
        assert!(!patch.judges_differently(&base));
    }
}
