//! What the API server has to let us do, so that every rule in force can judge and the certificate can be kept.

use std::sync::Arc;

use super::ManagedOptions;
use super::state::State;
use crate::config::Config;
use crate::garden::live::{LiveClient, Right};
use crate::model::GARDEN_NAMESPACE;

/// Rules that ask the API server for more than what is watched, with the verb, group, resource and namespace. (Whoever may
/// watch a kind may list it, too.)
type Asking = (&'static [&'static str], [&'static str; 4]);

const ASKING: [Asking; 5] = [
    (
        &[
            "project/members-verb",
            "project/owner-verb",
            "project/whitelist-verb",
            "namespacedcloudprofile/kubernetes-verb",
            "namespacedcloudprofile/machineimages-verb",
            "namespacedcloudprofile/providerconfig-verb",
            "shoot/seed-name-create-unauthorized",
            "shoot/self-hosted-verb",
        ],
        ["create", "authorization.k8s.io", "subjectaccessreviews", ""],
    ),
    (
        &["shootstate/deletion-not-confirmed"],
        ["list", "core.gardener.cloud", "shootstates", ""],
    ),
    (
        &["seed/backup-workload-identity-type"],
        ["get", "security.gardener.cloud", "workloadidentities", ""],
    ),
    (
        &["seed/default-domains-in-use"],
        ["list", "", "secrets", GARDEN_NAMESPACE],
    ),
    (
        &[LIVE_MIGRATION],
        ["list", "", "configmaps", GARDEN_NAMESPACE],
    ),
];

/// Asks nothing unless its feature gate is on.
const LIVE_MIGRATION: &str = "shoot/live-migration";

/// Asks for ever whether a right is missing, and says which in the log, in readiness and as a metric.
pub(super) async fn follow(client: Arc<LiveClient>, state: Arc<State>, of_certificate: Vec<Right>) {
    let needed = || needed(&state, &of_certificate);
    let tell = |missing: &[Right]| tell(&state, missing);
    client.look_for_missing_rights(needed, tell).await;
}

fn tell(state: &State, missing: &[Right]) {
    let count = i64::try_from(missing.len()).unwrap_or(i64::MAX);
    state.metrics.missing_rights.set(count);
    if missing.is_empty() {
        tracing::info!("the API server allows everything that is needed");
        return state.ready.set_missing_rights(None);
    }
    let missing = Right::describe(missing);
    tracing::warn!("may not {missing}; what needs it cannot be judged or done until it is granted");
    state
        .ready
        .set_missing_rights(Some(format!("may not {missing}")));
}

/// By the rules that are in force now.
fn needed(state: &State, of_certificate: &[Right]) -> Vec<Right> {
    let mut needed = of_certificate.to_vec();
    if state.live.is_some() {
        let config = state.config.load();
        needed.extend(Right::of_watches());
        let asking = ASKING.iter().filter(|(ids, _)| {
            let mut rules = state.rules.iter().filter(|rule| ids.contains(&rule.id));
            rules.any(|rule| rule.is_on(&config) && asks(rule.id, &config))
        });
        needed.extend(asking.map(|(_, [verb, group, resource, namespace])| {
            Right::new(verb, group, resource).within(namespace)
        }));
    }
    needed
}

fn asks(id: &str, config: &Config) -> bool {
    id != LIVE_MIGRATION || config.feature_gates.live_control_plane_migration
}

/// What keeping a certificate takes. That a Secret may be made is needed only where there is none, and said then.
pub(super) fn of_certificate(options: &ManagedOptions) -> Vec<Right> {
    let secret = |verb| {
        let secrets = Right::new(verb, "", "secrets");
        secrets.within(&options.namespace).on(&options.secret)
    };
    let mut needed: Vec<Right> = ["get", "update"].map(secret).into();
    if let Some(name) = &options.webhook_configuration {
        for kind in [
            "mutatingwebhookconfigurations",
            "validatingwebhookconfigurations",
        ] {
            needed.extend(["get", "patch"].map(|verb| {
                let group = "admissionregistration.k8s.io";
                Right::new(verb, group, kind).on(name)
            }));
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::ASKING;
    use crate::rules;

    #[test]
    fn rights_are_needed_by_rules_that_exist() {
        for (ids, right) in ASKING {
            for id in ids {
                let exists = rules::ALL.iter().any(|rule| rule.id == *id);
                assert!(exists, "{right:?}: {id}");
            }
        }
    }
}
