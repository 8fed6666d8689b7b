// SPDX-License-Identifier: Apache-2.0
//! Recorded responses of a live gardener-apiserver, compared with `garden-gate review`.
//!
//! The format is described in `tests/conformance/README.md`.
//!
//! `tests/conformance/agreement.json` contains the number of agreeing cases of each family. `UPDATE_AGREEMENT=1` writes
//! that file; a number in it must never decrease. `tests/conformance/differences.yaml` contains the reasons for the other
//! cases.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod agreement;

use crate::folder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{garden_gate, printed};
use crate::folder::folder;
use agreement::{Agreement, Aspect, Disagreement, Retrieval};
use flate2::read::GzDecoder;
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
fn as_many_agree_as_before(
    #[values(
        "cloud_profile_static",
        "ext_aws",
        "ext_azure",
        "ext_calico",
        "ext_cilium",
        "ext_gcp",
        "ext_openstack",
        "ext_registry_cache",
        "kind_backupbucket",
        "kind_backupentry",
        "kind_bastion",
        "kind_controllerdeployment",
        "kind_controllerdeployment_v1beta1",
        "kind_controllerinstallation",
        "kind_controllerregistration",
        "kind_gardenlet",
        "kind_internalsecret",
        "kind_managedseed",
        "kind_managedseedset",
        "kind_shootstate",
        "kind_workloadidentity",
        "kind_extension",
        "kind_garden",
        "namespaced_cloud_profile_static",
        "project_static",
        "seed_static",
        "shoot_bindings",
        "shoot_control_plane",
        "shoot_dns",
        "shoot_extensions",
        "shoot_identity",
        "shoot_kubelet",
        "shoot_machines",
        "shoot_maintenance",
        "shoot_networking",
        "shoot_pools",
        "shoot_references_quota",
        "shoot_removed_fields",
        "shoot_unknown_fields",
        "shoot_update_rules",
        "small_kinds",
        "t1",
        "wild_deletes",
        "wild_finalizers",
        "wild_forms",
        "wild_inuse",
        "wild_ncps",
        "wild_older",
        "wild_older_corpus",
        "wild_pairs",
        "wild_pairs_others",
        "wild_patches",
        "wild_placement",
        "wild_sparse",
        "wild_subresources",
        "wild_users"
    )]
    family: &str,
) {
    let recorded = read(family);
    let disagreeing = disagreements(&recorded, None);
    let now = Agreement::of(&cases(&recorded), &disagreeing);
    if std::env::var_os("UPDATE_AGREEMENT").is_some() {
        return agreement::write(family, now, &disagreeing);
    }
    let before = agreement::noted(family);
    let lines = disagreeing.iter();
    let lines: Vec<_> = lines.map(|it| format!("{}: {}", it.case, it.text)).collect();
    assert!(
        before.agree <= now.agree,
        "{now:?}; {before:?} before; these do not agree:\n{}",
        lines.join("\n")
    );
    assert_eq!(
        before, now,
        "more cases agree than before: `UPDATE_AGREEMENT=1 cargo test --test cli predict::` writes that down"
    );
    let known: BTreeSet<String> = Retrieval::of(family).iter().flat_map(Retrieval::ids).collect();
    let differing: BTreeSet<String> = disagreeing.into_iter().map(|it| it.case).collect();
    assert_eq!(
        known, differing,
        "tests/conformance/differences.yaml names the cases that differ, and no other"
    );
}

/// Compares the recorded responses of an earlier server, with objects judged by its version.
#[rstest]
fn earlier_versions_agree(#[values("1.139.4", "1.145.4", "1.149.3")] version: &str) {
    let mut differing = BTreeMap::new();
    let mut count = 0;
    for file in fs::read_dir(format!("tests/conformance/versions/v{version}")).unwrap() {
        let recorded = read_file(&file.unwrap().path());
        count += cases(&recorded).len();
        for it in disagreements(&recorded, Some(version)) {
            differing.insert(it.case, format!("{:?}: {}", it.aspect, it.text));
        }
    }
    let known: BTreeSet<String> = Retrieval::of_version(version);
    let unknown = differing.iter().filter(|(case, _)| !known.contains(*case));
    let unknown: Vec<_> = unknown.map(|(case, text)| format!("{case}: {text}")).collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    let agreeing = known.iter().filter(|case| !differing.contains_key(*case));
    let agreeing: Vec<_> = agreeing.collect();
    assert!(
        agreeing.is_empty(),
        "tests/conformance/differences.yaml names cases that agree: {agreeing:?}"
    );
    assert!(count > 150, "{count} cases of {version}");
}

