// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate forecast` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use crate::outlook;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};
use garden_gate_products::report::{
    ForecastReport, Look, forecast_html, forecast_markdown, forecast_text,
};
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

const AT: [&str; 2] = ["--at", "2026-12-01T00:00:00Z"];

/// Runs the command with these arguments in the example garden.
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
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    insta::assert_snapshot!(format, out);
}

#[test]
fn shoot_without_forecast_is_named_if_all_output_is_in_files() {
    let folder = folder(&[]);
    let file = folder.path().join("page.html");
    let (code, out, err) = forecast(&["--format", &format!("html={}", file.display())]);
    assert_eq!((code, out.as_str()), (Some(0), ""));
    assert!(err.starts_with("warning: no forecast for "), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn colours_come_on_demand_and_say_nothing_else() {
    let (_, plain, _) = forecast(&[]);
    let (_, painted, _) = forecast(&["--color", "always"]);
    assert!(painted.contains("\x1b[31mforced, blocked\x1b[0m"), "{painted}");
    let mut stripped = painted;
    for code in ["0", "1", "31"] {
        stripped = stripped.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(stripped, plain);
}

/// Returns the Shoots of a forecast.
fn names(forecast: &Value) -> Vec<String> {
    let shoots = forecast["shoots"].as_array().unwrap().iter();
    let missing = forecast["notForecast"].as_array().unwrap().iter();
    let name = |it: &Value| {
        format!("{}/{}", it["project"].as_str().unwrap(), it["name"].as_str().unwrap())
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
#[case::not_forecast(&["data/archive"], 1)]
#[case::no_shoot(&["--owner", "carl@example.com"], 3)]
#[case::ladder(&["--cloud-profile", "nimbus"], 1)]
fn exit_codes(#[case] arguments: &[&str], #[case] expected: i32) {
    let (code, out, err) = forecast(&[arguments, &["--fail-on", "act"]].concat());
    assert_eq!((code, err.as_str()), (Some(expected), ""), "{out}");
    for fail_on in [&[][..], &["--fail-on", "never"]] {
        let (code, same, _) = forecast(&[arguments, fail_on].concat());
        let expected = if expected == 3 { 3 } else { 0 };
        assert_eq!((code, same), (Some(expected), out.clone()), "{fail_on:?}");
    }
}

/// The file may contain Shoots, so it is neither ignored nor a failure of the program.
#[test]
fn unreadable_file_needs_a_person() {
    let broken = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: [}\n";
    let folder = folder(&[("shoots/broken.yaml", broken)]);
    for file in ["cloudprofile.yaml", "projects.yaml", "shoots.yaml"] {
        let text = fs::read_to_string(format!("examples/forecast/{file}")).unwrap();
        write(folder.path(), file, &text);
    }
    let garden = folder.path().display().to_string();
    for (arguments, expected) in [
        (&["shop/web"][..], 0),
        (&["shop/web", "--fail-on", "act"], 1),
        (&["--owner", "carl@example.com"], 4),
    ] {
        let (code, out, err) = in_garden(&garden, arguments);
        assert_eq!(code, Some(expected), "{out}{err}");
        assert!(err.contains("broken.yaml"), "{err}");
    }
}

#[rstest]
#[case::no_such_shoot(&["wbe"], "error: Shoot `wbe` not found in the garden, or excluded by the other options\n")]
#[case::two_on_standard_output(
    &["--format", "json", "--format", "text"],
    "error: only one format can go to standard output; write the others to files, as in `--format json=FILE`\n"
)]
#[case::no_format(
    &["--format", "xml"],
    "error: invalid value 'xml' for '--format <FORMAT[=FILE]>': unsupported format `xml`; supported are text, json, markdown, html, ics (try `--help`)\n"
)]
#[case::no_length(
    &["--for", "soon"],
    "error: invalid value 'soon' for '--for <TIME>': `soon` is not a valid duration; write it like `90d`, `12w` or `36h` (try `--help`)\n"
)]
fn what_cannot_be_done_is_an_error(#[case] arguments: &[&str], #[case] expected: &str) {
    let (code, out, err) = forecast(arguments);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(2), "", expected));
}

#[test]
fn without_a_garden_there_is_nothing_to_look_at() {
    let (code, _, err) = printed(garden_gate(&["forecast", "--no-config"]).output().unwrap());
    assert_eq!(code, Some(2));
    assert_eq!(err, "error: no garden is set; use --garden DIR or --live\n");
}

