//! `garden-gate forecast`, the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

#[path = "support/command.rs"]
mod command;
#[path = "support/folder.rs"]
mod folder;

use std::fs;

use command::{garden_gate, printed};
use folder::{folder, write};
use rstest::rstest;
use serde_json::{Value, json};

const AT: [&str; 2] = ["--at", "2026-12-01T00:00:00Z"];

/// Runs it with these arguments in the example garden.
fn forecast(arguments: &[&str]) -> (Option<i32>, String, String) {
    in_garden("examples/forecast", arguments)
}

fn in_garden(garden: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["forecast", "--no-config", "--garden", garden]);
    printed(command.args(AT).args(arguments).output().unwrap())
}

fn json_of(arguments: &[&str]) -> Value {
    let (_, out, err) = forecast(&[&["--format", "json"], arguments].concat());
    serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"))
}

#[rstest]
#[case("text")]
#[case("json")]
#[case("markdown")]
fn a_forecast_is_written_as(#[case] format: &str) {
    let (code, out, err) = forecast(&["--format", format]);
    assert_eq!((code, err.as_str()), (Some(2), ""), "{out}");
    insta::assert_snapshot!(format, out);
}

#[test]
fn the_readme_and_the_page_show_what_is_printed() {
    let (_, out, _) = forecast(&["--project", "data"]);
    for page in ["README.md", "docs/forecast.md"] {
        let page = fs::read_to_string(page).unwrap();
        assert!(page.contains(out.trim_end()), "{out}");
    }
}

#[test]
fn colours_come_on_demand_and_say_nothing_else() {
    let (_, plain, _) = forecast(&[]);
    let (_, painted, _) = forecast(&["--color", "always"]);
    assert!(
        painted.contains("\x1b[31mforced, blocked\x1b[0m"),
        "{painted}"
    );
    let mut stripped = painted;
    for code in ["0", "1", "31", "33"] {
        stripped = stripped.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(stripped, plain);
}

/// The Shoots that a forecast is about.
fn names(forecast: &Value) -> Vec<String> {
    let shoots = forecast["shoots"].as_array().unwrap().iter();
    let missing = forecast["notForecast"].as_array().unwrap().iter();
    let name = |it: &Value| {
        format!(
            "{}/{}",
            it["project"].as_str().unwrap(),
            it["name"].as_str().unwrap()
        )
    };
    shoots.chain(missing).map(name).collect()
}

#[rstest]
#[case::by_name(&["web"], &["shop/web"])]
#[case::by_project_and_name(&["shop/web", "data/etl"], &["data/etl", "shop/web"])]
#[case::by_namespace_and_name(&["garden-shop/web"], &["shop/web"])]
#[case::of_a_project(&["--project", "data"], &["data/etl", "data/lake", "data/legacy", "data/archive"])]
#[case::of_a_namespace(&["--project", "garden-data", "lake"], &["data/lake"])]
#[case::of_an_owner(&["--owner", "anna@example.com"], &["shop/admin", "shop/checkout", "shop/staging", "shop/web"])]
#[case::of_nobody(&["--owner", "carl@example.com"], &[])]
fn some_shoots_are_asked_for(#[case] arguments: &[&str], #[case] expected: &[&str]) {
    assert_eq!(names(&json_of(arguments)), expected);
}

#[rstest]
#[case::nothing_to_complain_about(&["shop/web"], 0)]
#[case::refused(&["data/etl"], 1)]
#[case::refused_later_than_anybody_asks(&["data/etl", "--for", "30d"], 0)]
#[case::no_update_possible(&["data/legacy"], 1)]
#[case::not_forecast(&["data/archive"], 2)]
#[case::no_shoot(&["--owner", "carl@example.com"], 3)]
fn exit_codes(#[case] arguments: &[&str], #[case] expected: i32) {
    let (code, out, err) = forecast(arguments);
    assert_eq!((code, err.as_str()), (Some(expected), ""), "{out}");
}

#[rstest]
#[case::no_such_shoot(&["wbe"], "error: the garden has no Shoot `wbe` of those that are asked for\n")]
#[case::two_on_standard_output(
    &["--format", "json", "--format", "text"],
    "error: only one format can go to standard output; write the others to files, as in `--format json=FILE`\n"
)]
#[case::no_format(
    &["--format", "xml"],
    "error: invalid value 'xml' for '--format <FORMAT[=FILE]>': there is no format `xml`; there are text, json, markdown (try `--help`)\n"
)]
#[case::no_length(
    &["--for", "soon"],
    "error: invalid value 'soon' for '--for <TIME>': `soon` is not a length of time; write it like `90d`, `12w` or `36h` (try `--help`)\n"
)]
fn what_cannot_be_done_is_an_error(#[case] arguments: &[&str], #[case] expected: &str) {
    let (code, out, err) = forecast(arguments);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(2), "", expected));
}

