//! Project: a team, its namespace and its rights.

use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::selectors::LabelSelector;
use crate::fields::shared::status::Condition;
use crate::fields::shared::taints::GardenToleration;

object! {
    Project {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        spec: ProjectSpec;
        status: ProjectStatus;
    }
}

object! {
    ProjectSpec {
        createdBy: Subject;
        description: String;
        dualApprovalForDeletion: [DualApprovalForDeletion];
        members: [ProjectMember];
        namespace: String;
        owner: Subject;
        purpose: String;
        tolerations: ProjectTolerations;
    }
}

object! {
    Subject {
        apiGroup: String;
        kind: String required;
        name: String required;
        namespace: String;
    }
}

object! {
    ProjectMember {
        apiGroup: String;
        kind: String required;
        name: String required;
        namespace: String;
        role: String required;
        roles: [String];
    }
}

object! {
    DualApprovalForDeletion {
        includeServiceAccounts: Boolean;
        resource: String required;
        selector: LabelSelector required;
    }
}

object! {
    ProjectTolerations {
        defaults: [GardenToleration; by key];
        whitelist: [GardenToleration; by key];
    }
}

object! {
    ProjectStatus {
        conditions: [Condition; by type];
        lastActivityTimestamp: Time;
        observedGeneration: Integer64;
        phase: String;
        staleAutoDeleteTimestamp: Time;
        staleSinceTimestamp: Time;
    }
}
