// SPDX-License-Identifier: Apache-2.0
//! Worker pools. Source: `ValidateWorkers` in `pkg/apis/openstack/validation/shoot.go`.

use super::judged::{Judged, POOL, UNDECODABLE};
use super::worker;
use crate::admission::{Context, ErrorType, FieldPath, Findings};
use crate::rules::extensions::{Component, Failure};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ConfigurationPlace;
use garden_gate_model::api::extensions::openstack::worker::WorkerConfig;
use garden_gate_model::gardener::extensions::Document;

pub(super) fn check(
    context: &Context<'_>,
    component: &Component<'_, '_>,
    judged: &Judged<'_>,
    findings: &mut Findings,
) {
    let pools = &judged.shoot.spec.provider.workers;
    let mut documents: Vec<Option<&Document<'_>>> = vec![None; pools.len()];
    for document in component.new_documents().each(ConfigurationPlace::Worker) {
        if let Some(of_pool) = documents.get_mut(document.index) {
            *of_pool = Some(document);
        }
    }
    let written = context.new_opened().opened_at(&["spec", "provider", "workers"]);
    for (index, (pool, document)) in pools.iter().zip(documents).enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        if pool.zones.is_empty() {
            let message = format!("pool `{}` has no zones", short(&pool.name));
            place
                .child("zones")
                .report((&POOL, ErrorType::Required), message, findings)
                .help("list zones of the region");
            continue;
        }
        let volume = pool.volume.as_ref();
        if volume.is_some_and(|it| it.volume_type.is_some() && it.size.is_empty()) {
            let message =
                format!("the volume of pool `{}` has a type, but no size", short(&pool.name));
            place
                .descendant("volume.type")
                .report((&POOL, ErrorType::Forbidden), message, findings)
                .help("set `volume.size`, for example to `50Gi`, or remove the type");
        }
        let Some(document) = document else { continue };
        let at = place.child("providerConfig");
        let failure =
            Failure { error: ErrorType::Invalid, field: at.own.clone(), kind: &UNDECODABLE };
        let config = component.decode::<WorkerConfig>(document, &failure, findings);
        if let Some(config) = config {
            let labels = written
                .opened_elements()
                .get(index)
                .and_then(|it| it.opened_at(&["labels"]).opened_fields());
            worker::check(judged, &config, (pool, labels), &at, findings);
        }
    }
}