#[test]
fn without_a_garden_there_is_nothing_to_look_at() {
    let (code, _, err) = printed(garden_gate(&["forecast", "--no-config"]).output().unwrap());
    assert_eq!(code, Some(2));
    assert_eq!(
        err,
        "error: say where the garden is: --garden DIR, or --live\n"
    );
}

#[test]
fn a_century_is_cut_and_forecast() {
    let (code, out, err) = forecast(&["shop/web", "--for", "100y"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        err,
        "warning: --for is more than ten years; the forecast ends after ten\n"
    );
    assert!(
        out.starts_with("1 Shoot, 3650 days from 2026-12-01T00:00:00Z\n"),
        "{out}"
    );
}

#[test]
fn formats_go_to_files_beside_standard_output() {
    let folder = folder(&[]);
    let file = folder.path().join("forecast.json");
    let output = format!("json={}", file.display());
    let (_, out, _) = forecast(&["--format", &output, "--format", "markdown", "shop/web"]);
    assert!(out.starts_with("### garden-gate forecast: "), "{out}");
    let written: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(names(&written), ["shop/web"]);
}

/// The example garden with a Shoot changed.
fn with_a_change(from: &str, to: &str) -> Value {
    let folder = folder(&[]);
    for file in ["cloudprofile.yaml", "projects.yaml", "shoots.yaml"] {
        let text = fs::read_to_string(format!("examples/forecast/{file}")).unwrap();
        write(folder.path(), file, &text.replace(from, to));
    }
    let garden = folder.path().display().to_string();
    let (_, out, _) = in_garden(&garden, &["--format", "json"]);
    serde_json::from_str(&out).unwrap()
}

#[rstest]
#[case::no_such_time_zone(
    "Europe/Berlin",
    "Europe/Atlantis",
    "staging",
    "spec.hibernation.schedules[0] counts for nothing: there is no time zone `Europe/Atlantis`"
)]
#[case::a_time_that_never_comes(
    "0 20 * * *",
    "0 20 30 2 *",
    "staging",
    "spec.hibernation.schedules[0] counts for nothing: `0 20 30 2 *` never comes"
)]
#[case::no_readable_window(
    "begin: 220000-0500",
    "begin: 10pm",
    "checkout",
    "its maintenance window `10pm` to `230000-0500` cannot be read; Gardener takes any time of the day for one"
)]
fn bad_input_is_a_line_and_the_rest_is_forecast(
    #[case] from: &str,
    #[case] to: &str,
    #[case] shoot: &str,
    #[case] expected: &str,
) {
    let forecast = with_a_change(from, to);
    assert_eq!(forecast["summary"]["shoots"], 7);
    let shoots = forecast["shoots"].as_array().unwrap();
    let shoot = shoots.iter().find(|it| it["name"] == shoot).unwrap();
    assert_eq!(shoot["remarks"], json!([expected]));
    assert_ne!(shoot["windows"], json!([]));
}

#[test]
fn a_shoot_that_cannot_be_read_is_a_line_and_the_rest_is_forecast() {
    let forecast = with_a_change("    version: 1.35.1\n", "    version: [1]\n");
    assert_eq!(forecast["summary"]["shoots"], 6);
    let missing = &forecast["notForecast"][1];
    assert_eq!(missing["name"], "web");
    let why = missing["why"].as_str().unwrap();
    assert!(why.contains("shoots.yaml"), "{why}");
}
