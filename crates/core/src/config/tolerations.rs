//! The global toleration lists, in the configuration file of garden-gate or of Gardener.

use std::collections::BTreeSet;

use super::TolerationLists;
use super::reader::{LocatedValue, Reader};
use garden_gate_model::api::{Toleration, TolerationProblemKind, check_tolerations};

type Entry<'a> = (LocatedValue<'a>, Toleration);

/// Parses `defaults` and `whitelist` of a mapping that may also have the fields `others`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &LocatedValue<'_>,
    others: &[&str],
) -> TolerationLists {
    if !reader.mapping(at, &[&["defaults", "whitelist"], others].concat()) {
        return TolerationLists::default();
    }
    let [defaults, whitelist] = ["defaults", "whitelist"].map(|name| match at.field(name) {
        Some(list) => read_list(reader, &list),
        None => Vec::new(),
    });
    warn_of_uncovered(reader, &defaults, &whitelist);
    let list = |entries: Vec<Entry<'_>>| entries.into_iter().map(|(_, entry)| entry).collect();
    TolerationLists { defaults: list(defaults), whitelist: list(whitelist) }
}

fn read_list<'a>(reader: &mut Reader<'_>, at: &LocatedValue<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = Vec::new();
    for item in reader.items(at) {
        let toleration = read_entry(reader, &item);
        entries.extend(toleration.map(|toleration| (item, toleration)));
    }
    let list: Vec<Toleration> = entries.iter().map(|(_, entry)| entry.clone()).collect();
    for problem in check_tolerations(&list) {
        let item = &entries[problem.index].0;
        let field = match problem.kind {
            TolerationProblemKind::KeyMissing | TolerationProblemKind::KeyMalformed => "key",
            TolerationProblemKind::ValueMalformed => "value",
            TolerationProblemKind::Repeated => "",
        };
        let place = item.field(field).unwrap_or_else(|| item.clone());
        reader.error(&place, problem.message, problem.help);
    }
    entries
}

fn read_entry(reader: &mut Reader<'_>, item: &LocatedValue<'_>) -> Option<Toleration> {
    if !reader.mapping(item, &["key", "value"]) {
        return None;
    }
    let key = match item.field("key") {
        Some(key) => reader.text(&key).map(str::to_owned),
        None => Some(String::new()),
    };
    let value = match item.field("value") {
        Some(value) => reader.text(&value).map(|value| Some(value.to_owned())),
        None => Some(None),
    };
    Some(Toleration { key: key?, value: value? })
}

/// Warns of defaults that are not whitelisted.
///
/// Gardener accepts them, and then refuses every new Shoot in Projects that do not whitelist them.
fn warn_of_uncovered(reader: &mut Reader<'_>, defaults: &[Entry<'_>], whitelist: &[Entry<'_>]) {
    let whitelist: BTreeSet<&Toleration> = whitelist.iter().map(|(_, entry)| entry).collect();
    for (item, default) in defaults {
        let covered =
            whitelist.contains(&Toleration::bare(&default.key)) || whitelist.contains(default);
        if !default.key.is_empty() && !covered {
            let message = format!(
                "default toleration `{default}` is not on the global whitelist (config/toleration-default-not-whitelisted)"
            );
            let help = "every new Shoot gets it and is refused, unless its Project whitelists it; add it to `whitelist` unless all \
                        Projects do";
            reader.warn(item, message, help);
        }
    }
}
