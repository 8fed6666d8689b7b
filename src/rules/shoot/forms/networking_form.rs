use std::borrow::Cow;

use crate::compat::{Network, Tree as _};
use crate::engine::ErrorType::{Forbidden, Invalid};
use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{Networking, Shoot};
use crate::rules::form::{
    MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, UNFITTING, UNSUPPORTED,
    check as check_form, say,
};
use crate::rules::shoot::forms::{pools, received};

rule! {
    /// ## What it checks
    /// A Shoot with workers has a network type; ranges are written as `10.0.0.0/16`, begin at their first address, and are of the Shoot's address
    /// family; families are `IPv4` and `IPv6`, each once. The range that each node gets for its pods (`nodeCIDRMaskSize`) has a sensible size and
    /// room for `maxPods` pods. A Shoot without workers has neither network type nor ranges of pods and nodes.
    ///
    /// ## Why
    /// Networks cannot be changed later.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, in `garden-gate review`: an API server has refused the request before it asks a webhook. Whether ranges overlap
    /// is for `shoot/networks-vs-seed`.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   networking:
    ///     type: calico
    ///     pods: 100.96.0.1/11   # 100.96.0.0/11
    /// ```
    ///
    /// ## How to fix
    /// Write the range as the message says.
    ///
    /// ## Gardener
    /// `validateNetworking`, `ValidateIPFamilies`, `ValidateKubeControllerManager` and `ValidateNodeCIDRMaskWithMaxPod` in
    /// `pkg/api/core/validation`, by static validation (422).
    id: "shoot/networking-form",
    summary: "network type, ranges and address families of a Shoot",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, UNFITTING, UNSUPPORTED,
        FAMILY = "shoot/range-of-other-family": "a range is not of the address family of the Shoot",
        CANONICAL = "shoot/range-not-canonical": "a range does not begin at its first address",
        PODS = "shoot/too-few-addresses-per-node": "a node has fewer addresses than it may have pods",
    },
    check: Judge(check),
}

const SECTION: Section = Section {
    kind: "Shoot",
    at: &["spec", "networking"],
    except: &[],
};

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, received, facts)) = received(context, shoot) else {
        return;
    };
    let mut object = Cow::Borrowed(context.new_opened());
    if object.opened_at(SECTION.at).is_null()
        && let Some(spec) = object.to_mut().at(&["spec"]).and_then(|it| it.fields())
    {
        spec.entry("networking").complete(&serde_json::json!({}));
    }
    check_form(SECTION, &object, facts, findings);
    let networking = new.networking();
    for field in ["nodes", "pods", "services"] {
        if let Some(range) = received.at(&["spec", "networking", field]) {
            check_range(&range, &networking, findings);
        }
    }
    if !facts.workerless {
        check_masks(&received, &networking, findings);
        check_max_pods(&received, &networking, findings);
    }
}

fn check_range(range: &Part<'_>, networking: &Networking, findings: &mut Findings) {
    let text = range.text().unwrap_or_default();
    let Some(network) = Network::read(&text) else {
        return;
    };
    let family = if network.is_ipv6() { "IPv6" } else { "IPv4" };
    if networking.ip_families.len() < 2 && !networking.has(family) {
        let message = format!("`{text}` is a range of {family}, which the Shoot does not use");
        let help = "write a range of the Shoot's family, or add the family to `ipFamilies`";
        say(
            findings,
            (&FAMILY, Invalid),
            range.path().clone(),
            message,
            help,
        );
    }
    if !network.is_canonical() {
        let message = format!("`{text}` does not begin at the first address of the range");
        let help = format!("write `{network}`");
        say(
            findings,
            (&CANONICAL, Invalid),
            range.path().clone(),
            message,
            &help,
        );
    }
}

/// Between which sizes the range of a node may be: for Shoots of IPv4, and of IPv6.
const MASKS: [(f64, f64); 2] = [(16.0, 28.0), (64.0, 124.0)];

fn check_masks(shoot: &Part<'_>, networking: &Networking, findings: &mut Findings) {
    let Some(manager) = shoot.at(&["spec", "kubernetes", "kubeControllerManager"]) else {
        return;
    };
    let [one, six] = ["nodeCIDRMaskSize", "nodeCIDRMaskSizeIPv6"].map(|field| manager.at(&[field]));
    let (v4, v6) = (networking.has("IPv4"), networking.has("IPv6"));
    if let Some(one) = &one {
        if v6 && !v4 && six.is_some() {
            let message = "a Shoot of IPv6 has one size of nodes' ranges";
            say(
                findings,
                (&UNFITTING, Forbidden),
                one.path().clone(),
                message,
                "remove one of both",
            );
        }
        if v4 != v6 {
            check_mask(one, MASKS[usize::from(v6)], findings);
        }
    }
    let Some(six) = &six else { return };
    if v6 {
        check_mask(six, MASKS[1], findings);
    } else {
        let message = "a Shoot of IPv4 has no size of nodes' ranges of IPv6";
        say(
            findings,
            (&UNFITTING, Forbidden),
            six.path().clone(),
            message,
            "remove it",
        );
    }
}

fn check_mask(mask: &Part<'_>, (least, most): (f64, f64), findings: &mut Findings) {
    if mask.number().is_some_and(|it| it < least || it > most) {
        let message = format!("the size of a node's range is not between {least} and {most}");
        let help = "choose a size in between, or leave it out";
        say(
            findings,
            (&OUT_OF_RANGE, Invalid),
            mask.path().clone(),
            message,
            help,
        );
    }
}

/// What a kubelet runs unless told otherwise.
const PODS_OF_A_NODE: f64 = 110.0;

fn check_max_pods(shoot: &Part<'_>, networking: &Networking, findings: &mut Findings) {
    let manager = [
        "spec",
        "kubernetes",
        "kubeControllerManager",
        "nodeCIDRMaskSize",
    ];
    let own = shoot.number_at(&["spec", "kubernetes", "kubelet", "maxPods"]);
    let pools = pools(shoot);
    let pools = pools
        .iter()
        .filter_map(|it| it.number_at(&["kubernetes", "kubelet", "maxPods"]));
    let most = own.into_iter().chain(pools).reduce(f64::max);
    let most = most.filter(|it| *it != 0.0).unwrap_or(PODS_OF_A_NODE);
    // The size that the API server chooses is out of all bounds for negative numbers.
    if most < 0.0 && shoot.at(&manager).is_none() && networking.has("IPv4") {
        let message = format!("no size of a node's range fits {most} pods");
        let field = FieldPath::new("spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize");
        say(
            findings,
            (&OUT_OF_RANGE, Invalid),
            field,
            message,
            "correct `maxPods`",
        );
    }
    let Some(mask) = shoot.number_at(&manager) else {
        return;
    };
    let bits = if networking.has("IPv4") { 32.0 } else { 128.0 };
    let addresses = (bits - mask).exp2() - 2.0;
    if most > addresses {
        let message = format!("a node has {addresses} addresses for {most} pods");
        let field = FieldPath::new("spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize");
        let help = "lower `maxPods`, or `nodeCIDRMaskSize` of a new Shoot";
        say(findings, (&PODS, Invalid), field, message, help);
    }
}
