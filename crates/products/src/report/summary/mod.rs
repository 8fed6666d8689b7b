// SPDX-License-Identifier: Apache-2.0
mod audit;
mod versions;

pub use self::audit::{AuditSummary, By, ChangedSince};
pub(crate) use self::versions::OfExtension;
pub use self::versions::{ChangedVersion, ChangedVersions, ComparedVersions, JudgedExtension};

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::affected_shoots::at_least;
use super::findings::FixableCount;
use super::truncation::{counted, number_of};
use super::{Compared, Outcome, Reviewed, Weight};
use garden_gate_core::admission::Verdict;
use garden_gate_core::config::{JudgedVersion, Level, VersionSource, note_on_published};
use garden_gate_core::garden::PublishedVersion;

/// The last line of a review without objects.
const NOTHING: &str = "there is nothing to review: no file has an object of core.gardener.cloud/v1beta1 or an AdmissionReview";

/// Counts of all objects in a review or audit.
#[derive(Debug, Default)]
pub struct Summary {
    /// Objects and files that were skipped.
    pub left_out: SkippedInput,
    /// The configuration file; `None` if there is none.
    pub config: Option<ConfigFile>,
    /// The URL template of rule pages, with `{rule}` for the id.
    pub rule_url: Option<String>,
    /// The versions of Gardener by which objects are judged, one for each garden.
    pub judged: Vec<JudgedGarden>,
    /// The result of the comparison with a baseline; `None` without one.
    pub baseline: Option<Compared>,
    /// The result of an audit; `None` for a review.
    pub audit: Option<AuditSummary>,
    /// Changed versions of components, and stored objects that the new ones judge; `None` without a change.
    pub versions: Option<ChangedVersions>,
    allowed: usize,
    denied: usize,
    undetermined: usize,
    /// The number of objects that only findings in the baseline refuse.
    denied_as_before: usize,
    /// The number of files that are not valid YAML, which are also undetermined.
    invalid: usize,
    /// The number of objects that Gardener would accept.
    denied_only_here: usize,
    /// The number of silenced findings.
    silenced: usize,
    /// The number of findings that `--fix` removes.
    fixable: FixableCount,
    /// The machines that changes replace, and those that they remove.
    machines: [MachineCount; 2],
    /// The Shoots that changes strand, and those that they force earlier.
    shoots: [ShootCount; 2],
    /// The severities of all annotations that are not in the baseline.
    says: BTreeSet<Weight>,
    /// The number of refusals that are not in the baseline.
    refusals: usize,
    warnings: usize,
    files: BTreeSet<String>,
    /// The answers of the API server; `None` without dry runs.
    server: Option<ServerCounts>,
}

/// Machines that changes affect.
#[derive(Clone, Copy, Debug, Default)]
struct MachineCount {
    /// The changes.
    objects: usize,
    /// The worker pools.
    pools: usize,
    /// The maximum number of machines.
    at_most: u64,
}

/// Shoots that profile changes affect.
#[derive(Debug, Default)]
struct ShootCount {
    /// The changes.
    objects: usize,
    /// The garden and the name of each Shoot.
    names: BTreeSet<(String, String)>,
    /// Whether there may be more.
    is_partial: bool,
}

/// Counts of a review.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    /// Objects.
    objects: usize,
    /// Objects with the verdict `allowed`.
    allowed: usize,
    /// Objects with the verdict `denied`.
    denied: usize,
    /// Objects with the verdict `undetermined`.
    undetermined: usize,
    /// Findings of level `deny` that are not in the baseline.
    refusals: usize,
    /// Findings of level `warn` that are not in the baseline.
    warnings: usize,
    /// Files with objects.
    files: usize,
}

/// A configuration file.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// The file, as the user would name it.
    pub path: String,
    /// Whether the file was discovered; otherwise the user named it.
    pub is_found: bool,
}

#[derive(Debug, Default)]
struct ServerCounts {
    refused: usize,
    missing: usize,
    different: usize,
}

