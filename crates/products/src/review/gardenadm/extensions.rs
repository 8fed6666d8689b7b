// SPDX-License-Identifier: Apache-2.0
//! The extensions that `gardenadm` installs for a self-hosted Shoot.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::documents::of_kind;
use crate::review::subject::{DirectoryProblem, Subject};
use garden_gate_core::admission::{ErrorType, FieldPath, Kind};
use garden_gate_core::rules::gardenadm::{DEPLOYMENT, EXTENSION_MISSING};

/// The kind of `spec.extensions`, which a ControllerRegistration may enable for all Shoots.
const EXTENSION: &str = "Extension";
/// Kinds that are only required if Gardener manages the machines.
const INFRASTRUCTURE: [&str; 3] = ["Infrastructure", "Worker", "DNSRecord"];

/// The ControllerRegistration and the ControllerDeployment of an Extension.
pub(super) struct Derived {
    registration: Value,
    deployment: Value,
}

impl Derived {
    pub(super) fn objects(&self) -> [(Kind, &Value); 2] {
        [
            (Kind::ControllerRegistration, &self.registration),
            (Kind::ControllerDeployment, &self.deployment),
        ]
    }
}

/// A type that the Shoot uses, with the kinds of its resources and the field that requires it.
struct Used {
    kinds: &'static [&'static str],
    class: String,
    field: FieldPath,
}

/// Returns the index of the first worker pool that runs the control plane.
pub(super) fn control_plane_pool(shoot: &Value) -> Option<usize> {
    let is_own = |pool: &Value| pool.get("controlPlane").is_some_and(|it| !it.is_null());
    pools(shoot).iter().position(is_own)
}

/// Returns the ControllerRegistrations and ControllerDeployments of Extensions.
///
/// Mirrors ControllerRegistrationForExtension in `pkg/utils/gardener/operator/extension.go`.
pub(super) fn derived(subjects: &[Subject]) -> Vec<Derived> {
    let extensions = subjects.iter().filter_map(|it| Some((it.key()?, it)));
    let extensions = extensions.filter(|(key, _)| key.kind == Kind::Extension);
    let derived = extensions.filter_map(|(key, subject)| {
        let extension = subject.content()?;
        let deployment = &extension["spec"]["deployment"]["extension"];
        let metadata = json!({"name": key.name});
        Some(Derived {
            registration: json!({
                "apiVersion": "core.gardener.cloud/v1beta1",
                "kind": "ControllerRegistration",
                "metadata": metadata,
                "spec": {
                    "resources": resources(&extension),
                    "deployment": {
                        "policy": deployment["policy"],
                        "deploymentRefs": [{"name": key.name}],
                    },
                },
            }),
            deployment: json!({
                "apiVersion": "core.gardener.cloud/v1",
                "kind": "ControllerDeployment",
                "metadata": metadata,
                "helm": {"ociRepository": deployment["helm"]["ociRepository"]},
            }),
        })
    });
    derived.collect()
}

/// Checks that the extensions of the first Shoot are registered, and that those that are installed have a deployment.
///
/// Unless `is_complete`, further objects may exist.
/// Mirrors ComputeExtensions in `pkg/gardenadm/botanist/extensions.go`.
pub(super) fn check(subjects: &mut [Subject], derived: &[Derived], is_complete: bool) {
    let contents = |kind: Kind| {
        let own = subjects.iter().filter(move |it| it.key().is_some_and(|it| it.kind == kind));
        own.filter_map(Subject::content)
    };
    let registrations: Vec<Value> = contents(Kind::ControllerRegistration)
        .chain(derived.iter().map(|it| it.registration.clone()))
        .collect();
    let deployments =
        contents(Kind::ControllerDeployment).chain(derived.iter().map(|it| it.deployment.clone()));
    let deployments: BTreeSet<String> = deployments.map(|it| name(&it)).collect();
    let Some(shoot) = contents(Kind::Shoot).next() else {
        return;
    };
    let used = used(&shoot);
    let installed = installed(&shoot, &used, &registrations);
    for subject in of_kind(subjects, Kind::ControllerRegistration) {
        if let Some(registration) = subject.content()
            && installed.contains(&name(&registration))
            && let Some(problem) = deployment_problem(&registration, &deployments, is_complete)
        {
            subject.add_problem(problem);
        }
    }
    for subject in of_kind(subjects, Kind::Extension) {
        let extension = subject.content();
        if let Some(problem) = extension.and_then(|it| helm_problem(&it)) {
            subject.add_problem(problem);
        }
    }
    if is_complete && let Some(subject) = of_kind(subjects, Kind::Shoot).next() {
        for problem in missing(&used, &registrations) {
            subject.add_problem(problem);
        }
    }
}

