// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Applicability, ErrorType, FindingKind, Help, Remedy};
use garden_gate_model::api::{Constraint, Field, Format, Shape, Versions, seconds};
use garden_gate_text::json::Json;

use super::facts::Facts;
use super::{MALFORMED, MISSING, OUT_OF_RANGE, REMOVED, TOO_LONG, UNFITTING, UNSUPPORTED};
use crate::rules::shared::lists::one_of;
use garden_gate_text::go::{is_at_least, whole};

/// A constraint that a value violates.
pub(super) struct Broken {
    pub(super) kind: &'static FindingKind,
    pub(super) error: ErrorType,
    pub(super) message: String,
    pub(super) help: Help,
}

impl Broken {
    fn new(
        kind: &'static FindingKind,
        error: ErrorType,
        message: impl Into<String>,
        help: impl Into<Help>,
    ) -> Option<Self> {
        Some(Self { kind, error, message: message.into(), help: help.into() })
    }
}

/// Returns how the value of a field violates the constraint; a `value` of `None` is absent.
pub(super) fn broken(
    constraint: &Constraint,
    row: &Field,
    value: Option<&Json<'_>>,
    facts: &Facts<'_>,
) -> Option<Broken> {
    let name = row.name;
    match *constraint {
        Constraint::Filled => missing(name, value),
        Constraint::FilledWithWorkers if facts.workerless => None,
        Constraint::FilledWithWorkers => missing(name, value),
        Constraint::NotEmpty => {
            value.filter(|it| is_empty_text(it)).and_then(|it| missing(name, Some(it)))
        }
        Constraint::Below(most) => not_below(row, number(value?)?, most),
        Constraint::Positive => not_positive(name, value?),
        Constraint::Enum(allowed) => unsupported(name, &text(value?)?, allowed),
        Constraint::AtLeast(least) => too_small(name, number(value?)?, least),
        Constraint::AtMost(most) => too_great(name, number(value?)?, most),
        Constraint::LastsAtLeast(least) => too_short(name, &text(value?)?, least),
        Constraint::LastsAtMost(most) => too_long_lasting(name, &text(value?)?, most),
        Constraint::Format(format) => malformed(row, &text_or_number(value?)?, format),
        Constraint::MaxBytes(most) => too_long(name, &text(value?)?, most),
        Constraint::RemovedFrom(minor, instead) => removed(name, value?, minor, instead, facts),
        Constraint::AddedIn(minor) => too_early(name, value?, minor, facts),
        Constraint::WithWorkers => without_workers(name, value?, facts),
        Constraint::ValueSince(minor, later) => {
            too_early_value(row, &text(value?)?, Versions::since(minor), later, facts)
        }
        Constraint::Since(_)
        | Constraint::Until(_)
        | Constraint::Distinct
        | Constraint::DistinctBy(_)
        | Constraint::Immutable
        | Constraint::ImmutableOnceSet
        | Constraint::AnyType
        | Constraint::Called(_) => None,
    }
}

fn missing(name: &str, value: Option<&Json<'_>>) -> Option<Broken> {
    if value.is_some_and(|it| !it.is_empty()) {
        return None;
    }
    let message = format!("`{name}` is not set");
    Broken::new(&MISSING, ErrorType::Required, message, format!("set `{name}`"))
}

fn unsupported(name: &str, value: &str, allowed: &[&str]) -> Option<Broken> {
    if allowed.contains(&value) {
        return None;
    }
    let message = format!("`{}` is no value of `{name}`", shown(value));
    let help = one_of(shown(value), allowed);
    Broken::new(&UNSUPPORTED, ErrorType::NotSupported, message, help)
}

fn too_small(name: &str, value: f64, least: f64) -> Option<Broken> {
    let message = format!("`{name}` is {value}, which is less than {least}");
    let help = Help::set(format!("use {least} or more"), json_number(least));
    (value < least).then(|| Broken::new(&OUT_OF_RANGE, ErrorType::Invalid, message, help)).flatten()
}

fn too_great(name: &str, value: f64, most: f64) -> Option<Broken> {
    let message = format!("`{name}` is {value}, which is more than {most}");
    let help = Help::set(format!("use {most} or less"), json_number(most));
    (value > most).then(|| Broken::new(&OUT_OF_RANGE, ErrorType::Invalid, message, help)).flatten()
}

fn not_below(row: &Field, value: f64, bound: f64) -> Option<Broken> {
    let name = row.name;
    let message = format!("`{name}` is {value}, which is not less than {bound}");
    let is_whole = matches!(row.shape, Shape::Integer32 | Shape::Integer64);
    let remedy = is_whole.then(|| Remedy::Set(json_number(bound - 1.0), Applicability::Suggestion));
    let help = Help::of(format!("use less than {bound}"), remedy);
    (value >= bound)
        .then(|| Broken::new(&OUT_OF_RANGE, ErrorType::Invalid, message, help))
        .flatten()
}

fn not_positive(name: &str, value: &Json<'_>) -> Option<Broken> {
    let amount = number(value).or_else(|| seconds(&text(value)?))?;
    if amount > 0.0 {
        return None;
    }
    let message = format!("`{name}` is not greater than 0");
    Broken::new(&OUT_OF_RANGE, ErrorType::Invalid, message, "use more than 0")
}

fn too_short(name: &str, value: &str, least: f64) -> Option<Broken> {
    if seconds(value)? >= least {
        return None;
    }
    let (shortest, least) = (go_duration(least), duration(least));
    let message = format!("`{name}` is `{}`, which is less than {least}", shown(value));
    Broken::new(
        &OUT_OF_RANGE,
        ErrorType::Invalid,
        message,
        Help::set(format!("use {least} or more"), shortest),
    )
}

