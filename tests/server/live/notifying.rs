// SPDX-License-Identifier: Apache-2.0
//! `garden-gate notify --live`: Events on Shoots, and the state in a ConfigMap.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::{Printed, World};
use crate::common::{Gate, GateArgs, garden_gate};
use crate::folder;

const STATE: &str = "/api/v1/namespaces/garden/configmaps/notifications";

impl World {
    /// Returns the landscape of the examples, whose Shoots have UIDs, with a file of destinations.
    fn notifying(destinations: &str) -> Self {
        let world = Self::landscape();
        if let Some(shoots) = world.server.script().objects.get_mut("shoots") {
            for (number, shoot) in shoots.iter_mut().enumerate() {
                shoot["metadata"]["uid"] = format!("uid-{number}").into();
            }
        }
        folder::write(world.folder.path(), "notify.yaml", destinations);
        world
    }

    fn notify(&self, arguments: &[&str]) -> Printed {
        let common = [
            "notify",
            "--no-config",
            "--live",
            "--kubeconfig",
            "kubeconfig",
            "--at",
            "2026-12-10",
            "--destinations",
            "notify.yaml",
            "--state",
            "configmap:garden/notifications",
        ];
        self.run(&[&common, arguments].concat())
    }

    /// Returns the bodies of requests that begin with this method and path.
    fn sent(&self, request: &str) -> Vec<Value> {
        let script = self.server.script();
        let requests = script.requests.iter().filter(|(line, _)| {
            line.split_once('?').map_or(line.as_str(), |(line, _)| line).starts_with(request)
        });
        requests.map(|(_, body)| body.clone()).collect()
    }
}

const EVENTS: &str = "destinations:\n- {name: events, intervalMilliseconds: 0, events: {}}\n";

#[test]
fn event_is_created_once_on_each_shoot() {
    let world = World::notifying(EVENTS);
    let Printed { code, out, err } = world.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let events: Vec<Value> = world
        .sent("POST /api/v1/namespaces/")
        .into_iter()
        .filter(|it| it["kind"] == "Event")
        .collect();
    assert!(!events.is_empty(), "{out}");
    for event in &events {
        let object = &event["involvedObject"];
        assert_eq!(
            (&object["kind"], &event["source"]),
            (&json!("Shoot"), &json!({"component": "garden-gate"}))
        );
        assert!(object["uid"].as_str().unwrap().starts_with("uid-"), "{event}");
        assert_eq!(object["namespace"], event["metadata"]["namespace"]);
        let is_urgent = event["reason"] == "MustAct";
        assert_eq!(event["type"], if is_urgent { "Warning" } else { "Normal" }, "{event}");
        assert!(event["message"].as_str().unwrap().len() <= 1_000);
    }
    // The state is created before the first message, and then replaced.
    let created = world.sent("POST /api/v1/namespaces/garden/configmaps");
    assert_eq!(created.len(), 1);
    let replaced = world.sent(&format!("PUT {STATE}"));
    let mut state = replaced.last().unwrap().clone();
    let text = state["data"]["state.json"].as_str().unwrap();
    assert!(text.contains("\"events\"") && text.len() < 10_000, "{text}");
    state["metadata"]["resourceVersion"] = "8".into();
    world.server.script().objects.insert("configmaps", vec![state]);
    let Printed { code, out, err } = world.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("sent 0 messages"), "{out}");
    let all = world.sent("POST /api/v1/namespaces/");
    assert_eq!(all.iter().filter(|it| it["kind"] == "Event").count(), events.len());
    assert_eq!(
        world.sent(&format!("PUT {STATE}")).last().unwrap()["metadata"]["resourceVersion"],
        "8"
    );
}

#[test]
fn state_that_another_run_changes_ends_the_run_before_a_message() {
    let world = World::notifying(EVENTS);
    let state = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "notifications", "namespace": "garden", "resourceVersion": "1"},
    });
    world.server.script().objects.insert("configmaps", vec![state]);
    world.server.answer(&format!("PUT {STATE}"), 409, "the object has been modified");
    let Printed { code, out, err } = world.notify(&[]);
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains("another run has changed the ConfigMap garden/notifications"), "{err}");
    let posted = world.sent("POST /api/v1/namespaces/");
    assert!(posted.iter().all(|it| it["kind"] != "Event"));
}

