// SPDX-License-Identifier: Apache-2.0
//! The admission component of an extension, which runs next to gardener-apiserver.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use axum::http::Method;
use garden_gate_model::api::extensions::{EXTENSIONS, Extension};
use serde_json::{Value, json};

use crate::cluster::process::Process;
use crate::cluster::waiting::eventually;
use crate::gardener::GROUPS;
use crate::http::send;
use crate::parity::case::Case;
use crate::parity::landscape::Landscape;
use crate::parity::server::Servers;
use crate::parity::theirs::ask;
use crate::recorded;

/// Prefix of the environment variables that name the programs.
const PROGRAM: &str = "GARDENER_EXTENSION_ADMISSION_";

/// Time limit for the start, until the gardener-apiserver calls the webhooks.
const READY_DEADLINE: Duration = Duration::from_mins(1);

/// Number of recorded refusals that are sent to detect whether webhooks are called.
const PROBES: usize = 5;

/// Flags of a component that runs outside of a cluster and makes its own certificate.
const FLAGS: &[&str] = &[
    "--webhook-config-mode=url",
    "--webhook-config-server-host=127.0.0.1",
    "--leader-election=false",
    "--metrics-bind-address=0",
    "--health-bind-address=0",
];

/// An extension, the program of its admission component, and its recorded family.
pub(crate) struct Component {
    pub(crate) extension: &'static Extension,
    pub(crate) program: PathBuf,
    pub(crate) family: Value,
}

impl Component {
    /// Returns the components that environment variables name.
    pub(crate) fn all() -> Vec<Self> {
        let named = EXTENSIONS.iter().filter_map(|extension| {
            let program = variable(extension, "")?;
            let name = extension.name.replace('-', "_");
            let file = format!("tests/conformance/ext_{name}.json.gz");
            assert!(Path::new(&file).exists(), "there is no {file}");
            let family = recorded::read(Path::new(&file));
            Some(Self { extension, program: std::fs::canonicalize(&program).unwrap(), family })
        });
        named.collect()
    }

    /// Returns the recorded gardens, with another version of the extension if a variable names one.
    pub(crate) fn gardens(&self) -> Vec<Value> {
        let mut gardens = self.family["gardens"].as_array().unwrap().clone();
        if let Some(version) = variable(self.extension, "_VERSION") {
            for garden in &mut gardens {
                garden["config"]["extensions"][self.extension.name] = json!({"version": version});
            }
        }
        gardens
    }

    /// Returns all extensions that the component judges.
    pub(crate) fn extensions(&self) -> Vec<&'static Extension> {
        let all = EXTENSIONS.iter().copied();
        all.filter(|it| it.webhooks == self.extension.webhooks).collect()
    }

    /// Stores the garden, and starts the component, which registers its webhooks there.
    pub(crate) async fn start(&self, servers: &Servers, garden: &Value) -> (Process, Landscape) {
        let manifests = garden["manifests"].as_array().unwrap().iter().cloned();
        let (webhooks, others): (Vec<_>, Vec<_>) = manifests.partition(is_registration);
        let mut landscape = Landscape::store(servers, &others).await;
        served(servers).await;
        let mut process = self.process(servers);
        let deadline = Instant::now() + READY_DEADLINE;
        for webhook in &webhooks {
            while !landscape.find(servers, webhook).await {
                wait(&mut process, deadline).await;
            }
        }
        while !self.is_called(servers, &landscape, garden).await {
            wait(&mut process, deadline).await;
        }
        (process, landscape)
    }

    fn process(&self, servers: &Servers) -> Process {
        let cluster = &servers.cluster;
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let name = format!("admission-{}", self.extension.name);
        let mut arguments: Vec<String> = FLAGS.iter().copied().map(String::from).collect();
        arguments.extend([
            format!("--kubeconfig={}", cluster.admin.kubeconfig.display()),
            format!("--webhook-config-url={address}"),
            format!("--webhook-config-server-port={}", address.port()),
            format!("--webhook-config-cert-dir={name}"),
        ]);
        Process::start(&self.program, &arguments, cluster.folder(), &name)
    }

    /// Reports whether a webhook refuses one of the recorded refusals.
    async fn is_called(&self, servers: &Servers, landscape: &Landscape, garden: &Value) -> bool {
        let cases = garden["cases"].as_array().unwrap().iter();
        let is_probe = |it: &&Value| {
            it["expect"]["allowed"] == false && it["request"]["operation"] == "CREATE"
        };
        for case in cases.filter(is_probe).take(PROBES) {
            let theirs = ask(servers, landscape, &Case::recorded(case)).await;
            if theirs.is_of_webhook() {
                return true;
            }
        }
        false
    }
}

/// Waits until kube-apiserver forwards requests to gardener-apiserver.
async fn served(servers: &Servers) {
    let client = &servers.cluster.admin.client;
    for (group, version) in GROUPS {
        let path = format!("/apis/{group}/{version}");
        eventually(&path, async || {
            let reply = send(client, Method::GET, &path, String::new(), None).await;
            reply.is_success().then_some(())
        })
        .await;
    }
}

/// Returns the value of an extension's variable.
fn variable(extension: &Extension, suffix: &str) -> Option<String> {
    let name = extension.name.replace('-', "_").to_uppercase();
    let value = std::env::var(format!("{PROGRAM}{name}{suffix}"));
    value.ok().filter(|it| !it.is_empty())
}

fn is_registration(manifest: &Value) -> bool {
    manifest["apiVersion"] == "admissionregistration.k8s.io/v1"
}

async fn wait(process: &mut Process, deadline: Instant) {
    process.assert_running();
    assert!(Instant::now() < deadline, "no webhook is called in time: {}", process.log_end());
    tokio::time::sleep(Duration::from_millis(200)).await;
}
