// SPDX-License-Identifier: Apache-2.0
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::super::LiveGarden;
use super::fake::Fake;
use super::project;
use garden_gate_core::garden::{Snapshot, Unknown};
use garden_gate_model::api::{ExposureClass, Kind, SecretBinding};

fn is_needed(kind: Kind) -> bool {
    kind == Kind::ExposureClass
}

struct Watched {
    garden: Arc<LiveGarden>,
    snapshot: Arc<ArcSwap<Snapshot>>,
    _task: JoinSet<()>,
}

/// Starts the watches, which end when the value is dropped.
fn watched(fake: &Fake) -> Watched {
    let (garden, snapshot) = super::garden(fake);
    let mut task = JoinSet::new();
    let watching = Arc::clone(&garden);
    task.spawn(async move { watching.watch(|_| pending()).await });
    Watched { garden, snapshot, _task: task }
}

impl Watched {
    fn owner(&self, namespace: &str) -> Option<String> {
        match self.snapshot.load().project_of_namespace(namespace) {
            Ok(Some(project)) => Some(project.metadata.name.clone()),
            Err(Unknown::Unconfirmed) => None,
            other => panic!("{other:?}"),
        }
    }

    fn owners(&self, namespaces: &[&str]) -> Vec<Option<String>> {
        namespaces.iter().map(|it| self.owner(it)).collect()
    }

    async fn until_ready(&self) {
        until(|| self.garden.missing(is_needed).is_none()).await;
    }
}

/// Waits for a condition in simulated time.
async fn until(mut condition: impl FnMut() -> bool) {
    for _ in 0..10_000 {
        if condition() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("the condition never came true");
}

fn some(name: &str) -> Option<String> {
    Some(name.to_owned())
}

#[tokio::test(start_paused = true)]
async fn every_page_is_seen_before_the_garden_is_ready() {
    let fake = Fake::default();
    let projects = ["a", "b", "c", "d", "e"].map(|name| project(name, &format!("garden-{name}")));
    fake.script().objects.insert("projects", projects.into());
    let watched = watched(&fake);
    let missing = watched.garden.missing(is_needed).unwrap();
    assert!(missing.contains("the list of projects.core.gardener.cloud"), "{missing}");
    watched.until_ready().await;
    assert_eq!(watched.owners(&["garden-a", "garden-e"]), [some("a"), some("e")]);
    assert_eq!(fake.count("/projects?&limit="), 3);
}

#[tokio::test(start_paused = true)]
async fn events_change_the_snapshot() {
    let fake = Fake::default();
    let watched = watched(&fake);
    watched.until_ready().await;
    until(|| fake.send("projects", "ADDED", &project("a", "garden-a"))).await;
    until(|| watched.owner("garden-a").is_some()).await;
    fake.send("projects", "MODIFIED", &project("a", "garden-b"));
    until(|| watched.owners(&["garden-a", "garden-b"]) == [None, some("a")]).await;
    fake.send("projects", "DELETED", &project("a", "garden-b"));
    until(|| watched.owner("garden-b").is_none()).await;
}

#[tokio::test(start_paused = true)]
async fn what_disappears_while_the_watch_is_too_old_is_forgotten() {
    let fake = Fake::default();
    let both = vec![project("a", "garden-a"), project("b", "garden-b")];
    fake.script().objects.insert("projects", both);
    let watched = watched(&fake);
    watched.until_ready().await;
    until(|| {
        fake.send(
            "projects",
            "BOOKMARK",
            &json!({"kind": "Project", "apiVersion": "v1", "metadata": {"resourceVersion": "9"}}),
        )
    })
    .await;
    fake.script().objects.insert("projects", vec![project("b", "garden-b")]);
    fake.script().watches_are_too_old = true;
    fake.disconnect("projects");
    until(|| watched.owners(&["garden-a", "garden-b"]) == [None, some("b")]).await;
    fake.script().watches_are_too_old = false;
    until(|| fake.send("projects", "ADDED", &project("c", "garden-c"))).await;
    until(|| watched.owner("garden-c").is_some()).await;
}

/// The API server is gone without closing the connection.
#[tokio::test(start_paused = true)]
async fn half_open_watch_is_started_again() {
    let fake = Fake::default();
    let watched = watched(&fake);
    watched.until_ready().await;
    let watches = || fake.count("/projects?&watch=true");
    until(|| watches() == 1).await;
    sleep(Duration::from_secs(70)).await;
    assert_eq!(watches(), 2);
    until(|| fake.send("projects", "ADDED", &project("a", "garden-a"))).await;
    until(|| watched.owner("garden-a").is_some()).await;
}

#[tokio::test(start_paused = true)]
async fn an_expired_watch_lists_again() {
    let fake = Fake::default();
    let watched = watched(&fake);
    watched.until_ready().await;
    let expired = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410, "reason": "Expired", "message": "too old"});
    let now = vec![project("a", "garden-a")];
    fake.script().objects.insert("projects", now);
    until(|| fake.send("projects", "ERROR", &expired)).await;
    until(|| watched.owner("garden-a").is_some()).await;
}

