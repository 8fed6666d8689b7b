//! Which rules cannot judge without a kind, found out by taking it away: the readiness of a live garden depends on it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};

use flate2::read::GzDecoder;
use garden_gate::config::Config;
use garden_gate::engine::{Door, Judgement, Kind, Request, Rule, World, judge};
use garden_gate::garden::live::needs;
use garden_gate::garden::{Snapshot, directory};
use garden_gate::rules;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Those of `rules` that say that they cannot judge `request` for what the API server does not serve; one for each such thing.
fn undetermined(rules: &[&'static Rule], garden: &Snapshot, request: &Value) -> Vec<&'static str> {
    let mut review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"});
    review["request"] = request.clone();
    review["request"]["uid"] = json!("uid");
    let body = review.to_string();
    let world = World {
        rules,
        garden,
        config: &Config::default(),
        now: Timestamp::UNIX_EPOCH,
    };
    let request = Request::from_review(body.as_bytes()).unwrap();
    let judged = [Door::Mutate, Door::Validate].map(|door| match judge(door, &request, &world) {
        Judgement::Questions(questions) => panic!("{questions:?}"),
        Judgement::Review(review) => review.undetermined,
    });
    let missing = judged.into_iter().flatten();
    let missing = missing.filter(|it| it.message.contains("does not serve"));
    missing.map(|it| it.rule).collect()
}

/// By kind, the rules that do not miss it in any recorded case, and those that do.
fn observed() -> BTreeMap<Kind, (Vec<&'static Rule>, BTreeSet<&'static str>)> {
    let all = || (rules::ALL.to_vec(), BTreeSet::new());
    let mut observed: BTreeMap<_, _> = needs().map(|(kind, _)| (kind, all())).collect();
    for file in fs::read_dir("tests/conformance").unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "gz") {
            continue;
        }
        let file = GzDecoder::new(File::open(path).unwrap());
        let recorded: Value = serde_json::from_reader(file).unwrap();
        for garden in recorded["gardens"].as_array().unwrap() {
            let whole = load(&garden["manifests"]);
            for (kind, (content, missing)) in &mut observed {
                let mut without = whole.clone();
                without.withhold(*kind, "it is not served".to_owned());
                for case in garden["cases"].as_array().unwrap() {
                    loop {
                        let found = undetermined(content, &without, &case["request"]);
                        content.retain(|rule| !found.contains(&rule.id));
                        if found.is_empty() {
                            break;
                        }
                        missing.extend(found);
                    }
                }
            }
        }
    }
    observed
}

fn load(manifests: &Value) -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": manifests});
    fs::write(folder.path().join("all.json"), list.to_string()).unwrap();
    directory::load(folder.path()).unwrap().snapshot
}

fn covers(needing: &str, rule: &str) -> bool {
    match needing.strip_suffix('*') {
        Some(family) => rule.starts_with(family),
        None => rule == needing,
    }
}

#[test]
fn every_rule_that_asks_for_a_kind_is_said_to_need_it() {
    let observed = observed();
    for (kind, needing) in needs() {
        let (_, missing) = &observed[&kind];
        let known = |rule: &&str| needing.iter().any(|needing| covers(needing, rule));
        let unknown: Vec<_> = missing.iter().filter(|rule| !known(rule)).collect();
        assert!(unknown.is_empty(), "{kind} is needed by {unknown:?}, too");
    }
}
