// SPDX-License-Identifier: Apache-2.0
use garden_gate_text::go::dns_subdomain_error;

/// Parses the name of a Kubernetes object.
pub(super) fn object_name(text: &str) -> Result<String, String> {
    match dns_subdomain_error(text) {
        None => Ok(text.to_owned()),
        Some(_) => Err(format!(
            "`{text}` is not a valid name; use lower-case letters, digits, `-` and `.`"
        )),
    }
}
