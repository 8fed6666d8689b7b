// SPDX-License-Identifier: Apache-2.0
//! Reduces the memory that large stored objects take.

use std::collections::BTreeSet;
use std::sync::Arc;

use garden_gate_core::garden::GardenObject;
use garden_gate_model::api::{Compressed, Kind, Seed, ShootUse};

/// Minimum size of a large object, in bytes of JSON.
const LARGE: usize = 128 << 10;
/// Maximum number of entries in a list or map that is kept uncompressed and indexed.
///
/// Shoots and Seeds that pass Gardener's validation are far below it.
/// Their images and versions come from a CloudProfile, their tolerations from a whitelist.
const MOST_ENTRIES: usize = 1_000;
/// The kinds whose objects are compressed: rules look them up by name or parent.
const COMPRESSED: [Kind; 4] =
    [Kind::Project, Kind::CloudProfile, Kind::NamespacedCloudProfile, Kind::ExposureClass];
/// The suffix of the domains of all annotations that rules read.
const OWN_DOMAIN: &str = "gardener.cloud";

/// Compresses or shortens an object if its JSON is large.
pub(super) fn reduce(object: GardenObject, json: &str) -> GardenObject {
    if json.len() < LARGE {
        return object;
    }
    let key = object.key();
    let reduced = match object {
        GardenObject::Shoot(shoot) => {
            reduce_shoot(*shoot).map(|it| GardenObject::Shoot(Box::new(it)))
        }
        GardenObject::Seed(seed) => reduce_seed(&seed).map(GardenObject::from),
        GardenObject::Unreadable(..) => return object,
        object if COMPRESSED.contains(&key.kind) => {
            let compressed = Compressed::of(key.clone(), json).map(Arc::new);
            return compressed.map_or(object, GardenObject::Compressed);
        }
        object => return object,
    };
    reduced.unwrap_or_else(|what| {
        GardenObject::Unreadable(key, format!("it has more than {MOST_ENTRIES} {what}"))
    })
}

/// Compresses the worker pools.
///
/// # Errors
/// Fails with the name of the list that has too many entries.
fn reduce_shoot(mut shoot: ShootUse) -> Result<ShootUse, &'static str> {
    let pools = shoot.pools.list();
    let versions: BTreeSet<_> = pools.iter().map(|pool| &pool.kubernetes).collect();
    let images: BTreeSet<_> = pools.iter().map(|pool| &pool.image).collect();
    let labels = shoot.confirmation.as_ref().map_or(0, |it| it.labels.len());
    check(versions.len(), "Kubernetes versions of worker pools")?;
    check(images.len(), "machine image versions")?;
    check(shoot.tolerations.len(), "tolerations")?;
    check(labels, "labels")?;
    shoot.pools.compress();
    Ok(shoot)
}

/// Drops annotations and resources that no rule reads.
///
/// # Errors
/// Fails with the name of the list that has too many entries.
fn reduce_seed(seed: &Seed) -> Result<Seed, &'static str> {
    let (spec, status) = (&seed.spec, &seed.status);
    check(seed.metadata.labels.len(), "labels")?;
    check(spec.provider.zones.len(), "zones")?;
    check(spec.taints.len(), "taints")?;
    check(spec.access_restrictions.len(), "access restrictions")?;
    check(spec.dns.defaults.len(), "default domains")?;
    check(status.conditions.len(), "conditions")?;
    let mut seed = seed.clone();
    seed.metadata.finalizers.clear();
    let annotations = &mut seed.metadata.annotations;
    annotations.retain(|name, _| is_own(name));
    check(annotations.len(), "annotations")?;
    let allocatable = &mut seed.status.allocatable;
    allocatable.retain(|resource, _| resource == "shoots");
    Ok(seed)
}

fn is_own(annotation: &str) -> bool {
    let domain = annotation.split_once('/').map(|(domain, _)| domain);
    domain.is_some_and(|domain| domain.ends_with(OWN_DOMAIN))
}

fn check(entries: usize, what: &'static str) -> Result<(), &'static str> {
    match entries {
        0..=MOST_ENTRIES => Ok(()),
        _ => Err(what),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{LARGE, MOST_ENTRIES, reduce};
    use garden_gate_core::garden::GardenObject;
    use garden_gate_core::garden::read;
    use garden_gate_model::api::{Kind, Seed, SnapshotObject as _};

    fn reduced(kind: Kind, mut value: Value) -> GardenObject {
        value["metadata"]["name"] = "a".into();
        value["unread"] = "x".repeat(LARGE).into();
        let json = value.to_string();
        let object = read(kind, json.as_str()).unwrap().unwrap();
        reduce(object, &json)
    }

    fn many<T: Into<Value>>(number: usize, entry: impl Fn(usize) -> T) -> Value {
        (0..number).map(|index| entry(index).into()).collect()
    }

    fn worker(index: usize, image: usize) -> Value {
        let image = json!({"name": "i", "version": format!("{image}.0.0")});
        json!({"name": format!("w{index}"), "machine": {"image": image}})
    }

    #[test]
    fn pools_of_large_shoots_are_kept() {
        let workers = many(3_000, |index| worker(index, index % MOST_ENTRIES));
        let shoot = json!({"spec": {"provider": {"workers": workers}}});
        let pools = match reduced(Kind::Shoot, shoot) {
            GardenObject::Shoot(shoot) => Some(shoot.pools.list().len()),
            _ => None,
        };
        assert_eq!(pools, Some(3_000));
    }

    #[test]
    fn large_seeds_keep_what_rules_read() {
        let stop = "shoot.gardener.cloud/emergency-stop-reconciliations";
        let seed = json!({
            "metadata": {"annotations": {"example.org/a": "b", stop: "true"}, "labels": {"c": "d"}},
            "status": {"allocatable": {"shoots": "7", "other": "1"}},
        });
        let seed = reduced(Kind::Seed, seed);
        let seed = Seed::of(&seed).unwrap();
        assert!(seed.is_stopped());
        assert_eq!(seed.metadata.annotations.len(), 1);
        assert_eq!(seed.metadata.labels["c"], "d");
        assert_eq!(seed.allocatable_shoots(), Some(7));
    }

    #[rstest]
    #[case::images(Kind::Shoot, "machine image versions", json!({"spec": {"provider": {"workers": many(1_001, |it| worker(it, it))}}}))]
    #[case::tolerations(Kind::Shoot, "tolerations", json!({"spec": {"tolerations": many(1_001, |it| json!({"key": it.to_string()}))}}))]
    #[case::taints(Kind::Seed, "taints", json!({"spec": {"taints": many(1_001, |it| json!({"key": it.to_string()}))}}))]
    #[case::zones(Kind::Seed, "zones", json!({"spec": {"provider": {"zones": many(1_001, |it| it.to_string())}}}))]
    fn what_has_too_many_entries_is_unreadable(
        #[case] kind: Kind,
        #[case] what: &str,
        #[case] value: Value,
    ) {
        let why = match reduced(kind, value) {
            GardenObject::Unreadable(_, why) => why,
            _ => String::new(),
        };
        assert!(why.contains(what), "{why}");
    }
}
