// SPDX-License-Identifier: Apache-2.0
//! Results of the checks of workload; equal results of several objects are one entry.

use std::collections::HashMap;

use super::rows::first;
use crate::report::truncation::{clip, number};
use garden_gate_core::admission::Rule;
use garden_gate_core::workload::{CheckReport, ObjectName, Readiness, Severity};

/// Maximum number of objects that an entry names.
const NAMED: usize = 3;
/// Maximum number of entries in a section; the others are counted.
const ENTRIES: usize = 20;

/// Maximum size of a name or a message in bytes.
const LONGEST: usize = 700;

/// A section of the output.
pub(super) struct Section {
    /// The heading with the number of results.
    pub(super) heading: String,
    /// The entries, by check.
    pub(super) entries: Vec<Entry>,
    /// The number of results in entries beyond the limit.
    pub(super) more: usize,
}

/// A result that several objects have in common.
pub(super) struct Entry {
    /// The objects, the result, and the id of the finding.
    pub(super) text: String,
    /// The remedy; empty if there is none.
    pub(super) fix: String,
    /// The number of objects.
    pub(super) count: usize,
}

/// Returns the sections that have results: problems that require an action, warnings, and unknown facts.
pub(super) fn sections(readiness: &Readiness) -> Vec<Section> {
    let sections = [
        section("must act", problems(readiness, Severity::Error)),
        section("warnings", problems(readiness, Severity::Warning)),
        section("not known", unknown(readiness)),
    ];
    sections.into_iter().flatten().collect()
}

/// Returns a sentence on the number of results.
pub(super) fn summary(readiness: &Readiness) -> String {
    let counts = [
        (readiness.count(Severity::Error), "must act"),
        (readiness.count(Severity::Warning), "warn"),
        (readiness.count_unknown(), "not known"),
        (readiness.checks.iter().map(|it| it.passed).sum(), "passed"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> =
        counts.map(|(count, what)| format!("{} {what}", number(*count))).collect();
    if counts.is_empty() { "nothing to check".to_owned() } else { counts.join(", ") }
}

/// Returns sentences on checks without problems, on those without objects, and on those that did not run.
pub(super) fn rest(readiness: &Readiness) -> Vec<String> {
    let passed =
        |it: &&CheckReport| it.passed > 0 && it.problems.is_empty() && it.unknown.is_empty();
    let idle =
        |it: &&CheckReport| it.passed == 0 && it.problems.is_empty() && it.unknown.is_empty();
    let ids = |test: &dyn Fn(&&CheckReport) -> bool| {
        let checks = readiness.checks.iter().filter(test);
        checks.map(|it| it.rule.id).collect::<Vec<_>>().join(", ")
    };
    let listed = |rules: &[&Rule]| rules.iter().map(|it| it.id).collect::<Vec<_>>().join(", ");
    let lists = [
        ("passed", ids(&passed)),
        ("no objects to check", ids(&idle)),
        ("not needed, since the change drains no node", listed(&readiness.not_needed)),
        ("disabled by the configuration", listed(&readiness.disabled)),
    ];
    let lists = lists.into_iter().filter(|(_, ids)| !ids.is_empty());
    lists.map(|(what, ids)| format!("{what}: {ids}")).collect()
}

fn section(title: &str, mut entries: Vec<Entry>) -> Option<Section> {
    let count: usize = entries.iter().map(|it| it.count).sum();
    let beyond = entries.split_off(entries.len().min(ENTRIES));
    let more = beyond.iter().map(|it| it.count).sum();
    let heading = format!("{title} ({})", number(count));
    (count > 0).then_some(Section { heading, entries, more })
}

/// The objects with the same result.
struct Group<'a> {
    result: (&'a str, &'a str, &'a str),
    objects: Vec<&'a ObjectName>,
}

/// Returns results in the order in which they were found first, each with its objects.
fn groups<'a>(
    results: impl Iterator<Item = ((&'a str, &'a str, &'a str), &'a ObjectName)>,
) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut known: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for (result, object) in results {
        let index = *known.entry(result).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.objects.push(object),
            None => groups.push(Group { result, objects: vec![object] }),
        }
    }
    groups
}

