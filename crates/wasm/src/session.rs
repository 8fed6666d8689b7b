// SPDX-License-Identifier: Apache-2.0
//! Reviews, forecasts and help for one garden, as JSON.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::code_units::CodeUnits;
use super::input::{
    self, CursorInput, Error, ForecastInput, GardenInput, ReviewInput, SessionInput,
};
use super::markers::Details;
use garden_gate_core::catalogue;
use garden_gate_core::config::{self, Config};
use garden_gate_core::policies::{OwnPolicy, PolicyCache};
use garden_gate_core::rules;
use garden_gate_model::api::GardenerVersion;
use garden_gate_products::editor::{self, Cursor, ProposalKind, View, manifest_at, part_at};
use garden_gate_products::policy_texts;
use garden_gate_products::report::{ConfigFile, ForecastReport, forecast_json};
use garden_gate_products::review::change_set::Applier;
use garden_gate_products::review::subject::ChangeForms;
use garden_gate_products::review::{Garden, Reviewer};
use garden_gate_text::nearest::did_you_mean;

/// Number of reviews after which compiled policies of the garden are released, since each review may add some.
const REVIEWS: usize = 200;

/// A garden with a user and a configuration.
#[derive(Debug)]
pub(crate) struct Session {
    garden: Garden,
    config: Config,
    config_file: Option<ConfigFile>,
    applier: Applier<'static>,
    namespace: Option<String>,
    /// The number of reviews since the policies of the garden were released.
    reviews: usize,
}

/// The documentation at a cursor. Offsets are in code units of UTF-16.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HoverText {
    /// The beginning of the documented key or value.
    pub(crate) from: usize,
    /// The end of it.
    pub(crate) to: usize,
    /// The documentation in Markdown.
    pub(crate) markdown: String,
}

/// The proposals at a cursor. Offsets are in code units of UTF-16.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompletionList {
    /// The beginning of the text that a proposal replaces.
    pub(crate) from: usize,
    /// The end of it.
    pub(crate) to: usize,
    /// The proposals, the best first.
    pub(crate) proposals: Vec<ProposedText>,
}

/// A proposed text.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProposedText {
    /// The name or the value.
    pub(crate) label: String,
    /// The new text.
    pub(crate) insert: String,
    /// The type.
    pub(crate) kind: ProposedKind,
    /// A few words; may be empty.
    pub(crate) detail: String,
    /// Documentation in Markdown; may be empty.
    pub(crate) documentation: String,
    /// True if new manifests should not use it.
    pub(crate) deprecated: bool,
}

/// The type of a proposed text.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProposedKind {
    /// The name of a field.
    Field,
    /// The value of a field.
    Value,
    /// A new manifest.
    Manifest,
}

/// The page of a rule.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RulePage {
    /// The id.
    pub(crate) id: &'static str,
    /// The violation or effect in one line.
    pub(crate) summary: &'static str,
    /// The page in Markdown.
    pub(crate) markdown: String,
}

/// The versions of the program and of Gardener.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Versions {
    /// The version of garden-gate.
    pub(crate) garden_gate: &'static str,
    /// The newest known version of Gardener.
    pub(crate) gardener: String,
    /// The ids of all rules.
    pub(crate) rules: Vec<&'static str>,
}

