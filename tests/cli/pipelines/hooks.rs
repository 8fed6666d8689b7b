// SPDX-License-Identifier: Apache-2.0
use std::fs;

use rstest::rstest;
use serde_json::Value;

use crate::pipelines::recipes::{Landscape, yaml};
use crate::repository::Printed;

/// A step of the GitHub Action, run with these inputs.
pub(crate) struct Runner {
    pub(crate) landscape: Landscape,
    summary: String,
    /// The address of the code host that has the repository of the action; empty with `uses: ./`.
    pub(crate) host: String,
}

pub(crate) const BUILT: &str = env!("CARGO_BIN_EXE_garden-gate");

impl Runner {
    pub(crate) fn new() -> Self {
        let landscape = Landscape::new();
        let folder = landscape.repository.path().join(".git");
        let summary = folder.join("summary").display().to_string();
        Self { landscape, summary, host: String::new() }
    }

    pub(crate) fn run(&self, inputs: &[(&str, &str)]) -> Printed {
        let folder = self.landscape.repository.path().join(".git");
        let folder = folder.to_str().unwrap();
        let path_file = format!("{folder}/path");
        let action = yaml("action.yml");
        let steps = action["runs"]["steps"].as_array().unwrap();
        let mut last = (None, String::new(), String::new());
        for step in steps {
            let mut environment = vec![
                ("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR").to_owned()),
                ("GITHUB_PATH", path_file.clone()),
                ("GITHUB_BASE_REF", "main".to_owned()),
                ("GITHUB_STEP_SUMMARY", self.summary.clone()),
                ("GITHUB_SERVER_URL", self.host.clone()),
                ("RUNNER_TEMP", folder.to_owned()),
                ("RUNNER_TOOL_CACHE", String::new()),
                ("BUILT", BUILT.to_owned()),
            ];
            let variables = step["env"].as_object().into_iter().flatten();
            environment.extend(variables.map(|(name, value)| {
                let value = value.as_str().unwrap();
                let Some(input) = input(value) else {
                    assert_eq!(value, "${{ github.action_repository }}");
                    let is_hosted = !self.host.is_empty();
                    let repository = if is_hosted { "OWNER/garden-gate" } else { "" };
                    return (name.as_str(), repository.to_owned());
                };
                let given = inputs.iter().find(|(name, _)| *name == input);
                let default = action["inputs"][input]["default"].as_str().unwrap();
                (name.as_str(), given.map_or(default, |it| it.1).to_owned())
            }));
            let environment: Vec<(&str, &str)> =
                environment.iter().map(|it| (it.0, it.1.as_str())).collect();
            last = self.landscape.run(step["run"].as_str().unwrap(), &environment);
            if last.0 != Some(0) {
                return last;
            }
        }
        let installed = fs::read_to_string(path_file).unwrap();
        assert!(fs::exists(format!("{}/garden-gate", installed.lines().next().unwrap())).unwrap());
        last
    }
}

/// Returns the name of the input in `${{ inputs.paths }}`; nothing for other contexts.
fn input(expression: &str) -> Option<&str> {
    let inside = expression.strip_prefix("${{ inputs.")?;
    inside.strip_suffix(" }}")
}

#[test]
fn inputs_of_the_action_come_as_variables_and_all_are_used() {
    let action = yaml("action.yml");
    let mut used = Vec::new();
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert!(!step["run"].as_str().unwrap().contains("${{"), "{step}");
        assert_eq!(step["shell"], "bash");
        let variables = step["env"].as_object().into_iter().flatten();
        let inputs = variables.filter_map(|(_, value)| input(value.as_str().unwrap()));
        used.extend(inputs.map(str::to_owned));
    }
    let mut declared: Vec<&String> = action["inputs"].as_object().unwrap().keys().collect();
    used.sort();
    declared.sort();
    assert!(declared.into_iter().eq(&used), "{used:?}");
    assert!(action["inputs"].as_object().unwrap().values().all(|it| it["description"].is_string()));
}