impl Summary {
    /// Returns an empty summary.
    pub fn new(left_out: SkippedInput, config: Option<ConfigFile>) -> Self {
        Self { left_out, config, ..Self::default() }
    }

    /// Returns the summary of an audit of objects that are judged by this version of Gardener.
    pub(super) fn of_audit(audit: AuditSummary, judged: JudgedVersion) -> Self {
        let judged = JudgedGarden { judged, ..JudgedGarden::default() };
        Self { judged: vec![judged], audit: Some(audit), ..Self::default() }
    }

    /// Counts one more object.
    pub fn add(&mut self, object: &Reviewed) {
        match object.verdict() {
            Verdict::Allowed => self.allowed += 1,
            Verdict::Denied => self.denied += 1,
            Verdict::Undetermined => self.undetermined += 1,
        }
        self.denied_as_before += usize::from(object.is_denied_as_before());
        self.denied_only_here += usize::from(is_denied_only_here(object));
        self.silenced += object.silenced().len();
        self.invalid += usize::from(object.is_invalid);
        let remarks = object.remarks_with_server();
        self.fixable.add(&remarks);
        self.add_machines(object);
        self.add_shoots(object);
        self.says.extend(remarks.iter().map(|remark| remark.weight));
        let count = |weight| remarks.iter().filter(|it| it.weight == weight).count();
        self.refusals += count(Weight::Refused);
        self.warnings += count(Weight::Warned);
        if !self.files.contains(&object.file) {
            self.files.insert(object.file.clone());
        }
        if let Some(server) = &object.server {
            let counts = self.server.get_or_insert_default();
            counts.refused += usize::from(server.is_refusal());
            counts.missing += usize::from(server.is_missing());
            counts.different += usize::from(server.disagrees());
        }
    }

    /// Counts a stored object that the new versions of components judge.
    pub fn add_stored(&mut self, object: &Reviewed) {
        self.says.extend(object.remarks().iter().map(|remark| remark.weight));
        self.versions.get_or_insert_default().stored.add(object);
    }

    /// Records that not all stored objects could be read.
    pub fn note_partial(&mut self) {
        self.says.insert(Weight::Unknown);
    }

    /// Counts the machines that a change affects, unless it is refused.
    fn add_machines(&mut self, object: &Reviewed) {
        let Outcome::Judged(review, _) = &object.outcome else {
            return;
        };
        if object.verdict() == Verdict::Denied {
            return;
        }
        for (count, are_removed) in self.machines.iter_mut().zip([false, true]) {
            let mut affected = review
                .findings
                .iter()
                .filter_map(|it| it.machines)
                .filter(|it| it.are_removed == are_removed)
                .peekable();
            count.objects += usize::from(affected.peek().is_some());
            for machines in affected {
                count.pools += machines.pools;
                count.at_most = count.at_most.saturating_add(machines.at_most);
            }
        }
    }

    /// Counts the Shoots that a profile change affects, unless it is refused.
    fn add_shoots(&mut self, object: &Reviewed) {
        let Some(shoots) = &object.shoots else {
            return;
        };
        if object.verdict() == Verdict::Denied {
            return;
        }
        let effect = &shoots.effect;
        let lists = [
            (&effect.stranded, effect.may_strand_more()),
            (&effect.forced_earlier, effect.is_partial),
        ];
        let lists = self.shoots.iter_mut().zip(lists).filter(|(_, (names, _))| !names.is_empty());
        for (count, (names, is_partial)) in lists {
            count.objects += 1;
            count.is_partial |= is_partial;
            count.names.extend(names.iter().map(|name| (object.garden.clone(), name.clone())));
        }
    }

    /// Formats the effects on machines and Shoots.
    fn effects(&self) -> Vec<String> {
        self.machine_parts().chain(self.shoot_parts()).collect()
    }

