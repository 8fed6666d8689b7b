// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review` of unreasonably large input: it ends soon, with limited memory and readable output.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{garden_gate, printed};
use rstest::rstest;
use serde_json::Value;

/// Memory limit in MiB: eight times the longest file that it accepts.
const MEMORY: u64 = 512;
/// Time limit, for a debug build on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(2);
/// Maximum length of a printed line.
const LINE: usize = 4_000;

/// Reviews `text` from standard input and checks the limits; returns the exit code and the output.
fn review(format: &str, text: &str) -> (Option<i32>, String) {
    let (code, printed, _) = watched(format, text);
    (code, printed)
}

/// Reviews as [`review`] does, and also returns the peak memory in MiB.
fn watched(format: &str, text: &str) -> (Option<i32>, String, u64) {
    let mut child = garden_gate(&["review", "--format", format, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (begin, id) = (Instant::now(), child.id());
    let watch = thread::spawn(move || peak(id));
    let (code, out, err) = printed(feed(child.stdin.take().unwrap(), text, child));
    let (took, peak) = (begin.elapsed(), watch.join().unwrap());
    assert!(took < TIMEOUT, "it took {took:?}");
    assert!(peak < MEMORY, "it held {peak} MiB");
    let printed = out + &err;
    for line in printed.lines() {
        assert!(line.len() < LINE, "{} bytes: {}", line.len(), &line[..100]);
    }
    (code, printed, peak)
}

/// Writes the input; a process that refuses it does not read all.
fn feed(mut input: impl std::io::Write, text: &str, child: Child) -> Output {
    let _may_be_refused = input.write_all(text.as_bytes());
    drop(input);
    child.wait_with_output().unwrap()
}

/// Returns the peak memory of a process, in MiB.
fn peak(process: u32) -> u64 {
    let mut peak = 0;
    while let Some(held) = held(process) {
        peak = held.max(peak);
        thread::sleep(Duration::from_millis(5));
    }
    peak
}

fn held(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes / 1024)
}

fn shoot(spec: &str) -> String {
    format!(
        r#"{{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": {{"name": "a", "namespace": "garden-dev"}}, "spec": {{{spec}}}}}"#
    )
}

/// Returns the findings of the only object.
fn findings(text: &str) -> Vec<Value> {
    let (code, printed) = review("json", text);
    assert_eq!(code, Some(1));
    let report: Value = serde_json::from_str(&printed).unwrap();
    report["reviews"][0]["findings"].as_array().unwrap().clone()
}

/// Returns the findings with an id.
fn of<'a>(findings: &'a [Value], id: &str) -> Vec<&'a str> {
    let found = findings.iter().filter(|finding| finding["finding"] == id);
    found.map(|finding| finding["message"].as_str().unwrap()).collect()
}

