//! What maintenance does besides versions: credentials that are rotated after a while, and operations that wait for the window.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::{Class, Event, Part};
use crate::compat::{parse_bool, parse_duration};
use crate::model::Shoot;

const OPERATION: &str = "gardener.cloud/operation";
const RETRIES: &str = "maintenance.shoot.gardener.cloud/needs-retry-operation";
const LATER: &str = "maintenance.gardener.cloud/operation";
/// What an API server fills in where a rotation has no period.
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Credentials that maintenance rotates: the field of both the Shoot's `autoRotation` and its status, the operation, and what people
/// call them.
const CREDENTIALS: [(&str, &str, &str); 3] = [
    ("sshKeypair", "rotate-ssh-keypair", "the SSH key pair"),
    (
        "observability",
        "rotate-observability-credentials",
        "the observability passwords",
    ),
    (
        "etcdEncryptionKey",
        "rotate-etcd-encryption-key",
        "the ETCD encryption key",
    ),
];

/// The operations of a Shoot that its maintenance starts.
#[derive(Clone, Debug)]
pub(super) struct Operations {
    /// When credentials are rotated next, each after this instant.
    due: Vec<(usize, Timestamp, SignedDuration)>,
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
    /// As the Shoot says, as it is stored and as it is read. What cannot be read is no rotation.
    pub(super) fn of(stored: &Value, shoot: &Shoot) -> Self {
        let state = stored.pointer("/status/lastOperation/state");
        let state = state.and_then(Value::as_str);
        let retries = shoot.annotation(RETRIES);
        let waiting = stored["metadata"]["annotations"][LATER].as_str();
        Self {
            due: due(stored, shoot),
            waiting: waiting.unwrap_or_default().to_owned(),
            can_begin: state.is_some_and(|state| state != "Failed"),
            is_retried: state == Some("Failed") && retries.and_then(parse_bool) == Some(true),
            is_held_back: is_held_back(stored),
        }
    }

    /// When the next is due, from `from` on.
    pub(super) fn next_due(&self, from: Timestamp) -> Option<Timestamp> {
        let due = self.due.iter().map(|(_, due, _)| *due);
        due.filter(|due| *due >= from && self.can_begin).min()
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
        let mut operations: Vec<&str> = self.waiting.split(';').map(str::trim).collect();
        operations.retain(|it| !it.is_empty());
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
        for (index, due, period) in &self.due {
            let (field, operation, name) = CREDENTIALS[*index];
            // The key cannot be rotated while nothing runs.
            let rests = is_hibernated && field == "etcdEncryptionKey";
            if *due < at && !rests && !operations.contains(&operation) {
                operations.push(operation);
                events.push(rotation(field, operation, name, *period));
            }
        }
        (events, operations.join(";"))
    }

    /// Whether the last operation lets another one begin.
    pub(super) fn can_begin(&self) -> bool {
        self.can_begin
    }

    /// After a run at `at`.
    pub(super) fn started(&mut self, at: Timestamp) {
        (self.can_begin, self.is_retried) = (self.can_begin || self.is_retried, false);
        if !self.can_begin {
            return;
        }
        self.is_held_back = false;
        self.waiting.clear();
        for (_, due, period) in &mut self.due {
            if *due < at {
                *due = at.checked_add(*period).unwrap_or(Timestamp::MAX);
            }
        }
    }
}

/// When credentials are rotated, by their position, after which instant and how often.
fn due(stored: &Value, shoot: &Shoot) -> Vec<(usize, Timestamp, SignedDuration)> {
    let text = |pointer: &str| stored.pointer(pointer).and_then(Value::as_str);
    let time = |pointer: &str| -> Option<Timestamp> { text(pointer)?.parse().ok() };
    let credentials = CREDENTIALS.iter().enumerate();
    let due = credentials.filter_map(|(index, (field, ..))| {
        let rotation = format!("/spec/maintenance/autoRotation/credentials/{field}");
        let period = match stored.pointer(&rotation)?.get("rotationPeriod") {
            Some(period) => parse_duration(period.as_str()?).ok()?,
            None => WEEK,
        };
        let status = format!("/status/credentials/rotation/{field}");
        let since = time(&format!("{status}/lastCompletionTime"));
        let since = since.or_else(|| time("/metadata/creationTimestamp"))?;
        let phase = text(&format!("{status}/phase")).unwrap_or_default();
        let is_possible = match *field {
            "sshKeypair" => shoot.has_ssh_access(),
            // One at a time.
            "etcdEncryptionKey" => matches!(phase, "" | "Completed"),
            _ => true,
        };
        let due = since.checked_add(period).ok()?;
        (is_possible && !period.is_zero()).then_some((index, due, period))
    });
    due.collect()
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

fn rotation(field: &str, operation: &str, name: &str, period: SignedDuration) -> Event {
    let days = period.as_hours() / 24;
    Event {
        cause: format!("automatic rotation of {name} is on, every {days} days"),
        advice: format!(
            "set `spec.maintenance.autoRotation.credentials.{field}.rotationPeriod` to 0s to stop it"
        ),
        ..event(operation)
    }
}

fn event(operation: &str) -> Event {
    Event {
        part: Part::Operation,
        from: operation.to_owned(),
        to: None,
        class: Class::Regular,
        cause: String::new(),
        effects: Vec::new(),
        advice: String::new(),
        oddities: Vec::new(),
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
