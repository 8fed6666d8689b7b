// SPDX-License-Identifier: Apache-2.0
//! Automatic credential rotations, and rotations in progress.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use super::{Class, Event, Part};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::{is_at_least, parse_duration};

/// The annotation with operations for the next window.
pub(super) const LATER: &str = "maintenance.gardener.cloud/operation";

/// The default rotation period of an API server.
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The path of rotations in a Shoot.
const STATUS: &str = "/status/credentials/rotation";
/// The status field of the ETCD encryption key, and the operations of its two-step rotation.
const ETCD: &str = "etcdEncryptionKey";
const ETCD_START: &str = "rotate-etcd-encryption-key-start";
const ETCD_COMPLETE: &str = "rotate-etcd-encryption-key-complete";
const ALL_START: &str = "rotate-credentials-start";
const ALL_COMPLETE: &str = "rotate-credentials-complete";
const ROLLOUT: &str = "rotate-rollout-workers";

/// Credentials that maintenance rotates.
struct Credentials {
    /// The field in the Shoot's `autoRotation` and in its status.
    field: &'static str,
    operation: &'static str,
    /// The display name.
    name: &'static str,
}

const CREDENTIALS: [Credentials; 3] = [
    Credentials { field: "sshKeypair", operation: "rotate-ssh-keypair", name: "the SSH key pair" },
    Credentials {
        field: "observability",
        operation: "rotate-observability-credentials",
        name: "the observability passwords",
    },
    Credentials {
        field: ETCD,
        operation: "rotate-etcd-encryption-key",
        name: "the ETCD encryption key",
    },
];

/// Credentials with a two-step rotation: status field, display name, and operation of the second step.
const IN_TWO_STEPS: [(&str, &str, &str); 3] = [
    ("certificateAuthorities", "the certificate authorities", "rotate-ca-complete"),
    ("serviceAccountKey", "the service account key", "rotate-service-account-key-complete"),
    (ETCD, "the ETCD encryption key", ETCD_COMPLETE),
];

/// The automatic rotations of a Shoot.
#[derive(Clone)]
pub(super) struct Rotations(Vec<Rotation>);

#[derive(Clone)]
struct Rotation {
    credentials: &'static Credentials,
    /// The rotation starts in the first window after this time.
    due: Timestamp,
    period: SignedDuration,
    /// Whether the previous rotation waits for its completion by a user, which prevents further rotations.
    waits: bool,
}

impl Rotations {
    /// Determines the rotations of a Shoot from its stored and its typed form.
    ///
    /// Invalid rotations are skipped. Rotations in progress that complete automatically count as completed `now`.
    pub(super) fn of(stored: &Value, shoot: &Shoot, now: Timestamp) -> Self {
        let credentials = CREDENTIALS.iter();
        Self(credentials.filter_map(|it| Rotation::of(it, stored, shoot, now)).collect())
    }

    /// Returns the time of the next due rotation at or after `from`.
    pub(super) fn next_due(&self, from: Timestamp) -> Option<Timestamp> {
        let due = self.0.iter().map(|it| it.due);
        due.filter(|due| *due >= from).min()
    }

    /// Returns the rotations that a run at `at` starts in addition to `asked`.
    /// The `from` of each event is the operation.
    pub(super) fn start(&self, at: Timestamp, is_hibernated: bool, asked: &[&str]) -> Vec<Event> {
        let due =
            self.due(at, is_hibernated).filter(|it| !it.waits).filter(|it| !it.is_asked_for(asked));
        due.map(Rotation::starts).collect()
    }

    /// Returns the rotations that a run at `at` should start but cannot.
    ///
    /// Mirrors computeCredentialsToRotationResults in
    /// `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
    /// It reports a failure and continues with the run.
    pub(super) fn fail(&self, at: Timestamp, is_hibernated: bool) -> Vec<Event> {
        let due = self.due(at, is_hibernated).filter(|it| it.waits);
        due.map(Rotation::fails).collect()
    }

    fn due(&self, at: Timestamp, is_hibernated: bool) -> impl Iterator<Item = &Rotation> {
        // The key of a hibernated cluster cannot be rotated.
        let rests = move |it: &&Rotation| is_hibernated && it.credentials.field == ETCD;
        let due = self.0.iter().filter(move |it| it.due < at);
        due.filter(move |it| !rests(it))
    }

    /// Updates the rotations after a run at `at`, which resulted in this Shoot.
    pub(super) fn started(&mut self, at: Timestamp, stored: &Value) {
        for it in &mut self.0 {
            let waits = it.credentials.field == ETCD && etcd_waits(stored);
            if !waits && (it.waits || it.due < at) {
                it.due = at.checked_add(it.period).unwrap_or(Timestamp::MAX);
            }
            it.waits = waits;
        }
    }
}

impl Rotation {
    fn of(
        credentials: &'static Credentials,
        stored: &Value,
        shoot: &Shoot,
        now: Timestamp,
    ) -> Option<Self> {
        let text = |pointer: &str| stored.pointer(pointer).and_then(Value::as_str);
        let time = |pointer: &str| -> Option<Timestamp> { text(pointer)?.parse().ok() };
        let field = credentials.field;
        let rotation = format!("/spec/maintenance/autoRotation/credentials/{field}");
        let period = match stored.pointer(&rotation)?.get("rotationPeriod") {
            Some(period) => parse_duration(period.as_str()?).ok()?,
            None => WEEK,
        };
        if period.is_zero() || field == "sshKeypair" && !shoot.has_ssh_access() {
            return None;
        }
        let waits = field == ETCD && etcd_waits(stored);
        let is_under_way = field == ETCD && !matches!(phase(stored, ETCD), "" | "Completed");
        let since = if is_under_way && !waits {
            Some(now)
        } else {
            time(&format!("{STATUS}/{field}/lastCompletionTime"))
        };
        let since = since.or_else(|| time("/metadata/creationTimestamp"))?;
        Some(Self { credentials, due: since.checked_add(period).ok()?, period, waits })
    }

