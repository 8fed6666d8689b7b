// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Operation, rule};
use garden_gate_model::api::{Project, ProjectMember, Subject};

rule! {
    page: include_str!("owner_defaulting.md"),
    id: "project/owner-defaulting",
    summary: "sets creator and owner of a Project, and adds the owner as a member",
    phase: Mutating,
    level: Deny,
    scopes: [Project [Create, Update]],
    acts_on_unchanged: [
        "object.spec.?owner.orValue(null) != null && !object.spec.?members.orValue([]).exists(member, \
         member.?kind == object.spec.owner.?kind && member.?name == object.spec.owner.?name \
         && member.?apiGroup == object.spec.owner.?apiGroup && member.?namespace == object.spec.owner.?namespace)",
    ],
    effect: "creator, owner and the owner's membership are set; no request is rejected",
    check: Mutate(mutate),
}

fn mutate(context: &Context<'_>, project: &mut Project, _: Option<&Project>, _: &mut Findings) {
    match context.request.operation {
        Operation::Create => record_creator(&context.request.user_info.username, project),
        _ if project.metadata.deletion_timestamp.is_some() => return,
        _ => {}
    }
    let Some(owner) = &project.spec.owner else {
        return;
    };
    if !project.spec.members.iter().any(|member| member.subject() == *owner) {
        let member = ProjectMember::new(owner, &["admin", "owner"]);
        project.spec.members.push(member);
    }
}

fn record_creator(requester: &str, project: &mut Project) {
    let creator = Subject {
        api_group: "rbac.authorization.k8s.io".to_owned(),
        kind: "User".to_owned(),
        name: requester.to_owned(),
        namespace: String::new(),
    };
    let spec = &mut project.spec;
    spec.created_by = Some(creator.clone());
    if spec.owner.is_none() {
        let owner =
            spec.members.iter().find(|member| member.all_roles().any(|role| role == "owner"));
        spec.owner = Some(owner.map_or(creator, ProjectMember::subject));
    }
}