    /// Formats the effects on Shoots, such as `1 change strands 2 Shoots`.
    fn shoot_parts(&self) -> impl Iterator<Item = String> {
        let verbs = [["strands", "strand", ""], ["forces", "force", " earlier"]];
        let counts = self.shoots.iter().zip(verbs).filter(|(count, _)| count.objects > 0);
        counts.map(|(count, [one, many, end])| {
            let verb = if count.objects == 1 { one } else { many };
            let changes = number_of(count.objects, "change", "changes");
            let shoots = number_of(count.names.len(), "Shoot", "Shoots");
            format!("{changes} {verb} {}{shoots}{end}", at_least(count.is_partial))
        })
    }

    /// Formats the effects on machines, such as `1 change rolls up to 12 machines in 2 pools`.
    fn machine_parts(&self) -> impl Iterator<Item = String> {
        let verbs = [["rolls", "roll"], ["removes", "remove"]];
        let counts = self.machines.iter().zip(verbs).filter(|(count, _)| count.objects > 0);
        counts.map(|(count, [one, many])| {
            let verb = if count.objects == 1 { one } else { many };
            let changes = number_of(count.objects, "change", "changes");
            let pools = number_of(count.pools, "pool", "pools");
            let machines = if count.at_most == 1 { "machine" } else { "machines" };
            format!("{changes} {verb} up to {} {machines} in {pools}", count.at_most)
        })
    }

    /// Reports whether an object has a new annotation of this severity; the baseline does not count.
    pub fn says(&self, weight: Weight) -> bool {
        self.says.contains(&weight)
    }

    /// Reports whether there was no object at all, including unchanged ones.
    pub fn is_empty(&self) -> bool {
        let stored = self.versions.as_ref().map_or(0, |it| it.stored.objects);
        self.allowed + self.denied + self.undetermined + self.left_out.unchanged + stored == 0
    }

    /// Returns the counts for JSON.
    pub(super) fn numbers(&self) -> Counts {
        let Self { allowed, denied, undetermined, refusals, warnings, .. } = *self;
        Counts {
            objects: allowed + denied + undetermined,
            allowed,
            denied,
            undetermined,
            refusals,
            warnings,
            files: self.files.len(),
        }
    }

    /// Formats what a person must know first, as Markdown.
    pub(super) fn headline(&self) -> String {
        let is_audit = self.audit.is_some();
        let object = if is_audit { "object" } else { "change" };
        let are = |count: usize, what: &str| {
            let counted = counted(count, &format!("{object} is"), &format!("{object}s are"))?;
            Some(format!("**{counted} {what}**"))
        };
        let refused = match self.denied - self.denied_as_before {
            0 if is_audit => "nothing would be refused".to_owned(),
            0 => "nothing is refused".to_owned(),
            count if is_audit => {
                format!("**{} would be refused**", number_of(count, "object", "objects"))
            }
            1 => "**1 change is refused**".to_owned(),
            count => format!("**{count} changes are refused**"),
        };
        let parts = [
            are(self.invalid, "not valid YAML"),
            Some(refused),
            are(self.undetermined - self.invalid, "undetermined"),
            counted(self.warnings, "warning", "warnings"),
        ];
        let stored = self.versions.as_ref().and_then(ChangedVersions::headline);
        parts
            .into_iter()
            .flatten()
            .chain(stored)
            .chain(self.effects())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Returns the last lines of text: the counts, and the number of findings that `--fix` removes.
    pub(super) fn last_lines(&self) -> Vec<String> {
        let versions = self.versions.iter().flat_map(ChangedVersions::lines);
        if self.is_empty() {
            return versions.chain([NOTHING.to_owned()]).collect();
        }
        let effects = self.effects();
        let effects = (!effects.is_empty()).then(|| effects.join(", "));
        let counts = [self.counts()].into_iter().chain(effects).chain(self.fixable.line());
        versions.chain(counts).collect()
    }

    /// Returns the versions of Gardener by which the objects are judged, for JSON.
    pub(super) fn judged_as(&self) -> JudgedAs<'_> {
        JudgedAs::of(&self.judged)
    }

