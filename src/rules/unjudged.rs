//! What of an object nobody judges here, so that "allowed" does not promise it.

use serde::Serialize;

use super::form::Part;
use crate::compat::Json;
use crate::engine::{FieldPath, Operation, Request};
use crate::garden::Snapshot;
use crate::model::Kind;

/// A part of an object that is not judged.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Unjudged {
    /// Where it is, as a JSON pointer.
    pub pointer: String,
    /// Where it is, as Kubernetes writes it.
    pub field: String,
    /// Who judges it, or what of it is not judged.
    pub why: String,
}

/// What of a Shoot the API server compares with objects or tables that are not looked at here.
const NOT_COMPARED: [(&[&str], &str); 15] = [
    (
        &["spec", "provider", "workers"],
        "whether machine types, volume types and zones are on offer",
    ),
    (&["spec", "resources"], "whether what is referred to exists"),
    (&["spec", "dns", "domain"], "whether the domain is free"),
    (
        &["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"],
        "whether this Kubernetes version has the plugins",
    ),
    (
        &["spec", "kubernetes", "kubeAPIServer", "runtimeConfig"],
        "whether this Kubernetes version has the APIs",
    ),
    (
        &["spec", "dns", "providers"],
        "whether what is referred to exists",
    ),
    (
        &["spec", "kubernetes", "kubeAPIServer", "auditConfig"],
        "whether what is referred to exists",
    ),
    (
        &[
            "spec",
            "kubernetes",
            "kubeAPIServer",
            "structuredAuthentication",
        ],
        "whether what is referred to exists",
    ),
    (
        &[
            "spec",
            "kubernetes",
            "kubeAPIServer",
            "structuredAuthorization",
        ],
        "whether what is referred to exists",
    ),
    (
        &["spec", "kubernetes", "kubeAPIServer", "featureGates"],
        GATES,
    ),
    (
        &[
            "spec",
            "kubernetes",
            "kubeControllerManager",
            "featureGates",
        ],
        GATES,
    ),
    (
        &["spec", "kubernetes", "kubeScheduler", "featureGates"],
        GATES,
    ),
    (&["spec", "kubernetes", "kubeProxy", "featureGates"], GATES),
    (&["spec", "kubernetes", "kubelet", "featureGates"], GATES),
    (
        &[
            "spec",
            "kubernetes",
            "verticalPodAutoscaler",
            "featureGates",
        ],
        GATES,
    ),
];

const GATES: &str = "whether this Kubernetes version has the gates";

/// Kinds whose fields are only held against their types, with where those are that may be wrong in another way.
const FORMS: [(Kind, &[&str]); 5] = [
    (Kind::Seed, &["spec"]),
    (Kind::Quota, &["spec"]),
    (Kind::ExposureClass, &["handler", "scheduling"]),
    (Kind::SecretBinding, &["provider", "secretRef", "quotas"]),
    (
        Kind::CredentialsBinding,
        &["provider", "credentialsRef", "quotas"],
    ),
];

/// What of a Shoot is compared with objects of a kind only in a garden that has some; and what is not judged without them, and with.
const COMPARED: [(Kind, &[&str], &str, &str); 3] = [
    (
        Kind::CredentialsBinding,
        &["spec", "credentialsBindingName"],
        "whether the binding exists, fits and has quota left",
        "whether the binding has quota left",
    ),
    (
        Kind::SecretBinding,
        &["spec", "secretBindingName"],
        "whether the binding exists, fits and has quota left",
        "whether the binding has quota left",
    ),
    (
        Kind::ControllerRegistration,
        &["spec", "extensions"],
        "whether the extensions are registered",
        "",
    ),
];

