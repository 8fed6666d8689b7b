// SPDX-License-Identifier: Apache-2.0
//! Findings about objects that use an extension.

use serde_json::Value;

use crate::admission::{ErrorType, FieldPath, Finding, Help, Origin, Phase, Undetermined};
use crate::config::{Config, Level, Levels};
use garden_gate_model::api::extensions::DefinedEffect;
use garden_gate_text::go::clip;

/// Maximum length of a message or a help, in bytes.
const LONGEST: usize = 2_048;
/// Maximum number of findings and undetermined results about an object.
const MOST: usize = 250;

/// The levels of violations that the extension refuses.
pub(super) const REFUSED: Levels =
    Levels { documented: Level::Deny, gardener: Level::Deny, hardened: Level::Deny };
/// The levels of violations that the extension accepts.
pub(super) const ACCEPTED: Levels =
    Levels { documented: Level::Warn, gardener: Level::Off, hardened: Level::Warn };

/// The findings of a definition about an object.
pub(in crate::policies) struct ExtensionFindings<'a> {
    id: &'static str,
    config: &'a Config,
    /// The reason why findings only warn.
    only_warns: Option<String>,
    /// Whether the extension judges the object: its version is known, and the conditions are met.
    pub(in crate::policies) is_judged: bool,
    pub(in crate::policies) findings: Vec<Finding>,
    pub(in crate::policies) undetermined: Vec<Undetermined>,
    /// The configurations of the extension in the object.
    pub(in crate::policies) configurations: Vec<JudgedConfiguration>,
}

/// A configuration in an object that the definition of an extension describes.
#[derive(Clone, Debug)]
pub struct JudgedConfiguration {
    /// Its position, as a JSON pointer.
    pub pointer: String,
    /// The aspects that are not judged; empty if all are.
    pub not_judged: String,
}

/// A violation, without its level.
pub(super) struct Violated {
    pub(super) error: ErrorType,
    /// The field and the JSON pointer.
    pub(super) field: (String, String),
    pub(super) value: Value,
    pub(super) message: String,
    pub(super) help: String,
}

impl Violated {
    pub(super) fn new(error: ErrorType, field: &FieldPath, message: impl Into<String>) -> Self {
        Self {
            error,
            field: (field.to_string(), field.pointer()),
            value: Value::Null,
            message: message.into(),
            help: String::new(),
        }
    }

    /// Returns it with its field below another one.
    pub(super) fn below(self, place: &FieldPath) -> Self {
        let (field, pointer) = self.field;
        let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
        let field = (format!("{place}{dot}{field}"), format!("{}{pointer}", place.pointer()));
        Self { field, ..self }
    }

    pub(super) fn help(self, help: impl Into<Help>) -> Self {
        Self { help: help.into().text.into_owned(), ..self }
    }
}

impl<'a> ExtensionFindings<'a> {
    pub(super) fn new(id: &'static str, config: &'a Config, only_warns: Option<String>) -> Self {
        Self {
            id,
            config,
            only_warns,
            is_judged: false,
            findings: Vec::new(),
            undetermined: Vec::new(),
            configurations: Vec::new(),
        }
    }

    /// Returns the level of violations with an effect, and whether the configuration lowers a refusal to it.
    fn level(&self, effect: DefinedEffect) -> (Level, bool) {
        let levels = match effect {
            DefinedEffect::Deny => REFUSED,
            DefinedEffect::Warn => ACCEPTED,
        };
        let level = self.config.level(self.id, self.id, levels);
        let most = match effect {
            DefinedEffect::Deny if self.only_warns.is_none() => Level::Deny,
            _ => Level::Warn,
        };
        (level.min(most), most == Level::Deny && self.config.is_lowered(level, levels))
    }

    /// Adds a violation, unless the configuration drops it or there are too many.
    pub(super) fn add(&mut self, effect: DefinedEffect, violated: Violated) {
        let (level, would_deny) = self.level(effect);
        if level == Level::Off || self.findings.len() >= MOST {
            return;
        }
        let Violated { error, field: (field, pointer), value, message, help } = violated;
        let help = match (effect, &self.only_warns) {
            (DefinedEffect::Deny, Some(why)) if help.is_empty() => format!("only a warning: {why}"),
            (DefinedEffect::Deny, Some(why)) => format!("{help}; only a warning: {why}"),
            _ => help,
        };
        let origin = match effect {
            DefinedEffect::Deny => Origin::Gardener,
            DefinedEffect::Warn => Origin::GardenGate,
        };
        let finding = Finding {
            rule: self.id,
            finding: self.id,
            level,
            would_deny,
            origin,
            error,
            field: clip(field, LONGEST),
            pointer,
            value,
            message: clip(message, LONGEST),
            help: clip(help, LONGEST),
            machines: None,
            fixes: Vec::new(),
            phase: Phase::Admission,
        };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Adds a result that cannot be determined.
    pub(super) fn undetermined(&mut self, effect: DefinedEffect, field: String, why: String) {
        let (level, would_deny) = self.level(effect);
        if level == Level::Off || self.undetermined.len() >= MOST {
            return;
        }
        let field = clip(field, LONGEST);
        self.undetermined.push(Undetermined {
            level,
            would_deny,
            ..Undetermined::new(self.id, field, clip(why, LONGEST))
        });
    }
}
