// SPDX-License-Identifier: Apache-2.0
//! Every format of `garden-gate review`, from the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;
use std::io;
use std::process::Stdio;

use crate::command::{garden_gate, printed};
use crate::folder::folder;
use flate2::read::GzDecoder;
use garden_gate_products::report;
use garden_gate_products::report::Writer as _;
use garden_gate_text::yaml;
use garden_gate_text::yaml::Position;
use jsonschema::Validator;
use rstest::rstest;
use serde_json::Value;

const FILES: [&str; 4] = [
    "examples/manifests/shoot-denied.yaml",
    "examples/reviews/cloudprofile-version-removed-denied.json",
    "tests/formats/odd.yaml",
    "tests/formats/broken.yaml",
];

fn review(arguments: &[&str], environment: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["review", "--garden", "examples/garden"]);
    command.args(arguments).envs(environment.iter().copied());
    printed(command.output().unwrap())
}

fn written(format: &str) -> String {
    let (code, out, err) = review(&[&["--format", format], FILES.as_slice()].concat(), &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    out
}

#[rstest]
#[case("text")]
#[case("json")]
#[case("sarif")]
#[case("junit")]
#[case("github")]
#[case("markdown")]
#[case("status")]
fn verdicts_are_written_as(#[case] format: &str) {
    insta::with_settings!({filters => vec![("\"(text|markdown)\": \"## .*\"", "\"$1\": \"(the page)\"")]}, {
        insta::assert_snapshot!(format, written(format));
    });
}

fn sarif_validator() -> Validator {
    let schema = fs::File::open("tests/sarif/sarif-schema-2.1.0.json.gz").unwrap();
    let mut schema: Value = serde_json::from_reader(GzDecoder::new(schema)).unwrap();
    // The regular expression of the schema has an extra bracket, which strict parsers reject.
    for of in ["run", "toolComponent"] {
        let language = format!("/definitions/{of}/properties/language/pattern");
        *schema.pointer_mut(&language).unwrap() = "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$".into();
    }
    jsonschema::validator_for(&schema).unwrap()
}

fn wrong_in(sarif: &Value) -> Vec<String> {
    let errors = sarif_validator();
    let errors = errors.iter_errors(sarif);
    errors.map(|it| it.to_string()).collect()
}

#[test]
fn sarif_follows_its_schema() {
    let sarif: Value = serde_json::from_str(&written("sarif")).unwrap();
    assert_eq!(wrong_in(&sarif), [""; 0]);
    let mut broken = sarif;
    broken["runs"][0]["results"][0]["level"] = "deny".into();
    assert_ne!(wrong_in(&broken), [""; 0]);
}

/// Returns a silenced rename of a worker pool, with a reason that tries to inject markup.
fn silenced(format: &str) -> String {
    let old = fs::read_to_string("examples/manifests/shoot-allowed.yaml").unwrap();
    let silence = "name: gateway\n  annotations:\n    ignore.garden-gate.dev/shoot.worker-pools-renamed: \"a | <b>\\n::error::`c` until 2027-01-31\"";
    let new = old.replace("name: pool-a", "name: pool-b").replace("name: gateway", silence);
    let folder = folder(&[("old/shoot.yaml", &old), ("new/shoot.yaml", &new)]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let at = "2027-01-31T23:00:00Z";
    let (code, out, err) = review(
        &["--verbose", "--at", at, "--format", format, "--old", &path("old"), &path("new")],
        &[],
    );
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    out.replace(&path(""), "")
}

#[test]
fn silenced_findings_take_one_line_in_text() {
    let text = silenced("text");
    let line = "silenced: shoot/worker-pools-renamed (a | <b> ::error::`c`, until 2027-01-31)\n";
    assert!(text.contains(line) && !text.contains("warn["), "{text}");
    let markdown = silenced("markdown");
    let line =
        "- silenced: shoot/worker-pools-renamed (a \\| &lt;b&gt; ::error::`c`, until 2027-01-31)\n";
    assert!(markdown.contains(line), "{markdown}");
    assert!(markdown.contains("; 0 warnings, 1 silenced in 1 object of 1 file\n"), "{markdown}");
    assert_eq!(silenced("github"), "");
}

#[test]
fn json_contains_silenced_findings_with_reasons() {
    let json: Value = serde_json::from_str(&silenced("json")).unwrap();
    let message = "this change removes pool `pool-a` (up to 3 machines, drained and deleted) and adds `pool-b`; looks like a rename";
    let expected = serde_json::json!([{
        "id": "shoot/worker-pools-renamed",
        "reason": "a | <b> ::error::`c`",
        "until": "2027-01-31",
        "messages": [message],
    }]);
    assert_eq!(json["reviews"][0]["silenced"], expected);
    let sarif: Value = serde_json::from_str(&silenced("sarif")).unwrap();
    assert_eq!(wrong_in(&sarif), [""; 0]);
    let result = &sarif["runs"][0]["results"][0];
    let expected = serde_json::json!([{
        "kind": "inSource",
        "justification": "a | <b> ::error::`c`, until 2027-01-31",
    }]);
    assert_eq!(result["suppressions"], expected);
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 33, "the new name of the pool: {region}");
}

/// Another parser finds the field of the finding there.
#[test]
fn regions_of_sarif_lead_to_the_field() {
    let sarif: Value = serde_json::from_str(&written("sarif")).unwrap();
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().unwrap();
        let number = |name: &str| usize::try_from(place["region"][name].as_u64().unwrap()).unwrap();
        let text = fs::read_to_string(file.replace("%20", " ")).unwrap();
        let line = text.lines().nth(number("startLine") - 1).unwrap();
        let rest: String = line.chars().skip(number("startColumn") - 1).collect();
        let starts = ["key: ", "\"versions\"", "spec:", "\"<b>", ": [", "\"a|b`c\""];
        assert!(starts.iter().any(|it| rest.starts_with(it)), "{file}: {rest}");
    }
}

