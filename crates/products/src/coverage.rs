// SPDX-License-Identifier: Apache-2.0
//! Parts of an object that are not judged, so that "allowed" makes no promise about them.

pub mod landscape;

use std::cell::OnceCell;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use garden_gate_core::admission::{ExtensionUse, FieldPath, Operation, Request, Resource};
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::{JudgedConfiguration, UnjudgedPolicy};
use garden_gate_core::rules::Part;
use garden_gate_core::rules::has_own_rule;
use garden_gate_core::rules::{AUDIT_POLICY, AUTHENTICATION, AUTHORIZATION, Purpose};
use garden_gate_core::rules::{Referred, referred};
use garden_gate_model::api::extensions::{Configuration, ConfigurationPlace, Extension};
use garden_gate_model::api::{
    CloudProfile, Definition, GARDEN_NAMESPACE, GardenerVersion, Kind, ObjectKey,
};

/// A part of an object that is not judged.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Unjudged {
    /// The position, as a JSON pointer.
    pub pointer: String,
    /// The field, as Kubernetes writes it.
    pub field: String,
    /// The component that checks it, or the aspect that is not checked.
    pub why: String,
}

impl From<UnjudgedPolicy> for Unjudged {
    fn from(policy: UnjudgedPolicy) -> Self {
        Self { pointer: String::new(), field: policy.title, why: policy.why }
    }
}

/// A part that is not judged in any object of the kind that has it.
struct UnjudgedField {
    kind: Kind,
    /// The path of the part; [`EACH`] matches every item of a list.
    path: &'static [&'static str],
    why: UnjudgedReason,
}

