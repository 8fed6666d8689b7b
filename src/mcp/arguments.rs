// SPDX-License-Identifier: Apache-2.0
//! The arguments of tools, and their command lines.
//!
//! A client never chooses a flag: each value is one argument `--flag=value`, and paths follow `--`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use super::process::CommandLine;
use super::roots::{PathUse, Roots};

/// Maximum size of manifests in a call, in bytes.
const MOST_TEXT: usize = 4 << 20;
/// Maximum number of values of a list.
const MOST_VALUES: usize = 100;
/// Maximum length of a value in bytes.
const LONGEST_VALUE: usize = 4096;

/// Arguments of the operator for commands.
#[derive(Debug)]
pub(crate) struct Commands {
    /// The garden of calls that name none.
    pub(crate) garden: Vec<OsString>,
    /// The configuration.
    pub(crate) configuration: Vec<OsString>,
    /// The configuration with policies, profile and levels.
    pub(crate) judging: Vec<OsString>,
    /// Whether a configuration is searched for.
    pub(crate) finds_configuration: bool,
    /// The name of a configuration that is searched for.
    pub(crate) configuration_name: &'static str,
}

/// The roots of a call, and the arguments of the operator.
pub(super) struct Context<'a> {
    pub(super) roots: &'a Roots,
    pub(super) commands: &'a Commands,
}

/// Arguments of the tool `review`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {
    /// Manifests or AdmissionReviews as text (YAML or JSON, several documents), at most 4 MiB; instead of `paths`.
    manifests: Option<String>,
    /// Files or directories with manifests, relative to the first root or absolute; instead of `manifests`.
    paths: Option<Vec<String>>,
    /// File or directory with the old state of `paths`: only changes are judged, missing objects are deletions.
    old: Option<String>,
    /// Garden directory that a `dump` wrote [default: the one of the server or its configuration].
    garden: Option<String>,
    /// Namespace of manifests without one, such as garden-dev.
    namespace: Option<String>,
    /// Requesting user; without a user, required verbs are listed, but not checked.
    user: Option<String>,
    /// Groups of the user.
    groups: Option<Vec<String>>,
    /// Time of the review, such as 2026-12-24T18:00:00Z [default: now].
    at: Option<String>,
    /// Only these rules or findings, by id or pattern such as `shoot/*`.
    rules: Option<Vec<String>>,
}

/// Arguments of the tool `fix`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Fix {
    /// Manifests as text (YAML or JSON, several documents), at most 4 MiB; instead of `paths`.
    manifests: Option<String>,
    /// Files or directories with manifests, relative to the first root or absolute; instead of `manifests`.
    paths: Option<Vec<String>>,
    /// Garden directory that a `dump` wrote [default: the one of the server or its configuration].
    garden: Option<String>,
    /// Namespace of manifests without one, such as garden-dev.
    namespace: Option<String>,
    /// Time of the review, such as 2026-12-24T18:00:00Z [default: now].
    at: Option<String>,
    /// Only fixes of these rules or findings, by id or pattern such as `shoot/*`.
    rules: Option<Vec<String>>,
    /// Also suggestions, which a person should check.
    #[serde(default)]
    suggestions: bool,
}

/// Arguments of the tool `forecast`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Forecast {
    /// Garden directory that a `dump` wrote [default: the one of the server or its configuration].
    garden: Option<String>,
    /// Shoots, by name, or by Project or namespace and name, such as dev/web [default: all].
    shoots: Option<Vec<String>>,
    /// Projects, by name or namespace [default: all].
    projects: Option<Vec<String>>,
    /// Owners of Projects [default: all].
    owners: Option<Vec<String>>,
    /// Start of the forecast, such as 2026-12-24T18:00:00Z [default: now].
    at: Option<String>,
    /// Length of the forecast, such as 90d, 12w or 36h [default: 90d].
    #[serde(rename = "for")]
    length: Option<String>,
    /// Show the versions of this profile instead, with dates and numbers of Shoots.
    #[serde(rename = "cloudProfile")]
    cloud_profile: Option<String>,
    /// Files with changed CloudProfiles or NamespacedCloudProfiles: only the differences that they would cause.
    with: Option<Vec<String>>,
}

/// Arguments of the tool `audit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Audit {
    /// Garden directory that a `dump` wrote [default: the one of the server or its configuration].
    garden: Option<String>,
    /// Projects, by name or namespace [default: all].
    projects: Option<Vec<String>>,
    /// Owners of Projects [default: all].
    owners: Option<Vec<String>>,
    /// Time of the audit, such as 2026-12-24T18:00:00Z [default: now].
    at: Option<String>,
    /// Only these rules or findings, by id or pattern such as `shoot/*`.
    rules: Option<Vec<String>>,
}

