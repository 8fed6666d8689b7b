// SPDX-License-Identifier: Apache-2.0
//! The global toleration lists, in the configuration file of garden-gate or of Gardener.

use std::collections::BTreeSet;

use super::TolerationLists;
use super::problem::Severity;
use super::reader::{Located, Reader};
use garden_gate_model::api::{Toleration, TolerationProblemKind, check_tolerations};

/// Parses `defaults` and `whitelist` of a mapping that may also have the fields `others`.
pub(super) fn read(reader: &mut Reader<'_>, at: &Located<'_>, others: &[&str]) -> TolerationLists {
    reader.mapping(at, &[&["defaults", "whitelist"], others].concat());
    let [(places, defaults), (_, whitelist)] = ["defaults", "whitelist"]
        .map(|name| at.field(name).map(|list| read_list(reader, &list)).unwrap_or_default());
    let known: BTreeSet<&Toleration> = whitelist.iter().collect();
    for (item, default) in places.iter().zip(&defaults) {
        let is_covered = known.contains(&Toleration::bare(&default.key)) || known.contains(default);
        if !default.key.is_empty() && !is_covered {
            // Gardener accepts it, and then refuses every new Shoot in Projects that do not whitelist it.
            let message = format!(
                "default toleration `{default}` is not on the global whitelist (config/toleration-default-not-whitelisted)"
            );
            let help = "every new Shoot gets it and is refused, unless its Project whitelists it; add it to `whitelist` unless all Projects do";
            reader.report(Severity::Warning, item, &message, help);
        }
    }
    TolerationLists { defaults, whitelist }
}

fn read_list<'a>(reader: &mut Reader<'_>, at: &Located<'a>) -> (Vec<Located<'a>>, Vec<Toleration>) {
    let (mut places, mut list) = (Vec::new(), Vec::new());
    for item in reader.items(at) {
        if let Some(toleration) = read_entry(reader, &item) {
            list.push(toleration);
            places.push(item);
        }
    }
    for problem in check_tolerations(&list) {
        let item = &places[problem.index];
        let field = match problem.kind {
            TolerationProblemKind::KeyMissing | TolerationProblemKind::KeyMalformed => "key",
            TolerationProblemKind::ValueMalformed => "value",
            TolerationProblemKind::Repeated => "",
        };
        let place = item.field(field);
        reader.error(place.as_ref().unwrap_or(item), &problem.message, problem.help);
    }
    (places, list)
}

fn read_entry(reader: &mut Reader<'_>, item: &Located<'_>) -> Option<Toleration> {
    if !reader.mapping(item, &["key", "value"]) {
        return None;
    }
    let [key, value] = ["key", "value"].map(|name| match item.field(name) {
        // The outer `None` is an error.
        Some(at) => reader.text(&at).map(|text| Some(text.to_owned())),
        None => Some(None),
    });
    Some(Toleration { key: key?.unwrap_or_default(), value: value? })
}