#[test]
fn missing_permissions_are_reported() {
    let world = World::notifying(EVENTS);
    world.server.answer(&format!("GET {STATE}"), 403, "configmaps is forbidden");
    let Printed { code, err, .. } = world.notify(&[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("configmaps is forbidden"), "{err}");
    let world = World::notifying(EVENTS);
    let namespaces: BTreeSet<String> = world.server.script().objects["shoots"]
        .iter()
        .map(|it| it["metadata"]["namespace"].as_str().unwrap().to_owned())
        .collect();
    for namespace in namespaces {
        let request = format!("POST /api/v1/namespaces/{namespace}/events");
        world.server.answer(&request, 403, "events is forbidden");
    }
    let Printed { code, out, err } = world.notify(&[]);
    assert_eq!(code, Some(2), "{out}");
    assert!(
        err.contains("error: events: Project ") && err.contains("events is forbidden"),
        "{err}"
    );
}

#[tokio::test]
async fn a_server_sends_news_after_each_forecast() {
    let world = World::notifying(EVENTS);
    let file = |name: &str| world.folder.path().join(name).display().to_string();
    let args = GateArgs::new()
        .live(&world.folder.path().join("kubeconfig"))
        .flag("--notify-destinations", &file("notify.yaml"))
        .flag("--notify-state", "configmap:garden/notifications");
    let gate = Gate::start(&args);
    gate.logs("messages with news to the owners of Projects").await;
    let log = gate.log();
    assert!(!log.contains("sent 0 messages"), "{log}");
    let posted = world.sent("POST /api/v1/namespaces/");
    let events = posted.iter().filter(|it| it["kind"] == "Event").count();
    assert!(events > 0, "{log}");
    assert_eq!(world.sent("POST /api/v1/namespaces/garden/configmaps").len(), 1);
    assert!(gate.metric("notifications_sent_total").await > 0.0);
    assert_eq!(gate.metric("notifications_undelivered_total").await, 0.0);
}

#[test]
fn an_event_that_an_earlier_run_has_created_is_a_success() {
    let world = World::notifying(EVENTS);
    let shoots = world.server.script().objects["shoots"].clone();
    for shoot in shoots {
        let namespace = shoot["metadata"]["namespace"].as_str().unwrap();
        let request = format!("POST /api/v1/namespaces/{namespace}/events");
        world.server.answer(&request, 409, "events already exists");
    }
    let Printed { code, out, err } = world.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(!out.starts_with("sent 0 messages"), "{out}");
}

#[test]
fn an_event_has_the_same_name_in_each_attempt() {
    let names = [(); 2].map(|()| {
        let world = World::notifying(EVENTS);
        world.notify(&[]);
        let events = world.sent("POST /api/v1/namespaces/");
        let names = events.iter().filter(|it| it["kind"] == "Event");
        names.map(|it| it["metadata"]["name"].to_string()).collect::<BTreeSet<_>>()
    });
    assert!(!names[0].is_empty());
    assert_eq!(names[0], names[1]);
}

/// A file that cannot be read hides Shoots. Their facts stay in the state, so that they are not sent again.
#[tokio::test]
async fn a_server_keeps_what_it_told_of_files_that_it_cannot_read() {
    let destinations = "destinations:\n- {name: notes, markdown: {folder: notes}}\n";
    let folder = folder::folder(&[("notify.yaml", destinations)]);
    let garden = folder.path().join("garden");
    fs::create_dir(&garden).unwrap();
    for file in ["cloudprofile.yaml", "projects.yaml", "shoots.yaml"] {
        fs::copy(format!("examples/forecast/{file}"), garden.join(file)).unwrap();
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let run = async || {
        let args = GateArgs::new()
            .garden_directory(&garden)
            .flag("--notify-destinations", &path("notify.yaml"))
            .flag("--notify-state", &path("state.json"));
        let gate = Gate::start(&args);
        gate.logs("messages with news to the owners of Projects").await;
        gate.log()
    };
    let log = run().await;
    assert!(!log.contains("sent 0 messages"), "{log}");
    let shoots = fs::read_to_string(garden.join("shoots.yaml")).unwrap();
    fs::write(garden.join("shoots.yaml"), &shoots[..shoots.len() * 2 / 3]).unwrap();
    let log = run().await;
    assert!(log.contains("unknown"), "{log}");
    fs::write(garden.join("shoots.yaml"), shoots).unwrap();
    let log = run().await;
    assert!(log.contains("sent 0 messages"), "{log}");
}

#[test]
fn a_server_does_not_start_with_destinations_that_cannot_be_used() {
    let folder = folder::folder(&[(
        "notify.yaml",
        "destinations:\n- {name: chat, slack: {url: {file: missing}}}\n",
    )]);
    let path = folder.path().join("notify.yaml").display().to_string();
    let state = folder.path().join("state.json").display().to_string();
    let output = garden_gate(&[
        "serve",
        "--garden",
        "examples/garden",
        "--listen",
        "127.0.0.1:0",
        "--notify-destinations",
        &path,
        "--notify-state",
        &state,
    ]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("destination `chat`") && err.contains("--notify-destinations"), "{err}");
}