/// What of the new object of a request is not judged in this garden; only what is present in it, and nothing on DELETE.
#[must_use]
pub fn unjudged(request: &Request<'_>, garden: &Snapshot) -> Vec<Unjudged> {
    let writes = matches!(request.operation, Operation::Create | Operation::Update);
    if !writes || request.object.is_none() {
        return Vec::new();
    }
    let resource = &request.resource;
    let kind = Kind::of_resource(&resource.group, &resource.version, &resource.resource);
    let json = Json::received(request.object).opened();
    let object = Part::whole(&json);
    match request.sub_resource.as_str() {
        "" => {}
        "status" => return of_status(&object),
        _ => return Vec::new(),
    }
    match kind {
        Some(Kind::Shoot) => of_shoot(&object, garden),
        Some(Kind::CloudProfile | Kind::NamespacedCloudProfile) => of_profile(&object),
        Some(Kind::Project) => {
            let mut all = Vec::new();
            let why = "whether the namespace is that of another Project";
            note(object.at(&["spec", "namespace"]), why, &mut all);
            all
        }
        Some(kind) => of_form(kind, &object),
        None => Vec::new(),
    }
}

fn of_status(object: &Part<'_>) -> Vec<Unjudged> {
    let mut all = Vec::new();
    let why = "whether what is reported is well-formed";
    note(object.at(&["status"]), why, &mut all);
    all
}

fn of_form(kind: Kind, object: &Part<'_>) -> Vec<Unjudged> {
    let mut all = Vec::new();
    let fields = FORMS.iter().filter(|(of, _)| *of == kind);
    for field in fields.flat_map(|(_, fields)| *fields) {
        let why = "whether values are well-formed, and what is referred to exists";
        note(object.at(&[field]), why, &mut all);
    }
    all
}

fn of_shoot(shoot: &Part<'_>, garden: &Snapshot) -> Vec<Unjudged> {
    let provider = format!(
        "judged by admission-{}, not here",
        shoot.text_at(&["spec", "provider", "type"])
    );
    let network = shoot.text_at(&["spec", "networking", "type"]);
    let network = format!("judged by the network extension {network}, not here");
    let mut all = Vec::new();
    for config in ["infrastructureConfig", "controlPlaneConfig"] {
        note(shoot.at(&["spec", "provider", config]), &provider, &mut all);
    }
    for pool in parts(shoot, &["spec", "provider", "workers"]) {
        note(pool.at(&["providerConfig"]), &provider, &mut all);
        note(
            pool.at(&["kubernetes", "kubelet", "featureGates"]),
            GATES,
            &mut all,
        );
        let image = pool.at(&["machine", "image", "providerConfig"]);
        let system = pool.text_at(&["machine", "image", "name"]);
        let system = format!("judged by the extension of {system}, not here");
        note(image, &system, &mut all);
    }
    note(
        shoot.at(&["spec", "networking", "providerConfig"]),
        &network,
        &mut all,
    );
    for extension in parts(shoot, &["spec", "extensions"]) {
        let kind = extension.text_at(&["type"]);
        let who = format!("judged by extension {kind}, not here");
        note(extension.at(&["providerConfig"]), &who, &mut all);
    }
    let compared = COMPARED.map(|(kind, path, without, with)| {
        let why = if garden.tells_of(kind) { with } else { without };
        (path, why)
    });
    // In the order of the fields, as far as there is one.
    let (pools, others) = NOT_COMPARED.split_at(1);
    for (path, why) in pools.iter().chain(&compared).chain(others) {
        if !why.is_empty() {
            note(shoot.at(path), why, &mut all);
        }
    }
    all
}

fn of_profile(profile: &Part<'_>) -> Vec<Unjudged> {
    let mut all = Vec::new();
    let kind = profile.text_at(&["spec", "type"]);
    let why = match kind.as_str() {
        "" => "judged by the extension of the provider, not here".to_owned(),
        kind => format!("judged by admission-{kind}, not here"),
    };
    note(profile.at(&["spec", "providerConfig"]), &why, &mut all);
    let why = "whether the capabilities are well-formed";
    note(profile.at(&["spec", "machineCapabilities"]), why, &mut all);
    all
}

fn parts<'a>(object: &Part<'a>, path: &[&str]) -> Vec<Part<'a>> {
    object.at(path).map(|it| it.items()).unwrap_or_default()
}

fn note(part: Option<Part<'_>>, why: &str, all: &mut Vec<Unjudged>) {
    let Some(part) = part.filter(|it| !it.is_empty()) else {
        return;
    };
    let path: &FieldPath = part.path();
    all.push(Unjudged {
        pointer: path.pointer(),
        field: path.to_string(),
        why: why.to_owned(),
    });
}
