// SPDX-License-Identifier: Apache-2.0
use kube::api::{DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use crate::cluster::control_plane::Options;
use crate::cluster::objects::apply;
use crate::cluster::user::User;
use crate::common::{GateArgs, eventually};
use crate::e2e::world::{World, api, seed, shoot, status};

#[tokio::test(flavor = "multi_thread")]
async fn seeds_are_judged_by_what_the_garden_holds() {
    let Some(world) = World::start(Options::default(), GateArgs::new()).await else {
        return;
    };
    a_seed_takes_whom_may_bind_and_tolerates_it(&world).await;
    a_seed_stays_while_it_is_used(&world).await;
    default_domains_are_read_from_secrets(&world).await;
    identities_are_looked_up(&world).await;
    distances_are_read_from_config_maps(&world).await;
}

fn on_seed(name: &str, seed: &str, tolerations: &Value) -> DynamicObject {
    let mut shoot = shoot(name, tolerations);
    shoot.data["spec"]["seedName"] = json!(seed);
    shoot.data["spec"]["dns"] = json!({"domain": format!("{name}.dev.old.io")});
    shoot
}

/// Returns the message of a refusal; empty if there is none.
fn refusal<T>(answer: kube::Result<T>) -> String {
    answer.err().map(|error| status(error).message).unwrap_or_default()
}

async fn create_shoot(user: &User, shoot: &DynamicObject) -> String {
    refusal(api(user, "Shoot").create(&PostParams::default(), shoot).await)
}

async fn patch(user: &User, kind: &str, name: &str, patch: &Value) -> String {
    let params = PatchParams::default();
    refusal(api(user, kind).patch(name, &params, &Patch::Merge(patch)).await)
}

async fn a_seed_takes_whom_may_bind_and_tolerates_it(world: &World) {
    let admin = &world.cluster.admin;
    let tainted = seed("tainted", json!({"taints": [{"key": "allowed"}]}));
    let seeds = api(admin, "Seed");
    seeds.create(&PostParams::default(), &tainted).await.unwrap();
    let tolerating = on_seed("web", "tainted", &json!([{"key": "allowed"}]));
    let refused = create_shoot(&world.alice, &tolerating).await;
    assert!(refused.contains("`update` on `shoots/binding`"), "{refused}");
    let plain = on_seed("web", "tainted", &json!([]));
    let refused = create_shoot(&world.bob, &plain).await;
    let message = "the Shoot does not tolerate these taints of seed `tainted`: `allowed`";
    assert!(refused.contains(message), "{refused}");
    assert!(refused.contains("spec.seedName"), "{refused}");
    assert_eq!(create_shoot(&world.bob, &tolerating).await, "");
}

async fn a_seed_stays_while_it_is_used(world: &World) {
    let seeds = api(&world.cluster.admin, "Seed");
    let dry = DeleteParams { dry_run: true, ..DeleteParams::default() };
    let used = "cannot be deleted while it is used by Shoot `garden-dev/web`";
    eventually("the Shoot counts", async || {
        refusal(seeds.delete("tainted", &dry).await).contains(used)
    })
    .await;
    let all = seeds.delete_collection(&dry, &ListParams::default()).await;
    let refused = refusal(all);
    assert!(refused.contains(used), "{refused}");
    assert!(refused.contains("(seed/deletecollection-in-use)"), "{refused}");
}

async fn default_domains_are_read_from_secrets(world: &World) {
    let admin = &world.cluster.admin;
    let defaults = |domain: &str| json!({"spec": {"dns": {"defaults": [{"domain": domain}]}}});
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {
            "name": "old", "namespace": "garden",
            "labels": {"gardener.cloud/role": "default-domain"},
            "annotations": {"dns.gardener.cloud/domain": "old.io", "dns.gardener.cloud/provider": "p"},
        },
    });
    apply(&admin.client, &secret.to_string()).await;
    let refused = patch(admin, "Seed", "tainted", &defaults("new.io")).await;
    assert!(refused.contains("default domain `old.io`"), "{refused}");
    assert_eq!(patch(admin, "Seed", "tainted", &defaults("old.io")).await, "");
}

async fn identities_are_looked_up(world: &World) {
    let admin = &world.cluster.admin;
    let reference = json!({"apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "namespace": "garden", "name": "backup"});
    let backup = json!({"spec": {"backup": {"provider": "aws", "credentialsRef": reference}}});
    let refused = patch(admin, "Seed", "tainted", &backup).await;
    assert!(refused.contains("there is no WorkloadIdentity `garden/backup`"), "{refused}");
    for (kind, message) in [("gcp", "is for `gcp`, but the backup for `aws`"), ("aws", "")] {
        let identity = json!({
            "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity",
            "metadata": {"name": "backup", "namespace": "garden"},
            "spec": {"targetSystem": {"type": kind}},
        });
        apply(&admin.client, &identity.to_string()).await;
        let refused = patch(admin, "Seed", "tainted", &backup).await;
        assert_eq!(refused.is_empty(), message.is_empty(), "{refused}");
        assert!(refused.contains(message), "{refused}");
    }
}

/// The subresource `binding` is not available here.
///
/// The test changes the Shoot itself, with the rule that forbids that disabled.
async fn distances_are_read_from_config_maps(world: &World) {
    let admin = &world.cluster.admin;
    let seeds = api(admin, "Seed");
    for region in ["eu", "us"] {
        let spec = json!({"provider": {"type": "aws", "region": region}});
        let created = seeds.create(&PostParams::default(), &seed(region, spec)).await;
        created.unwrap();
        let version = json!({"status": {"gardener": {"version": "v1"}}});
        let params = PatchParams::default();
        let reported = seeds.patch_status(region, &params, &Patch::Merge(version)).await;
        reported.unwrap();
    }
    let mut alive = on_seed("alive", "eu", &json!([]));
    alive.data["spec"]["cloudProfile"] = json!({"kind": "CloudProfile", "name": "c"});
    alive.data["spec"]["controlPlane"] =
        json!({"highAvailability": {"failureTolerance": {"type": "node"}}});
    assert_eq!(create_shoot(admin, &alive).await, "");
    let annotations = json!({"migration.gardener.cloud/live-migrate": "true"});
    let moved = json!({"metadata": {"annotations": annotations}, "spec": {"seedName": "us"}});
    let refused = patch(admin, "Shoot", "alive", &moved).await;
    assert!(refused.contains("no ConfigMap with distances"), "{refused}");
    for (distance, message) in [(999, "region `us` is 999 from `eu`"), (50, "")] {
        let config = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {
                "name": "regions", "namespace": "garden",
                "labels": {"scheduling.gardener.cloud/purpose": "region-config"},
                "annotations": {"scheduling.gardener.cloud/cloudprofiles": "c"},
            },
            "data": {"eu": format!("us: {distance}")},
        });
        apply(&admin.client, &config.to_string()).await;
        let refused = patch(admin, "Shoot", "alive", &moved).await;
        assert_eq!(refused.is_empty(), message.is_empty(), "{refused}");
        assert!(refused.contains(message), "{refused}");
    }
}