impl Session {
    /// Reads the garden, the configuration and the policies in a [`SessionInput`].
    ///
    /// # Errors
    /// Fails if the input, the configuration or a policy is not valid, or too large.
    pub(crate) fn new(input: &str) -> Result<Self, Error> {
        let input: SessionInput = input::parse(input)?;
        let policies = policies(input::policies(input.policies)?)?;
        let mut known = rules::known_ids();
        known.policies = Some(policies.iter().map(OwnPolicy::id).collect());
        let (mut config, mut config_file) = (Config::default(), None);
        if let Some(file) = input.config {
            let checked = config::read(&file.name, &file.text, &known).map_err(Error::new)?;
            if !checked.review.per_path.is_empty() || !checked.review.exclude.is_empty() {
                return Err(Error::new(format!(
                    "`{}`: `review.perPath` and `review.exclude` have no effect here; remove them",
                    file.name
                )));
            }
            config = checked.config;
            config_file = Some(ConfigFile { path: file.name, is_found: false });
        }
        if let Some(profile) = input.profile {
            config.profile = profile;
        }
        let version = input.gardener_version.as_deref().map(GardenerVersion::parse).transpose();
        let newest = GardenerVersion::NEWEST;
        config.set_flag_version(
            version.map_err(|why| Error::new(format!("{why}; write it like {newest}")))?,
        );
        Ok(Self {
            garden: garden(input.garden)?,
            config,
            config_file,
            applier: Applier {
                own_policies: policies.into(),
                ..Applier::new(input.user.as_deref(), &input.groups)
            },
            namespace: input.namespace,
            reviews: 0,
        })
    }

    /// Returns the problems of the garden's files as a JSON list; objects there are unknown.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub(crate) fn problems(&self) -> Result<String, Error> {
        let problems: Vec<String> =
            self.garden.problems().iter().map(ToString::to_string).collect();
        Ok(serde_json::to_string(&problems)?)
    }

    /// Reviews the files of a [`ReviewInput`].
    ///
    /// Returns the document of `garden-gate review --format json`, and the [`Details`]. `now` is the current time in
    /// milliseconds since 1970.
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub(crate) fn review(&mut self, input: &str, now: f64) -> Result<[String; 2], Error> {
        let input: ReviewInput = input::parse(input)?;
        self.reviews += 1;
        if self.reviews > REVIEWS {
            self.applier.policies = PolicyCache::default();
            self.reviews = 0;
        }
        let now = input::time(input.at.as_deref(), now)?;
        let texts: BTreeMap<String, String> =
            input.manifests.iter().map(|it| (it.name.clone(), it.text.clone())).collect();
        let manifests = input::manifests(input.manifests)?;
        let mut reviewer = self.reviewer(now, input.at.is_some());
        reviewer.shows.changes = input.diff;
        if let Some(origin) = &input.origin {
            reviewer.origin = origin;
        }
        let reviewed = reviewer.review_as(&self.applier, manifests)?;
        let document = String::from_utf8(reviewed.json().map_err(Error::new)?);
        let details = serde_json::to_string(&Details::of(&reviewed, &texts))?;
        Ok([document.map_err(Error::new)?, details])
    }

    /// Returns the document of `garden-gate forecast --format json` for a [`ForecastInput`].
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub(crate) fn forecast(&self, input: &str, now: f64) -> Result<String, Error> {
        let input: ForecastInput = input::parse(input)?;
        let now = input::time(input.at.as_deref(), now)?;
        let until = input::end(now, input.days)?;
        let manifests = input::manifests(input.manifests)?;
        let outlook = self.reviewer(now, input.at.is_some()).forecast(manifests, until)?;
        Ok(forecast_json(ForecastReport::of(&outlook))?)
    }

    /// Returns the [`HoverText`] for a [`CursorInput`], or `null`.
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub(crate) fn hover(&self, input: &str, now: f64) -> Result<String, Error> {
        let hover = self.at_cursor(input, now, |cursor, units, view| {
            let document = &cursor.text[cursor.document.clone()];
            let start = cursor.document.start;
            let (markdown, range) = editor::hover(document, cursor.offset - start, view?)?;
            let [from, to] = [range.start, range.end].map(|it| units.before(start + it));
            Some(HoverText { from, to, markdown })
        })?;
        Ok(serde_json::to_string(&hover)?)
    }

    /// Returns the [`CompletionList`] for a [`CursorInput`].
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub(crate) fn complete(&self, input: &str, now: f64) -> Result<String, Error> {
        let list = self.at_cursor(input, now, |cursor, units, view| {
            let completions = editor::complete(cursor, view);
            let [from, to] =
                [completions.range.start, completions.range.end].map(|it| units.before(it));
            let proposals = completions.proposals.into_iter().map(|it| ProposedText {
                label: it.label,
                insert: it.text,
                kind: match it.kind {
                    ProposalKind::Field => ProposedKind::Field,
                    ProposalKind::Value => ProposedKind::Value,
                    ProposalKind::Manifest => ProposedKind::Manifest,
                },
                detail: it.detail,
                documentation: it.documentation,
                deprecated: it.is_deprecated,
            });
            CompletionList { from, to, proposals: proposals.collect() }
        })?;
        Ok(serde_json::to_string(&list)?)
    }

    /// Calls `look` with a cursor, and the state that its manifest depends on; `None` for another kind.
    fn at_cursor<T>(
        &self,
        input: &str,
        now: f64,
        look: impl FnOnce(&Cursor<'_>, &CodeUnits<'_>, Option<&View<'_>>) -> T,
    ) -> Result<T, Error> {
        let CursorInput { text, offset, at } = input::parse(input)?;
        let now = input::time(at.as_deref(), now)?;
        let units = CodeUnits::of(&text);
        let offset = units.byte(offset);
        let document = part_at(&text, offset);
        let found = manifest_at(&text, &document, offset);
        let mut config = self.config.clone();
        let published = self.garden.snapshot().published_version().ok().flatten();
        config.set_garden_version(published.map(|it| it.version));
        let view = found.as_ref().map(|(kind, object)| View {
            kind,
            object,
            garden: self.garden.snapshot(),
            now,
            version: config.judged_as().version,
            namespace: self.namespace.as_deref().unwrap_or_default(),
        });
        Ok(look(&Cursor { text: &text, document, offset }, &units, view.as_ref()))
    }

    fn reviewer(&self, now: Timestamp, is_given: bool) -> Reviewer<'_> {
        Reviewer {
            at: is_given.then_some(now),
            namespace: self.namespace.as_deref(),
            shows: ChangeForms { patch: true, fixes: true, ..ChangeForms::default() },
            config_file: self.config_file.clone(),
            ..Reviewer::new(&self.garden, &self.config, now)
        }
    }
}

