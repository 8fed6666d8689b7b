// SPDX-License-Identifier: Apache-2.0
//! All fields of policies and their bindings, for strict decoding.

use crate::api::{LabelSelector, Object, ObjectMeta, object};

/// Fields of a ValidatingAdmissionPolicy.
pub const POLICY_FIELDS: &Object = &ValidatingAdmissionPolicy;
/// Fields of a ValidatingAdmissionPolicyBinding.
pub const POLICY_BINDING_FIELDS: &Object = &ValidatingAdmissionPolicyBinding;
/// Fields of a MutatingAdmissionPolicy.
pub const MUTATING_POLICY_FIELDS: &Object = &MutatingAdmissionPolicy;
/// Fields of a MutatingAdmissionPolicyBinding.
pub const MUTATING_POLICY_BINDING_FIELDS: &Object = &MutatingAdmissionPolicyBinding;
/// Fields of a [`GardenPolicy`](crate::api::GardenPolicy).
pub const GARDEN_POLICY_FIELDS: &Object = &GardenPolicyFields;

object! {
    /// Rules in CEL that an API server evaluates.
    ValidatingAdmissionPolicy {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Requests and expressions.
        "spec": ValidatingAdmissionPolicySpec;
        /// State of the type check; set by controllers.
        "status": ValidatingAdmissionPolicyStatus;
    }
}

object! {
    /// Requests and expressions of a policy.
    ValidatingAdmissionPolicySpec {
        /// Kind of the parameters.
        "paramKind": PolicyParamKind;
        /// Resources, operations and selectors.
        "matchConstraints": PolicyMatchResources;
        /// Expressions that must be true for objects.
        "validations": [PolicyValidation];
        /// Effect of errors: `Fail` or `Ignore`.
        "failurePolicy": String;
        /// Entries of the audit log.
        "auditAnnotations": [PolicyAuditAnnotation];
        /// Conditions of the policy.
        "matchConditions": [PolicyNamedExpression; by name];
        /// Named expressions for other expressions.
        "variables": [PolicyNamedExpression; by name];
    }
}

object! {
    /// Rules in CEL that garden-gate evaluates.
    GardenPolicyFields {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Requests, expressions and effect.
        "spec": GardenPolicySpecFields;
    }
}

object! {
    /// Requests, expressions and effect of a GardenPolicy.
    GardenPolicySpecFields {
        /// Id of findings after `policy/`.
        "id": String;
        /// Level of findings: `deny`, `warn` or `off`.
        "level": String;
        /// Remedy in findings.
        "help": String;
        /// Resources, operations and selectors.
        "matchConstraints": PolicyMatchResources;
        /// Expressions that must be true for objects.
        "validations": [PolicyValidation];
        /// Effect of errors: `Fail` or `Ignore`.
        "failurePolicy": String;
        /// Entries of the audit log.
        "auditAnnotations": [PolicyAuditAnnotation];
        /// Conditions of the policy.
        "matchConditions": [PolicyNamedExpression; by name];
        /// Named expressions for other expressions.
        "variables": [PolicyNamedExpression; by name];
    }
}

object! {
    /// Kind of the parameters of a policy.
    PolicyParamKind {
        /// API group and version.
        "apiVersion": String;
        /// Kind.
        "kind": String;
    }
}

object! {
    /// Resources, operations and selectors of a policy or binding.
    PolicyMatchResources {
        /// Labels of the namespaces.
        "namespaceSelector": LabelSelector;
        /// Labels of the objects.
        "objectSelector": LabelSelector;
        /// Matching resources.
        "resourceRules": [PolicyResourceRule];
        /// Exceptions from the matching resources.
        "excludeResourceRules": [PolicyResourceRule];
        /// Whether equivalent resources match: `Exact` or `Equivalent`.
        "matchPolicy": String;
    }
}

object! {
    /// Operations on resources.
    PolicyResourceRule {
        /// Names of objects.
        "resourceNames": [String];
        /// Operations.
        "operations": [String];
        /// API groups.
        "apiGroups": [String];
        /// API versions.
        "apiVersions": [String];
        /// Resources and subresources.
        "resources": [String];
        /// `Cluster`, `Namespaced` or `*`.
        "scope": String;
    }
}

object! {
    /// Condition or variable of a policy.
    PolicyNamedExpression {
        /// Name.
        "name": String;
        /// Expression in CEL.
        "expression": String;
    }
}

