// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/audit/validation/validation.go` of Kubernetes' apiserver.

use super::configured::Configured;
use super::findings::{MISSING, NO_KEY, UNDECODABLE};
use super::problem::Problem;
use super::purpose::AUDIT_POLICY;
use crate::admission::ErrorType::{Invalid, NotSupported, Required};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::server_configuration::audit_policy::{Policy, PolicyRule};
use garden_gate_model::api::{Shoot, Versions};
use garden_gate_text::go::dns_subdomain_error;

rule! {
    page: include_str!("audit_policy.md"),
    id: "admission-controller/audit-policy",
    summary: "validates the audit policy of a Shoot",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [Names, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        MISSING, NO_KEY, UNDECODABLE,
        INVALID = "admission-controller/audit-policy-invalid": "a value in an audit policy is invalid",
    },
    check: Judge(check),
}

/// The versions that accept `*` as API group.
const ANY_GROUP: Versions = Versions::since(147);

const LEVELS: &[&str] = &["None", "Metadata", "Request", "RequestResponse"];
const STAGES: &[&str] = &["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let purpose = (&AUDIT_POLICY, || true);
    let found = Configured::find::<Policy>(context, shoot, purpose, findings);
    let Some((configured, policy)) = found else {
        return;
    };
    let root = ReportedPath::same(FieldPath::root());
    check_stages(&configured, &policy.omit_stages, &root, findings);
    let rules = root.child("rules");
    let has_any_group = context.runs(ANY_GROUP);
    for (index, rule) in policy.rules.iter().enumerate() {
        let place = rules.index(index);
        check_level(&configured, &rule.level, place.child("level"), findings);
        check_urls(&configured, rule, &place.child("nonResourceURLs"), findings);
        check_resources(&configured, rule, has_any_group, &place, findings);
        check_stages(&configured, &rule.omit_stages, &place, findings);
        let has_resources = !rule.resources.is_empty() || !rule.namespaces.is_empty();
        if has_resources && !rule.non_resource_urls.is_empty() {
            let message = "a rule has both paths and resources or namespaces";
            let problem =
                Problem::new((&INVALID, Invalid), place.child("nonResourceURLs"), message)
                    .help("write one rule for `nonResourceURLs`, and one for resources");
            configured.report(problem, findings);
        }
    }
}

fn check_stages(
    configured: &Configured,
    stages: &[String],
    place: &ReportedPath,
    findings: &mut Findings,
) {
    for (index, stage) in stages.iter().enumerate() {
        if STAGES.contains(&stage.as_str()) {
            continue;
        }
        let message = format!("`{}` is not a stage", short(stage));
        let at = place.child("omitStages").index(index);
        let problem =
            Problem::new((&INVALID, Invalid), at, message).value(stage).help(one_of(stage, STAGES));
        configured.report(problem, findings);
    }
}

fn check_level(configured: &Configured, level: &str, place: ReportedPath, findings: &mut Findings) {
    if LEVELS.contains(&level) {
        return;
    }
    let problem = match level {
        "" => Problem::new((&INVALID, Required), place, "the rule has no level"),
        _ => {
            let message = format!("`{}` is not a level", short(level));
            Problem::new((&INVALID, NotSupported), place, message).value(level)
        }
    };
    configured.report(problem.help(one_of(level, LEVELS)), findings);
}

fn check_urls(
    configured: &Configured,
    rule: &PolicyRule,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    for (index, url) in rule.non_resource_urls.iter().enumerate() {
        let mut say = |why: &str, help: &'static str| {
            let message = format!("`{}` {why}", short(url));
            let problem = Problem::new((&INVALID, Invalid), place.index(index), message);
            configured.report(problem.value(url).help(help), findings);
        };
        if url == "*" {
            continue;
        }
        if !url.starts_with('/') {
            say("does not begin with `/`", "write it like `/healthz`");
        }
        if url.as_bytes().split_last().is_some_and(|(_, before)| before.contains(&b'*')) {
            say("has a `*` before its end", "use `*` only at the end, as in `/healthz*`");
        }
    }
}

fn check_resources(
    configured: &Configured,
    rule: &PolicyRule,
    has_any_group: bool,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let resources = place.child("resources");
    for (index, of_group) in rule.resources.iter().enumerate() {
        // The error names no index.
        let at = |field| ReportedPath {
            own: resources.own.child(field),
            real: resources.real.index(index).child(field),
        };
        let group = of_group.group.as_str();
        let is_any = group == "*" && has_any_group;
        let why = dns_subdomain_error(group).filter(|_| !group.is_empty() && !is_any);
        if let Some(why) = why {
            let message = format!("`{}` is not a valid API group: {why}", short(group));
            let problem = Problem::new((&INVALID, Invalid), at("group"), message);
            let help = "write the group without a version, such as `apps`";
            configured.report(problem.value(group).help(help), findings);
        }
        if !of_group.resource_names.is_empty() && of_group.resources.is_empty() {
            let message = "there are names of objects, but no resources";
            let problem = Problem::new((&INVALID, Invalid), at("resourceNames"), message);
            configured.report(problem.help("add `resources`"), findings);
        }
    }
}
