// SPDX-License-Identifier: Apache-2.0
//! `review` of many manifests, in one or many files, compared with other offline checkers.
//!
//! Each peer checks the one rule that it can express: a list of Kubernetes versions. kubeconform checks the schema from
//! `garden-gate schema Shoot`.
//! garden-gate checks all of its rules.
//! Peers are built from their Go modules, or skipped with a message if Go is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Plan;
use crate::process::{self, Cost};

/// Number of manifests in `cargo bench`.
/// It also reviews a tenth of them to show the growth of time and memory.
const MANIFESTS: usize = 20_000;
/// Number of manifests in `cargo test`.
const FEW: usize = 200;
/// Number of runs.
///
/// The fastest one counts, since other processes only slow down a run.
const RUNS: usize = 3;

/// Peers with their pinned Go modules.
const PEERS: [(&str, &str); 3] = [
    ("kubeconform", "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0"),
    ("conftest", "github.com/open-policy-agent/conftest@v0.71.1"),
    ("gator", "github.com/open-policy-agent/gatekeeper/v3/cmd/gator@v3.23.1"),
];

const REGO: &str = r#"package main

import rego.v1

deny contains message if {
  input.kind == "Shoot"
  version := input.spec.kubernetes.version
  not version in {"1.33.9", "1.34.7"}
  message := sprintf("Kubernetes version `%s` is not on offer", [version])
}
"#;

const TEMPLATE: &str = r#"apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata:
  name: versiononoffer
spec:
  crd:
    spec:
      names:
        kind: VersionOnOffer
  targets:
  - target: admission.k8s.gatekeeper.sh
    rego: |
      package versiononoffer
      on_offer := {"1.33.9", "1.34.7"}
      violation[{"msg": msg}] {
        version := input.review.object.spec.kubernetes.version
        not on_offer[version]
        msg := sprintf("Kubernetes version `%s` is not on offer", [version])
      }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: VersionOnOffer
metadata:
  name: version-on-offer
spec:
  match:
    kinds:
    - apiGroups: [core.gardener.cloud]
      kinds: [Shoot]
"#;

pub(crate) fn run(plan: Plan) {
    let Plan { is_bench, count } = plan;
    let count = count.unwrap_or(if is_bench { MANIFESTS } else { FEW });
    let home = tempfile::tempdir().unwrap();
    let gate = env!("CARGO_BIN_EXE_garden-gate");
    let peers = if is_bench { peers(home.path(), gate) } else { Vec::new() };
    println!("| tool | manifests | files | wall s | CPU s | manifests/s and core | peak MiB |");
    println!("|---|---|---|---|---|---|---|");
    for count in [count / 10, count] {
        let folder = home.path().join(count.to_string());
        let [one, many] = manifests(&folder, count);
        for (path, files) in [(&one, 1), (&many, count)] {
            let mut review = Command::new(gate);
            let garden = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");
            review.args(["review", "--garden", garden]).arg(path);
            row("garden-gate", count, files, review);
            for (name, peer) in &peers {
                row(name, count, files, peer(path));
            }
        }
    }
}

/// Writes one file with all manifests, and a directory with one file each.
fn manifests(folder: &Path, count: usize) -> [PathBuf; 2] {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/manifests/shoot-allowed.yaml");
    let example = fs::read_to_string(example).unwrap();
    let example = &example[example.find("apiVersion").unwrap()..];
    let (one, many) = (folder.join("one.yaml"), folder.join("many"));
    fs::create_dir_all(&many).unwrap();
    let mut all = String::new();
    for number in 0..count {
        let manifest = example.replacen("name: gateway", &format!("name: shoot-{number}"), 1);
        fs::write(many.join(format!("{number:06}.yaml")), &manifest).unwrap();
        all.push_str("---\n");
        all.push_str(&manifest);
    }
    fs::write(&one, all).unwrap();
    [one, many]
}

type Peer = (&'static str, Box<dyn Fn(&Path) -> Command>);

/// Returns all peers that could be built, with their commands for a file or directory.
fn peers(home: &Path, gate: &str) -> Vec<Peer> {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let policies = home.join("policies");
    fs::create_dir_all(&policies).unwrap();
    fs::write(policies.join("version.rego"), REGO).unwrap();
    let template = home.join("template.yaml");
    fs::write(&template, TEMPLATE).unwrap();
    let schema = Command::new(gate).args(["schema", "Shoot"]).output().unwrap();
    fs::write(home.join("shoot.json"), schema.stdout).unwrap();
    let schema = home.join("{{ .ResourceKind }}.json").display().to_string();
    let mut peers: Vec<Peer> = Vec::new();
    for (name, module) in PEERS {
        let Some(program) = installed(&built, name, module) else {
            println!("{name} is left out: it could not be built from {module}");
            continue;
        };
        let (policies, template, schema) = (policies.clone(), template.clone(), schema.clone());
        peers.push((
            name,
            Box::new(move |path| {
                let mut command = Command::new(&program);
                match name {
                    "kubeconform" => {
                        command.args(["-n", "2", "-summary", "-schema-location", &schema]).arg(path)
                    }
                    "conftest" => command
                        .args(["test", "--no-color", "-o", "json", "-p"])
                        .arg(&policies)
                        .arg(path),
                    _ => command.args(["test", "-f"]).arg(&template).arg("-f").arg(path),
                };
                command
            }),
        ));
    }
    peers
}

/// Returns the program of a Go module, which is built once.
fn installed(folder: &Path, name: &str, module: &str) -> Option<PathBuf> {
    let program = folder.join(name);
    if !program.exists() {
        let installed = Command::new("go").args(["install", module]).env("GOBIN", folder).status();
        installed.ok().filter(|it| it.success())?;
    }
    Some(program)
}

fn row(name: &str, count: usize, files: usize, mut command: Command) {
    let runs = (0..RUNS).map(|_| process::run(&mut command));
    let best = runs.min_by(|a, b| a.wall.cmp(&b.wall)).unwrap();
    let Cost { wall, cpu_seconds, peak_mib } = best;
    let wall = wall.as_secs_f64();
    let per_second = count as f64 / cpu_seconds;
    println!(
        "| {name} | {count} | {files} | {wall:.2} | {cpu_seconds:.2} | {per_second:.0} | {peak_mib:.0} |"
    );
}