fn read(family: &str) -> Value {
    let files = ["", "kinds/", "wild/"].map(|it| format!("tests/conformance/{it}{family}.json.gz"));
    let file = files.iter().map(Path::new).find(|it| it.is_file());
    read_file(file.unwrap())
}

fn read_file(path: &Path) -> Value {
    let file = File::open(path).unwrap();
    serde_json::from_reader(GzDecoder::new(file)).unwrap()
}

fn cases(recorded: &Value) -> Vec<&Value> {
    let gardens = recorded["gardens"].as_array().unwrap();
    let cases = gardens.iter().flat_map(|it| it["cases"].as_array().unwrap());
    cases.collect()
}

/// Returns the differences of `review`, one per case, judged as a version of Gardener or as the newest.
fn disagreements(recorded: &Value, version: Option<&str>) -> Vec<Disagreement> {
    let gardens = recorded["gardens"].as_array().unwrap().iter();
    gardens.flat_map(|it| disagreements_in(it, version)).collect()
}

fn disagreements_in(garden: &Value, version: Option<&str>) -> Vec<Disagreement> {
    let folder = folder(&[]);
    let mut answers = answers((folder.path(), version), garden, None);
    for user in users(garden) {
        for (case, answer) in self::answers((folder.path(), version), garden, Some(&user)) {
            answers.entry(case).or_default().extend(answer);
        }
    }
    let cases = garden["cases"].as_array().unwrap();
    let disagreement = |(index, case): (usize, &Value)| {
        let answers = answers.get(&index).map_or(&[][..], Vec::as_slice);
        let is_compared = |it: &&Value| it["verdict"] != "undetermined" || !is_of_another(case, it);
        let problem = answers.iter().filter(is_compared).find_map(|it| problem(case, it));
        let problem = match answers {
            [] => Some((Aspect::Verdict, "it was not judged".to_owned())),
            _ => problem,
        };
        problem.map(|(aspect, text)| Disagreement {
            case: case["id"].as_str().unwrap().to_owned(),
            aspect,
            text,
        })
    };
    cases.iter().enumerate().filter_map(disagreement).collect()
}

/// Returns the users in the requests of a garden.
fn users(garden: &Value) -> BTreeSet<(String, Vec<String>)> {
    let cases = garden["cases"].as_array().unwrap();
    cases.iter().map(user_of).collect()
}

fn user_of(case: &Value) -> (String, Vec<String>) {
    let user = &case["request"]["userInfo"];
    let groups =
        user["groups"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned());
    (user["username"].as_str().unwrap().to_owned(), groups.collect())
}

/// Returns the responses of `review` by the number of the case.
///
/// The cases are AdmissionReviews, or the CREATEs of a user as manifests.
fn answers(
    (folder, version): (&Path, Option<&str>),
    garden: &Value,
    user: Option<&(String, Vec<String>)>,
) -> BTreeMap<usize, Vec<Value>> {
    let mut command = review(folder, garden);
    version.map(|it| command.args(["--gardener-version", it]));
    if let Some((name, groups)) = user {
        command.args(["--as", name]);
        for it in groups {
            command.args(["--as-group", it]);
        }
    }
    let mut files = BTreeMap::new();
    let mut shoots = BTreeSet::new();
    for (index, case) in garden["cases"].as_array().unwrap().iter().enumerate() {
        let as_manifest = case["request"]["operation"] == "CREATE" && !is_there(garden, case);
        let text = match user {
            None => review_of(case),
            // Manifests of one change: a Shoot can only have one ManagedSeed.
            Some(user) if as_manifest && user_of(case) == *user && is_first(&mut shoots, case) => {
                object_of(case)
            }
            Some(_) => continue,
        };
        let name =
            if user.is_none() { format!("{index}.review.json") } else { format!("{index}.json") };
        let file: PathBuf = folder.join(name);
        fs::write(&file, text).unwrap();
        command.arg(&file);
        files.insert(file.display().to_string(), index);
    }
    if files.is_empty() {
        return BTreeMap::new();
    }
    let (_, out, err) = printed(command.output().unwrap());
    if err.contains("there is nothing to review") {
        return BTreeMap::new();
    }
    let report: Value = serde_json::from_str(&out).unwrap();
    let mut answers = BTreeMap::<usize, Vec<Value>>::new();
    for review in report["reviews"].as_array().unwrap() {
        let index = files[review["file"].as_str().unwrap()];
        answers.entry(index).or_default().push(review.clone());
    }
    answers
}

