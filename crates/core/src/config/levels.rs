// SPDX-License-Identifier: Apache-2.0
//! Levels by id and by pattern, and other maps by id.

use super::known::POLICY_PREFIX;
use super::problem::Severity;
use super::reader::{Located, Reader, quoted, shortened};
use super::{KnownIds, Level, LevelPatterns, PathLevels};

/// Parses levels for all files.
pub(super) fn read(reader: &mut Reader<'_>, at: &Located<'_>, known: &KnownIds) -> PathLevels {
    let mut read = PathLevels::default();
    let (ids, patterns) = (known.all(), LevelPatterns::known(known));
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let entries = reader.entries(at);
    for (key, entry) in &entries {
        let is_pattern = LevelPatterns::is_pattern(key);
        if !is_pattern {
            check_id(reader, entry, key, known, &ids, "no rule or finding");
        } else if !patterns.contains(key) {
            let help = format!("write an id, or one of {}", quoted(&patterns));
            let help = reader.suggest(key, &patterns, help);
            let message = format!("no rule or finding fits the pattern `{}`", shortened(key));
            reader.error(&entry.key(), &message, &help);
        }
        match read_level(reader, entry) {
            Some(level) if is_pattern => read.patterns.insert(key, level),
            level => read.levels.extend(level.map(|level| ((*key).to_owned(), level))),
        }
    }
    for (key, entry) in &entries {
        let says_deny = entry.value.as_str() == Some(Level::Deny.as_str());
        if says_deny && patterns.contains(key) && read.patterns.is_idle(key) {
            let message = format!(
                "`{key}: deny` changes nothing: a pattern lowers levels and never raises them"
            );
            let help =
                "name the ids of the rules that are to refuse; `garden-gate rules` lists them";
            reader.report(Severity::Warning, entry, &message, help);
        }
    }
    read
}

/// Parses a level.
///
/// In YAML 1.1, a plain `off` is the boolean false, which users do not intend.
fn read_level(reader: &mut Reader<'_>, at: &Located<'_>) -> Option<Level> {
    if at.value.as_bool() == Some(false) {
        return Some(Level::Off);
    }
    let level = at.value.as_str().and_then(|text| text.parse().ok());
    if level.is_none() {
        let found = match at.value {
            value if value.is_null() => "is missing".to_owned(),
            value if value.is_array() || value.is_object() => "is not a word".to_owned(),
            value => format!("is {}", shortened(&value.to_string().replace('"', "`"))),
        };
        let message = format!("the level of {} {found}", at.name());
        reader.error(at, &message, "use deny, warn or off");
    }
    level
}

/// Reports an id that is not in `ids`, with the most similar one.
///
/// The ids of policies may be unknown.
pub(super) fn check_id(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    id: &str,
    known: &KnownIds,
    ids: &[&str],
    what: &str,
) {
    let quoted = shortened(id);
    if known.may_be_policy(id) {
        let message = format!("it is not checked whether the policy `{quoted}` exists");
        let help = "name the policies with `--policies`";
        reader.report(Severity::Note, &at.key(), &message, help);
    } else if !ids.contains(&id) {
        let (what, help) = if id.starts_with(POLICY_PREFIX) {
            let help = "it is `policy/` and the name of a policy in `--policies`; bindings set the levels of ValidatingAdmissionPolicies";
            ("no GardenPolicy", help)
        } else {
            (what, "`garden-gate rules` lists all")
        };
        let help = reader.suggest(id, ids, help);
        reader.error(&at.key(), &format!("{what} has the id `{quoted}`"), &help);
    }
}
