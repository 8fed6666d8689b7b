//! Audit of a live garden cluster.
//!
//! It lists the objects a second time, page by page.

use anyhow::anyhow;
use rayon::prelude::*;
use serde_json::value::RawValue;

use super::run::{AuditedObject, Run};
use crate::review::cluster::Live;
use crate::review::notes::note;
use garden_gate_core::garden::ObjectKey;
use garden_gate_products::audit::{Auditor, audited_kinds};
use garden_gate_products::report::Reviewed;

/// Audits every object that may be listed and passes the results to `run`.
///
/// # Errors
/// Fails if no object may be listed, or the output fails.
pub(super) fn each(live: &Live, run: &mut Run<'_, '_>) -> anyhow::Result<()> {
    let namespaces = run.whose.namespaces();
    let (mut refused, mut is_shown) = (Vec::new(), false);
    for kind in audited_kinds() {
        let mut added = Ok(());
        let listed = live.each(kind, &namespaces, |page| {
            if added.is_ok() {
                let auditor = run.auditor;
                let stood = page.into_par_iter().map(|(key, it)| stood(key, &it, auditor));
                let stood: Vec<AuditedObject> = stood.collect();
                added = run.add(stood.into_iter());
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
        _ => {
            for why in &refused {
                note(format_args!("warning: left out of the audit: {why}"));
            }
            Ok(())
        }
    }
}

fn stood(key: ObjectKey, stored: &RawValue, auditor: &Auditor<'_>) -> AuditedObject {
    let reviewed = Reviewed::audited(&key, auditor.object(&key, stored));
    AuditedObject { key, reviewed }
}
