// SPDX-License-Identifier: Apache-2.0
//! Project: namespace, members and permissions of a team.

use serde::Serialize;

use crate::api::Constraint::Since;
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::selectors::LabelSelector;
use crate::api::shared::status::Condition;
use crate::api::shared::taints::GardenToleration;
use crate::api::shared::toleration::Toleration;

object! {
    /// Namespace, members and permissions of a team.
    #[derive(PartialEq, Serialize)]
    Project {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> #[serialized] metadata: ObjectMeta;
        /// Desired state of the Project.
        "spec": ProjectSpec -> #[serialized] spec: ProjectSpec;
        /// Observed state of the Project.
        "status": ProjectStatus;
    }
}

object! {
    /// Desired state of a Project.
    #[derive(PartialEq, Serialize)]
    ProjectSpec {
        /// Owner of the Project.
        "owner": Subject -> #[mutated] owner: Option<Subject>;
        /// Members of the Project and their roles.
        "members": [ProjectMember] -> #[mutated] members: Vec<ProjectMember>;
        /// Description of the Project.
        "description": String;
        /// Purpose of the Project.
        "purpose": String;
        /// Namespace of the Project; created by Gardener if omitted, and immutable.
        "namespace": String -> #[mutated] namespace: Option<String>;
        /// Seed taints that Shoots of the Project can tolerate.
        "tolerations": ProjectTolerations -> #[mutated] tolerations: Option<Box<ProjectTolerations>>;
        /// Resources whose deletion requires the approval of two different users.
        "dualApprovalForDeletion": [DualApprovalForDeletion] -> dual_approval_for_deletion: Vec<DualApprovalForDeletion>;
        /// User who created the Project; set by the API server.
        "createdBy": Subject -> #[mutated] created_by: Option<Subject>;
    }
}

object! {
    /// User, group or service account.
    #[derive(Eq, PartialEq, Serialize)]
    Subject {
        /// Kind of the subject: `User`, `Group` or `ServiceAccount`.
        "kind": String required -> #[serialized] kind: String;
        /// Name of the subject.
        "name": String required -> #[serialized] name: String;
        /// Namespace of the service account.
        "namespace": String -> #[mutated] namespace: String;
        /// API group of the kind.
        "apiGroup": String -> #[mutated] api_group: String;
    }
}

object! {
    /// User, group or service account with roles in a Project.
    #[derive(PartialEq, Serialize)]
    ProjectMember {
        /// Kind of the subject: `User`, `Group` or `ServiceAccount`.
        "kind": String required -> #[serialized] kind: String;
        /// Name of the subject.
        "name": String required -> #[serialized] name: String;
        /// Namespace of the service account.
        "namespace": String -> #[mutated] namespace: String;
        /// API group of the kind.
        "apiGroup": String -> #[mutated] api_group: String;
        /// First role of the member; replaced by `roles`.
        "role": String filled -> #[mutated] role: String;
        /// Roles of the member, for example `admin`, `viewer` or `uam`.
        "roles": [String] -> #[mutated] roles: Vec<String>;
    }
}

object! {
    /// Resource whose deletion requires the approval of two different users.
    #[derive(PartialEq)]
    DualApprovalForDeletion {
        /// Resource name, for example `shoots`.
        "resource": String required -> resource: String;
        /// Label selector of the objects.
        "selector": LabelSelector required -> selector: LabelSelector;
        /// Also requires a second approval of deletions by service accounts.
        "includeServiceAccounts": Boolean -> include_service_accounts: Option<bool>;
    }
}

object! {
    /// Seed taints that Shoots of a Project can tolerate.
    #[derive(PartialEq, Serialize)]
    ProjectTolerations {
        /// Tolerations that are added to every new Shoot.
        "defaults": [GardenToleration; by key] -> #[mutated] defaults: Vec<Toleration>;
        /// Tolerations that Shoots can use.
        "whitelist": [GardenToleration; by key] -> #[mutated] whitelist: Vec<Toleration>;
    }
}

object! {
    /// Observed state of a Project; written by Gardener.
    ProjectStatus {
        /// Conditions of the Project.
        "conditions": [Condition; by type] => [Since(140)];
        /// Current phase of the Project.
        "phase": String;
        /// Most recent generation that was reconciled.
        "observedGeneration": Integer64;
        /// Time of the last activity in the Project.
        "lastActivityTimestamp": Time;
        /// Time since which the Project is unused.
        "staleSinceTimestamp": Time;
        /// Time at which the unused Project is deleted automatically.
        "staleAutoDeleteTimestamp": Time;
    }
}

impl ProjectSpec {
    /// Returns the number of elements in its lists.
    pub fn elements(&self) -> usize {
        let tolerations =
            self.tolerations.as_deref().map_or(0, |it| it.defaults.len() + it.whitelist.len());
        self.members.len() + tolerations + self.dual_approval_for_deletion.len()
    }
}

impl ProjectMember {
    /// Returns a member for a subject with the given roles, the first of which becomes `role`.
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
        let rest = self.roles.iter().map(String::as_str).filter(|role| *role != self.role);
        first.into_iter().chain(rest)
    }
}
