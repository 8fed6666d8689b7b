//! Source: `pkg/apis/registry/validation` and `pkg/admission/validator/cache/shoot.go` of registry-cache.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use ring::digest::{SHA256, digest};

use super::hosts::{Paths, check_upstream, check_url};
use super::secrets::{report_unlisted, unlisted};
use crate::admission::{Change, Context, ErrorType, FieldPath, Findings, rule};
use crate::api::Shoot;
use crate::api::extensions::registry_cache::{EXTENSION, RegistryCache, RegistryConfig};
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::go::{Quantity, dns_label_error, dns_subdomain_error, go_duration};
use crate::rules::extensions::entry;
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::lists::short;

rule! {
    page: include_str!("shoot.md"),
    id: "registry-cache/shoot",
    summary: "validates the configuration of the extension registry-cache",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration, Names],
    findings: {
        UNDECODABLE = "registry-cache/undecodable": "the configuration of registry-cache cannot be decoded",
        STORED = "registry-cache/stored-undecodable": "the stored configuration of registry-cache cannot be decoded",
        FAILURE = "registry-cache/failure": "the admission component of registry-cache fails",
        REQUIRED = "registry-cache/required": "a required part of the configuration of registry-cache is missing",
        INVALID = "registry-cache/invalid": "a value in the configuration of registry-cache is invalid",
        DUPLICATE = "registry-cache/duplicate": "two registry caches have the same upstream or Service",
        IMMUTABLE = "registry-cache/immutable": "an immutable value of a registry cache is changed",
        UNLISTED = "registry-cache/secret-unlisted": "the Secret of a registry cache is not listed in `spec.resources`",
        MISSING = "registry-cache/secret-missing": "the Secret of a registry cache is not found",
    },
    check: Judge(check),
}

/// Maximum length of `serviceNameSuffix`, in bytes.
const LONGEST_SUFFIX: usize = 54;
/// Maximum length of an upstream in the name of a Service, in bytes; longer ones are cut and end with a hash.
const LONGEST_UPSTREAM: usize = 43;
/// Length of the part of a longer upstream that is kept, in bytes.
const CUT_UPSTREAM: usize = 37;
/// Time that content stays in a cache without `garbageCollection`.
const DEFAULT_TTL: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Size of a volume without `size`.
const DEFAULT_SIZE: &str = "10Gi";

fn check(context: &Context<'_>, change: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = change.new else { return };
    let (_, class) = EXTENSION.resource;
    let Some(index) = entry::index_of(context.new_opened(), class) else {
        return;
    };
    let common = CommonFindings {
        undecodable: &UNDECODABLE,
        failure: &FAILURE,
    };
    let Some(component) = Component::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let failure = Failure {
        error: ErrorType::Decode,
        field: FieldPath::root(),
        kind: &UNDECODABLE,
    };
    let denied = Failure {
        kind: &FAILURE,
        ..failure.clone()
    };
    if !entry::check_containerd(shoot, &denied, findings) {
        return;
    }
    let place = entry::path(index);
    let documents = component.new_documents();
    let Some(document) = documents.nth(ConfigurationPlace::Extension, index) else {
        findings
            .required(&REQUIRED, place, "registry-cache has no configuration")
            .help("add `providerConfig` with `caches`, or remove the extension");
        return;
    };
    let Some(new) = component.decode::<RegistryConfig>(document, &failure, findings) else {
        return;
    };
    let Ok(old) = stored(&component, context, &place, findings) else {
        return;
    };
    let knows_equal = component.version() >= ExtensionVersion::new(0, 10);
    if old
        .as_ref()
        .is_some_and(|old| knows_equal && is_same(old, &new))
    {
        return;
    }
    let references = new.caches.iter().enumerate().filter_map(|(index, cache)| {
        let field = place
            .child("caches")
            .index(index)
            .child("secretReferenceName");
        Some((field, cache.secret_reference_name.as_deref()?))
    });
    let Some(unlisted) = unlisted(context, references, &MISSING, findings) else {
        return;
    };
    if let Some(old) = &old {
        check_update(old, &new, &place, findings);
    }
    check_config(&new, &place, component.version(), findings);
    report_unlisted(unlisted, &UNLISTED, findings);
}

/// A stored configuration that ends the request, which is reported.
struct Unusable;

/// Decodes the stored configuration, if the stored Shoot has the extension.
fn stored(
    component: &Component<'_, '_>,
    context: &Context<'_>,
    place: &FieldPath,
    findings: &mut Findings,
) -> Result<Option<RegistryConfig>, Unusable> {
    let (_, class) = EXTENSION.resource;
    let Some(index) = entry::index_of(context.old_opened(), class) else {
        return Ok(None);
    };
    let documents = component.old_documents();
    let Some(document) = documents.nth(ConfigurationPlace::Extension, index) else {
        let message = "the stored Shoot has registry-cache without a configuration";
        findings
            .report(&FAILURE, ErrorType::Denied, FieldPath::root(), message)
            .at(place)
            .help("remove the extension, and add it with the configuration afterwards");
        return Err(Unusable);
    };
    let failure = Failure {
        error: ErrorType::Decode,
        field: FieldPath::root(),
        kind: &STORED,
    };
    let mut decoded = None;
    findings.under(&STORED, place, |findings| {
        decoded = component.decode(document, &failure, findings);
    });
    decoded.map(Some).ok_or(Unusable)
}