#[test]
fn a_file_without_end_is_refused_before_it_is_read() {
    let nonsense = "[{\"a\": ".repeat(100_000_000 / 7);
    let (code, printed) = review("text", &nonsense);
    assert_eq!(code, Some(4));
    assert!(printed.contains("larger than 64 MiB; split it"), "{printed}");
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().write_all(nonsense.as_bytes()).unwrap();
    let mut command = garden_gate(&["review"]);
    let output = command.arg(file.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn what_is_nested_without_end_is_refused_at_its_place() {
    let opened = 100_000;
    for nonsense in [
        "[".repeat(60_000_000),
        "{\"a\":".repeat(opened),
        "{a: ".repeat(opened),
        "a:\n  - ".to_owned() + &"- ".repeat(opened),
        shoot(&format!("\"provider\": {}1{}", "[".repeat(opened), "]".repeat(opened))),
    ] {
        let (code, printed) = review("text", &nonsense);
        assert_eq!(code, Some(4), "{}", &nonsense[..20]);
        assert!(printed.contains("nested more than 100 levels deep"), "{printed}");
    }
}

#[test]
fn of_ten_thousand_unknown_fields_twenty_are_listed_and_all_are_counted() {
    let mut fields = String::new();
    for number in 0..10_000 {
        write!(fields, "\"field{number}\": {{\"x\": [{number}]}},").unwrap();
    }
    let findings = findings(&shoot(&format!("{fields} \"region\": \"a\"")));
    let unknown = of(&findings, "object/unknown-field");
    assert_eq!(unknown.len(), 21);
    assert_eq!(unknown[0], "there are 10000 of these; only the first 20 are listed");
    assert!(unknown.contains(&"`field0` is no field of `spec`"), "{unknown:?}");
}

#[test]
fn a_million_keys_that_repeat_are_one_mistake() {
    let key = "\"region\": \"a\",".repeat(1_000_000);
    let findings = findings(&shoot(&format!("{key} \"purpose\": \"testing\"")));
    assert_eq!(of(&findings, "object/repeated-field"), ["`region` is set 1000000 times"]);
}

#[test]
fn half_a_million_labels_that_are_there_twice_are_counted() {
    let mut labels = String::new();
    for number in 0..1_000_000 {
        writeln!(labels, "    a{}: b", number % 500_000).unwrap();
    }
    let text = format!(
        "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata:\n  namespace: garden-dev\n  labels:\n{labels}"
    );
    let findings = findings(&text);
    let repeated = of(&findings, "object/repeated-field");
    assert_eq!(repeated.len(), 21);
    assert_eq!(repeated[0], "there are 500000 of these; only the first 20 are listed");
}

#[test]
fn a_value_of_a_megabyte_is_not_repeated_in_full() {
    let long = "x".repeat(1_000_000);
    let nines = "9".repeat(1_000_000);
    for spec in [
        format!("\"hibernation\": {{\"enabled\": \"{long}\"}}"),
        format!(
            "\"addons\": {{\"nginxIngress\": {{\"externalTrafficPolicy\": \"{long}\", \"enabled\": 1}}}}"
        ),
        format!("\"{long}\": 1"),
        format!("\"provider\": {{\"workers\": [{{\"labels\": {{\"{long}\": 1}}}}]}}"),
        format!("\"provider\": {{\"workers\": [{{\"minimum\": \"{nines}\"}}]}}"),
        format!("\"kubernetes\": {{\"kubeAPIServer\": {{\"eventTTL\": \"{nines}\"}}}}"),
        format!("\"kubernetes\": {{\"kubelet\": {{\"containerLogMaxSize\": \"{nines}x\"}}}}"),
    ] {
        let (code, printed) = review("text", &shoot(&spec));
        assert_eq!(code, Some(1), "{printed}");
    }
}

/// Returns `count` objects with twenty fields: labels, which have no findings, or unknown fields.
fn objects(count: usize, are_unknown: bool) -> String {
    let fields = ('a'..='t').map(|name| format!("{name}: '0'")).collect::<Vec<_>>().join(", ");
    let (labels, unknown) =
        if are_unknown { (String::new(), format!(", {fields}")) } else { (fields, String::new()) };
    let object = |number| {
        format!(
            "---\n{{apiVersion: core.gardener.cloud/v1beta1, kind: ExposureClass, handler: h, metadata: {{name: x{number}, labels: {{{labels}}}}}{unknown}}}\n"
        )
    };
    (0..count).map(object).collect()
}

/// Memory limit in MiB for findings about many objects; a fraction of the output.
const SAID: u64 = 28;

#[rstest]
#[case("text")]
#[case("json")]
fn what_is_said_about_many_objects_is_not_kept(#[case] format: &str) {
    let (code, little, before) = watched(format, &objects(6_000, false));
    assert_eq!(code, Some(0));
    let (code, much, peak) = watched(format, &objects(6_000, true));
    assert_eq!(code, Some(1));
    if format == "json" {
        assert!(much.len() > little.len() + (30 << 20), "{}", much.len());
    } else {
        assert!(much.len() < 20_000, "{much}");
    }
    assert!(peak < before + SAID, "{before} MiB, then {peak} MiB");
}

#[test]
fn what_goes_to_a_file_waits_in_a_temporary_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (input, output) = (path("in.yaml"), path("out.json"));
    fs::write(&input, objects(1_000, true)).unwrap();
    let to_file = format!("json={output}");
    let mut command = garden_gate(&["review", "--format", &to_file, &input]);
    let (code, _, err) = printed(command.env("TMPDIR", "/no/such").output().unwrap());
    let says = format!(
        "error: cannot keep the output for `{output}` in a temporary file in `/no/such`; TMPDIR sets another directory: No such file or directory (os error 2)\n"
    );
    assert_eq!((code, err), (Some(2), says));
    let (code, _, err) = printed(command.env("TMPDIR", folder.path()).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let written: Value = serde_json::from_str(&fs::read_to_string(&output).unwrap()).unwrap();
    assert_eq!(written["reviews"].as_array().unwrap().len(), 1_000);
    let files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 2, "nothing else is left behind");
}

#[test]
fn comment_is_as_long_as_fits_and_counts_the_rest() {
    let object = |number: usize| {
        let fields: Vec<String> = (0..20).map(|field| format!("f{number}x{field}: 1")).collect();
        let class = "apiVersion: core.gardener.cloud/v1beta1, kind: ExposureClass, handler: h";
        format!("---\n{{{class}, metadata: {{name: x{number}}}, {}}}\n", fields.join(", "))
    };
    let (_, comment) = review("markdown", &(0..100).map(object).collect::<String>());
    assert!(comment.chars().count() < 65_536);
    let shown = comment.lines().filter(|it| it.starts_with("- **deny** ")).count();
    let more = comment.lines().find_map(|it| it.split_once(" other findings: `--format concise`"));
    let (more, _) = more.unwrap();
    assert_eq!(shown + more[2..].parse::<usize>().unwrap(), 2_000, "{comment}");
    assert!(comment.contains("**100 changes are refused**"), "{comment}");
}

#[test]
fn the_kind_may_be_of_any_length() {
    let long = "x".repeat(1_000_000);
    let text = format!("{{\"apiVersion\": \"core.gardener.cloud/v1beta1\", \"kind\": \"{long}\"}}");
    let (code, printed) = review("text", &text);
    assert_eq!(code, Some(4), "{printed}");
}
