// SPDX-License-Identifier: Apache-2.0
//! Random requests and random old states, each generated from the seed of the run and its number.

use garden_gate_model::api::Kind;
use garden_gate_model::api::extensions::Extension;
use serde_json::{Value, json};

use crate::parity::case::{Case, User};
use crate::parity::change::{Subject, change, copy, places, replace_scalar};
use crate::parity::configurations::{configurations, remove_unused_resources};
use crate::parity::corpus::Corpus;
use crate::parity::shrink::without;
use crate::parity::values::next_to;
use crate::random::Random;

/// Kinds with their relative frequency.
const KINDS: &[(Kind, usize)] = &[
    (Kind::Shoot, 10),
    (Kind::Project, 2),
    (Kind::CloudProfile, 2),
    (Kind::NamespacedCloudProfile, 2),
    (Kind::Seed, 2),
    (Kind::ExposureClass, 1),
    (Kind::SecretBinding, 1),
    (Kind::CredentialsBinding, 1),
    (Kind::Quota, 1),
];

/// Kinds that members of projects may write in the recorded gardens; operators write the others.
const OF_MEMBERS: &[Kind] = &[
    Kind::Shoot,
    Kind::Project,
    Kind::CloudProfile,
    Kind::NamespacedCloudProfile,
    Kind::ExposureClass,
    Kind::SecretBinding,
    Kind::CredentialsBinding,
];

/// Kinds with a status subresource.
const WITH_STATUS: &[Kind] = &[Kind::Shoot, Kind::Project, Kind::Seed];

/// The requests of a run.
pub(crate) struct Requests<'a> {
    pub(crate) seed: u64,
    pub(crate) corpus: &'a Corpus,
    /// The extensions whose configurations are changed; none for Gardener itself.
    pub(crate) extensions: &'a [&'static Extension],
}

