// SPDX-License-Identifier: Apache-2.0
//! Names and identifiers of Azure. Source: `pkg/apis/azure/validation/filter.go`.

use crate::admission::ErrorType;
use crate::rules::extensions::provider_shoots::Syntax;
use garden_gate_text::go::Url;

pub(super) const RESOURCE_GROUP: Syntax = Syntax {
    name: "name of a resource group",
    matches: |it| {
        let is_allowed = |c| is_word(c) || "().-".contains(c);
        it.len() > 1 && it.chars().all(is_allowed) && !it.ends_with('.')
    },
    longest: 90,
    empty: Some(ErrorType::Required),
    example: "`my-resource-group`",
};
pub(super) const VNET: Syntax = Syntax {
    name: "name of a virtual network",
    matches: |it| {
        let is_allowed = |c| is_word(c) || ".-".contains(c);
        it.len() > 1
            && it.starts_with(|c: char| c.is_ascii_alphanumeric())
            && it.chars().all(is_allowed)
            && it.ends_with(is_word)
    },
    longest: 64,
    empty: Some(ErrorType::Invalid),
    example: "`my-vnet`",
};
pub(super) const NAME: Syntax = Syntax {
    name: "name of a resource",
    matches: |it| it.len() > 2 && is_name(it),
    longest: 120,
    empty: Some(ErrorType::Invalid),
    example: "`my-identity`, with 3 or more characters",
};
pub(super) const PUBLIC_IP: Syntax = Syntax {
    name: "name of a public IP address",
    matches: is_name,
    longest: 80,
    empty: Some(ErrorType::Required),
    example: "`my-ip`",
};
pub(super) const SERVICE_ENDPOINT: Syntax = Syntax {
    name: "service endpoint",
    matches: |it| {
        let rest = it.strip_prefix("Microsoft.").unwrap_or_default();
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '.';
        !rest.is_empty() && rest.chars().all(is_allowed)
    },
    longest: 120,
    empty: Some(ErrorType::Invalid),
    example: "`Microsoft.Storage`",
};
pub(super) const STORAGE_URI: Syntax = Syntax {
    name: "URI of a storage account",
    matches: |it| Url::parse(it).is_ok() && is_storage_uri(it),
    longest: usize::MAX,
    empty: Some(ErrorType::Required),
    example: "`https://myaccount.blob.core.windows.net/diagnostics`",
};
pub(super) const URN: Syntax = Syntax {
    name: "URN of an image",
    matches: is_urn,
    longest: 256,
    empty: Some(ErrorType::Required),
    example: "`publisher:offer:sku:1.0.0`",
};
pub(super) const COMMUNITY_GALLERY_IMAGE: Syntax = Syntax {
    name: "ID of an image in a community gallery",
    matches: |it| is_gallery_image(it, "/CommunityGalleries/"),
    longest: 512,
    empty: Some(ErrorType::Required),
    example: "`/CommunityGalleries/my-gallery/Images/my-image/Versions/1.0.0`",
};
pub(super) const SHARED_GALLERY_IMAGE: Syntax = Syntax {
    name: "ID of an image in a shared gallery",
    matches: |it| is_gallery_image(it, "/SharedGalleries/"),
    longest: 512,
    empty: Some(ErrorType::Required),
    example: "`/SharedGalleries/my-gallery/Images/my-image/Versions/1.0.0`",
};

/// Matches `^[A-Za-z0-9][\w-]*$`.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| is_word(c) || c == '-')
}

/// Matches `^https://[a-z0-9-]{3,24}\.blob\.core[^\s]+/[^\s]+$`.
fn is_storage_uri(text: &str) -> bool {
    let account = text.strip_prefix("https://");
    let Some((account, rest)) = account.and_then(|it| it.split_once(".blob.core")) else {
        return false;
    };
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    // There is a slash with at least one character before and after it.
    let mut inner = rest.chars();
    inner.next();
    inner.next_back();
    let is_space = |c| matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' ');
    (3..=24).contains(&account.len())
        && account.chars().all(is_allowed)
        && !rest.contains(is_space)
        && inner.as_str().contains('/')
}

/// Matches `^[\w-]+:[\w-]+:[\w.-]+:[\w.-]+$`.
fn is_urn(text: &str) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    let [publisher, offer, sku, version] = parts.as_slice() else {
        return false;
    };
    [publisher, offer].into_iter().all(|it| is_label(it))
        && [sku, version].into_iter().all(|it| is_dotted(it))
}

