// SPDX-License-Identifier: Apache-2.0
//! Maximum sizes of objects, as in the configuration of gardener-admission-controller.

use super::ResourceLimit;
use super::reader::{Located, Reader};
use garden_gate_text::go::Quantity;

/// Parses the section `resourceLimits`.
pub(super) fn read(reader: &mut Reader<'_>, at: &Located<'_>) -> Vec<ResourceLimit> {
    let items = reader.items(at);
    items.iter().filter_map(|item| read_limit(reader, item)).collect()
}

fn read_limit(reader: &mut Reader<'_>, at: &Located<'_>) -> Option<ResourceLimit> {
    if !reader.mapping(at, &["apiGroups", "apiVersions", "resources", "size"]) {
        return None;
    }
    let [api_groups, api_versions, resources] =
        ["apiGroups", "apiVersions", "resources"].map(|field| {
            let help = format!("set it; `{field}: [\"*\"]` matches all");
            required(reader, at, field, &help).map(|at| reader.names(&at)).unwrap_or_default()
        });
    let size = required(reader, at, "size", "set the maximum size, such as `size: 100k`")?;
    let text = match size.value.as_u64() {
        Some(number) => number.to_string(),
        None => reader.text(&size)?.to_owned(),
    };
    let help = "write a number of bytes, such as 100000, 100k or 1Mi";
    let size = reader.valid(&size, Quantity::parse(&text), help)?;
    Some(ResourceLimit { api_groups, api_versions, resources, size })
}

fn required<'a>(
    reader: &mut Reader<'_>,
    at: &Located<'a>,
    field: &str,
    help: &str,
) -> Option<Located<'a>> {
    let value = at.field(field);
    if value.is_none() {
        reader.error(at, &format!("`{field}` is not set"), help);
    }
    value
}
