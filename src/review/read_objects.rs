//! Objects of the files of a change, and other objects that affect verdicts about them.

use std::collections::HashSet;
use std::path::PathBuf;

use super::kustomize::Kustomizations;
use super::notes::note;
use super::parameters::ChangedParameters;
use super::subject::{FileObjects, Subject};
use garden_gate_core::garden::{GardenObject, NamedObject, Snapshot};
use garden_gate_core::policies::why_unjudged;
use garden_gate_products::report::SkippedInput;

/// Objects after a change that are not under review, and that affect verdicts.
#[derive(Clone, Default)]
pub(crate) struct OtherObjects {
    /// Objects of which only the names matter.
    named: Vec<NamedObject>,
    /// Policies, their bindings, and Namespaces.
    policies: Vec<GardenObject>,
    /// Objects that policies may use as parameters.
    pub(crate) parameters: ChangedParameters,
}

impl OtherObjects {
    /// Returns a garden with the objects, but without parameters.
    pub(crate) fn applied_to(&self, garden: &Snapshot) -> Snapshot {
        let garden = garden.with_named(self.named.clone());
        if self.policies.is_empty() { garden } else { garden.with(self.policies.clone()) }
    }

    /// Adds the objects of a file that are not judged, without messages.
    pub(crate) fn add(&mut self, held: &FileObjects) {
        self.named.extend(held.named.iter().cloned());
        let policies = held.policies.iter();
        self.policies.extend(policies.map(|(_, it)| it.clone()));
        self.parameters.add(held.parameters.clone());
    }

    /// Adds a policy, a binding or a Namespace, and prints a warning about a policy that is not evaluated.
    fn add_policy(&mut self, file: &str, object: GardenObject) {
        let why = match &object {
            GardenObject::ValidatingAdmissionPolicy(policy) => why_unjudged(policy),
            GardenObject::Unreadable(_, why) => Some(why.clone()),
            _ => None,
        };
        if let Some(why) = why {
            let key = object.key();
            note(format_args!("warning: `{file}`: {key} is not evaluated: {why}"));
        }
        self.policies.push(object);
    }

    /// Sets the namespace of objects without one.
    pub(crate) fn set_namespace(&mut self, namespace: &str) {
        let named = self.named.iter_mut().map(|it| &mut it.key);
        let without = named.filter(|it| it.kind.is_namespaced() && it.namespace.is_empty());
        without.for_each(|it| namespace.clone_into(&mut it.namespace));
        self.parameters.set_namespace(namespace);
    }
}

/// The objects of files, and the files that were read, by absolute paths.
#[derive(Default)]
pub(crate) struct ReadObjects {
    /// Files with objects that matter.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) walked: HashSet<PathBuf>,
    /// Files whose objects are not all known.
    pub(crate) unread: HashSet<PathBuf>,
    /// The names of files of which some documents are templates, and the others are judged.
    pub(crate) partial: Vec<PathBuf>,
    pub(crate) new: Vec<Subject>,
    pub(crate) others: OtherObjects,
    pub(crate) kustomizations: Kustomizations,
}

impl ReadObjects {
    /// Adds the objects of a file, and counts those that are not judged.
    pub(crate) fn add(
        &mut self,
        path: Option<PathBuf>,
        held: FileObjects,
        left_out: &mut SkippedInput,
    ) {
        left_out.others += held.others;
        let is_used = !held.policies.is_empty() || !held.parameters.is_empty();
        if !held.subjects.is_empty() || !held.named.is_empty() || is_used {
            self.files.extend(path.clone());
        }
        let is_lost = |it: &Subject| it.why_unreadable().is_some();
        if held.subjects.iter().any(is_lost) {
            self.unread.extend(path);
        }
        self.new.extend(held.subjects);
        self.others.named.extend(held.named);
        self.others.parameters.add(held.parameters);
        for (file, policy) in held.policies {
            self.others.add_policy(&file, policy);
        }
    }
}
