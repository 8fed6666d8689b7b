// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate plan --windows --with --spread` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};
use crate::plan::{AT, PROFILE, pool, shoot, with};

const IMAGE: &str = "{version: 1.0.0, cri: [{name: containerd}], architectures: [amd64]}";

/// Returns the profile with these image versions, each with its expiration date.
fn profile(versions: &[(&str, &str)]) -> String {
    let versions = versions.iter().map(|(version, date)| {
        let date = match *date {
            "" => String::new(),
            date => format!(", expirationDate: '{date}'"),
        };
        format!("{{version: {version}{date}, cri: [{{name: containerd}}], architectures: [amd64]}}")
    });
    PROFILE.replace(IMAGE, &versions.collect::<Vec<_>>().join(", "))
}

/// Returns a garden whose Shoots use these image versions, each in as many Shoots with one pool of 2 machines.
fn garden(versions: &[(&str, usize)]) -> TempDir {
    let all: Vec<(&str, &str)> =
        versions.iter().map(|(version, _)| (*version, "")).chain([("2.0.0", "")]).collect();
    let folder = folder(&[("garden/profile.yaml", &profile(&all))]);
    for (version, shoots) in versions {
        for index in 0..*shoots {
            let name = format!("v{}-{index}", version.replace('.', "-"));
            let pool = with(&pool("a", 2, &["x"]), &[("/machine/image/version", json!(version))]);
            let manual = json!({"kubernetesVersion": false, "machineImageVersion": false});
            let shoot = with(&shoot(&name, &[pool]), &[("/spec/maintenance/autoUpdate", manual)]);
            write(folder.path(), &format!("garden/{name}.yaml"), &shoot.to_string());
        }
    }
    folder
}

fn spread(
    folder: &TempDir,
    versions: &[(&str, &str)],
    arguments: &[&str],
) -> (Option<i32>, String, String) {
    let versions: Vec<(&str, &str)> = versions.iter().copied().chain([("2.0.0", "")]).collect();
    write(folder.path(), "next.yaml", &profile(&versions));
    let mut command =
        garden_gate(&["plan", "--windows", "--garden", "garden", "--with", "next.yaml"]);
    printed(command.args(AT).args(arguments).current_dir(folder.path()).output().unwrap())
}

const SAME_DAY: [(&str, &str); 3] = [
    ("1.0.0", "2026-12-03T00:00:00Z"),
    ("1.1.0", "2026-12-03T00:00:00Z"),
    ("1.2.0", "2026-12-03T00:00:00Z"),
];

#[rstest]
#[case("text")]
#[case("markdown")]
#[case("json")]
fn dates_of_versions_are_spread(#[case] format: &str) {
    let folder = garden(&[("1.0.0", 3), ("1.1.0", 2), ("1.2.0", 1)]);
    let (code, out, err) = spread(&folder, &SAME_DAY, &["--spread", "7d", "--format", format]);
    assert_eq!(code, Some(0), "{err}");
    insta::assert_snapshot!(format!("spread-{format}"), out);
}

fn first_line(out: &str) -> &str {
    out.lines().next().unwrap_or_default()
}

