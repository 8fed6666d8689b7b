//! The field `rules` of the configuration file: levels by id and by pattern.

use super::reader::{LocatedValue, Reader, note_policy, shortened, unknown_id};
use super::{Config, KnownIds, Level, LevelPatterns};

pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &LocatedValue<'_>,
    known: &KnownIds,
    config: &mut Config,
) {
    let (ids, patterns) = (known.all(), LevelPatterns::known(known));
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let entries = reader.entries(at).unwrap_or_default();
    for (key, entry) in &entries {
        let is_pattern = LevelPatterns::is_pattern(key);
        if is_pattern && !patterns.contains(key) {
            bad_pattern(reader, entry, key, &patterns);
        } else if !is_pattern && known.may_be_policy(key) {
            note_policy(reader, entry, key);
        } else if !is_pattern && !ids.contains(key) {
            unknown_id(reader, entry, key, &ids, "no rule or finding");
        }
        match read_level(reader, entry) {
            Some(level) if is_pattern => config.patterns.insert(key, level),
            Some(level) => {
                config.levels.insert((*key).to_owned(), level);
            }
            None => {}
        }
    }
    for (key, entry) in &entries {
        let says_deny = entry.value.as_str() == Some(Level::Deny.as_str());
        if says_deny && patterns.contains(key) && config.patterns.is_idle(key) {
            reader.warn(
                entry,
                format!(
                    "`{key}: deny` changes nothing: a pattern lowers levels and never raises them"
                ),
                "name the ids of the rules that are to refuse; `garden-gate rules` lists them",
            );
        }
    }
}

fn bad_pattern(reader: &mut Reader<'_>, at: &LocatedValue<'_>, pattern: &str, patterns: &[&str]) {
    let help = reader.did_you_mean(pattern, patterns).unwrap_or_else(|| {
        let quoted: Vec<String> = patterns.iter().map(|it| format!("`{it}`")).collect();
        format!("write an id, or one of {}", quoted.join(", "))
    });
    let message = format!("no rule or finding fits the pattern `{}`", shortened(pattern));
    reader.key_error(at, message, help);
}

/// Parses a level.
///
/// In YAML 1.1, a plain `off` is the boolean false, which users do not intend.
fn read_level(reader: &mut Reader<'_>, at: &LocatedValue<'_>) -> Option<Level> {
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
        reader.error(at, format!("the level of {} {found}", at.name()), "use deny, warn or off");
    }
    level
}
