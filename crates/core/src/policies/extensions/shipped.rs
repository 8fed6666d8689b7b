// SPDX-License-Identifier: Apache-2.0
//! The definitions that are part of garden-gate.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::super::own::OwnPolicy;
use garden_gate_model::api::extensions::{SHIPPED, ShippedDefinition};

/// The compiled definitions in the order of [`SHIPPED`], each compiled on first use.
static COMPILED: LazyLock<Vec<LazyLock<Option<OwnPolicy>, Compile>>> = LazyLock::new(|| {
    let each = SHIPPED.iter().map(|it| {
        let compile: Compile = Box::new(move || compiled(it).ok());
        LazyLock::new(compile)
    });
    each.collect()
});

type Compile = Box<dyn FnOnce() -> Option<OwnPolicy> + Send>;

/// Returns the compiled definition of an extension; `None` for extensions without one.
pub fn shipped_definition(extension: &str) -> Option<&'static OwnPolicy> {
    let index = SHIPPED.iter().position(|it| it.extension.name == extension)?;
    COMPILED.get(index)?.as_ref()
}

/// Reports whether an extension with one of these kinds and types has a shipped definition. None is compiled.
pub(in crate::policies) fn is_shipped(types: &[(&'static str, Cow<'_, str>)]) -> bool {
    SHIPPED.iter().any(|it| is_one_of(it, types))
}

fn is_one_of(shipped: &ShippedDefinition, types: &[(&'static str, Cow<'_, str>)]) -> bool {
    let mut own = shipped.types.iter();
    own.any(|(kind, class)| types.iter().any(|(of, it)| of == kind && **it == **class))
}

/// Returns the shipped definitions of extensions with one of these kinds and types.
pub(in crate::policies) fn shipped(
    types: &[(&'static str, Cow<'_, str>)],
) -> impl Iterator<Item = &'static OwnPolicy> {
    let named = SHIPPED.iter().enumerate().filter(move |(_, it)| is_one_of(it, types));
    named.filter_map(|(index, _)| COMPILED.get(index).and_then(|it| it.as_ref()))
}

/// Compiles a definition.
///
/// # Errors
/// Fails with the reasons.
fn compiled(shipped: &ShippedDefinition) -> Result<OwnPolicy, Vec<String>> {
    OwnPolicy::of_extension(&shipped.definition().map_err(|why| vec![why])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_definitions_compile_and_agree_with_the_table() {
        for it in SHIPPED {
            let name = it.extension.name;
            let policy = compiled(it).unwrap();
            assert_eq!(policy.id(), it.finding);
            let extension = &policy.extension.as_ref().unwrap().extension;
            assert_eq!(format!("{extension:?}"), format!("{:?}", it.extension));
            let spec = it.definition().unwrap().spec;
            let resources: Vec<_> =
                spec.resources.iter().map(|it| (&*it.kind, &*it.class)).collect();
            assert!(it.types.iter().all(|it| resources.contains(it)), "{name}");
            let kinds = policy.extension.as_ref().unwrap().rules.iter().map(|(kind, _)| kind);
            assert!(kinds.eq(it.kinds), "{name}");
            let settings = &policy.extension.as_ref().unwrap().settings;
            assert_eq!(*settings, spec.settings_with_defaults(), "{name}");
        }
    }
}
