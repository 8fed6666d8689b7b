// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Help, Write, rule};
use crate::rules::shared::validation::{
    Facts, MALFORMED, OUT_OF_RANGE, Part, Section, UNFITTING, UNSUPPORTED, check_at,
};
use crate::rules::shoot::static_validation::{kubelets, received};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("kubelet_form.md"),
    id: "shoot/kubelet-form",
    summary: "rejects an invalid kubelet configuration",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, OUT_OF_RANGE, UNFITTING, UNSUPPORTED,
        THRESHOLDS = "shoot/image-gc-thresholds-crossed": "the low threshold of image garbage collection is not below the high one",
        SWAP = "shoot/swap-not-possible": "swap is configured, but the kubelet does not support it",
        PULLS = "shoot/parallel-pulls-one-by-one": "parallel image pulls conflict with serialized ones",
        ALLOWLIST = "shoot/image-allowlist-without-policy": "an image allowlist is set that the verification policy does not use",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTION: Section =
    Section { kind: "Shoot", at: &["spec", "kubernetes", "kubelet"], except: &[] };

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let (received, facts) = received(context, new);
    if let Some(kubelet) = received.at(SECTION.at) {
        check_kubelet(&kubelet, facts, findings);
        check_thresholds(&kubelet, THRESHOLDS_UNLESS_SAID.map(Some), findings);
    }
    for (kubelet, version) in kubelets(new, &received) {
        check_kubelet(&kubelet, Facts { version, ..facts }, findings);
        check_thresholds(&kubelet, [None; 2], findings);
    }
}

/// Gardener's defaults of the lower and upper threshold of image collection, in percent of the disk.
const THRESHOLDS_UNLESS_SAID: [f64; 2] = [40.0, 50.0];

fn check_thresholds(kubelet: &Part<'_>, defaults: [Option<f64>; 2], findings: &mut Findings) {
    let [low, high] = ["imageGCLowThresholdPercent", "imageGCHighThresholdPercent"]
        .map(|it| kubelet.number_at(&[it]));
    if let (Some(low), Some(high)) = (low.or(defaults[0]), high.or(defaults[1]))
        && low >= high
    {
        let message = format!("images are collected down to {low}%, beginning at {high}%");
        let field = kubelet.path().child("imageGCLowThresholdPercent");
        findings.forbid(&THRESHOLDS, field, message).help("lower it");
    }
}

fn check_kubelet(kubelet: &Part<'_>, facts: Facts<'_>, findings: &mut Findings) {
    check_at(SECTION, kubelet, facts, findings);
    let path = kubelet.path();
    let one_by_one = kubelet.flag_at(&["serializeImagePulls"]) == Some(true);
    if kubelet.number_at(&["maxParallelImagePulls"]).is_some_and(|it| it > 1.0) && one_by_one {
        let message = "images are pulled one by one, and several at a time";
        let field = path.child("maxParallelImagePulls");
        findings.forbid(&PULLS, field, message).help(
            Help::set("set `serializeImagePulls: false`", false).at("../serializeImagePulls"),
        );
    }
    check_swap(kubelet, findings);
    check_verification(kubelet, findings);
}

fn check_swap(kubelet: &Part<'_>, findings: &mut Findings) {
    let Some(swap) = kubelet.at(&["memorySwap"]) else {
        return;
    };
    if kubelet.flag_at(&["failSwapOn"]) != Some(false) {
        let message = "swap is configured, but the kubelet fails where there is swap";
        findings
            .forbid(&SWAP, swap.path().clone(), message)
            .help(Help::set("set `failSwapOn: false`", false).at("../failSwapOn"));
    }
    let gate = kubelet.flag_at(&["featureGates", "NodeSwap"]);
    if swap.at(&["swapBehavior"]).is_some() && gate != Some(true) {
        let message = "swap is configured, but feature gate `NodeSwap` is not on";
        findings.forbid(&SWAP, swap.path().clone(), message).help(
            Help::set("set `featureGates: {NodeSwap: true}`", true).at("../featureGates/NodeSwap"),
        );
    }
}

fn check_verification(kubelet: &Part<'_>, findings: &mut Findings) {
    let policy = kubelet.at(&["imagePullCredentialsVerificationPolicy"]);
    let gate = kubelet.flag_at(&["featureGates", "KubeletEnsureSecretPulledImages"]);
    if let Some(policy) = policy.as_ref().filter(|_| gate == Some(false)) {
        let message = "credentials of images are verified, but feature gate `KubeletEnsureSecretPulledImages` is off";
        findings.forbid(&UNFITTING, policy.path().clone(), message).help("remove one of both");
    }
    let Some(list) = kubelet.at(&["preloadedImagesVerificationAllowlist"]) else {
        return;
    };
    if policy.and_then(|it| it.text()).as_deref() != Some("NeverVerifyAllowlistedImages") {
        let message = "images are listed, but the policy does not read the list";
        findings.forbid(&ALLOWLIST, list.path().clone(), message).help(
            Help::set(
                "set `imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages`",
                "NeverVerifyAllowlistedImages",
            )
            .at("../imagePullCredentialsVerificationPolicy"),
        );
        return;
    }
    for image in list.items() {
        let name = image.text().unwrap_or_default();
        if !is_pattern(&name) {
            let message = format!(
                "`{name}` is no image without tag and digest, and no pattern that ends with `/*`"
            );
            findings
                .invalid(&MALFORMED, image.path().clone(), message)
                .help("write it like `example.com/image` or `example.com/*`");
        }
    }
}

/// Reports whether the pattern is an image without tag and digest, or a path followed by `/*`.
fn is_pattern(image: &str) -> bool {
    let (name, is_wild) = match image.strip_suffix("/*") {
        Some(name) => (name, true),
        None => (image, false),
    };
    let last = name.rsplit('/').next().unwrap_or_default();
    let is_tagged = last.contains(':') && !is_wild || name.contains('@');
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"./-_:[]".contains(&b);
    let is_image =
        is_wild || name.split('/').all(|it| !it.is_empty()) && name.bytes().all(is_plain);
    name.trim() == name && !name.is_empty() && !name.contains('*') && !is_tagged && is_image
}