enum UnjudgedReason {
    /// The aspect that is not judged.
    Not(&'static str),
    /// The component that judges the part.
    ///
    /// Its name contains the value at a path in the list item, or else in the object.
    By(&'static str, &'static [&'static str]),
    /// The component that judges the configuration of an extension at a place, as for [`Self::By`].
    ///
    /// Rules judge the configurations of known extensions, all or their fields and types.
    Configuration(ConfigurationPlace, &'static str, &'static [&'static str]),
    /// The aspect that is not judged in a garden without objects of a kind.
    Compared(Kind, &'static str),
    /// The binding of a kind that a Shoot names.
    ///
    /// It is not judged in a garden without such bindings, or without the Quotas that the binding names.
    Binding(Kind),
    /// The existence of referenced objects, unless the garden knows it.
    Referred,
    /// The configuration of the API server in a ConfigMap that the garden does not know.
    ///
    /// Of a known one, the types of its CEL expressions are not judged.
    ServerConfiguration(&'static Purpose),
    /// The availability of managed issuers, if the Shoot has one and the garden does not know.
    Issuer,
    /// Whether a Shoot in the namespace of managed seeds is a seed.
    ///
    /// It is not judged in a garden without any ManagedSeed.
    Seed,
    /// The aspect that is not judged unless all objects of a kind are known.
    ComparedWithAll(Kind, &'static str),
    /// The differences to the CustomResourceDefinition of another Gardener than the known one.
    Definition,
}

const EACH: &str = "[]";
/// Placeholder for the name of a component.
const NAME: &str = "{}";

const PROVIDER: &[&str] = &["spec", "provider", "type"];
const MANAGED_ISSUER: &[&str] =
    &["metadata", "annotations", "authentication.gardener.cloud/issuer"];
const BINDING: &str = "whether the binding exists, fits and has quota left";
const QUOTA: &str = "whether the binding has quota left";
const SECRET: UnjudgedReason =
    UnjudgedReason::Not("whether the provider's extension accepts what is in the credentials");
const OF_SHOOTS: &str = "whether it is the provider of the Shoots that name the binding";
const QUOTAS: &str = "whether the Quotas exist";
const NAMESPACE: &str = "whether the Namespace exists";
const VOLUMES: &str = "the fields of rare sources of volumes";
const OFFERED: &str = "whether the landscape offers managed issuers";
const WEBHOOK: &str = "run by the API server, not here";
const CONTROLLER: &str = "gardener-admission-controller";
const EXPRESSIONS: &str =
    "the types in its CEL expressions are judged by gardener-admission-controller, not here";
const OWN_ISSUER: &str = "whether one of its issuers is the managed issuer of the Shoot";
const OPERATOR: &str = "the webhook of gardener-operator";
const SEED: &str = "whether the Shoot is a seed, which has to stay with its zones and nodes";

const fn configuration(
    place: ConfigurationPlace,
    component: &'static str,
    class: &'static [&'static str],
) -> UnjudgedReason {
    UnjudgedReason::Configuration(place, component, class)
}

const fn open(kind: Kind, path: &'static [&'static str], why: UnjudgedReason) -> UnjudgedField {
    UnjudgedField { kind, path, why }
}

#[rustfmt::skip]
const LEFT_OPEN: &[UnjudgedField] = &[
    open(Kind::Shoot, &["spec", "provider", "infrastructureConfig"], configuration(ConfigurationPlace::Infrastructure, "admission-{}", PROVIDER)),
    open(Kind::Shoot, &["spec", "provider", "controlPlaneConfig"], configuration(ConfigurationPlace::ControlPlane, "admission-{}", PROVIDER)),
    open(Kind::Shoot, &["spec", "provider", "workers", EACH, "providerConfig"], configuration(ConfigurationPlace::Worker, "admission-{}", PROVIDER)),
    open(Kind::Shoot, &["spec", "provider", "workers", EACH, "machine", "image", "providerConfig"], configuration(ConfigurationPlace::MachineImage, "the extension of {}", &["machine", "image", "name"])),
    open(Kind::Shoot, &["spec", "networking", "providerConfig"], configuration(ConfigurationPlace::Network, "the network extension {}", &["spec", "networking", "type"])),
    open(Kind::Shoot, &["spec", "extensions", EACH, "providerConfig"], configuration(ConfigurationPlace::Extension, "extension {}", &["type"])),
    open(Kind::Shoot, &["spec", "credentialsBindingName"], UnjudgedReason::Binding(Kind::CredentialsBinding)),
    open(Kind::Shoot, &["spec", "secretBindingName"], UnjudgedReason::Binding(Kind::SecretBinding)),
    open(Kind::Shoot, &["spec", "extensions"], UnjudgedReason::Compared(Kind::ControllerRegistration, "whether the extensions are registered")),
    open(Kind::Shoot, &["spec", "resources"], UnjudgedReason::Referred),
    open(Kind::Shoot, &["spec", "dns", "domain"], UnjudgedReason::ComparedWithAll(Kind::Shoot, "whether the domain is free")),
    open(Kind::Shoot, &["spec", "dns", "domain"], UnjudgedReason::Compared(Kind::Secret, "whether it is below a default domain")),
    open(Kind::Shoot, &["spec", "dns", "providers"], UnjudgedReason::Referred),
    open(Kind::Shoot, &["spec", "dns", "providers"], SECRET),
    open(Kind::Shoot, &["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"], UnjudgedReason::Referred),
    open(Kind::Shoot, &["spec", "kubernetes", "kubeAPIServer", "structuredAuthentication"], UnjudgedReason::Referred),
    open(Kind::Shoot, &["spec", "kubernetes", "kubeAPIServer", "structuredAuthorization"], UnjudgedReason::Referred),
    open(Kind::Shoot, &["spec", "kubernetes", "kubeAPIServer", "structuredAuthentication"], UnjudgedReason::ServerConfiguration(&AUTHENTICATION)),
    open(Kind::Shoot, &["spec", "kubernetes", "kubeAPIServer", "structuredAuthorization"], UnjudgedReason::ServerConfiguration(&AUTHORIZATION)),
    open(Kind::Shoot, &["spec", "kubernetes", "kubeAPIServer", "auditConfig"], UnjudgedReason::ServerConfiguration(&AUDIT_POLICY)),
    open(Kind::Shoot, &["metadata", "annotations", "authentication.gardener.cloud/issuer"], UnjudgedReason::Issuer),
    open(Kind::Shoot, &["metadata", "namespace"], UnjudgedReason::Seed),
    open(Kind::CloudProfile, &["spec", "providerConfig"], configuration(ConfigurationPlace::CloudProfile, "admission-{}", &["spec", "type"])),
    open(Kind::NamespacedCloudProfile, &["spec", "providerConfig"], configuration(ConfigurationPlace::CloudProfile, "the extension of the provider", &[])),
    open(Kind::Project, &["spec", "namespace"], UnjudgedReason::ComparedWithAll(Kind::Project, "whether the namespace is that of another Project")),
    open(Kind::Seed, &["spec", "provider", "providerConfig"], configuration(ConfigurationPlace::SeedProvider, "admission-{}", PROVIDER)),
    open(Kind::Seed, &["spec", "backup", "providerConfig"], configuration(ConfigurationPlace::Backup, "the extension of {}", &["spec", "backup", "provider"])),
    open(Kind::Seed, &["spec", "ingress", "controller", "providerConfig"], UnjudgedReason::By("the gardenlet", &[])),
    open(Kind::Seed, &["spec", "extensions", EACH, "providerConfig"], configuration(ConfigurationPlace::Extension, "extension {}", &["type"])),
    open(Kind::Seed, &["spec", "extensions"], UnjudgedReason::Compared(Kind::ControllerRegistration, "whether the extensions are registered")),
    open(Kind::Seed, &["spec", "resources"], UnjudgedReason::Referred),
    open(Kind::Garden, &["spec"], UnjudgedReason::By(OPERATOR, &[])),
    open(Kind::Garden, &["spec"], UnjudgedReason::Definition),
    open(Kind::Extension, &["spec"], UnjudgedReason::By(OPERATOR, &[])),
    open(Kind::Extension, &["spec"], UnjudgedReason::Definition),
    open(Kind::SecretBinding, &["provider"], UnjudgedReason::ComparedWithAll(Kind::Shoot, OF_SHOOTS)),
    open(Kind::SecretBinding, &["secretRef"], SECRET),
    open(Kind::SecretBinding, &["secretRef"], UnjudgedReason::Referred),
    open(Kind::SecretBinding, &["quotas"], UnjudgedReason::Compared(Kind::Quota, QUOTAS)),
    open(Kind::CredentialsBinding, &["provider"], UnjudgedReason::ComparedWithAll(Kind::Shoot, OF_SHOOTS)),
    open(Kind::CredentialsBinding, &["credentialsRef"], SECRET),
    open(Kind::CredentialsBinding, &["credentialsRef"], UnjudgedReason::Referred),
    open(Kind::CredentialsBinding, &["quotas"], UnjudgedReason::Compared(Kind::Quota, QUOTAS)),
    open(Kind::BackupBucket, &["spec", "provider", "type"], UnjudgedReason::Compared(Kind::ControllerRegistration, "whether an extension for the provider is registered")),
    open(Kind::BackupBucket, &["spec", "providerConfig"], UnjudgedReason::By("the extension of {}", PROVIDER)),
    open(Kind::BackupBucket, &["spec", "credentialsRef"], UnjudgedReason::Referred),
    open(Kind::BackupBucket, &["spec", "credentialsRef"], SECRET),
    open(Kind::BackupEntry, &["spec", "bucketName"], UnjudgedReason::Compared(Kind::BackupBucket, "whether the BackupBucket exists")),
    open(Kind::BackupEntry, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::ControllerRegistration, &["spec", "resources"], UnjudgedReason::Compared(Kind::ControllerRegistration, "whether another extension is primary for the resources")),
    open(Kind::ControllerRegistration, &["spec", "deployment", "deploymentRefs"], UnjudgedReason::Referred),
    open(Kind::ControllerDeployment, &["helm"], UnjudgedReason::Not("whether the chart exists and accepts its values")),
    open(Kind::ControllerDeployment, &["providerConfig"], UnjudgedReason::Not("whether the chart exists and accepts its values")),
    open(Kind::InternalSecret, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::ShootState, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::WorkloadIdentity, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::WorkloadIdentity, &["spec", "targetSystem", "providerConfig"], UnjudgedReason::By("admission-{}", &["spec", "targetSystem", "type"])),
    open(Kind::Bastion, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::ManagedSeed, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::ManagedSeed, &["metadata", "name"], UnjudgedReason::Compared(Kind::Gardenlet, "whether a Gardenlet has the same name")),
    open(Kind::ManagedSeed, &["spec", "shoot"], UnjudgedReason::Compared(Kind::ManagedSeed, "whether another ManagedSeed has the same Shoot")),
    open(Kind::ManagedSeed, &["spec", "gardenlet", "config", "seedConfig", "spec", "provider", "providerConfig"], UnjudgedReason::By("the extension of {}", &["spec", "gardenlet", "config", "seedConfig", "spec", "provider", "type"])),
    open(Kind::ManagedSeed, &["spec", "gardenlet", "deployment", "additionalVolumes"], UnjudgedReason::Not(VOLUMES)),
    open(Kind::ManagedSeedSet, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::ManagedSeedSet, &["spec", "shootTemplate"], UnjudgedReason::Not("whether the Shoots can be created")),
    open(Kind::ManagedSeedSet, &["spec", "template", "spec", "gardenlet", "deployment", "additionalVolumes"], UnjudgedReason::Not(VOLUMES)),
    open(Kind::Gardenlet, &["metadata", "name"], UnjudgedReason::Compared(Kind::ManagedSeed, "whether a ManagedSeed has the same name")),
    open(Kind::Gardenlet, &["metadata", "namespace"], UnjudgedReason::Compared(Kind::Namespace, NAMESPACE)),
    open(Kind::Gardenlet, &["spec", "deployment", "helm"], UnjudgedReason::Not("whether the chart exists")),
    open(Kind::Gardenlet, &["spec", "deployment", "additionalVolumes"], UnjudgedReason::Not(VOLUMES)),
    open(Kind::Gardenlet, &["spec", "config", "seedConfig", "spec", "provider", "providerConfig"], UnjudgedReason::By("the extension of {}", &["spec", "config", "seedConfig", "spec", "provider", "type"])),
];

/// Returns the parts of a request's new object that are not judged in this garden, and webhooks.
///
/// Includes only parts that the object has; on DELETE there are none. Policies that are not evaluated are results of their evaluation.
pub fn unjudged(request: &Request<'_>, (garden, config): (&Snapshot, &Config)) -> Vec<Unjudged> {
    let mut webhooks = webhooks(request, garden);
    let writes = matches!(request.operation, Operation::Create | Operation::Update);
    if !writes || request.object.is_none() {
        return webhooks;
    }
    let own = OnceCell::new();
    let object = Part::whole(request.parsed_object(&own));
    // Every check of Gardener on a status is also made here.
    let mut all = match (request.sub_resource.as_str(), request.kind()) {
        ("", Some(kind)) => {
            let unknown = unknown(kind, &object, &request.namespace, garden);
            of_kind(kind, &object, &ObjectContext { kind, garden, config, unknown })
        }
        _ => Vec::new(),
    };
    all.append(&mut webhooks);
    all
}

/// Returns the garden's webhooks that the API server calls for a request.
///
/// None for objects of Shoot clusters.
fn webhooks(request: &Request<'_>, garden: &Snapshot) -> Vec<Unjudged> {
    let kind = request.kind().filter(|it| !it.is_outside_garden());
    if kind.is_none() || !request.sub_resource.is_empty() {
        return Vec::new();
    }
    let Resource { group, version, resource } = &request.resource;
    let judged: Vec<&Extension> =
        Extension::all().filter(|it| kind.is_some_and(|kind| is_judged(it, kind))).collect();
    let resource = (group.as_str(), version.as_str(), resource.as_str());
    let titles = garden.webhooks_for(resource, request.operation.as_str(), &judged);
    let unjudged = titles.into_iter().map(|title| Unjudged {
        pointer: String::new(),
        field: title,
        why: WEBHOOK.to_owned(),
    });
    unjudged.collect()
}

/// Reports whether rules or a definition judge what an extension decides about objects of a kind.
fn is_judged(extension: &Extension, kind: Kind) -> bool {
    let definition = extension.definition();
    has_own_rule(extension, kind) || definition.is_some_and(|it| it.kinds.contains(&kind))
}

/// Removes the configurations that definitions of extensions judge from parts that are not judged; some remain in part.
pub(crate) fn without_judged(parts: &mut Vec<Unjudged>, judged: &[JudgedConfiguration]) {
    parts.retain_mut(|part| match judged.iter().find(|it| it.pointer == part.pointer) {
        Some(judged) if judged.not_judged.is_empty() => false,
        Some(judged) => {
            part.why.clone_from(&judged.not_judged);
            true
        }
        None => true,
    });
}

/// The garden as seen from an object.
struct ObjectContext<'a> {
    kind: Kind,
    garden: &'a Snapshot,
    config: &'a Config,
    /// Referenced objects whose existence is unknown, with the reasons.
    unknown: Vec<(Referred, String)>,
}

fn unknown(
    kind: Kind,
    object: &Part<'_>,
    namespace: &str,
    garden: &Snapshot,
) -> Vec<(Referred, String)> {
    let referred = referred(kind, object, namespace).into_iter();
    let unknown = referred.filter_map(|it| {
        let why = garden.named(&it.key).err()?.to_string();
        Some((it, why))
    });
    unknown.collect()
}

fn of_kind(kind: Kind, object: &Part<'_>, seen: &ObjectContext<'_>) -> Vec<Unjudged> {
    let mut all = Vec::new();
    for row in LEFT_OPEN.iter().filter(|row| row.kind == kind) {
        for (item, part) in found(object, row.path) {
            let why = row.why.of(object, (&item, &part), seen);
            if !part.is_empty() && !why.is_empty() {
                all.push(noted(&part, why));
            }
        }
    }
    all
}

/// Returns the values at a path, each with its list item, or else with the object.
fn found<'a>(object: &Part<'a>, path: &[&'static str]) -> Vec<(Part<'a>, Part<'a>)> {
    let each = path.iter().position(|step| *step == EACH);
    let (way, rest) = path.split_at(each.unwrap_or(path.len()));
    let Some(part) = object.at(way) else {
        return Vec::new();
    };
    match rest {
        [] => vec![(object.clone(), part)],
        [_, rest @ ..] => {
            let items = part.items().into_iter();
            items.flat_map(|item| found(&item, rest)).collect()
        }
    }
}

impl UnjudgedReason {
    /// Describes the reason; empty if the part is judged in this garden.
    fn of(
        &self,
        object: &Part<'_>,
        (item, part): (&Part<'_>, &Part<'_>),
        seen: &ObjectContext<'_>,
    ) -> String {
        let garden = seen.garden;
        match self {
            UnjudgedReason::Not(why) => (*why).to_owned(),
            UnjudgedReason::By(component, path) => {
                let whole = [item, object].into_iter();
                let mut names = whole.map(|it| it.text_at(path)).filter(|it| !it.is_empty());
                by(component, names.next().as_deref().unwrap_or("…"))
            }
            UnjudgedReason::Configuration(place, component, path) => {
                let class = [item, object]
                    .into_iter()
                    .map(|it| it.text_at(path))
                    .chain([parent_class(object, garden)])
                    .find(|it| !it.is_empty())
                    .unwrap_or_default();
                match Configuration::at(*place, &class) {
                    Some((extension, _))
                        if ExtensionUse::of(extension, seen.config, garden).is_older_than_known =>
                    {
                        extension.why_older_are_not_judged()
                    }
                    Some((extension, _)) if has_own_rule(extension, seen.kind) => {
                        open_aspect(extension, *place, Some(part)).to_owned()
                    }
                    Some((extension, _)) => values_by(extension),
                    None => by(component, if class.is_empty() { "…" } else { &class }),
                }
            }
            UnjudgedReason::Compared(kind, _) if garden.absence_is_known(*kind) => String::new(),
            UnjudgedReason::Compared(_, without) => (*without).to_owned(),
            UnjudgedReason::Binding(kind) if !garden.absence_is_known(*kind) => BINDING.to_owned(),
            UnjudgedReason::Binding(_) if garden.absence_is_known(Kind::Quota) => String::new(),
            UnjudgedReason::Binding(kind) => {
                let namespace = object.text_at(&["metadata", "namespace"]);
                let name = part.text().unwrap_or_default();
                let key = (namespace.as_str(), name.as_str());
                let why = garden.has_quotas(*kind, key).then_some(QUOTA);
                why.unwrap_or_default().to_owned()
            }
            UnjudgedReason::Issuer => match (part.text().as_deref(), garden.issuer()) {
                (Some("managed"), Err(why)) => format!("{OFFERED}: {why}"),
                _ => String::new(),
            },
            UnjudgedReason::Seed => {
                let is_seed = part.text().as_deref() == Some(GARDEN_NAMESPACE);
                let is_open = is_seed && !garden.absence_is_known(Kind::ManagedSeed);
                if is_open { SEED } else { "" }.to_owned()
            }
            UnjudgedReason::Referred => {
                let place = format!("{}/", part.path().pointer());
                let unknown =
                    seen.unknown.iter().find(|(it, _)| it.field.pointer().starts_with(&place));
                unknown.map_or_else(String::new, |(it, why)| {
                    format!("whether {} exists: {why}", it.key)
                })
            }
            UnjudgedReason::ServerConfiguration(purpose) => {
                server_configuration(purpose, object, garden)
            }
            UnjudgedReason::ComparedWithAll(kind, _) if garden.knows_all(*kind) => String::new(),
            UnjudgedReason::ComparedWithAll(_, why) => (*why).to_owned(),
            UnjudgedReason::Definition => {
                let version = seen.config.gardener_version;
                let other = Definition::of(seen.kind).filter(|it| it.release != version);
                other.map_or_else(String::new, |it| {
                    format!("judged by the definition of Gardener {}, not of {version}", it.release)
                })
            }
        }
    }

    /// Describes the reason for any garden and any names of components.
    fn in_general(&self) -> String {
        match self {
            UnjudgedReason::Not(why) => (*why).to_owned(),
            UnjudgedReason::By(component, _) => by(component, "…"),
            UnjudgedReason::Configuration(_, component, _) => {
                format!("{}, unless it is of a known extension", by(component, "…"))
            }
            UnjudgedReason::Compared(kind, without) => format!("{without}, in a garden without any {kind}"),
            UnjudgedReason::Binding(kind) => {
                format!(
                    "{BINDING}, in a garden without any {kind}; {QUOTA}, in one without any Quota"
                )
            }
            UnjudgedReason::Issuer => {
                format!("{OFFERED}, unless the garden tells of Secrets of the namespace `garden`")
            }
            UnjudgedReason::Seed => format!("{SEED}, in a garden without any ManagedSeed, if the namespace is `garden`"),
            UnjudgedReason::Referred => {
                "whether what is referred to exists, unless the garden tells of such objects of the namespace".to_owned()
            }
            UnjudgedReason::ServerConfiguration(purpose) => {
                let name = purpose.name;
                let issuer = if purpose.is_about_issuers() { format!(". {OWN_ISSUER}, if it has one") } else { String::new() };
                format!("whether {CONTROLLER} accepts the {name}, unless the garden has the ConfigMap. With it: {EXPRESSIONS}{issuer}")
            }
            UnjudgedReason::Definition => format!(
                "judged by the definition of Gardener {}, if the landscape runs another version",
                GardenerVersion::NEWEST
            ),
            UnjudgedReason::ComparedWithAll(kind, why) => {
                format!("{why}, unless all {} are known", kind.name_of_several())
            }
        }
    }
}

/// Describes what is not judged in a configuration of the API server of a Shoot; empty if everything is.
fn server_configuration(purpose: &'static Purpose, shoot: &Part<'_>, garden: &Snapshot) -> String {
    let namespace = shoot.text_at(&["metadata", "namespace"]);
    let Some(key) = purpose.config_map(shoot, &namespace) else {
        return String::new();
    };
    let data = match garden.config_map_data(&key) {
        Ok(Some(data)) => data,
        // A rule refuses that.
        Ok(None) => return String::new(),
        Err(why) => {
            let name = purpose.name;
            return format!("whether {CONTROLLER} accepts the {name}: {why}");
        }
    };
    let mut all = Vec::new();
    if purpose.has_expressions(&data) {
        all.push(EXPRESSIONS);
    }
    if purpose.is_about_issuers() && shoot.text_at(MANAGED_ISSUER) == "managed" {
        all.push(OWN_ISSUER);
    }
    all.join("; ")
}

/// Returns the provider type of the parent of a NamespacedCloudProfile; empty if it is unknown.
fn parent_class(object: &Part<'_>, garden: &Snapshot) -> String {
    let parent = object.text_at(&["spec", "parent", "name"]);
    let parent =
        garden.find::<CloudProfile>(&ObjectKey::named(Kind::CloudProfile, &parent)).ok().flatten();
    parent.map_or_else(String::new, |it| it.spec.kind.clone())
}

/// Returns what is not judged in the configuration of an extension with rules of its own, or in any at this place; empty if everything is.
fn open_aspect(
    extension: &Extension,
    place: ConfigurationPlace,
    part: Option<&Part<'_>>,
) -> &'static str {
    match (extension.name, place) {
        ("alicloud", ConfigurationPlace::Infrastructure)
            if part.is_none_or(|it| it.at(&["networks", "vpc", "id"]).is_some()) =>
        {
            "whether added zones overlap with vSwitches of the VPC"
        }
        ("openstack", ConfigurationPlace::Infrastructure) => {
            "whether the credentials are complete, and whether their domain has the floating pool"
        }
        ("auditing" | "lakom" | "registry-cache" | "registry-mirror", _) => {
            "whether the extension accepts the contents of the Secrets that it names"
        }
        ("dns-service", _) => {
            "whether the extension accepts the contents of the Secrets and WorkloadIdentities that it names"
        }
        ("rsyslog-relp", _) => {
            "whether the extension accepts the contents of the Secret and the ConfigMap that it names"
        }
        _ => "",
    }
}

/// Describes what is not judged in the configuration of an extension without rules of its own.
fn values_by(extension: &Extension) -> String {
    let component = extension.admission.unwrap_or("the extension's controller");
    format!("its values are judged by {component}, not here")
}

fn by(component: &str, name: &str) -> String {
    format!("judged by {}, not here", component.replace(NAME, name))
}

fn noted(part: &Part<'_>, why: String) -> Unjudged {
    let path: &FieldPath = part.path();
    Unjudged { pointer: path.pointer(), field: path.to_string(), why }
}

/// Returns all parts that may be not judged, as a table in Markdown.
pub fn unjudged_table() -> String {
    let mut rows: Vec<(&str, String, Vec<String>)> = Vec::new();
    for row in LEFT_OPEN {
        let why = row.why.in_general();
        let field = format!("`{}`", row.path.join(".").replace(".[]", "[]"));
        let kind = row.kind.as_str();
        match rows.iter_mut().find(|it| (it.0, &it.1) == (kind, &why)) {
            Some((_, _, fields)) => fields.push(field),
            None => rows.push((kind, why, vec![field])),
        }
    }
    let mut table = "| kind | what is present | what is not judged |\n|---|---|---|\n".to_owned();
    for (kind, why, fields) in rows {
        let _infallible = writeln!(table, "| {kind} | {} | {why} |", fields.join(", "));
    }
    table
}
