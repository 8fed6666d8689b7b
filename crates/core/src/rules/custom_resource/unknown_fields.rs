// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Help};
use crate::custom_resources::UnknownField;
use crate::rules::object::hint::hint;
use crate::rules::object::listed::{path_below, report_rest};
use crate::rules::shared::lists::short;
use garden_gate_model::api::{Described, GardenerVersion, Object, Shape, Step, described};

/// Reports unknown fields of a custom resource; returns `false` for other kinds.
///
/// Its definition is that of one Gardener. In a landscape of another version, it is undetermined whether a field is known.
pub(crate) fn unknown_fields(
    context: &Context<'_>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) -> bool {
    let Some(resource) = context.custom_resource() else {
        return false;
    };
    let (definition, decoded) = (resource.definition, &resource.decoded);
    let Some(described) = described(definition.kind.as_str()) else {
        return false;
    };
    let version = context.config.gardener_version;
    let doubt = if context.request.is_stored {
        Some("unless the Gardener that stored the object has it".to_owned())
    } else {
        (version != definition.release).then(|| {
            format!(
                "unless Gardener {version} has it: only the definition of {} is known",
                definition.release
            )
        })
    };
    let mut report = |path: FieldPath, message: String, help: Help| match &doubt {
        Some(doubt) => findings.undetermined(&path, format!("{message}, {doubt}")),
        None => _ = findings.unsupported(kind, path, message).help(help),
    };
    // An API server decodes the metadata separately.
    let strict_errors = context.strict_errors().map(|(_, errors)| &errors.unknown);
    for (place, object) in strict_errors.into_iter().flat_map(|it| &it.first) {
        if let [Step::Field("metadata"), .., Step::Unknown(name)] = &place[..] {
            let message = format!("`{}` is no field of `metadata`", short(name));
            let help = hint((described, GardenerVersion::NEWEST), object, place, name);
            report(path_below(FieldPath::root(), place), message, help);
        }
    }
    for field in &decoded.unknown {
        let owner = match field.names.as_slice() {
            [] => format!("a {}", described.kind),
            names => format!("`{}`", short(&names.join("."))),
        };
        let message = format!("`{}` is no field of {owner}", short(&field.name));
        report(field.path.clone(), message, help(described, field));
    }
    let (count, listed) = (decoded.unknown_count, decoded.unknown.len());
    match &doubt {
        None => report_rest(count, listed, kind, findings),
        Some(doubt) if count > listed => {
            let more = count - listed;
            findings.undetermined(
                &FieldPath::root(),
                format!("{more} more fields are unknown, {doubt}"),
            );
        }
        Some(_) => {}
    }
    true
}

/// Returns a suggestion for an unknown field.
fn help(kind: &'static Described, field: &UnknownField) -> Help {
    let (mut steps, mut shape) = (Vec::new(), Shape::Object(kind.object));
    for name in &field.names {
        let step = match shape {
            Shape::Object(object) => object.field(name).map(|it| (Step::Field(it.name), it.shape)),
            Shape::Map(inner) => Some((Step::Key(name.into()), *inner)),
            _ => None,
        };
        let Some((step, inner)) = step else { break };
        steps.push(step);
        shape = items(inner);
    }
    let object: Option<&'static Object> = match shape {
        Shape::Object(object) if steps.len() == field.names.len() => Some(object),
        _ => None,
    };
    steps.push(Step::Unknown(field.name.as_str().into()));
    match object {
        Some(object) => hint((kind, GardenerVersion::NEWEST), object, &steps, &field.name),
        None => Help::remove("remove it: the value around it has no fields"),
    }
}

/// Returns the shape of the items of a list.
fn items(shape: Shape) -> Shape {
    match shape {
        Shape::List(item, _) => items(*item),
        shape => shape,
    }
}
