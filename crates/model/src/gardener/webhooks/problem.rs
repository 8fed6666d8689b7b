// SPDX-License-Identifier: Apache-2.0
use super::critical::{self, Critical, Labels};
use super::rules::Selectors;
use crate::api::{LabelSelector, Webhook};

/// Maximum timeout in seconds of a webhook for leases.
pub(super) const MAX_TIMEOUT_FOR_LEASES: i32 = 3;
/// Maximum timeout in seconds of a webhook that fails open.
pub(super) const MAX_TIMEOUT: i32 = 15;

/// A problem with a webhook.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The reason.
    pub reason: Reason,
    /// The affected critical resources; never empty.
    pub resources: Vec<Critical>,
}

/// The reason why a webhook is problematic.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reason {
    /// It handles leases in kube-system with a timeout above 3 seconds.
    /// Controllers may lose their leadership.
    SlowForLeases,
    /// It fails closed: if it does not respond, critical resources can be neither created nor changed.
    FailsClosed,
    /// It fails open, but with a timeout above 15 seconds.
    WaitsTooLong,
}

/// Returns the webhook with the defaults of `admissionregistration.k8s.io/v1`.
pub fn defaulted(webhook: &Webhook) -> Webhook {
    let mut webhook = webhook.clone();
    webhook.failure_policy.get_or_insert_with(|| "Fail".to_owned());
    webhook.timeout_seconds.get_or_insert(10);
    for selector in [&mut webhook.namespace_selector, &mut webhook.object_selector] {
        selector.get_or_insert_with(LabelSelector::default);
    }
    for rule in &mut webhook.rules {
        rule.scope.get_or_insert_with(|| "*".to_owned());
    }
    webhook
}

/// Returns all problems of a webhook as written; empty if Gardener does not object.
///
/// Mirrors IsProblematicWebhook in `pkg/gardenlet/controller/shoot/care/constraints.go`, which stops at the first
/// problem.
/// An absent timeout counts as too long, and an absent failure policy as failing closed.
pub fn problems(webhook: &Webhook) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |reason, resources: Vec<Critical>| {
        if !resources.is_empty() {
            problems.push(Problem { reason, resources });
        }
    };
    add(Reason::SlowForLeases, slow_leases(webhook));
    let is_quick = webhook.timeout_seconds.is_some_and(|timeout| timeout <= MAX_TIMEOUT);
    match webhook.failure_policy.as_deref() {
        None | Some("Fail") => add(Reason::FailsClosed, matched(webhook)),
        Some(_) if is_quick => {}
        Some(_) => add(Reason::WaitsTooLong, matched(webhook)),
    }
    problems
}

/// Returns the first of [`problems`].
pub fn problem(webhook: &Webhook) -> Option<Problem> {
    problems(webhook).into_iter().next()
}

/// Returns the leases that a webhook may delay for too long.
pub(super) fn slow_leases(webhook: &Webhook) -> Vec<Critical> {
    let is_quick = webhook.timeout_seconds.is_some_and(|timeout| timeout <= MAX_TIMEOUT_FOR_LEASES);
    if is_quick {
        return Vec::new();
    }
    let selectors = Selectors::of(webhook);
    critical::leases().filter(|lease| selectors.match_any(&webhook.rules, lease)).collect()
}

/// Returns all critical resources that a webhook handles.
pub(super) fn matched(webhook: &Webhook) -> Vec<Critical> {
    let selectors = Selectors::of(webhook);
    critical::all().filter(|resource| selectors.match_any(&webhook.rules, resource)).collect()
}

impl Problem {
    /// Formats the resources for users: the first three without duplicates, and the number of further ones.
    pub fn describe_resources(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for resource in &self.resources {
            let name = format!("`{resource}`");
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len().saturating_sub(3);
        names.truncate(3);
        match more {
            0 => names.join(", "),
            _ => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// Returns the remedy for the problem.
    pub fn way_out(&self) -> String {
        match self.reason {
            Reason::SlowForLeases => format!(
                "set timeoutSeconds to {MAX_TIMEOUT_FOR_LEASES}, or leave out kube-system with a namespaceSelector \
                `kubernetes.io/metadata.name NotIn [kube-system]`"
            ),
            Reason::WaitsTooLong => format!("set timeoutSeconds to {MAX_TIMEOUT} or less"),
            Reason::FailsClosed => self.way_out_of_failing_closed(),
        }
    }

    fn way_out_of_failing_closed(&self) -> String {
        let beyond = |resource: &&Critical| resource.is_beyond_selectors();
        if let Some(resource) = self.resources.iter().find(beyond) {
            return format!(
                "set failurePolicy to `Ignore` with timeoutSeconds of at most {MAX_TIMEOUT} ({MAX_TIMEOUT_FOR_LEASES} for leases), or leave \
                `{resource}` out of the rules; no selector spares it"
            );
        }
        let mut namespaces = Vec::new();
        for (labels, name) in [(Labels::KubeSystem, "kube-system"), (Labels::Default, "default")] {
            if self.resources.iter().any(|resource| resource.namespace == labels) {
                namespaces.push(name);
            }
        }
        let listed = namespaces.join(", ");
        format!(
            "add to namespaceSelector.matchExpressions `{{key: kubernetes.io/metadata.name, operator: NotIn, values: [{listed}]}}`, \
            or set failurePolicy to `Ignore`"
        )
    }
}