fn problems(readiness: &Readiness, severity: Severity) -> Vec<Entry> {
    let problems = readiness.checks.iter().flat_map(|it| &it.problems);
    let problems = problems.filter(|it| it.severity == severity);
    let results =
        problems.map(|it| ((it.finding.id, it.message.as_str(), it.fix.as_str()), &it.object));
    let entries = groups(results).into_iter().map(|group| {
        let (id, message, fix) = group.result;
        Entry {
            text: format!("{}: {} ({id})", names(&group.objects), short(message)),
            fix: short(fix),
            count: group.objects.len(),
        }
    });
    entries.collect()
}

fn unknown(readiness: &Readiness) -> Vec<Entry> {
    let entry = |text| Entry { text, fix: String::new(), count: 1 };
    let mut entries = Vec::new();
    let unread = readiness.unread.iter();
    entries.extend(unread.map(|it| entry(format!("{}: {}", short(&it.place), short(&it.why)))));
    for check in &readiness.checks {
        let id = check.rule.id;
        let facts = check.unknown.iter().filter(|it| it.object.is_none());
        entries.extend(facts.map(|it| entry(format!("{} ({id})", short(&it.why)))));
        let objects = check.unknown.iter();
        let results =
            objects.filter_map(|it| Some(((id, it.why.as_str(), ""), it.object.as_ref()?)));
        entries.extend(groups(results).into_iter().map(|group| Entry {
            text: format!("{}: {} ({id})", names(&group.objects), short(group.result.1)),
            fix: String::new(),
            count: group.objects.len(),
        }));
    }
    entries
}

/// Cuts text with values of unlimited length.
fn short(text: &str) -> String {
    clip(text, LONGEST)
}

fn names(objects: &[&ObjectName]) -> String {
    first(objects.iter().map(|it| short(&it.to_string())), NAMED)
}

#[cfg(test)]
mod tests {
    use garden_gate_core::config::Config;
    use garden_gate_core::plan::ChangePlan;
    use garden_gate_core::rules::readiness;
    use garden_gate_core::workload::{ClusterChange, ClusterState, Readiness, Workload};
    use rstest::rstest;
    use serde_json::{Value, json};

    use crate::report::{Look, plan_json, plan_markdown, plan_text};

    /// Returns the readiness for a change of Kubernetes to 1.34 with unchanged pools.
    fn checked(objects: &[Value]) -> Readiness {
        let mut workload = Workload::default();
        for object in objects {
            workload.add("apps/web.yaml", &object.to_string());
        }
        let shoot = json!({"spec": {"kubernetes": {"version": "1.34.1"}, "provider": {"workers": [{"name": "a"}]}}});
        let state = ClusterState::of_shoot(&shoot.to_string()).unwrap();
        let drained = ["a".to_owned()].into();
        let change = ClusterChange { before: Some(state.clone()), after: state, drained };
        readiness(&workload, Ok(&change), &Config::default())
    }

    fn object(api_version: &str, kind: &str, name: &str, spec: Value) -> Value {
        json!({
            "apiVersion": api_version, "kind": kind,
            "metadata": {"name": name, "namespace": "shop"}, "spec": spec,
        })
    }

    fn budget(name: &str) -> Value {
        let selector = json!({"matchLabels": {"app": name}});
        object(
            "policy/v1",
            "PodDisruptionBudget",
            name,
            json!({"maxUnavailable": 0, "selector": selector}),
        )
    }

    fn text(readiness: &Readiness) -> String {
        plan_text(&ChangePlan::default(), Some(readiness), Look::default())
    }

    const TEXT: &str = "
Workload: 3 must act, 1 warn, 1 not known, 5 passed
  must act (3)
    PodDisruptionBudget shop/api, PodDisruptionBudget shop/web: `maxUnavailable:
      0` allows no eviction at any time; drains wait for `machineDrainTimeout`
      of 2 h, then delete the pods (workload/disruption-budget-blocks)
      fix: set `maxUnavailable: 1`
    PodDisruptionBudget shop/old: has `apiVersion: policy/v1beta1`, which
      Kubernetes 1.25 does not serve (workload/api-removed)
      fix: write `apiVersion: policy/v1` before the change
  warnings (1)
    Deployment shop/web: has 1 replica, which is unavailable while it moves to
      another node (workload/single-replica)
      fix: run at least 2 replicas, with a PodDisruptionBudget of
        `maxUnavailable: 1`
  not known (1)
    PodDisruptionBudget shop/old: it has neither `minAvailable` nor
      `maxUnavailable` (workload/disruption-budget-blocks)
  passed: workload/disruption-budgets-overlap, workload/local-storage
  no objects to check: workload/pod-without-controller,
    workload/node-selector-unsatisfied, workload/volume-in-removed-zone,
    workload/topology-spread-unsatisfiable, webhook-config/problematic
";

