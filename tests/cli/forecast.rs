//! Tests of `garden-gate forecast` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use crate::outlook;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};
use garden_gate_products::report::{Look, forecast_text};
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
    assert_eq!((code, err.as_str()), (Some(2), ""), "{out}");
    insta::assert_snapshot!(format, out);
}

#[test]
fn shoot_without_forecast_is_named_if_all_output_is_in_files() {
    let folder = folder(&[]);
    let file = folder.path().join("page.html");
    let (code, out, err) = forecast(&["--format", &format!("html={}", file.display())]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.starts_with("error: no forecast for "), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn colours_come_on_demand_and_say_nothing_else() {
    let (_, plain, _) = forecast(&[]);
    let (_, painted, _) = forecast(&["--color", "always"]);
    assert!(painted.contains("\x1b[31mforced, blocked\x1b[0m"), "{painted}");
    let mut stripped = painted;
    for code in ["0", "1", "31", "33"] {
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
#[case::not_forecast(&["data/archive"], 2)]
#[case::no_shoot(&["--owner", "carl@example.com"], 3)]
fn exit_codes(#[case] arguments: &[&str], #[case] expected: i32) {
    let (code, out, err) = forecast(arguments);
    assert_eq!((code, err.as_str()), (Some(expected), ""), "{out}");
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
    let text = forecast_text(&outlook::outlook(1), look);
    for line in text.lines() {
        // A longer word is on a line by itself.
        let words = line.split_whitespace();
        let longest = words.map(|it| it.chars().count()).max().unwrap_or_default();
        let is_narrow = line.chars().count() <= width;
        assert!(is_narrow || longest + 10 > width, "{line}");
    }
    insta::assert_snapshot!(format!("text-{width}"), text);
}

#[test]
fn the_ladder_of_a_profile_has_its_stages_gaps_and_dead_ends() {
    let (code, out, err) = forecast(&["--profile", "nimbus"]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    insta::assert_snapshot!("ladder", out);
    let (_, out, _) = forecast(&["--profile", "nimbus", "--format", "markdown"]);
    insta::assert_snapshot!("ladder-markdown", out);
    let ladder = json_of(&["--profile", "nimbus"]);
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
    forecast(&[&["--with", &file], arguments].concat())
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
    let arguments = ["--with", &path("new.yaml"), "garden-data/lake"];
    let (code, out, err) = in_garden(&path("garden"), &arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("control plane: forced earlier\n"), "{out}");
}

#[rstest]
#[case::no_profile(&["--with", "examples/forecast/projects.yaml"], "error: `examples/forecast/projects.yaml` has no CloudProfile or NamespacedCloudProfile, which --with requires\n")]
#[case::no_file(&["--with", "missing.yaml"], "error: missing.yaml: there is no such file\n")]
#[case::no_such_profile(&["--profile", "cumulus"], "error: CloudProfile cumulus does not exist\n")]
#[case::no_page(&["--profile", "nimbus", "--format", "html"], "error: --with and --profile support only the formats `text`, `json` and `markdown`\n")]
fn what_cannot_be_tried_is_an_error(#[case] arguments: &[&str], #[case] expected: &str) {
    let (code, out, err) = forecast(arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.starts_with(expected), "{err}");
}
