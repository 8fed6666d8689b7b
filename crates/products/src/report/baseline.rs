// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::io;

use schemars::JsonSchema;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::reviewed::title;
use super::{Outcome, Reviewed};
use garden_gate_core::config::Level;
use garden_gate_text::escape;

/// Accepted findings with their counts. A finding with another level is not accepted.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Baseline {
    findings: BTreeMap<(Fingerprint, Level), usize>,
}

/// The result of a comparison with a baseline.
#[derive(Clone, Copy, Debug, Default, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Compared {
    /// The number of findings in the baseline.
    pub known: usize,
    /// The number of baseline findings that are fixed: their objects were reviewed without these findings.
    pub gone: usize,
}

impl Compared {
    /// Formats the result in one line.
    pub(super) fn summary(&self) -> String {
        let findings = |count| match count {
            1 => "1 finding".to_owned(),
            count => format!("{count} findings"),
        };
        let are = |count| if count == 1 { "is" } else { "are" };
        let Self { known, gone } = *self;
        let mut summary = format!("{} {} in the baseline", findings(known), are(known));
        if gone > 0 {
            let gone = format!("{} of it {} gone", findings(gone), are(gone));
            summary += &format!("; {gone}, write it again with --write-baseline");
        }
        summary
    }
}

/// A baseline file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Baseline")]
pub(super) struct File {
    /// The version of the format.
    #[serde(rename = "apiVersion")]
    _api_version: ApiVersion,
    /// The kind of the file.
    #[serde(rename = "kind")]
    _kind: Kind,
    /// The accepted findings.
    findings: Vec<Entry>,
}

/// The version of the format.
#[derive(Deserialize, JsonSchema)]
enum ApiVersion {
    /// The only version.
    #[serde(rename = "garden-gate.dev/v1alpha1")]
    V1alpha1,
}

/// The kind of a baseline file.
#[derive(Deserialize, JsonSchema)]
enum Kind {
    /// A baseline of `review`.
    ReviewBaseline,
}

/// An accepted finding.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AcceptedFinding")]
struct Entry {
    /// The object, such as `Shoot garden-dev/web`; the file if it contains no object.
    object: String,
    /// The id of the finding.
    finding: String,
    /// The field, as Gardener reports it; empty for the whole object.
    field: String,
    /// The level.
    level: Level,
    /// The number of equal findings; 1 if absent.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    count: usize,
}

/// The fields of a JSON report that the comparison needs.
#[derive(Deserialize)]
struct Report {
    reviews: Vec<ReportedObject>,
    audit: ReportedAudit,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReportedAudit {
    changed_since: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct ReportedObject {
    file: String,
    kind: String,
    namespace: String,
    name: String,
    findings: Vec<ReportedFinding>,
}

#[derive(Deserialize)]
struct ReportedFinding {
    finding: String,
    field: String,
    level: Level,
}

fn once() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_once(count: &usize) -> bool {
    *count == 1
}

impl Baseline {
    /// Adds all findings of an object, and marks them as known.
    pub fn add(&mut self, object: &mut Reviewed) {
        let keys = keys(object);
        object.known = vec![true; keys.len()];
        for key in keys {
            *self.findings.entry(key).or_default() += 1;
        }
    }

    /// Returns the result of a comparison with the added objects.
    pub fn compared(&self) -> Compared {
        Compared { known: self.findings.values().sum(), gone: 0 }
    }

    /// Parses the output of [`Baseline::write`].
    ///
    /// # Errors
    /// Fails on invalid files, with the line and the reason.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let file: File = serde_json::from_str(text)?;
        let mut baseline = Self::default();
        for entry in file.findings {
            let fingerprint = Fingerprint::new(&entry.object, &entry.finding, &entry.field);
            let count = baseline.findings.entry((fingerprint, entry.level)).or_default();
            *count = count.saturating_add(entry.count);
        }
        Ok(baseline)
    }

    /// Returns the findings of an audit or review in JSON.
    ///
    /// # Errors
    /// Fails on other texts, with the line and the reason.
    pub fn of_report(text: &str) -> serde_json::Result<Self> {
        let report: Report = serde_json::from_str(text)?;
        if report.audit.changed_since.is_some() {
            let why = "it has only what is new since another report";
            return Err(serde_json::Error::custom(why));
        }
        let mut baseline = Self::default();
        for object in report.reviews {
            let title = title(&object.kind, &object.namespace, &object.name, &object.file);
            for found in object.findings {
                let fingerprint = Fingerprint::new(&title, &found.finding, &found.field);
                *baseline.findings.entry((fingerprint, found.level)).or_default() += 1;
            }
        }
        Ok(baseline)
    }

    /// Writes the baseline as sorted JSON.
    ///
    /// Each finding is on a line, so that changes can be reviewed and merged.
    ///
    /// # Errors
    /// Fails if `out` fails.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write!(
            out,
            "{{\n  \"apiVersion\": \"garden-gate.dev/v1alpha1\",\n  \"kind\": \"ReviewBaseline\",\n  \"findings\": ["
        )?;
        let mut separator = "";
        for ((fingerprint, level), count) in &self.findings {
            let Fingerprint { object, finding, field } = fingerprint.clone();
            let entry = Entry { object, finding, field, level: *level, count: *count };
            let entry = serde_json::to_string(&entry)?;
            write!(out, "{separator}\n    {}", escape::json(&entry))?;
            separator = ",";
        }
        let end = if separator.is_empty() { "" } else { "\n  " };
        writeln!(out, "{end}]\n}}")
    }

    /// Returns a comparison with the baseline.
    pub fn comparing(self) -> Comparing {
        let objects = self.findings.keys().map(|(it, _)| it.object.clone());
        Comparing {
            known: 0,
            objects: objects.map(|object| (object, ObjectPresence::Never)).collect(),
            rest: self.findings,
        }
    }
}

