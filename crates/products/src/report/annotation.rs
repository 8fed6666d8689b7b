// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::{self, repeat};

use serde_json::Value;

use super::{Outcome, Reviewed, TextFix, Weight};
use crate::audit::Trigger;
use garden_gate_core::admission::{Applicability, Edit, Finding, Silenced};
use garden_gate_core::config::Level;
use garden_gate_text::escape;
use garden_gate_text::yaml::Excerpt;

/// A finding, an undetermined check, or a parse error, for output.
#[derive(Debug)]
pub struct Annotation<'a> {
    /// How serious it is.
    pub weight: Weight,
    /// The id of the finding, or of the undetermined rule.
    pub id: &'static str,
    /// The id of the rule that documents it.
    pub rule: &'static str,
    /// The field in Gardener's notation; empty for the whole object.
    pub field: &'a str,
    /// The message.
    pub message: &'a str,
    /// Help for the user; may be empty.
    pub help: &'a str,
    /// The first fix, if help does not describe it.
    pub(crate) fix: Option<&'a str>,
    /// The fix as replacements of text.
    pub text_fix: Option<&'a TextFix>,
    /// The lines of the manifest.
    pub excerpt: &'a Excerpt,
    /// The most certain fix; `None` if there is none.
    pub fixable: Option<Applicability>,
    /// Whether it would refuse the object without the level in the configuration.
    pub(crate) would_deny: bool,
    /// A note if Gardener accepts the object.
    pub(crate) own_refusal: Option<&'static str>,
    /// Whether it is in the baseline.
    pub(crate) is_known: bool,
    /// The occasion on which it matters, in audits.
    pub(crate) occasion: Option<Trigger>,
    /// Whether it is an undetermined check.
    pub is_open: bool,
}

impl Annotation<'_> {
    /// Returns the escaped message; a note on the lowered level and the help are on separate lines.
    pub fn text(&self) -> String {
        let mut text = escape::value(&self.statement()).into_owned();
        if let Some(lowered) = self.lowered() {
            text += &format!("\nlevel: {lowered}");
        }
        match self.help {
            "" => text,
            help => format!("{text}\nhelp: {}", escape::value(help)),
        }
    }

    /// Returns the message, marked if only garden-gate refuses the object.
    pub(super) fn statement(&self) -> Cow<'_, str> {
        match self.own_refusal {
            Some(origin) => format!("{} ({origin})", self.message).into(),
            None => self.message.into(),
        }
    }

    /// Returns a note if the configuration lowers the level to a warning.
    pub(super) fn lowered(&self) -> Option<&'static str> {
        const LOWERED: &str = "it would be refused; the configuration lowers this to a warning";
        self.would_deny.then_some(LOWERED)
    }
}

/// An annotation, and undetermined checks with the same reason.
#[derive(Debug)]
pub struct AnnotationGroup<'r, 'a> {
    /// The annotation.
    pub first: &'r Annotation<'a>,
    pub(crate) others: Vec<&'r Annotation<'a>>,
}

impl<'r, 'a> AnnotationGroup<'r, 'a> {
    /// Groups annotations in order, with each reason once.
    pub fn once(remarks: &'r [Annotation<'a>]) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        let mut open = BTreeMap::new();
        for remark in remarks {
            let reason = (remark.weight, remark.would_deny, remark.message);
            match open.get(&reason).and_then(|at: &usize| groups.get_mut(*at)) {
                Some(group) if remark.is_open => group.others.push(remark),
                _ => {
                    if remark.is_open {
                        open.insert(reason, groups.len());
                    }
                    groups.push(Self { first: remark, others: Vec::new() });
                }
            }
        }
        groups
    }

    fn all(&self) -> impl Iterator<Item = &'r Annotation<'a>> {
        iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Returns the fields of all annotations in the group, without empty ones.
    pub(super) fn fields(&self) -> Vec<&'a str> {
        let fields = self.all().map(|it| it.field);
        fields.filter(|it| !it.is_empty()).collect()
    }

    /// Returns the distinct ids of all annotations in the group.
    pub(crate) fn ids(&self) -> Vec<&'static str> {
        let mut ids: Vec<&str> = self.all().map(|it| it.id).collect();
        let mut seen = BTreeSet::new();
        ids.retain(|id| seen.insert(*id));
        ids
    }
}

/// The id of parse errors.
pub(super) const UNREADABLE: &str = "object/unreadable";

impl Reviewed {
    /// Reports whether the object has new annotations of this severity; the baseline does not count.
    pub(super) fn says(&self, weight: Weight) -> bool {
        self.remarks_with_server().iter().any(|remark| remark.weight == weight)
    }

