// SPDX-License-Identifier: Apache-2.0
//! Maintenance operations other than version updates.
//! These are credential rotations, and operations deferred to the window.

use std::mem;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Event;
use super::rotations::{LATER, Rotations, event, go_on, listed};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::parse_bool;

const OPERATION: &str = "gardener.cloud/operation";
const RETRIES: &str = "maintenance.shoot.gardener.cloud/needs-retry-operation";

/// The operations of a Shoot that its maintenance starts.
#[derive(Clone)]
pub(super) struct Operations {
    rotations: Rotations,
    /// The deferred operations as in the annotation; may be empty.
    waiting: String,
    /// Whether the state of the last operation permits another one.
    can_begin: bool,
    /// Whether the last operation failed and is retried.
    is_retried: bool,
    /// Whether spec changes are deferred to the next window.
    is_held_back: bool,
}

impl Operations {
    /// Determines the operations of a Shoot from its stored and its typed form.
    pub(super) fn of(stored: &Value, shoot: &Shoot, now: Timestamp) -> Self {
        let state = stored.pointer("/status/lastOperation/state").and_then(Value::as_str);
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

    /// Returns the time of the next due rotation at or after `from`.
    pub(super) fn next_due(&self, from: Timestamp) -> Option<Timestamp> {
        let due = self.rotations.next_due(from);
        due.filter(|_| self.can_begin)
    }

    /// Returns the operations that a run at `at` starts, and the value of Gardener's annotation.
    pub(super) fn start(&self, at: Timestamp, is_hibernated: bool) -> (Vec<Event>, String) {
        if self.is_retried {
            let cause =
                format!("the last operation failed, and the annotation {RETRIES} asks for it");
            let retry = Event { cause, ..event("retry") };
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
        let mut annotation = operations.join(";");
        for rotation in &rotations {
            annotation.push(';');
            annotation.push_str(&rotation.from);
        }
        events.extend(rotations);
        (events, annotation)
    }

    /// Returns the operations that a run at `at` should start but cannot; the others continue.
    pub(super) fn fail(&self, at: Timestamp, is_hibernated: bool) -> Vec<Event> {
        if self.can_begin { self.rotations.fail(at, is_hibernated) } else { Vec::new() }
    }

    /// Reports whether the state of the last operation permits another one.
    pub(super) fn can_begin(&self) -> bool {
        self.can_begin
    }

    /// Updates the operations after a run at `at`, which resulted in this Shoot.
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

/// Reports whether the Shoot has changes that are rolled out in the next window only.
fn is_held_back(stored: &Value) -> bool {
    let number = |pointer: &str| stored.pointer(pointer).and_then(Value::as_i64);
    let generations = ["/metadata/generation", "/status/observedGeneration"].map(number);
    let is_confined =
        stored.pointer("/spec/maintenance/confineSpecUpdateRollout").and_then(Value::as_bool)
            == Some(true);
    is_confined && matches!(generations, [Some(wanted), Some(done)] if wanted > done)
}

fn asked(operation: &str) -> Event {
    Event { cause: format!("the annotation {LATER} asks for it"), ..event(operation) }
}

/// Sets the annotations that maintenance sets when it starts operations.
pub(super) fn annotate(shoot: &mut Value, operations: &str) {
    let Some(metadata) = shoot["metadata"].as_object_mut() else {
        return;
    };
    if let Some(annotations) =
        metadata.entry("annotations").or_insert_with(|| json!({})).as_object_mut()
    {
        annotations.remove(LATER);
        annotations.insert(OPERATION.to_owned(), operations.into());
    }
}

/// Removes the annotations of completed operations.
pub(super) fn clear(shoot: &mut Value, can_begin: bool) {
    if let Some(annotations) =
        shoot.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut)
    {
        annotations.remove(OPERATION);
        if can_begin {
            annotations.remove(LATER);
        }
    }
}
