// SPDX-License-Identifier: Apache-2.0
//! The parts of a Project that custom verbs guard, and the role of its owner.
//!
//! Mirrors `plugin/pkg/global/customverbauthorizer/admission.go`.

use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, FindingKind, Findings, Kind, Write};
use crate::rules::shared::custom_verbs::{GuardedField, require};
use garden_gate_model::api::{Project, Subject, UserInfo, Versions};
use garden_gate_text::go::{dns_label_error, dns_subdomain_error};

/// A part of a Project that a custom verb guards, in the order in which Gardener checks them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    Whitelist,
    Members,
    Owner,
}

impl Part {
    const IN_ORDER: [Part; 3] = [Part::Whitelist, Part::Members, Part::Owner];

    fn changed(self, context: &Context<'_>, project: Write<'_, Project>) -> bool {
        let new = project.new;
        let empty = Project::default();
        let old = project.old.unwrap_or(&empty);
        let user = &context.request.user_info;
        match self {
            Part::Whitelist => whitelist_changed(new, old),
            Part::Members => {
                let groups_count = context.runs(GROUPS_COUNT);
                members_changed(new, old, user, groups_count)
            }
            Part::Owner => owner_changed(new, old, user),
        }
    }

    fn guarded(self) -> GuardedField {
        let (verb, field, action) = match self {
            Part::Whitelist => (
                "modify-spec-tolerations-whitelist",
                "spec.tolerations.whitelist",
                "changing the toleration whitelist",
            ),
            Part::Members => ("manage-members", "spec.members", "changing human members"),
            Part::Owner => ("manage-members", "spec.owner", "changing the owner"),
        };
        GuardedField { verb, kind: Kind::Project, field: FieldPath::new(field), action }
    }
}

/// Requires the verb of `part` if the request changes that part.
///
/// Gardener stops at the first changed part, so a user with its verb may change the others in the same request. Profile
/// `documented` checks each part.
pub(super) fn check(
    part: Part,
    kind: &'static FindingKind,
    context: &Context<'_>,
    project: Write<'_, Project>,
    findings: &mut Findings,
) {
    let new = project.new;
    let earlier = Part::IN_ORDER.into_iter().take_while(|earlier| *earlier != part);
    let hidden = !context.config.documented()
        && earlier.into_iter().any(|part| part.changed(context, project));
    if !hidden && part.changed(context, project) {
        require(context, part.guarded(), &new.metadata.name, kind, findings);
    }
}

/// Reports whether the whitelist changes; adding or removing the whole block is a change, too.
fn whitelist_changed(new: &Project, old: &Project) -> bool {
    match (&new.spec.tolerations, &old.spec.tolerations) {
        (None, None) => false,
        (Some(new), Some(old)) => new.whitelist != old.whitelist,
        _ => true,
    }
}

/// The versions that count groups as human members.
const GROUPS_COUNT: Versions = Versions::since(142);

fn members_changed(new: &Project, old: &Project, user: &UserInfo, groups_count: bool) -> bool {
    if new.spec.members == old.spec.members {
        return false;
    }
    let owner = new.spec.owner.as_ref();
    if owner.is_none_or(|owner| is_subject(user, owner)) {
        return false;
    }
    let is_human = |it: &Subject| !is_service_account(it) && (groups_count || it.kind == "User");
    let human_owner = owner.filter(|owner| is_human(owner));
    let roles = |project| human_roles(project, human_owner, &is_human);
    roles(new) != roles(old)
}

fn owner_changed(new: &Project, old: &Project, user: &UserInfo) -> bool {
    match &old.spec.owner {
        None => false,
        Some(old) => !is_subject(user, old) && new.spec.owner.as_ref() != Some(old),
    }
}

/// Returns the roles of all members without service accounts and `except`.
///
/// The API group and namespace of a member are ignored.
fn human_roles<'a>(
    project: &'a Project,
    except: Option<&Subject>,
    is_human: &dyn Fn(&Subject) -> bool,
) -> BTreeSet<(&'a str, &'a str, &'a str)> {
    let mut roles = BTreeSet::new();
    for member in &project.spec.members {
        let excepted =
            except.is_some_and(|except| except.kind == member.kind && except.name == member.name);
        if excepted || !is_human(&member.subject()) {
            continue;
        }
        let before = roles.len();
        roles.extend(
            member.all_roles().map(|role| (member.kind.as_str(), member.name.as_str(), role)),
        );
        if roles.len() == before && member.all_roles().next().is_none() {
            roles.insert((&member.kind, &member.name, ""));
        }
    }
    roles
}

/// Reports whether the subject is a service account, by kind or user name.
///
/// A group of service accounts counts as human.
fn is_service_account(subject: &Subject) -> bool {
    let by_kind = subject.api_group.is_empty() && subject.kind == "ServiceAccount";
    let by_name = subject.api_group == "rbac.authorization.k8s.io"
        && subject.kind == "User"
        && subject.name.starts_with("system:serviceaccount:");
    by_kind || by_name
}

fn is_subject(user: &UserInfo, subject: &Subject) -> bool {
    match subject.kind.as_str() {
        "ServiceAccount" => {
            service_account(&user.username)
                == Some((subject.namespace.as_str(), subject.name.as_str()))
        }
        "User" => user.username == subject.name,
        "Group" => user.groups.contains(&subject.name),
        _ => false,
    }
}

/// Returns namespace and name from the user name of a service account.
///
/// Mirrors SplitUsername in `k8s.io/apiserver`.
fn service_account(username: &str) -> Option<(&str, &str)> {
    let (namespace, name) = username.strip_prefix("system:serviceaccount:")?.split_once(':')?;
    let error = dns_label_error(namespace).or_else(|| dns_subdomain_error(name));
    error.is_none().then_some((namespace, name))
}
