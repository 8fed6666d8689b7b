// SPDX-License-Identifier: Apache-2.0
//! The effect of changed profiles on the maintenance of Shoots.

use garden_gate_core::admission::{Request, World};
use garden_gate_core::config::{Config, Profile};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot, read_with_configuration};
use garden_gate_model::api::{Kind, UserInfo};
use garden_gate_products::forecast::{
    ChangedProfile, Owner, ProfileEffect, StoredShoot, profile_effects,
};
use rstest::rstest;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::judging::{project, usual_rules};

const NOW: &str = "2026-01-15T12:00:00Z";
const UNTIL: &str = "2026-04-15T12:00:00Z";
const SOON: &str = "2026-02-01T12:00:00Z";
const LATER: &str = "2026-03-01T12:00:00Z";
const AFTERWARDS: &str = "2027-01-01T12:00:00Z";

/// Returns a CloudProfile with these versions of Kubernetes, each with its expiration date or `-`.
fn cluster(versions: &[(&str, &str)]) -> Value {
    let versions: Vec<Value> = versions.iter().map(version).collect();
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": {"name": "cp"},
        "spec": {
            "kubernetes": {"versions": versions},
            "machineImages": [{"name": "os", "updateStrategy": "minor", "versions": [
                {"version": "1.0.0", "architectures": ["amd64"], "cri": [{"name": "containerd"}]},
            ]}],
            "machineTypes": [{"name": "large", "architecture": "amd64"}],
        },
    })
}

fn version((version, end): &(&str, &str)) -> Value {
    match *end {
        "-" => json!({"version": version}),
        end => json!({"version": version, "expirationDate": end}),
    }
}

fn namespaced(versions: &[(&str, &str)]) -> Value {
    let versions: Vec<Value> = versions.iter().map(version).collect();
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "NamespacedCloudProfile",
        "metadata": {"name": "own", "namespace": "garden-p"},
        "spec": {
            "parent": {"kind": "CloudProfile", "name": "cp"},
            "kubernetes": {"versions": versions},
        },
    })
}

fn shoot(name: &str, kind: &str, profile: &str, version: &str) -> StoredShoot {
    let machine = json!({"type": "large", "architecture": "amd64", "image": {"name": "os", "version": "1.0.0"}});
    let stored = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"kind": kind, "name": profile},
            "kubernetes": {"version": version},
            "maintenance": {
                "autoUpdate": {"kubernetesVersion": false, "machineImageVersion": false},
                "timeWindow": {"begin": "220000+0100", "end": "230000+0100"},
            },
            "provider": {"workers": [{"name": "a", "minimum": 1, "maximum": 2, "machine": machine}]},
        },
    });
    StoredShoot::new(("garden-p".to_owned(), name.to_owned()), Owner::default(), Ok(stored))
}

fn object(kind: Kind, object: &Value) -> GardenObject {
    read_with_configuration(kind, &*object.to_string()).unwrap().unwrap()
}

fn changed(kind: Kind, old: &Value, new: &Value) -> Option<ChangedProfile> {
    let [old, new] = [old, new].map(|it| to_raw_value(it).unwrap());
    let metadata = |field: &str| match kind {
        Kind::CloudProfile if field == "namespace" => String::new(),
        Kind::CloudProfile => "cp".to_owned(),
        _ if field == "namespace" => "garden-p".to_owned(),
        _ => "own".to_owned(),
    };
    let request = Request {
        name: metadata("name"),
        namespace: metadata("namespace"),
        ..Request::of_objects(kind, UserInfo::default(), [Some(&new), Some(&old)])
    };
    ChangedProfile::of_request(&request)
}

fn snapshot(profiles: &[(Kind, &Value)]) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(project("p", json!({"namespace": "garden-p"})));
    for (kind, profile) in profiles {
        garden.apply(object(*kind, profile));
    }
    garden
}

fn effects_of(
    garden: &Snapshot,
    changed: &[ChangedProfile],
    shoots: &[StoredShoot],
) -> Vec<ProfileEffect> {
    let config = Config { profile: Profile::Gardener, ..Config::default() };
    let rules = usual_rules();
    let now = NOW.parse().unwrap();
    let world = World { rules: (&rules[..]).into(), garden, config: &config, now };
    profile_effects(shoots, changed, &world, UNTIL.parse().unwrap())
}

const PATH: [(&str, &str); 2] = [("1.34.1", "-"), ("1.33.1", "-")];

