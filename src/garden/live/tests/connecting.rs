// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::fake::Fake;
use super::{anyone, project};
use crate::garden::live::{LiveClient, LiveGarden, LiveSource};
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_model::api::Kind;

/// Timeout, far longer than needed even on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Writes a kubeconfig with a token.
fn write_kubeconfig(path: &Path, server: SocketAddr, token: &str) {
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": format!("http://{server}")}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": token}}],
    });
    fs::write(path, kubeconfig.to_string()).unwrap();
}

async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "never came true: {what}");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn credentials_that_are_rotated_are_read_again() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let fake = Fake::default();
    let objects = vec![project("a", "garden-a")];
    fake.script().objects.insert("projects", objects);
    fake.script().token = Some("old");
    let directory = tempfile::TempDir::new().unwrap();
    let path = directory.path().join("kubeconfig");
    let server = fake.serve().await;
    write_kubeconfig(&path, server, "old");
    let kubeconfig = Some(path.clone());
    let client = Arc::new(LiveClient::open(LiveSource { kubeconfig }).await.unwrap());
    let snapshot = Arc::new(ArcSwap::<Snapshot>::default());
    let published = Arc::clone(&snapshot);
    let publish = move |it| published.store(Arc::new(it));
    let garden = LiveGarden::new(Arc::clone(&client), LiveGarden::GRACE_PERIOD, publish);
    let garden = Arc::new(garden);
    let mut tasks = JoinSet::new();
    let watching = Arc::clone(&garden);
    tasks.spawn(async move { watching.watch(|_| std::future::pending()).await });
    tasks.spawn(async move { client.follow().await });
    until("in sync", || garden.missing(|_| false).is_none()).await;

    fake.script().token = Some("new");
    fake.disconnect("projects");
    until("refused", || garden.watches()[&Kind::Project].failing).await;
    // Known objects remain visible.
    assert_eq!(snapshot.load().counts()[&Kind::Project], 1);
    let key = ObjectKey::new(Kind::ExposureClass, "", "x");
    assert!(garden.object(&anyone(&garden), &key).await.is_err());
    write_kubeconfig(&path, server, "new");
    until("let in again", || !garden.watches()[&Kind::Project].failing).await;
    let found = garden.object(&anyone(&garden), &key).await;
    assert!(matches!(found, Ok(None)), "{found:?}");
    assert_eq!(garden.withheld(), None);
}