#[test]
fn a_fingerprint_stays_where_lines_move() {
    let fingerprint = |text: &str| {
        let folder = folder(&[("shoot.yaml", text)]);
        let mut command = garden_gate(&["review", "--format", "sarif", "shoot.yaml", "--garden"]);
        let garden = fs::canonicalize("examples/garden").unwrap();
        command.current_dir(&folder).arg(garden);
        let (_, out, _) = printed(command.output().unwrap());
        let sarif: Value = serde_json::from_str(&out).unwrap();
        let results = sarif["runs"][0]["results"].clone();
        assert_eq!(results.as_array().unwrap().len(), 1, "{results}");
        let line = results[0]["locations"][0]["physicalLocation"]["region"]["startLine"].clone();
        (results[0]["partialFingerprints"].clone(), line)
    };
    let shoot = fs::read_to_string(FILES[0]).unwrap();
    let (before, line) = fingerprint(&shoot);
    let (after, other_line) = fingerprint(&format!("# moved\n{shoot}"));
    assert_eq!(before, after);
    assert_ne!(line, other_line);
}

#[test]
fn several_formats_go_to_files_and_one_to_standard_output() {
    let folder = folder(&[]);
    let file = |name: &str| folder.path().join(name).display().to_string();
    let sarif = format!("sarif={}", file("out.sarif"));
    let junit = format!("junit={}", file("out.xml"));
    let formats = ["--format", &sarif, "--format", "github", "--format", &junit];
    let (_, out, _) = review(&[&formats, FILES.as_slice()].concat(), &[]);
    assert_eq!(out, written("github"));
    assert_eq!(fs::read_to_string(file("out.sarif")).unwrap(), written("sarif"));
    assert_eq!(fs::read_to_string(file("out.xml")).unwrap(), written("junit"));
}

