// SPDX-License-Identifier: Apache-2.0
//! Part 2 of the tutorial about the webhook, with the control plane of this suite, and with API clients instead of kubectl.

use std::fs;
use std::path::Path;

use axum::http::Request;
use kube::api::PostParams;
use kube::core::Status;
use serde_json::json;

use crate::cluster::TestCluster;
use crate::cluster::objects::{apply, documents};
use crate::cluster::user::User;
use crate::common::{Gate, GateArgs, eventually};
use crate::e2e::world::{api, project, ready, status, webhooks};

const PAGE: &str = "docs/tutorials/run-the-webhook.md";

/// A block of commands, and the output below it; empty if the page shows none.
struct Step {
    commands: Vec<String>,
    output: Vec<String>,
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns the blocks of code in numbered steps.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // Every second part is a block.
    for block in text.split("   ```").skip(1).step_by(2) {
        let (language, block) = block.split_once('\n').unwrap();
        let lines = block
            .replace("\\\n", " ")
            .lines()
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect();
        match language {
            "sh" => steps.push(Step { commands: lines, output: Vec::new() }),
            "text" => steps.last_mut().unwrap().output = lines,
            other => panic!("no language of a step: {other}"),
        }
    }
    steps
}

/// Applies a file, or the files of a directory.
async fn apply_path(user: &User, path: &str) {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut files = if full.is_dir() {
        fs::read_dir(&full).unwrap().map(|it| it.unwrap().path()).collect()
    } else {
        vec![full]
    };
    files.sort();
    for file in files {
        apply(&user.client, &fs::read_to_string(file).unwrap()).await;
    }
}

/// Formats an error as kubectl does.
fn printed(error: &Status, file: &str) -> Vec<String> {
    let details = error.details.as_ref().unwrap();
    match error.reason.as_str() {
        "Forbidden" => vec![format!(
            "Error from server (Forbidden): error when creating \"{file}\": {}",
            error.message
        )],
        "Invalid" => {
            let first = format!("The {} \"{}\" is invalid:", details.kind, details.name);
            let causes = details.causes.iter().map(|it| format!("* {}: {}", it.field, it.message));
            [first].into_iter().chain(causes).collect()
        }
        other => panic!("unexpected reason {other}: {error:?}"),
    }
}

/// Sends a merge patch of Shoot `web`; returns the warnings and the error.
async fn patched(user: &User, patch: &str) -> Vec<String> {
    let path = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots/web";
    let request = Request::patch(path)
        .header("content-type", "application/merge-patch+json")
        .body(patch.as_bytes().to_vec().into())
        .unwrap();
    let response = user.client.send(request).await.unwrap();
    let warnings = response.headers().get_all("warning").iter().map(|it| {
        let text = it.to_str().unwrap().strip_prefix("299 - ").unwrap();
        format!("Warning: {}", text.trim_matches('"').replace("\\\"", "\""))
    });
    let mut lines: Vec<String> = warnings.collect();
    let body = response.into_body().collect_bytes().await.unwrap();
    let error: Status = serde_json::from_slice(&body).unwrap();
    lines.extend(printed(&error, ""));
    lines
}

/// Waits until the API server calls both webhooks of Projects, which does not change the counts of Shoots.
async fn registered(admin: &User, gate: &Gate) {
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    eventually("both webhooks are called", async || {
        let probe = project("probe", json!({"namespace": "garden-probe"}));
        // Only the call of the webhooks matters.
        let _ = api(admin, "Project").create(&dry, &probe).await;
        let metrics = gate.metrics().await;
        ["mutate", "validate"].iter().all(|endpoint| {
            let count = format!("reviews_total{{endpoint=\"{endpoint}\",kind=\"Project\"");
            metrics.contains(&count)
        })
    })
    .await;
}

/// Follows the steps from the third on; the first two start a control plane, and the last one stops it.
#[tokio::test(flavor = "multi_thread")]
async fn webhook_tutorial_is_followed_in_a_cluster() {
    let Some(cluster) = TestCluster::start().await else {
        return;
    };
    let admin = &cluster.admin;
    let text = read(PAGE);
    let steps = steps(text.split_once("\n## Part 2").unwrap().1);
    let [_, _, kinds, serve, register, create, patch, metrics, _] = &steps[..] else {
        panic!("{PAGE} has {} steps", steps.len());
    };

    for command in &kinds.commands {
        apply_path(admin, command.strip_prefix("kubectl apply -f ").unwrap()).await;
    }

    let serving = "garden-gate serve --kubeconfig lab/kubeconfig --listen";
    assert!(serve.commands[0].starts_with(serving));
    let args = GateArgs::new().live(&admin.kubeconfig);
    // `Gate::start` blocks, while API clients of this process must continue.
    let gate = tokio::task::block_in_place(|| Gate::start(&args));
    ready(&gate).await;
    for line in &serve.output {
        gate.logs(line).await;
    }

    let expected = "garden-gate webhooks --url https://localhost:9443 --ca-bundle garden-gate-ca.crt | kubectl apply -f -";
    assert_eq!(register.commands, [expected]);
    let url = gate.url.replace("127.0.0.1", "localhost");
    let registration = webhooks(&url, Some(&gate.path("ca.crt")));
    let created = apply(&admin.client, &registration).await;
    let created = created.iter().map(|it| {
        let kind = it.types.as_ref().unwrap().kind.to_lowercase();
        let name = it.metadata.name.as_ref().unwrap();
        format!("{kind}.admissionregistration.k8s.io/{name} created")
    });
    assert_eq!(register.output, created.collect::<Vec<_>>());
    registered(admin, &gate).await;

    let file = create.commands[0].strip_prefix("kubectl apply -f ").unwrap();
    let shoot = &documents(&read(file))[0];
    let refused = api(admin, "Shoot").create(&PostParams::default(), shoot).await;
    assert_eq!(printed(&status(refused.unwrap_err()), file), create.output);

    let patching = "kubectl patch shoot web --namespace garden-dev --type merge --patch ";
    let body = patch.commands[0].strip_prefix(patching).unwrap();
    assert_eq!(patched(admin, body.trim_matches('\'')).await, patch.output);

    let exposition = gate.metrics().await;
    let (_, filter) = metrics.commands[0].split_once("| grep ").unwrap();
    let counts = exposition
        .lines()
        .filter(|it| it.contains(filter))
        .filter(|it| it.contains("kind=\"Shoot\""));
    let mut counts: Vec<&str> = counts.collect();
    let mut shown: Vec<&str> = metrics.output.iter().map(String::as_str).collect();
    counts.sort_unstable();
    shown.sort_unstable();
    assert_eq!(counts, shown);
}