    /// Returns the annotations that are not in the baseline: findings, then undetermined checks.
    pub(super) fn remarks(&self) -> Vec<Annotation<'_>> {
        let mut remarks = self.all_remarks();
        remarks.retain(|remark| !remark.is_known);
        remarks
    }

    /// Returns all annotations, in the same order.
    pub fn all_remarks(&self) -> Vec<Annotation<'_>> {
        match &self.outcome {
            Outcome::Judged(review, excerpts) => {
                let known = self.known.iter().copied().chain(repeat(false));
                let occasions = self.occasions.iter().copied().map(Some).chain(repeat(None));
                let findings = review.findings.iter().zip(excerpts);
                let text_fixes = self.text_fixes.iter().map(Option::as_ref);
                let entries =
                    findings.zip(text_fixes.chain(repeat(None))).zip(known).zip(occasions);
                let annotations =
                    entries.map(|((((finding, excerpt), text_fix), is_known), occasion)| {
                        Annotation { text_fix, is_known, occasion, ..of_finding(finding, excerpt) }
                    });
                let others = excerpts.iter().skip(review.findings.len());
                let undetermined =
                    review.undetermined.iter().zip(others).map(|(it, excerpt)| Annotation {
                        weight: match it.level {
                            Level::Deny => Weight::Unknown,
                            Level::Warn | Level::Off => Weight::Warned,
                        },
                        field: &it.field,
                        would_deny: it.would_deny,
                        is_open: true,
                        ..of_message(it.rule, &it.message, excerpt)
                    });
                annotations.chain(undetermined).collect()
            }
            Outcome::Unreadable(why, excerpt) => vec![Annotation {
                weight: if self.is_invalid { Weight::Invalid } else { Weight::Unknown },
                ..of_message(UNREADABLE, why, excerpt)
            }],
        }
    }

    /// Returns the silenced findings, with the silences.
    pub(super) fn silenced(&self) -> Vec<(&Silenced, Annotation<'_>)> {
        let Outcome::Judged(review, excerpts) = &self.outcome else {
            return Vec::new();
        };
        let others = review.findings.len() + review.undetermined.len();
        let silences = review.silenced.iter();
        let findings = silences
            .flat_map(|it| it.findings.iter().map(move |finding| (it, finding)))
            .zip(excerpts.iter().skip(others));
        findings
            .map(|((silence, finding), excerpt)| (silence, of_finding(finding, excerpt)))
            .collect()
    }

    /// Returns one line for each silence.
    pub(super) fn silences(&self) -> Vec<String> {
        let Outcome::Judged(review, _) = &self.outcome else {
            return Vec::new();
        };
        let silences = review.silenced.iter();
        silences
            .map(|silence| match silence.findings.len() {
                1 => format!("{} ({silence})", silence.id),
                count => format!("{count} times {} ({silence})", silence.id),
            })
            .collect()
    }
}

fn of_finding<'a>(finding: &'a Finding, excerpt: &'a Excerpt) -> Annotation<'a> {
    Annotation {
        weight: match finding.level {
            Level::Deny => Weight::Refused,
            Level::Warn | Level::Off => Weight::Warned,
        },
        rule: finding.rule,
        field: &finding.field,
        help: &finding.help,
        fix: unsaid(finding),
        fixable: finding.fixes.iter().map(|it| it.applicability).min(),
        would_deny: finding.would_deny,
        own_refusal: finding.own_refusal(),
        ..of_message(finding.finding, &finding.message, excerpt)
    }
}

/// Returns the title of the first fix, unless the help already describes the change.
fn unsaid(finding: &Finding) -> Option<&str> {
    let fix = finding.fixes.first()?;
    let help = finding.help.as_str();
    let says = |edit: &Edit| match edit {
        Edit::Replace { value, .. } | Edit::Insert { value, .. } => match value {
            Value::String(text) => help.contains(text.as_str()) || help.contains("back"),
            value => help.contains(&value.to_string()) || help.contains("back"),
        },
        Edit::Rename { key, .. } => help.contains(key.as_str()),
        Edit::Remove { .. } => {
            let words = ["remove", "leave", "once", "keep one", "belongs", "back"];
            words.iter().any(|word| help.contains(word))
        }
    };
    (!fix.edits.iter().any(says)).then_some(&fix.title)
}

/// Returns an annotation of the whole object.
pub(super) fn of_message<'a>(
    id: &'static str,
    message: &'a str,
    excerpt: &'a Excerpt,
) -> Annotation<'a> {
    Annotation {
        weight: Weight::Unknown,
        id,
        rule: id,
        field: "",
        message,
        help: "",
        fix: None,
        text_fix: None,
        fixable: None,
        excerpt,
        would_deny: false,
        own_refusal: None,
        is_known: false,
        occasion: None,
        is_open: false,
    }
}
