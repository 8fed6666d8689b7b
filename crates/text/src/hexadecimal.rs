// SPDX-License-Identifier: Apache-2.0
/// Formats bytes as hexadecimal digits in lower case, two for each byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