    /// Returns the versions of Gardener by which the objects are judged, for people.
    pub(super) fn judged_lines(&self) -> impl Iterator<Item = String> {
        self.judged.iter().flat_map(JudgedGarden::lines)
    }

    /// Formats the counts in one line: verdicts, warnings and files; only verdicts for an audit.
    pub(super) fn counts(&self) -> String {
        let Self { allowed, denied, undetermined, .. } = self;
        let before = match self.denied_as_before {
            0 => String::new(),
            before => format!(" ({before} as in the baseline)"),
        };
        let only_here = match self.denied_only_here {
            0 => String::new(),
            count => format!(", {count} of them only by garden-gate"),
        };
        let invalid = match self.invalid {
            0 => String::new(),
            count => format!("{count} invalid, "),
        };
        let undetermined = undetermined - self.invalid;
        let mut counts = format!(
            "{invalid}{denied} denied{before}{only_here}, {undetermined} undetermined, {allowed} allowed"
        );
        if self.audit.is_none() {
            let warnings = number_of(self.warnings, "warning", "warnings");
            let silenced = match self.silenced {
                0 => String::new(),
                silenced => format!(", {silenced} silenced"),
            };
            let objects = allowed + denied + undetermined + self.invalid;
            let objects = number_of(objects, "object", "objects");
            let files = number_of(self.files.len(), "file", "files");
            counts += &format!("; {warnings}{silenced} in {objects} of {files}");
        }
        let Some(server) = &self.server else {
            return counts;
        };
        let ServerCounts { refused, missing, different } = server;
        let missing = match missing {
            0 => String::new(),
            _ => format!(", has not answered about {missing}"),
        };
        format!("{counts}; the API server refuses {refused}{missing}, disagrees about {different}")
    }
}

/// Reports whether all findings that refuse an object are beyond Gardener.
fn is_denied_only_here(object: &Reviewed) -> bool {
    let Outcome::Judged(review, _) = &object.outcome else {
        return false;
    };
    let mut refusals = review.findings.iter().filter(|it| it.level == Level::Deny);
    object.verdict() == Verdict::Denied && refusals.all(|it| it.own_refusal().is_some())
}

/// Objects and files that `review` skipped.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkippedInput {
    /// The number of unchanged objects.
    pub unchanged: usize,
    /// The number of documents of unsupported kinds.
    pub others: usize,
    /// Templates and patches, which other programs complete before they are applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<LeftOutFile>,
    /// Skipped files in directories, with reasons.
    pub files: Vec<LeftOutFile>,
}

/// A skipped file.
#[derive(Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct LeftOutFile {
    /// The file.
    pub file: String,
    /// The reason why the file is skipped.
    pub why: String,
}

impl SkippedInput {
    /// Reports whether templates and patches were skipped, which may be refused once they are complete.
    pub(super) fn has_incomplete(&self) -> bool {
        !self.incomplete.is_empty()
    }

