// SPDX-License-Identifier: Apache-2.0
//! Stored objects without the parts that only the system writes.

mod fields;
mod table;

use serde_json::value::RawValue;

pub use table::{Part, SYSTEM_WRITTEN, SystemWritten};

use fields::{Fields, change_list};
use garden_gate_core::admission::Finding;
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::{ExposureClass, Kind, Toleration};

/// A stored object as its owner would create it again.
#[derive(Debug)]
pub struct AsNew {
    /// The object without the parts in [`SYSTEM_WRITTEN`].
    pub object: Box<RawValue>,
    /// Lists without some elements: the pointer, the field, and the original index of each remaining element.
    shortened: Vec<(&'static str, &'static str, Vec<usize>)>,
}

/// The lists of an object to which the system adds elements, each with its pointer and its field.
const FINALIZERS: (&str, &str) = ("/metadata/finalizers", "metadata.finalizers");
const TOLERATIONS: (&str, &str) = ("/spec/tolerations", "spec.tolerations");

impl AsNew {
    /// Removes the parts of a stored object that only the system writes.
    ///
    /// JSON that is not an object is returned unchanged. Remaining values keep their text, including duplicate fields.
    pub fn of(kind: Kind, stored: &RawValue, garden: &Snapshot) -> Self {
        let mut shortened = Vec::new();
        let object = Fields::changed(stored, |object| {
            object.retain(|name| !is_written(kind, &Part::Field(name)));
            object.change("metadata", |metadata| {
                without_system_metadata(kind, metadata, &mut shortened);
            });
            if kind == Kind::Shoot {
                object.change("spec", |spec| {
                    without_system_spec(spec, garden, &mut shortened);
                });
            }
        });
        Self { object: object.unwrap_or_else(|| stored.to_owned()), shortened }
    }

    /// Returns the object without its seed, which the scheduler chooses; `None` if it has none.
    pub fn unscheduled(&self) -> Option<Box<RawValue>> {
        let mut has_seed = false;
        let object = Fields::changed(&self.object, |object| {
            object.change("spec", |spec| {
                has_seed = spec.read::<String>("seedName").is_some();
                spec.retain(|name| name != "seedName");
            });
        });
        object.filter(|_| has_seed)
    }

    /// Changes a finding about this object to one about the stored object.
    pub fn locate(&self, finding: &mut Finding) {
        for (list, field, kept) in &self.shortened {
            let original = |index: &str| kept.get(index.parse::<usize>().ok()?).copied();
            let Some(rest) = finding.pointer.strip_prefix(list) else {
                continue;
            };
            let Some(rest) = rest.strip_prefix('/') else {
                continue;
            };
            let (index, below) = rest.split_once('/').unwrap_or((rest, ""));
            let Some(at) = original(index) else { continue };
            let slash = if below.is_empty() { "" } else { "/" };
            let indexed = format!("{field}[{index}]");
            if let Some(rest) = finding.field.strip_prefix(&indexed) {
                finding.field = format!("{field}[{at}]{rest}");
            }
            finding.pointer = format!("{list}/{at}{slash}{below}");
            // They would edit another element.
            finding.fixes.clear();
        }
    }
}

/// Reports whether only the system writes a part of objects of the kind.
fn is_written(kind: Kind, part: &Part<'_>) -> bool {
    let mut rows = SYSTEM_WRITTEN.iter();
    rows.any(|row| row.is_of(kind) && row.part.covers(part))
}

type Shortened = Vec<(&'static str, &'static str, Vec<usize>)>;

fn without_system_metadata(kind: Kind, metadata: &mut Fields<'_>, shortened: &mut Shortened) {
    metadata.retain(|name| !is_written(kind, &Part::Metadata(name)));
    metadata.change("annotations", |annotations| {
        annotations.retain(|key| !is_written(kind, &Part::Annotation(key)));
    });
    metadata.change("labels", |labels| {
        labels.retain(|key| !is_written(kind, &Part::Label(key)));
    });
    let kept = change_list(metadata, "finalizers", |finalizer: &String| {
        !is_written(kind, &Part::Finalizer(finalizer))
    });
    shortened.extend(kept.map(|kept| (FINALIZERS.0, FINALIZERS.1, kept)));
}

/// Removes what strategies and admission plugins of Gardener add to the `spec` of Shoots.
fn without_system_spec(spec: &mut Fields<'_>, garden: &Snapshot, shortened: &mut Shortened) {
    let has = |name: &str| spec.get(name).is_some_and(|it| it.get() != "null");
    let beside: Vec<&str> = SYSTEM_WRITTEN
        .iter()
        .filter_map(|row| match row.part {
            Part::SpecBeside { copy, original } => has(original).then_some(copy),
            _ => None,
        })
        .collect();
    spec.retain(|name| !beside.contains(&name));
    let class = spec
        .read::<String>("exposureClassName")
        .and_then(|name| garden.get::<ExposureClass>(name.as_str()).ok()?);
    let Some(scheduling) = class.as_ref().and_then(|class| class.scheduling.as_ref()) else {
        return;
    };
    let kept =
        change_list(spec, "tolerations", |it: &Toleration| !scheduling.tolerations.contains(it));
    shortened.extend(kept.map(|kept| (TOLERATIONS.0, TOLERATIONS.1, kept)));
}

#[cfg(test)]
mod tests;
