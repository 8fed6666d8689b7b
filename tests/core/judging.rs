// SPDX-License-Identifier: Apache-2.0
//! Helpers for judging a request in process, in a small garden.

use crate::{fixes, hints, sweep};

use garden_gate_core::admission::{
    Case, EntryPoint, EntryPoints, Question, Request, Review, Rule, Verdict, World,
};
use garden_gate_core::config::{Config, Level, Profile, TolerationLists};
use garden_gate_core::garden::{Collection, GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Toleration;
use garden_gate_model::gardener::defaults;
use serde_json::{Value, json};

/// The initial situation of a matrix; rows change it as necessary.
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) garden: Snapshot,
    /// The custom verbs of the requesting user, looked up as in a live garden.
    pub(crate) verbs: Vec<&'static str>,
    pub(crate) user: &'static str,
    pub(crate) groups: Vec<&'static str>,
    pub(crate) now: &'static str,
    /// Objects of kinds of which only labelled objects matter.
    pub(crate) labelled: Vec<GardenObject>,
    /// The answer to the list for a deletion of many objects; the content of the watch if not set.
    pub(crate) listed: Option<Collection>,
}

impl Setup {
    /// Returns profile `gardener` and Project `p` in namespace `garden-p`.
    ///
    /// The Project has these toleration lists; `None` leaves them out.
    pub(crate) fn with_project(tolerations: Option<Value>) -> Self {
        let mut spec = json!({"namespace": "garden-p"});
        if let Some(tolerations) = tolerations {
            spec["tolerations"] = tolerations;
        }
        let mut garden = Snapshot::new(Knowledge::Watched);
        garden.apply(project("p", spec));
        let config = Config { profile: Profile::Gardener, ..Config::default() };
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

    /// Adds a seed that accepts any Shoot of this provider.
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
        self.config.tolerations =
            TolerationLists { defaults: list(defaults), whitelist: list(whitelist) };
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

    /// Judges with the usual rules; rules that deny only in `review` would have many findings about small objects.
    pub(crate) fn review(&self, request: &Value) -> Review {
        let rules = usual_rules();
        let review = self.judged(&rules, &self.config, request);
        hints::note(request, &review, |it| self.judged(&rules, &self.config, it));
        let config = sweep::everything_on(&self.config, &rules);
        let judge = |request: &Value| self.judged(rules::ALL, &config, request);
        fixes::note(request, judge);
        sweep::note(&review, || self.judged(&rules, &config, request));
        review
    }

    /// Judges with all rules.
    pub(crate) fn review_wholly(&self, request: &Value) -> Review {
        self.review_with(rules::ALL, request)
    }

    /// Judges with some rules.
    pub(crate) fn review_with(&self, rules: &[&'static Rule], request: &Value) -> Review {
        let review = self.judged(rules, &self.config, request);
        fixes::note(request, |it| self.judged(rules, &self.config, it));
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
        let world = World { rules: rules.into(), garden: &self.garden, config, now };
        Case::decide(EntryPoint::Review, &request, &world, |garden, questions| {
            for question in questions {
                self.answer(garden, question);
            }
        })
    }

    fn answer(&self, garden: &mut Snapshot, question: Question) {
        match question {
            Question::Access(asked) => {
                let may = self.verbs.contains(&asked.verb);
                garden.answer_access(asked, Ok(may));
            }
            Question::Object(_) | Question::ProjectOfNamespace(_) => {
                garden.answer_object(question, None);
            }
            Question::Labelled(kind) => {
                let labelled = self.labelled.iter().filter(|it| it.key().kind == kind);
                garden.answer_labelled(kind, labelled.cloned());
            }
            Question::Collection { kind, namespace } => {
                let watched = self.garden.collection(kind, &namespace, |_| false);
                let collection = self.listed.clone().or(watched.ok()).unwrap_or_default();
                garden.answer_collection(kind, namespace, collection);
            }
        }
    }
}

/// Returns the rules that run at every entry point, and those of `review` that only warn.
pub(crate) fn usual_rules() -> Vec<&'static Rule> {
    let only_warns = |rule: &Rule| rule.levels.documented == Level::Warn;
    let rules = rules::ALL.iter().copied();
    let usual = rules.filter(|rule| rule.entry_points == EntryPoints::All || only_warns(rule));
    usual.collect()
}

pub(crate) fn project(name: &str, spec: Value) -> GardenObject {
    let mut project =
        serde_json::from_value(json!({"metadata": {"name": name}, "spec": spec})).unwrap();
    defaults::project(&mut project);
    GardenObject::from(project)
}

/// Parses tolerations from their identities: `foo` or `foo=value`.
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

/// Returns a request for an object of `core.gardener.cloud/v1beta1`, with name and namespace of the object.
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

/// Returns the findings that deny, in order, as `<id> <type> <field>`.
pub(crate) fn denials(review: &Review) -> Vec<String> {
    let line = |finding: &garden_gate_core::admission::Finding| {
        format!("{} {:?} {}", finding.finding, finding.error, finding.field)
    };
    assert!(review.undetermined.is_empty(), "{:?}", review.undetermined);
    let denials: Vec<String> =
        review.findings.iter().filter(|finding| finding.level == Level::Deny).map(line).collect();
    assert_eq!(denials.is_empty(), review.verdict() == Verdict::Allowed);
    denials
}
