// SPDX-License-Identifier: Apache-2.0
//! Audit of a live garden cluster.
//!
//! It lists the objects a second time, page by page.

use std::collections::BTreeSet;

use anyhow::anyhow;
use rayon::prelude::*;

use super::stored_object::StoredObject;
use crate::review::cluster::Live;
use garden_gate_products::audit::{Auditor, audited_kinds};
use garden_gate_products::report::Reviewed;

/// Audits every object that may be listed, and passes the results of `of_object` to `add`.
///
/// Returns the kinds that may not be listed, one sentence each.
///
/// # Errors
/// Fails if no object may be listed, or `add` fails.
pub(super) fn each<T: Send>(
    live: &Live,
    auditor: &Auditor<'_>,
    namespaces: &BTreeSet<String>,
    of_object: impl Fn(StoredObject<'_>) -> T + Sync,
    mut add: impl FnMut(Vec<T>) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<String>> {
    let (mut refused, mut is_shown) = (Vec::new(), false);
    for kind in audited_kinds() {
        let mut added = Ok(());
        let listed = live.each(kind, namespaces, |page| {
            if added.is_ok() {
                let audited = page.into_par_iter().map(|(key, stored)| {
                    let reviewed = Reviewed::audited(&key, auditor.object(&key, &stored));
                    of_object(StoredObject { key, stored: &stored, reviewed })
                });
                added = add(audited.collect());
            }
        });
        added?;
        match listed {
            Ok(()) => is_shown = true,
            Err(why) => refused.push(why),
        }
    }
    match (is_shown, refused.first()) {
        (false, Some(why)) => Err(anyhow!("there is nothing to audit: {why}")),
        _ => Ok(refused.iter().map(|why| format!("left out of the audit: {why}")).collect()),
    }
}
