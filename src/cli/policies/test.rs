// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::cli::Outcome;
use crate::garden::directory::{Reading, load_with};
use crate::policy_files::{documents, lines, texts};
use crate::review::parameters::from_directory;
use garden_gate_core::admission::{Request, Review, Rules, Verdict, World};
use garden_gate_core::config::{Config, ExtensionSettings};
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::{
    Allowance, Deadline, OwnPolicy, Policies, PolicyCache, PolicyRemarks, decide, own_policies,
};
use garden_gate_model::api::{Kind, UserInfo, group_and_version};
use garden_gate_products::report::Lines;
use garden_gate_products::review::parameters::ChangedParameters;
use garden_gate_text::yaml::{self, Document};

/// The time of cases without one.
const NOW: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// Arguments of `garden-gate policies test`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  garden-gate policies test examples/policies

Exit codes:
  0  all cases have the expected result
  1  a case has another result
  2  a file cannot be read
  3  there are no cases")]
pub(super) struct Test {
    /// Directories with policies, objects of the garden and PolicyTests.
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
}

/// The test of the policies in a directory.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PolicyTest {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(default, rename = "metadata")]
    _metadata: Value,
    spec: PolicyTestSpec,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PolicyTestSpec {
    /// The time of all cases.
    now: Option<Timestamp>,
    cases: Vec<TestCase>,
}

/// A request and its expected result.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TestCase {
    name: String,
    /// The new object; absent for a deletion.
    object: Option<Value>,
    /// The stored object; absent for a creation.
    old_object: Option<Value>,
    /// The requesting user; unknown if absent.
    user: Option<UserInfo>,
    expected: Expected,
    /// A part of a message.
    message: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Expected {
    Allowed,
    Denied,
    Warned,
    Undetermined,
    NotJudged,
}

impl Expected {
    fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Warned => "warned",
            Self::Undetermined => "undetermined",
            Self::NotJudged => "not-judged",
        }
    }
}

const KIND: &str = "PolicyTest";

impl Test {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let mut suites: BTreeMap<PathBuf, Suite> = BTreeMap::new();
        for (path, text) in texts(&self.directories)? {
            let directory = path.parent().unwrap_or(Path::new(".")).to_owned();
            let suite = suites.entry(directory).or_default();
            let policies = documents(&path, &text)?;
            match own_policies(&policies) {
                Ok(own) => suite.own.extend(own),
                Err(errors) => {
                    bail!("{}", lines(&path, &errors).join("; "));
                }
            }
            suite.tests.extend(tests(&path, &text)?);
        }
        let (mut passed, mut failed) = (0, 0);
        let mut out = Lines::plain(out);
        for (directory, suite) in &suites {
            if suite.tests.is_empty() {
                continue;
            }
            let garden = garden(directory)?;
            let cache = PolicyCache::default();
            let judge = Judge { garden: &garden, own: &suite.own, cache: &cache };
            for test in &suite.tests {
                let now = test.spec.now.unwrap_or(NOW);
                for case in &test.spec.cases {
                    let title = format!("{}: {}", directory.display(), case.name);
                    match judge.difference(case, now) {
                        Ok(None) => passed += 1,
                        Ok(Some(difference)) => {
                            failed += 1;
                            out.line(format_args!("failed: {title}: {difference}"))?;
                        }
                        Err(error) => return Err(error).context(title),
                    }
                }
            }
        }
        out.line(format_args!("{passed} passed, {failed} failed"))?;
        Ok(match (passed, failed) {
            (_, 1..) => Outcome::Problems,
            (0, 0) => Outcome::Nothing,
            _ => Outcome::Clean,
        })
    }
}

/// The policies of operators and the tests in a directory.
#[derive(Default)]
struct Suite {
    own: Vec<OwnPolicy>,
    tests: Vec<PolicyTest>,
}

/// Returns the tests in a file.
fn tests(path: &Path, text: &str) -> anyhow::Result<Vec<PolicyTest>> {
    let located = |error: yaml::SourceError| {
        anyhow!("{}:{}: {}", path.display(), error.position, error.message)
    };
    let documents = yaml::parse(text).map_err(located)?;
    let is_test = |it: &&Document| it.text("/kind").as_deref() == Some(KIND);
    let tests = documents.iter().filter(is_test);
    tests.map(|it| it.decode().map_err(located)).collect()
}

