//! Immutable fields of worker pools. Source: `pkg/apis/aws/validation/shoot.go`.

use std::collections::HashMap;

use super::judged::{Judged, POOL_IMMUTABLE};
use crate::admission::{Context, ErrorType, FieldPath, Findings};
use crate::api::extensions::ExtensionVersion;
use crate::api::{Declared, Shoot, Worker};
use crate::json::Json;
use crate::rules::extensions::Place;
use crate::rules::shared::lists::short;

/// The first version that checks pools that are updated in place.
const CHECKS_IN_PLACE: ExtensionVersion = ExtensionVersion::new(1, 62);

pub(super) fn check(
    context: &Context<'_>,
    judged: &Judged<'_>,
    old: &Shoot,
    findings: &mut Findings,
) {
    let typing = Declared::RAW.with_bytes(!context.request.is_converted);
    let mut known: HashMap<&str, &Worker> = HashMap::new();
    for pool in &old.spec.provider.workers {
        known.entry(pool.name.as_str()).or_insert(pool);
    }
    for (index, pool) in judged.shoot.spec.provider.workers.iter().enumerate() {
        let Some(old) = known.get(pool.name.as_str()) else {
            continue;
        };
        let place = Place::same(FieldPath::new("spec.provider.workers").index(index));
        if !pool.zones.starts_with(&old.zones) {
            let message = format!(
                "zones of pool `{}` can only be appended, not removed or reordered",
                short(&pool.name)
            );
            place
                .child("zones")
                .report((&POOL_IMMUTABLE, ErrorType::Invalid), message, findings)
                .help("begin with the previous zones, in their order");
        }
        if !pool.is_in_place() || judged.version < CHECKS_IN_PLACE {
            continue;
        }
        for (field, is_changed) in [
            (
                "providerConfig",
                !config(pool).same_as(&config(old), typing),
            ),
            ("dataVolumes", pool.data_volumes != old.data_volumes),
        ] {
            if is_changed {
                let message = format!(
                    "`{field}` of pool `{}` is immutable, because the pool is updated in place",
                    short(&pool.name)
                );
                place
                    .child(field)
                    .report((&POOL_IMMUTABLE, ErrorType::Invalid), message, findings)
                    .help("restore the previous value, or add another pool");
            }
        }
    }
}

fn config(pool: &Worker) -> Json<'_> {
    let config = pool.provider_config.as_ref();
    config.map_or(Json::NULL, |it| Json::text(it.get()))
}
