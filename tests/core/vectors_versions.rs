// SPDX-License-Identifier: Apache-2.0
//! Versions, constraints and classifications, compared with Gardener's libraries.

use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_model::api::ExpirableVersion;
use garden_gate_model::gardener::version::{
    current_classification, is_active, latest, supported_overlaps,
};
use garden_gate_text::go::{Constraint, Version, compare_versions, is_at_least, is_before};
use jiff::Timestamp;
use serde_json::{Value, json};

fn rows(family: &str, list: &str) -> Vec<Value> {
    let file = File::open(format!("tests/vectors/{family}.json.gz")).unwrap();
    let mut vectors: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let rows: Vec<Value> = serde_json::from_value(vectors[list].take()).unwrap();
    assert!(!rows.is_empty());
    rows
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap()
}

#[test]
fn versions_are_read_leniently() {
    for row in rows("semver", "vectors") {
        let parsed = Version::parse(text(&row, "in"));
        assert_eq!(parsed.is_ok(), row["ok"], "{row}");
        if let Ok(v) = parsed {
            let read = json!({"in": row["in"], "ok": true, "major": v.major, "minor": v.minor, "patch": v.patch,
                "prerelease": v.pre.as_str(), "metadata": v.build.as_str(), "string": v.to_string()});
            assert_eq!(read, row);
        }
    }
}

#[test]
fn versions_are_ordered() {
    for row in rows("semver", "comparisons") {
        let [a, b] = ["a", "b"].map(|side| Version::parse(text(&row, side)).unwrap());
        assert_eq!(a.cmp(&b) as i64, row["cmp"].as_i64().unwrap(), "{row}");
    }
}

#[test]
fn constraints_match() {
    for row in rows("constraint", "vectors") {
        let constraint = Constraint::parse(text(&row, "constraint"));
        assert_eq!(constraint.is_ok(), row["ok"], "{row}");
        for check in row["checks"].as_array().into_iter().flatten() {
            let version = Version::parse(text(check, "version")).unwrap();
            let matches = constraint.as_ref().unwrap().matches(&version);
            assert_eq!(matches, check["matches"], "{} {check}", row["constraint"]);
        }
    }
}

#[test]
fn versions_compare_without_their_suffixes() {
    for row in rows("compare", "vectors") {
        let result = compare_versions(text(&row, "a"), text(&row, "op"), text(&row, "b"));
        assert_eq!(result.ok(), row["result"].as_bool(), "{row}");
    }
}

#[test]
fn thresholds_lie_below_every_prerelease() {
    for row in rows("compare", "thresholds") {
        let (major, minor) = text(&row, "minor").split_once('.').unwrap();
        let (major, minor) = (major.parse().unwrap(), minor.parse().unwrap());
        let version = text(&row, "version");
        let readable = Version::parse(version).is_ok();
        let at_least = is_at_least(version, major, minor);
        let matches = match text(&row, "op") {
            ">=" => at_least,
            _ => is_before(version, major, minor),
        };
        assert_eq!(readable, at_least || is_before(version, major, minor), "{row}");
        assert_eq!(matches, row["matches"], "{row}");
    }
}

fn versions(row: &Value) -> (Vec<ExpirableVersion>, Timestamp) {
    let versions = serde_json::from_value(row["versions"].clone()).unwrap();
    (versions, text(row, "now").parse().unwrap())
}

#[test]
fn classifications_follow_the_clock() {
    for row in rows("classification", "vectors") {
        let version: ExpirableVersion = serde_json::from_value(row["version"].clone()).unwrap();
        let now = text(&row, "now").parse().unwrap();
        assert_eq!(current_classification(&version, now), row["classification"], "{row}");
        assert_eq!(is_active(&version, now), row["active"], "{row}");
    }
}

#[test]
fn the_latest_version_is_found() {
    for row in rows("classification", "latest") {
        let (versions, now) = versions(&row);
        let found = latest(&versions, now, row["skipPreview"].as_bool().unwrap());
        assert_eq!(json!(found.map(|latest| latest.overall)), row["latest"], "{row}");
        let not_deprecated = found.and_then(|latest| latest.not_deprecated);
        assert_eq!(json!(not_deprecated), row["latestNotDeprecated"], "{row}");
    }
}

#[test]
fn a_version_that_cannot_be_read_leaves_no_latest_even_in_preview() {
    let version = |version: &str, classification| {
        let version = json!({"version": version, "classification": classification});
        serde_json::from_value::<ExpirableVersion>(version).unwrap()
    };
    let versions = [version("1.31.7", "supported"), version("new", "preview")];
    assert!(latest(&versions[..1], Timestamp::UNIX_EPOCH, true).is_some());
    for skip_preview in [true, false] {
        assert_eq!(latest(&versions, Timestamp::UNIX_EPOCH, skip_preview), None);
    }
}

#[test]
fn supported_versions_of_one_minor_overlap() {
    for row in rows("classification", "overlap") {
        let (versions, now) = versions(&row);
        let mut errors = vec![0; versions.len()];
        for overlap in supported_overlaps(&versions, (now, false)) {
            errors[overlap.index] = overlap.count;
            assert_eq!(overlap.others.len(), overlap.count.min(3));
        }
        assert_eq!(json!(errors), row["errors"], "{row}");
    }
}
