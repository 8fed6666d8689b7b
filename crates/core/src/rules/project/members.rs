// SPDX-License-Identifier: Apache-2.0
//! Members of a Project.

use std::collections::BTreeSet;

use crate::admission::ErrorType::TooLong;
use crate::admission::{FieldPath, FindingKind, Findings, Help};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Part, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED, report_repeated,
};
use garden_gate_model::api::Format;
use garden_gate_model::api::Subject;
use garden_gate_text::go::{dns_label_error, dns_subdomain_error};

/// Maximum length of the name of an extension's role, in characters.
const ROLE: usize = 20;

const RBAC: &str = "rbac.authorization.k8s.io";

/// A user, group or service account, with its path.
pub(super) struct MemberSubject {
    group: String,
    kind: String,
    namespace: String,
    name: String,
    path: FieldPath,
}

impl MemberSubject {
    /// Returns the subject as it was sent, with the defaulted API group of users and groups.
    pub(super) fn completed(part: &Part<'_>) -> Self {
        let mut who = Self::sent(part);
        if who.group.is_empty() && ["User", "Group"].contains(&who.kind.as_str()) {
            RBAC.clone_into(&mut who.group);
        }
        who
    }

    /// Returns the subject as it was sent.
    pub(super) fn sent(part: &Part<'_>) -> Self {
        let [group, kind, namespace, name] =
            ["apiGroup", "kind", "namespace", "name"].map(|field| part.text_at(&[field]));
        Self { group, kind, namespace, name, path: part.path().clone() }
    }

    /// Returns a subject that Gardener adds.
    fn added(subject: Subject, path: FieldPath) -> Self {
        Self {
            group: subject.api_group,
            kind: subject.kind,
            namespace: subject.namespace,
            name: subject.name,
            path,
        }
    }

    /// Returns API group, kind, namespace and name.
    ///
    /// Returns `None` for a user with an incomplete name of a service account.
    fn identity(&self) -> Option<[String; 4]> {
        if self.kind == "User" && self.name.starts_with(ACCOUNT) {
            let parts: Vec<&str> = self.name.split(':').collect();
            let (namespace, name) = (parts.get(2)?, parts.get(3)?);
            return Some(["", "ServiceAccount", namespace, name].map(str::to_owned));
        }
        Some([&self.group, &self.kind, &self.namespace, &self.name].map(String::clone))
    }
}

/// Validates a user, group or service account.
pub(super) fn check_subject(subject: &MemberSubject, findings: &mut Findings) {
    let MemberSubject { group, kind, namespace, name, path } = subject;
    let field = |name: &'static str| path.child(name);
    if name.is_empty() {
        findings.required(&MISSING, field("name"), "the name is not set").help("set `name`");
    }
    match kind.as_str() {
        "ServiceAccount" => {
            let malformed = dns_subdomain_error(name).filter(|_| !name.is_empty());
            if let Some(why) = malformed {
                let message = format!("`{name}` cannot be the name of a service account: {why}");
                findings
                    .invalid(&MALFORMED, field("name"), message)
                    .help(Format::DnsSubdomain.help(name, |_| true));
            }
            if !group.is_empty() {
                let message = "service accounts have no API group";
                findings
                    .unsupported(&UNSUPPORTED, field("apiGroup"), message)
                    .help(Help::remove("remove it"));
            }
            check_account_namespace(namespace, field("namespace"), findings);
        }
        "User" | "Group" => {
            if group != RBAC {
                let message = format!("users and groups do not have API group `{group}`");
                findings
                    .unsupported(&UNSUPPORTED, field("apiGroup"), message)
                    .help(format!("use `{RBAC}`"));
            }
            if !namespace.is_empty() {
                let message = "users and groups have no namespace";
                findings
                    .forbid(&UNFITTING, field("namespace"), message)
                    .help(Help::remove("remove it"));
            }
        }
        _ => {
            let message = format!("there are no subjects of kind `{kind}`");
            findings
                .unsupported(&UNSUPPORTED, field("kind"), message)
                .help("use `User`, `Group` or `ServiceAccount`");
        }
    }
}

fn check_account_namespace(namespace: &str, field: FieldPath, findings: &mut Findings) {
    if namespace.is_empty() {
        let message = "the namespace of the service account is not set";
        findings.required(&MISSING, field, message).help("set `namespace`");
    } else if let Some(why) = dns_label_error(namespace) {
        let message = format!("`{namespace}` cannot be a namespace: {why}");
        findings
            .invalid(&MALFORMED, field, message)
            .help(Format::DnsLabel.help(namespace, |_| true));
    }
}

