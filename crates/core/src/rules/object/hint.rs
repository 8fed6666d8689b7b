// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Applicability, Help, Remedy};
use crate::rules::shared::lists::{list, short};
use garden_gate_model::api::{Described, Field, GardenerVersion, Object, Shape, Step, described};
use garden_gate_text::json::push_step;
use garden_gate_text::nearest::{is_typo, meant, suggestion};

/// Maximum length of names in a similarity search; the cost is the product of both lengths.
const LONGEST: usize = 64;
/// Maximum number of fields in a list; longer lists are in the schema.
const LISTED: usize = 12;
/// Maximum depth of the search for fields by a name that is composed of the names on their path.
const DEEP: usize = 3;

/// Returns the help for an unknown field of `object` at `place`, which ends with the field.
///
/// It suggests, in this order: the map that a key of a label or annotation belongs in; a field with another case; a field whose path, joined, is
/// that name; a field of that name elsewhere; a field with a similar name; all fields.
pub(crate) fn hint(
    (kind, version): (&Described, GardenerVersion),
    object: &'static Object,
    place: &[Step<'_>],
    name: &str,
) -> Help {
    let parent = &place[..place.len().saturating_sub(1)];
    if let Some(hint) = key_of_map(object, name) {
        return hint;
    }
    let hints = [
        other_case((object, version), name),
        put_together(object, version, name),
        elsewhere((kind, version), parent, name),
        similar(object, version, name),
    ];
    let known = name.len() <= LONGEST;
    let hint = hints.into_iter().flatten().find(|_| known);
    hint.unwrap_or_else(|| what_there_is(kind, object, version))
}

/// Prefixes of keys that are labels; other keys are rather annotations, or may be both.
const OF_LABELS: [&str; 2] = ["app.kubernetes.io/", "helm.sh/"];
/// Suffix of the domain of Gardener's annotations.
const OF_GARDENER: &str = "gardener.cloud";

/// Returns the help for a key with a `/`, which only labels and annotations have.
fn key_of_map(object: &Object, name: &str) -> Option<Help> {
    let (prefix, _) = name.split_once('/')?;
    let own: Vec<&str> =
        ["labels", "annotations"].into_iter().filter(|map| object.field(map).is_some()).collect();
    let maps = if object.name != "ObjectMeta" && !own.is_empty() {
        own
    } else if OF_LABELS.iter().any(|it| name.starts_with(it)) {
        vec!["metadata.labels"]
    } else if prefix.ends_with(OF_GARDENER) {
        vec!["metadata.annotations"]
    } else {
        vec!["metadata.annotations", "metadata.labels"]
    };
    let remedy = match maps[..] {
        [map] if map.starts_with("metadata.") => moved(map, name),
        _ => None,
    };
    let maps: Vec<String> = maps.into_iter().map(|it| format!("`{it}`")).collect();
    let text = format!("`{}` belongs under {}", short(name), maps.join(" or "));
    Some(Help::of(text, remedy))
}

/// Returns the remedy to move a field to a dotted path of the object; `None` if the path leads through a list.
fn moved(to: &str, name: &str) -> Option<Remedy> {
    if to.contains("[]") {
        return None;
    }
    let mut pointer = String::new();
    for step in to.split('.').filter(|step| !step.is_empty()).chain([name]) {
        push_step(&mut pointer, step);
    }
    Some(Remedy::Move(pointer, Applicability::Suggestion))
}

fn other_case((object, version): (&Object, GardenerVersion), name: &str) -> Option<Help> {
    let mut names = object.fields_in(version).map(|field| field.name);
    let meant = names.find(|known| known.eq_ignore_ascii_case(name))?;
    let remedy = Remedy::Rename(meant.to_owned(), Applicability::Safe);
    Some(Help::of(format!("did you mean `{meant}`?"), remedy))
}

fn similar(object: &Object, version: GardenerVersion, name: &str) -> Option<Help> {
    let names: Vec<&str> = object.fields_in(version).map(|field| field.name).collect();
    let meant = meant(name, &names);
    let text = suggestion(&meant)?;
    let remedy = match meant[..] {
        [meant] => {
            let applicability =
                if is_typo(name, meant) { Applicability::Safe } else { Applicability::Suggestion };
            Some(Remedy::Rename(meant.to_owned(), applicability))
        }
        _ => None,
    };
    Some(Help::of(text, remedy))
}

/// Suggests a path whose joined names are `name`, such as `machine.image` for `machineImage`.
fn put_together(object: &'static Object, version: GardenerVersion, name: &str) -> Option<Help> {
    let mut found = None;
    each_below(object, version, &mut Vec::new(), &mut |path, field| {
        let names = path.iter().map(|field| field.name).chain([field.name]);
        let is_near = path.len() < DEEP && !path.is_empty();
        if found.is_none() && is_near && names.collect::<String>().eq_ignore_ascii_case(name) {
            let above = path.iter().map(|field| written(field)).collect::<Vec<_>>().join(".");
            found = Some(format!("did you mean `{}` under `{above}`?", field.name).into());
        }
    });
    found
}

/// Paths, or suggestions of paths, with their distances.
type Places = Vec<(usize, String)>;

/// Returns the nearest fields of that name, or of a name composed of that name and its parent's.
fn elsewhere(
    (kind, version): (&Described, GardenerVersion),
    parent: &[Step<'_>],
    name: &str,
) -> Option<Help> {
    let here: Vec<&str> = parent.iter().filter_map(field_name).collect();
    let (mut found, mut composed) = (Places::new(), Places::new());
    each_below(kind.object, version, &mut Vec::new(), &mut |path, field| {
        let there: Vec<&str> = path.iter().map(|field| field.name).collect();
        if is_status(&there) != is_status(&here) {
            return;
        }
        let above = || path.iter().map(|field| written(field)).collect::<Vec<_>>().join(".");
        let last = there.last().copied().unwrap_or_default();
        if field.name.eq_ignore_ascii_case(name) {
            found.push((distance(&here, &there), above()));
        } else if format!("{last}{}", field.name).eq_ignore_ascii_case(name) {
            let meant = format!("did you mean `{}` under `{}`?", field.name, above());
            composed.push((distance(&here, &there), meant));
        }
    });
    if found.is_empty() {
        return composed.into_iter().min().map(|(_, meant)| meant.into());
    }
    let nearest = found.iter().map(|(distance, _)| *distance).min()?;
    let places: Vec<&str> = found
        .iter()
        .filter(|(distance, _)| *distance == nearest)
        .map(|(_, place)| place.as_str())
        .collect();
    let remedy = match places.as_slice() {
        [place] => moved(place, name),
        _ => None,
    };
    let text = match places.as_slice() {
        [""] => format!("`{name}` belongs at the top, beside `kind`"),
        [place] => format!("`{name}` belongs under `{place}`"),
        places => format!("`{name}` belongs under one of {}", list(places)),
    };
    Some(Help::of(text, remedy))
}

fn is_status(path: &[&str]) -> bool {
    path.first() == Some(&"status")
}

fn what_there_is(kind: &Described, object: &Object, version: GardenerVersion) -> Help {
    let has_schema = described(kind.kind).is_some_and(|it| it.group == kind.group);
    let name = kind.kind;
    let text = match object.fields_in(version).count() {
        0 => "nothing can be set here; remove the field".to_owned(),
        count if count <= LISTED || !has_schema => {
            let names = object
                .fields_in(version)
                .map(|field| format!("`{}`", field.name))
                .collect::<Vec<_>>()
                .join(", ");
            format!("remove it; there are {names}")
        }
        _ => format!("remove it; `garden-gate schema {name}` tells what there is"),
    };
    Help::remove(text)
}

/// Calls `look` with every field below an object, and the fields on the path to it.
fn each_below(
    object: &'static Object,
    version: GardenerVersion,
    path: &mut Vec<&'static Field>,
    look: &mut dyn FnMut(&[&'static Field], &'static Field),
) {
    for field in object.fields_in(version) {
        look(path, field);
        if let Some(inner) = field.shape.object() {
            path.push(field);
            each_below(inner, version, path, look);
            path.pop();
        }
    }
}

/// Returns the number of steps between two paths.
fn distance(from: &[&str], to: &[&str]) -> usize {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    from.len() + to.len() - 2 * common
}

fn field_name<'a>(step: &Step<'a>) -> Option<&'a str> {
    match step {
        Step::Field(name) => Some(name),
        Step::Unknown(_) | Step::Key(_) | Step::Index(_) => None,
    }
}

/// Formats a field in the path to another one.
fn written(field: &Field) -> String {
    match field.shape {
        Shape::List(..) => format!("{}[]", field.name),
        _ => field.name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garden_gate_model::api::described;

    fn hint_at(kind: &str, place: &[&'static str], name: &str) -> String {
        let kind = described(kind).unwrap();
        let object = kind.object.at(place).unwrap();
        let fields = place.iter().map(|name| Step::Field(name));
        let place: Vec<Step<'_>> = fields.chain([Step::Unknown(name.into())]).collect();
        let help = hint((kind, GardenerVersion::NEWEST), object, &place, name);
        help.text.into_owned()
    }

    #[test]
    fn fields_are_found_by_what_was_meant() {
        let workers: &[&str] = &["spec", "provider", "workers"];
        let cases: [(&[&str], &str, &str); 19] = [
            (
                &["spec"],
                "machineImage",
                "did you mean `image` under `spec.provider.workers[].machine`?",
            ),
            (&["spec"], "toleration", "did you mean `tolerations`?"),
            (&["spec"], "Region", "did you mean `region`?"),
            (workers, "machineType", "did you mean `type` under `machine`?"),
            (workers, "machineImage", "did you mean `image` under `machine`?"),
            (workers, "image", "`image` belongs under `spec.provider.workers[].machine`"),
            (workers, "kubelet", "`kubelet` belongs under `spec.provider.workers[].kubernetes`"),
            (&["spec"], "workers", "`workers` belongs under `spec.provider`"),
            (&["spec"], "kubernetesVersion", "did you mean `version` under `kubernetes`?"),
            (&["spec"], "metadata", "`metadata` belongs at the top, beside `kind`"),
            (&[], "tolerations", "`tolerations` belongs under `spec`"),
            (
                workers,
                "machineControllerManagerSettings",
                "did you mean `machineControllerManager`?",
            ),
            (
                &["metadata"],
                "confirmation.gardener.cloud/deletion",
                "`confirmation.gardener.cloud/deletion` belongs under `metadata.annotations`",
            ),
            (
                &["metadata"],
                "app.kubernetes.io/name",
                "`app.kubernetes.io/name` belongs under `metadata.labels`",
            ),
            (
                &["spec"],
                "example.com/team",
                "`example.com/team` belongs under `metadata.annotations` or `metadata.labels`",
            ),
            (
                workers,
                "example.com/team",
                "`example.com/team` belongs under `labels` or `annotations`",
            ),
            (&["spec", "hibernation"], "sleep", "remove it; there are `enabled`, `schedules`"),
            (
                &["spec"],
                "retryCycleStartTime",
                "remove it; `garden-gate schema Shoot` tells what there is",
            ),
            (
                &["spec", "provider", "workers", "controlPlane", "exposure", "dns"],
                "foo",
                "nothing can be set here; remove the field",
            ),
        ];
        for (place, name, expected) in cases {
            assert_eq!(hint_at("Shoot", place, name), expected, "{name} in {place:?}");
        }
    }

    #[test]
    fn a_name_without_end_is_compared_with_nothing() {
        let hint = hint_at("Shoot", &["spec"], &"x".repeat(1_000_000));
        assert!(hint.starts_with("remove it"), "{hint}");
    }
}
