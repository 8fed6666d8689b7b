//! Project: a team, its namespace and its rights.

use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::selectors::LabelSelector;
use crate::fields::shared::status::Condition;
use crate::fields::shared::taints::GardenToleration;

object! {
    /// A team, its namespace and its rights.
    Project {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// How the Project should be.
        spec: ProjectSpec;
        /// How the Project is.
        status: ProjectStatus;
    }
}

object! {
    /// How a Project should be.
    ProjectSpec {
        /// Who answers for it.
        owner: Subject;
        /// Who has which rights.
        members: [ProjectMember];
        /// Description of the Project.
        description: String;
        /// Purpose of the Project.
        purpose: String;
        /// Its namespace; made by Gardener if it is left out, and immutable.
        namespace: String;
        /// Taints of Seeds that its Shoots may tolerate.
        tolerations: ProjectTolerations;
        /// What only two people together can delete.
        dualApprovalForDeletion: [DualApprovalForDeletion];
        /// Who made it; set by the API server.
        createdBy: Subject;
    }
}

object! {
    /// A user, group or service account.
    Subject {
        /// `User`, `Group` or `ServiceAccount`.
        kind: String required;
        /// Its name.
        name: String required;
        /// Namespace of a service account.
        namespace: String;
        /// API group of the kind.
        apiGroup: String;
    }
}

object! {
    /// A user, group or service account, and its rights in a Project.
    ProjectMember {
        /// `User`, `Group` or `ServiceAccount`.
        kind: String required;
        /// Its name.
        name: String required;
        /// Namespace of a service account.
        namespace: String;
        /// API group of the kind.
        apiGroup: String;
        /// The first role; `roles` takes its place.
        role: String filled;
        /// Roles, for example `admin`, `viewer` or `uam`.
        roles: [String];
    }
}

object! {
    /// What only two people together can delete.
    DualApprovalForDeletion {
        /// The resource, for example `shoots`.
        resource: String required;
        /// Which of them.
        selector: LabelSelector required;
        /// Whether service accounts need a second approval, too.
        includeServiceAccounts: Boolean;
    }
}

object! {
    /// Taints of Seeds that the Shoots of a Project may tolerate.
    ProjectTolerations {
        /// What every new Shoot tolerates.
        defaults: [GardenToleration; by key];
        /// What Shoots may tolerate.
        whitelist: [GardenToleration; by key];
    }
}

object! {
    /// How a Project is; written by Gardener.
    ProjectStatus {
        /// How parts of it are.
        conditions: [Condition; by type];
        /// How far it is.
        phase: String;
        /// The specification that was reconciled.
        observedGeneration: Integer64;
        /// When something was last done in it.
        lastActivityTimestamp: Time;
        /// Since when nothing has used it.
        staleSinceTimestamp: Time;
        /// When it will be deleted because nothing uses it.
        staleAutoDeleteTimestamp: Time;
    }
}
