// SPDX-License-Identifier: Apache-2.0
/// Escapes a step of a JSON pointer.
pub fn escape_step(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// Appends a step to a JSON pointer.
pub fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    pointer.push_str(&escape_step(step));
}

/// Unescapes a step of a JSON pointer.
pub fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
