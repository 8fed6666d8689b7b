// SPDX-License-Identifier: Apache-2.0
//! The configuration of a worker pool. Source: `pkg/apis/gcp/validation/worker.go`.

use std::collections::{BTreeMap, HashSet};

use super::judged::{CHECKS_SYNTAX, Judged, Pool, UNDECODABLE, WORKER};
use super::syntax::{ACCELERATOR, CPU_PLATFORM, SCOPE, SERVICE_ACCOUNT};
use super::worker_volumes;
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::provider_shoots::{CAPACITIES, Syntax, check_node_template};
use crate::rules::extensions::{Component, Failure};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::gcp::worker::{
    GPU, NodeTemplate, ServiceAccount, WorkerConfig,
};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

/// The first version that needs only one resource in the capacity of a node template.
const NEEDS_CAPACITY: ExtensionVersion = ExtensionVersion::new(1, 42);
/// The first version that needs none of them, and checks virtual resources.
const CHECKS_VIRTUAL_CAPACITY: ExtensionVersion = ExtensionVersion::new(1, 50);

/// Checks the configurations of all worker pools; undecodable ones are reported, and checked no further.
pub(super) fn check_all(
    component: &Component<'_, '_>,
    judged: &Judged<'_>,
    findings: &mut Findings,
) {
    let documents = component.new_documents();
    for (index, pool) in judged.shoot.spec.provider.workers.iter().enumerate() {
        let place = FieldPath::new("spec.provider.workers").index(index);
        let config = match documents.nth(ConfigurationPlace::Worker, index) {
            // Earlier versions check the data volumes of all pools.
            None if judged.version < CHECKS_SYNTAX => WorkerConfig::default(),
            None => continue,
            Some(document) => {
                let failure = Failure {
                    error: ErrorType::Invalid,
                    field: place.child("providerConfig"),
                    kind: &UNDECODABLE,
                };
                match component.decode::<WorkerConfig>(document, &failure, findings) {
                    Some(config) => config,
                    None => continue,
                }
            }
        };
        // The extension reports paths without the pool.
        let config_place = ReportedPath {
            own: FieldPath::new("spec.provider.providerConfig"),
            real: place.child("providerConfig"),
        };
        let pool = Pool { pool, config: &config, place, config_place };
        check(judged, &pool, findings);
    }
}

fn check(judged: &Judged<'_>, pool: &Pool<'_>, findings: &mut Findings) {
    let (config, place) = (pool.config, &pool.config_place);
    worker_volumes::check(judged, pool, findings);
    if let Some(gpu) = &config.gpu {
        check_gpu(judged, gpu, &place.child("gpu"), findings);
    }
    if let Some(account) = &config.service_account {
        check_account(judged, account, &place.child("serviceAccount"), findings);
    }
    if let Some(template) = &config.node_template {
        check_template(judged, template, &place.child("nodeTemplate"), findings);
    }
    if let Some(platform) = &config.min_cpu_platform
        && judged.version >= CHECKS_SYNTAX
    {
        CPU_PLATFORM.check(platform, &place.child("minCpuPlatform"), &WORKER, findings);
    }
}

/// Checks the syntax of an identifier, which versions before [`CHECKS_SYNTAX`] only require.
fn check_syntax(
    judged: &Judged<'_>,
    (value, syntax): (&str, Syntax),
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if judged.version >= CHECKS_SYNTAX {
        syntax.check(value, place, &WORKER, findings);
    } else if value.is_empty() {
        let message = format!("the {} is empty", syntax.name);
        place
            .report((&WORKER, ErrorType::Required), message, findings)
            .help(format!("write it like {}", syntax.example));
    }
}

fn check_gpu(judged: &Judged<'_>, gpu: &GPU, place: &ReportedPath, findings: &mut Findings) {
    let kind = (gpu.accelerator_type.as_str(), ACCELERATOR);
    check_syntax(judged, kind, &place.child("acceleratorType"), findings);
    if gpu.count <= 0 {
        let message = format!("the number of GPUs is {}, which is not positive", gpu.count);
        place
            .child("count")
            .report((&WORKER, ErrorType::Forbidden), message, findings)
            .value(gpu.count)
            .help("use 1 or more, or remove `gpu`");
    }
}

fn check_account(
    judged: &Judged<'_>,
    account: &ServiceAccount,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let email = (account.email.as_str(), SERVICE_ACCOUNT);
    check_syntax(judged, email, &place.child("email"), findings);
    let at = place.child("scopes");
    if account.scopes.is_empty() {
        let message = "the service account has no scopes";
        at.report((&WORKER, ErrorType::Required), message, findings)
            .help("list one, for example `https://www.googleapis.com/auth/cloud-platform`");
    }
    let mut used = HashSet::new();
    for (index, scope) in account.scopes.iter().enumerate() {
        if !SCOPE.accepts(scope) {
            findings.report_lazily(&WORKER, |findings| {
                check_syntax(judged, (scope, SCOPE), &at.index(index), findings);
            });
        }
        if !used.insert(scope) {
            findings.report_lazily(&WORKER, |findings| {
                let message = format!("scope `{}` is a duplicate", short(scope));
                at.index(index)
                    .report((&WORKER, ErrorType::Duplicate), message, findings)
                    .value(scope.as_str())
                    .help("remove one of the two");
            });
        }
    }
}

fn check_template(
    judged: &Judged<'_>,
    template: &NodeTemplate,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let capacity = &template.capacity;
    let lacks_resources = match judged.version {
        version if version < NEEDS_CAPACITY => {
            CAPACITIES.iter().any(|it| !capacity.contains_key(*it))
        }
        version => version < CHECKS_VIRTUAL_CAPACITY && capacity.is_empty(),
    };
    if lacks_resources {
        place
            .child("capacity")
            .report(
                (&WORKER, ErrorType::Required),
                "the node template lacks resources in `capacity`",
                findings,
            )
            .help("set `cpu`, `gpu` and `memory`");
    }
    let none = BTreeMap::new();
    let virtual_capacity =
        if judged.version >= CHECKS_VIRTUAL_CAPACITY { &template.virtual_capacity } else { &none };
    let at = (place, &WORKER);
    check_node_template(capacity, virtual_capacity, at, findings);
}
