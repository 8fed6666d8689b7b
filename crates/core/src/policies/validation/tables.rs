// SPDX-License-Identifier: Apache-2.0
//! The checks of each field, as in `pkg/apis/admissionregistration/validation` of Kubernetes.

use super::checks::Check::{
    MaxBytes, MaxItems, NotBlank, NotBlankIfSet, OneOf, Required, Syntax, Unique, UniqueBy,
    WildcardAlone, With,
};
use super::checks::{
    Check, group_version, identifier, kind, one_line, path_segment, qualified_name, subdomain,
    subdomain_prefix,
};
use super::several::{
    annotations, audit_key, cluster_scoped, deny_and_warn, effect, labels, named, one_controller,
    one_patch, param_ref, resources, selector, write,
};

/// Fields, as in `spec.validations[].message`, and their checks.
pub(super) type Table = &'static [(&'static str, &'static [Check])];

const EXPRESSION: &str =
    "an expression in CEL, as in `expression: object.spec.purpose == 'production'`";

/// The metadata of any policy.
pub(super) const METADATA: Table = &[
    ("metadata", &[With(named), With(cluster_scoped), With(labels), With(annotations)]),
    ("metadata.name", &[Syntax(subdomain)]),
    ("metadata.generateName", &[Syntax(subdomain_prefix)]),
    (
        "metadata.finalizers[]",
        &[Required("a name like `example.com/name`"), Syntax(qualified_name)],
    ),
    ("metadata.ownerReferences", &[With(one_controller)]),
    ("metadata.ownerReferences[].apiVersion", &[Required("the API version of the owner")]),
    ("metadata.ownerReferences[].kind", &[Required("the kind of the owner")]),
    ("metadata.ownerReferences[].name", &[Required("the name of the owner")]),
    ("metadata.ownerReferences[].uid", &[Required("the UID of the owner")]),
];

/// Any policy, without its `matchConstraints`.
pub(super) const SHARED: Table = &[
    ("spec.failurePolicy", &[OneOf(&["Fail", "Ignore"])]),
    (
        "spec.paramKind.apiVersion",
        &[Required("it like `v1` or `example.com/v1`"), Syntax(group_version)],
    ),
    ("spec.paramKind.kind", &[Required("it like `ConfigMap`"), Syntax(kind)]),
    ("spec.matchConstraints", &[Required("`resourceRules` below it")]),
    ("spec.matchConditions", &[MaxItems(64), UniqueBy("name")]),
    (
        "spec.matchConditions[].name",
        &[Required("a name like `exclude-operators`"), Syntax(qualified_name)],
    ),
    ("spec.matchConditions[].expression", &[NotBlank(EXPRESSION)]),
    ("spec.variables[].name", &[NotBlank("a name like `workers`"), Syntax(identifier)]),
    ("spec.variables[].expression", &[NotBlank(EXPRESSION)]),
];

/// A ValidatingAdmissionPolicy or a GardenPolicy, without the fields of [`SHARED`].
pub(super) const POLICY: Table = &[
    ("spec", &[With(effect)]),
    ("spec.validations[].expression", &[NotBlank(EXPRESSION)]),
    ("spec.validations[].message", &[NotBlankIfSet, Syntax(one_line)]),
    ("spec.validations[].messageExpression", &[NotBlankIfSet]),
    ("spec.validations[].reason", &[OneOf(&["Forbidden", "Invalid", "RequestEntityTooLarge"])]),
    ("spec.auditAnnotations", &[MaxItems(20), UniqueBy("key")]),
    ("", &[With(audit_key)]),
    ("spec.auditAnnotations[].valueExpression", &[NotBlank(EXPRESSION), MaxBytes(5 * 1024)]),
];

