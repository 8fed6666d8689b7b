//! Project: a team, its namespace and its rights.

use serde::Serialize;

use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::selectors::LabelSelector;
use crate::api::shared::status::Condition;
use crate::api::shared::taints::GardenToleration;
use crate::api::shared::toleration::Toleration;
use crate::api::{null_is_default, object};

object! {
    /// A team, its namespace and its rights.
    #[derive(PartialEq, Serialize)]
    Project {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> #[serde(deserialize_with = "null_is_default")] metadata: ObjectMeta;
        /// How the Project should be.
        "spec": ProjectSpec -> #[serde(deserialize_with = "null_is_default")] spec: ProjectSpec;
        /// How the Project is.
        "status": ProjectStatus;
    }
}

object! {
    /// How a Project should be.
    #[derive(PartialEq, Serialize)]
    ProjectSpec {
        /// Who answers for it.
        "owner": Subject -> #[mutated] owner: Option<Subject>;
        /// Who has which rights.
        "members": [ProjectMember] -> #[mutated] members: Vec<ProjectMember>;
        /// Description of the Project.
        "description": String;
        /// Purpose of the Project.
        "purpose": String;
        /// Its namespace; made by Gardener if it is left out, and immutable.
        "namespace": String -> #[mutated] namespace: Option<String>;
        /// Taints of Seeds that its Shoots may tolerate.
        "tolerations": ProjectTolerations -> #[mutated] tolerations: Option<Box<ProjectTolerations>>;
        /// What only two people together can delete.
        "dualApprovalForDeletion": [DualApprovalForDeletion] -> dual_approval_for_deletion: Vec<DualApprovalForDeletion>;
        /// Who made it; set by the API server.
        "createdBy": Subject -> #[mutated] created_by: Option<Subject>;
    }
}

object! {
    /// A user, group or service account.
    #[derive(Eq, PartialEq, Serialize)]
    Subject {
        /// `User`, `Group` or `ServiceAccount`.
        "kind": String required -> #[serde(deserialize_with = "null_is_default")] kind: String;
        /// Its name.
        "name": String required -> #[serde(deserialize_with = "null_is_default")] name: String;
        /// Namespace of a service account.
        "namespace": String -> #[mutated] namespace: String;
        /// API group of the kind.
        "apiGroup": String -> #[mutated] api_group: String;
    }
}

object! {
    /// A user, group or service account, and its rights in a Project.
    #[derive(PartialEq, Serialize)]
    ProjectMember {
        /// `User`, `Group` or `ServiceAccount`.
        "kind": String required -> #[serde(deserialize_with = "null_is_default")] kind: String;
        /// Its name.
        "name": String required -> #[serde(deserialize_with = "null_is_default")] name: String;
        /// Namespace of a service account.
        "namespace": String -> #[mutated] namespace: String;
        /// API group of the kind.
        "apiGroup": String -> #[mutated] api_group: String;
        /// The first role; `roles` takes its place.
        "role": String filled -> #[mutated] role: String;
        /// Roles, for example `admin`, `viewer` or `uam`.
        "roles": [String] -> #[mutated] roles: Vec<String>;
    }
}

object! {
    /// What only two people together can delete.
    #[derive(PartialEq)]
    DualApprovalForDeletion {
        /// The resource, for example `shoots`.
        "resource": String required -> resource: String;
        /// Which of them.
        "selector": LabelSelector required -> selector: LabelSelector;
        /// Whether service accounts need a second approval, too.
        "includeServiceAccounts": Boolean -> include_service_accounts: Option<bool>;
    }
}

object! {
    /// Taints of Seeds that the Shoots of a Project may tolerate.
    #[derive(PartialEq, Serialize)]
    ProjectTolerations {
        /// What every new Shoot tolerates.
        "defaults": [GardenToleration; by key] -> #[mutated] defaults: Vec<Toleration>;
        /// What Shoots may tolerate.
        "whitelist": [GardenToleration; by key] -> #[mutated] whitelist: Vec<Toleration>;
    }
}

object! {
    /// How a Project is; written by Gardener.
    ProjectStatus {
        /// How parts of it are.
        "conditions": [Condition; by type];
        /// How far it is.
        "phase": String;
        /// The specification that was reconciled.
        "observedGeneration": Integer64;
        /// When something was last done in it.
        "lastActivityTimestamp": Time;
        /// Since when nothing has used it.
        "staleSinceTimestamp": Time;
        /// When it will be deleted because nothing uses it.
        "staleAutoDeleteTimestamp": Time;
    }
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

impl ProjectMember {
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
