//! `garden-gate review` of many manifests, in one file and in as many files: manifests per second and core, and peak memory, next to
//! tools that judge manifests offline. Each of those checks the one rule that it can express (a version of Kubernetes that is on a
//! list; kubeconform: the schema that `garden-gate schema Shoot` prints); garden-gate checks every rule it has.
//!
//! `cargo bench --bench review`, with a number behind `--` for another count. Peers are built from their Go modules where Go is there,
//! and left out by name where it is not; `cargo test --bench review` runs garden-gate alone, with few manifests.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on should stop"
)]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What `cargo bench` judges; ten times and a tenth of it show how time and memory grow.
const MANIFESTS: usize = 20_000;
/// What `cargo test` judges.
const FEW: usize = 200;
/// Of so many runs, the fastest counts: what else the machine does only ever slows it down.
const RUNS: usize = 3;
/// How often the memory of a process is looked at.
const INTERVAL: Duration = Duration::from_millis(2);
/// Clock ticks in a second, as `/proc` counts the time of processes.
const TICKS: f64 = 100.0;
const MIB: f64 = 1024.0;

/// Peers, with where their modules are, pinned.
const PEERS: [(&str, &str); 3] = [
    (
        "kubeconform",
        "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0",
    ),
    ("conftest", "github.com/open-policy-agent/conftest@v0.71.1"),
    (
        "gator",
        "github.com/open-policy-agent/gatekeeper/v3/cmd/gator@v3.23.1",
    ),
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

/// What one run took.
#[derive(Clone, Copy)]
struct Cost {
    /// Wall time.
    wall: Duration,
    /// What all its threads took.
    cpu_seconds: f64,
    /// The most memory that was its own at a time.
    peak_mib: f64,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let is_bench = arguments.iter().any(|it| it == "--bench");
    let wanted = arguments.iter().find_map(|it| it.parse().ok());
    let count = wanted.unwrap_or(if is_bench { MANIFESTS } else { FEW });
    let home = tempfile::tempdir().unwrap();
    let gate = env!("CARGO_BIN_EXE_garden-gate");
    let peers = if is_bench {
        peers(home.path(), gate)
    } else {
        Vec::new()
    };
    println!("| tool | manifests | files | wall s | CPU s | manifests/s and core | peak MiB |");
    println!("|---|---|---|---|---|---|---|");
    for count in [count / 10, count] {
        let folder = home.path().join(count.to_string());
        let [one, many] = manifests(&folder, count);
        for (path, files) in [(&one, 1), (&many, count)] {
            let mut review = Command::new(gate);
            let garden = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");
            review.args(["review", "--garden", garden]).arg(path);
            row("garden-gate", (count, files), review);
            for (name, peer) in &peers {
                row(name, (count, files), peer(path));
            }
        }
    }
}

/// One file with all manifests, and a directory with a file for each.
fn manifests(folder: &Path, count: usize) -> [PathBuf; 2] {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/manifests/shoot-allowed.yaml"
    );
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

/// Every peer that could be built, with how it judges a file or directory.
fn peers(home: &Path, gate: &str) -> Vec<Peer> {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let policies = home.join("policies");
    fs::create_dir_all(&policies).unwrap();
    fs::write(policies.join("version.rego"), REGO).unwrap();
    let template = home.join("template.yaml");
    fs::write(&template, TEMPLATE).unwrap();
    let schema = Command::new(gate)
        .args(["schema", "Shoot"])
        .output()
        .unwrap();
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
                    "kubeconform" => command
                        .args(["-n", "2", "-summary", "-schema-location", &schema])
                        .arg(path),
                    "conftest" => command
                        .args(["test", "--no-color", "-o", "json", "-p"])
                        .arg(&policies)
                        .arg(path),
                    _ => command
                        .args(["test", "-f"])
                        .arg(&template)
                        .arg("-f")
                        .arg(path),
                };
                command
            }),
        ));
    }
    peers
}

/// The program of a Go module, built once.
fn installed(folder: &Path, name: &str, module: &str) -> Option<PathBuf> {
    let program = folder.join(name);
    if !program.exists() {
        let installed = Command::new("go")
            .args(["install", module])
            .env("GOBIN", folder)
            .status();
        installed.ok().filter(|it| it.success())?;
    }
    Some(program)
}

fn row(name: &str, (count, files): (usize, usize), mut command: Command) {
    let runs = (0..RUNS).map(|_| run(&mut command));
    let best = runs.min_by(|a, b| a.wall.cmp(&b.wall)).unwrap();
    let Cost {
        wall,
        cpu_seconds,
        peak_mib,
    } = best;
    let wall = wall.as_secs_f64();
    let per_second = count as f64 / cpu_seconds;
    println!(
        "| {name} | {count} | {files} | {wall:.2} | {cpu_seconds:.2} | {per_second:.0} | {peak_mib:.0} |"
    );
}

fn run(command: &mut Command) -> Cost {
    let begin = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak_mib = 0.0;
    // A process that has ended but was not waited for still has its times, but no memory any more.
    while let Some(kib) = peak_kib(&child) {
        peak_mib = kib / MIB;
        sleep(INTERVAL);
    }
    let wall = begin.elapsed();
    let cpu_seconds = cpu_seconds(&child);
    let code = child.wait().unwrap().code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{command:?} ended with {code:?}"
    );
    Cost {
        wall,
        cpu_seconds,
        peak_mib,
    }
}

fn peak_kib(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn cpu_seconds(child: &Child) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let ticks = after_name.split_ascii_whitespace().skip(11).take(2);
    ticks.map(|it| it.parse::<f64>().unwrap()).sum::<f64>() / TICKS
}