impl Requests<'_> {
    /// Returns a request for a new or existing object of a garden; `None` if its kind has no possible request.
    pub(crate) fn request(&self, number: u64, manifests: &[Value]) -> Option<Case> {
        let id = format!("parity-{}/{number}", self.seed);
        self.draw(id, manifests, &mut self.random(number))
    }

    /// Returns an input, or once each was returned, a request that differs a little from one.
    pub(crate) fn after(&self, inputs: &[Case], number: u64, manifests: &[Value]) -> Option<Case> {
        let count = inputs.len() as u64;
        let input = usize::try_from(number.checked_rem(count)?).unwrap();
        let mut case = inputs[input].among(manifests)?;
        if number >= count {
            let mut random = self.random(number);
            for _ in 0..=random.below(3) {
                case = self.next_to(&case, manifests, &mut random);
            }
        }
        case.id = format!("parity-{}/{number}", self.seed);
        Some(case)
    }

    /// Returns an update without one of its changes; `None` if there is none, and for other operations.
    pub(crate) fn undone(case: &Case, random: &mut Random) -> Option<Case> {
        if case.operation() != "UPDATE" {
            return None;
        }
        let changes = json_patch::diff(&case.request["oldObject"], &case.request["object"]).0;
        let change = (!changes.is_empty()).then(|| random.pick(&changes))?;
        without(case, change.path().as_str())
    }

    /// Returns a request as [`Self::request`] does, from other random numbers.
    pub(crate) fn draw(
        &self,
        id: String,
        manifests: &[Value],
        random: &mut Random,
    ) -> Option<Case> {
        let kind = self.a_kind(random)?;
        let name = kind.as_str();
        let user = a_user(name, random);
        if random.below(100) < 45 {
            let mut object = random.pick(self.corpus.valid.get(name)?).clone();
            self.change(&mut object, name, random);
            self.finish(&mut object);
            return Some(Case::new(id, &user, ("", kind.resource()), [Some(&object), None]));
        }
        let stored: Vec<&Value> = manifests.iter().filter(|it| it["kind"] == name).collect();
        if stored.is_empty() {
            return None;
        }
        let old = *random.pick(&stored);
        let operator = operator();
        let mut new = old.clone();
        let (user, sub_resource) = match random.below(100) {
            0..8 => {
                return Some(Case::new(id, &user, ("", kind.resource()), [None, Some(old)]));
            }
            8..14 if kind == Kind::Shoot => {
                let seeds = manifests.iter().filter(|it| it["kind"] == "Seed");
                let seeds: Vec<_> = seeds.map(|it| &it["metadata"]["name"]).collect();
                new["spec"]["seedName"] = (*random.pick(&seeds)).clone();
                if random.below(4) == 0 {
                    self.change(&mut new, name, random);
                }
                (operator, "binding")
            }
            14..22 if WITH_STATUS.contains(&kind) => {
                let status = Subject::of(name, "/status");
                change(&mut new, status, self.corpus, random);
                (operator, "status")
            }
            22..32 => {
                // As if another manifest were applied with the same name.
                let other = random.pick(self.corpus.valid.get(name)?);
                for part in
                    ["spec", "handler", "scheduling", "provider", "secretRef", "credentialsRef"]
                {
                    if let Some(value) = other.get(part) {
                        new[part] = value.clone();
                    }
                }
                (user, "")
            }
            _ => {
                self.change(&mut new, name, random);
                (user, "")
            }
        };
        new["metadata"]["name"] = old["metadata"]["name"].clone();
        Some(Case::new(id, &user, (sub_resource, kind.resource()), [Some(&new), Some(old)]))
    }

    /// Returns another request that differs a little from a request about the same garden.
    pub(crate) fn next_to(&self, case: &Case, manifests: &[Value], random: &mut Random) -> Case {
        let (kind, sub_resource) = (case.kind(), case.sub_resource());
        let mut object = case.request["object"].clone();
        let choice = random.below(12);
        if choice == 0 || object.is_null() {
            let user = match sub_resource {
                "" => a_user(kind, random),
                _ => operator(),
            };
            return case.with_user(&user);
        }
        if choice == 1 {
            let stored: Vec<_> = manifests.iter().filter(|it| it["kind"] == kind).collect();
            let old = (!stored.is_empty()).then(|| *random.pick(&stored));
            if let Some(case) = old.and_then(|it| case.with_old(it)) {
                return case;
            }
        }
        if choice == 2
            && let Some(case) = Self::undone(case, random)
        {
            return case;
        }
        let part = match sub_resource {
            "status" => "/status",
            _ => "",
        };
        match choice {
            3 => replace_scalar(&mut object, part, random, next_to),
            4 => replace_scalar(&mut object, part, random, |value, random| {
                like(value, random.pick(manifests), random)
            }),
            5 => copy(&mut object, random),
            _ if part.is_empty() => self.change(&mut object, kind, random),
            _ => change(&mut object, Subject::of(kind, part), self.corpus, random),
        }
        if case.operation() == "UPDATE" {
            object["metadata"]["name"] = case.request["name"].clone();
        }
        case.with_object(object)
    }

    /// Returns a request for a valid new object of that name; the random numbers differ from [`Self::old_state`].
    pub(crate) fn valid(&self, number: u64, name: &str) -> Option<Case> {
        let mut random = self.random(u64::MAX / 2 - number);
        let kind = self.a_kind(&mut random)?;
        let mut object = random.pick(self.corpus.valid.get(kind.as_str())?).clone();
        object["metadata"]["name"] = json!(name);
        if kind == Kind::Project {
            // The other namespaces are for new objects.
            object["spec"]["namespace"] = json!(format!("garden-{name}"));
        }
        self.finish(&mut object);
        let id = format!("parity-{}/{name}", self.seed);
        let resource = ("", kind.resource());
        Some(Case::new(id, &operator(), resource, [Some(&object), None]))
    }

    /// Returns a possible old state of a new object: changed, perhaps with a status, and perhaps in deletion.
    pub(crate) fn old_state(&self, number: u64, mut object: Value) -> Value {
        let mut random = self.random(u64::MAX - number);
        let kind = object["kind"].as_str().unwrap().to_owned();
        let name = object["metadata"]["name"].clone();
        let own_namespace = object["spec"]["namespace"].clone();
        self.change(&mut object, &kind, &mut random);
        if kind == Kind::Project.as_str() {
            // With several Projects in one namespace, Gardener takes the first one it finds.
            section(&mut object, "spec")["namespace"] = own_namespace;
        }
        if random.below(2) == 0 {
            let status = Subject::of(&kind, "/status");
            change(&mut object, status, self.corpus, &mut random);
        }
        let namespace = object["metadata"]["namespace"].as_str();
        let uid = format!("uid-{}-{}", namespace.unwrap_or("cluster"), name.as_str().unwrap());
        let metadata = section(&mut object, "metadata");
        metadata["name"] = name;
        metadata["uid"] = json!(uid);
        metadata["resourceVersion"] = json!("1");
        metadata["generation"] = json!(1);
        metadata["creationTimestamp"] = json!("2025-01-01T00:00:00Z");
        if random.below(8) == 0 {
            metadata["finalizers"] = json!(["gardener"]);
            metadata["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        object
    }

    /// Changes an object, or mostly a configuration in it.
    fn change(&self, object: &mut Value, kind: &str, random: &mut Random) {
        let found = configurations(object, self.extensions);
        if found.is_empty() || random.below(4) == 0 {
            return change(object, Subject::of(kind, ""), self.corpus, random);
        }
        let (place, configuration) = random.pick(&found);
        let document = object.pointer_mut(place).unwrap();
        let subject =
            Subject { name: configuration.object.name, fields: configuration.object, part: "" };
        if random.below(5) == 0 {
            copy(document, random);
        }
        change(document, subject, self.corpus, random);
    }

    /// Removes unused resources from a new object in requests about extensions.
    fn finish(&self, object: &mut Value) {
        if !self.extensions.is_empty() {
            remove_unused_resources(object);
        }
    }

    /// Returns a kind of which the corpus has valid objects.
    fn a_kind(&self, random: &mut Random) -> Option<Kind> {
        let kinds = self.corpus.kinds(KINDS);
        (!kinds.is_empty()).then(|| *random.pick(&kinds))
    }

    fn random(&self, number: u64) -> Random {
        Random::of_case(self.seed.wrapping_mul(1 << 32) ^ number)
    }
}

/// Returns a random value of another object with the JSON type of a value.
fn like(value: &Value, other: &Value, random: &mut Random) -> Option<Value> {
    let places = places(other);
    let others = places.iter().filter_map(|it| other.pointer(it));
    let is_alike = |it: &&Value| std::mem::discriminant(*it) == std::mem::discriminant(value);
    let others: Vec<&Value> = others.filter(is_alike).collect();
    (!others.is_empty()).then(|| (*random.pick(&others)).clone())
}

fn a_user(kind: &str, random: &mut Random) -> User {
    let is_of_members = OF_MEMBERS.iter().any(|it| it.as_str() == kind);
    if is_of_members && random.below(10) < 7 {
        User::new("alice", &["devs", "system:authenticated"])
    } else {
        operator()
    }
}

fn operator() -> User {
    User::new("olga", &["operators", "system:authenticated"])
}

/// Returns a section of an object; a value of another type becomes an empty section.
fn section<'v>(object: &'v mut Value, name: &str) -> &'v mut Value {
    let section = &mut object[name];
    if !section.is_object() {
        *section = json!({});
    }
    section
}
