// SPDX-License-Identifier: Apache-2.0
//! Numbers of agreeing cases, and reasons for the others.
//!
//! They are in `agreement.json` and `differences.yaml` in `tests/conformance/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::{Deserialize, Serialize};
use serde_json::Value;

const AGREEMENT: &str = "tests/conformance/agreement.json";
const DIFFERENCES: &str = "tests/conformance/differences.yaml";

const HEAD: &str = "\
# Recorded cases that `review` answers differently, and why; docs/reference/differences.md shows the reasons. A case that differs and is not listed fails
# `cargo test --test cli predict::`. `UPDATE_AGREEMENT=1` takes off the list what agrees by now. `silent`: allowed, and not a word that anything is not judged.
";

/// The aspect of a response that differs from the recording.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Aspect {
    /// Whether the object is refused.
    Verdict,
    /// The fields that a refusal names.
    Fields,
    /// The object as it would be stored.
    Stored,
}

/// A case with another response.
#[derive(Debug)]
pub(crate) struct Disagreement {
    pub(crate) case: String,
    pub(crate) aspect: Aspect,
    pub(crate) text: String,
}

/// Counts of agreeing cases in a family.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Agreement {
    cases: usize,
    /// The number of cases that agree in all aspects.
    pub(crate) agree: usize,
    /// The number of cases that agree in the verdict.
    verdict: usize,
    refused: usize,
    /// The number of refused cases that agree in verdict and fields.
    fields: usize,
    /// The number of cases whose stored object was recorded and is compared.
    kept: usize,
    /// The number of these cases that agree in verdict and stored object.
    stored: usize,
}

impl Agreement {
    pub(crate) fn of(cases: &[&Value], disagreeing: &[Disagreement]) -> Self {
        let differs = |case: &Value, aspect: Aspect| {
            let mut found = disagreeing.iter().filter(|it| it.case == case["id"]);
            found.any(|it| it.aspect == aspect || it.aspect == Aspect::Verdict)
        };
        let agreeing = |cases: &[&Value], aspect: Aspect| {
            let cases = cases.iter();
            cases.filter(|case| !differs(case, aspect)).count()
        };
        let is_refused = |case: &&Value| case["expect"]["allowed"] == false;
        let refused: Vec<&Value> = cases.iter().copied().filter(is_refused).collect();
        let is_kept = |case: &&Value| super::recorded_patch(case).is_some();
        let kept: Vec<&Value> = cases.iter().copied().filter(is_kept).collect();
        Agreement {
            cases: cases.len(),
            agree: cases.len() - disagreeing.len(),
            verdict: agreeing(cases, Aspect::Verdict),
            refused: refused.len(),
            fields: agreeing(&refused, Aspect::Fields),
            kept: kept.len(),
            stored: agreeing(&kept, Aspect::Stored),
        }
    }
}

/// Returns the recorded numbers of a family.
pub(crate) fn noted(family: &str) -> Agreement {
    all().remove(family).unwrap_or_default()
}

fn all() -> BTreeMap<String, Agreement> {
    let text = fs::read_to_string(AGREEMENT).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).unwrap()
}

/// Updates the files for a family, while tests of other families may do the same.
pub(crate) fn write(family: &str, agreement: Agreement, disagreeing: &[Disagreement]) {
    static WRITING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one_at_a_time = WRITING.lock().unwrap();
    let mut noted = all();
    noted.insert(family.to_owned(), agreement);
    let rows = noted.iter().map(|(family, agreement)| {
        let numbers = serde_json::to_string(agreement).unwrap();
        format!("  \"{family}\": {numbers}")
    });
    let rows: Vec<_> = rows.collect();
    fs::write(AGREEMENT, format!("{{\n{}\n}}\n", rows.join(",\n"))).unwrap();
    forget(family, disagreeing);
}

/// Cases of a family with a known difference.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retrieval {
    family: String,
    /// The ids, without that of the family.
    cases: Vec<String>,
    why: String,
    /// The version of the server; absent for the newest.
    version: Option<String>,
    /// Whether the objects are allowed without an announcement of parts that are not judged.
    #[serde(default)]
    pub(crate) silent: bool,
}

impl Retrieval {
    /// Returns the known differences of a family.
    pub(crate) fn of(family: &str) -> Vec<Self> {
        let all = Self::all().into_iter().filter(|it| it.version.is_none());
        all.filter(|it| it.family == family).collect()
    }

    /// Returns the ids of the known differences of an earlier server.
    pub(crate) fn of_version(version: &str) -> BTreeSet<String> {
        let all = Self::all().into_iter().filter(|it| it.version.as_deref() == Some(version));
        all.flat_map(|it| it.ids().collect::<Vec<_>>()).collect()
    }

    /// Reports whether the family is this one, of any server.
    pub(crate) fn is_of(&self, family: &str) -> bool {
        self.family == family
    }

    pub(crate) fn all() -> Vec<Self> {
        serde_saphyr::from_str(&fs::read_to_string(DIFFERENCES).unwrap()).unwrap()
    }

    /// Returns the ids of the cases.
    pub(crate) fn ids(&self) -> impl Iterator<Item = String> {
        let cases = self.cases.iter();
        cases.map(|case| format!("{}/{case}", self.family))
    }
}

/// Removes the cases of a family that now agree from the list.
fn forget(family: &str, disagreeing: &[Disagreement]) {
    let mut all = Retrieval::all();
    let of_newest = all.iter_mut().filter(|it| it.version.is_none());
    for known in of_newest.filter(|it| it.family == family) {
        let id = |case: &str| format!("{family}/{case}");
        let differs = |case: &str| disagreeing.iter().any(|it| it.case == id(case));
        known.cases.retain(|case| differs(case));
    }
    let rows = all.iter().filter(|it| !it.cases.is_empty()).map(|it| {
        let (cases, silent) = (it.cases.join(", "), "\n  silent: true");
        let silent = if it.silent { silent } else { "" };
        let (family, why) = (&it.family, &it.why);
        let version =
            it.version.as_ref().map(|it| format!("  version: {it}\n")).unwrap_or_default();
        format!("- family: {family}\n{version}  cases: [{cases}]\n  why: {why}{silent}\n")
    });
    fs::write(DIFFERENCES, format!("{HEAD}\n{}", rows.collect::<String>())).unwrap();
}
