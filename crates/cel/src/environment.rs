// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::Arc;

use super::node::Root;
use super::types::Type;

/// The variables that an expression may use, with their types.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The variables of a rule of a CustomResourceDefinition; `None` for a policy.
    custom_resource: Option<OldSelf>,
    has_params: bool,
    /// Whether `authorizer` is not declared.
    lacks_authorizer: bool,
    lookups: Option<LookupVariable>,
    /// Whether expressions may create objects and patches.
    has_patch_types: bool,
    variables: Arc<BTreeMap<String, Variable>>,
    /// The number of declared variables.
    count: usize,
}

/// The form of `oldSelf` in a rule of a CustomResourceDefinition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OldSelf {
    /// The stored value.
    Value,
    /// An optional value, for a rule with `optionalOldSelf`.
    Optional,
}

/// A variable whose fields and functions look up objects, such as `garden.project`. API servers have none.
#[derive(Clone, Copy, Debug)]
pub struct LookupVariable {
    /// Its name.
    pub name: &'static str,
    /// The names of its fields.
    pub fields: &'static [&'static str],
    /// The names of its functions.
    pub functions: &'static [&'static str],
}

/// A declared `variables.<name>`.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// The position of the declaration.
    pub(super) index: usize,
    pub(super) result: Type,
    /// The nesting of its expression and of the variables in it.
    pub(super) depth: usize,
}

/// Maximum size of the type of a variable: types of variables of variables can grow exponentially.
const LARGEST_TYPE: usize = 64;

impl Environment {
    /// Returns the variables of a policy without parameters: `object`, `oldObject`, `request` and `namespaceObject`.
    ///
    /// As in an API server, the objects are dynamic, and `request` and `namespaceObject` have known fields.
    pub fn admission() -> Self {
        Self::default()
    }

    /// Returns the variables of an `x-kubernetes-validations` rule: `self` and `oldSelf`.
    ///
    /// Both are dynamic. In an API server they have the types of the schema; it has compiled the rules before.
    pub fn custom_resource(old_self: OldSelf) -> Self {
        Self { custom_resource: Some(old_self), lacks_authorizer: true, ..Self::default() }
    }

    /// Adds `params`, for a policy with a `paramKind`.
    #[must_use]
    pub fn with_params(mut self) -> Self {
        self.has_params = true;
        self
    }

    /// Removes `authorizer`, as an API server does for `messageExpression`.
    #[must_use]
    pub fn without_authorizer(mut self) -> Self {
        self.lacks_authorizer = true;
        self
    }

    /// Adds a variable with lookups, and `now`: API servers have neither.
    #[must_use]
    pub fn with_lookups(mut self, variable: LookupVariable) -> Self {
        self.lookups = Some(variable);
        self
    }

    /// Adds the types `Object` and `JSONPatch`, and `jsonpatch.escapeKey`, for mutations.
    #[must_use]
    pub fn with_patch_types(mut self) -> Self {
        self.has_patch_types = true;
        self
    }

