// SPDX-License-Identifier: Apache-2.0
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use serde_json::json;

use crate::cluster::control_plane::Options;
use crate::cluster::objects::apply;
use crate::common::{Gate, GateArgs, eventually};
use crate::e2e::world::{api, config, garden, ready, shoot, status, webhooks};

const CONFIRMATION: &str = "confirmation.gardener.cloud/deletion";

#[tokio::test(flavor = "multi_thread")]
async fn many_shoots_are_deleted_at_once_only_if_each_is_confirmed() {
    let Some(cluster) = garden(Options::default()).await else {
        return;
    };
    let user = cluster.user("gate", &[]).await;
    let args =
        GateArgs::new().config(&config(&["shoot/deletion-not-confirmed"])).live(&user.kubeconfig);
    let gate = tokio::task::block_in_place(|| Gate::start(&args));
    ready(&gate).await;
    let registration = webhooks(&gate.url, Some(&gate.path("ca.crt")));
    apply(&cluster.admin.client, &registration).await;
    let shoots = api(&cluster.admin, "Shoot");
    for name in ["chosen", "other"] {
        let mut object = shoot(name, &json!([]));
        object.metadata.labels = Some([("name".to_owned(), name.to_owned())].into());
        shoots.create(&PostParams::default(), &object).await.unwrap();
    }
    let by_name = DeleteParams::default();
    eventually("the gate is asked", async || {
        let dry = by_name.clone().dry_run();
        shoots.delete("chosen", &dry).await.is_err()
    })
    .await;
    let confirm = async |name| {
        let patch = Patch::Merge(json!({"metadata": {"annotations": {CONFIRMATION: "true"}}}));
        let params = PatchParams::default();
        shoots.patch(name, &params, &patch).await.unwrap();
    };
    let chosen = ListParams::default().labels("name=chosen");
    confirm("chosen").await;
    let refused = shoots.delete_collection(&by_name, &chosen).await;
    let status = status(refused.unwrap_err());
    assert_eq!(status.code, 403);
    assert!(status.message.contains("Shoot `other` is not"), "{}", status.message);
    confirm("other").await;
    // The API server is queried again after a second at most, whether or not the watch has reported the change.
    eventually("the confirmation counts", async || {
        shoots.delete_collection(&by_name, &chosen).await.is_ok()
    })
    .await;
    let left = shoots.list(&ListParams::default()).await.unwrap();
    let left: Vec<_> = left.items.iter().map(|it| it.metadata.name.as_deref()).collect();
    assert_eq!(left, [Some("other")]);
}