#[test]
fn the_action_reviews_what_the_branch_changes() {
    let runner = Runner::new();
    let (code, out, err) = runner.run(&[("garden", "dump")]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let summary = fs::read_to_string(&runner.summary).unwrap();
    assert!(
        summary.starts_with("<!-- garden-gate -->\n### garden-gate: nothing is refused"),
        "{summary}"
    );
    runner.landscape.change("version: 1.34.7", "version: 1.32.13");
    let (code, out, _) = runner.run(&[("garden", "dump"), ("paths", "shoots\nargocd\n")]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.starts_with("::error file=shoots/gateway.yaml,line="), "{out}");
}

#[rstest]
#[case(&[("format", "text\nsarif=.git/gate.sarif")], Some(0), "1 allowed")]
#[case(&[("base", "HEAD"), ("format", "json")], Some(0), "\"unchanged\"")]
#[case(&[("fail-on", "warn"), ("format", "text")], Some(0), "1 allowed")]
#[case(&[("config", "none"), ("format", "json")], Some(0), "\"unchanged\"")]
#[case(&[("config", "$(touch pwned)")], Some(2), "`$(touch pwned)`")]
#[case(&[("fail-on", "always")], Some(2), "invalid value 'always'")]
#[case(&[("paths", "$(touch pwned)\n`touch pwned`\n; touch pwned")], Some(2), "$(touch pwned)")]
#[case(&[("base", "--output=pwned")], Some(2), "Git knows no revision `--output=pwned`")]
#[case(&[("garden", "\"; touch pwned; \"")], Some(2), "touch pwned")]
fn inputs_do_what_they_say_and_nothing_else(
    #[case] inputs: &[(&str, &str)],
    #[case] code: Option<i32>,
    #[case] says: &str,
) {
    let runner = Runner::new();
    let with_garden = [&[("garden", "dump")], inputs].concat();
    let inputs = if inputs[0].0 == "garden" { inputs } else { &with_garden };
    let (ended, out, err) = runner.run(inputs);
    assert_eq!(ended, code, "{out}{err}");
    assert!(out.contains(says) || err.contains(says), "{out}{err}");
    assert!(!runner.landscape.repository.path().join("pwned").exists());
}

#[test]
fn the_hook_reviews_what_is_about_to_be_committed() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let Value::Array(hooks) = hooks else {
        unreachable!("{hooks} is a list");
    };
    let entry = format!("{} --garden dump", hooks[0]["entry"].as_str().unwrap());
    let landscape = Landscape::new();
    let (code, out, _) = landscape.run(&entry, &[]);
    assert_eq!(code, Some(0), "nothing has changed since the last commit: {out}");
    landscape.change("version: 1.34.7", "version: 1.32.13");
    let (code, out, _) = landscape.run(&entry, &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(
        out.starts_with(
            "shoots/gateway.yaml: UPDATE of Shoot garden-platform/gateway (from HEAD): denied"
        ),
        "{out}"
    );
}

/// Git passes its own directory to hooks, but in a linked work tree not the root of that.
#[test]
fn a_hook_of_git_may_review_a_part_of_a_linked_work_tree() {
    let landscape = Landscape::new();
    let repository = &landscape.repository;
    repository.git(&["worktree", "add", "-q", ".git/linked"]);
    let hook = "#!/bin/sh\ngarden-gate review --git HEAD --format json shoots > reviewed.json\n";
    repository.write(".git/hooks/pre-commit", hook);
    let script = "chmod +x .git/hooks/pre-commit && cd .git/linked && sed -i s/1.34.7/1.34.6/ shoots/gateway.yaml && git commit -qam m";
    let (code, _, err) = landscape.run(script, &[]);
    assert_eq!(code, Some(1), "without a garden it cannot be judged: {err}");
    let json = fs::read_to_string(repository.path().join(".git/linked/reviewed.json")).unwrap();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["reviews"][0]["operation"], "UPDATE", "{json}");
    assert_eq!(err, "", "nothing else is read");
}

#[test]
fn partial_clone_error_names_the_fetch_command() {
    let landscape = Landscape::new();
    let origin = landscape.repository.path().join(".git/origin");
    let script = "git -C .git/origin config uploadpack.allowFilter true
        git clone -q --no-checkout --filter=blob:none \"file://$ORIGIN\" .git/partial
        cd .git/partial
        garden-gate review --git origin/main";
    let origin = ("ORIGIN", origin.to_str().unwrap());
    let (code, _, err) = landscape.run(script, &[origin]);
    let expected = "error: the clone is partial and lacks files of the revision; run `git fetch --refetch --no-filter`\n";
    assert_eq!((code, err.as_str()), (Some(2), expected));
}

/// In containers of CI systems, the files of the job may belong to another user.
#[test]
fn untrusted_repository_is_reported_with_the_fix() {
    let landscape = Landscape::new();
    let stranger = ("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let (code, _, err) = landscape.run("garden-gate review --git origin/main", &[stranger]);
    let folder = landscape.repository.path().canonicalize().unwrap();
    let way_out = format!("`git config --global --add safe.directory {}`\n", folder.display());
    assert!(code == Some(2) && err.ends_with(&way_out), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}