fn review(folder: &Path, garden: &Value) -> Command {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": garden["manifests"]});
    folder::write(folder, "garden/all.json", &list.to_string());
    folder::write(folder, "config.json", &garden["config"].to_string());
    let mut command = garden_gate(&["review", "--format", "json", "--garden"]);
    command.arg(folder.join("garden"));
    command.arg("--config").arg(folder.join("config.json"));
    command
}

/// Reports whether the garden already has the object that a case creates, so that its manifest is an update.
fn is_there(garden: &Value, case: &Value) -> bool {
    let object = &case["request"]["object"];
    let is_it = |it: &Value| {
        let mut fields = ["/kind", "/metadata/name", "/metadata/namespace"].iter();
        fields.all(|field| it.pointer(field) == object.pointer(field))
    };
    garden["manifests"].as_array().unwrap().iter().any(is_it)
}

/// Reports whether no other manifest is a ManagedSeed for the same Shoot.
fn is_first(shoots: &mut BTreeSet<String>, case: &Value) -> bool {
    let object = &case["request"]["object"];
    let shoot = object.pointer("/spec/shoot/name").and_then(Value::as_str);
    object["kind"] != "ManagedSeed" || shoot.is_none_or(|it| shoots.insert(it.to_owned()))
}

/// Reports whether a manifest is of another kind than the request, or lacks the namespace of the URL.
fn is_of_another(case: &Value, answer: &Value) -> bool {
    let (request, object) = (&case["request"], &case["request"]["object"]);
    let is_manifest = !answer["file"].as_str().unwrap().ends_with("review.json");
    let namespace = |it: &Value| it["namespace"].as_str().unwrap_or_default().to_owned();
    let is_placed = namespace(request) == namespace(&object["metadata"]);
    is_manifest && (object["kind"] != request["kind"]["kind"] || !is_placed)
}

/// Returns the object as the client sent it.
fn object_of(case: &Value) -> String {
    let parsed = || case["request"]["object"].to_string();
    case["text"].as_str().map_or_else(parsed, str::to_owned)
}

fn review_of(case: &Value) -> String {
    let mut request = case["request"].clone();
    request["uid"] = case["id"].clone();
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    if case["text"].is_null() {
        return review.to_string();
    }
    let mut review = review;
    review["request"]["object"] = json!("the object goes here");
    let text = review.to_string();
    text.replacen("\"the object goes here\"", &object_of(case), 1)
}

fn findings_of(expect: &Value) -> std::slice::Iter<'_, Value> {
    expect["findings"].as_array().unwrap().iter()
}

/// Returns the difference in a response.
fn problem(case: &Value, answer: &Value) -> Option<(Aspect, String)> {
    let expect = &case["expect"];
    let expected = if expect["allowed"] == true { "allowed" } else { "denied" };
    let denials = answer["findings"].as_array().into_iter().flatten();
    let denials: Vec<_> = denials.filter(|it| it["level"] == "deny").collect();
    if answer["verdict"] != expected {
        assert!(
            answer["verdict"] != "allowed"
                || answer["notJudged"].is_array()
                || is_known_to_be_silent(case),
            "{} is allowed, refused by Gardener, and nothing is said to be left open: {}",
            case["id"],
            expect["findings"]
        );
        let said: Vec<_> = denials.iter().map(|it| &it["message"]).collect();
        let unsure = &answer["undetermined"];
        let text = format!(
            "{}, expected {expected}: {} {said:?} {unsure}",
            answer["verdict"], expect["findings"]
        );
        return Some((Aspect::Verdict, text));
    }
    let key =
        |it: &Value| (place(case, it["field"].as_str().unwrap()), it["type"].clone().to_string());
    let found: BTreeSet<_> = denials.into_iter().map(key).collect();
    let is_compared = |it: &&Value| is_of_extension(case) || is_clear(it);
    let missing: Vec<_> =
        findings_of(expect).filter(|it| is_compared(it) && !found.contains(&key(it))).collect();
    if !missing.is_empty() {
        let text = format!("found {found:?}, expected {missing:?}");
        return Some((Aspect::Fields, text));
    }
    let differing = if is_of_extension(case) {
        changed_differently(case, answer)
    } else {
        stored_differently(case, answer)
    };
    let text = || format!("stored differently: {differing:?}");
    (!differing.is_empty()).then(|| (Aspect::Stored, text()))
}