/// Matches `^/<gallery>/[\w-]+/Images/[\w-]+/Versions/[\w.-]+$`.
fn is_gallery_image(text: &str, prefix: &str) -> bool {
    let rest = text.strip_prefix(prefix).unwrap_or_default();
    let parts: Vec<&str> = rest.split('/').collect();
    match parts.as_slice() {
        [gallery, "Images", image, "Versions", version] => {
            is_label(gallery) && is_label(image) && is_dotted(version)
        }
        _ => false,
    }
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_word(c) || c == '-')
}

fn is_dotted(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_word(c) || ".-".contains(c))
}

/// Reports whether Go's `\w` matches.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::group(RESOURCE_GROUP, "my_group.(1)", true)]
    #[case::group_of_one_character(RESOURCE_GROUP, "a", false)]
    #[case::group_with_dot_at_end(RESOURCE_GROUP, "group.", false)]
    #[case::vnet(VNET, "v.1_", true)]
    #[case::vnet_with_hyphen_at_end(VNET, "vnet-", false)]
    #[case::vnet_of_one_character(VNET, "v", false)]
    #[case::vnet_with_underscore_first(VNET, "_vnet", false)]
    #[case::vnet_with_space(VNET, "v net", false)]
    #[case::name_too_short(NAME, "ab", false)]
    #[case::name_with_hyphen_at_end(NAME, "ab-", true)]
    #[case::name_with_hyphen_first(NAME, "-ab", false)]
    #[case::public_ip(PUBLIC_IP, "a", true)]
    #[case::endpoint(SERVICE_ENDPOINT, "Microsoft.Storage.Global", true)]
    #[case::endpoint_without_name(SERVICE_ENDPOINT, "Microsoft.", false)]
    #[case::uri(STORAGE_URI, "https://abc.blob.core.windows.net/x", true)]
    #[case::uri_without_path(STORAGE_URI, "https://abc.blob.core.windows.net/", false)]
    #[case::uri_with_slash_first(STORAGE_URI, "https://abc.blob.core/x", false)]
    #[case::uri_with_two_slashes(STORAGE_URI, "https://abc.blob.core//x", true)]
    #[case::uri_with_short_account(STORAGE_URI, "https://ab.blob.core.net/x", false)]
    #[case::uri_in_upper_case(STORAGE_URI, "https://ABC.blob.core.net/x", false)]
    #[case::uri_with_space(STORAGE_URI, "https://abc.blob.core.net/x y", false)]
    #[case::uri_with_bad_escape(STORAGE_URI, "https://abc.blob.core.net/%zz", false)]
    #[case::urn(URN, "a-b:c:d.1:latest", true)]
    #[case::urn_with_dot_in_offer(URN, "a:b.c:d:1", false)]
    #[case::urn_without_publisher(URN, ":b:c:1", false)]
    #[case::urn_of_three_parts(URN, "a:b:c", false)]
    #[case::community(COMMUNITY_GALLERY_IMAGE, "/CommunityGalleries/g/Images/i/Versions/1.0", true)]
    #[case::community_in_lower_case(
        COMMUNITY_GALLERY_IMAGE,
        "/CommunityGalleries/g/images/i/versions/1.0",
        false
    )]
    #[case::community_with_space_in_version(
        COMMUNITY_GALLERY_IMAGE,
        "/CommunityGalleries/g/Images/i/Versions/1 0",
        false
    )]
    #[case::community_without_version(
        COMMUNITY_GALLERY_IMAGE,
        "/CommunityGalleries/g/Images/i/Versions/",
        false
    )]
    #[case::community_with_dot_in_gallery(
        COMMUNITY_GALLERY_IMAGE,
        "/CommunityGalleries/g.1/Images/i/Versions/1.0",
        false
    )]
    #[case::community_with_dot_in_image(
        COMMUNITY_GALLERY_IMAGE,
        "/CommunityGalleries/g/Images/i.1/Versions/1.0",
        false
    )]
    #[case::shared(SHARED_GALLERY_IMAGE, "/CommunityGalleries/g/Images/i/Versions/1", false)]
    fn identifiers(#[case] syntax: Syntax, #[case] value: &str, #[case] expected: bool) {
        assert_eq!(syntax.accepts(value), expected);
    }
}
