// SPDX-License-Identifier: Apache-2.0
//! Fields of the API in Gardener's sources, for the versions of fields in `crates/model/src/api`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use garden_gate_model::api::{GardenerVersion, KINDS, Object, Removed};

/// The program that reads and compares source trees.
const PROGRAM: &str = "tests/cluster/parity/release";

/// Runs the program with these source trees; `None` without Go.
pub(crate) fn release(trees: &[&Path]) -> Option<String> {
    let mut command = Command::new("go");
    command.args(["-C", PROGRAM, "run", "."]).args(trees);
    let output = match command.output() {
        Ok(output) => output,
        Err(_) if std::env::var("CI").as_deref() != Ok("true") => return None,
        Err(error) => panic!("go: {error}"),
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Returns the fields that the sources and garden-gate do not both have, in the version of the sources.
pub(crate) fn differences(sources: &Path) -> Vec<String> {
    let version = std::fs::read_to_string(sources.join("VERSION")).unwrap();
    let version = GardenerVersion::parse(version.trim()).unwrap();
    let listed = release(&[sources]).unwrap_or_else(|| panic!("needs Go"));
    let mut theirs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (object, field) in listed.lines().filter_map(|line| line.split_once('.')) {
        theirs.entry(object).or_default().insert(field);
    }
    let mut found = Vec::new();
    for (object, ours) in fields_in(version) {
        // Objects of Kubernetes are in other sources.
        let Some(theirs) = theirs.get(object) else {
            continue;
        };
        let missing = theirs.difference(&ours).filter(|field| **field != "*");
        found.extend(missing.map(|field| format!("{object}.{field} is unknown in {version}")));
        // An asterisk stands for fields of an object of Kubernetes.
        let gone = ours.difference(theirs).filter(|_| !theirs.contains("*"));
        found.extend(gone.map(|field| format!("{object}.{field} is not in {version}")));
    }
    found
}

/// Returns the fields of all objects in a version.
fn fields_in(version: GardenerVersion) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut found = BTreeMap::new();
    let mut left: Vec<&'static Object> = KINDS.iter().map(|it| it.object).collect();
    while let Some(object) = left.pop() {
        if found.contains_key(object.name) {
            continue;
        }
        let fields = object.fields_in(version).map(|it| (it.name, it.shape));
        let removed = Removed::fields_in(object, version).map(|(it, shape)| (it.field, shape));
        let fields: Vec<_> = fields.chain(removed).collect();
        left.extend(fields.iter().filter_map(|(_, shape)| shape.object()));
        let names = fields.into_iter().map(|(name, _)| name);
        found.insert(object.name, names.collect());
    }
    found
}

#[test]
fn release_lists_differences_of_source_trees() {
    let folder = tempfile::tempdir().unwrap();
    let tree = |name: &str, version: &str, field: &str, gate: &str, plugin: &str, default: &str| {
        let files = [
            ("VERSION", format!("{version}\n")),
            ("supported-kubernetes-versions.yaml", format!("- version: \"{version}\"\n")),
            (
                "pkg/apis/core/v1beta1/types_shoot.go",
                format!(
                    "package v1beta1\n\ntype Named struct {{\n\tName string `json:\"name\"`\n}}\n\ntype Worker struct {{\n\tNamed `json:\",inline\"`\n\t{field}\n}}\n\ntype Mode string\n\nconst ModeA Mode = \"{version}\"\n"
                ),
            ),
            ("pkg/apis/core/v1beta1/types_shoot_test.go", "no Go".to_owned()),
            (
                "pkg/apis/core/v1beta1/defaults_shoot.go",
                format!("package v1beta1\n\n// {version}\nfunc f() {{\n\t{default}\n}}\n"),
            ),
            ("pkg/apis/security/v1alpha1/types.go", "package v1alpha1\n".to_owned()),
            ("pkg/apis/security/v1alpha1/defaults.go", "package v1alpha1\n".to_owned()),
            ("pkg/apis/seedmanagement/v1alpha1/types.go", "package v1alpha1\n".to_owned()),
            ("pkg/apis/seedmanagement/v1alpha1/defaults.go", "package v1alpha1\n".to_owned()),
            (
                "pkg/features/features.go",
                format!(
                    "var All = map{{\n\tGate:  {{Default: {gate}, PreRelease: featuregate.Alpha}},\n\tOther: {{Default: true, PreRelease: featuregate.GA}},\n}}\n"
                ),
            ),
            (
                "pkg/apiserver/features/features.go",
                "func f() {\n\tadd(\n\t\tfeatures.Gate,\n\t)\n}\n".to_owned(),
            ),
            (
                "plugin/pkg/plugins.go",
                format!(
                    "func a() {{\n\treturn {{\n\t\tPluginNameA, // A\n\t\tpolicy.PluginName,\n\t}}\n}}\nfunc b() {{\n\treturn {{\n\t\t{plugin},\n\t}}\n}}\n"
                ),
            ),
            (
                "plugin/pkg/shoot/admission.go",
                format!("package shoot\n\n// {version}\nfunc f() {{\n\tif {gate} {{\n\t}}\n}}\n"),
            ),
        ];
        for (path, text) in files {
            let path = folder.path().join(name).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder.path().join(name)
    };
    let old = tree(
        "old",
        "v1.2.3",
        "Old *int `json:\"old,omitempty\"`",
        "false",
        "PluginNameA",
        "obj.A = ptr.To(true)",
    );
    let new = tree(
        "new",
        "v1.3.0",
        "New []string `json:\"new\"`",
        "true",
        "policy.PluginName",
        "obj.A = new(false)",
    );
    let Some(printed) = release(&[&old, &new]) else {
        return;
    };
    let expected = "\
Gardener v1.2.3 -> v1.3.0

Fields of the API: 2
  + Worker.new: []string
  - Worker.old

Values of the API: 1
  ~ Mode ModeA: \"v1.2.3\" -> \"v1.3.0\"

Feature gates (* of gardener-apiserver): 1
  ~ Gate*: Default: false, PreRelease: Alpha -> Default: true, PreRelease: Alpha

Admission plugins: 2
  ~ A: after none, on by default -> after none
  ~ policy: after A -> after A, on by default

Defaults: 2
  + obj.A = new(false)
  - obj.A = new(true)

Supported versions of Kubernetes: 2
  + - version: \"v1.3.0\"
  - - version: \"v1.2.3\"

Changed code of admission: 2
  ~ plugin/pkg/plugins.go: 2 lines
  ~ plugin/pkg/shoot/admission.go: 2 lines
";
    assert_eq!(printed, expected);
    let fields = release(&[&new]);
    assert_eq!(fields.as_deref(), Some("Named.name\nWorker.name\nWorker.new\n"));
}