/// Reports whether a missing announcement is a known difference.
fn is_known_to_be_silent(case: &Value) -> bool {
    let family = case["id"].as_str().unwrap().split_once('/').unwrap().0;
    let known = Retrieval::all().into_iter().filter(|it| it.silent && it.is_of(family));
    let ids: Vec<String> = known.flat_map(|it| it.ids().collect::<Vec<_>>()).collect();
    ids.iter().any(|id| case["id"] == *id)
}

/// Returns the patch from the sent to the stored object.
///
/// It is compared for Shoots only, since all their defaults are known.
fn recorded_patch(case: &Value) -> Option<&Value> {
    let is_shoot = case["request"]["resource"]["resource"] == "shoots";
    let is_compared = is_shoot || is_of_extension(case);
    Some(&case["expect"]["patch"]).filter(|it| is_compared && !it.is_null())
}

/// Reports whether the verdict is that of an extension's admission component.
fn is_of_extension(case: &Value) -> bool {
    case["id"].as_str().unwrap().starts_with("ext_")
}

/// Returns the changes of an extension's mutating webhook that the stored object lacks.
///
/// They are recorded as a patch of the object that Gardener has completed.
fn changed_differently(case: &Value, answer: &Value) -> Vec<String> {
    let patch = recorded_patch(case).filter(|_| answer["verdict"] == "allowed");
    let mut stored = case["request"]["object"].clone();
    let ours: json_patch::Patch = serde_json::from_value(answer["patch"].clone()).unwrap();
    json_patch::patch(&mut stored, &ours).unwrap();
    let changes = patch.and_then(Value::as_array).into_iter().flatten();
    let lacks = |change: &&Value| {
        let found = stored.pointer(change["path"].as_str().unwrap());
        match change["op"].as_str() {
            Some("remove") => found.is_some(),
            _ => found != Some(&change["value"]),
        }
    };
    changes.filter(lacks).map(Value::to_string).collect()
}

/// Returns the fields that would be stored differently than in Gardener.
fn stored_differently(case: &Value, answer: &Value) -> Vec<String> {
    let patch = recorded_patch(case).filter(|_| answer["verdict"] == "allowed");
    let Some(patch) = patch else {
        return Vec::new();
    };
    let [here, there] = [&answer["patch"], patch].map(|patch| {
        let patch: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
        let mut object = case["request"]["object"].clone();
        json_patch::patch(&mut object, &patch).unwrap();
        object
    });
    let differing = json_patch::diff(&there, &here).0.into_iter().filter(|it| {
        let at = |object: &Value| object.pointer(it.path().as_str()).cloned();
        let is_made_up = |it: Option<Value>, by: &str| it.is_some_and(|it| it == by);
        !is_made_up(at(&there), "<made up by the server>")
            || !is_made_up(at(&here), "(made up by the API server)")
            || it.path().is_empty()
    });
    differing.map(|it| it.to_string()).collect()
}

/// Reports whether a finding is specific, so that garden-gate has to report the same.
fn is_clear(finding: &Value) -> bool {
    let has = |member: &str, values: &[&str]| values.iter().any(|it| finding[member] == *it);
    !has("stage", &["decode", "mutating"])
        && !has("field", &[""])
        && !has("type", &["Internal", "Unknown", "BadRequest", "Panic"])
}

/// Returns the field; without the index of a toleration in updates, since Gardener counts the changed ones only.
fn place(case: &Value, field: &str) -> String {
    match field.strip_prefix("spec.tolerations[") {
        Some(rest) if case["request"]["operation"] == "UPDATE" => {
            format!("spec.tolerations{}", rest.split_once(']').unwrap().1)
        }
        _ => field.to_owned(),
    }
}
