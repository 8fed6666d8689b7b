// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::fake::Fake;
use super::{anyone, garden, project};
use crate::garden::live::LiveGarden;
use garden_gate_core::garden::{AccessQuestion, GardenObject, ObjectKey};
use garden_gate_model::api::{CORE_GROUP, Kind, UserInfo};

fn exposure_class(name: &str) -> ObjectKey {
    ObjectKey::new(Kind::ExposureClass, "", name)
}

#[tokio::test(start_paused = true)]
async fn the_owner_of_a_namespace_is_found_with_and_without_field_selectors() {
    for selects_no_fields in [false, true] {
        let fake = Fake::default();
        let projects = ["a", "b", "c"].map(|name| project(name, &format!("garden-{name}")));
        fake.script().objects.insert("projects", projects.into());
        fake.script().selects_no_fields = selects_no_fields;
        let (garden, _) = garden(&fake);
        let found = garden.project_of_namespace(&anyone(&garden), "garden-c").await.unwrap();
        assert_eq!(found.unwrap().key().name, "c", "{selects_no_fields}");
        assert!(garden.project_of_namespace(&anyone(&garden), "garden-d").await.unwrap().is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_found_is_defaulted() {
    let fake = Fake::default();
    fake.script().objects.insert("projects", vec![project("garden", "garden")]);
    let (garden, _) = garden(&fake);
    let found = garden.project_of_namespace(&anyone(&garden), "garden").await.unwrap().unwrap();
    let GardenObject::Project(found) = found else {
        panic!("{found:?}");
    };
    assert_eq!(found.spec.tolerations.as_ref().unwrap().whitelist.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn many_who_miss_the_same_object_cause_one_request() {
    let fake = Fake::default();
    let (garden, _) = garden(&fake);
    let key = exposure_class("x");
    let asker = anyone(&garden);
    let answers = join_all((0..100).map(|_| garden.object(&asker, &key))).await;
    assert!(answers.iter().all(|answer| matches!(answer, Ok(None))));
    assert_eq!(fake.count("/exposureclasses/x"), 1);
}

#[tokio::test(start_paused = true)]
async fn absent_and_not_served_are_two_things() {
    let fake = Fake::default();
    fake.script().not_served.insert("exposureclasses");
    let (garden, _) = garden(&fake);
    let why = garden.object(&anyone(&garden), &exposure_class("x")).await.unwrap_err();
    let expected = "failed to get exposureclasses.core.gardener.cloud: the API server answered 404";
    assert!(why.starts_with(expected), "{why}");
    fake.script().not_served.clear();
    let found = garden.object(&anyone(&garden), &exposure_class("x")).await;
    assert!(matches!(found, Ok(None)), "{found:?}");
}

#[tokio::test(start_paused = true)]
async fn an_object_that_cannot_be_read_is_not_absent() {
    let fake = Fake::default();
    let bad = json!({"metadata": {"name": "x"}, "scheduling": 7});
    fake.script().objects.insert("exposureclasses", vec![bad]);
    let (garden, _) = garden(&fake);
    let why = garden.object(&anyone(&garden), &exposure_class("x")).await.unwrap_err();
    assert!(why.starts_with("the stored ExposureClass `x` does not have the shape"), "{why}");
}

#[tokio::test(start_paused = true)]
async fn a_name_that_cannot_be_is_absent_without_a_request() {
    let fake = Fake::default();
    let (garden, _) = garden(&fake);
    let found = garden.object(&anyone(&garden), &exposure_class("../../secrets")).await;
    assert!(matches!(found, Ok(None)), "{found:?}");
    let found = garden.project_of_namespace(&anyone(&garden), "a,b=c").await;
    assert!(matches!(found, Ok(None)), "{found:?}");
    assert_eq!(fake.count(""), 0);
}

fn shoot(name: &str, confirmed: bool) -> Value {
    let value = if confirmed { "true" } else { "no" };
    json!({"metadata": {"name": name, "annotations": {"confirmation.gardener.cloud/deletion": value}}})
}

#[tokio::test(start_paused = true)]
async fn many_who_ask_about_a_collection_cause_one_list_and_see_changes_soon() {
    let fake = Fake::default();
    let shoots =
        [("a", true), ("b", false), ("c", true)].map(|(name, confirmed)| shoot(name, confirmed));
    fake.script().objects.insert("shoots", shoots.into());
    let (garden, _) = garden(&fake);
    let asker = anyone(&garden);
    let ask = || garden.collection(&asker, Kind::Shoot, "garden-dev");
    for answer in join_all((0..100).map(|_| ask())).await {
        let collection = answer.unwrap();
        assert_eq!(collection.unconfirmed().collect::<Vec<_>>(), ["b"]);
        assert_eq!(collection.confirmed().count(), 2);
    }
    // Two pages.
    assert_eq!(fake.count("/namespaces/garden-dev/shoots"), 2);
    fake.script().objects.insert("shoots", vec![shoot("b", true)]);
    tokio::time::advance(std::time::Duration::from_millis(1_100)).await;
    assert_eq!(ask().await.unwrap().unconfirmed().count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_collection_that_may_not_be_listed_is_not_empty() {
    let fake = Fake::default();
    fake.script().forbidden.insert("shootstates");
    let (garden, _) = garden(&fake);
    let asker = anyone(&garden);
    let why = garden.collection(&asker, Kind::ShootState, "ns").await;
    let expected = "failed to list shootstates.core.gardener.cloud: the API server answered 403: no; grant the verb list on it";
    assert_eq!(why, Err(expected.to_owned()));
}

fn question() -> AccessQuestion {
    AccessQuestion {
        verb: "manage-members",
        group: CORE_GROUP,
        resource: "projects",
        subresource: "",
        namespace: String::new(),
        name: "dev".to_owned(),
    }
}

/// The address from which the API server's own requests come.
const HOME: u8 = 1;

async fn access(
    garden: &LiveGarden,
    peer: u8,
    user: &UserInfo,
    question: &AccessQuestion,
) -> Result<bool, String> {
    let peer = IpAddr::from([127, 0, 0, peer]);
    let asker = garden.asker(Some(peer), user);
    garden.access(&asker, user, question).await
}

#[tokio::test(start_paused = true)]
async fn subject_access_review_contains_all_user_info() {
    let fake = Fake::default();
    fake.script().allows = true;
    let (garden, _) = garden(&fake);
    let user = UserInfo {
        username: "alice".to_owned(),
        uid: "u1".to_owned(),
        groups: vec!["g".to_owned()],
        extra: BTreeMap::from([("k".to_owned(), vec!["v".to_owned()])]),
    };
    for _ in 0..3 {
        assert_eq!(access(&garden, HOME, &user, &question()).await, Ok(true));
    }
    let script = fake.script();
    let [(line, body)] = &script.requests[..] else {
        panic!("{:?}", script.requests);
    };
    assert_eq!(line, "POST /apis/authorization.k8s.io/v1/subjectaccessreviews?");
    let attributes = json!({
        "verb": "manage-members", "group": "core.gardener.cloud", "resource": "projects",
        "subresource": "", "namespace": "", "name": "dev",
    });
    let spec = json!({
        "user": "alice", "uid": "u1", "groups": ["g"], "extra": {"k": ["v"]},
        "resourceAttributes": attributes,
    });
    assert_eq!(body["spec"], spec);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_asked_about_again_soon() {
    let fake = Fake::default();
    let (garden, _) = garden(&fake);
    let user = UserInfo::default();
    assert_eq!(access(&garden, HOME, &user, &question()).await, Ok(false));
    fake.script().allows = true;
    assert_eq!(access(&garden, HOME, &user, &question()).await, Ok(false));
    tokio::time::advance(std::time::Duration::from_millis(2_100)).await;
    assert_eq!(access(&garden, HOME, &user, &question()).await, Ok(true));
}

fn user(name: &str) -> UserInfo {
    UserInfo { username: name.to_owned(), ..UserInfo::default() }
}

/// Starts 200 clients at these addresses, which ask continuously in the names of `users` users.
fn flood(garden: &Arc<LiveGarden>, peers: &'static [u8], users: usize) -> JoinSet<()> {
    let mut flood = JoinSet::new();
    for client in 0..200 {
        let garden = Arc::clone(garden);
        flood.spawn(async move {
            let peer = peers[client % peers.len()];
            for number in (client..).step_by(200) {
                let (user, mut question) =
                    (user(&format!("nobody-{}", number % users)), question());
                question.name = format!("invented-{number}");
                let _ = access(&garden, peer, &user, &question).await;
            }
        });
    }
    flood
}

/// Returns how many of alice's questions, one a second, are not answered within 4.5 s.
///
/// That is the limit under `?timeout=5s`.
async fn unanswered(garden: &Arc<LiveGarden>, questions: usize) -> usize {
    let mut asking = JoinSet::new();
    for number in 0..questions {
        let (garden, mut question) = (Arc::clone(garden), question());
        question.name = format!("project-{number}");
        asking.spawn(async move {
            let alice = user("alice");
            let answer = access(&garden, HOME, &alice, &question);
            let answer = timeout(Duration::from_millis(4_500), answer).await;
            answer != Ok(Ok(true))
        });
        sleep(Duration::from_secs(1)).await;
    }
    let answers = asking.join_all().await;
    answers.into_iter().filter(|it| *it).count()
}

/// Returns an API server that takes two seconds per review and allows only alice.
fn slow() -> Fake {
    let fake = Fake::default();
    fake.script().allowed_user = Some("alice");
    fake.script().review_takes = Duration::from_secs(2);
    fake
}

#[rstest]
#[case::other_peers(&[2, 3, 4], usize::MAX, false, 0)]
#[case::other_peers_few_users(&[2], 200, false, 0)]
#[case::same_peer(&[HOME], usize::MAX, true, 0)]
#[case::same_peer_few_users(&[HOME], 200, true, 0)]
// A user without history has no priority over invented users for a second.
#[case::same_peer_unknown_user(&[HOME], usize::MAX, false, 2)]
#[tokio::test(start_paused = true)]
async fn invented_users_delay_no_other_client(
    #[case] peers: &'static [u8],
    #[case] users: usize,
    #[case] is_known: bool,
    #[case] most: usize,
) {
    let fake = slow();
    let (garden, _) = garden(&fake);
    if is_known {
        assert_eq!(unanswered(&garden, 1).await, 0);
    }
    let mut flood = flood(&garden, peers, users);
    sleep(Duration::from_secs(11)).await;
    let unanswered = unanswered(&garden, 40).await;
    assert!(unanswered <= most, "{unanswered}");
    flood.shutdown().await;
    assert!(fake.script().most_reviews <= 16);
    assert!(fake.script().most_reviews >= 12);
}

#[tokio::test(start_paused = true)]
async fn projects_are_listed_once_for_all_who_own_no_namespace() {
    let fake = Fake::default();
    let projects = ["a", "b"].map(|name| project(name, &format!("garden-{name}")));
    fake.script().objects.insert("projects", projects.into());
    fake.script().selects_no_fields = true;
    let (garden, _) = garden(&fake);
    let names: Vec<String> = (0..50).map(|number| format!("made-up-{number}")).collect();
    let asker = anyone(&garden);
    let ask = |name| garden.project_of_namespace(&asker, name);
    for answer in join_all(names.iter().map(|name| ask(name))).await {
        assert!(matches!(answer, Ok(None)), "{answer:?}");
    }
    assert_eq!(fake.count("/projects?&limit=50"), 1);
}

#[tokio::test(start_paused = true)]
async fn published_version_is_read_from_gardener_info() {
    let fake = Fake::default();
    let (garden, _) = garden(&fake);
    assert_eq!(garden.published_version().await, Some(Ok(None)));
    let line = "GET /api/v1/namespaces/gardener-system-public/configmaps/gardener-info";
    assert_eq!(fake.count(line), 1);
    let publish = |data: &str| {
        let metadata = json!({"name": "gardener-info", "namespace": "gardener-system-public"});
        let info = json!({"metadata": metadata, "data": {"gardenerAPIServer": data}});
        fake.script().objects.insert("configmaps", vec![info]);
    };
    publish("version: v1.145.4");
    let published = garden.published_version().await.unwrap().unwrap().unwrap();
    assert_eq!(published.text, "v1.145.4");
    assert_eq!(published.version.to_string(), "1.145");
    publish("version: [");
    let why = garden.published_version().await.unwrap().unwrap_err();
    assert!(why.ends_with("of `data.gardenerAPIServer` is not valid YAML"), "{why}");
    fake.script().forbidden.insert("configmaps");
    let why = garden.published_version().await.unwrap().unwrap_err();
    assert_eq!(why, "failed to get configmaps: the API server answered 403: no");
    fake.script().is_gone = true;
    assert_eq!(garden.published_version().await, None);
}
