// SPDX-License-Identifier: Apache-2.0
use std::mem;
use std::slice::from_ref;
use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{AsNew, defaults, maintenance};
use crate::coverage::Unjudged;
use crate::forecast::{Forecast, Profiles, forecast};
use garden_gate_core::admission::{
    Case, EntryPoint, EntryPoints, Finding, Kind, Question, Request, Review, Rule, Silenced,
    Undetermined, Verdict, World, heed,
};
use garden_gate_core::config::{Config, Level};
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_core::policies::{
    self, Allowance, JudgedConfiguration, OwnPolicy, Policies, PolicyCache, PolicyRemarks,
};
use garden_gate_core::rules;
use garden_gate_core::stored::{CompletionError, sent_and_stored};
use garden_gate_model::api::{Named, ObjectMeta, Shoot, Tolerated, Toleration, UserInfo};
use garden_gate_text::json::{Json, decode};

/// The occasion on which a finding about a stored object matters.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// With every write of the object, even one that does not change the cause of the finding.
    EveryWrite,
    /// If the current object is created again, for example when it is restored, moved, or copied.
    Create,
    /// In the current state, without any write.
    Current,
}

impl Trigger {
    /// Returns the occasion as text for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Trigger::EveryWrite => "with every write",
            Trigger::Create => "if created again",
            Trigger::Current => "in its current state",
        }
    }
}

/// Findings about a stored object.
#[derive(Debug, Default)]
pub struct Audited {
    /// The verdict, as for a request, with an empty patch.
    pub review: Review,
    /// The occasion of each finding.
    pub occasions: Vec<Trigger>,
    /// Violations of policies that an API server only records, one sentence each.
    pub notes: Vec<String>,
    /// Policies that are not evaluated.
    pub unjudged: Vec<Unjudged>,
    /// The configurations that definitions of extensions describe.
    pub configurations: Vec<JudgedConfiguration>,
    /// The forecast, if the auditor foresees maintenance and one is possible.
    pub forecast: Option<Box<Forecast>>,
}

/// Judges the stored objects of a garden.
///
/// It sends no requests: answers that the garden lacks remain undetermined. It assumes that the creators of objects had
/// all permissions.
#[derive(Clone, Debug)]
pub struct Auditor<'a> {
    pub(super) garden: Snapshot,
    rules: &'static [&'static Rule],
    config: &'a Config,
    now: Timestamp,
    /// The entry point used when an object is judged as new.
    pub(super) anew: EntryPoint,
    /// A placeholder user without groups.
    user: UserInfo,
    /// Profiles that were looked up before.
    profiles: Arc<Profiles>,
    /// The compiled policies of the garden; `None` if an API server evaluates them.
    policies: Option<Arc<PolicyCache>>,
    /// The policies of operators.
    own_policies: Arc<[OwnPolicy]>,
    /// The number of objects of the garden, which share the effort of policies.
    objects: usize,
    /// The end of the forecasts that callers want.
    until: Option<Timestamp>,
    /// The same audit with another configuration, whose findings are omitted.
    base: Option<Box<Auditor<'a>>>,
}

impl<'a> Auditor<'a> {
    /// Returns an auditor of a garden with a configuration, as of `now`.
    pub fn new(garden: &Snapshot, config: &'a Config, now: Timestamp) -> Self {
        let user = UserInfo { username: "(whoever made it)".to_owned(), ..UserInfo::default() };
        Self {
            garden: garden.clone().asking_for_verbs(),
            rules: rules::ALL,
            config,
            now,
            anew: EntryPoint::Review,
            user,
            profiles: Arc::default(),
            policies: Some(Arc::default()),
            own_policies: Arc::new([]),
            objects: garden.counts().values().sum(),
            until: None,
            base: None,
        }
    }

    /// Omits all findings and undetermined checks that an audit with the configuration `base` has, too.
    #[must_use]
    pub fn compared_with(self, base: &'a Config) -> Self {
        let base = Self { config: base, ..self.clone() };
        Self { base: Some(Box::new(base)), ..self }
    }