/// Returns the types that a Shoot uses.
///
/// Mirrors ComputeRequiredExtensionsForShoot in `pkg/utils/gardener/shoot.go`.
fn used(shoot: &Value) -> Vec<Used> {
    let spec = &shoot["spec"];
    let provider = &spec["provider"]["type"];
    let mut used = Vec::new();
    let mut add = |kinds, class: &Value, field: FieldPath| {
        if let Some(class) = class.as_str().filter(|it| !it.is_empty()) {
            used.push(Used { kinds, class: class.to_owned(), field });
        }
    };
    if !pools(shoot).is_empty() {
        let field = FieldPath::new("spec.provider.type");
        add(&["ControlPlane", "Infrastructure", "Worker"], provider, field);
        let network = &spec["networking"]["type"];
        add(&["Network"], network, FieldPath::new("spec.networking.type"));
    }
    let own = control_plane_pool(shoot);
    for (index, pool) in pools(shoot).iter().enumerate() {
        let path = FieldPath::new("spec.provider.workers").index(index);
        let image = path.descendant("machine.image.name");
        add(&["OperatingSystemConfig"], &pool["machine"]["image"]["name"], image);
        for (number, runtime) in list(&pool["cri"]["containerRuntimes"]).iter().enumerate() {
            let field = path.descendant("cri.containerRuntimes").index(number).child("type");
            add(&["ContainerRuntime"], &runtime["type"], field);
        }
        let control_plane = &pool["controlPlane"];
        let exposure = &control_plane["exposure"]["extension"];
        if exposure.is_object() {
            let class = Some(&exposure["type"]).filter(|it| it.is_string()).unwrap_or(provider);
            let field = path.descendant("controlPlane.exposure.extension");
            add(&["SelfHostedShootExposure"], class, field);
        }
        if own == Some(index) {
            let field = path.descendant("controlPlane.backup.provider");
            let backup = &control_plane["backup"]["provider"];
            add(&["BackupBucket", "BackupEntry"], backup, field);
        }
    }
    for (index, provider) in list(&spec["dns"]["providers"]).iter().enumerate() {
        let is_main = provider["primary"] == json!(true) && provider["type"] != json!("unmanaged");
        if is_main {
            let field = FieldPath::new("spec.dns.providers").index(index).child("type");
            add(&["DNSRecord"], &provider["type"], field);
        }
    }
    for (index, extension) in list(&spec["extensions"]).iter().enumerate() {
        if extension["disabled"] != json!(true) {
            let field = FieldPath::new("spec.extensions").index(index).child("type");
            add(&[EXTENSION], &extension["type"], field);
        }
    }
    let is_bound = |field: &str| spec.get(field).is_some_and(|it| !it.is_null());
    if !is_bound("credentialsBindingName") && !is_bound("secretBindingName") {
        used.retain(|it| it.kinds.iter().any(|kind| !INFRASTRUCTURE.contains(kind)));
        for it in &mut used {
            if it.kinds.len() > 1 && it.kinds.contains(&INFRASTRUCTURE[0]) {
                it.kinds = &["ControlPlane"];
            }
        }
    }
    used
}

