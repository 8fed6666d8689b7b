//! Judging in process: a small garden, a request, a verdict.

use crate::{hints, sweep};

use garden_gate::config::{Config, Level, Profile, TolerationLists};
use garden_gate::defaults;
use garden_gate::engine::{Case, EntryPoint, Question, Request, Review, Rule, Verdict, World};
use garden_gate::garden::{AccessAnswer, Collection, GardenObject, Knowledge, Lookup, Snapshot};
use garden_gate::model::Toleration;
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
    /// What is there of kinds of which only objects with a label are of interest.
    pub(crate) labelled: Vec<GardenObject>,
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
            labelled: vec![],
            listed: None,
        }
    }

    /// With a seed that takes any Shoot of this provider.
    pub(crate) fn with_seed(mut self, provider: &str) -> Self {
        let seed = json!({
            "metadata": {"name": "any"},
            "spec": {
                "provider": {"type": provider, "zones": ["a", "b", "c"]},
                "dns": {"internal": {"domain": "internal.io"}, "defaults": [{"domain": "example.com"}]},
                "networks": {"shootDefaults": {"pods": "100.96.0.0/11", "services": "100.64.0.0/13"}},
            },
            "status": {"gardener": {"version": "v1"}},
        });
        let mut seed = serde_json::from_value(seed).unwrap();
        defaults::seed(&mut seed);
        self.garden.apply(GardenObject::from(seed));
        self
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

    /// What the usual rules say; those that refuse in `review` alone would have much to say about small objects.
    pub(crate) fn review(&self, request: &Value) -> Review {
        let rules = usual_rules();
        let review = self.judged(&rules, &self.config, request);
        hints::note(request, &review, |it| self.judged(&rules, &self.config, it));
        sweep::note(&review, || {
            let config = sweep::everything_on(&self.config, &rules);
            self.judged(&rules, &config, request)
        });
        review
    }

    /// What all rules say.
    pub(crate) fn review_wholly(&self, request: &Value) -> Review {
        self.review_with(rules::ALL, request)
    }

    /// What some rules say.
    pub(crate) fn review_with(&self, rules: &[&'static Rule], request: &Value) -> Review {
        let review = self.judged(rules, &self.config, request);
        hints::note(request, &review, |it| self.judged(rules, &self.config, it));
        review
    }

    fn judged(&self, rules: &[&'static Rule], config: &Config, request: &Value) -> Review {
        let mut request = request.clone();
        request["uid"] = json!("uid");
        request["userInfo"] = json!({"username": self.user, "groups": self.groups});
        let review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
        let body = review.to_string();
        let request = Request::from_review(body.as_bytes()).unwrap();
        let now = self.now.parse().unwrap();
        let world = World {
            rules: rules,
            garden: &self.garden,
            config,
            now,
        };
        Case::decide(EntryPoint::Review, &request, &world, |garden, questions| {
            for question in questions {
                self.tell(garden, question);
            }
        })
    }

    fn tell(&self, garden: &mut Snapshot, question: Question) {
        match question {
            Question::Access(asked) => {
                let answer = match self.verbs.contains(&asked.verb) {
                    true => AccessAnswer::Allowed,
                    false => AccessAnswer::Denied,
                };
                garden.tell_access(asked, answer);
            }
            Question::Object(_) | Question::ProjectOfNamespace(_) => {
                garden.tell_object(question, None);
            }
            Question::Labelled(kind) => {
                let labelled = self.labelled.iter();
                let labelled = labelled.filter(|it| it.key().kind == kind);
                garden.tell_labelled(kind, labelled.cloned());
            }
            Question::Collection { kind, namespace } => {
                let watched = match self.garden.collection(kind, &namespace, |_| false) {
                    Lookup::Found(collection) => collection,
                    _ => Collection::default(),
                };
                let collection = self.listed.clone().unwrap_or(watched);
                garden.tell_collection(kind, namespace, collection);
            }
        }
    }
}

/// The rules that run at every door, and those of `review` that only warn.
pub(crate) fn usual_rules() -> Vec<&'static Rule> {
    let only_warns = |rule: &Rule| rule.levels.documented == Level::Warn;
    let rules = rules::ALL.iter().copied();
    let usual = rules.filter(|rule| rule.door.is_none() || only_warns(rule));
    usual.collect()
}

pub(crate) fn project(name: &str, spec: Value) -> GardenObject {
    let mut project =
        serde_json::from_value(json!({"metadata": {"name": name}, "spec": spec})).unwrap();
    defaults::project(&mut project);
    GardenObject::from(project)
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
