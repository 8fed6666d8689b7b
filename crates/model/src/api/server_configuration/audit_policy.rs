// SPDX-License-Identifier: Apache-2.0
//! The audit policy of an API server. Source: `pkg/apis/audit/v1/types.go` of Kubernetes' apiserver.

use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;

object! {
    /// Policy for the audit log of an API server.
    Policy {
        /// API group and version.
        "apiVersion": String;
        /// Kind.
        "kind": String;
        /// Metadata, which is not used.
        "metadata": ObjectMeta;
        /// Rules; the first one that matches a request decides.
        "rules": [PolicyRule] -> rules: Vec<PolicyRule>;
        /// Stages for which no events are created.
        "omitStages": [String] -> omit_stages: Vec<String>;
        /// Whether events omit managed fields.
        "omitManagedFields": Boolean;
    }
}

object! {
    /// Rule of an audit policy.
    PolicyRule {
        /// Level of the events: `None`, `Metadata`, `Request` or `RequestResponse`.
        "level": String required -> level: String;
        /// Users to which the rule applies; all, if it is empty.
        "users": [String];
        /// Groups of users to which the rule applies; all, if it is empty.
        "userGroups": [String];
        /// Verbs to which the rule applies; all, if it is empty.
        "verbs": [String];
        /// Resources to which the rule applies; all, if it is empty.
        "resources": [GroupResources] -> resources: Vec<GroupResources>;
        /// Namespaces to which the rule applies; all, if it is empty.
        "namespaces": [String] -> namespaces: Vec<Option<String>>;
        /// Paths to which the rule applies, instead of resources.
        "nonResourceURLs": [String] -> non_resource_urls: Vec<String>;
        /// Stages for which no events are created.
        "omitStages": [String] -> omit_stages: Vec<String>;
        /// Whether events omit managed fields.
        "omitManagedFields": Boolean;
    }
}

object! {
    /// Resources of an API group.
    GroupResources {
        /// API group; empty for the core group.
        "group": String -> group: String;
        /// Resources, such as `pods` or `pods/log`; all, if it is empty.
        "resources": [String] -> resources: Vec<Option<String>>;
        /// Names of objects; all, if it is empty.
        "resourceNames": [String] -> resource_names: Vec<Option<String>>;
    }
}
