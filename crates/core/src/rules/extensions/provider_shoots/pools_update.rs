// SPDX-License-Identifier: Apache-2.0
//! Immutable fields of worker pools. Source: `ValidateWorkersUpdate` in `pkg/apis/*/validation/shoot.go` of providers.

use std::collections::HashMap;

use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::{Declared, Shoot, Worker};
use garden_gate_text::json::Json;

/// Checks that zones are only appended to pools, and that `providerConfig` and `dataVolumes` of pools that are updated in place are not changed.
pub(crate) fn check_pools_update(
    context: &Context<'_>,
    [new, old]: [&Shoot; 2],
    (kind, checks_in_place): (&'static FindingKind, bool),
    findings: &mut Findings,
) {
    let typing = Declared::RAW.with_bytes(!context.request.is_converted);
    let mut known: HashMap<&str, &Worker> = HashMap::new();
    for pool in &old.spec.provider.workers {
        known.entry(pool.name.as_str()).or_insert(pool);
    }
    for (index, pool) in new.spec.provider.workers.iter().enumerate() {
        let Some(old) = known.get(pool.name.as_str()) else {
            continue;
        };
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        if !pool.zones.starts_with(&old.zones) {
            let message = format!(
                "zones of pool `{}` can only be appended, not removed or reordered",
                short(&pool.name)
            );
            place
                .child("zones")
                .report((kind, ErrorType::Invalid), message, findings)
                .help("begin with the previous zones, in their order");
        }
        if !pool.is_in_place() || !checks_in_place {
            continue;
        }
        for (field, is_changed) in [
            ("providerConfig", !config(pool).same_as(&config(old), typing)),
            ("dataVolumes", pool.data_volumes != old.data_volumes),
        ] {
            if is_changed {
                let message = format!(
                    "`{field}` of pool `{}` is immutable, because the pool is updated in place",
                    short(&pool.name)
                );
                place
                    .child(field)
                    .report((kind, ErrorType::Invalid), message, findings)
                    .help("restore the previous value, or add another pool");
            }
        }
    }
}

fn config(pool: &Worker) -> Json<'_> {
    let config = pool.provider_config.as_ref();
    config.map_or(Json::NULL, |it| Json::text(it.get()))
}
