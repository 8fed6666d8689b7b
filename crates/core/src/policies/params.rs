// SPDX-License-Identifier: Apache-2.0
//! The parameters of a binding.
//!
//! Mirrors CollectParams in `pkg/admission/plugin/policy/generic/policy_dispatcher.go` of `k8s.io/apiserver`.

use std::sync::Arc;

use serde_json::Value;

use crate::garden::{FurtherObjects, Parameter, Parameters, Snapshot};
use garden_gate_model::api::{ParamKind, ParamRef};
use garden_gate_text::go::Selector;

/// Maximum number of parameters of a binding, each of which is evaluated alone.
const MOST: usize = 1_000;

/// The parameters of a binding for a request.
pub(super) enum BoundParams {
    /// The policy is evaluated with each of them; `None` means that `params` is `null`.
    Each(Vec<Option<Arc<Value>>>),
    /// The binding has an error, which is treated by the failure policy.
    Failed(String),
    /// They are not known, for this reason.
    Unknown(String),
    /// The garden has no such objects at all.
    Omitted(String),
}

/// Returns the parameters of a valid binding for a request.
///
/// The namespace of the request is empty for cluster-scoped objects.
pub(super) fn bound_params(
    kind: Option<&ParamKind>,
    reference: Option<&ParamRef>,
    namespace: &str,
    garden: &Snapshot,
) -> BoundParams {
    let (Some(kind), Some(reference)) = (kind, reference) else {
        return BoundParams::Each(vec![None]);
    };
    let omitted = || {
        BoundParams::Omitted(format!(
            "its parameters are objects of kind {kind}, which the garden does not have"
        ))
    };
    let Some(all) = garden.parameters(kind) else {
        return omitted();
    };
    if *all.further() == FurtherObjects::Omitted {
        return omitted();
    }
    let within = match namespace_of(all, reference, namespace) {
        Ok(within) => within,
        Err(why) => return BoundParams::Failed(why.to_owned()),
    };
    match &reference.selector {
        None => named(all, within, &reference.name, kind, reference),
        Some(selector) => {
            let selector = Selector::compile(&selector.match_labels, selector.expressions());
            match selector {
                Ok(selector) => selected(all, &selector, within, reference),
                Err(why) => BoundParams::Failed(why),
            }
        }
    }
}

/// Returns the effort of [`bound_params`], as a cost: the number of objects that a selector is compared with.
pub(super) fn searched_params(
    kind: Option<&ParamKind>,
    reference: Option<&ParamRef>,
    garden: &Snapshot,
) -> u64 {
    let selects = reference.is_some_and(|it| it.selector.is_some());
    let all = kind.filter(|_| selects).and_then(|it| garden.parameters(it));
    all.map_or(0, |it| u64::try_from(it.len()).unwrap_or(u64::MAX))
}

/// Returns the namespace of the parameters; `None` for cluster-scoped ones.
fn namespace_of<'a>(
    all: &Parameters,
    reference: &'a ParamRef,
    namespace: &'a str,
) -> Result<Option<&'a str>, &'static str> {
    match (all.is_namespaced(), reference.namespace.as_str(), namespace) {
        (false, "", _) => Ok(None),
        (false, ..) => {
            Err("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
        }
        (true, "", "") => Err(
            "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
        ),
        (true, "", namespace) | (true, namespace, _) => Ok(Some(namespace)),
    }
}

fn named(
    all: &Parameters,
    within: Option<&str>,
    name: &str,
    kind: &ParamKind,
    reference: &ParamRef,
) -> BoundParams {
    let namespace = within.unwrap_or_default();
    match (all.get(namespace, name), all.further()) {
        (Some(found), _) => BoundParams::Each(vec![Some(Arc::clone(&found.value))]),
        (None, _) if all.lacks(namespace, name) => missing(reference),
        (None, FurtherObjects::Possible(why)) => BoundParams::Unknown(format!(
            "its parameter, the {} `{name}`, is not known: {why}",
            kind.kind
        )),
        (None, _) => {
            BoundParams::Unknown(format!("its parameter, the {} `{name}`, is not known", kind.kind))
        }
    }
}

fn selected(
    all: &Parameters,
    selector: &Selector<'_>,
    within: Option<&str>,
    reference: &ParamRef,
) -> BoundParams {
    if let FurtherObjects::Possible(why) = all.further() {
        return BoundParams::Unknown(format!("its parameters are not all known: {why}"));
    }
    let found = all.within(within).filter(|it| selector.matches(&it.labels));
    let found: Vec<&Parameter> = found.take(MOST + 1).collect();
    match found.len() {
        0 => missing(reference),
        count if count > MOST => BoundParams::Unknown(format!(
            "a binding selects more than {MOST} parameters, which is the limit"
        )),
        _ => {
            let each = found.iter().map(|it| Some(Arc::clone(&it.value)));
            BoundParams::Each(each.collect())
        }
    }
}

fn missing(reference: &ParamRef) -> BoundParams {
    match reference.parameter_not_found_action.as_deref() {
        Some("Deny") => BoundParams::Failed(
            "no params found for policy binding with `Deny` parameterNotFoundAction".to_owned(),
        ),
        _ => BoundParams::Each(Vec::new()),
    }
}
