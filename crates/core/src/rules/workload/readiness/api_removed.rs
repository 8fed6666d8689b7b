// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

use super::input::Input;
use crate::admission::rule;
use crate::workload::{ApiUse, CheckReport, ObjectName, Removal, removal};

rule! {
    page: include_str!("api_removed.md"),
    id: "workload/api-removed",
    summary: "warns about API versions that Kubernetes does not serve after a change",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [
        Pod [Create, Update];
        Deployment [Create, Update];
        StatefulSet [Create, Update];
        DaemonSet [Create, Update];
        ReplicaSet [Create, Update];
        Job [Create, Update];
        CronJob [Create, Update];
        Ingress [Create, Update];
        CustomResourceDefinition [Create, Update];
    ],
    findings: {
        MANIFEST = "workload/api-removed": "an object has an API version that is not served after the change",
        REQUESTED = "workload/api-requested-removed": "a client has requested an API that is not served after the change",
        MANAGER = "workload/api-of-manager-removed": "a client has written an object in an API version that is not served after the change",
    },
    check: External,
}

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    let workload = input.workload;
    if workload.uses.is_empty() && workload.requested.is_empty() {
        return;
    }
    let kubernetes = match input.change {
        Ok(change) => change.after.kubernetes.as_str(),
        Err(why) => {
            return report
                .unknown_fact(format!("the version of Kubernetes after the change: {why}"));
        }
    };
    let before = input.change.ok().and_then(|it| it.before.as_ref());
    // What the cluster does not serve today, clients do not request: the entries of managers stay forever.
    let is_served = |api_version: &str, kind: &str| {
        before.is_none_or(|it| {
            removal(api_version, kind, &it.kubernetes).is_ok_and(|it| it.is_none())
        })
    };
    let mut known: HashMap<(&str, &str), Option<Removal>> = HashMap::new();
    for (ApiUse { api_version, object }, managers) in &workload.uses {
        let kind = object.kind.as_str();
        let mut removal_of = |api_version| {
            if let Some(known) = known.get(&(api_version, kind)) {
                return Ok(known.clone());
            }
            let removal = removal(api_version, kind, kubernetes)?;
            known.insert((api_version, kind), removal.clone());
            Ok::<_, String>(removal)
        };
        let removal = match removal_of(api_version.as_str()) {
            Ok(removal) => removal,
            Err(why) => return report.unknown_fact(why),
        };
        if let Some(Removal { by, replacement }) = removal {
            let message =
                format!("has `apiVersion: {api_version}`, which Kubernetes {by} does not serve");
            report.error(&MANIFEST, object, message, remedy(replacement, "write"));
            continue;
        }
        let mut is_old = false;
        for (manager, api_version) in managers {
            if let Ok(Some(Removal { by, replacement })) = removal_of(api_version.as_str())
                && is_served(api_version, kind)
            {
                is_old = true;
                let message = format!(
                    "was written by `{manager}` as `{api_version}`, which Kubernetes {by} does not serve"
                );
                report.warn(&MANAGER, object, message, remedy(replacement, "let the client write"));
            }
        }
        if !is_old {
            report.pass();
        }
    }
    check_requests(input, kubernetes, report);
}

/// Checks the APIs that clients have requested.
fn check_requests(input: &Input<'_>, kubernetes: &str, report: &mut CheckReport) {
    for api in &input.workload.requested {
        let object = ObjectName {
            kind: "API".to_owned(),
            namespace: String::new(),
            name: format!("{} {}", api.api_version(), api.resource),
        };
        match api.is_removed_in(kubernetes) {
            Some(true) => {}
            Some(false) => {
                report.pass();
                continue;
            }
            None => {
                let why = format!("when it is removed: `{}` is not a version", api.removed_release);
                report.unknown(&object, why);
                continue;
            }
        }
        let message = format!(
            "was requested since the start of the API server, and Kubernetes {} does not serve it",
            api.removed_release
        );
        let fix = "find the client in the audit log, where the annotation `k8s.io/deprecated` marks its requests, and update it";
        report.error(&REQUESTED, &object, message, fix);
    }
}

fn remedy(replacement: Option<&str>, verb: &str) -> String {
    match replacement {
        Some(version) => format!("{verb} `apiVersion: {version}` before the change"),
        None => "remove the object, or use a later version of the API if there is one".to_owned(),
    }
}