    fn is_asked_for(&self, asked: &[&str]) -> bool {
        let is_started = self.credentials.field == ETCD && asked.contains(&ETCD_START);
        is_started || asked.contains(&self.credentials.operation)
    }

    fn starts(&self) -> Event {
        Event { cause: self.is_on(), ..event(self.credentials.operation) }
    }

    fn fails(&self) -> Event {
        let is_on = self.is_on();
        Event {
            class: Class::NoUpdatePossible,
            cause: format!("{is_on}, but one is under way and nobody has completed it"),
            advice: format!(
                "complete it, once its phase is `Prepared`, with the operation `{ETCD_COMPLETE}`"
            ),
            ..event(self.credentials.operation)
        }
    }

    fn is_on(&self) -> String {
        let (name, period) = (self.credentials.name, shown(self.period));
        format!("automatic rotation of {name} is on, every {period}")
    }
}

/// Formats a period in days, if it is whole days, or in its units.
fn shown(period: SignedDuration) -> String {
    match (period.as_hours() / 24, period.as_secs() % 86_400) {
        (1, 0) => "day".to_owned(),
        (days, 0) => format!("{days} days"),
        _ => format!("{period:#}"),
    }
}

/// Returns the rotations that wait for a user action, one sentence each.
pub(super) fn waiting(stored: &Value, shoot: &Shoot) -> Vec<String> {
    let asked = listed(shoot.annotation(LATER).unwrap_or_default());
    let rotations = IN_TWO_STEPS.iter().filter_map(|(field, name, complete)| {
        let operation = match phase(stored, field) {
            "Prepared" if is_asked(&asked, ALL_COMPLETE) => return None,
            "Prepared" => *complete,
            "WaitingForWorkersRollout" => ROLLOUT,
            _ => return None,
        };
        (!is_asked(&asked, operation)).then(|| {
            format!(
                "the rotation of {name} waits for the operation `{operation}`, which maintenance does not start by itself"
            )
        })
    });
    rotations.collect()
}

/// Advances the rotation of the ETCD encryption key to its state at the next window.
/// `asked` are the requested operations.
///
/// Mirrors updateShootStatusOperationStart and patchShootStatusOperationSuccess in
/// `pkg/gardenlet/controller/shoot/shoot/reconciler.go`.
pub(super) fn go_on(stored: &mut Value, asked: &[&str]) {
    let is_completed = is_asked(asked, ETCD_COMPLETE) || is_asked(asked, ALL_COMPLETE);
    let is_started = is_asked(asked, ETCD_START) || is_asked(asked, ALL_START);
    let (next, by_itself) = match phase(stored, ETCD) {
        "" | "Completed" if is_started && !has_one_step(stored) => ("Prepared", false),
        "" | "Completed" => return,
        _ if etcd_waits(stored) && !is_completed => ("Prepared", false),
        _ => ("Completed", true),
    };
    let mut steps = ["status", "credentials", "rotation", ETCD].into_iter();
    let rotation = steps.try_fold(stored, |at, step| {
        let fields = at.as_object_mut()?;
        Some(fields.entry(step).or_insert_with(|| Value::Object(Map::new())))
    });
    if let Some(Value::Object(rotation)) = rotation {
        rotation.insert("phase".to_owned(), next.into());
        rotation.insert("autoCompleteAfterPrepared".to_owned(), by_itself.into());
    }
}

/// Reports whether an operation is requested, with or without a suffix.
fn is_asked(asked: &[&str], operation: &str) -> bool {
    asked.iter().any(|it| it.starts_with(operation))
}

/// Reports whether a rotation of the ETCD encryption key waits for its completion by a user.
fn etcd_waits(stored: &Value) -> bool {
    let by_itself = stored
        .pointer(&format!("{STATUS}/{ETCD}/autoCompleteAfterPrepared"))
        .and_then(Value::as_bool)
        == Some(true);
    let is_first_step = matches!(phase(stored, ETCD), "Preparing" | "Prepared");
    is_first_step && !by_itself && !has_one_step(stored)
}

/// Reports whether the Kubernetes version completes rotations of the ETCD encryption key automatically.
fn has_one_step(stored: &Value) -> bool {
    let version = stored.pointer("/spec/kubernetes/version");
    is_at_least(version.and_then(Value::as_str).unwrap_or_default(), 1, 34)
}

fn phase<'a>(stored: &'a Value, field: &str) -> &'a str {
    let phase = stored.pointer(&format!("{STATUS}/{field}/phase"));
    phase.and_then(Value::as_str).unwrap_or_default()
}

/// Returns the operations in an annotation.
pub(super) fn listed(annotation: &str) -> Vec<&str> {
    let operations = annotation.split(';').map(str::trim);
    operations.filter(|it| !it.is_empty()).collect()
}

/// Returns the event of starting an operation, without a cause.
pub(super) fn event(operation: &str) -> Event {
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

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use rstest::rstest;

    use super::shown;

    #[rstest]
    #[case(30 * 60, "30m")]
    #[case(86_400, "day")]
    #[case(86_400 * 30, "30 days")]
    #[case(86_400 + 5400, "25h 30m")]
    fn periods_keep_their_length(#[case] seconds: i64, #[case] expected: &str) {
        assert_eq!(shown(SignedDuration::from_secs(seconds)), expected);
    }
}
