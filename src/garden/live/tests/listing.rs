// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::json;
use tower::service_fn;

use super::client;
use super::fake::Fake;
use crate::garden::live::{ApiServerAddress, Connection, DryRun, Intent, LiveClient, Needs};
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::{ExposureClass, Kind, Seed};

fn connection(client: Arc<LiveClient>) -> Connection {
    let [server, context, kubeconfig] = ["https://garden/", "c", "k"].map(str::to_owned);
    let address = ApiServerAddress { namespace: "default".into(), server, context, kubeconfig };
    Connection { client, address }
}

fn needs(kinds: impl IntoIterator<Item = Kind>) -> Needs {
    Needs { kinds: kinds.into_iter().collect(), ..Needs::default() }
}

/// Returns a connection to an API server that never responds to requests whose path contains `part`.
fn silent(fake: &Fake, part: &'static str) -> (Connection, Arc<AtomicUsize>) {
    let taken = Arc::<AtomicUsize>::default();
    let (counted, answers) = (Arc::clone(&taken), fake.client());
    let service = service_fn(move |request: Request<Body>| {
        let (counted, answers) = (Arc::clone(&counted), answers.clone());
        async move {
            if request.uri().path().contains(part) {
                counted.fetch_add(1, Ordering::Relaxed);
                return pending::<Result<Response<Body>, kube::Error>>().await;
            }
            answers.send(request).await
        }
    });
    let client = LiveClient::fixed(Client::new(service, "default"));
    (connection(Arc::new(client)), taken)
}

#[tokio::test(start_paused = true)]
async fn an_api_server_that_hangs_is_given_up() {
    let (connection, _) = silent(&Fake::default(), "");
    let needs = needs([Kind::Seed, Kind::Shoot]);
    let error = connection.list(&needs, |_| {});
    let expected = "the API server `https://garden/` (context `c` of the kubeconfig `k`) cannot be asked: it did not answer within 30s";
    assert_eq!(error.await.unwrap_err().to_string(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_kind_about_which_it_says_nothing_is_unknown() {
    let (connection, _) = silent(&Fake::default(), "seeds");
    let needs = needs([Kind::Seed, Kind::ExposureClass]);
    let listed = connection.list(&needs, |_| {});
    let snapshot = listed.await.unwrap().snapshot;
    assert!(matches!(snapshot.get::<ExposureClass>("x"), Ok(None)));
    let why = "failed to list seeds.core.gardener.cloud: it did not answer within 30s";
    assert_eq!(snapshot.get::<Seed>("x").unwrap_err().to_string(), why);
}

#[tokio::test(start_paused = true)]
async fn what_was_not_listed_is_unknown() {
    let connection = connection(client(&Fake::default()));
    let snapshot = connection.list(&needs([]), |_| {}).await.unwrap().snapshot;
    let why = "seeds.core.gardener.cloud were not listed";
    assert_eq!(snapshot.get::<Seed>("x").unwrap_err().to_string(), why);
}

#[tokio::test(start_paused = true)]
async fn objects_of_lists_are_kept_whole_where_they_are_wanted() {
    let fake = Fake::default();
    let class = |name: &str| {
        let metadata =
            json!({"name": name, "managedFields": [{"manager": "m", "fieldsV1": {"f:a": {}}}]});
        json!({"metadata": metadata, "handler": "h"})
    };
    let classes = ["a", "b", "c"].map(class).to_vec();
    fake.script().objects.insert("exposureclasses", classes);
    let wanted = ["c", "d"].map(|name| ObjectKey::new(Kind::ExposureClass, "", name));
    let needs = Needs { wanted: wanted.clone().into(), ..needs([Kind::ExposureClass]) };
    let counted = AtomicUsize::default();
    let connection = connection(client(&fake));
    let listed = connection
        .list(&needs, |count| {
            counted.fetch_add(count, Ordering::Relaxed);
        })
        .await
        .unwrap();
    let expected = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "ExposureClass",
        "metadata": {"name": "c", "managedFields": [{"manager": "m", "fieldsV1": {"f:a": {}}}]}, "handler": "h",
    });
    assert_eq!(listed.kept.get(&wanted[0]), Some(&expected));
    assert_eq!((listed.kept.len(), listed.unknown.len()), (1, 0));
    assert_eq!(counted.into_inner(), 3);
    assert_eq!(fake.count(""), 2);
}

#[tokio::test(start_paused = true)]
async fn dry_runs_end_when_there_are_no_answers() {
    let (connection, taken) = silent(&Fake::default(), "");
    let requests: Vec<_> = (0..100)
        .map(|number| {
            let key = ObjectKey::new(Kind::Seed, "", format!("s{number}"));
            (key, Intent::Create("{}".to_owned()))
        })
        .collect();
    let reported = AtomicUsize::default();
    let answers = connection
        .dry_run(&requests, None, || {
            reported.fetch_add(1, Ordering::Relaxed);
        })
        .await;
    let why = |answer: &DryRun| match answer {
        DryRun::Unanswered(why) => why.clone(),
        other => panic!("{other:?}"),
    };
    let why: BTreeSet<String> = answers.iter().map(why).collect();
    let expected =
        ["it did not answer within 30s", "it was not asked, as it had not answered before"];
    assert_eq!(answers.len(), 100);
    assert!(why.iter().eq(expected), "{why:?}");
    // Only requests that were already in flight, and few others.
    assert!(taken.load(Ordering::Relaxed) < 20);
}
