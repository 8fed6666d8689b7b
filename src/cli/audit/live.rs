//! Audit of a live garden cluster.
//!
//! It lists the objects a second time, page by page.

use anyhow::anyhow;
use rayon::prelude::*;
use serde_json::value::RawValue;

use super::run::{AuditedObject, Run};
use crate::audit::{Audited, Auditor, audited_kinds};
use crate::garden::ObjectKey;
use crate::report::{Outcome, Reviewed};
use crate::review::cluster::Live;
use crate::review::notes::note;
use crate::yaml::{Excerpt, Position};

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
                let stood = page
                    .into_par_iter()
                    .map(|(key, it)| stood(key, &it, auditor));
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
            run.left_out += refused.len();
            Ok(())
        }
    }
}

fn stood(key: ObjectKey, stored: &RawValue, auditor: &Auditor<'_>) -> AuditedObject {
    let Audited { review, occasions } = auditor.object(&key, stored);
    let nowhere = Excerpt::from(Position::START);
    let silenced = review.silenced.iter().map(|it| it.findings.len());
    let count = review.findings.len() + review.undetermined.len() + silenced.sum::<usize>();
    let names = (key.kind.as_str(), key.namespace.as_str(), key.name.as_str());
    let reviewed = Reviewed {
        outcome: Outcome::Judged(review, vec![nowhere.clone(); count]),
        occasions,
        ..Reviewed::new((&path(&key), 1), names, nowhere)
    };
    AuditedObject { key, reviewed }
}

/// Returns the path of the object in the API, as the name of its file.
fn path(key: &ObjectKey) -> String {
    let (group, version) = key.kind.api();
    let resource = key.kind.resource();
    let namespace = match key.namespace.as_str() {
        "" => String::new(),
        namespace => format!("namespaces/{namespace}/"),
    };
    format!("apis/{group}/{version}/{namespace}{resource}/{}", key.name)
}
