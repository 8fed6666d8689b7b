// SPDX-License-Identifier: Apache-2.0
//! The configurations of extensions in the objects of a request.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Context;
use super::configurations::{Configurations, ExtensionUse};
use crate::admission::{Kind, Operation, Reading};
use crate::garden::{ExtensionAdmission, Unknown};
use garden_gate_model::api::extensions::Extension;
use garden_gate_model::api::{CapabilityDefinition, CloudProfile};
use garden_gate_model::gardener::extensions::capability_flavors::defined_capabilities;
use garden_gate_model::gardener::extensions::{Documents, Edit, MUTATORS, Mutation, enabled_types};

impl<'a> Context<'a> {
    /// Returns the version of an extension, and whether its admission component judges requests.
    pub fn extension(&self, extension: &'static Extension) -> ExtensionUse {
        for kind in [
            Kind::ControllerRegistration,
            Kind::ControllerDeployment,
            Kind::ValidatingWebhookConfiguration,
            Kind::MutatingWebhookConfiguration,
        ] {
            self.looks_up(Reading::Objects(kind));
        }
        ExtensionUse::of(extension, self.config, self.garden)
    }

    /// Returns the reason why gardener-admission-controller is not known to judge requests; `None` if it is.
    pub fn why_without_admission_controller(&self) -> Option<&'static str> {
        for kind in [Kind::ValidatingWebhookConfiguration, Kind::MutatingWebhookConfiguration] {
            self.looks_up(Reading::Objects(kind));
        }
        match self.garden.admission_controller() {
            ExtensionAdmission::Registered => None,
            ExtensionAdmission::Missing => {
                Some("the garden has no webhook configuration of `gardener-admission-controller`")
            }
            ExtensionAdmission::Unknown => Some(
                "the garden has no webhook configurations, so it is unknown whether `gardener-admission-controller` is registered",
            ),
        }
    }

    /// Returns the configurations in the objects, after the mutating webhooks of extensions; determined once, on first use.
    ///
    /// # Errors
    /// Fails if the parent of a NamespacedCloudProfile is needed and not known.
    pub fn configurations(&self) -> Result<&Configurations<'a>, Unknown> {
        if let Some(known) = self.configurations.get() {
            return Ok(known);
        }
        let found = self.configure()?;
        Ok(self.configurations.get_or_init(|| found))
    }

    fn configure(&self) -> Result<Configurations<'a>, Unknown> {
        let request = self.request;
        let Some(kind) = request.kind() else {
            return Ok(Configurations::default());
        };
        let documents = |text: Option<&'a serde_json::value::RawValue>| {
            text.map_or_else(Documents::default, |text| Documents::of(kind, text.get()))
        };
        let mut found = Configurations {
            new: documents(request.object),
            old: documents(request.old_object),
            ..Configurations::default()
        };
        let mut class = self.class_of(kind)?;
        if let (Kind::NamespacedCloudProfile, [class]) = (kind, class.as_slice()) {
            found.new.choose(class);
            found.old.choose(class);
        }
        if kind == Kind::Shoot {
            class.extend(self.enabled_extensions());
        }
        for (extension, mutator) in
            MUTATORS.iter().filter_map(|it| Some((Extension::named(it.extension)?, it)))
        {
            if !is_for(extension, &class) || request.object.is_none() {
                continue;
            }
            let capabilities = self.capabilities(kind)?;
            let version = self.extension(extension).version;
            let mut edits = Vec::new();
            // A manifest as stored object is completed as on its creation.
            if self.is_old_manifest() {
                let mut old = found.old.clone();
                let _refused_then = (mutator.mutate)(&mut Mutation {
                    kind,
                    changes_spec: true,
                    new: self.old_opened(),
                    old: None,
                    old_documents: &Documents::default(),
                    capabilities: &capabilities,
                    version,
                    documents: &mut old,
                    edits: &mut Vec::new(),
                });
                found.old = old;
            }
            let is_update = request.operation == Operation::Update;
            let refused = (mutator.mutate)(&mut Mutation {
                kind,
                changes_spec: !is_update || self.difference().specs().is_some(),
                new: self.new_opened(),
                old: is_update.then(|| self.old_opened()),
                old_documents: &found.old,
                capabilities: &capabilities,
                version,
                documents: &mut found.new,
                edits: &mut edits,
            });
            found.edits.extend(edits.into_iter().map(|it| (extension.name, it)));
            if let Err(refusal) = refused {
                found.refusal = Some((extension.name, refusal));
                break;
            }
        }
        Ok(found)
    }

    /// Returns the changes of mutating webhooks of registered extensions, if a rule has asked for configurations.
    pub(crate) fn extension_edits(&self) -> Vec<Edit> {
        let edits =
            self.configurations.get().map(|it| it.edits.as_slice()).unwrap_or_default().iter();
        let registered = edits.filter(|(name, _)| {
            let extension = Extension::named(name);
            let run = extension.map(|it| ExtensionUse::of(it, self.config, self.garden));
            run.is_some_and(|it| it.not_registered.is_none())
        });
        registered.map(|(_, edit)| edit.clone()).collect()
    }

    /// Reports whether the stored object is a manifest, which no API server has completed.
    fn is_old_manifest(&self) -> bool {
        let version = self.old_opened().opened_at(&["metadata", "resourceVersion"]);
        let is_stored = !version.is_null() && !version.is_empty();
        self.request.is_converted && self.request.old_object.is_some() && !is_stored
    }

    /// Returns the types of extensions that an object names: of the provider and the network, or of its parent.
    fn class_of(&self, kind: Kind) -> Result<Vec<String>, Unknown> {
        let object = self.new_opened();
        let paths: &[&[&str]] = match kind {
            Kind::Shoot => &[&["spec", "provider", "type"], &["spec", "networking", "type"]],
            Kind::CloudProfile => &[&["spec", "type"]],
            Kind::Seed => &[&["spec", "provider", "type"], &["spec", "backup", "provider"]],
            Kind::NamespacedCloudProfile => {
                let parent = self.parent_profile()?;
                return Ok(parent.map(|it| it.spec.kind.clone()).into_iter().collect());
            }
            _ => &[],
        };
        let texts = paths.iter().map(|path| object.opened_at(path).read().ok());
        Ok(texts.flatten().collect())
    }

    /// Returns the types of extensions that the new or the stored Shoot has enabled, by which API servers call webhooks.
    fn enabled_extensions(&self) -> BTreeSet<String> {
        self.looks_up(Reading::Objects(Kind::ControllerRegistration));
        let registrations: Vec<_> =
            self.garden.controller_registrations().into_iter().flatten().map(Arc::as_ref).collect();
        let mut enabled = enabled_types(self.new_opened(), registrations.iter().copied());
        if self.request.operation == Operation::Update {
            enabled.extend(enabled_types(self.old_opened(), registrations));
        }
        enabled
    }

    /// Returns the parent of the NamespacedCloudProfile in the request; `None` if there is none.
    ///
    /// # Errors
    /// Fails as [`Self::get`].
    pub fn parent_profile(&self) -> Result<Option<Arc<CloudProfile>>, Unknown> {
        let name = self.new_opened().opened_at(&["spec", "parent", "name"]);
        match name.read::<String>() {
            Ok(name) => self.get::<CloudProfile>(name.as_str()),
            Err(_) => Ok(None),
        }
    }

    /// Returns the capabilities that the CloudProfile, or the parent of the NamespacedCloudProfile, defines.
    fn capabilities(&self, kind: Kind) -> Result<Vec<CapabilityDefinition>, Unknown> {
        Ok(match kind {
            Kind::CloudProfile => defined_capabilities(self.new_opened()),
            Kind::NamespacedCloudProfile => {
                let parent = self.parent_profile()?;
                parent.map_or_else(Vec::new, |it| it.spec.machine_capabilities.clone())
            }
            _ => Vec::new(),
        })
    }
}

/// Reports whether an extension is of one of these types.
fn is_for(extension: &Extension, classes: &[String]) -> bool {
    let (kind, class) = extension.resource;
    match kind {
        "Infrastructure" | "Network" | "Extension" => classes.iter().any(|it| it == class),
        _ => false,
    }
}
