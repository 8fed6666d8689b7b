// SPDX-License-Identifier: Apache-2.0
use serde::Deserialize;

use crate::api::{ObjectMeta, Subject};

/// A Role or ClusterRole: a set of permissions.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Role {
    /// Name and, for a Role, namespace.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The permissions; they add up.
    #[serde(default)]
    pub rules: Vec<PolicyRule>,
}

/// A permission for every verb on every resource that it lists.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct PolicyRule {
    /// Verbs; `*` is all.
    #[serde(default)]
    pub verbs: Vec<String>,
    /// API groups; `*` is all.
    #[serde(default)]
    pub api_groups: Vec<String>,
    /// Plural resources, `resource/subresource`, `*/subresource`, or `*` for all.
    #[serde(default)]
    pub resources: Vec<String>,
    /// Names of objects; empty is all.
    #[serde(default)]
    pub resource_names: Vec<String>,
}

/// A RoleBinding or ClusterRoleBinding: the users with a role.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct RoleBinding {
    /// Name and, for a RoleBinding, namespace.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The users, groups and service accounts with the role.
    #[serde(default)]
    pub subjects: Vec<Subject>,
    /// The role.
    #[serde(default)]
    pub role_ref: RoleRef,
}

/// Names a Role of the binding's namespace, or a ClusterRole.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct RoleRef {
    /// `Role` or `ClusterRole`.
    #[serde(default)]
    pub kind: String,
    /// The name of the role.
    #[serde(default)]
    pub name: String,
}
