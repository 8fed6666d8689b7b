//! Immutable fields of worker pools. Source: `pkg/apis/aws/validation/shoot.go`.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::{Judged, POOL_IMMUTABLE};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::api::extensions::ExtensionVersion;
use crate::api::{Shoot, Worker};
use crate::json::Json;
use crate::rules::extensions::Place;
use crate::rules::shared::lists::short;

/// The first version that checks pools that are updated in place.
const CHECKS_IN_PLACE: ExtensionVersion = ExtensionVersion::new(1, 62);

pub(super) fn check(judged: &Judged<'_>, old: &Shoot, findings: &mut Findings) {
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
                !is_same(
                    pool.provider_config.as_deref(),
                    old.provider_config.as_deref(),
                ),
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

fn is_same(new: Option<&RawValue>, old: Option<&RawValue>) -> bool {
    match (new, old) {
        (Some(new), Some(old)) => Json::text(new.get()).same_raw(&Json::text(old.get())),
        (new, old) => new.is_none() == old.is_none(),
    }
}