    /// Declares `variables.<name>` with the type and nesting of its expression.
    pub(super) fn declare(&mut self, name: &str, result: &Type, depth: usize) {
        let variables = Arc::make_mut(&mut self.variables);
        let variable = Variable { index: self.count, result: variable_type(result), depth };
        self.count += 1;
        // A later declaration replaces an earlier one of the same name.
        variables.insert(name.to_owned(), variable);
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    /// Returns a variable that every policy has, with its type.
    pub(super) fn root(&self, name: &str) -> Option<(Root, Type)> {
        let root = Root::of(name)?;
        let is_of_resource = matches!(root, Root::Itself | Root::OldItself);
        if is_of_resource != self.custom_resource.is_some() {
            return None;
        }
        let declared = match root {
            Root::OldItself if self.custom_resource == Some(OldSelf::Optional) => {
                Type::optional(Type::Dyn)
            }
            Root::Object | Root::OldObject | Root::Itself | Root::OldItself => Type::Dyn,
            Root::Params => self.has_params.then_some(Type::Dyn)?,
            Root::Request => Type::Record("kubernetes.AdmissionRequest"),
            Root::NamespaceObject => Type::Record("kubernetes.Namespace"),
            Root::Now => self.lookups.map(|_| Type::Timestamp)?,
        };
        Some((root, declared))
    }

    /// Reports whether an API server declares a name that is not implemented here.
    pub(super) fn is_unsupported(&self, name: &str) -> bool {
        name == "authorizer" && !self.lacks_authorizer
    }

    pub(super) fn has_patch_types(&self) -> bool {
        self.has_patch_types
    }

    /// Reports whether a name is that of the variable with lookups.
    pub(super) fn looks_up(&self, name: &str) -> bool {
        self.lookups.is_some_and(|it| it.name == name)
    }

    pub(super) fn has_lookup(&self, name: &str) -> bool {
        self.lookups.is_some_and(|it| it.fields.contains(&name))
    }

    pub(super) fn has_lookup_function(&self, name: &str) -> bool {
        self.lookups.is_some_and(|it| it.functions.contains(&name))
    }
}

/// Returns the type of a variable: types of libraries become dynamic, as in an API server.
fn variable_type(result: &Type) -> Type {
    let mut rest = LARGEST_TYPE;
    declared(result, &mut rest).unwrap_or(Type::Dyn)
}

fn declared(of: &Type, rest: &mut usize) -> Option<Type> {
    *rest = rest.checked_sub(1)?;
    Some(match of {
        Type::List(item) => Type::list(declared(item, rest)?),
        Type::Map(it) => Type::map(declared(&it.0, rest)?, declared(&it.1, rest)?),
        Type::Optional(_)
        | Type::Of(_)
        | Type::Opaque(_)
        | Type::Record(_)
        | Type::Constructed(_)
        | Type::Variable(_) => Type::Dyn,
        _ => of.clone(),
    })
}

/// Returns the type of a field of `request` or `namespaceObject`.
pub(super) fn record_field(record: &str, field: &str) -> Option<Type> {
    let strings = || Type::list(Type::String);
    let texts = || Type::map(Type::String, Type::String);
    Some(match (record, field) {
        ("kubernetes.AdmissionRequest", "kind" | "requestKind") => {
            Type::Record("kubernetes.GroupVersionKind")
        }
        ("kubernetes.AdmissionRequest", "resource" | "requestResource") => {
            Type::Record("kubernetes.GroupVersionResource")
        }
        (
            "kubernetes.AdmissionRequest",
            "subResource" | "requestSubResource" | "name" | "namespace" | "operation",
        ) => Type::String,
        ("kubernetes.AdmissionRequest", "userInfo") => Type::Record("kubernetes.UserInfo"),
        ("kubernetes.AdmissionRequest", "dryRun") => Type::Bool,
        ("kubernetes.AdmissionRequest", "options") => Type::Dyn,
        ("kubernetes.GroupVersionKind", "group" | "version" | "kind")
        | ("kubernetes.GroupVersionResource", "group" | "version" | "resource")
        | ("kubernetes.UserInfo", "username" | "uid") => Type::String,
        ("kubernetes.UserInfo", "groups") => strings(),
        ("kubernetes.UserInfo", "extra") => Type::map(Type::String, strings()),
        ("kubernetes.Namespace", "metadata") => Type::Record("kubernetes.NamespaceMetadata"),
        ("kubernetes.Namespace", "spec") => Type::Record("kubernetes.NamespaceSpec"),
        ("kubernetes.Namespace", "status") => Type::Record("kubernetes.NamespaceStatus"),
        (
            "kubernetes.NamespaceMetadata",
            "name" | "generateName" | "namespace" | "UID" | "resourceVersion",
        ) => Type::String,
        ("kubernetes.NamespaceMetadata", "labels" | "annotations") => texts(),
        ("kubernetes.NamespaceMetadata", "creationTimestamp" | "deletionTimestamp") => {
            Type::Timestamp
        }
        ("kubernetes.NamespaceMetadata", "deletionGracePeriodSeconds" | "generation") => Type::Int,
        ("kubernetes.NamespaceMetadata" | "kubernetes.NamespaceSpec", "finalizers") => strings(),
        ("kubernetes.NamespaceStatus", "conditions") => {
            Type::list(Type::Record("kubernetes.NamespaceCondition"))
        }
        ("kubernetes.NamespaceStatus", "phase")
        | ("kubernetes.NamespaceCondition", "status" | "type" | "message" | "reason") => {
            Type::String
        }
        ("kubernetes.NamespaceCondition", "lastTransitionTime") => Type::Timestamp,
        _ => return None,
    })
}
