// SPDX-License-Identifier: Apache-2.0
//! CEL for `matchConditions` that selects stored objects without all defaults.
//!
//! An UPDATE completes these objects even if it changes neither their spec nor their annotations.
//!
//! The expressions assume that `object.spec` is a map, and cannot fail: a field is accessed only after `||` and a check of the
//! type of its parent. CEL's `||` is true if one side is, even if the other one fails. `null` counts as absent.

use crate::api::Kind;

/// CEL that is true if `$test` is true of a worker pool, as `pool`.
///
/// It is also true if the list of pools or a pool is malformed.
#[macro_export]
macro_rules! some_pool {
    ($($test:literal),+ $(,)?) => {
        concat!(
            "type(object.spec.?provider.orValue({})) != map",
            " || type(object.spec.?provider.?workers.orValue([])) != list",
            " || object.spec.?provider.?workers.orValue([]).exists(pool, type(pool) != map",
            $(" || ", $test,)+
            ")"
        )
    };
}

/// Conditions for the defaults of [`super::shoot()`] and [`super::worker()`].
const SHOOT: &[&str] = &[
    "object.metadata.?namespace.orValue('') == 'garden'",
    some_pool!(
        "type(pool.?cri.orValue(null)) != map",
        "type(pool.?systemComponents.orValue(null)) != map",
        "type(pool.?updateStrategy.orValue(null)) != string",
        "pool.updateStrategy != 'ManualInPlaceUpdate' \
         && (pool.?maxSurge.orValue(null) == null || pool.?maxUnavailable.orValue(null) == null)",
        "pool.updateStrategy in ['AutoInPlaceUpdate', 'ManualInPlaceUpdate'] \
         && (type(pool.?machineControllerManager.orValue(null)) != map \
         || pool.machineControllerManager.?disableHealthTimeout.orValue(null) == null)",
    ),
];

/// Conditions for the defaults of [`super::project()`]; the owner is a subject like a member.
const PROJECT: &[&str] = &[
    "object.spec.?namespace.orValue('') == 'garden'",
    "object.spec.?owner.orValue(null) != null && (type(object.spec.owner) != map \
     || object.spec.owner.?kind.orValue('') != 'ServiceAccount' \
     && (type(object.spec.owner.?apiGroup.orValue(null)) != string || object.spec.owner.apiGroup == ''))",
    "type(object.spec.?members.orValue([])) != list \
     || object.spec.?members.orValue([]).exists(member, type(member) != map \
     || type(member.?role.orValue(null)) != string || member.role == '' \
     || member.?kind.orValue('') != 'ServiceAccount' \
     && (type(member.?apiGroup.orValue(null)) != string || member.apiGroup == ''))",
];

/// Returns CEL expressions for the objects of `kind` that `/mutate` completes before any rule runs.
///
/// At least one of them is true of each such object.
pub fn incomplete(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Shoot => SHOOT,
        Kind::Project => PROJECT,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::incomplete;
    use crate::api::Kind;

    #[test]
    fn only_shoots_and_projects_are_completed() {
        for kind in [Kind::Shoot, Kind::Project] {
            let conditions = incomplete(kind);
            assert!(conditions.iter().any(|it| it.contains("object.spec")));
        }
        assert!(incomplete(Kind::Seed).is_empty());
    }
}