/// Prefix of the user names of service accounts.
const ACCOUNT: &str = "system:serviceaccount:";

/// Validates the members, each by itself and all together.
///
/// `added` is the owner, if Gardener makes it a member before validation. Without `two_owners`, Gardener corrects the role `owner`
/// of all members before validation.
pub(super) fn check_members(
    project: &Part<'_>,
    added: Option<Subject>,
    two_owners: Option<&'static FindingKind>,
    findings: &mut Findings,
) {
    let (mut known, mut has_owner) = (BTreeSet::new(), false);
    let members = project.items_at(&["spec", "members"]);
    for member in &members {
        if check_member(&MemberSubject::completed(member), &mut known, findings) {
            check_roles(member, two_owners, &mut has_owner, findings);
        }
    }
    let Some(added) = added else { return };
    let path = FieldPath::new("spec.members").index(members.len());
    let added = MemberSubject::added(added, path);
    if check_member(&added, &mut known, findings)
        && let Some(two_owners) = two_owners.filter(|_| has_owner)
    {
        let message = "the owner is not among the members, of which another one is the owner";
        let help = "take the role `owner` from that member";
        let field = added.path.child("roles").index(1);
        findings.forbid(two_owners, field, message).help(help);
    }
}

/// Validates a member; returns whether it can be identified.
fn check_member(
    member: &MemberSubject,
    known: &mut BTreeSet<[String; 4]>,
    findings: &mut Findings,
) -> bool {
    let Some(identity) = member.identity() else {
        let message = "the name of the service account does not say namespace and name";
        let field = member.path.child("name");
        let help = "write it like `system:serviceaccount:garden-dev:robot`";
        findings.invalid(&MALFORMED, field, message).help(help);
        return false;
    };
    if known.contains(&identity) {
        let message = format!("`{}` is a member already", identity[3]);
        let help = "put all roles in one entry";
        let field = member.path.clone();
        findings.duplicate(&REPEATED, field, message).help(help);
    }
    known.insert(identity);
    check_subject(member, findings);
    true
}

const OWNER: &str = "owner";
const ROLES: [&str; 5] = [OWNER, "admin", "viewer", "uam", "serviceaccountmanager"];
const EXTENSION: &str = "extension:";

fn check_roles(
    member: &Part<'_>,
    two_owners: Option<&'static FindingKind>,
    has_owner: &mut bool,
    findings: &mut Findings,
) {
    let first = member.text_at(&["role"]);
    let others =
        member.texts_at(&["roles"]).into_iter().map(|(_, role)| role).filter(|role| *role != first);
    let all = (!first.is_empty()).then_some(first.clone()).into_iter().chain(others);
    let mut known = BTreeSet::new();
    for (index, role) in all.enumerate() {
        let field = member.path().child("roles").index(index);
        let is_owner = role == OWNER;
        if is_owner && two_owners.is_none() {
            continue;
        }
        if let Some(two_owners) = two_owners
            && is_owner
            && std::mem::replace(has_owner, true)
        {
            let message = "another member is the owner already";
            findings.forbid(two_owners, field.clone(), message).help("keep one of them");
        }
        check_role(&role, &field, findings);
        if !known.insert(role.clone()) {
            report_repeated(format_args!("role `{role}`"), field, findings);
        }
    }
}

fn check_role(role: &str, field: &FieldPath, findings: &mut Findings) {
    let Some(name) = role.strip_prefix(EXTENSION) else {
        if !ROLES.contains(&role) {
            let message = format!("there is no role `{role}`");
            findings
                .unsupported(&UNSUPPORTED, field.clone(), message)
                .help(format!("use {}, or extension:NAME", ROLES.join(", ")));
        }
        return;
    };
    if name.len() > ROLE {
        let message = format!(
            "the name of the role has {} characters, which is more than {ROLE}",
            name.len()
        );
        findings.report(&TOO_LONG, TooLong, field.clone(), message).help("use a shorter one");
    }
    if name == "." || name == ".." || name.contains(['/', '%']) {
        let message = format!("`{name}` cannot be the name of a role");
        findings.invalid(&MALFORMED, field.clone(), message).help("leave `/` and `%` out");
    }
}