#[rstest]
#[case(&["--format", "json", "--format", "text"], "only one format can go to standard output; write the others to files, as in `--format json=FILE`")]
#[case(&["--format", "html"], "unsupported format `html`; supported are text, concise, json, sarif, junit, github, markdown, status")]
#[case(&["--format", "sarif="], "`sarif=` has no file; write `sarif=FILE`")]
#[case(&["--format", "text", "--format", "sarif=/no/such/folder/file"], "cannot write `/no/such/folder/file`: there is no directory `/no/such/folder`")]
#[case(&["--format", "json=/tmp/x", "--format", "sarif=/tmp/../tmp/x"], "two formats go to `/tmp/../tmp/x`; name a file for each")]
#[case(&["--write-baseline", "/no/such/folder/file"], "cannot write the baseline `/no/such/folder/file`: there is no directory `/no/such/folder`")]
#[case(&["no-such.yaml", "no/such.yaml"], "error: no-such.yaml: no such file or directory; no/such.yaml: no such file or directory")]
fn a_wrong_format_is_one_line(#[case] arguments: &[&str], #[case] says: &str) {
    let (code, out, err) = review(&[arguments, &[FILES[0]]].concat(), &[]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains(says) && err.lines().count() == 1, "{err}");
}

/// This holds for every name of the file.
#[test]
fn output_to_a_file_that_is_read_is_an_error() {
    let shoot = fs::read_to_string(FILES[0]).unwrap();
    let folder = folder(&[
        ("in/shoot.yaml", &shoot),
        ("in/report.json", "{\"reviews\": []}"),
        ("garden/project.yaml", &shoot),
        ("before/shoot.yaml", &shoot),
        ("gate.yaml", "{}"),
    ]);
    std::os::unix::fs::symlink("shoot.yaml", folder.path().join("in/link")).unwrap();
    fs::hard_link(folder.path().join("in/shoot.yaml"), folder.path().join("hard")).unwrap();
    let review = |arguments: &[&str]| {
        let mut command = garden_gate(&["review"]);
        command.args(arguments).current_dir(folder.path());
        printed(command.output().unwrap())
    };
    let old = ["--old", "before", "--config", "gate.yaml", "in"];
    for file in [
        "in/shoot.yaml",
        "in/link",
        "hard",
        "./in/../in/shoot.yaml",
        "before/shoot.yaml",
        "gate.yaml",
    ] {
        for flag in [["--format", &format!("json={file}")], ["--write-baseline", file]] {
            let (code, out, err) = review(&[&flag, &old[..]].concat());
            let says = format!(
                "error: `{file}` is an input of this command and is not overwritten; name another file\n"
            );
            assert_eq!((code, out.as_str(), err), (Some(2), "", says));
        }
    }
    let (code, _, err) =
        review(&["--garden", "garden", "--format", "json=garden/project.yaml", "in"]);
    assert!(code == Some(2) && err.contains("`garden/project.yaml` is an input"), "{err}");
    crate::folder::write(folder.path(), "in/.gitignore", "shoot.yaml\n");
    let (code, _, err) = review(&["--format", "json=in/shoot.yaml", "in"]);
    assert!(code == Some(2) && err.contains("`in/shoot.yaml` is an input"), "{err}");
    let (_, _, err) = review(&["--format", "json=in/report.json", "in"]);
    assert_eq!(err, "", "a report of an earlier review is no input");
    assert_eq!(fs::read_to_string(folder.path().join("in/shoot.yaml")).unwrap(), shoot);
}

/// Runs the command with a reader that exits before any output.
fn unread(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["review"]);
    command.args(arguments).args(FILES);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    printed(child.wait_with_output().unwrap())
}

/// Under `pipefail`, a refusal fails `garden-gate review | head`.
#[test]
fn exit_code_is_that_of_the_verdict_without_a_reader() {
    for format in ["text", "json", "sarif", "junit"] {
        let mut command = garden_gate(&["review", "--format", format]);
        let (code, _, err) = printed(command.args(FILES).output().unwrap());
        assert_ne!(code, Some(0), "{format}");
        assert_eq!(unread(&["--format", format]), (code, String::new(), err), "{format}");
    }
}

#[test]
fn files_are_written_without_a_reader_of_standard_output() {
    let folder = folder(&[]);
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (json, baseline) = (file("out.json"), file("baseline.json"));
    let to_file = format!("json={json}");
    let formats = ["--format", "text", "--format", &to_file];
    let code = unread(&formats).0;
    assert_eq!(code, unread(&[]).0);
    let written: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(written["reviews"].as_array().unwrap().len(), FILES.len());
    assert_eq!(unread(&["--write-baseline", &baseline]).0, Some(0));
    let written: Value = serde_json::from_str(&fs::read_to_string(&baseline).unwrap()).unwrap();
    assert_ne!(written["findings"].as_array().unwrap().len(), 0);
}