#[test]
fn a_century_is_cut_and_forecast() {
    let (code, out, err) = forecast(&["shop/web", "--for", "100y"]);
    assert_eq!(code, Some(0));
    assert_eq!(err, "warning: --for is more than ten years; the forecast ends after ten\n");
    assert!(
        out.starts_with("1 Shoot, 3650 days from 2026-12-01T00:00:00Z, judged as Gardener 1.150 (newest\n  known)\n"),
        "{out}"
    );
}

#[test]
fn formats_go_to_files_and_standard_output() {
    let folder = folder(&[]);
    let file = folder.path().join("forecast.json");
    let output = format!("json={}", file.display());
    let (_, out, _) = forecast(&["--format", &output, "--format", "markdown", "shop/web"]);
    assert!(out.starts_with("### garden-gate forecast: "), "{out}");
    let written: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(names(&written), ["shop/web"]);
}

/// Returns the output for the example garden with some strings replaced.
fn with_changes(changes: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = folder(&[]);
    for file in ["cloudprofile.yaml", "projects.yaml", "shoots.yaml"] {
        let mut text = fs::read_to_string(format!("examples/forecast/{file}")).unwrap();
        for (from, to) in changes {
            text = text.replace(from, to);
        }
        write(folder.path(), file, &text);
    }
    let garden = folder.path().display().to_string();
    in_garden(&garden, arguments).1
}

