//! Maximum sizes of objects, as in the configuration of gardener-admission-controller.

use super::reader::{LocatedValue, Reader};
use super::{Config, ResourceLimit};
use garden_gate_text::go::Quantity;

const FIELDS: &[&str] = &["apiGroups", "apiVersions", "resources", "size"];

/// Parses the section `resourceLimits`.
pub(super) fn read(reader: &mut Reader<'_>, at: &LocatedValue<'_>, config: &mut Config) {
    for item in reader.items(at) {
        if !reader.mapping(&item, FIELDS) {
            continue;
        }
        let [api_groups, api_versions, resources] =
            ["apiGroups", "apiVersions", "resources"].map(|field| {
                match required(reader, &item, field) {
                    Some(at) => reader.names(&at),
                    None => Vec::new(),
                }
            });
        let size = required(reader, &item, "size");
        let Some(size) = size.and_then(|at| read_size(reader, &at)) else {
            continue;
        };
        config.resource_limits.push(ResourceLimit { api_groups, api_versions, resources, size });
    }
}

fn required<'a>(
    reader: &mut Reader<'_>,
    item: &LocatedValue<'a>,
    field: &str,
) -> Option<LocatedValue<'a>> {
    let value = item.field(field);
    if value.is_none() {
        let help = match field {
            "size" => "set the maximum size, such as `size: 100k`".to_owned(),
            _ => format!("set it; `{field}: [\"*\"]` matches all"),
        };
        reader.error(item, format!("`{field}` is not set"), help);
    }
    value
}

fn read_size(reader: &mut Reader<'_>, at: &LocatedValue<'_>) -> Option<Quantity> {
    let text = match at.value.as_u64() {
        Some(number) => number.to_string(),
        None => reader.text(at)?.to_owned(),
    };
    let help = "write a number of bytes, such as 100000, 100k or 1Mi";
    let size = Quantity::parse(&text);
    size.map_err(|error| reader.error(at, error.to_string(), help)).ok()
}