/// One command with output of each kind.
const COMMANDS: [&[&str]; 12] = [
    &["review", "--garden", "examples/garden", FILES[0]],
    &["review", "--format", "json", FILES[0]],
    &["audit", "--garden", "examples/garden", "--at", "2026-06-01T00:00:00Z"],
    &["forecast", "--garden", "examples/garden", "--for", "20000d", "--at", "2026-06-01T00:00:00Z"],
    &["rules"],
    &["rules", "shoot/hibernation"],
    &["config", "schema"],
    &["schema", "Shoot"],
    &["webhooks", "--service", "garden/gate"],
    &["completions", "bash"],
    &["--help"],
    &["--version"],
];

#[cfg(target_os = "linux")]
const CANNOT_WRITE: &str =
    "error: cannot write to standard output: No space left on device (os error 28)\n";

#[cfg(target_os = "linux")]
fn full() -> fs::File {
    fs::File::create("/dev/full").unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_named() {
    for command in COMMANDS {
        let (code, _, err) = printed(garden_gate(command).stdout(full()).output().unwrap());
        let error = err.lines().last().unwrap_or_default();
        assert_eq!((code, error), (Some(2), CANNOT_WRITE.trim_end()), "{command:?}");
    }
    // Its text goes to standard error.
    let (code, out, _) =
        printed(garden_gate(&["review", "--fix", FILES[0]]).stderr(full()).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(2), ""));
}

/// Notes on standard error are for people.
#[cfg(target_os = "linux")]
#[test]
fn standard_error_that_fails_changes_no_result() {
    for command in COMMANDS {
        let ordinary = garden_gate(command).output().unwrap();
        for stderr in [Stdio::from(full()), Stdio::from(unread_pipe())] {
            let output = garden_gate(command).stderr(stderr).output().unwrap();
            assert_eq!(output.status.code(), ordinary.status.code(), "{command:?}");
            assert!(output.stdout == ordinary.stdout, "{command:?}");
        }
    }
}

#[test]
fn unread_standard_output_is_no_error() {
    for command in COMMANDS {
        let ordinary = printed(garden_gate(command).output().unwrap());
        let mut command = garden_gate(command);
        let (code, _, err) = printed(command.stdout(unread_pipe()).output().unwrap());
        assert_eq!((code, err), (ordinary.0, ordinary.2), "{command:?}");
    }
}

/// Returns the end of a pipe whose reader has exited.
fn unread_pipe() -> io::PipeWriter {
    io::pipe().unwrap().1
}

#[test]
#[cfg(target_os = "linux")]
fn a_review_that_fails_leaves_files_as_they_were() {
    let folder = folder(&[("out.json", "as it was"), ("baseline.json", "this, too")]);
    let file = |name: &str| folder.path().join(name);
    let to_file = format!("json={}", file("out.json").display());
    let mut command = garden_gate(&["review", "--format", "text", "--format", &to_file]);
    command.arg("--write-baseline").arg(file("baseline.json"));
    let full = fs::File::create("/dev/full").unwrap();
    let (code, _, err) = printed(command.args(FILES).stdout(full).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(2), CANNOT_WRITE));
    let text = |name: &str| fs::read_to_string(file(name)).unwrap();
    assert_eq!([text("out.json"), text("baseline.json")], ["as it was", "this, too"]);
}

/// The old content is longer than the new one, and special files cannot be truncated.
#[test]
fn special_files_are_written_to() {
    let folder = folder(&[("out.json", &"x".repeat(100_000))]);
    let file = folder.path().join("out.json").display().to_string();
    review(&[&["--format", &format!("json={file}")], FILES.as_slice()].concat(), &[]);
    assert_eq!(fs::read_to_string(&file).unwrap(), written("json"));
    let (code, out, err) =
        review(&[&["--format", "json=/dev/stdout"], FILES.as_slice()].concat(), &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert_eq!(out, written("json"));
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let coloured = |arguments: &[&str], environment| {
        review(&[arguments, &[FILES[0]]].concat(), environment).1.contains('\x1b')
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[("FORCE_COLOR", "1")]));
}