fn with_a_change(from: &str, to: &str) -> Value {
    let out = with_changes(&[(from, to)], &["--format", "json"]);
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

/// Returns the entries of a calendar: the properties of each, by name.
fn entries(calendar: &str) -> Vec<BTreeMap<String, String>> {
    let mut calendars = ical::IcalParser::new(calendar.as_bytes());
    let calendar = calendars.next().unwrap().unwrap();
    assert!(calendars.next().is_none());
    let entry = |entry: ical::parser::ical::component::IcalEvent| {
        let properties = entry.properties.into_iter();
        properties.map(|it| (it.name, it.value.unwrap_or_default())).collect()
    };
    calendar.events.into_iter().map(entry).collect()
}

fn instant(entry: &BTreeMap<String, String>, name: &str) -> Timestamp {
    let time = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", &entry[name]);
    time.unwrap().to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp()
}

#[test]
fn a_calendar_has_the_windows_of_the_json() {
    let (_, calendar, _) = forecast(&["--format", "ics"]);
    assert!(calendar.lines().all(|line| line.len() <= 75), "{calendar}");
    let entries = entries(&calendar);
    let forecast = json_of(&[]);
    let shoots = forecast["shoots"].as_array().unwrap();
    let windows: Vec<&Value> =
        shoots.iter().flat_map(|shoot| shoot["windows"].as_array().unwrap()).collect();
    assert_eq!(entries.len(), windows.len());
    for (entry, window) in entries.iter().zip(windows) {
        let begin: Timestamp = window["begin"].as_str().unwrap().parse().unwrap();
        let latest: Timestamp = window["latest"].as_str().unwrap().parse().unwrap();
        assert_eq!(instant(entry, "DTSTART"), begin);
        assert_eq!(instant(entry, "DTEND"), latest);
        let cause = window["events"][0]["cause"].as_str().unwrap();
        let description = entry["DESCRIPTION"].replace("\\,", ",").replace("\\;", ";");
        assert!(description.contains(cause), "{description}");
    }
}

#[test]
fn entries_keep_their_identifiers() {
    let uids = |arguments: &[&str]| -> BTreeSet<String> {
        let entries = entries(&calendar("examples/forecast", arguments));
        let uids: BTreeSet<String> = entries.iter().map(|it| it["UID"].clone()).collect();
        assert_eq!(uids.len(), entries.len(), "two entries have the same identifier");
        uids
    };
    let first = uids(&["--at", "2026-12-01T00:00:00Z", "--for", "90d", "--project", "shop"]);
    // A week later, during a window, some entries are gone, and the others are unchanged.
    let later = uids(&["--at", "2026-12-11T02:20:00Z", "--for", "60d", "--project", "shop"]);
    assert!(later.len() > 5 && later.is_subset(&first), "{later:?}\n{first:?}");
}

/// Returns the calendar of a garden that begins as the arguments define.
fn calendar(garden: &str, arguments: &[&str]) -> String {
    let mut command = garden_gate(&["forecast", "--no-config", "--garden", garden]);
    command.args(["--format", "ics"]).args(arguments);
    printed(command.output().unwrap()).1
}

/// Refused or impossible updates are retried in every window; a calendar contains the next one.
#[test]
fn what_fails_in_every_window_is_moved_and_stays_the_same_entry() {
    let shoots = ["data/legacy", "data/etl"];
    let at = |time| {
        let arguments = [&["--at", time, "--for", "90d"], &shoots[..]].concat();
        let calendar = calendar("examples/forecast", &arguments);
        let entries =
            entries(&calendar).into_iter().map(|it| (it["UID"].clone(), it["DTSTART"].clone()));
        entries.collect::<BTreeMap<_, _>>()
    };
    let entries = |begins: [&str; 2]| {
        let names = [
            "control-plane-1.30.14--no-update-possible-legacy.garden-data@forecast.garden-gate.dev",
            "control-plane-1.33.9-1.34.4-forced-etl.garden-data@forecast.garden-gate.dev",
        ];
        let entries = names.into_iter().zip(begins);
        entries.map(|(name, begin)| (name.to_owned(), begin.to_owned())).collect()
    };
    let expected: BTreeMap<_, _> = entries(["20261206T020000Z", "20270116T020000Z"]);
    assert_eq!(at("2026-12-01T00:00:00Z"), expected);
    let expected: BTreeMap<_, _> = entries(["20270120T020000Z", "20270120T020000Z"]);
    assert_eq!(at("2027-01-20T00:00:00Z"), expected);
}

#[test]
fn immediate_operation_stays_the_same_entry() {
    let shoots = fs::read_to_string("examples/forecast/shoots.yaml").unwrap();
    let asks = "  name: web\n  annotations: {gardener.cloud/operation: maintain}\n";
    let folder = folder(&[
        ("shoots.yaml", &shoots.replace("  name: web\n", asks)),
        ("cloudprofile.yaml", &fs::read_to_string("examples/forecast/cloudprofile.yaml").unwrap()),
    ]);
    let garden = folder.path().display().to_string();
    for time in ["2026-12-15T10:00:00Z", "2026-12-15T10:01:00Z"] {
        let calendar = calendar(&garden, &["--at", time, "garden-shop/web"]);
        let first = &entries(&calendar)[0];
        assert_eq!(instant(first, "DTSTART"), time.parse().unwrap());
        assert_eq!(
            first["UID"],
            "control-plane-1.35.1-1.35.3-regular-web.garden-shop@forecast.garden-gate.dev"
        );
    }
}

/// Windows have a fixed offset from UTC, so local time moves by an hour.
#[test]
fn times_are_right_on_both_sides_of_the_end_of_summer_time() {
    let forecast = with_changes(
        &[
            ("\"2026-12-10T12:00:00Z\"", "\"2027-03-26T12:00:00Z\""),
            ("\"2027-01-15T12:00:00Z\"", "\"2027-03-28T12:00:00Z\""),
        ],
        &["--format", "ics", "data/lake", "--for", "150d"],
    );
    let berlin = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
    let local = |entry: &BTreeMap<String, String>| {
        let begin = instant(entry, "DTSTART").to_zoned(berlin.clone());
        begin.strftime("%F %R").to_string()
    };
    let local: Vec<String> = entries(&forecast).iter().map(local).collect();
    assert_eq!(local, ["2027-03-27 03:00", "2027-03-29 04:00"]);
}

#[rstest]
#[case(60)]
#[case(100)]
#[case(200)]
fn text_is_as_wide_as_its_reader_has_room(#[case] width: usize) {
    let look = Look { width, ..Look::default() };
    let outlook = outlook::outlook(1);
    let text = forecast_text(ForecastReport::of(&outlook), look);
    for line in text.lines() {
        // A longer word is on a line by itself.
        let words = line.split_whitespace();
        let longest = words.map(|it| it.chars().count()).max().unwrap_or_default();
        let is_narrow = line.chars().count() <= width;
        assert!(is_narrow || longest + 10 > width, "{line}");
    }
    insta::assert_snapshot!(format!("text-{width}"), text);
}

#[rstest]
#[case(100)]
#[case(5_003)]
fn equal_updates_of_many_shoots_are_grouped(#[case] shoots: usize) {
    let outlook = outlook::landscape(shoots);
    let report = ForecastReport::of(&outlook);
    let text = forecast_text(report, Look::default());
    assert!(text.lines().count() <= 60, "{text}");
    insta::assert_snapshot!(format!("text-of-{shoots}"), text);
    let markdown = forecast_markdown(report);
    assert!(markdown.len() < 8_000, "{markdown}");
    insta::assert_snapshot!(format!("markdown-of-{shoots}"), markdown);
}

#[test]
fn one_shoot_is_listed_in_full() {
    let (_, out, _) = forecast(&["data/etl"]);
    assert!(out.lines().count() <= 30, "{out}");
    insta::assert_snapshot!("text-of-1", out);
}

/// Projects of the same landscape differ in everything but their updates.
#[test]
fn output_for_different_updates_is_bounded() {
    let mut outlook = outlook::outlook(700);
    for (number, shoot) in outlook.shoots.iter_mut().enumerate() {
        for event in shoot.forecast.windows.iter_mut().flat_map(|it| &mut it.events) {
            event.from = format!("1.{number}.0");
            event.cause = format!("`1.{number}.0` expires");
        }
        shoot.forecast.remarks.push(format!("remark {number}"));
        for standing in &mut shoot.forecast.standings {
            standing.version = format!("1.{number}.0");
        }
    }
    let report = ForecastReport::of(&outlook);
    let text = forecast_text(report, Look::default());
    assert!(text.lines().count() <= 150, "{text}");
    assert!(forecast_markdown(report).len() < 65_536);
    let page = forecast_html(report);
    assert!(page.len() < 1 << 20, "{}", page.len());
}

#[test]
fn details_list_every_event_of_every_shoot() {
    let outlook = outlook::landscape(100);
    let report = ForecastReport { is_detailed: true, ..ForecastReport::of(&outlook) };
    let text = forecast_text(report, Look::default());
    for number in 0..97 {
        let shoot = format!("p{number}/web-{number} ");
        assert_eq!(text.matches(&shoot).count(), 2, "{shoot}");
    }
    let arguments = [&["--details"][..], &["--verbose"], &["-v"]];
    let outputs = arguments.map(|it| forecast(it).1);
    assert!(outputs.iter().all(|it| *it == outputs[0]), "{outputs:?}");
}

#[test]
fn page_of_five_thousand_equal_updates_is_small_and_names_every_shoot() {
    let outlook = outlook::landscape(5_003);
    let page = forecast_html(ForecastReport::of(&outlook));
    assert!(page.len() < 1 << 20, "{}", page.len());
    for number in 0..5_000 {
        assert!(page.contains(&format!("web-{number} (")), "{number}");
    }
    let report = ForecastReport { is_detailed: true, ..ForecastReport::of(&outlook) };
    assert!(forecast_html(report).contains("id=\"e10000\""));
}

#[test]
fn no_advice_switches_protection_off() {
    let (_, json, _) = forecast(&["--format", "json"]);
    let (_, text, _) = forecast(&["--details"]);
    for output in [json, text] {
        for word in ["autoUpdate.", "rotationPeriod", "take the annotation off"] {
            assert!(!output.contains(word), "{word}: {output}");
        }
    }
}

/// Returns the forecast since an earlier one, as JSON, with the exit code of `--fail-on act`.
fn changed_since(earlier: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let flags = ["--changed-since", earlier, "--format", "json", "--fail-on", "act"];
    let (code, out, err) = forecast(&[&flags, arguments].concat());
    (code, serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}")))
}

#[test]
fn nothing_is_new_since_the_same_forecast_or_because_days_passed() {
    let folder = folder(&[]);
    let file = folder.path().join("earlier.json").display().to_string();
    forecast(&["--format", &format!("json={file}"), "--for", "120d"]);
    let count = |changed: &Value, field: &str| changed["changedSince"][field].as_u64().unwrap();
    let (code, changed) = changed_since(&file, &["--for", "120d"]);
    assert_eq!(code, Some(0));
    assert_eq!((count(&changed, "new"), count(&changed, "gone")), (0, 0), "{changed}");
    assert_eq!(count(&changed, "shoots"), 8);
    assert_eq!(count(&changed, "known"), 18);
    assert_eq!([&changed["shoots"], &changed["notForecast"]], [&json!([]); 2]);
    // The update of data/legacy is retried at another time, and rotations have other dates.
    let later = ["--at", "2026-12-09T00:00:00Z", "--for", "100d", "--format", "json"];
    let mut command = garden_gate(&["forecast", "--no-config", "--garden", "examples/forecast"]);
    let output = command.args(["--changed-since", &file]).args(later).output().unwrap();
    let changed: Value = serde_json::from_str(&printed(output).1).unwrap();
    assert_eq!(count(&changed, "new"), 0, "{changed}");
    let (_, text, _) = forecast(&["--changed-since", &file, "--for", "120d"]);
    let changed = format!("changed since `{file}`: 0 new, 0 gone, 18 known");
    assert!(text.replace('\n', " ").contains(&changed), "{text}");
    assert!(text.contains("\nYou must act (0)\n"), "{text}");
}

#[test]
fn new_and_gone_events_are_reported() {
    let folder = folder(&[]);
    let file = folder.path().join("earlier.json").display().to_string();
    let (_, earlier, _) = forecast(&["--format", "json"]);
    let mut earlier: Value = serde_json::from_str(&earlier).unwrap();
    let shoots = earlier["shoots"].as_array_mut().unwrap();
    // Its update was not blocked, and has been blocked since.
    let etl = shoots.iter_mut().find(|it| it["name"] == "etl").unwrap();
    etl["windows"][0].as_object_mut().unwrap().remove("blockedBy");
    // It had another update, and no remark.
    let web = shoots.iter_mut().find(|it| it["name"] == "web").unwrap();
    web["windows"][0]["events"][0]["to"] = json!("1.35.2");
    earlier["notForecast"] = json!([]);
    fs::write(&file, earlier.to_string()).unwrap();
    let (code, changed) = changed_since(&file, &[]);
    assert_eq!(code, Some(1));
    let names: Vec<&Value> =
        changed["shoots"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["etl", "web"]);
    assert_eq!(changed["notForecast"][0]["name"], "archive");
    let since = &changed["changedSince"];
    assert_eq!([&since["new"], &since["gone"]], [&json!(3), &json!(2)], "{since}");
    assert_eq!(changed["summary"]["mustAct"], 2);
    // Events of other Shoots are not gone.
    let (code, changed) = changed_since(&file, &["shop/web"]);
    assert_eq!(code, Some(0));
    let since = &changed["changedSince"];
    assert_eq!([&since["new"], &since["gone"]], [&json!(1), &json!(1)], "{since}");
    for format in ["text", "markdown", "html"] {
        let (_, out, err) = forecast(&["--changed-since", &file, "--format", format]);
        assert!(err.is_empty(), "{err}");
        assert!(out.contains("3 new, 2 gone, "), "{format}: {out}");
        assert!(out.contains("etl") && !out.contains("legacy"), "{format}: {out}");
    }
}

/// A Shoot that has no forecast any more may still have its events.
#[test]
fn events_of_a_shoot_without_forecast_are_not_gone() {
    let folder = folder(&[]);
    let file = folder.path().join("earlier.json").display().to_string();
    let (_, earlier, _) = forecast(&["--format", "json"]);
    let mut earlier: Value = serde_json::from_str(&earlier).unwrap();
    let mut web = earlier["shoots"].as_array().unwrap().last().unwrap().clone();
    for field in ["project", "owner", "namespace", "name"] {
        web[field] = earlier["notForecast"][0][field].clone();
    }
    earlier["notForecast"] = json!([]);
    earlier["shoots"].as_array_mut().unwrap().push(web);
    fs::write(&file, earlier.to_string()).unwrap();
    let (_, changed) = changed_since(&file, &[]);
    let since = &changed["changedSince"];
    assert_eq!([&since["new"], &since["gone"]], [&json!(1), &json!(0)], "{since}");
}

#[rstest]
#[case::empty("", "EOF while parsing a value at line 1 column 0")]
#[case::other("{}", "missing field `shoots` at line 1 column 2")]
#[case::list(
    "{\n  \"shoots\": 1}",
    "invalid type: integer `1`, expected a sequence at line 2 column 13"
)]
#[case::event(
    "{\"shoots\": [{\"project\": \"\", \"owner\": \"\", \"namespace\": \"\", \"name\": \"\", \"remarks\": [],\n\"windows\": [{\"events\": [{}]}]}]}",
    "missing field `part` at line 2 column 26"
)]
#[case::surrogate("{\"shoots\": [\"\\ud800\"]}", "at line 1 column")]
fn broken_earlier_forecast_is_an_error_with_its_line(#[case] text: &str, #[case] expected: &str) {
    let folder = folder(&[("earlier.json", text)]);
    let file = folder.path().join("earlier.json").display().to_string();
    let (code, out, err) = forecast(&["--changed-since", &file]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.starts_with(&format!("error: `{file}` is not a report of a forecast; ")), "{err}");
    assert!(err.contains(expected), "{err}");
}