/// Arguments of the tool `explain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Explain {
    /// Id of a rule or finding, whose page is returned, or prefix of ids such as `shoot/worker-`, which are listed [default: all].
    id: Option<String>,
    /// Only rules that apply to this kind, such as Shoot.
    kind: Option<String>,
}

/// Arguments of the tool `schema`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Schema {
    /// Kind, such as Shoot or CloudProfile, or output of a tool: review, forecast, audit or rules.
    name: String,
    /// Version of Gardener, such as 1.145 [default: the newest known version].
    #[serde(rename = "gardenerVersion")]
    gardener_version: Option<String>,
}

/// Arguments from which a command line is made.
pub(super) trait ToolArguments: Send {
    /// Returns the command line.
    ///
    /// # Errors
    /// Returns which argument is not valid, and why.
    fn line(self: Box<Self>, context: &Context<'_>) -> Result<CommandLine, String>;
}

impl ToolArguments for Review {
    fn line(self: Box<Self>, context: &Context<'_>) -> Result<CommandLine, String> {
        let mut line = Line::new(context, "review");
        line.flag("--format=json");
        let input = Input { manifests: self.manifests, paths: self.paths };
        if self.old.is_some() && input.paths.is_none() {
            return Err("`old` needs `paths`, which are compared with it".to_owned());
        }
        if let Some(old) = &self.old {
            line.path("old", old, PathUse::Manifests)?;
        }
        line.garden(self.garden.as_deref())?;
        line.value("namespace", self.namespace.as_deref())?;
        line.option("user", "--as", self.user.as_deref())?;
        line.options("groups", "--as-group", self.groups.as_deref())?;
        line.value("at", self.at.as_deref())?;
        line.options("rules", "--select", self.rules.as_deref())?;
        line.end_with(input)
    }
}

impl ToolArguments for Fix {
    fn line(self: Box<Self>, context: &Context<'_>) -> Result<CommandLine, String> {
        let mut line = Line::new(context, "review");
        line.flag(if self.suggestions { "--fix=all" } else { "--fix=safe" });
        // With --diff, nothing is written.
        line.flag("--diff");
        line.garden(self.garden.as_deref())?;
        line.value("namespace", self.namespace.as_deref())?;
        line.value("at", self.at.as_deref())?;
        line.options("rules", "--select", self.rules.as_deref())?;
        line.end_with(Input { manifests: self.manifests, paths: self.paths })
    }
}

impl ToolArguments for Forecast {
    fn line(self: Box<Self>, context: &Context<'_>) -> Result<CommandLine, String> {
        let mut line = Line::new(context, "forecast");
        line.flag("--format=json");
        line.garden(self.garden.as_deref())?;
        line.options("projects", "--project", self.projects.as_deref())?;
        line.options("owners", "--owner", self.owners.as_deref())?;
        line.value("at", self.at.as_deref())?;
        line.value("for", self.length.as_deref())?;
        line.option("cloudProfile", "--cloud-profile", self.cloud_profile.as_deref())?;
        for file in listed("with", self.with.as_deref())? {
            line.path("with", file, PathUse::Manifests)?;
        }
        let shoots: Vec<OsString> =
            listed("shoots", self.shoots.as_deref())?.iter().map(OsString::from).collect();
        Ok(line.end(None, shoots, String::new()))
    }
}

impl ToolArguments for Audit {
    fn line(self: Box<Self>, context: &Context<'_>) -> Result<CommandLine, String> {
        let mut line = Line::new(context, "audit");
        line.flag("--format=json");
        line.garden(self.garden.as_deref())?;
        line.options("projects", "--project", self.projects.as_deref())?;
        line.options("owners", "--owner", self.owners.as_deref())?;
        line.value("at", self.at.as_deref())?;
        line.options("rules", "--select", self.rules.as_deref())?;
        Ok(line.end(None, Vec::new(), String::new()))
    }
}

impl ToolArguments for Explain {
    fn line(self: Box<Self>, context: &Context<'_>) -> Result<CommandLine, String> {
        let mut line = Line::new(context, "rules");
        line.flag("--format=json");
        line.value("kind", self.kind.as_deref())?;
        let id = self.id.iter().map(|it| checked("id", it)).collect::<Result<Vec<_>, _>>()?;
        Ok(line.end(None, id.into_iter().map(OsString::from).collect(), String::new()))
    }
}

impl ToolArguments for Schema {
    fn line(self: Box<Self>, context: &Context<'_>) -> Result<CommandLine, String> {
        let mut line = Line::new(context, "schema");
        let version = self.gardener_version.as_deref();
        line.option("gardenerVersion", "--gardener-version", version)?;
        let name = checked("name", &self.name)?;
        Ok(line.end(None, vec![OsString::from(name)], String::new()))
    }
}

/// The manifests of a call.
struct Input {
    manifests: Option<String>,
    paths: Option<Vec<String>>,
}

/// A command line in the making.
struct Line<'a> {
    context: &'a Context<'a>,
    command: &'static str,
    words: Vec<OsString>,
}

