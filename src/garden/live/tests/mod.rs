// SPDX-License-Identifier: Apache-2.0
mod asking;
mod connecting;
mod fake;
mod identities;
mod listing;
mod rights;
mod watching;

use std::sync::Arc;

use arc_swap::ArcSwap;
use serde_json::{Value, json};

use super::{Asker, LiveClient, LiveGarden};
use fake::Fake;
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::UserInfo;

/// Returns a garden with a fake API server.
/// The test starts the watches if it needs them.
fn garden(fake: &Fake) -> (Arc<LiveGarden>, Arc<ArcSwap<Snapshot>>) {
    let snapshot = Arc::new(ArcSwap::default());
    let published = Arc::clone(&snapshot);
    let garden = LiveGarden::new(client(fake), LiveGarden::GRACE_PERIOD, move |it| {
        published.store(Arc::new(it));
    });
    (Arc::new(garden), snapshot)
}

fn client(fake: &Fake) -> Arc<LiveClient> {
    Arc::new(LiveClient::fixed(fake.client()))
}

fn project(name: &str, namespace: &str) -> Value {
    json!({"metadata": {"name": name, "resourceVersion": "8"}, "spec": {"namespace": namespace}})
}

/// Returns an arbitrary user.
fn anyone(garden: &LiveGarden) -> Asker {
    garden.asker(None, &UserInfo::default())
}