#[test]
fn deeply_nested_earlier_forecast_is_an_error() {
    let text = format!("{{\"shoots\": [], \"notForecast\": [], \"x\": {}", "[".repeat(1_000_000));
    let folder = folder(&[("earlier.json", &text)]);
    let file = folder.path().join("earlier.json").display().to_string();
    let (code, _, err) = forecast(&["--changed-since", &file]);
    assert_eq!(code, Some(2));
    assert!(err.contains("EOF while parsing a list at line 1"), "{err}");
}

#[test]
fn report_of_a_comparison_is_no_earlier_forecast() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (first, second) = (path("first.json"), path("second.json"));
    forecast(&["--format", &format!("json={first}")]);
    forecast(&["--changed-since", &first, "--format", &format!("json={second}")]);
    let (code, _, err) = forecast(&["--changed-since", &second]);
    assert_eq!(code, Some(2));
    assert!(err.contains("was written with --changed-since and lacks known events"), "{err}");
    let (code, _, err) =
        forecast(&["--changed-since", &first, "--format", &format!("json={first}")]);
    assert_eq!(code, Some(2));
    assert!(err.contains("is an input of this command and is not overwritten"), "{err}");
}

#[test]
fn old_name_of_the_profile_is_accepted_with_a_note() {
    let (code, out, err) = forecast(&["--profile", "nimbus"]);
    assert_eq!(code, Some(0));
    assert_eq!(err, "note: --profile is now --cloud-profile, and will be removed\n");
    assert_eq!(out, forecast(&["--cloud-profile", "nimbus"]).1);
}

