// SPDX-License-Identifier: Apache-2.0
use crate::api::{GARDEN_NAMESPACE, Project, ProjectMember};

const RBAC_GROUP: &str = "rbac.authorization.k8s.io";
const OWNER: &str = "owner";

/// Defaults a Project. Mirrors `pkg/apis/core/v1beta1/defaults_project.go`.
pub fn project(project: &mut Project) {
    let spec = &mut project.spec;
    if let Some(owner) = &mut spec.owner {
        default_api_group(&mut owner.api_group, &owner.kind);
    }
    for member in &mut spec.members {
        default_api_group(&mut member.api_group, &member.kind);
        if member.role.is_empty() && member.roles.is_empty() {
            "viewer".clone_into(&mut member.role);
        }
    }
    if spec.namespace.as_deref() == Some(GARDEN_NAMESPACE) {
        let tolerations = spec.tolerations.get_or_insert_default();
        super::tolerations::tolerate_protected(&mut tolerations.defaults);
        super::tolerations::tolerate_protected(&mut tolerations.whitelist);
    }
}

fn default_api_group(api_group: &mut String, kind: &str) {
    if api_group.is_empty() && matches!(kind, "User" | "Group") {
        RBAC_GROUP.clone_into(api_group);
    }
}

/// Gives the owner's member entry the role `owner` and removes it from every other one.
///
/// Mirrors Canonicalize in `pkg/apiserver/registry/core/project/strategy.go`; the namespace of a subject is not compared.
pub fn canonicalize_project(project: &mut Project) {
    let Some(owner) = project.spec.owner.clone() else {
        return;
    };
    for member in &mut project.spec.members {
        let is_owner = member.name == owner.name
            && member.api_group == owner.api_group
            && member.kind == owner.kind;
        let mut roles: Vec<String> = member.all_roles().map(str::to_owned).collect();
        let has_role = roles.iter().any(|role| role == OWNER);
        if is_owner && !has_role {
            roles.push(OWNER.to_owned());
        } else if !is_owner && has_role {
            roles.retain(|role| role != OWNER);
        } else {
            continue;
        }
        set_roles(member, roles);
    }
}

fn set_roles(member: &mut ProjectMember, roles: Vec<String>) {
    let mut roles = roles.into_iter();
    member.role = roles.next().unwrap_or_default();
    member.roles = roles.collect();
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{canonicalize_project, project};
    use crate::api::Project;

    fn spec(change: fn(&mut Project), spec: &Value) -> Value {
        let mut object: Project = serde_json::from_value(json!({ "spec": spec })).unwrap();
        change(&mut object);
        serde_json::to_value(&object.spec).unwrap()
    }

    #[test]
    fn subjects_get_their_api_group_and_members_a_role() {
        let given = json!({
            "owner": {"kind": "User", "name": "a"},
            "createdBy": {"kind": "User", "name": "a"},
            "members": [{"kind": "ServiceAccount", "name": "s"}, {"kind": "Group", "name": "g", "roles": ["admin"]}],
        });
        let expected = json!({
            "owner": {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "a"},
            "createdBy": {"kind": "User", "name": "a"},
            "members": [
                {"kind": "ServiceAccount", "name": "s", "role": "viewer"},
                {"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "g", "roles": ["admin"]},
            ],
        });
        assert_eq!(spec(project, &given), expected);
    }

    #[test]
    fn the_garden_project_tolerates_protected_seeds_at_the_end_of_both_lists() {
        let given = json!({"namespace": "garden", "tolerations": {"whitelist": [{"key": "a"}]}});
        let result = spec(project, &given);
        let protected = json!({"key": "seed.gardener.cloud/protected"});
        assert_eq!(result["tolerations"]["defaults"], json!([protected]));
        assert_eq!(result["tolerations"]["whitelist"], json!([{"key": "a"}, protected]));
    }

    #[test]
    fn only_the_owner_keeps_the_role_owner() {
        let given = json!({
            "owner": {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "a"},
            "members": [
                {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "a", "role": "admin"},
                {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "b", "role": "owner", "roles": ["uam", "owner"]},
            ],
        });
        let result = spec(canonicalize_project, &given);
        assert_eq!(result["members"][0]["roles"], json!(["owner"]));
        assert_eq!(result["members"][1]["role"], "uam");
        assert!(result["members"][1].get("roles").is_none());
    }
}
