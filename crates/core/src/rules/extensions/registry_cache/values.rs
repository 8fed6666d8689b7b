// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use super::findings::{DUPLICATE, INVALID, REQUIRED};
use super::hosts::{Paths, check_upstream, check_url};
use super::update::ttl;
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::registry_cache::{RegistryCache, RegistryConfig};
use garden_gate_text::go::{dns_label_error, dns_subdomain_error};
use garden_gate_text::hexadecimal;

/// Maximum length of `serviceNameSuffix`, in bytes.
const LONGEST_SUFFIX: usize = 54;
/// Maximum length of an upstream in the name of a Service, in bytes; longer ones are cut and end with a hash.
const LONGEST_UPSTREAM: usize = 43;
/// Length of the part of a longer upstream that is kept, in bytes.
const CUT_UPSTREAM: usize = 37;

/// Checks a configuration alone.
pub(super) fn check_config(
    config: &RegistryConfig,
    place: &FieldPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    let at = place.child("caches");
    if config.caches.is_empty() {
        findings
            .required(&REQUIRED, at.clone(), "there is no cache")
            .help("add a cache such as `- upstream: docker.io`, or remove the extension");
    }
    let mut upstreams = BTreeSet::new();
    for (index, cache) in config.caches.iter().enumerate() {
        let field = at.index(index);
        check_cache(cache, &field, version, findings);
        if !upstreams.insert(cache.upstream.as_str()) {
            let message = format!("a cache before has the upstream `{}`", short(&cache.upstream));
            findings
                .duplicate(&DUPLICATE, field.child("upstream"), message)
                .value(cache.upstream.as_str())
                .help("keep one of the caches");
        }
    }
    check_services(config, &at, findings);
}

/// Checks that the names of Services differ, except among caches without `serviceNameSuffix`.
fn check_services(config: &RegistryConfig, place: &FieldPath, findings: &mut Findings) {
    let derived: BTreeMap<String, &str> = config
        .caches
        .iter()
        .filter(|it| it.service_name_suffix.is_none())
        .map(|it| (derived_suffix(&it.upstream), it.upstream.as_str()))
        .collect();
    let mut suffixes = BTreeSet::new();
    for (index, cache) in config.caches.iter().enumerate() {
        let Some(suffix) = &cache.service_name_suffix else {
            continue;
        };
        let field = place.index(index).child("serviceNameSuffix");
        if !suffixes.insert(suffix) {
            let message = format!("a cache before has the suffix `{}`", short(suffix));
            findings
                .duplicate(&DUPLICATE, field.clone(), message)
                .value(suffix.as_str())
                .help("use another suffix for each cache");
        }
        if let Some(upstream) = derived.get(suffix) {
            let message =
                format!("the Service of the upstream `{}` has the same name", short(upstream));
            findings
                .invalid(&DUPLICATE, field, message)
                .value(suffix.as_str())
                .help("use another suffix");
        }
    }
}

/// Returns the end of the name of the Service for an upstream, as ComputeServiceName in `pkg/utils/registry/registry.go`.
fn derived_suffix(upstream: &str) -> String {
    let escaped = upstream.replace([':', '.'], "-");
    if upstream.len() <= LONGEST_UPSTREAM {
        return escaped;
    }
    let cut = &escaped[..escaped.floor_char_boundary(CUT_UPSTREAM)];
    let sum = Sha256::digest(upstream.as_bytes());
    format!("{cut}-{}", &hexadecimal(&sum[..3])[..5])
}

fn check_cache(
    cache: &RegistryCache,
    field: &FieldPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    check_upstream(&cache.upstream, &field.child("upstream"), &INVALID, findings);
    let mut check_optional = |url: &Option<String>, path: &'static str| {
        if let Some(url) = url {
            let url = (url.as_str(), Paths::Forbidden);
            check_url(url, &field.descendant(path), version, &INVALID, findings);
        }
    };
    check_optional(&cache.remote_url, "remoteURL");
    if let Some(proxy) = &cache.proxy {
        check_optional(&proxy.http_proxy, "proxy.httpProxy");
        check_optional(&proxy.https_proxy, "proxy.httpsProxy");
    }
    let volume = &cache.volume;
    if let Some(size) = volume.size.as_ref().filter(|it| it.nanos() <= 0) {
        let size = size.printed();
        let message = format!("the size of the volume is {size}");
        findings
            .invalid(&INVALID, field.descendant("volume.size"), message)
            .value(size.into_owned())
            .help("use a size greater than 0, such as `10Gi`");
    }
    if let Some(class) = &volume.storage_class_name
        && version >= ExtensionVersion::new(0, 17)
        && let Some(why) = dns_subdomain_error(class)
    {
        let message = format!("`{}` is not the name of a StorageClass: {why}", short(class));
        findings
            .invalid(&INVALID, field.descendant("volume.storageClassName"), message)
            .value(class.as_str())
            .help("name a StorageClass of the cluster, or omit it for the default");
    }
    if ttl(cache).is_negative() {
        let message = "the time that content stays in the cache is negative";
        findings
            .invalid(&INVALID, field.descendant("garbageCollection.ttl"), message)
            .value(cache_ttl_text(cache))
            .help("use a duration such as `168h`, or `0s` to turn garbage collection off");
    }
    if let Some(suffix) = &cache.service_name_suffix {
        check_suffix(suffix, &field.child("serviceNameSuffix"), findings);
    }
}

fn cache_ttl_text(cache: &RegistryCache) -> String {
    let collection = cache.garbage_collection.as_ref();
    let ttl = collection.and_then(|it| it.ttl.as_ref());
    ttl.map_or_else(String::new, |it| it.text.clone())
}

fn check_suffix(suffix: &str, field: &FieldPath, findings: &mut Findings) {
    if let Some(why) = dns_label_error(suffix) {
        let message = format!("`{}` is not a valid suffix: {why}", short(suffix));
        findings
            .invalid(&INVALID, field.clone(), message)
            .value(suffix)
            .help("write a DNS label such as `docker-io`");
    }
    if suffix.len() > LONGEST_SUFFIX {
        let message = format!("the suffix has {} bytes", suffix.len());
        findings
            .report(&INVALID, ErrorType::TooLong, field.clone(), message)
            .value(suffix)
            .help(format!("use at most {LONGEST_SUFFIX} bytes"));
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::derived_suffix;

    #[rstest]
    #[case("docker.io", "docker-io")]
    #[case("a.io:5000", "a-io-5000")]
    #[case(
        "a-very-long-upstream-name.example.com:65535",
        "a-very-long-upstream-name-example-com-65535"
    )]
    #[case(
        "a-very-long-upstream-name-that-is-cut.registry.internal.example.com:8443",
        "a-very-long-upstream-name-that-is-cut-8a982"
    )]
    fn service_name_is_derived_from_the_upstream(#[case] upstream: &str, #[case] expected: &str) {
        assert_eq!(derived_suffix(upstream), expected);
    }
}