#[rstest]
#[case::expires(&PATH, &[("1.34.1", "-"), ("1.33.1", SOON)], [0, 1])]
#[case::expires_earlier(&[("1.34.1", "-"), ("1.33.1", LATER)], &[("1.34.1", "-"), ("1.33.1", SOON)], [0, 1])]
#[case::expires_later(&[("1.34.1", "-"), ("1.33.1", SOON)], &[("1.34.1", "-"), ("1.33.1", LATER)], [0, 0])]
#[case::expires_after_the_period(&PATH, &[("1.34.1", "-"), ("1.33.1", AFTERWARDS)], [0, 0])]
#[case::expires_without_path(&[("1.35.1", "-"), ("1.33.1", "-")], &[("1.35.1", "-"), ("1.33.1", SOON)], [1, 0])]
#[case::removed_with_path(&PATH, &[("1.34.1", "-")], [0, 1])]
#[case::removed_without_path(&[("1.35.1", "-"), ("1.33.1", "-")], &[("1.35.1", "-")], [1, 0])]
#[case::loses_the_path(&[("1.34.1", "-"), ("1.33.1", SOON)], &[("1.35.1", "-"), ("1.33.1", SOON)], [1, 0])]
#[case::gets_a_path(&[("1.35.1", "-"), ("1.33.1", SOON)], &[("1.34.1", "-"), ("1.33.1", SOON)], [0, 0])]
#[case::was_stuck_before(&[("1.35.1", "-"), ("1.33.1", SOON)], &[("1.36.1", "-"), ("1.33.1", SOON)], [0, 0])]
#[case::version_added(&PATH, &[("1.35.1", "-"), ("1.34.1", "-"), ("1.33.1", "-")], [0, 0])]
#[case::other_version_expires(&PATH, &[("1.34.1", SOON), ("1.33.1", "-")], [0, 0])]
fn change_of_versions(
    #[case] old: &[(&str, &str)],
    #[case] new: &[(&str, &str)],
    #[case] expected: [usize; 2],
) {
    let (old, new) = (cluster(old), cluster(new));
    let garden = snapshot(&[(Kind::CloudProfile, &old)]);
    let all = [changed(Kind::CloudProfile, &old, &new).unwrap()];
    let shoots = [
        shoot("other", "CloudProfile", "other", "1.33.1"),
        shoot("s", "CloudProfile", "cp", "1.33.1"),
    ];
    let effects = effects_of(&garden, &all, &shoots);
    let [effect] = &effects[..] else { panic!("{effects:?}") };
    let names = |count| vec!["garden-p/s".to_owned(); count];
    let [stranded, forced] = expected;
    assert_eq!((&effect.stranded, &effect.forced_earlier), (&names(stranded), &names(forced)));
    assert!(!effect.is_partial && !effect.is_sampled);
    // Most of many Shoots are compared by versions only, with the same result.
    let many: Vec<StoredShoot> =
        (0..250).map(|it| shoot(&format!("s{it}"), "CloudProfile", "cp", "1.33.1")).collect();
    let effects = effects_of(&garden, &all, &many);
    let [effect] = &effects[..] else { panic!("{effects:?}") };
    let counts = [&effect.stranded, &effect.forced_earlier].map(Vec::len);
    assert_eq!(counts, expected.map(|it| it * 250));
    assert!(!effect.is_partial && effect.is_sampled);
}

/// Rules deny the update of a Shoot in a namespace without Project.
#[test]
fn rules_judge_the_first_of_many_shoots() {
    let (old, new) = (cluster(&PATH), cluster(&[("1.34.1", "-"), ("1.33.1", SOON)]));
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(object(Kind::CloudProfile, &old));
    let all = [changed(Kind::CloudProfile, &old, &new).unwrap()];
    for (count, expected) in [(200, [200, 0]), (250, [200, 50])] {
        let shoots: Vec<StoredShoot> =
            (0..count).map(|it| shoot(&format!("s{it}"), "CloudProfile", "cp", "1.33.1")).collect();
        let effect = &effects_of(&garden, &all, &shoots)[0];
        assert_eq!([&effect.stranded, &effect.forced_earlier].map(Vec::len), expected);
        assert_eq!(effect.may_strand_more(), count > 200);
    }
}

/// The garden may contain the new state already, as a checkout does.
#[test]
fn state_in_the_garden_is_irrelevant() {
    let (old, new) = (cluster(&PATH), cluster(&[("1.34.1", "-"), ("1.33.1", SOON)]));
    let changed = changed(Kind::CloudProfile, &old, &new).unwrap();
    let shoots = [shoot("s", "CloudProfile", "cp", "1.33.1")];
    for (state, is_new) in [(&old, false), (&new, true)] {
        let garden = snapshot(&[(Kind::CloudProfile, state)]);
        assert_eq!(changed.is_in(&garden), is_new);
        let effects = effects_of(&garden, std::slice::from_ref(&changed), &shoots);
        assert_eq!(effects[0].forced_earlier, ["garden-p/s"]);
    }
}

