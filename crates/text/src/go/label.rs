// SPDX-License-Identifier: Apache-2.0
/// Maximum length of the name part of a label key, and of a label value.
const MAX_NAME: usize = 63;
/// Maximum length of a DNS subdomain.
const MAX_PREFIX: usize = 253;

/// Returns the reason why `key` is not a label key (`name` or `dns.prefix/name`); `None` if it is one.
///
/// Mirrors IsQualifiedName in `k8s.io/apimachinery/pkg/util/validation`.
pub fn qualified_name_error(key: &str) -> Option<&'static str> {
    let (prefix, name) = match key.split_once('/') {
        None => (None, key),
        Some((prefix, name)) => (Some(prefix), name),
    };
    if let Some(prefix) = prefix {
        if prefix.is_empty() {
            return Some("the prefix before `/` is empty");
        }
        if !is_dns_subdomain(prefix) {
            return Some("the prefix before `/` is not a lower-case DNS name");
        }
    }
    if name.is_empty() {
        return Some("the name is empty");
    }
    if name.len() > MAX_NAME {
        return Some("the name has more than 63 characters");
    }
    (!is_label_name(name)).then_some(
        "a name has letters, digits, `-`, `_` and `.`, at most one `/`, and begins and ends with a letter or digit",
    )
}

/// Returns the reason why `value` is not a label value; `None` if it is one.
///
/// An empty string is a label value. Mirrors IsValidLabelValue in `k8s.io/apimachinery/pkg/util/validation`.
pub fn label_value_error(value: &str) -> Option<&'static str> {
    if value.len() > MAX_NAME {
        return Some("it has more than 63 characters");
    }
    (!value.is_empty() && !is_label_name(value)).then_some(
        "it has letters, digits, `-`, `_` and `.` only, and begins and ends with a letter or digit",
    )
}

fn is_label_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.into_iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// Returns the reason why `name` is not a DNS label; `None` if it is one.
///
/// Mirrors IsDNS1123Label in `k8s.io/apimachinery/pkg/util/validation`.
pub fn dns_label_error(name: &str) -> Option<&'static str> {
    if name.len() > MAX_NAME {
        return Some("it has more than 63 characters");
    }
    (!is_dns_label(name)).then_some(
        "it has lower-case letters, digits and `-` only, and begins and ends with a letter or digit",
    )
}

/// Returns the reason why `name` is not a DNS subdomain; `None` if it is one.
///
/// Mirrors IsDNS1123Subdomain in `k8s.io/apimachinery/pkg/util/validation`.
pub fn dns_subdomain_error(name: &str) -> Option<&'static str> {
    if name.len() > MAX_PREFIX {
        return Some("it has more than 253 characters");
    }
    (!is_dns_subdomain(name)).then_some(
        "it has lower-case letters, digits, `-` and `.` only, and each part begins and ends with a letter or digit",
    )
}

fn is_dns_subdomain(name: &str) -> bool {
    name.len() <= MAX_PREFIX && name.split('.').all(is_dns_label)
}

/// Reports whether this is a DNS label of any length, as in the regular expression for subdomains.
fn is_dns_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let alphanumeric = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let ends = [bytes.first(), bytes.last()];
    ends.into_iter().all(|end| end.is_some_and(alphanumeric))
        && bytes.iter().all(|b| alphanumeric(b) || *b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subdomain_has_at_most_253_characters() {
        let name = |parts: usize| vec!["a"; parts].join(".");
        assert_eq!(dns_subdomain_error(&name(127)), None);
        assert!(dns_subdomain_error(&name(128)).is_some());
    }
}