#[test]
fn columns_set_width_of_pipe() {
    let forecast = |columns: Option<&str>| {
        let arguments = ["forecast", "--garden", "examples/forecast", "--at", "2026-12-01"];
        let mut command = garden_gate(&arguments);
        command.envs(columns.map(|it| ("COLUMNS", it)));
        let (_, out, _) = printed(command.output().unwrap());
        let longest = out.lines().map(|line| line.chars().count()).max().unwrap();
        (out, longest)
    };
    let (usual, narrow, wide) = (forecast(None), forecast(Some("40")), forecast(Some("200")));
    assert!(narrow.1 < usual.1 && usual.1 < wide.1, "{} {} {}", narrow.1, usual.1, wide.1);
    assert_eq!(forecast(Some("80")), usual);
    assert_eq!(forecast(Some("many")), usual);
    let help = |columns: &str| {
        let (_, help, _) =
            printed(garden_gate(&["review", "--help"]).env("COLUMNS", columns).output().unwrap());
        help.lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!(help("60") < help("80"));
    assert_eq!(help("100"), help("300"));
}

/// A line that does not fit is cut around the error.
#[test]
fn a_narrow_terminal_and_a_wide_one() {
    let file = FILES[2];
    let text = yaml::Text::new(fs::read_to_string(file).unwrap());
    let excerpt = text.excerpt(Position { line: 4, column: 150 });
    let judged = report::Reviewed {
        outcome: report::Outcome::Unreadable("wrong".to_owned(), excerpt.clone()),
        ..report::Reviewed::new((file, 1), ("Shoot", "n", "s"), excerpt)
    };
    let mut summary = report::Summary::default();
    summary.add(&judged);
    let with = |width| {
        let mut out = Vec::new();
        let look = report::Look { width, ..report::Look::default() };
        let mut text = report::TextWriter::new(look);
        text.object(&mut out, &judged).unwrap();
        text.end(&mut out, &summary).unwrap();
        String::from_utf8(out).unwrap()
    };
    insta::assert_snapshot!("narrow", with(60));
    insta::assert_snapshot!("wide", with(300));
}

/// Reviews a refused Shoot with this template of rule pages, in a repository that may be hostile.
fn with_rule_url(url: &str, format: &str) -> (Option<i32>, String, String) {
    let config = format!("review: {{ruleUrl: {}}}\n", Value::from(url));
    let folder = folder(&[("config.yaml", &config)]);
    let config = folder.path().join("config.yaml").display().to_string();
    review(&["--config", &config, "--color", "always", "--format", format, FILES[0]], &[])
}

#[test]
fn rule_url_is_a_link_in_text_and_markdown() {
    let url = "https://docs.example.com/{rule}.html";
    let page = url.replace("{rule}", "shoot/toleration-not-whitelisted");
    let (_, text, _) = with_rule_url(url, "text");
    assert!(text.contains(&format!("\u{1b}]8;;{page}\u{1b}\\")), "{text}");
    let (_, markdown, _) = with_rule_url(url, "markdown");
    assert!(
        markdown.contains(&format!("[`shoot/toleration-not-whitelisted`]({page})")),
        "{markdown}"
    );
}

#[rstest]
#[case::sequence("https://e.example/{rule}\u{1b}[2J")]
#[case::end_of_link("https://e.example/{rule}\u{1b}\\x\u{7}")]
#[case::space("https://e.example/{rule} x")]
#[case::direction("https://e.example/{rule}\u{202e}")]
#[case::markdown("https://e.example/{rule})![x](https://evil.example/a")]
#[case::html("https://e.example/{rule}<img>")]
fn hostile_rule_url_is_no_link(#[case] url: &str) {
    let (code, markdown, err) = with_rule_url(url, "markdown");
    if !url.bytes().all(|it| it.is_ascii_graphic()) {
        assert_eq!((code, markdown.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains("is not a URL with `{rule}`"), "{err}");
        return;
    }
    assert_eq!((code, err.as_str()), (Some(1), ""), "{markdown}");
    assert!(!markdown.contains("e.example"), "{markdown}");
    let (_, text, _) = with_rule_url(url, "text");
    assert!(text.contains("\u{1b}]8;;https://e.example/"), "{text:?}");
}