impl<'a> Line<'a> {
    fn new(context: &'a Context<'a>, command: &'static str) -> Self {
        Self { context, command, words: vec![OsString::from(command)] }
    }

    fn flag(&mut self, flag: &str) {
        self.words.push(OsString::from(flag));
    }

    /// Adds a value to the flag of the same name.
    fn value(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        self.option(name, &format!("--{name}"), value)
    }

    fn option(&mut self, name: &str, flag: &str, value: Option<&str>) -> Result<(), String> {
        if let Some(value) = value {
            self.flag(&format!("{flag}={}", checked(name, value)?));
        }
        Ok(())
    }

    fn options(&mut self, name: &str, flag: &str, values: Option<&[String]>) -> Result<(), String> {
        for value in listed(name, values)? {
            self.option(name, flag, Some(value))?;
        }
        Ok(())
    }

    /// Adds a path to the flag of the same name.
    fn path(&mut self, name: &str, given: &str, path_use: PathUse) -> Result<(), String> {
        let path =
            self.context.roots.path(given, path_use).map_err(|why| format!("`{name}`: {why}"))?;
        let mut word = OsString::from(format!("--{name}="));
        word.push(path);
        self.words.push(word);
        Ok(())
    }

    /// Adds the garden of the call, or else that of the operator.
    fn garden(&mut self, given: Option<&str>) -> Result<(), String> {
        match given {
            Some(given) => self.path("garden", given, PathUse::Garden),
            None => {
                self.words.extend_from_slice(&self.context.commands.garden);
                Ok(())
            }
        }
    }

    /// Ends with the manifests.
    fn end_with(self, input: Input) -> Result<CommandLine, String> {
        match (input.manifests, input.paths) {
            (Some(_), Some(_)) => Err("use either `manifests` or `paths`, not both".to_owned()),
            (None, None) => {
                Err("`manifests` (text) or `paths` (files or directories in a root) is required"
                    .to_owned())
            }
            (Some(text), None) if text.len() > MOST_TEXT => Err(format!(
                "`manifests` is larger than {} MiB; split it, or use `paths`",
                MOST_TEXT >> 20
            )),
            (Some(text), None) => Ok(self.end(None, vec![OsString::from("-")], text)),
            (None, Some(paths)) => {
                let paths = listed("paths", Some(&paths))?
                    .iter()
                    .map(|given| {
                        let path = self.context.roots.path(given, PathUse::Manifests);
                        path.map_err(|why| format!("`paths`: {why}"))
                    })
                    .collect::<Result<Vec<PathBuf>, String>>()?;
                let Some(first) = paths.first().cloned() else {
                    return Err("`paths` is empty; name a file or directory".to_owned());
                };
                let others = paths.into_iter().map(OsString::from).collect();
                Ok(self.end(Some(&first), others, String::new()))
            }
        }
    }

    /// Ends with positional arguments; the configuration is searched for at `start` or else in the first root.
    fn end(mut self, start: Option<&Path>, others: Vec<OsString>, input: String) -> CommandLine {
        self.words.extend(match self.command {
            "review" | "audit" => self.context.commands.judging.clone(),
            "forecast" => self.context.commands.configuration.clone(),
            _ => Vec::new(),
        });
        let is_search = !matches!(self.command, "rules" | "schema")
            && self.context.commands.finds_configuration;
        let name = self.context.commands.configuration_name;
        if is_search && !self.context.roots.has_above(start.unwrap_or(Path::new(".")), name) {
            // The command would go on above the root.
            self.flag("--no-config");
        }
        if !others.is_empty() {
            self.flag("--");
            self.words.extend(others);
        }
        CommandLine { words: self.words, input }
    }
}

/// Returns a value if it is short and has no NUL character.
fn checked<'v>(name: &str, value: &'v str) -> Result<&'v str, String> {
    if value.len() > LONGEST_VALUE {
        return Err(format!("`{name}` has a value of more than {LONGEST_VALUE} bytes"));
    }
    if value.contains('\0') {
        return Err(format!("`{name}` has a NUL character"));
    }
    Ok(value)
}

/// Returns the values of a list if they are few and valid.
fn listed<'v>(name: &str, values: Option<&'v [String]>) -> Result<&'v [String], String> {
    let values = values.unwrap_or_default();
    if values.len() > MOST_VALUES {
        return Err(format!("`{name}` has more than {MOST_VALUES} values"));
    }
    values.iter().try_for_each(|value| checked(name, value).map(|_| ()))?;
    Ok(values)
}