/// Returns the names of ControllerRegistrations whose extensions `gardenadm` installs.
fn installed(shoot: &Value, used: &[Used], registrations: &[Value]) -> BTreeSet<String> {
    let extensions = list(&shoot["spec"]["extensions"]).iter();
    let disabled = extensions.filter(|it| it["disabled"] == json!(true));
    let disabled: Vec<&Value> = disabled.map(|it| &it["type"]).collect();
    let is_used = |resource: &Value| {
        let (kind, class) = (resource["kind"].as_str(), resource["type"].as_str());
        let mut used = used.iter();
        used.any(|it| {
            Some(it.class.as_str()) == class && it.kinds.iter().any(|it| Some(*it) == kind)
        })
    };
    let is_automatic = |resource: &Value| {
        resource["kind"] == json!(EXTENSION)
            && list(&resource["autoEnable"]).contains(&json!("shoot"))
            && !disabled.contains(&&resource["type"])
    };
    let is_installed = |registration: &&Value| {
        registration["spec"]["deployment"]["policy"] == json!("Always")
            || resources(registration).iter().any(|it| is_used(it) || is_automatic(it))
    };
    registrations.iter().filter(is_installed).map(name).collect()
}

/// Returns a problem for each type and kind that no ControllerRegistration supports.
fn missing(used: &[Used], registrations: &[Value]) -> Vec<DirectoryProblem> {
    let mut registered: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for resource in registrations.iter().flat_map(resources) {
        if let (Some(kind), Some(class)) = (resource["kind"].as_str(), resource["type"].as_str()) {
            registered.entry(kind.to_owned()).or_default().insert(class.to_owned());
        }
    }
    let pairs = used.iter().flat_map(|it| it.kinds.iter().map(move |kind| (*kind, it)));
    let mut known = BTreeSet::new();
    let missing = pairs.filter(|(kind, it)| {
        let is_registered = registered.get(*kind).is_some_and(|all| all.contains(&it.class));
        !is_registered && known.insert((*kind, it.class.clone()))
    });
    let problems = missing.map(|(kind, it)| DirectoryProblem {
        kind: &EXTENSION_MISSING,
        error: ErrorType::NotFound,
        field: it.field.clone(),
        message: format!(
            "the directory has no ControllerRegistration or Extension for {kind} `{}`",
            it.class
        ),
        help: "add the Extension, or the ControllerRegistration with its ControllerDeployment"
            .to_owned(),
    });
    problems.collect()
}

/// Returns the problem of a ControllerRegistration without exactly one ControllerDeployment.
fn deployment_problem(
    registration: &Value,
    deployments: &BTreeSet<String>,
    is_complete: bool,
) -> Option<DirectoryProblem> {
    let path = FieldPath::new("spec.deployment.deploymentRefs");
    let problem = |error, field, message| DirectoryProblem {
        kind: &DEPLOYMENT,
        error,
        field,
        message,
        help: "name the ControllerDeployment of the extension, and add it to the directory"
            .to_owned(),
    };
    let references = list(&registration["spec"]["deployment"]["deploymentRefs"]);
    let [reference] = references else {
        let message = format!(
            "gardenadm needs exactly one ControllerDeployment for a required extension, and there are {}",
            references.len()
        );
        return Some(problem(ErrorType::Invalid, path, message));
    };
    let name = reference["name"].as_str().unwrap_or_default();
    (is_complete && !deployments.contains(name)).then(|| {
        let message = format!("the directory has no ControllerDeployment `{name}`");
        problem(ErrorType::NotFound, path.index(0).child("name"), message)
    })
}

/// Returns the problem of an Extension without a Helm chart, with which `gardenadm` panics.
fn helm_problem(extension: &Value) -> Option<DirectoryProblem> {
    let helm = &extension["spec"]["deployment"]["extension"]["helm"];
    (!helm.is_object()).then(|| DirectoryProblem {
        kind: &DEPLOYMENT,
        error: ErrorType::Required,
        field: FieldPath::new("spec.deployment.extension.helm"),
        message: "gardenadm panics on an Extension without a Helm chart".to_owned(),
        help: "set `ociRepository` in it, or remove the Extension".to_owned(),
    })
}

fn pools(shoot: &Value) -> &[Value] {
    list(&shoot["spec"]["provider"]["workers"])
}

fn resources(object: &Value) -> &[Value] {
    list(&object["spec"]["resources"])
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn name(object: &Value) -> String {
    object["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}