#[test]
fn the_ladder_of_a_profile_has_its_stages_gaps_and_dead_ends() {
    let (code, out, err) = forecast(&["--cloud-profile", "nimbus"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    insta::assert_snapshot!("ladder", out);
    let (_, out, _) = forecast(&["--cloud-profile", "nimbus", "--format", "markdown"]);
    insta::assert_snapshot!("ladder-markdown", out);
    let ladder = json_of(&["--cloud-profile", "nimbus"]);
    let lanes = ladder["kubernetes"].as_array().unwrap();
    let lane = |name: &str| lanes.iter().find(|it| it["name"] == name).unwrap();
    assert_eq!(lane("1.31")["versions"], json!([]));
    let dead_end = &lane("1.30")["versions"][0];
    assert_eq!(dead_end["deadEndFrom"], "2026-12-05T12:00:00Z");
    assert_eq!(dead_end["shoots"], 1);
    let stages = json!([
        {"from": "2026-12-01T00:00:00Z", "classification": "deprecated"},
        {"from": "2027-01-15T12:00:00Z", "classification": "expired"},
    ]);
    assert_eq!(lane("1.33")["versions"][0]["stages"], stages);
}

/// Returns the forecast for a changed CloudProfile: the current one, with some strings replaced.
fn what_if(changes: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut text = fs::read_to_string("examples/forecast/cloudprofile.yaml").unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let folder = folder(&[("cloudprofile.yaml", &text)]);
    let file = folder.path().join("cloudprofile.yaml").display().to_string();
    forecast(&[&["--with", &file, "--fail-on", "act"], arguments].concat())
}

const SOONER: (&str, &str) = ("2027-01-15T12:00:00Z", "2026-12-20T12:00:00Z");
const WITHOUT_1_34: [(&str, &str); 2] = [
    ("version: 1.34.4, classification: supported", "version: 1.34.4, classification: preview"),
    (
        "1.34.3, classification: deprecated, expirationDate: \"2026-12-20T12:00:00Z\"",
        "1.34.3, classification: preview",
    ),
];

#[test]
fn only_changes_are_reported_by_project_and_owner() {
    let (code, out, err) = what_if(&[SOONER], &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    insta::assert_snapshot!("with", out);
    let (_, out, _) = what_if(&[SOONER], &["--format", "markdown"]);
    insta::assert_snapshot!("with-markdown", out);
    let (_, out, _) = what_if(&[SOONER], &["--format", "json"]);
    let changes: Value = serde_json::from_str(&out).unwrap();
    let changes = changes["changes"].as_array().unwrap().clone();
    assert_eq!(changes.len(), 4);
    assert!(changes.iter().all(|it| it["change"] == "forced earlier"));
    assert_eq!(changes[0]["before"]["earliest"], "2027-01-16T02:00:00Z");
    assert_eq!(changes[0]["after"]["earliest"], "2026-12-21T02:00:00Z");
}

#[test]
fn who_has_nothing_to_go_to_any_more_is_stranded() {
    let (code, out, _) = what_if(&WITHOUT_1_34, &["data/lake", "shop/staging"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("  data/lake  control plane: stranded\n"), "{out}");
    assert!(out.contains("  shop/staging  control plane: stranded\n"), "{out}");
    let words: Vec<&str> = out.split_whitespace().collect();
    assert!(words.join(" ").contains("nothing but previews of 1.34"), "{out}");
}

#[test]
fn extended_and_freed_shoots_are_reported() {
    let later = ("2027-01-15T12:00:00Z", "2027-02-15T12:00:00Z");
    let (code, out, _) = what_if(&[later], &["data/lake"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("  data/lake  control plane: forced later\n"), "{out}");
    let filled = (
        "1.32.10, classification: deprecated, expirationDate: \"2026-12-10T12:00:00Z\"",
        "1.31.14",
    );
    let (code, out, _) = what_if(&[filled], &["data/legacy"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("  data/legacy  control plane: no longer stranded\n"), "{out}");
}

#[test]
fn without_a_change_nothing_is_reported() {
    let (code, out, _) = what_if(&[], &["data/lake"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        out,
        "nothing changes, of 1 Shoot, 90 days from 2026-12-01T00:00:00Z, judged as\n  Gardener 1.150 (newest known)\n"
    );
}

/// The merged status comes from the old CloudProfile.
#[test]
fn a_namespaced_profile_is_merged_with_what_its_parent_would_be() {
    let (profile, shoots) =
        ("examples/forecast/cloudprofile.yaml", "examples/forecast/shoots.yaml");
    let [profile, shoots] = [profile, shoots].map(|it| fs::read_to_string(it).unwrap());
    let spec = profile
        .split_once("spec:\n")
        .unwrap()
        .1
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect::<String>();
    let own = format!(
        "apiVersion: core.gardener.cloud/v1beta1\nkind: NamespacedCloudProfile\nmetadata: {{name: own, namespace: garden-data}}\n\
         spec:\n  parent: {{kind: CloudProfile, name: nimbus}}\nstatus:\n  cloudProfileSpec:\n{spec}"
    );
    let follows = "{kind: NamespacedCloudProfile, name: own}";
    let shoots = shoots.replace("{kind: CloudProfile, name: nimbus}", follows);
    let garden = folder(&[
        ("garden/cloudprofile.yaml", &profile),
        ("garden/own.yaml", &own),
        ("garden/shoots.yaml", &shoots),
        ("new.yaml", &profile.replace(SOONER.0, SOONER.1)),
    ]);
    let path = |name: &str| garden.path().join(name).display().to_string();
    let arguments = ["--with", &path("new.yaml"), "--fail-on", "act", "garden-data/lake"];
    let (code, out, err) = in_garden(&path("garden"), &arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("control plane: forced earlier\n"), "{out}");
}

#[rstest]
#[case::no_profile(&["--with", "examples/forecast/projects.yaml"], "error: `examples/forecast/projects.yaml` has no CloudProfile or NamespacedCloudProfile, which --with requires\n")]
#[case::no_file(&["--with", "missing.yaml"], "error: missing.yaml: there is no such file\n")]
#[case::no_such_profile(&["--cloud-profile", "cumulus"], "error: CloudProfile cumulus does not exist\n")]
#[case::no_calendar(&["--changed-since", "missing.json", "--format", "ics"], "error: --changed-since does not support the format `ics`, since a calendar has all events\n")]
#[case::no_earlier_forecast(&["--changed-since", "missing.json"], "error: cannot read the earlier forecast `missing.json`: ")]
#[case::no_page(&["--cloud-profile", "nimbus", "--format", "html"], "error: --with and --cloud-profile support only the formats `text`, `json` and `markdown`\n")]
fn what_cannot_be_tried_is_an_error(#[case] arguments: &[&str], #[case] expected: &str) {
    let (code, out, err) = forecast(arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.starts_with(expected), "{err}");
}
