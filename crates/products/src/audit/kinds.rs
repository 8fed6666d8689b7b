// SPDX-License-Identifier: Apache-2.0
use garden_gate_core::admission::{Kind, Operation};
use garden_gate_core::rules;

/// Returns the kinds whose objects are audited.
pub fn audited_kinds() -> impl Iterator<Item = Kind> {
    let kinds = Kind::judged().filter(|kind| !kind.is_outside_garden() && !kind.is_of_review());
    kinds.filter(|kind| {
        let mut rules = rules::ALL.iter();
        rules.any(|rule| {
            let writes = [Operation::Create, Operation::Update];
            let mut scopes = rule.scopes.iter().filter(|scope| scope.kind == *kind);
            scopes.any(|scope| writes.iter().any(|it| scope.operations.contains(it)))
        })
    })
}
