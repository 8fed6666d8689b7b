//! Seeds that are alike are told from all seeds by nothing but time.

use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};

use super::{Excluded, Scheduling, Wanted, excluded, none_is_left};
use crate::config::Strategy as Scheduler;
use crate::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use crate::model::{CloudProfileSpec, Kind, SeedSelector, Shoot};

/// One of these, the first one as often as all others.
fn usually(first: Value, others: Vec<Value>) -> impl Strategy<Value = Value> {
    prop_oneof![Just(first), select(others)]
}

fn labels() -> impl Strategy<Value = Value> {
    let label = || select(vec!["", "x", "y"]);
    (label(), label()).prop_map(|(a, b)| {
        let all = [("a", a), ("b", b)].into_iter();
        let given = all.filter(|(_, value)| !value.is_empty());
        given.map(|(key, value)| (key, json!(value))).collect()
    })
}

fn zones() -> impl Strategy<Value = Value> {
    let zones = subsequence(vec!["z1", "z2", "z3"], 0..=3);
    zones.prop_map(|zones| json!(zones))
}

const NAMES: [&str; 8] = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"];

/// What makes Seeds alike.
fn alike() -> impl Strategy<Value = Value> {
    let settings = usually(
        json!({"zoneSelection": {"mode": "Prefer"}}),
        vec![
            json!({}),
            json!({"zoneSelection": {"mode": "Enforce"}}),
            json!({"scheduling": {"visible": false}}),
        ],
    );
    let taints = usually(
        json!([]),
        vec![json!([{"key": "t"}]), json!([{"key": "u"}])],
    );
    let restrictions = usually(json!([{"name": "r"}]), vec![json!([])]);
    let provider = (select(vec!["p", "q"]), select(vec!["eu", "us"]), zones());
    (settings, taints, restrictions, provider).prop_map(
        |(settings, taints, restrictions, (kind, region, zones))| {
            json!({
                "provider": {"type": kind, "region": region, "zones": zones},
                "settings": settings,
                "taints": taints,
                "accessRestrictions": restrictions,
            })
        },
    )
}

/// What a Seed has besides.
fn seed() -> impl Strategy<Value = Value> {
    let stop = "shoot.gardener.cloud/emergency-stop-reconciliations";
    let metadata = usually(
        json!({}),
        vec![
            json!({"deletionTimestamp": "2026-01-01T00:00:00Z"}),
            json!({"annotations": {stop: "true"}}),
        ],
    );
    let networks = usually(
        json!({"shootDefaults": {"pods": "10.1.0.0/16", "services": "10.2.0.0/16"}}),
        vec![
            json!({"shootDefaults": {"pods": "10.1.0.0/16", "services": "240.0.0.0/16"}}),
            json!({"shootDefaults": {"pods": "10.0.0.0/17", "services": "10.2.0.0/16"}}),
            json!({"services": "2001:db8::/32"}),
        ],
    );
    let domains = usually(json!([]), vec![json!([{"domain": "d.example.com"}])]);
    let status = usually(
        json!({}),
        vec![
            json!({"allocatable": {"shoots": "0"}}),
            json!({"allocatable": {"shoots": "1"}}),
            json!({"conditions": [{"type": "GardenletReady", "status": "False"}]}),
        ],
    );
    (
        select(&NAMES[..]),
        labels(),
        metadata,
        status,
        networks,
        domains,
    )
        .prop_map(|(name, labels, mut metadata, status, networks, domains)| {
            metadata["name"] = json!(name);
            metadata["labels"] = labels;
            let spec = json!({"networks": networks, "dns": {"defaults": domains}});
            json!({"metadata": metadata, "spec": spec, "status": status})
        })
}