#[tokio::test(start_paused = true)]
async fn a_kind_that_is_not_served_is_only_missed_by_rules_that_need_it() {
    let fake = Fake::default();
    fake.script().not_served.insert("exposureclasses");
    let watched = watched(&fake);
    until(|| watched.garden.missing(|_| false).is_none()).await;
    let missing = watched.garden.missing(is_needed).unwrap();
    assert_eq!(missing, "exposureclasses.core.gardener.cloud, which the API server does not serve");
    let known = watched.snapshot.load().get::<ExposureClass>("any");
    let why = "the API server does not serve the kind ExposureClass".to_owned();
    assert_eq!(known, Err(Unknown::Reason(why)));
    fake.script().not_served.clear();
    watched.until_ready().await;
    let known = watched.snapshot.load().get::<ExposureClass>("any");
    assert_eq!(known, Err(Unknown::Unconfirmed));
}

#[tokio::test(start_paused = true)]
async fn what_is_forbidden_names_the_verb_and_is_tried_again() {
    let fake = Fake::default();
    fake.script().forbidden.insert("seeds");
    let watched = watched(&fake);
    let why = "the API server answered 403 to `list` of seeds.core.gardener.cloud; grant the verbs get, list and watch on it";
    until(|| {
        watched.garden.missing(|_| false)
            == Some(format!("the list of seeds.core.gardener.cloud ({why})"))
    })
    .await;
    fake.script().forbidden.clear();
    watched.until_ready().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_cannot_be_read_spoils_nothing_else() {
    let fake = Fake::default();
    let bad =
        json!({"metadata": {"name": "bad", "resourceVersion": "8"}, "spec": {"namespace": 7}});
    let projects = vec![bad, project("b", "garden-b")];
    fake.script().objects.insert("projects", projects);
    let watched = watched(&fake);
    watched.until_ready().await;
    assert_eq!(watched.owner("garden-b"), some("b"));
    let unreadable = |watched: &Watched| {
        let snapshot = watched.snapshot.load();
        let names: Vec<String> = snapshot.unreadable().map(|(key, _)| key.name.clone()).collect();
        names
    };
    assert_eq!(unreadable(&watched), ["bad"]);
    assert_eq!(watched.garden.watches()[&Kind::Project].unreadable, 1);
    until(|| fake.send("projects", "MODIFIED", &project("bad", "garden-bad"))).await;
    until(|| watched.owner("garden-bad").is_some()).await;
    assert!(unreadable(&watched).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_list_never_shows_half_of_itself() {
    let fake = Fake::default();
    let names: Vec<String> = (0..9).map(|number| format!("garden-{number}")).collect();
    let all: Vec<Value> = names.iter().map(|name| project(name, name)).collect();
    fake.script().objects.insert("projects", all);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let writer = Arc::clone(&seen);
    let garden = LiveGarden::new(super::client(&fake), LiveGarden::GRACE_PERIOD, move |snapshot| {
        writer.lock().unwrap().push(snapshot.counts()[&Kind::Project]);
    });
    let mut task = JoinSet::new();
    task.spawn(async move { garden.watch(|_| pending()).await });
    until(|| seen.lock().unwrap().len() >= 6).await;
    assert!(seen.lock().unwrap().iter().all(|count| [0, 9].contains(count)));
}

/// Advances the simulated time.
async fn minutes(minutes: u64) {
    sleep(Duration::from_secs(60 * minutes)).await;
}

#[tokio::test(start_paused = true)]
async fn a_view_that_may_not_be_renewed_counts_for_ten_minutes() {
    let fake = Fake::default();
    fake.script().objects.insert("projects", vec![project("a", "garden-a")]);
    let watched = watched(&fake);
    watched.until_ready().await;
    fake.script().forbidden.insert("projects");
    fake.disconnect("projects");
    until(|| watched.garden.watches()[&Kind::Project].failing).await;
    minutes(9).await;
    assert_eq!(watched.owner("garden-a"), some("a"));
    assert_eq!(watched.garden.withheld(), None);
    minutes(2).await;
    let why = "what is known of projects.core.gardener.cloud is too old to judge by, as watching it has been refused for 10 minutes: \
        the API server answered 403 to `watch` of projects.core.gardener.cloud; grant the verbs get, list and watch on it";
    assert_eq!(watched.garden.withheld().as_deref(), Some(why));
    let known = watched.snapshot.load().project_of_namespace("garden-a");
    assert_eq!(known, Err(Unknown::Reason(why.to_owned())));
    // Other kinds are unaffected.
    let known = watched.snapshot.load().get::<ExposureClass>("any");
    assert_eq!(known, Err(Unknown::Unconfirmed));
    fake.script().forbidden.clear();
    until(|| watched.garden.withheld().is_none()).await;
    assert_eq!(watched.owner("garden-a"), some("a"));
    assert!(!watched.garden.watches()[&Kind::Project].failing);
}

#[tokio::test(start_paused = true)]
async fn a_view_outlives_an_api_server_that_is_gone() {
    let fake = Fake::default();
    fake.script().objects.insert("projects", vec![project("a", "garden-a")]);
    let watched = watched(&fake);
    watched.until_ready().await;
    fake.script().is_gone = true;
    fake.disconnect("projects");
    minutes(60).await;
    assert!(watched.garden.watches()[&Kind::Project].failing);
    assert_eq!(watched.owner("garden-a"), some("a"));
    fake.script().is_gone = false;
    until(|| !watched.garden.watches()[&Kind::Project].failing).await;
}

#[tokio::test(start_paused = true)]
async fn a_watch_in_which_nothing_happens_is_no_failure() {
    let fake = Fake::default();
    let watched = watched(&fake);
    watched.until_ready().await;
    let before = fake.count("/seeds?&watch=true");
    minutes(10).await;
    let status = &watched.garden.watches()[&Kind::Seed];
    assert!(!status.failing && status.last_success.is_some());
    assert_eq!(status.failures, 0);
    assert!(fake.count("/seeds?&watch=true") > before + 5);
}

fn project_at(name: &str, namespace: &str, version: &str) -> Value {
    json!({"metadata": {"name": name, "resourceVersion": version}, "spec": {"namespace": namespace}})
}

#[tokio::test(start_paused = true)]
async fn an_event_older_than_one_before_lists_again() {
    let fake = Fake::default();
    let watched = watched(&fake);
    watched.until_ready().await;
    until(|| fake.send("projects", "ADDED", &project_at("a", "garden-new", "20"))).await;
    until(|| watched.owner("garden-new").is_some()).await;
    let now = vec![project_at("a", "garden-new", "20")];
    fake.script().objects.insert("projects", now);
    let lists = watched.garden.watches()[&Kind::Project].lists;
    let late = project_at("a", "garden-old", "19");
    fake.send("projects", "MODIFIED", &late);
    until(|| watched.garden.watches()[&Kind::Project].lists > lists).await;
    assert_eq!(watched.owners(&["garden-old", "garden-new"]), [None, some("a")]);
}

#[tokio::test(start_paused = true)]
async fn an_event_that_comes_twice_changes_nothing_more() {
    let fake = Fake::default();
    let watched = watched(&fake);
    watched.until_ready().await;
    let added = project_at("a", "garden-a", "20");
    until(|| fake.send("projects", "ADDED", &added)).await;
    fake.send("projects", "ADDED", &added);
    fake.send("projects", "MODIFIED", &project_at("b", "garden-b", "21"));
    until(|| watched.owner("garden-b").is_some()).await;
    assert_eq!(watched.owner("garden-a"), some("a"));
    assert_eq!(watched.garden.watches()[&Kind::Project].lists, 1);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_an_event_lists_again_and_counts_as_a_failure() {
    let fake = Fake::default();
    let watched = watched(&fake);
    watched.until_ready().await;
    fake.script().objects.insert("projects", vec![project("a", "garden-a")]);
    until(|| fake.send("projects", "ADDED", &json!({"metadata": 7}))).await;
    until(|| watched.owner("garden-a").is_some()).await;
    assert_eq!(watched.garden.watches()[&Kind::Project].failures, 1);
}

/// A further kind is unknown until its first list, and then missing objects are confirmed by the API server.
#[tokio::test(start_paused = true)]
async fn further_kind_is_unknown_until_it_is_needed_and_synced() {
    let fake = Fake::default();
    let binding = json!({"metadata": {"name": "b", "namespace": "garden-a", "resourceVersion": "8"}, "provider": {"type": "aws"}});
    fake.script().objects.insert("secretbindings", vec![binding]);
    let (garden, snapshot) = super::garden(&fake);
    let wanted = Arc::new(AtomicBool::new(false));
    let is_needed = {
        let wanted = Arc::clone(&wanted);
        move |kind| kind == Kind::SecretBinding && wanted.load(Ordering::Relaxed)
    };
    let mut task = JoinSet::new();
    let (watching, needed) = (Arc::clone(&garden), is_needed.clone());
    let until_needed = move |kind| {
        let needed = needed.clone();
        async move {
            while !needed(kind) {
                sleep(Duration::from_millis(250)).await;
            }
        }
    };
    task.spawn(async move { watching.watch(until_needed).await });
    until(|| garden.missing(&is_needed).is_none()).await;
    assert!(!snapshot.load().absence_is_known(Kind::SecretBinding));
    assert_eq!(fake.count("/secretbindings"), 0);

    fake.script().forbidden.insert("secretbindings");
    wanted.store(true, Ordering::Relaxed);
    let missing = garden.missing(&is_needed).unwrap();
    assert!(missing.contains("the list of secretbindings.core.gardener.cloud"), "{missing}");
    let get = |name| snapshot.load().get::<SecretBinding>(("garden-a", name));
    until(|| snapshot.load().absence_is_known(Kind::SecretBinding)).await;
    let unknown = get("b");
    assert!(
        matches!(&unknown, Err(Unknown::Reason(why)) if why.contains("not read yet")),
        "{unknown:?}"
    );

    fake.script().forbidden.remove("secretbindings");
    until(|| garden.missing(&is_needed).is_none()).await;
    assert!(get("b").unwrap().is_some());
    assert_eq!(get("c").map(|_| ()), Err(Unknown::Unconfirmed));
}