    /// Reports whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.unchanged + self.others + self.incomplete.len() + self.files.len() == 0
    }

    /// Formats the counts in one line.
    pub(super) fn summary(&self) -> String {
        let mut parts = vec![
            counted(self.unchanged, "object is unchanged", "objects are unchanged"),
            counted(self.others, "document is of another kind", "documents are of other kinds"),
            counted(
                self.incomplete.len(),
                "file is a template or patch",
                "files are templates or patches",
            ),
        ];
        if let Some(first) = self.files.first() {
            let files =
                counted(self.files.len(), "file holds no manifests", "files hold no manifests");
            parts.push(files.map(|files| format!("{files} (`{}`: {})", first.file, first.why)));
        }
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The version of Gardener by which the objects of a garden are judged, and those of extensions.
#[derive(Clone, Debug, Default)]
pub struct JudgedGarden {
    /// The garden directory, if there are several.
    pub directory: String,
    /// The version, with its source.
    pub judged: JudgedVersion,
    /// The version that the garden publishes, if any.
    pub published: Option<PublishedVersion>,
    /// The versions of extensions that flags set.
    pub extensions: Vec<JudgedExtension>,
    /// The versions whose findings are omitted, if any.
    pub compared_with: Option<ComparedVersions>,
}

impl JudgedGarden {
    /// Returns a note if the version is not known, or the garden publishes another one.
    fn note(&self) -> Option<String> {
        let published = self.published.as_ref();
        let other = published
            .filter(|it| it.version != self.judged.version)
            .map(|it| note_on_published(&it.text, it.version));
        let compared = self
            .compared_with
            .as_ref()
            .map(|base| format!("findings that {base} reports, too, are omitted"));
        self.judged.note().or(compared).or(other)
    }

    /// Returns the minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one.
    fn ahead(&self) -> u16 {
        let published = self.published.as_ref().map(|it| it.version.minors_ahead());
        published.unwrap_or_default().max(self.judged.version.minors_ahead())
    }

    /// Returns the version as a line for people, and notes.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let place = match self.directory.as_str() {
            "" => String::new(),
            directory => format!(" in `{directory}`"),
        };
        let extensions: String = self.extensions.iter().map(|it| format!(", {it}")).collect();
        let line = format!("judged as {}{extensions}{place}", self.judged);
        let note = self.note().map(|note| format!("note: {note}"));
        [line].into_iter().chain(note)
    }
}

/// The version of Gardener by which objects are judged; with several gardens, that of the first.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct JudgedAs<'a> {
    /// The minor version, such as `1.149`.
    gardener: String,
    /// Source of the version.
    from: VersionSource,
    /// The version of Gardener that the garden publishes.
    #[serde(skip_serializing_if = "Option::is_none")]
    garden: Option<&'a str>,
    /// The minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    ahead: u16,
    /// In audits, the version of Gardener whose findings are omitted.
    #[serde(rename = "comparedWith", skip_serializing_if = "Option::is_none")]
    compared_with: Option<String>,
    /// The versions of extensions that flags set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extensions: Vec<OfExtension>,
    /// A note on the difference, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// With several gardens, the version for each of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gardens: Vec<OfGarden<'a>>,
}

/// The version of Gardener by which objects are judged with one of several gardens.
#[derive(Debug, JsonSchema, Serialize)]
struct OfGarden<'a> {
    /// The garden directory.
    directory: &'a str,
    /// The minor version, such as `1.149`.
    gardener: String,
    /// Source of the version.
    from: VersionSource,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(ahead: &u16) -> bool {
    *ahead == 0
}

impl<'a> JudgedAs<'a> {
    /// Returns the versions for JSON.
    pub(super) fn of(gardens: &'a [JudgedGarden]) -> Self {
        let Some(first) = gardens.first() else {
            return Self::from(JudgedVersion::default());
        };
        let compared = first.compared_with.as_ref();
        let each = gardens.iter().map(|it| OfGarden {
            directory: &it.directory,
            gardener: it.judged.version.known().to_string(),
            from: it.judged.source,
        });
        Self {
            garden: first.published.as_ref().map(|it| it.text.as_str()),
            ahead: gardens.iter().map(JudgedGarden::ahead).max().unwrap_or_default(),
            compared_with: compared.and_then(|it| it.gardener).map(|it| it.to_string()),
            extensions: first.extensions.iter().map(|it| OfExtension::of(it, compared)).collect(),
            note: first.note(),
            gardens: match gardens.len() {
                1 => Vec::new(),
                _ => each.collect(),
            },
            ..Self::from(first.judged)
        }
    }
}

impl From<JudgedVersion> for JudgedAs<'_> {
    fn from(judged: JudgedVersion) -> Self {
        Self {
            gardener: judged.version.known().to_string(),
            from: judged.source,
            garden: None,
            ahead: judged.version.minors_ahead(),
            compared_with: None,
            extensions: Vec::new(),
            note: judged.note(),
            gardens: Vec::new(),
        }
    }
}
