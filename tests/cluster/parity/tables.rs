// SPDX-License-Identifier: Apache-2.0
//! Features of Kubernetes versions in Gardener's sources, for `crates/model/src/api/kubernetes`.

use std::fs;
use std::path::Path;

/// A table and its source file.
const TABLES: [(&str, &str); 3] = [
    ("feature-gates.txt", "features/featuregates.go"),
    ("admission-plugins.txt", "admissionplugins/admissionplugins.go"),
    ("apis.txt", "apigroups/apigroups.go"),
];

/// Go code of an entry, and the keyword in the table.
const MARKS: [(&str, &str); 4] = [
    ("Required: true", "required"),
    ("RequiredForWorkerless: true", "required-workerless"),
    ("AllowsConfiguration: true", "configurable"),
    ("", "kubeconfig"),
];

/// Compares the tables with the sources, or rewrites them; returns the differences.
pub(crate) fn renew(sources: &Path, is_written: bool) {
    for (table, source) in TABLES {
        let source = sources.join("pkg/utils/validation").join(source);
        let text = fs::read_to_string(&source)
            .unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        let path = Path::new("crates/model/src/api/kubernetes").join(table);
        let old = fs::read_to_string(&path).unwrap();
        let heading = old.lines().filter(|line| line.starts_with('#'));
        let mut new: Vec<String> = heading.map(str::to_owned).collect();
        new.extend(lines(&text));
        let new = new.join("\n") + "\n";
        if is_written {
            fs::write(&path, new).unwrap();
        } else {
            let changes = similar::TextDiff::from_lines(&old, &new)
                .unified_diff()
                .context_radius(0)
                .to_string();
            let path = path.display();
            assert!(changes.is_empty(), "UPDATE_TABLES=1 writes {path} anew:\n{changes}");
        }
    }
}

/// Returns the lines of a table.
fn lines(source: &str) -> Vec<String> {
    let with_kubeconfig = source
        .lines()
        .find(|line| line.contains("SupportingExternalKubeconfig = sets.New("))
        .unwrap_or_default();
    let entries = source.lines().filter_map(|line| {
        let (name, entry) = line.trim().strip_prefix('"')?.split_once('"')?;
        let entry = entry.strip_prefix(':')?.trim_start().strip_prefix('{')?;
        let has_kubeconfig = with_kubeconfig.contains(&format!("\"{name}\""));
        Some(table_line(name, entry, has_kubeconfig))
    });
    let mut lines: Vec<String> = entries.collect();
    lines.sort();
    lines
}

fn table_line(name: &str, entry: &str, has_kubeconfig: bool) -> String {
    let version = |field: &str| {
        let (_, rest) = entry.split_once(&format!("{field}: \""))?;
        rest.split('"').next()
    };
    let [from, until] = ["AddedInVersion", "RemovedInVersion"].map(|it| version(it).unwrap_or("-"));
    let mut line = format!("{name} {from} {until}");
    for (mark, word) in MARKS {
        let is_marked = match mark {
            "" => has_kubeconfig,
            mark => entry.contains(mark),
        };
        if is_marked {
            line += &format!(" {word}");
        }
    }
    if let Some(since) = version("LockedToDefaultInVersion") {
        let only = entry.contains("LockedValue: true");
        line += &format!(" locked-{only} {since}");
    }
    line
}

#[test]
fn a_table_is_made_of_a_source() {
    let source = r#"
var ranges = map[string]*Range{
	// "Commented": {},
	"Second": {Required: true, AllowsConfiguration: true, VersionRange: v.VersionRange{AddedInVersion: "1.29", RemovedInVersion: "1.36"}},
	"First":   {},
	"Fixed":  {LockedValue: false, LockedToDefaultInVersion: "1.35", VersionRange: v.VersionRange{AddedInVersion: "1.32"}},
	"apps/v1": {Required: true, RequiredForWorkerless: true},
}
	pluginsSupportingExternalKubeconfig = sets.New("Other", "Second")
"#;
    let expected = [
        "First - -",
        "Fixed 1.32 - locked-false 1.35",
        "Second 1.29 1.36 required configurable kubeconfig",
        "apps/v1 - - required required-workerless",
    ];
    assert_eq!(lines(source), expected);
}