/// Reports whether two configurations are equal with defaults.
fn is_same(a: &RegistryConfig, b: &RegistryConfig) -> bool {
    let mut pairs = a.caches.iter().zip(&b.caches);
    a.caches.len() == b.caches.len()
        && pairs.all(|(a, b)| {
            a.upstream == b.upstream
                && a.remote_url == b.remote_url
                && size(a) == size(b)
                && a.volume.storage_class_name == b.volume.storage_class_name
                && ttl(a) == ttl(b)
                && a.secret_reference_name == b.secret_reference_name
                && a.proxy == b.proxy
                && has_tls(a) == has_tls(b)
                && is_highly_available(a) == is_highly_available(b)
                && a.service_name_suffix == b.service_name_suffix
        })
}

fn size(cache: &RegistryCache) -> Option<Quantity> {
    let size = cache.volume.size.clone();
    size.or_else(|| Quantity::parse(DEFAULT_SIZE).ok())
}

fn ttl(cache: &RegistryCache) -> SignedDuration {
    let Some(collection) = &cache.garbage_collection else {
        return DEFAULT_TTL;
    };
    let ttl = collection.ttl.as_ref();
    ttl.map_or(SignedDuration::ZERO, |it| it.value)
}

fn has_tls(cache: &RegistryCache) -> bool {
    cache.http.as_ref().is_none_or(|it| it.tls)
}

/// Returns whether a cache is highly available, if it has the field.
fn is_highly_available(cache: &RegistryCache) -> Option<bool> {
    cache.high_availability.as_ref().map(|it| it.enabled)
}

fn check_update(
    old: &RegistryConfig,
    new: &RegistryConfig,
    place: &FieldPath,
    findings: &mut Findings,
) {
    // The first cache of an upstream counts.
    let stored = old.caches.iter().rev();
    let stored: BTreeMap<&str, &RegistryCache> =
        stored.map(|it| (it.upstream.as_str(), it)).collect();
    for (index, cache) in new.caches.iter().enumerate() {
        let Some(old) = stored.get(cache.upstream.as_str()) else {
            continue;
        };
        let field = place.child("caches").index(index);
        let another = "keep the stored value, or remove the cache and add it again afterwards";
        if size(old) != size(cache) {
            let show = |it: &RegistryCache| {
                let size = size(it);
                size.map_or_else(String::new, |it| it.printed().into_owned())
            };
            let (before, after) = (show(old), show(cache));
            let message = format!("the size of a volume is immutable; it is {before}");
            findings
                .invalid(&IMMUTABLE, field.descendant("volume.size"), message)
                .value(after)
                .help(another);
        }
        let class = &cache.volume.storage_class_name;
        if *class != old.volume.storage_class_name {
            let before = match &old.volume.storage_class_name {
                Some(name) => format!("`{}`", short(name)),
                None => "not set".to_owned(),
            };
            let message = format!("the StorageClass of a volume is immutable; it is {before}");
            findings
                .invalid(
                    &IMMUTABLE,
                    field.descendant("volume.storageClassName"),
                    message,
                )
                .value(class.clone())
                .help(another);
        }
        if !ttl(old).is_positive() && ttl(cache).is_positive() {
            let message = "garbage collection is off, and cannot be turned on again";
            findings
                .invalid(
                    &IMMUTABLE,
                    field.descendant("garbageCollection.ttl"),
                    message,
                )
                .value(go_duration(ttl(cache)))
                .help("set `ttl: 0s`, or remove the cache and add it again afterwards");
        }
    }
}

fn check_config(
    config: &RegistryConfig,
    place: &FieldPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    let place = place.child("caches");
    if config.caches.is_empty() {
        findings
            .required(&REQUIRED, place.clone(), "there is no cache")
            .help("add a cache such as `- upstream: docker.io`, or remove the extension");
    }
    let mut upstreams = BTreeSet::new();
    for (index, cache) in config.caches.iter().enumerate() {
        let field = place.index(index);
        check_cache(cache, &field, version, findings);
        if !upstreams.insert(cache.upstream.as_str()) {
            let message = format!(
                "a cache before has the upstream `{}`",
                short(&cache.upstream)
            );
            findings
                .duplicate(&DUPLICATE, field.child("upstream"), message)
                .value(cache.upstream.as_str())
                .help("keep one of the caches");
        }
    }
    check_services(config, &place, findings);
}

/// Checks that the names of Services differ, except among caches without `serviceNameSuffix`.
fn check_services(config: &RegistryConfig, place: &FieldPath, findings: &mut Findings) {
    let derived = config.caches.iter();
    let derived = derived.filter(|it| it.service_name_suffix.is_none());
    let derived: BTreeMap<String, &str> = derived
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
            let message = format!(
                "the Service of the upstream `{}` has the same name",
                short(upstream)
            );
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
    let hash = digest(&SHA256, upstream.as_bytes());
    let hash = hash.as_ref().iter().take(3);
    let hash: String = hash.map(|byte| format!("{byte:02x}")).collect();
    format!("{cut}-{}", &hash[..5])
}

fn check_cache(
    cache: &RegistryCache,
    field: &FieldPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    check_upstream(
        &cache.upstream,
        &field.child("upstream"),
        &INVALID,
        findings,
    );
    let mut check_optional = |url: &Option<String>, path: &'static str| {
        if let Some(url) = url {
            let field = field.descendant(path);
            let url = (url.as_str(), Paths::Forbidden);
            check_url(url, &field, version, &INVALID, findings);
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
        let message = format!(
            "`{}` is not the name of a StorageClass: {why}",
            short(class)
        );
        findings
            .invalid(
                &INVALID,
                field.descendant("volume.storageClassName"),
                message,
            )
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
