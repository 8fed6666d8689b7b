// SPDX-License-Identifier: Apache-2.0
//! Findings of many objects, equal ones once.

mod remainder;

pub(super) use remainder::Remainder;

use std::collections::{BTreeMap, HashMap};

use super::annotation::{Annotation, AnnotationGroup};
use super::{Reviewed, Weight};
use garden_gate_core::admission::Applicability;
use garden_gate_text::escape;
use garden_gate_text::yaml::Excerpt;

/// Maximum number of further places that are kept of a finding.
const PLACES: usize = 3;

/// A finding, an undetermined check or a parse error, once for all objects that have it.
#[derive(Debug)]
pub(super) struct RepeatedFinding {
    /// The severity.
    pub(super) weight: Weight,
    /// The ids: one, or those of all undetermined checks with the same reason.
    pub(super) ids: Vec<&'static str>,
    /// The rule that documents it.
    pub(super) rule: &'static str,
    /// The fields of the first object.
    pub(super) fields: Vec<String>,
    /// The message.
    pub(super) message: String,
    /// Help for the user; may be empty.
    pub(super) help: String,
    /// Notes by name: a lowered level, the occasion in audits, and a fix that the help does not describe.
    pub(super) notes: Vec<(&'static str, String)>,
    /// The fixed lines of the first object.
    pub(super) fixed_lines: Option<String>,
    /// The first object, such as `UPDATE of Shoot garden-dev/web`.
    pub(super) object: String,
    /// The file of the first object.
    pub(super) file: String,
    /// The lines of the first object.
    pub(super) excerpt: Excerpt,
    /// The next places, as `file:line:column`.
    pub(super) places: Vec<String>,
    /// The number of all places.
    pub(super) count: usize,
}

impl RepeatedFinding {
    fn of(object: &Reviewed, group: &AnnotationGroup<'_, '_>) -> Self {
        let first = group.first;
        let notes = [
            first.lowered().map(|it| ("level", it.to_owned())),
            first.occasion.map(|it| ("when", it.as_str().to_owned())),
            first.fix.map(|it| ("fix", it.to_owned())),
        ];
        Self {
            weight: first.weight,
            ids: group.ids(),
            rule: first.rule,
            fields: group.fields().into_iter().map(str::to_owned).collect(),
            message: first.statement().into_owned(),
            help: first.help.to_owned(),
            notes: notes.into_iter().flatten().collect(),
            fixed_lines: first.text_fix.and_then(|it| it.lines.clone()),
            object: object.heading(),
            file: object.file.clone(),
            excerpt: first.excerpt.clone(),
            places: Vec::new(),
            count: 1,
        }
    }

    /// Returns the URL of the page of its rule: see [`rule_page`].
    pub(super) fn page(&self, rule_url: &str) -> Option<String> {
        rule_page(rule_url, self.rule)
    }