/// The definition of an extension.
pub(super) const EXTENSION: Table = &[
    ("spec.matchConditions", &[MaxItems(64), UniqueBy("name")]),
    (
        "spec.matchConditions[].name",
        &[Required("a name like `not-disabled`"), Syntax(qualified_name)],
    ),
    ("spec.matchConditions[].expression", &[NotBlank(EXPRESSION)]),
    ("spec.variables[].name", &[NotBlank("a name like `workers`"), Syntax(identifier)]),
    ("spec.variables[].expression", &[NotBlank(EXPRESSION)]),
    ("spec.validations[].expression", &[NotBlank(EXPRESSION)]),
    ("spec.validations[].message", &[NotBlankIfSet, Syntax(one_line)]),
    ("spec.validations[].effect", &[OneOf(&["Deny", "Warn"])]),
    ("spec.configurations[].effect", &[OneOf(&["Deny", "Warn"])]),
    ("spec.configurations[].header", &[OneOf(&["Required", "APIVersion", "Optional", "Ignored"])]),
];

/// Fields that only server-side apply checks, so that a garden may have invalid ones.
pub(super) const APPLIED: Table = &[("spec.variables", &[UniqueBy("name")])];

/// A MutatingAdmissionPolicy, without the fields of [`SHARED`].
pub(super) const MUTATING_POLICY: Table = &[
    ("spec.matchConstraints.resourceRules[].operations[]", &[With(write)]),
    ("spec.mutations", &[Required("at least one change")]),
    (
        "spec.mutations[].patchType",
        &[
            Required("`ApplyConfiguration` or `JSONPatch`"),
            OneOf(&["ApplyConfiguration", "JSONPatch"]),
        ],
    ),
    ("spec.mutations[]", &[With(one_patch)]),
    (
        "spec.reinvocationPolicy",
        &[Required("`Never` or `IfNeeded`"), OneOf(&["IfNeeded", "Never"])],
    ),
];

/// A MutatingAdmissionPolicyBinding, without the fields of [`SHARED_BINDING`].
pub(super) const MUTATING_BINDING: Table =
    &[("spec.matchResources.resourceRules[].operations[]", &[With(write)])];

/// Any binding, without its `matchResources`.
pub(super) const SHARED_BINDING: Table = &[
    ("spec.policyName", &[Required("the name of a policy"), Syntax(subdomain)]),
    ("spec.paramRef", &[With(param_ref)]),
    ("spec.paramRef.name", &[Syntax(path_segment)]),
    ("spec.paramRef.selector", &[With(selector)]),
    (
        "spec.paramRef.parameterNotFoundAction",
        &[Required("`Allow` or `Deny`"), OneOf(&["Allow", "Deny"])],
    ),
];

/// A ValidatingAdmissionPolicyBinding, without the fields of [`SHARED_BINDING`].
pub(super) const BINDING: Table = &[
    (
        "spec.validationActions",
        &[Required("at least one of `Deny`, `Warn` and `Audit`"), Unique, With(deny_and_warn)],
    ),
    ("spec.validationActions[]", &[OneOf(&["Audit", "Deny", "Warn"])]),
];

/// Requests, below `matchConstraints` or `matchResources`.
pub(super) const MATCH_RESOURCES: Table = &[
    ("matchPolicy", &[OneOf(&["Equivalent", "Exact"])]),
    ("namespaceSelector", &[With(selector)]),
    ("objectSelector", &[With(selector)]),
];

/// A rule, below `resourceRules[]` or `excludeResourceRules[]`.
pub(super) const RULE: Table = &[
    ("operations", &[Required("them like `[CREATE, UPDATE]`"), WildcardAlone]),
    ("operations[]", &[OneOf(&["CREATE", "UPDATE", "DELETE", "CONNECT", "*"])]),
    ("apiGroups", &[Required("them like `[core.gardener.cloud]`"), WildcardAlone]),
    ("apiVersions", &[Required("them like `[v1beta1]`"), WildcardAlone]),
    ("apiVersions[]", &[Required("a version like `v1beta1`")]),
    ("resources", &[Required("them like `[shoots]`"), With(resources)]),
    ("resources[]", &[Required("a resource like `shoots`")]),
    ("scope", &[OneOf(&["Cluster", "Namespaced", "*"])]),
    ("resourceNames", &[Unique]),
    ("resourceNames[]", &[Syntax(path_segment)]),
];