    /// Skips the checks that an API server makes before it calls webhooks, those of extensions, and policies.
    ///
    /// The server does not watch all objects that these checks need.
    #[must_use]
    pub fn of_server(self) -> Self {
        Self { anew: EntryPoint::Audit, rules: &rules::WITHOUT_EXTENSIONS, policies: None, ..self }
    }

    /// Also evaluates policies of operators.
    #[must_use]
    pub fn with_policies(self, own_policies: Arc<[OwnPolicy]>) -> Self {
        Self { own_policies, ..self }
    }

    /// Shares profiles that were looked up in the same garden.
    #[must_use]
    pub fn with_profiles(self, profiles: Arc<Profiles>) -> Self {
        Self { profiles, ..self }
    }

    /// Also returns the maintenance of Shoots until `until`, which audits foresee in part anyway.
    #[must_use]
    pub fn foreseeing(self, until: Timestamp) -> Self {
        Self { until: Some(until), ..self }
    }

    /// Returns the garden.
    pub fn garden(&self) -> &Snapshot {
        &self.garden
    }

    /// Returns the configuration by which objects are judged.
    pub fn config(&self) -> &Config {
        self.config
    }

    /// Returns the rules by which objects are judged.
    pub fn rules(&self) -> &'static [&'static Rule] {
        self.rules
    }

    /// Returns the time of the audit.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns a sentence for each default toleration of the configuration that matches no taint of a Seed.
    pub fn notes(&self) -> Vec<String> {
        let Ok(seeds) = self.garden.seeds() else {
            return Vec::new();
        };
        let taints: Vec<&Toleration> = seeds.flat_map(|seed| &seed.spec.taints).collect();
        let defaults = self.config.tolerations.defaults.iter();
        let unused = defaults.filter(|entry| {
            let tolerated = Tolerated::by(from_ref(*entry));
            !taints.iter().any(|taint| tolerated.untolerated(from_ref(taint)).is_empty())
        });
        let notes = unused.map(|entry| {
            format!("no Seed has a taint that `{entry}` tolerates, a default of the configuration")
        });
        notes.collect()
    }

    /// Judges a stored object.
    pub fn object(&self, key: &ObjectKey, stored: &RawValue) -> Audited {
        let mut audited = self.object_alone(key, stored);
        if let Some(base) = &self.base {
            audited.omit(&base.object_alone(key, stored).review);
            if key.kind == Kind::Shoot {
                self.compare_defaults(base, key, stored, &mut audited);
            }
        }
        audited
    }

    /// Adds findings about defaults that differ from those of `base`.
    fn compare_defaults(
        &self,
        base: &Self,
        key: &ObjectKey,
        stored: &RawValue,
        audited: &mut Audited,
    ) {
        if !rules::DEFAULTS.is_on(self.config) {
            return;
        }
        let metadata = decode::<Named>(stored.get()).map(|it| it.metadata).unwrap_or_default();
        let without = self.garden.without([key.clone()]);
        let new = AsNew::of(key.kind, stored, &self.garden);
        let mut requests = vec![(Trigger::EveryWrite, stored, &self.garden)];
        if metadata.deletion_timestamp.is_none() {
            requests.push((Trigger::Create, &new.object, &without));
        }
        for (occasion, object, garden) in requests {
            let request = self.request(key, object, occasion == Trigger::EveryWrite);
            let specs = [base, self].map(|it| it.stored_spec(&request, garden));
            let (before, after) = match specs {
                [Ok(Some(before)), Ok(Some(after))] => (before, after),
                [Err(why), _] | [_, Err(why)] => {
                    let message = format!("cannot tell which defaults change: {why}");
                    let unknown = Undetermined::new(rules::DEFAULTS.id, String::new(), message);
                    audited.add_undetermined(unknown);
                    continue;
                }
                _ => continue,
            };
            let found = rules::DEFAULTS.find(self.config, |findings| {
                defaults::report([&before, &after], [base.config, self.config], findings);
            });
            let (found, silenced) = heed(&metadata.annotations, (self.config, self.now), found);
            for finding in found {
                let mut known = audited.review.findings.iter();
                if !known.any(|it| is_same(it, &finding)) {
                    audited.review.findings.push(finding);
                    audited.occasions.push(occasion);
                }
            }
            for it in silenced {
                audited.add_silenced(it);
            }
        }
    }

    /// Returns the `spec` that Gardener stores for a request; `None` if it refuses the request, or that is undetermined.
    ///
    /// # Errors
    /// Fails if the object cannot be completed.
    fn stored_spec(
        &self,
        request: &Request<'_>,
        garden: &Snapshot,
    ) -> Result<Option<Value>, CompletionError> {
        let review = self.judge(EntryPoint::Mutate, request, garden);
        if review.verdict() != Verdict::Allowed {
            return Ok(None);
        }
        let version = self.config.gardener_version;
        let changes = (&review.patch, &review.extension_edits[..]);
        let (_, mut stored) = sent_and_stored(request, changes, (Some(garden), version))?;
        Ok(stored.get_mut("spec").map(Value::take))
    }

    fn object_alone(&self, key: &ObjectKey, stored: &RawValue) -> Audited {
        let metadata = decode::<Named>(stored.get());
        // Rules report objects that cannot be parsed.
        let metadata = metadata.map(|it| it.metadata).unwrap_or_default();
        let mut audited = Audited::default();
        let allowance = Allowance::of_object(self.objects);
        let written = self.judge_with_policies(
            (EntryPoint::Audit, &allowance),
            &self.request(key, stored, true),
            (&self.garden, &mut audited),
        );
        audited.add(written, Trigger::EveryWrite);
        // An object that is being deleted is not created again.
        if metadata.deletion_timestamp.is_none() {
            let made = self.judge_as_new(key, stored, &allowance, &mut audited);
            audited.add(made, Trigger::Create);
            if key.kind == Kind::Shoot {
                self.look_ahead(stored, &metadata, &mut audited);
            }
        }
        audited
    }

    /// Adds findings about the next maintenance.
    fn look_ahead(&self, stored: &RawValue, metadata: &ObjectMeta, audited: &mut Audited) {
        if !rules::MAINTENANCE_FAILS.is_on(self.config) {
            return;
        }
        let Ok(shoot) = decode::<Shoot>(stored.get()) else { return };
        let Some(soon) = maintenance::soon(self.now) else { return };
        let until = self.until.filter(|it| *it >= soon);
        let world = self.world(&self.garden);
        let key = shoot.profile(&shoot.metadata.namespace);
        let profile = key.map(|key| self.profiles.get(&key, &self.garden));
        let Some(Ok(profile)) = profile.as_deref() else { return };
        let value = Json::text(stored.get()).to_value();
        let Ok(foreseen) = forecast(value, profile, &world, until.unwrap_or(soon)) else { return };
        let failures = maintenance::failures(&shoot, &foreseen, soon, self.config);
        audited.forecast = until.map(|_| Box::new(foreseen));
        let (found, silenced) = heed(&metadata.annotations, (self.config, self.now), failures);
        let review = Review { findings: found, silenced, ..Review::default() };
        audited.add(review, Trigger::Current);
    }

    pub(super) fn request<'r>(
        &self,
        key: &ObjectKey,
        stored: &'r RawValue,
        is_there: bool,
    ) -> Request<'r> {
        let objects = [Some(stored), is_there.then_some(stored)];
        Request {
            name: key.name.clone(),
            namespace: key.namespace.clone(),
            is_stored: true,
            ..Request::of_objects(key.kind, self.user.clone(), objects)
        }
    }

    /// Judges a request by rules and policies, whose remarks are added to `audited`.
    ///
    /// The requesting user is unknown.
    pub(super) fn judge_with_policies(
        &self,
        (entry_point, allowance): (EntryPoint, &Allowance),
        request: &Request<'_>,
        (garden, audited): (&Snapshot, &mut Audited),
    ) -> Review {
        let policies = Policies {
            cache: self.policies.as_deref(),
            own: &self.own_policies,
            is_user_known: false,
            is_enforced: false,
        };
        let limited = (policies, allowance);
        let world = self.world(garden);
        let mut judge = |request: &Request<'_>| self.judge(entry_point, request, garden);
        let (review, remarks) = policies::decide(request, &world, limited, &mut judge);
        audited.add_remarks(remarks);
        review
    }

    fn world<'w>(&'w self, garden: &'w Snapshot) -> World<'w> {
        World { rules: self.rules.into(), garden, config: self.config, now: self.now }
    }

    fn judge(&self, entry_point: EntryPoint, request: &Request<'_>, garden: &Snapshot) -> Review {
        let world = self.world(garden);
        Case::decide(entry_point, request, &world, |garden, questions| {
            for question in questions {
                match question {
                    Question::Access(asked) => garden.answer_access(asked, Ok(true)),
                    other => garden.answer_unknown(other, "an audit asks the API server nothing"),
                }
            }
        })
    }
}

