// SPDX-License-Identifier: Apache-2.0
use super::tree::Tree;
use garden_gate_model::api::{ListType, Schema};

/// A value and the stored value that it replaces.
///
/// Mirrors `CorrelatedObject` in `pkg/cel/common/equality.go` of `k8s.io/apiserver`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Correlation<'t> {
    new: &'t Tree,
    old: &'t Tree,
    schema: &'t Schema,
}

impl<'t> Correlation<'t> {
    pub(super) fn of(new: &'t Tree, old: &'t Tree, schema: &'t Schema) -> Self {
        Self { new, old, schema }
    }

    /// Returns the values of a field; `None` if there are not both, or the field has no schema.
    pub(super) fn field(self, name: &str) -> Option<Self> {
        let (new, old) = (self.new.as_map()?.get(name)?, self.old.as_map()?.get(name)?);
        Some(Self { new, old, schema: self.schema.field(name)? })
    }

    /// Returns an item and the stored one with the same keys; only lists of type `map` have such.
    pub(super) fn item(self, index: usize) -> Option<Self> {
        let new = self.new.as_list()?.get(index)?;
        let old = of_same_keys(self.schema, new, self.old.as_list()?)?;
        Some(Self { new, old, schema: self.schema.items.as_deref()? })
    }

    /// Reports whether both values are equal, as far as an API server compares them.
    ///
    /// Objects with fields that have no schema count as changed, unless they are in a list that is compared as a whole.
    pub(super) fn is_equal(self) -> bool {
        match (self.new, self.old) {
            (Tree::Null, Tree::Null) => true,
            (Tree::Null, _) | (_, Tree::Null) => false,
            (Tree::List(new), Tree::List(old)) if self.schema.list_type == ListType::Map => {
                let mut items = 0..new.len();
                new.len() == old.len() && items.all(|it| self.item(it).is_some_and(Self::is_equal))
            }
            (Tree::Map(new), Tree::Map(old)) => {
                let mut names = new.keys();
                new.len() == old.len() && names.all(|it| self.field(it).is_some_and(Self::is_equal))
            }
            (new, old) => new == old,
        }
    }
}

/// Returns the item with the same keys in a list of type `map`.
pub(super) fn of_same_keys<'t>(schema: &Schema, item: &Tree, list: &'t [Tree]) -> Option<&'t Tree> {
    if schema.list_type != ListType::Map {
        return None;
    }
    let item = item.as_map()?;
    let is_same = |other: &&Tree| {
        let other = other.as_map();
        schema.list_map_keys.iter().all(|key| other.is_some_and(|it| it.get(key) == item.get(key)))
    };
    list.iter().find(is_same)
}