    /// Returns the next places and the number of the others; `None` if there is only one place.
    pub(super) fn other_places(&self) -> Option<String> {
        let others = self.count - 1;
        let places = self.places.join(", ");
        match others - self.places.len() {
            _ if others == 0 => None,
            0 => Some(places),
            more => Some(format!("{places} and {more} more: {LISTED}")),
        }
    }
}

/// Maximum size of a link in bytes, since each finding has one.
const LONGEST_URL: usize = 1_000;

/// Returns the URL of the page of a rule; `None` for ids without a page, or a URL that is not safe to print or too long.
///
/// `rule_url` is a template with `{rule}` for the id.
pub(super) fn rule_page(rule_url: &str, rule: &str) -> Option<String> {
    garden_gate_core::rules::find(rule)?;
    let url = rule_url.replace("{rule}", rule);
    (url.len() <= LONGEST_URL && escape::is_link(&url)).then_some(url)
}

/// The command that lists all findings.
pub(super) const LISTED: &str = "`--format concise` lists them";

/// The number of findings with other messages than those that are kept of an id.
#[derive(Debug, Default)]
struct Variants {
    kept: usize,
    more: usize,
}

/// The findings of all objects, equal ones once.
///
/// Of each id, the first messages are kept, and the others counted.
#[derive(Debug)]
pub(super) struct FindingList {
    pub(super) items: Vec<RepeatedFinding>,
    /// Whether equal findings of several objects are one.
    is_merging: bool,
    /// Maximum number of different messages that are kept of an id.
    limit: usize,
    positions: HashMap<(Weight, &'static str, String), usize>,
    variants: HashMap<(Weight, &'static str), Variants>,
}

impl FindingList {
    /// Returns an empty list that keeps this number of different messages of each id.
    pub(super) fn merging(limit: usize) -> Self {
        Self {
            items: Vec::new(),
            is_merging: true,
            limit,
            positions: HashMap::new(),
            variants: HashMap::new(),
        }
    }

    /// Returns an empty list that keeps each finding of each object.
    pub(super) fn complete() -> Self {
        Self { is_merging: false, ..Self::merging(usize::MAX) }
    }

    /// Adds the findings of an object, and returns the positions of those that no earlier object has, by severity and line.
    pub(super) fn add(&mut self, object: &Reviewed) -> Vec<usize> {
        let mut remarks = object.remarks_with_server();
        let position = |it: &Annotation<'_>| (it.excerpt.position.line, it.excerpt.position.column);
        remarks.sort_by_key(|it| (it.weight, position(it)));
        let groups = AnnotationGroup::once(&remarks);
        groups.iter().filter_map(|group| self.add_group(object, group)).collect()
    }

    /// Adds a finding, and returns its position if it is new.
    fn add_group(&mut self, object: &Reviewed, group: &AnnotationGroup<'_, '_>) -> Option<usize> {
        let first = group.first;
        // Undetermined checks with the same reason are one finding.
        let id = if first.is_open { "" } else { first.id };
        let key = (first.weight, id, key(object, first));
        if self.is_merging
            && let Some(item) = self.positions.get(&key).and_then(|at| self.items.get_mut(*at))
        {
            item.count += 1;
            if item.places.len() < PLACES {
                item.places.push(object.in_garden(place(object, first.excerpt)));
            }
            let new = group.ids().into_iter().filter(|id| !item.ids.contains(id));
            item.ids.extend(new.collect::<Vec<_>>());
            return None;
        }
        let variants = self.variants.entry((first.weight, first.id)).or_default();
        if variants.kept >= self.limit {
            variants.more += 1;
            return None;
        }
        variants.kept += 1;
        let position = self.items.len();
        self.items.push(RepeatedFinding::of(object, group));
        if self.is_merging {
            self.positions.insert(key, position);
        }
        Some(position)
    }

    /// Returns the numbers of findings whose messages are not kept, by severity and id.
    pub(super) fn not_kept(&self) -> BTreeMap<(Weight, &'static str), usize> {
        let more = self.variants.iter().map(|(of, variants)| (*of, variants.more));
        more.filter(|(_, more)| *more > 0).collect()
    }
}

/// Returns the key by which findings of different objects with the same id and severity are equal.
///
/// The own name of an object and the positions in its lists do not count.
pub(super) fn key(object: &Reviewed, remark: &Annotation<'_>) -> String {
    let message = if object.namespace.is_empty() {
        remark.message.to_owned()
    } else {
        remark.message.replace(&format!("`{}/{}`", object.namespace, object.name), "``")
    };
    let field: String = remark.field.split('[').map(without_index).collect();
    format!("{}\0{field}\0{message}\0{}", u8::from(remark.would_deny), remark.help)
}

/// Returns the part of a field after a bracket, without an index.
fn without_index(part: &str) -> &str {
    match part.split_once(']') {
        Some((index, rest)) if index.bytes().all(|it| it.is_ascii_digit()) => rest,
        _ => part,
    }
}

/// Formats a place, as `file:line:column`.
pub(crate) fn place(object: &Reviewed, excerpt: &Excerpt) -> String {
    let position = excerpt.position;
    format!("{}:{}:{}", escape::value(&object.file), position.line, position.column)
}

/// The number of findings that `review --fix` removes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FixableCount {
    /// Findings with a fix that needs no review.
    pub(super) safe: usize,
    /// Findings for which a remedy is suggested.
    pub(super) suggested: usize,
}

impl FixableCount {
    /// Adds annotations.
    pub(super) fn add(&mut self, remarks: &[Annotation<'_>]) {
        for remark in remarks {
            match remark.fixable {
                Some(Applicability::Safe) => self.safe += 1,
                Some(Applicability::Suggestion) => self.suggested += 1,
                None => {}
            }
        }
    }

    /// Formats the counts, such as `4 fixable with --fix, 2 more with --fix=all`; `None` without any.
    pub(super) fn line(self) -> Option<String> {
        match (self.safe, self.suggested) {
            (0, 0) => None,
            (safe, 0) => Some(format!("{safe} fixable with --fix")),
            (0, suggested) => Some(format!("{suggested} fixable with --fix=all")),
            (safe, suggested) => {
                Some(format!("{safe} fixable with --fix, {suggested} more with --fix=all"))
            }
        }
    }
}
