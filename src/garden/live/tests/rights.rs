// SPDX-License-Identifier: Apache-2.0
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::client;
use super::fake::Fake;
use crate::garden::live::Right;

fn needed() -> Vec<Right> {
    let mut needed: Vec<Right> = Right::of_watches().collect();
    let (group, kind) = ("authorization.k8s.io", "subjectaccessreviews");
    needed.push(Right::new("create", group, kind));
    needed.push(Right::new("get", "", "secrets").within("gate").on("tls"));
    needed.push(Right::new("update", "", "secrets").within("gate").on("tls"));
    needed
}

/// Records the reported missing permissions, one string per report.
fn reported_rights(fake: &Fake) -> Arc<Mutex<Vec<String>>> {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let (client, sink) = (client(fake), Arc::clone(&reported));
    tokio::spawn(async move {
        let sink = |missing: &[Right]| sink.lock().unwrap().push(Right::describe(missing));
        client.look_for_missing_rights(needed, sink).await;
    });
    reported
}

#[tokio::test(start_paused = true)]
async fn missing_rights_are_named_and_asked_for_until_they_are_granted() {
    let fake = Fake::default();
    fake.script().forbidden = ["seeds", "subjectaccessreviews", "secrets"].into();
    let reported = reported_rights(&fake);
    sleep(Duration::from_secs(1)).await;
    let secret = "get/update secrets `tls` in namespace `gate`";
    let all = format!(
        "get/list/watch seeds.core.gardener.cloud, create subjectaccessreviews.authorization.k8s.io, {secret}"
    );
    assert_eq!(*reported.lock().unwrap(), [all.as_str()]);
    assert_eq!(fake.count("POST"), needed().len());
    fake.script().forbidden = ["secrets"].into();
    sleep(Duration::from_secs(25)).await;
    assert_eq!(*reported.lock().unwrap(), [all.as_str(), secret]);
    fake.script().forbidden.clear();
    sleep(Duration::from_secs(10)).await;
    let asked = fake.count("POST");
    assert_eq!(*reported.lock().unwrap(), [all.as_str(), secret, ""]);
    // No permission is missing, so that no request is sent.
    sleep(Duration::from_mins(10)).await;
    assert_eq!(fake.count("POST"), asked);
    let attributes = json!({
        "verb": "update", "group": "", "resource": "secrets", "namespace": "gate", "name": "tls",
    });
    let script = fake.script();
    let (line, body) = script.requests.last().unwrap();
    assert!(line.contains("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"));
    assert_eq!(body["spec"]["resourceAttributes"], attributes);
}

#[tokio::test(start_paused = true)]
async fn who_may_not_ask_hears_nothing_and_asks_again() {
    let fake = Fake::default();
    fake.script().forbidden = ["selfsubjectaccessreviews", "seeds"].into();
    let reported = reported_rights(&fake);
    sleep(Duration::from_secs(35)).await;
    assert!(reported.lock().unwrap().is_empty());
    assert_eq!(fake.count("POST"), 4);
    fake.script().forbidden = ["seeds"].into();
    sleep(Duration::from_secs(10)).await;
    let seeds = "get/list/watch seeds.core.gardener.cloud";
    assert_eq!(*reported.lock().unwrap(), [seeds]);
}