impl Audited {
    /// Adds findings of an occasion that no earlier occasion had.
    fn add(&mut self, review: Review, occasion: Trigger) {
        let Review { findings, silenced, undetermined, .. } = review;
        for finding in findings {
            let mut found = self.review.findings.iter();
            if !found.any(|it| is_same(it, &finding)) {
                self.occasions.push(match occasion {
                    // A warning refuses nothing, so it is about the current state.
                    Trigger::Create if finding.level != Level::Deny => Trigger::Current,
                    _ if is_standing(&finding) => Trigger::Current,
                    occasion => occasion,
                });
                self.review.findings.push(finding);
            }
        }
        for silenced in silenced {
            self.add_silenced(silenced);
        }
        for unknown in undetermined {
            self.add_undetermined(unknown);
        }
    }

    /// Adds an undetermined check, unless an earlier occasion had it.
    fn add_undetermined(&mut self, unknown: Undetermined) {
        let is_same = |it: &Undetermined| {
            (it.level, &it.field, &it.message) == (unknown.level, &unknown.field, &unknown.message)
        };
        if !self.review.undetermined.iter().any(is_same) {
            self.review.undetermined.push(unknown);
        }
    }

    /// Adds the results of policies that are not part of a verdict, each once.
    fn add_remarks(&mut self, remarks: PolicyRemarks) {
        for note in remarks.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.configurations.extend(remarks.configurations);
        for unjudged in remarks.unjudged.into_iter().map(Unjudged::from) {
            if !self.unjudged.contains(&unjudged) {
                self.unjudged.push(unjudged);
            }
        }
    }