#[test]
fn dates_stay_if_no_others_are_better() {
    let folder = garden(&[("1.0.0", 3)]);
    let dates = [("1.0.0", "2026-12-03T00:00:00Z")];
    let (code, out, err) = spread(&folder, &dates, &["--spread", "7d"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(first_line(&out).starts_with("Keep the expiration dates"), "{out}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let alone = "image linux 1.0.0 of CloudProfile stratus alone changes 6 machines";
    assert!(words.contains(alone), "{out}");
}

#[test]
fn dates_after_the_time_are_not_spread() {
    let folder = garden(&[("1.0.0", 3)]);
    let dates = [("1.0.0", "2026-12-20T00:00:00Z")];
    let (_, out, err) = spread(&folder, &dates, &["--spread", "7d"]);
    assert!(first_line(&out).starts_with("There is nothing to spread"), "{out}{err}");
}

#[test]
fn proposed_dates_are_not_earlier_and_within_the_time() {
    let folder = garden(&[("1.0.0", 3), ("1.1.0", 2), ("1.2.0", 1)]);
    let dates = [
        ("1.0.0", "2026-12-05T12:00:00Z"),
        ("1.1.0", "2026-12-05T12:00:00Z"),
        ("1.2.0", "2026-11-03T00:00:00Z"),
    ];
    let (_, out, err) = spread(&folder, &dates, &["--spread", "7d", "--format", "json"]);
    let plan: Value = serde_json::from_str(&out).unwrap();
    let versions = plan["spread"]["versions"].as_array().unwrap();
    assert_eq!(versions.len(), 3, "{out}{err}");
    for version in versions {
        let [date, proposed] =
            ["expirationDate", "proposedDate"].map(|it| version[it].as_str().unwrap());
        assert!(date <= proposed && proposed < "2026-12-08T00:00:00Z", "{version}");
    }
    let machines = |of: &str| plan["spread"][of]["machines"].as_u64().unwrap();
    assert!(machines("after") < machines("before"), "{out}");
}

#[test]
fn proposed_dates_have_the_promised_peak() {
    let folder = garden(&[("1.0.0", 3), ("1.1.0", 2), ("1.2.0", 1)]);
    let (_, out, _) = spread(&folder, &SAME_DAY, &["--spread", "7d", "--format", "json"]);
    let plan: Value = serde_json::from_str(&out).unwrap();
    let versions = plan["spread"]["versions"].as_array().unwrap();
    let proposed: Vec<(&str, &str)> = versions
        .iter()
        .map(|it| (it["version"].as_str().unwrap(), it["proposedDate"].as_str().unwrap()))
        .collect();
    let (_, out, _) = spread(&folder, &proposed, &["--format", "json"]);
    let dated: Value = serde_json::from_str(&out).unwrap();
    let days = dated["days"].as_array().unwrap().iter();
    let most = days.map(|it| it["totals"]["replaced"]["most"].as_u64().unwrap()).max();
    assert_eq!(most, plan["spread"]["after"]["machines"].as_u64(), "{out}");
    assert_eq!(most, Some(6));
}

#[rstest]
#[case(&["--spread", "1d"], "shorter than `2d`")]
#[case(&["--spread", "30d", "--for", "14d"], "longer than the forecast")]
#[case(&["--spread", "99999999999999999999d"], "longer than the forecast")]
#[case(&["--spread", "0d"], "not a valid duration")]
#[case(&["--spread", "-5d"], "")]
#[case(&["--spread", "many"], "not a valid duration")]
fn absurd_time_is_refused(#[case] arguments: &[&str], #[case] why: &str) {
    let folder = garden(&[("1.0.0", 1)]);
    let (code, _, err) = spread(&folder, &SAME_DAY[..1], arguments);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(why), "{err}");
}

#[test]
fn spread_without_a_profile_is_refused() {
    let folder = garden(&[("1.0.0", 1)]);
    let mut command = garden_gate(&["plan", "--windows", "--garden", "garden", "--spread", "7d"]);
    let (code, _, err) = printed(command.args(AT).current_dir(folder.path()).output().unwrap());
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("--with"), "{err}");
}

#[test]
fn spread_matches_its_schema() {
    let (_, out, _) = printed(garden_gate(&["schema", "plan"]).output().unwrap());
    let validator = jsonschema::validator_for(&serde_json::from_str(&out).unwrap()).unwrap();
    let folder = garden(&[("1.0.0", 2), ("1.1.0", 1)]);
    let (_, out, _) = spread(&folder, &SAME_DAY[..2], &["--spread", "7d", "--format", "json"]);
    let plan: Value = serde_json::from_str(&out).unwrap();
    let errors: Vec<String> = validator.iter_errors(&plan).map(|it| it.to_string()).collect();
    assert_eq!(errors, [""; 0]);
}