    fn example() -> Readiness {
        let template = json!({"metadata": {"labels": {"app": "web"}}});
        checked(&[
            budget("web"),
            budget("api"),
            object(
                "policy/v1beta1",
                "PodDisruptionBudget",
                "old",
                json!({"selector": {"matchLabels": {"app": "old"}}}),
            ),
            object("apps/v1", "Deployment", "web", json!({"replicas": 1, "template": template})),
        ])
    }

    #[test]
    fn must_act_is_first_and_equal_results_are_one_entry() {
        let text = text(&example());
        assert!(text.contains(TEXT), "{text}");
    }

    #[test]
    fn json_has_all_results() {
        let json = plan_json(&ChangePlan::default(), Some(&example())).unwrap();
        let json: Value = serde_json::from_str(&json).unwrap();
        let workload = &json["workload"];
        assert_eq!(workload["checks"].as_array().unwrap().len(), 10);
        assert_eq!(
            workload["checks"][0]["problems"][0],
            json!({
                "severity": "error",
                "finding": "workload/disruption-budget-blocks",
                "kind": "PodDisruptionBudget",
                "namespace": "shop",
                "name": "api",
                "message": "`maxUnavailable: 0` allows no eviction at any time; drains wait for `machineDrainTimeout` of 2 h, then delete the pods",
                "fix": "set `maxUnavailable: 1`",
            })
        );
        let without = plan_json(&ChangePlan::default(), None).unwrap();
        assert!(!without.contains("\"workload\""), "{without}");
    }

    #[rstest]
    #[case::control_characters("a\u{1b}[31m\n::error::x")]
    #[case::markup("<img src=x> [a](http://b) | `c`")]
    fn names_are_escaped(#[case] name: &str) {
        let readiness = checked(&[object("v1", "Pod", name, json!({}))]);
        let markdown = plan_markdown(&ChangePlan::default(), Some(&readiness));
        for output in [text(&readiness), markdown.clone()] {
            assert!(!output.contains('\u{1b}') && !output.contains("\n::"), "{output}");
        }
        // An address is only in code, where nothing is a link.
        let is_link = markdown.contains("](http") && !markdown.contains("`[a](http://b`");
        assert!(!markdown.contains("<img") && !is_link, "{markdown}");
    }

    #[test]
    fn lists_are_bounded() {
        let pods = (0..1_000).map(|index| object("v1", "Pod", &format!("p{index:04}"), json!({})));
        let budgets = (0..100).map(|index| {
            let selector = json!({"matchLabels": {"a b": format!("{index}")}});
            object(
                "policy/v1",
                "PodDisruptionBudget",
                &format!("b{index}"),
                json!({"maxUnavailable": index, "selector": selector}),
            )
        });
        let invalid = (0..100).map(|index| {
            let spec = json!({"maxUnavailable": format!("{index}"), "selector": {}});
            object("policy/v1", "PodDisruptionBudget", &format!("c{index:03}"), spec)
        });
        let objects: Vec<Value> = pods.chain(budgets).chain(invalid).collect();
        let readiness = checked(&objects);
        let text = text(&readiness);
        assert!(
            text.contains("Pod shop/p0000, Pod shop/p0001, Pod shop/p0002 and 997 more"),
            "{text}"
        );
        assert!(text.contains("more; --format json lists all"), "{text}");
        let markdown = plan_markdown(&ChangePlan::default(), Some(&readiness));
        assert!(text.len() < 20_000 && markdown.len() < 20_000, "{text}");
    }

    #[test]
    fn long_values_are_cut() {
        let long = "x".repeat(1 << 20);
        let mut pod = object("v1", "Pod", &long, json!({}));
        let selector = json!({"matchLabels": {long.clone(): "b"}});
        let budget = object(
            "policy/v1",
            "PodDisruptionBudget",
            &long,
            json!({"maxUnavailable": &long, "selector": selector}),
        );
        pod["metadata"]["labels"] = json!({"a": &long});
        let readiness = checked(&[pod, budget]);
        let markdown = plan_markdown(&ChangePlan::default(), Some(&readiness));
        for output in [text(&readiness), markdown] {
            assert!(output.len() < 50_000, "{}", output.len());
        }
    }

    #[test]
    fn empty_input_is_not_known() {
        let text = text(&checked(&[]));
        assert!(text.contains("the input has no objects of a cluster"), "{text}");
    }
}
