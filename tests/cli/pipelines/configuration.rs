// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use crate::pipelines::{garden, refused, warned};
use crate::repository::{Printed, Repository};

const QUIET: &str = "rules: {advice/prefix-resolves-on-every-write: off}\n";

/// Returns whether the warning is reported, and the path of the configuration.
fn told(repository: &Repository, arguments: &[&str]) -> (bool, Option<String>) {
    let garden = garden();
    let json = ["--garden", &garden, "--format", "json"];
    let (code, out, err) = repository.review(&[&json, arguments].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let json: Value = serde_json::from_str(&out).unwrap();
    let is_warned = json["reviews"][0]["findings"] != Value::Array(Vec::new());
    (is_warned, json["config"].as_str().map(str::to_owned))
}

#[test]
fn the_first_from_the_first_path_upwards_is_taken() {
    let repository = Repository::new(&[
        ("shoots/dev/web.yaml", &warned("web")),
        ("other/web.yaml", &warned("web")),
        ("shoots/.garden-gate.yaml", QUIET),
    ]);
    let found = (false, Some("shoots/.garden-gate.yaml".to_owned()));
    assert_eq!(told(&repository, &["shoots/dev/web.yaml"]), found);
    assert_eq!(told(&repository, &["shoots/dev"]), found);
    assert_eq!(told(&repository, &["other/../shoots"]), found);
    assert_eq!(told(&repository, &["shoots", "other"]), found);
    assert_eq!(told(&repository, &["other"]), (true, None));
    repository.write("shoots/dev/.garden-gate.yaml", "profile: gardener\n");
    let nearest = (false, Some("shoots/dev/.garden-gate.yaml".to_owned()));
    assert_eq!(told(&repository, &["shoots/dev"]), nearest);
    assert_eq!(told(&repository, &["shoots/dev", "--no-config"]), (true, None));
    repository.write("gate.yaml", "{}");
    let named = (true, Some("gate.yaml".to_owned()));
    assert_eq!(told(&repository, &["shoots/dev", "--config", "gate.yaml"]), named);
}

#[test]
fn a_git_repository_is_where_it_ends() {
    let outside = Repository::new(&[
        (".garden-gate.yaml", QUIET),
        ("inside/shoots/web.yaml", &warned("web")),
    ]);
    let shoot = "inside/shoots/web.yaml";
    let here = Some(".garden-gate.yaml".to_owned());
    assert_eq!(told(&outside, &[shoot]), (false, here));
    outside.git(&["init", "-q", "inside"]);
    assert_eq!(told(&outside, &[shoot]), (true, None));
    outside.write("inside/.garden-gate.yaml", QUIET);
    let inside = Some("inside/.garden-gate.yaml".to_owned());
    assert_eq!(told(&outside, &[shoot]), (false, inside));
}

#[test]
fn configuration_that_is_part_of_the_change_is_named() {
    let repository =
        Repository::new(&[(".garden-gate.yaml", QUIET), ("shoots/web.yaml", &warned("web"))]);
    repository.git(&["init", "-q"]);
    repository.commit();
    let review = |arguments: &[&str]| {
        let arguments = [&["--git", "HEAD", "shoots"], arguments].concat();
        repository.review(&arguments).2
    };
    assert_eq!(review(&[]), "");
    repository.write(".garden-gate.yaml", "{}");
    let warning = |file: &str| {
        format!(
            "warning: the configuration `{file}` is part of this change; for a configuration that the change cannot modify, name one with --config, or use --no-config\n"
        )
    };
    assert_eq!(review(&[]), warning(".garden-gate.yaml"));
    repository.write("shoots/.garden-gate.yaml", QUIET);
    assert_eq!(review(&[]), warning("shoots/.garden-gate.yaml"));
    for named in [&["--no-config"][..], &["--config", ".garden-gate.yaml"]] {
        assert_eq!(review(named), "");
    }
}

#[test]
fn repository_inside_of_the_repository_does_not_end_the_search() {
    let outside = Repository::new(&[
        (".garden-gate.yaml", QUIET),
        ("inside/shoots/web.yaml", &warned("web")),
    ]);
    outside.git(&["init", "-q"]);
    outside.git(&["init", "-q", "inside"]);
    let here = Some(".garden-gate.yaml".to_owned());
    assert_eq!(told(&outside, &["inside/shoots"]), (false, here));
}

#[test]
fn what_is_piped_in_has_the_configuration_of_the_working_directory() {
    let repository = Repository::new(&[(".garden-gate.yaml", QUIET)]);
    let (_, out, _) = repository.review(&["-"]);
    assert!(out.starts_with("configuration: .garden-gate.yaml\n"), "{out}");
    let (_, out, _) = repository.review(&["-", "--no-config"]);
    assert!(!out.contains("configuration"), "{out}");
}

#[test]
fn a_configuration_that_is_found_has_to_be_right() {
    let repository = Repository::new(&[
        ("shoots/web.yaml", &warned("web")),
        (".garden-gate.yaml", "rules:\n  shoot/no-such: off\n"),
    ]);
    let fails = |expected: &str| {
        let (code, out, err) = repository.review(&["shoots"]);
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(err.contains(expected), "{err}");
    };
    fails(".garden-gate.yaml:2:3: error: no rule or finding has the id `shoot/no-such`");
    repository.write("shoots/.garden-gate.yaml/is-a-folder", "");
    fails("`shoots/.garden-gate.yaml` is not a file; remove it, or use --no-config");
    let (code, _, err) = repository.review(&["--config", "x", "--no-config"]);
    assert!(code == Some(2) && err.contains("cannot be used with"), "{err}");
}

#[test]
fn it_is_not_reviewed_itself_unless_it_is_a_manifest() {
    let repository = Repository::new(&[("web.yaml", &warned("web"))]);
    for (text, expected) in
        [("rules: {}\n", &["web.yaml"][..]), (&warned("other"), &[".garden-gate.yaml", "web.yaml"])]
    {
        repository.write(".garden-gate.yaml", text);
        let (_, out, err) = repository.review(&["--no-config", "--format", "json", "."]);
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{err}"));
        let files = json["reviews"].as_array().unwrap().iter();
        assert!(files.map(|it| &it["file"]).eq(expected), "{out}");
    }
}

#[test]
fn it_may_say_what_a_review_needs() {
    let repository = Repository::new(&[("a/shoots/web.yaml", &warned("web"))]);
    let garden = garden();
    let with = |review: &str| -> Printed {
        repository.write("a/.garden-gate.yaml", &format!("review: {review}\n"));
        repository.review(&["a/shoots"])
    };
    assert_eq!(with("{}").0, Some(4), "nothing is known without a garden");
    assert_eq!(with(&format!("{{garden: {garden}}}")).0, Some(0));
    assert_eq!(with(&format!("{{garden: {garden}, failOn: warn}}")).0, Some(1));
    let (code, _, err) = with("{garden: dump}");
    assert!(code == Some(2) && err.contains("a/dump"), "relative to the file: {err}");
    let (code, _, err) = with("{garden: \"\", failOn: off, git: main}");
    assert_eq!(code, Some(2));
    for says in ["`review.garden` is empty", "`review.failOn` must be", "no field `git`"] {
        assert!(err.contains(says), "{err}");
    }
}

#[test]
fn the_command_line_goes_first() {
    let garden = garden();
    let defaults = "review: {garden: no-such, failOn: warn}\n";
    let repository =
        Repository::new(&[("web.yaml", &warned("web")), (".garden-gate.yaml", defaults)]);
    let with = |fail_on| repository.review(&["--garden", &garden, "--fail-on", fail_on]).0;
    assert_eq!((with("deny"), with("warn")), (Some(0), Some(1)));
    repository.write("web.yaml", &refused("web"));
    assert_eq!((with("deny"), with("warn")), (Some(1), Some(1)));
    let (code, _, err) = repository.review(&["--fail-on", "off"]);
    assert!(code == Some(2) && err.contains("deny"), "{err}");
}
