//! What maintenance does besides versions: credentials that are rotated after a while, and operations that wait for the window.

use std::mem;

use jiff::Timestamp;
use serde_json::Value;

use super::Event;
use super::rotations::{LATER, Rotations, event, go_on, listed};
use crate::compat::parse_bool;
use crate::model::Shoot;

const OPERATION: &str = "gardener.cloud/operation";
const RETRIES: &str = "maintenance.shoot.gardener.cloud/needs-retry-operation";

/// The operations of a Shoot that its maintenance starts.
#[derive(Clone)]
pub(super) struct Operations {
    rotations: Rotations,
    /// What waits for the next window, as it is written; empty if nothing does.
    waiting: String,
    /// Whether the last operation lets another one begin.
    can_begin: bool,
    /// Whether the last operation failed and is to be tried again.
    is_retried: bool,
    /// Whether changes wait for the next window.
    is_held_back: bool,
}

impl Operations {
    /// As the Shoot says, as it is stored and as it is read.
    pub(super) fn of(stored: &Value, shoot: &Shoot, now: Timestamp) -> Self {
        let state = stored.pointer("/status/lastOperation/state");
        let state = state.and_then(Value::as_str);
        let retries = shoot.annotation(RETRIES);
        let waiting = stored["metadata"]["annotations"][LATER].as_str();
        Self {
            rotations: Rotations::of(stored, shoot, now),
            waiting: waiting.unwrap_or_default().to_owned(),
            can_begin: state.is_some_and(|state| state != "Failed"),
            is_retried: state == Some("Failed") && retries.and_then(parse_bool) == Some(true),
            is_held_back: is_held_back(stored),
        }
    }

    /// When the next is due, from `from` on.
    pub(super) fn next_due(&self, from: Timestamp) -> Option<Timestamp> {
        let due = self.rotations.next_due(from);
        due.filter(|_| self.can_begin)
    }

    /// What a run at `at` starts, and the annotation that says so to Gardener.
    pub(super) fn start(&self, at: Timestamp, is_hibernated: bool) -> (Vec<Event>, String) {
        if self.is_retried {
            let cause =
                format!("the last operation failed, and the annotation {RETRIES} asks for it");
            let retry = Event {
                cause,
                ..event("retry")
            };
            return (vec![retry], "retry".to_owned());
        }
        if !self.can_begin {
            return (Vec::new(), String::new());
        }
        let mut operations = listed(&self.waiting);
        let mut events: Vec<Event> = operations.iter().map(|it| asked(it)).collect();
        if self.is_held_back {
            events.push(Event {
                cause: "changes wait for the window, as `spec.maintenance.confineSpecUpdateRollout` says"
                    .to_owned(),
                ..event("reconcile")
            });
        }
        if !operations.contains(&"reconcile") {
            operations.push("reconcile");
        }
        let rotations = self.rotations.start(at, is_hibernated, &operations);
        let mut operations = operations.join(";");
        for rotation in &rotations {
            operations.push(';');
            operations.push_str(&rotation.from);
        }
        events.extend(rotations);
        (events, operations)
    }

    /// What a run at `at` should start and cannot; the rest of the run happens.
    pub(super) fn fail(&self, at: Timestamp, is_hibernated: bool) -> Vec<Event> {
        match self.can_begin {
            true => self.rotations.fail(at, is_hibernated),
            false => Vec::new(),
        }
    }

    /// Whether the last operation lets another one begin.
    pub(super) fn can_begin(&self) -> bool {
        self.can_begin
    }

    /// After a run at `at`, which left the Shoot like this; takes its rotations on to what they are before the next.
    pub(super) fn started(&mut self, at: Timestamp, stored: &mut Value) {
        (self.can_begin, self.is_retried) = (self.can_begin || self.is_retried, false);
        if !self.can_begin {
            return;
        }
        self.is_held_back = false;
        let waiting = mem::take(&mut self.waiting);
        go_on(stored, &listed(&waiting));
        self.rotations.started(at, stored);
    }
}

/// Whether the Shoot was changed, and the change is not rolled out before the next window.
fn is_held_back(stored: &Value) -> bool {
    let number = |pointer: &str| stored.pointer(pointer).and_then(Value::as_i64);
    let generations = ["/metadata/generation", "/status/observedGeneration"].map(number);
    let is_confined = stored.pointer("/spec/maintenance/confineSpecUpdateRollout");
    let is_confined = is_confined.and_then(Value::as_bool) == Some(true);
    is_confined && matches!(generations, [Some(wanted), Some(done)] if wanted > done)
}

fn asked(operation: &str) -> Event {
    Event {
        cause: format!("the annotation {LATER} asks for it"),
        advice: "take the annotation off".to_owned(),
        ..event(operation)
    }
}

/// Writes on the Shoot what maintenance writes there when it starts operations.
pub(super) fn annotate(shoot: &mut Value, operations: &str) {
    let Some(metadata) = shoot["metadata"].as_object_mut() else {
        return;
    };
    let annotations = metadata
        .entry("annotations")
        .or_insert_with(|| Value::Object(Default::default()));
    if let Some(annotations) = annotations.as_object_mut() {
        annotations.remove(LATER);
        annotations.insert(OPERATION.to_owned(), operations.into());
    }
}

/// Takes off it what is done.
pub(super) fn clear(shoot: &mut Value, can_begin: bool) {
    let annotations = shoot.pointer_mut("/metadata/annotations");
    if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
        annotations.remove(OPERATION);
        if can_begin {
            annotations.remove(LATER);
        }
    }
}
