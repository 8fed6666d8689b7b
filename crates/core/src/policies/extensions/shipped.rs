//! The definitions that are part of garden-gate.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::super::own::OwnPolicy;
use garden_gate_model::api::extensions::{ExtensionDefinition, SHIPPED, ShippedDefinition};
use garden_gate_text::yaml;

/// The compiled definitions in the order of [`SHIPPED`], each compiled on first use.
static COMPILED: LazyLock<Vec<LazyLock<Option<OwnPolicy>, Compile>>> = LazyLock::new(|| {
    let each = SHIPPED.iter().map(|it| {
        let compile: Compile = Box::new(move || compiled(it).ok());
        LazyLock::new(compile)
    });
    each.collect()
});

type Compile = Box<dyn FnOnce() -> Option<OwnPolicy> + Send>;

/// Returns the shipped definitions of extensions with one of these kinds and types.
pub(in crate::policies) fn shipped(
    types: &[(&'static str, Cow<'_, str>)],
) -> impl Iterator<Item = &'static OwnPolicy> {
    let is_named = move |it: &ShippedDefinition| {
        types
            .iter()
            .any(|(kind, class)| it.types.iter().any(|(own, of)| own == kind && *of == &**class))
    };
    let named = SHIPPED.iter().enumerate().filter(move |(_, it)| is_named(it));
    named.filter_map(|(index, _)| COMPILED.get(index).and_then(|it| it.as_ref()))
}

/// Compiles a definition.
///
/// # Errors
/// Fails with the reasons.
fn compiled(shipped: &ShippedDefinition) -> Result<OwnPolicy, Vec<String>> {
    let documents = yaml::parse(shipped.text).map_err(|error| vec![error.to_string()])?;
    let document = documents.first().ok_or_else(Vec::new)?;
    let definition: ExtensionDefinition =
        document.decode().map_err(|error| vec![error.to_string()])?;
    OwnPolicy::of_extension(&definition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_definitions_compile() {
        for it in SHIPPED {
            let policy = compiled(it);
            assert!(policy.is_ok(), "{}: {:?}", it.name, policy.err());
            let documents = yaml::parse(it.text).unwrap();
            let definition: ExtensionDefinition = documents[0].decode().unwrap();
            assert_eq!(definition.metadata.name, it.name);
            let resources: Vec<_> =
                definition.spec.resources.iter().map(|it| (&*it.kind, &*it.class)).collect();
            let settings = definition.spec.settings.pointer("/properties");
            let settings = settings.and_then(|it| it.as_object()).into_iter().flatten();
            assert!(settings.map(|(name, _)| name).eq(it.settings), "{}", it.name);
            assert!(it.types.iter().all(|it| resources.contains(it)), "{}", it.name);
        }
    }
}