#[test]
fn own_date_of_a_namespaced_profile_protects_its_shoots() {
    let (old, new) = (cluster(&PATH), cluster(&[("1.34.1", "-"), ("1.33.1", SOON)]));
    let shoots = [
        shoot("a", "NamespacedCloudProfile", "own", "1.33.1"),
        shoot("b", "CloudProfile", "cp", "1.33.1"),
    ];
    for (own, expected) in [
        (namespaced(&[("1.33.1", AFTERWARDS)]), &["garden-p/b"][..]),
        (namespaced(&[]), &["garden-p/a", "garden-p/b"][..]),
    ] {
        let profiles = [(Kind::CloudProfile, &old), (Kind::NamespacedCloudProfile, &own)];
        let garden = snapshot(&profiles);
        let changed = changed(Kind::CloudProfile, &old, &new).unwrap();
        let effects = effects_of(&garden, &[changed], &shoots);
        assert_eq!(effects[0].forced_earlier, expected);
    }
}

#[test]
fn shoot_counts_once_for_its_own_profile() {
    let (old, new) = (cluster(&PATH), cluster(&[("1.34.1", "-"), ("1.33.1", SOON)]));
    let (own, without) = (namespaced(&[("1.33.1", AFTERWARDS)]), namespaced(&[]));
    let garden = snapshot(&[(Kind::CloudProfile, &old), (Kind::NamespacedCloudProfile, &own)]);
    let all = [
        changed(Kind::CloudProfile, &old, &new).unwrap(),
        changed(Kind::NamespacedCloudProfile, &own, &without).unwrap(),
    ];
    let shoots = [
        shoot("a", "NamespacedCloudProfile", "own", "1.33.1"),
        shoot("b", "CloudProfile", "cp", "1.33.1"),
    ];
    let effects = effects_of(&garden, &all, &shoots);
    assert_eq!(effects[0].forced_earlier, ["garden-p/b"]);
    assert_eq!(effects[1].forced_earlier, ["garden-p/a"]);
}

#[test]
fn unknown_objects_make_an_effect_partial() {
    let (old, new) = (cluster(&PATH), cluster(&[("1.34.1", "-"), ("1.33.1", SOON)]));
    let changed = changed(Kind::CloudProfile, &old, &new).unwrap();
    let all = std::slice::from_ref(&changed);
    let known = shoot("s", "CloudProfile", "cp", "1.33.1");
    let garden = snapshot(&[(Kind::CloudProfile, &old)]);
    assert!(!effects_of(&garden, all, std::slice::from_ref(&known))[0].is_partial);

    let mut gap = garden.clone();
    gap.note_gap(Kind::Shoot, || "a file cannot be read".to_owned());
    let broken = StoredShoot { stored: Err("broken".to_owned()), profile: None, ..known.clone() };
    let invalid =
        json!({"metadata": {"name": "t"}, "spec": {"cloudProfileName": "cp", "kubernetes": 1}});
    let invalid =
        StoredShoot::new(("garden-p".to_owned(), "t".to_owned()), Owner::default(), Ok(invalid));
    let mut hidden = garden.clone();
    hidden.note_gap(Kind::NamespacedCloudProfile, || "a file cannot be read".to_owned());
    let child = shoot("c", "NamespacedCloudProfile", "own", "1.33.1");
    for (garden, other) in
        [(&gap, None), (&garden, Some(broken)), (&garden, Some(invalid)), (&hidden, Some(child))]
    {
        let shoots: Vec<StoredShoot> = [known.clone()].into_iter().chain(other).collect();
        let effect = &effects_of(garden, all, &shoots)[0];
        assert!(effect.is_partial, "{shoots:?}");
        assert_eq!(effect.forced_earlier, ["garden-p/s"]);
    }
}

#[test]
fn only_updates_of_a_spec_are_changes() {
    let old = cluster(&PATH);
    let mut labelled = old.clone();
    labelled["metadata"]["labels"] = json!({"a": "b"});
    assert!(changed(Kind::CloudProfile, &old, &labelled).is_none());
    let new = cluster(&[]);
    let raw = to_raw_value(&new).unwrap();
    let user = UserInfo::default;
    for states in [[Some(&*raw), None], [None, Some(&*raw)]] {
        let request = Request::of_objects(Kind::CloudProfile, user(), states);
        assert!(ChangedProfile::of_request(&request).is_none());
    }
    let broken = json!({"spec": 1});
    assert!(changed(Kind::CloudProfile, &old, &broken).is_none());
    assert!(changed(Kind::Shoot, &old, &new).is_none());
}
