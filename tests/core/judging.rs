//! Judging in process: a small garden, a request, a verdict.

use std::sync::Arc;

use garden_gate::config::{Config, Level, Profile, TolerationLists};
use garden_gate::defaults;
use garden_gate::engine::{
    Answer, Answers, Door, Judgement, Question, Request, Review, Verdict, World, judge,
};
use garden_gate::garden::{AccessAnswer, Collection, GardenObject, Knowledge, Lookup, Snapshot};
use garden_gate::model::{RegionConfig, Toleration};
use garden_gate::rules;
use serde_json::{Value, json};

/// What a row of a matrix starts from; rows change what they need.
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) garden: Snapshot,
    /// The custom verbs that the requester has; asked as a live garden would ask.
    pub(crate) verbs: Vec<&'static str>,
    pub(crate) user: &'static str,
    pub(crate) groups: Vec<&'static str>,
    pub(crate) now: &'static str,
    pub(crate) region_configs: Vec<Arc<RegionConfig>>,
    pub(crate) default_domains: Vec<&'static str>,
    /// What a list of everything that may be deleted at once shows; what the watch showed if not set.
    pub(crate) listed: Option<Collection>,
}

impl Setup {
    /// Profile `gardener`, Project `p` with namespace `garden-p` and these toleration lists (`None`: no block at all).
    pub(crate) fn with_project(tolerations: Option<Value>) -> Self {
        let mut spec = json!({"namespace": "garden-p"});
        if let Some(tolerations) = tolerations {
            spec["tolerations"] = tolerations;
        }
        let mut garden = Snapshot::new(Knowledge::Watched);
        garden.apply(project("p", spec));
        let config = Config {
            profile: Profile::Gardener,
            ..Config::default()
        };
        Self {
            config,
            garden,
            verbs: vec![],
            user: "alice",
            groups: vec![],
            now: "2026-01-01T00:00:00Z",
            region_configs: vec![],
            default_domains: vec![],
            listed: None,
        }
    }

    pub(crate) fn global(mut self, defaults: &[&str], whitelist: &[&str]) -> Self {
        self.config.tolerations = TolerationLists {
            defaults: list(defaults),
            whitelist: list(whitelist),
        };
        self
    }

    pub(crate) fn verbs(mut self, verbs: &[&'static str]) -> Self {
        self.verbs = verbs.to_vec();
        self
    }

    pub(crate) fn user(mut self, user: &'static str, groups: &[&'static str]) -> Self {
        self.user = user;
        self.groups = groups.to_vec();
        self
    }

    pub(crate) fn review(&self, request: &Value) -> Review {
        let mut request = request.clone();
        request["uid"] = json!("uid");
        request["userInfo"] = json!({"username": self.user, "groups": self.groups});
        let review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
        let body = review.to_string();
        let request = Request::from_review(body.as_bytes()).unwrap();
        let now = self.now.parse().unwrap();
        let world = World {
            rules: rules::ALL,
            garden: &self.garden,
            config: &self.config,
            now,
        };
        let mut answers = Answers::new();
        loop {
            match judge(Door::Review, &request, &world, &answers) {
                Judgement::Review(review) => return review,
                Judgement::Questions(questions) => {
                    answers.extend(questions.into_iter().map(|question| {
                        let answer = self.answer(&question);
                        (question, answer)
                    }));
                }
            }
        }
    }

    fn answer(&self, question: &Question) -> Answer {
        match question {
            Question::Access(asked) if self.verbs.contains(&asked.verb) => {
                Answer::Access(AccessAnswer::Allowed)
            }
            Question::Access(_) => Answer::Access(AccessAnswer::Denied),
            Question::ProjectOfNamespace(_) => Answer::Project(Ok(None)),
            Question::ExposureClass(_) => Answer::ExposureClass(Ok(None)),
            Question::CloudProfile(_) => Answer::CloudProfile(Ok(None)),
            Question::NamespacedCloudProfile { .. } => Answer::NamespacedCloudProfile(Ok(None)),
            Question::Seed(_) => Answer::Seed(Ok(None)),
            Question::WorkloadIdentity { .. } => Answer::WorkloadIdentity(Ok(None)),
            Question::RegionConfigs => Answer::RegionConfigs(Ok(self.region_configs.clone())),
            Question::DefaultDomains => {
                let domains = self.default_domains.iter().map(|it| (*it).to_owned());
                Answer::DefaultDomains(Ok(domains.collect()))
            }
            Question::Collection { kind, namespace } => {
                let watched = match self.garden.collection(kind.as_str(), namespace) {
                    Lookup::Found(collection) => collection,
                    _ => Collection::default(),
                };
                Answer::Collection(Ok(self.listed.clone().unwrap_or(watched)))
            }
        }
    }
}

pub(crate) fn project(name: &str, spec: Value) -> GardenObject {
    let mut project =
        serde_json::from_value(json!({"metadata": {"name": name}, "spec": spec})).unwrap();
    defaults::project(&mut project);
    GardenObject::Project(project)
}

/// Tolerations from their identities: `foo` or `foo=value`.
pub(crate) fn list(ids: &[&str]) -> Vec<Toleration> {
    let toleration = |id: &&str| match id.split_once('=') {
        None => Toleration::bare(id),
        Some((key, value)) => Toleration::with_value(key, value),
    };
    ids.iter().map(toleration).collect()
}

pub(crate) fn tolerations(ids: &[&str]) -> Value {
    serde_json::to_value(list(ids)).unwrap()
}

/// A request about an object of `core.gardener.cloud/v1beta1`; name and namespace are those of the object.
pub(crate) fn request(
    resource: &str,
    operation: &str,
    object: &Value,
    old: Option<&Value>,
) -> Value {
    json!({
        "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": resource},
        "operation": operation,
        "name": object["metadata"]["name"],
        "namespace": object["metadata"]["namespace"],
        "object": object,
        "oldObject": old,
    })
}

/// The ids of what refuses, in order, each as `<id> <type> <field>`.
pub(crate) fn denials(review: &Review) -> Vec<String> {
    let line = |finding: &garden_gate::engine::Finding| {
        format!("{} {:?} {}", finding.finding, finding.error, finding.field)
    };
    assert!(review.undetermined.is_empty(), "{:?}", review.undetermined);
    let denials: Vec<String> = review
        .findings
        .iter()
        .filter(|finding| finding.level == Level::Deny)
        .map(line)
        .collect();
    assert_eq!(denials.is_empty(), review.verdict() == Verdict::Allowed);
    denials
}