/// A comparison of objects, one after the other, with a [`Baseline`].
#[derive(Debug)]
pub struct Comparing {
    /// The findings of the baseline that no object has had so far.
    rest: BTreeMap<(Fingerprint, Level), usize>,
    /// The objects in the baseline.
    objects: BTreeMap<String, ObjectPresence>,
    known: usize,
}

/// The state of an object in the baseline; for duplicate names the maximum.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum ObjectPresence {
    /// The object has not been seen.
    Never,
    /// The object was judged completely.
    Judged,
    /// The object may have further findings.
    Open,
}

impl Comparing {
    /// Marks findings that are in the baseline, at most as often as their counts there.
    pub fn mark(&mut self, object: &mut Reviewed) {
        let known = keys(object).into_iter().map(|key| {
            let count = self.rest.get_mut(&key).filter(|count| **count > 0);
            count.map(|count| *count -= 1).is_some()
        });
        object.known = known.collect();
        self.known += object.known.iter().filter(|known| **known).count();
        if let Some(seen) = self.objects.get_mut(&object.title()) {
            *seen = (*seen).max(seen_as(object));
        }
    }

    /// Returns the counts of missing findings by id, and the number of known findings.
    ///
    /// Findings count as missing whether or not their objects were judged, if `is_selected` is true for the title of the object.
    pub fn gone(&self, is_selected: impl Fn(&str) -> bool) -> (BTreeMap<String, usize>, usize) {
        let mut gone: BTreeMap<String, usize> = BTreeMap::new();
        for ((fingerprint, _), count) in self.rest.iter().filter(|(_, count)| **count > 0) {
            if is_selected(&fingerprint.object) {
                *gone.entry(fingerprint.finding.clone()).or_default() += count;
            }
        }
        (gone, self.known)
    }

    /// Returns the result.
    pub fn end(self) -> Compared {
        let is_gone = |object: &String| self.objects.get(object) == Some(&ObjectPresence::Judged);
        let gone = self.rest.iter().filter(|((it, _), _)| is_gone(&it.object));
        Compared {
            known: self.known,
            gone: gone.fold(0, |sum, (_, count)| sum.saturating_add(*count)),
        }
    }
}

fn seen_as(object: &Reviewed) -> ObjectPresence {
    match &object.outcome {
        Outcome::Judged(review, _) if review.undetermined.is_empty() => ObjectPresence::Judged,
        _ => ObjectPresence::Open,
    }
}

fn keys(object: &Reviewed) -> Vec<(Fingerprint, Level)> {
    let Outcome::Judged(review, _) = &object.outcome else {
        return Vec::new();
    };
    let title = object.title();
    let findings = review.findings.iter();
    let keys = findings.map(|finding| {
        let fingerprint = Fingerprint::new(&title, finding.finding, &finding.field);
        (fingerprint, finding.level)
    });
    keys.collect()
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    const SOME: &str = r#"{
  "apiVersion": "garden-gate.dev/v1alpha1",
  "kind": "ReviewBaseline",
  "findings": [
    {"object":"Shoot garden-dev/db","finding":"a/b","field":"spec.x[0]","level":"deny"},
    {"object":"Shoot garden-dev/web","finding":"a/b","field":"","level":"warn","count":2}
  ]
}
"#;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [SOME, &written(&Baseline::default())] {
            assert_eq!(written(&Baseline::read(text).unwrap()), text);
        }
    }

    fn written(baseline: &Baseline) -> String {
        let mut out = Vec::new();
        baseline.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_git_merged_from_two_branches_counts_together() {
        let line = SOME.lines().nth(4).unwrap();
        let twice = SOME.replace(line, &format!("{line}\n{line}"));
        let expected = SOME.replacen(r#""deny"}"#, r#""deny","count":2}"#, 1);
        assert_eq!(written(&Baseline::read(&twice).unwrap()), expected);
    }

    #[test]
    fn anything_else_is_refused_with_its_place() {
        for (from, to, says) in [
            (
                "v1alpha1",
                "v2",
                "unknown variant `garden-gate.dev/v2`, expected `garden-gate.dev/v1alpha1` at line 2",
            ),
            (
                "ReviewBaseline",
                "Shoot",
                "unknown variant `Shoot`, expected `ReviewBaseline` at line 3",
            ),
            ("\"level\":\"warn\"", "\"level\":\"hm\"", "unknown variant `hm`"),
            ("\"count\":2", "\"count\":-2", "invalid value: integer `-2`"),
            ("\"field\":\"\",", "", "missing field `field` at line 6"),
            ("  ]\n}", "", "EOF while parsing a list at line 8"),
        ] {
            let text = SOME.replace(from, to);
            let error = Baseline::read(&text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
