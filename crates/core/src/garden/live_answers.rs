// SPDX-License-Identifier: Apache-2.0
use super::snapshot::LiveAnswers;
use super::{AccessQuestion, Collection, GardenObject, ObjectKey, Unknown};
use super::{Question, Snapshot};
use garden_gate_model::api::{Kind, Retrieval, ShootName};

/// The garden as one request sees it: a snapshot plus lookup results.
///
/// The shared snapshot never changes.
impl Snapshot {
    /// Returns this garden with added or replaced objects.
    /// Costs O(log n) for each object.
    pub fn with(&self, objects: impl IntoIterator<Item = GardenObject>) -> Self {
        let mut garden = self.clone();
        let files = Kind::ALL.iter().filter(|kind| {
            matches!(
                kind.known(),
                Retrieval::Files | Retrieval::WatchedIfRead | Retrieval::Optional
            )
        });
        garden.empty_before.extend(files.copied().filter(|kind| !self.absence_is_known(*kind)));
        for object in objects {
            garden.apply(object);
        }
        garden
    }

    /// Returns this garden with the objects confirmed as absent.
    ///
    /// Costs O(log n) for each object.
    pub fn without(&self, keys: impl IntoIterator<Item = ObjectKey>) -> Self {
        let mut garden = self.clone();
        for key in keys {
            garden.answer_object(Question::Object(key), None);
        }
        garden
    }

    /// Returns this garden with the state of one object taken from `other`.
    ///
    /// Costs O(log n).
    pub fn with_of(&self, other: &Snapshot, key: &ObjectKey) -> Self {
        let mut garden = self.clone();
        garden.remove(key);
        let question = Question::Object(key.clone());
        match other.answers.asked.get(&question) {
            Some(answers) => garden.answers.asked.insert(question, answers.clone()),
            None => garden.answers.asked.remove(&question),
        };
        if let Some(object) = other.kept(key) {
            garden.apply(object);
        }
        garden
    }

    /// Returns the stored form of an object of any kind.
    fn kept(&self, key: &ObjectKey) -> Option<GardenObject> {
        if let Some(why) = self.unreadable.get(key) {
            return Some(GardenObject::Unreadable(key.clone(), why.clone()));
        }
        if key.kind != Kind::Shoot {
            return self.objects.get(key).cloned();
        }
        let shoot = self.shoots.get(&ShootName {
            namespace: key.namespace.as_str().into(),
            name: key.name.as_str().into(),
        });
        shoot.map(|shoot| GardenObject::Shoot(Box::new(shoot.clone())))
    }

    /// Adds the result of an object lookup; `None` means that the object does not exist.
    pub fn answer_object(&mut self, question: Question, found: Option<GardenObject>) {
        match (&question, found) {
            (_, Some(object)) => self.apply(object),
            (Question::Object(key), None) => self.remove(key),
            (_, None) => {}
        }
        self.answers.asked.insert(question, Ok(()));
    }

    /// Adds the result of an access review.
    ///
    /// The garden is then valid for requests of the same user only.
    pub fn answer_access(&mut self, question: AccessQuestion, answer: Result<bool, String>) {
        match answer {
            Err(why) => return self.answer_unknown(Question::Access(question), why),
            Ok(true) => self.answers.granted.insert(question.clone()),
            Ok(false) => self.answers.granted.remove(&question),
        };
        let question = Question::Access(question);
        self.answers.asked.insert(question, Ok(()));
    }

    /// Adds the result of listing a kind in `namespace` (empty for Projects), with the confirmed deletions.
    pub fn answer_collection(&mut self, kind: Kind, namespace: String, collection: Collection) {
        let key = (kind, namespace.clone());
        self.answers.collections.insert(key, collection);
        let question = Question::Collection { kind, namespace };
        self.answers.asked.insert(question, Ok(()));
    }

    /// Adds the result of listing all objects of a kind that have its label.
    pub fn answer_labelled(&mut self, kind: Kind, objects: impl IntoIterator<Item = GardenObject>) {
        self.reset(kind, objects);
        self.answers.asked.insert(Question::Labelled(kind), Ok(()));
    }

    /// Records why a question has no answer; an existing answer is kept.
    pub fn answer_unknown(&mut self, question: Question, why: impl Into<String>) {
        let asked = self.answers.asked.entry(question);
        asked.or_insert_with(|| Err(why.into()));
    }

    /// Returns the recorded answer to a question; `read` extracts the value of a successful one.
    pub(super) fn answer_of<T>(
        &self,
        question: impl FnOnce() -> Question,
        read: impl FnOnce(&LiveAnswers) -> Option<T>,
    ) -> Result<Option<T>, Unknown> {
        let answers = &self.answers;
        if answers.asked.is_empty() {
            return Err(Unknown::Unconfirmed);
        }
        match answers.asked.get(&question()) {
            None => Err(Unknown::Unconfirmed),
            Some(Err(why)) => Err(Unknown::Reason(why.clone())),
            Some(Ok(())) => Ok(read(answers)),
        }
    }

    pub(super) fn access_answer(&self, question: &AccessQuestion) -> Result<bool, Unknown> {
        let granted = |answers: &LiveAnswers| answers.granted.contains(question).then_some(());
        let answers = self.answer_of(|| Question::Access(question.clone()), granted)?;
        Ok(answers.is_some())
    }

    pub(super) fn collection_answer(
        &self,
        kind: Kind,
        namespace: &str,
    ) -> Result<Option<Collection>, Unknown> {
        let key = (kind, namespace.to_owned());
        let question = || Question::Collection { kind, namespace: namespace.to_owned() };
        self.answer_of(question, |answers| answers.collections.get(&key).cloned())
    }
}