/// Seeds of few kinds.
fn seeds() -> impl Strategy<Value = Vec<GardenObject>> {
    let own = prop::collection::vec((seed(), any::<Index>()), 0..16);
    (prop::collection::vec(alike(), 1..4), own).prop_map(|(kinds, seeds)| {
        let seed = |(mut seed, kind): (Value, Index)| {
            let kind = kind.get(&kinds).as_object().unwrap().clone();
            seed["spec"].as_object_mut().unwrap().extend(kind);
            let seed = GardenObject::read(Kind::Seed, seed.to_string().as_str());
            seed.unwrap().unwrap()
        };
        seeds.into_iter().map(seed).collect()
    })
}

fn selector() -> impl Strategy<Value = Value> {
    let types = usually(json!([]), vec![json!(["*"]), json!(["q"])]);
    let selector = (labels(), types)
        .prop_map(|(labels, types)| json!({"matchLabels": labels, "providerTypes": types}));
    prop_oneof![Just(json!(null)), selector]
}

fn shoot() -> impl Strategy<Value = Shoot> {
    let domain = usually(
        json!(null),
        vec![
            json!("s.p.d.example.com"),
            json!("s.o.d.example.com"),
            json!("example.org"),
        ],
    );
    let range = usually(
        json!(null),
        vec![json!("10.0.0.0/16"), json!("2001:db8::/48")],
    );
    let tolerations = usually(json!([]), vec![json!([{"key": "t"}])]);
    let restrictions = usually(json!([]), vec![json!([{"name": "r"}])]);
    let control_plane = usually(
        json!(null),
        vec![json!({"highAvailability": {"failureTolerance": {"type": "zone"}}})],
    );
    let purpose = select(vec!["production", "testing"]);
    let rest = (tolerations, restrictions, control_plane, purpose);
    (selector(), zones(), domain, range, rest).prop_map(|(selector, zones, domain, range, rest)| {
        let (tolerations, restrictions, control_plane, purpose) = rest;
        serde_json::from_value::<Shoot>(json!({
            "metadata": {"name": "s"},
            "spec": {
                "seedSelector": selector,
                "region": "eu",
                "provider": {"type": "p", "workers": [{"name": "w", "zones": zones}]},
                "dns": {"domain": domain},
                "networking": {"services": range, "ipFamilies": ["IPv4", "IPv6"]},
                "tolerations": tolerations,
                "accessRestrictions": restrictions,
                "controlPlane": control_plane,
                "purpose": purpose,
            },
        }))
        .unwrap()
    })
}

fn texts(excluded: Option<Vec<Excluded<'_>>>) -> Option<Vec<String>> {
    let text = |Excluded { seed, reason }: Excluded<'_>| format!("{} {reason}", seed.metadata.name);
    Some(excluded?.into_iter().map(text).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_096))]

    #[test]
    fn groups_of_seeds_tell_the_same_as_all_seeds(
        before in seeds(),
        gone in subsequence(&NAMES[..], 0..=8),
        after in seeds(),
        shoot in shoot(),
        offered in selector(),
        strategy in select(vec![None, Some(Scheduler::SameRegion), Some(Scheduler::MinimalDistance)]),
    ) {
        let mut garden = Snapshot::new(Knowledge::Everything);
        for seed in before {
            garden.apply(seed);
        }
        for name in gone {
            garden.remove(&ObjectKey::named(Kind::Seed, name));
        }
        for seed in after {
            garden.apply(seed);
        }
        let offered = serde_json::from_value::<Option<SeedSelector>>(offered).unwrap();
        let profile = CloudProfileSpec { seed_selector: offered, ..CloudProfileSpec::default() };
        let scheduling = Scheduling {
            shoot: &shoot,
            wanted: Wanted::of(&shoot, &profile),
            profile: &profile,
            project: Some("p"),
            strategy,
            used: &|_| Some(0),
        };
        let all = || garden.seeds().unwrap().map(|seed| &**seed);
        let groups = garden.alike_seeds().unwrap();
        prop_assert_eq!(groups.count(), all().count());
        let one_by_one = texts(none_is_left(&scheduling, all(), 3));
        prop_assert_eq!(texts(excluded(&scheduling, groups, all(), 3)), one_by_one);
    }
}
