use serde::{Deserialize, Serialize};

use super::{LabelSelector, ObjectMeta, Toleration, bounded, is_default, null_is_default};

/// A Project: the namespace of a team, its members, and the tolerations that its Shoots may have.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Project {
    /// Name and annotations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The state that the Project's owner requests.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: ProjectSpec,
}

/// The desired state of a [`Project`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectSpec {
    /// The namespace that belongs to the Project; immutable once set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The user who created the Project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_by: Option<Subject>,
    /// The owner of the Project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Subject>,
    /// The members of the Project.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub members: Vec<Member>,
    /// Toleration defaults and whitelist for the Project's Shoots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerations: Option<Box<ProjectTolerations>>,
    /// The objects whose deletion needs dual approval.
    #[serde(default, deserialize_with = "bounded::list", skip_serializing)]
    pub dual_approval_for_deletion: Vec<DualApproval>,
}

impl ProjectSpec {
    /// Returns the number of elements in its lists.
    #[must_use]
    pub fn elements(&self) -> usize {
        let tolerations = self.tolerations.as_deref();
        let tolerations = tolerations.map_or(0, |it| it.defaults.len() + it.whitelist.len());
        self.members.len() + tolerations + self.dual_approval_for_deletion.len()
    }
}

/// Objects of a [`Project`] whose deletion is confirmed by one user and requested by another.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct DualApproval {
    /// The plural resource; only `shoots` is supported.
    #[serde(default, deserialize_with = "null_is_default")]
    pub resource: String,
    /// Labels of the objects; an empty selector means all.
    #[serde(default, deserialize_with = "null_is_default")]
    pub selector: LabelSelector,
    /// Whether it also applies to service accounts; the default is true.
    pub include_service_accounts: Option<bool>,
}

/// The toleration lists of a [`Project`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct ProjectTolerations {
    /// Added to every new Shoot that has no toleration of the same key.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub defaults: Vec<Toleration>,
    /// The tolerations that Shoots may have; an entry without a value covers every value of its key.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub whitelist: Vec<Toleration>,
}

/// A user, group or service account, as in RBAC.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// `rbac.authorization.k8s.io` for users and groups, empty for service accounts.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub api_group: String,
    /// `User`, `Group` or `ServiceAccount`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// The name of the user, group or service account.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The namespace of a service account.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub namespace: String,
}

/// A member of a [`Project`]: a subject and its roles.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// As in [`Subject::api_group`].
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub api_group: String,
    /// As in [`Subject::kind`].
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// As in [`Subject::name`].
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// As in [`Subject::namespace`].
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub namespace: String,
    /// The first role; JSON has separate fields for it and the others.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub role: String,
    /// The other roles.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub roles: Vec<String>,
}

impl Member {
    /// Returns a member for a subject with the given roles, the first of which becomes `role`.
    #[must_use]
    pub fn new(subject: &Subject, roles: &[&str]) -> Self {
        let mut roles = roles.iter().map(|&role| role.to_owned());
        Self {
            api_group: subject.api_group.clone(),
            kind: subject.kind.clone(),
            name: subject.name.clone(),
            namespace: subject.namespace.clone(),
            role: roles.next().unwrap_or_default(),
            roles: roles.collect(),
        }
    }

    /// Returns the member without roles.
    #[must_use]
    pub fn subject(&self) -> Subject {
        Subject {
            api_group: self.api_group.clone(),
            kind: self.kind.clone(),
            name: self.name.clone(),
            namespace: self.namespace.clone(),
        }
    }

    /// Returns all roles as Gardener sees them: `role` first, then `roles` without that value.
    pub fn all_roles(&self) -> impl Iterator<Item = &str> {
        let first = (!self.role.is_empty()).then_some(self.role.as_str());
        let rest = self
            .roles
            .iter()
            .map(String::as_str)
            .filter(|role| *role != self.role);
        first.into_iter().chain(rest)
    }
}