object! {
    /// Expression that must be true for objects.
    PolicyValidation {
        /// Expression in CEL.
        "expression": String;
        /// Message of a refusal.
        "message": String;
        /// Reason of a refusal.
        "reason": String;
        /// Expression in CEL for the message of a refusal.
        "messageExpression": String;
    }
}

object! {
    /// Entry of the audit log.
    PolicyAuditAnnotation {
        /// Key of the entry.
        "key": String;
        /// Expression in CEL for the value.
        "valueExpression": String;
    }
}

object! {
    /// State of the type check of a policy.
    ValidatingAdmissionPolicyStatus {
        /// Generation of the checked policy.
        "observedGeneration": Integer64;
        /// Results of the type check.
        "typeChecking": PolicyTypeChecking;
        /// Conditions of the policy.
        "conditions": [PolicyCondition; by type];
    }
}

object! {
    /// Results of the type check of a policy.
    PolicyTypeChecking {
        /// Warnings about expressions.
        "expressionWarnings": [PolicyExpressionWarning];
    }
}

object! {
    /// Warning about an expression.
    PolicyExpressionWarning {
        /// Path of the field.
        "fieldRef": String;
        /// Warning.
        "warning": String;
    }
}

object! {
    /// Condition of a policy.
    PolicyCondition {
        /// Type of the condition.
        "type": String;
        /// `True`, `False` or `Unknown`.
        "status": String;
        /// Generation of the policy.
        "observedGeneration": Integer64;
        /// Time of the last change.
        "lastTransitionTime": Time;
        /// Reason of the last change.
        "reason": String;
        /// Details of the last change.
        "message": String;
    }
}

object! {
    /// Binding of a policy.
    ValidatingAdmissionPolicyBinding {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Policy, parameters and requests.
        "spec": ValidatingAdmissionPolicyBindingSpec;
    }
}

object! {
    /// Policy, parameters and requests of a binding.
    ValidatingAdmissionPolicyBindingSpec {
        /// Name of the policy.
        "policyName": String;
        /// Parameters of the policy.
        "paramRef": PolicyParamRef;
        /// Further limits on resources.
        "matchResources": PolicyMatchResources;
        /// Effects of a violation: `Deny`, `Warn` or `Audit`.
        "validationActions": [String; set];
    }
}

object! {
    /// Reference to parameters.
    PolicyParamRef {
        /// Name of the parameters.
        "name": String;
        /// Namespace of the parameters.
        "namespace": String;
        /// Labels of the parameters.
        "selector": LabelSelector;
        /// Effect of missing parameters: `Allow` or `Deny`.
        "parameterNotFoundAction": String;
    }
}

object! {
    /// Changes in CEL that an API server makes.
    MutatingAdmissionPolicy {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Requests and mutations.
        "spec": MutatingAdmissionPolicySpec;
    }
}

object! {
    /// Requests and mutations of a policy.
    MutatingAdmissionPolicySpec {
        /// Kind of the parameters.
        "paramKind": PolicyParamKind;
        /// Resources, operations and selectors.
        "matchConstraints": PolicyMatchResources;
        /// Named expressions for other expressions.
        "variables": [PolicyNamedExpression];
        /// Changes, in order.
        "mutations": [PolicyMutation];
        /// Effect of errors: `Fail` or `Ignore`.
        "failurePolicy": String;
        /// Conditions of the policy.
        "matchConditions": [PolicyNamedExpression; by name];
        /// Whether it is applied again after other changes: `Never` or `IfNeeded`.
        "reinvocationPolicy": String;
    }
}

object! {
    /// Change of an object.
    PolicyMutation {
        /// Type of the change: `ApplyConfiguration` or `JSONPatch`.
        "patchType": String;
        /// Object that is merged.
        "applyConfiguration": PolicyMutationExpression;
        /// Operations of a JSON patch.
        "jsonPatch": PolicyMutationExpression;
    }
}

object! {
    /// Expression of a change.
    PolicyMutationExpression {
        /// Expression in CEL.
        "expression": String;
    }
}

object! {
    /// Binding of a policy that changes objects.
    MutatingAdmissionPolicyBinding {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Policy, parameters and requests.
        "spec": MutatingAdmissionPolicyBindingSpec;
    }
}

object! {
    /// Policy, parameters and requests of a binding.
    MutatingAdmissionPolicyBindingSpec {
        /// Name of the policy.
        "policyName": String;
        /// Parameters of the policy.
        "paramRef": PolicyParamRef;
        /// Further limits on resources.
        "matchResources": PolicyMatchResources;
    }
}