fn garden(input: Option<GardenInput>) -> Result<Garden, Error> {
    let Some(GardenInput { name, files, whole }) = input else {
        return Ok(Garden::unknown());
    };
    Ok(Garden::new(&name, input::files(files)?, whole))
}

fn policies(texts: Vec<(std::path::PathBuf, String)>) -> Result<Vec<OwnPolicy>, Error> {
    policy_texts::load(texts).map_err(|errors| Error::new(errors.join("\n")))
}

/// Returns the pages of a rule, or of the rules that report a finding, as a JSON list of [`RulePage`].
///
/// # Errors
/// Fails if there is none with this id.
pub(crate) fn explain(id: &str) -> Result<String, Error> {
    let found = catalogue::explain(id);
    if found.is_empty() {
        let hint = did_you_mean(id, &rules::known_ids().all())
            .map_or(String::new(), |it| format!("; {it}"));
        return Err(Error::new(format!("no rule or finding has the id `{id}`{hint}")));
    }
    let pages = found.into_iter().map(|rule| RulePage {
        id: rule.id,
        summary: rule.summary,
        markdown: catalogue::page(rule),
    });
    Ok(serde_json::to_string(&pages.collect::<Vec<_>>())?)
}

/// Returns the [`Versions`].
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub(crate) fn versions() -> Result<String, Error> {
    let versions = Versions {
        garden_gate: env!("CARGO_PKG_VERSION"),
        gardener: GardenerVersion::NEWEST.to_string(),
        rules: rules::ALL.iter().map(|it| it.id).collect(),
    };
    Ok(serde_json::to_string(&versions)?)
}