fn too_long_lasting(name: &str, value: &str, most: f64) -> Option<Broken> {
    if seconds(value)? <= most {
        return None;
    }
    let (longest, most) = (go_duration(most), duration(most));
    let message = format!("`{name}` is `{}`, which is more than {most}", shown(value));
    Broken::new(
        &OUT_OF_RANGE,
        ErrorType::Invalid,
        message,
        Help::set(format!("use {most} or less"), longest),
    )
}

fn malformed(row: &Field, value: &str, format: Format) -> Option<Broken> {
    let why = format.error(value)?;
    let message = format!("`{}` cannot be the `{}`: {why}", shown(value), row.name);
    // Valid types are those of the registered extensions, which are unknown here.
    let fits = |it: &str| row.name != "type" && row.is_short(it);
    let help = format.help(shown(value), fits);
    // Names are in lower case.
    let lower = value.to_lowercase();
    let remedy = (lower != value && format.error(&lower).is_none())
        .then(|| Remedy::Set(lower.into(), Applicability::Suggestion));
    let help = Help::of(help, remedy);
    Broken::new(&MALFORMED, ErrorType::Invalid, message, help)
}

fn too_long(name: &str, value: &str, most: usize) -> Option<Broken> {
    if value.len() <= most {
        return None;
    }
    let message = format!("`{name}` has {} bytes, which is more than {most}", value.len());
    Broken::new(&TOO_LONG, ErrorType::TooLong, message, format!("use at most {most}"))
}

fn removed(
    name: &str,
    value: &Json<'_>,
    minor: u64,
    instead: &str,
    facts: &Facts<'_>,
) -> Option<Broken> {
    if !is_at_least(facts.version, 1, minor) || is_empty_text(value) {
        return None;
    }
    let message =
        format!("`{name}` is forbidden from Kubernetes 1.{minor}; this is {}", facts.version);
    let help = Help::remove(instead.to_owned());
    Broken::new(&REMOVED, ErrorType::Forbidden, message, help)
}

fn too_early(name: &str, _: &Json<'_>, minor: u64, facts: &Facts<'_>) -> Option<Broken> {
    if facts.version.is_empty() || is_at_least(facts.version, 1, minor) {
        return None;
    }
    let message =
        format!("there is no `{name}` before Kubernetes 1.{minor}; this is {}", facts.version);
    Broken::new(&UNFITTING, ErrorType::Forbidden, message, Help::remove("remove it"))
}

fn too_early_value(
    row: &Field,
    value: &str,
    versions: Versions,
    later: &str,
    facts: &Facts<'_>,
) -> Option<Broken> {
    if value != later || versions.contains(facts.gardener) {
        return None;
    }
    let allowed = row.values_in(facts.gardener).unwrap_or_default();
    let message = format!(
        "`{value}` is a value of `{}` {versions}; the landscape runs {}",
        row.name, facts.gardener
    );
    let help = one_of(value, &allowed);
    Broken::new(&UNSUPPORTED, ErrorType::NotSupported, message, help)
}

fn without_workers(name: &str, _: &Json<'_>, facts: &Facts<'_>) -> Option<Broken> {
    if !facts.workerless {
        return None;
    }
    let message = format!("a Shoot without workers has no `{name}`");
    Broken::new(
        &UNFITTING,
        ErrorType::Forbidden,
        message,
        Help::remove("remove it, or add a worker pool"),
    )
}

/// Reports whether the value is an empty string, which means the same as an absent field.
fn is_empty_text(value: &Json<'_>) -> bool {
    matches!(value, Json::Text(text) if text == "\"\"")
}

fn text(value: &Json<'_>) -> Option<String> {
    value.read().ok()
}

fn number(value: &Json<'_>) -> Option<f64> {
    value.read().ok()
}

/// Returns a string, or a number as a string, as quantities may be written as numbers.
fn text_or_number(value: &Json<'_>) -> Option<String> {
    text(value).or_else(|| number(value).map(|it| it.to_string()))
}

/// Returns a bound as JSON, without a fraction if it is whole.
fn json_number(number: f64) -> serde_json::Value {
    match whole(number) {
        Some(number) => number.into(),
        None => number.into(),
    }
}

/// Formats a duration as Go parses it.
fn go_duration(seconds: f64) -> String {
    match seconds {
        it if it >= 3600.0 && it % 3600.0 == 0.0 => format!("{}h", it / 3600.0),
        it if it >= 60.0 && it % 60.0 == 0.0 => format!("{}m", it / 60.0),
        it => format!("{it}s"),
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        it if it >= 86_400.0 && it % 86_400.0 == 0.0 => format!("{}d", it / 86_400.0),
        it if it >= 3600.0 && it % 3600.0 == 0.0 => format!("{}h", it / 3600.0),
        it if it >= 60.0 && it % 60.0 == 0.0 => format!("{}m", it / 60.0),
        it => format!("{it}s"),
    }
}

/// Truncates a string to a readable length.
pub(super) fn shown(text: &str) -> &str {
    const SHOWN: usize = 200;
    let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(end, _)| end);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{duration, go_duration};

    #[rstest]
    #[case(86_400.0, "1d", "24h")]
    #[case(90_000.0, "25h", "25h")]
    #[case(3600.0, "1h", "1h")]
    #[case(5400.0, "90m", "90m")]
    #[case(90.0, "90s", "90s")]
    #[case(0.5, "0.5s", "0.5s")]
    fn duration_in_its_largest_unit(#[case] seconds: f64, #[case] shown: &str, #[case] go: &str) {
        assert_eq!(duration(seconds), shown);
        assert_eq!(go_duration(seconds), go);
    }
}