    /// Omits the findings and undetermined checks of another review of the object.
    fn omit(&mut self, known: &Review) {
        let is_known = |it: &Finding| {
            known.findings.iter().any(|known| {
                (known.finding, known.level, &known.pointer) == (it.finding, it.level, &it.pointer)
            })
        };
        let found =
            mem::take(&mut self.review.findings).into_iter().zip(mem::take(&mut self.occasions));
        (self.review.findings, self.occasions) = found.filter(|(it, _)| !is_known(it)).unzip();
        let mut undetermined = mem::take(&mut self.review.undetermined);
        undetermined.retain(|it| !known.undetermined.contains(it));
        self.review.undetermined = undetermined;
    }

    fn add_silenced(&mut self, silenced: Silenced) {
        let Some(known) = self.review.silenced.iter_mut().find(|it| it.id == silenced.id) else {
            self.review.silenced.push(silenced);
            return;
        };
        for finding in silenced.findings {
            if !known.findings.iter().any(|it| is_same(it, &finding)) {
                known.findings.push(finding);
            }
        }
    }
}

/// Reports whether the finding does not depend on a write.
fn is_standing(finding: &Finding) -> bool {
    rules::find(finding.rule).is_some_and(|rule| rule.entry_points == EntryPoints::Audit)
}

pub(super) fn is_same(one: &Finding, other: &Finding) -> bool {
    let key = |it: &Finding| (it.finding, it.level);
    key(one) == key(other) && one.pointer == other.pointer && one.message == other.message
}