/// Returns the garden of a directory, in which missing objects do not exist.
fn garden(directory: &Path) -> anyhow::Result<Snapshot> {
    let reading = Reading { is_whole: true, ..Reading::default() };
    let garden = load_with(directory, reading)?.snapshot;
    let none = ChangedParameters::default();
    Ok(from_directory(garden, Some((directory, true)), (&none, &[])))
}

/// The policies of one directory.
struct Judge<'a> {
    garden: &'a Snapshot,
    own: &'a [OwnPolicy],
    cache: &'a PolicyCache,
}

impl Judge<'_> {
    /// Returns the difference between the expected and the actual result; `None` if there is none.
    fn difference(&self, case: &TestCase, now: Timestamp) -> anyhow::Result<Option<String>> {
        let (review, remarks) = self.judged(case, now)?;
        let actual = match review.verdict() {
            Verdict::Denied => Expected::Denied,
            Verdict::Undetermined => Expected::Undetermined,
            Verdict::Allowed if !review.findings.is_empty() => Expected::Warned,
            Verdict::Allowed if !remarks.unjudged.is_empty() => Expected::NotJudged,
            Verdict::Allowed => Expected::Allowed,
        };
        let found = review.findings.iter().map(|it| it.message.as_str());
        let undetermined = review.undetermined.iter().map(|it| it.message.as_str());
        let unjudged = remarks.unjudged.iter().map(|it| it.why.as_str());
        let messages: Vec<&str> = found.chain(undetermined).chain(unjudged).collect();
        let said =
            if messages.is_empty() { String::new() } else { format!(" ({})", messages.join("; ")) };
        if actual != case.expected {
            let [expected, actual] = [case.expected, actual].map(Expected::as_str);
            return Ok(Some(format!("expected {expected}, but it is {actual}{said}")));
        }
        let is_said = |text: &str| messages.iter().any(|it| it.contains(text));
        Ok(match &case.message {
            Some(text) if !is_said(text) => Some(format!("no message contains `{text}`{said}")),
            _ => None,
        })
    }

    fn judged(&self, case: &TestCase, now: Timestamp) -> anyhow::Result<(Review, PolicyRemarks)> {
        let object = case
            .object
            .as_ref()
            .or(case.old_object.as_ref())
            .context("it has neither `object` nor `oldObject`")?;
        let text = |pointer: &str| {
            let text = object.pointer(pointer).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let (api_version, name) = (text("/apiVersion"), text("/kind"));
        let kind = Kind::of_manifest(group_and_version(&api_version).0, &name)
            .filter(|it| it.is_judged())
            .with_context(|| format!("`{api_version}` `{name}` is not judged"))?;
        let raw = |value: &Option<Value>| value.as_ref().map(to_raw_value).transpose();
        let texts = [raw(&case.object)?, raw(&case.old_object)?];
        let objects = texts.each_ref().map(|it: &Option<Box<RawValue>>| it.as_deref());
        let request = Request {
            name: text("/metadata/name"),
            namespace: text("/metadata/namespace"),
            ..Request::of_objects(kind, case.user.clone().unwrap_or_default(), objects)
        };
        let registered =
            ExtensionSettings { admission: Some(true), ..ExtensionSettings::default() };
        let extensions = self.own.iter().filter_map(OwnPolicy::extension);
        let config = Config {
            extensions: extensions.map(|name| (name, registered.clone())).collect(),
            mutating_admission_policies: true,
            ..Config::default()
        };
        let world = World { rules: Rules::default(), garden: self.garden, config: &config, now };
        let policies = Policies {
            cache: Some(self.cache),
            own: self.own,
            is_user_known: case.user.is_some(),
            is_enforced: false,
        };
        let allowance = Allowance::of_request(&Deadline::default());
        let limited = (policies, &allowance);
        Ok(decide(&request, &world, limited, &mut |_| Review::default()))
    }
}
