// SPDX-License-Identifier: Apache-2.0
//! The permissions that enabled rules and the certificate require on the API server.

use std::sync::Arc;

use super::ManagedOptions;
use super::state::State;
use crate::garden::live::{LiveClient, Right};
use crate::notify::StatePlace;
use garden_gate_core::admission::{Reading, Rule, is_read};
use garden_gate_core::config::Config;
use garden_gate_core::rules;
use garden_gate_model::api::{Kind, Retrieval};

/// Checks repeatedly for missing permissions, and reports them in the log, in readiness and in metrics.
/// Never returns.
pub(super) async fn follow(client: Arc<LiveClient>, state: Arc<State>, of_certificate: Vec<Right>) {
    let needed = || needed(&state, &of_certificate);
    let report = |missing: &[Right]| log_missing(&state, missing);
    client.look_for_missing_rights(needed, report).await;
}

fn log_missing(state: &State, missing: &[Right]) {
    let count = i64::try_from(missing.len()).unwrap_or(i64::MAX);
    state.metrics.missing_rights.set(count);
    if missing.is_empty() {
        tracing::info!("the API server grants all required permissions");
        return state.ready.set_missing_rights(None);
    }
    let missing = Right::describe(missing);
    tracing::error!(
        "may not {missing}; checks and actions that need it are undetermined or fail until it is granted"
    );
    state.ready.set_missing_rights(Some(format!("may not {missing}")));
}

/// Returns the permissions that the enabled rules require.
fn needed(state: &State, of_certificate: &[Right]) -> Vec<Right> {
    let mut needed = of_certificate.to_vec();
    if state.live.is_some() {
        needed.extend(Right::of_watches());
        let of_rules = of_rules(rules::ALL, &state.config.load());
        let others = of_rules.into_iter().filter(|it| !of_certificate.contains(it));
        needed.extend(others);
    }
    needed
}

/// Returns the permissions for live lookups of rules. (The permission to watch a kind includes the one to list it.)
fn of_rules(rules: &[&'static Rule], config: &Config) -> Vec<Right> {
    let mut needed = Vec::new();
    if is_read(Reading::Verbs, rules, config) {
        needed.push(Right::new("create", "authorization.k8s.io", "subjectaccessreviews"));
    }
    let kinds = Kind::ALL.iter().copied();
    let asked = kinds
        .filter(|kind| kind.known() != Retrieval::Watched)
        .filter(|kind| is_read(Reading::Objects(*kind), rules, config));
    needed.extend(asked.flat_map(Right::to_know));
    needed
}

/// Returns the permissions for checking who may read a page.
pub(super) fn of_pages() -> Vec<Right> {
    let create = |group, resource| Right::new("create", group, resource);
    vec![
        create("authentication.k8s.io", "tokenreviews"),
        create("authorization.k8s.io", "subjectaccessreviews"),
    ]
}

/// Returns the permissions for the state of notifications.
pub(super) fn of_state(place: &StatePlace) -> Vec<Right> {
    let StatePlace::ConfigMap(name) = place else { return Vec::new() };
    let right = |verb| Right::new(verb, "", "configmaps").within(name.namespace()).on(name.name());
    ["get", "update"].map(right).into()
}

/// Returns the permissions for a managed certificate.
/// Creating a Secret is checked only if none exists.
pub(super) fn of_certificate(options: &ManagedOptions) -> Vec<Right> {
    let secret = |verb| {
        let secrets = Right::new(verb, "", "secrets");
        secrets.within(&options.namespace).on(&options.secret)
    };
    let mut needed: Vec<Right> = ["get", "update", "watch"].map(secret).into();
    if let Some(name) = &options.webhook_configuration {
        for kind in ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"] {
            needed.extend(["get", "patch", "watch"].map(|verb| {
                let group = "admissionregistration.k8s.io";
                Right::new(verb, group, kind).on(name)
            }));
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::{Kind, Right, of_rules};
    use garden_gate_core::config::{Config, ServerAdmission};
    use garden_gate_core::rules;

    /// Returns the rows of all tables in the page as plain text, in two cells.
    fn documented() -> Vec<(String, String)> {
        let page = include_str!("../../docs/reference/permissions.md").replace('`', "");
        let cells = |line: &str| {
            let (right, who) = line.strip_prefix("| ")?.split_once(" | ")?;
            Some((right.to_lowercase(), who.to_owned()))
        };
        page.lines().filter_map(cells).collect()
    }

    #[test]
    fn every_right_that_a_rule_needs_is_documented_with_it() {
        let mut config = Config { admission: ServerAdmission::Complete, ..Config::default() };
        config.feature_gates.live_control_plane_migration = true;
        let documented = documented();
        let mut count = 0;
        for rule in rules::served(&config) {
            for right in of_rules(&[rule], &config) {
                // One row is for all kinds that are watched if they are read.
                if Kind::watched_if_read().any(|kind| kind.resource() == right.resource) {
                    continue;
                }
                let needs_verbs = right.resource == "subjectaccessreviews";
                let right = Right::describe(&[right]).replacen(' ', " on ", 1).replace('`', "");
                let row = documented.iter().find(|(it, _)| *it == right);
                let is_named = row.is_some_and(|(_, who)| needs_verbs || who.contains(rule.id));
                assert!(is_named, "{right} is not documented for {}", rule.id);
                count += 1;
            }
        }
        assert_eq!(count, 20);
        let is_of_watches =
            |(right, _): &&(String, String)| right.starts_with("get, list, watch on secretb");
        let (watched, _) = documented.iter().find(is_of_watches).unwrap();
        for kind in Kind::watched_if_read() {
            assert!(watched.contains(kind.resource()), "{kind}: {watched}");
        }
    }
}
