// SPDX-License-Identifier: Apache-2.0
use garden_gate_core::config::Level;
use garden_gate_core::rules;

use super::tables::{FINDINGS, kinds};
use crate::audit::{Count, Trigger};
use crate::report::findings::rule_page;
use crate::report::truncation::and_more;
use crate::report::{AuditSummary, By};

/// The findings about Kubernetes versions without support.
const SUPPORT_FINDINGS: [&str; 4] = [
    "advice/dropped-version-extended",
    "advice/dropped-version-listed",
    "advice/kubernetes-version-dropped",
    "audit/seed-kubernetes-version-dropped",
];

/// The findings with one id and level, for people.
pub(crate) struct FindingRow<'a> {
    pub(crate) level: Level,
    /// The violation as a sentence without a period.
    pub(crate) sentence: &'a str,
    /// The id.
    pub(crate) id: &'static str,
    /// The URL of the page of the rule.
    pub(crate) page: Option<String>,
    /// The number of objects, and the occasions: `2 Shoots, if created again`.
    pub(crate) extent: String,
    /// The first objects, and the number of the others.
    pub(crate) examples: String,
}

/// Returns the findings of a level, and the number of omitted ones: those of every write come first, then those of most objects.
pub(crate) fn finding_rows<'a>(
    audit: &'a AuditSummary,
    level: Level,
    rule_url: Option<&str>,
) -> (Vec<FindingRow<'a>>, usize) {
    let findings = audit.tally.findings.iter();
    let mut counts: Vec<(&'static str, &Count)> = findings
        .filter(|((it, id), _)| it.0 == level && !(level == Level::Warn && is_repeated(id, audit)))
        .map(|((_, id), count)| (*id, count))
        .collect();
    counts.sort_by_key(|(id, count)| {
        let waits_for_creation = !count.occasions.contains(&Trigger::EveryWrite);
        (waits_for_creation, std::cmp::Reverse(count.objects()), *id)
    });
    let more = counts.len().saturating_sub(FINDINGS);
    counts.truncate(FINDINGS);
    (counts.into_iter().map(|(id, count)| row(level, id, count, rule_url)).collect(), more)
}

/// Reports whether the Kubernetes versions without support, which come first, have everything that a warning says.
fn is_repeated(id: &str, audit: &AuditSummary) -> bool {
    let is_shown = audit.by.contains(&By::Support) && !audit.support.versions.is_empty();
    is_shown && audit.support.unknown.is_none() && SUPPORT_FINDINGS.contains(&id)
}

fn row<'a>(
    level: Level,
    id: &'static str,
    count: &'a Count,
    rule_url: Option<&str>,
) -> FindingRow<'a> {
    let occasions: Vec<&str> = count.occasions.iter().map(|it| it.as_str()).collect();
    let mut examples = count.examples.join(", ");
    let more = count.objects() - count.examples.len();
    if more > 0 {
        examples += &format!(" {}", and_more(more));
    }
    FindingRow {
        level,
        sentence: sentence(id, count),
        id,
        page: rule_url.and_then(|url| rule_page(url, count.rule)),
        extent: format!("{}, {}", kinds(&count.kinds), occasions.join(" or ")),
        examples,
    }
}

/// Returns the summary of a finding, or its first message if it is that of a policy.
pub(crate) fn sentence<'a>(id: &str, count: &'a Count) -> &'a str {
    finding_summary(count.rule, id).unwrap_or(&count.message)
}

/// Returns the summary of a finding of a rule; `None` for the finding of a policy.
pub(crate) fn finding_summary(rule: &str, id: &str) -> Option<&'static str> {
    let mut findings = rules::find(rule)?.findings.iter();
    findings.find(|it| it.id == id).map(|it| it.summary)
}

#[cfg(test)]
mod tests {
    use garden_gate_core::rules;

    use super::SUPPORT_FINDINGS;

    #[test]
    fn findings_that_come_first_exist() {
        let ids: Vec<&str> = rules::ALL.iter().flat_map(|it| it.findings).map(|it| it.id).collect();
        assert!(SUPPORT_FINDINGS.iter().all(|it| ids.contains(it)));
    }
}
