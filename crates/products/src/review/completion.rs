// SPDX-License-Identifier: Apache-2.0
//! Completion of manifests before they are judged: their namespaces, and what other programs complete.

use std::collections::BTreeSet;

use super::subject::Subject;
use crate::report::Placeholder;
use crate::report::{LeftOutFile, Reviewed, SkippedInput};
use garden_gate_core::admission::Kind;

/// What the files around a manifest say about it.
///
/// Without files, as for `()`, that is nothing.
pub trait Surroundings {
    /// Returns why a file with placeholders is not judged.
    fn why_template(&self, _file: &str, placeholder: Placeholder) -> String {
        placeholder.why(None)
    }

    /// Returns why a manifest is not judged by itself: kustomize changes it, or changes another one by it.
    fn why_left(&self, _subject: &Subject) -> Option<String> {
        None
    }

    /// Returns the namespace of the objects without one in a file, which a kustomization sets.
    fn namespace(&self, _file: &str) -> Option<String> {
        None
    }

    /// Returns why a manifest without a namespace is not judged: kustomize sets it.
    fn why_unnamed(&self, _file: &str) -> Option<String> {
        None
    }
}

impl Surroundings for () {}

/// How manifests are completed before they are judged.
#[derive(Clone, Copy, Debug)]
pub struct Completion<'a> {
    /// The namespace of manifests for which no kustomization sets one.
    pub namespace: Option<&'a str>,
    /// Whether whole objects for which only kustomize knows the namespace are kept, since `kubectl apply` stores them.
    pub is_change: bool,
}

impl Completion<'_> {
    /// Sets the namespaces of manifests, and separates manifests from those that another program completes.
    ///
    /// Returns one skipped file for each file and reason.
    pub fn apply(
        self,
        subjects: Vec<Subject>,
        surroundings: &impl Surroundings,
    ) -> (Vec<Subject>, Vec<LeftOutFile>) {
        let mut left = BTreeSet::new();
        let mut complete = Vec::new();
        for mut subject in subjects {
            match self.complete(&mut subject, surroundings) {
                Some(why) => {
                    left.insert((subject.file.to_string(), why));
                }
                None => complete.push(subject),
            }
        }
        let left = left.into_iter().map(|(file, why)| LeftOutFile { file, why });
        (complete, left.collect())
    }

    /// Completes a manifest; returns why it is not judged, if another program completes it.
    fn complete(self, subject: &mut Subject, surroundings: &impl Surroundings) -> Option<String> {
        if let Some(placeholder) = subject.identity_placeholder() {
            return Some(surroundings.why_template(&subject.file, placeholder));
        }
        // The values of a template are unknown to other objects.
        if subject.has_placeholders() {
            subject.take_kept();
        }
        if subject.has_patch_directive() && !is_complete(subject) {
            let message = "is a strategic merge patch, not judged; review the patched object";
            return Some(message.to_owned());
        }
        if let Some(why) = surroundings.why_left(subject) {
            return Some(why);
        }
        if !subject.lacks_namespace() {
            return None;
        }
        match (surroundings.namespace(&subject.file), self.namespace) {
            (Some(set), Some(own)) if set != own => subject.fails(format!(
                "the manifest has no `metadata.namespace`: `kubectl apply -f` uses `{own}`, and its kustomization `{set}`; set it in the manifest, or review the output of `kustomize build`"
            )),
            (Some(namespace), _) => subject.set_namespace(&namespace),
            (None, Some(namespace)) => subject.set_namespace(namespace),
            (None, None) if self.is_change => {}
            (None, None) => return surroundings.why_unnamed(&subject.file),
        }
        None
    }
}

/// Rejects manifests without a namespace.
pub fn need_namespaces(subjects: &mut [Subject]) {
    for subject in subjects.iter_mut().filter(|it| it.lacks_namespace()) {
        subject.fails(
            "the manifest has no `metadata.namespace`, and `kubectl` uses that of its context; set it with --namespace NAME, in the manifest, or in the kustomization that renders it".to_owned(),
        );
    }
}

/// Removes templates, and workload about which there is nothing to say, from the results.
///
/// The file of a template is added to `left_out`, once for each reason.
pub fn leave_out(
    judged: &mut Vec<(Subject, Reviewed)>,
    left_out: &mut SkippedInput,
    surroundings: &impl Surroundings,
) {
    judged.retain(|(subject, object)| {
        if let Some(placeholder) = object.template {
            let why = surroundings.why_template(&object.file, placeholder);
            let file = LeftOutFile { file: object.file.clone(), why };
            if !left_out.incomplete.contains(&file) {
                left_out.incomplete.push(file);
            }
            return false;
        }
        let is_silent = is_workload(subject) && object.is_silent();
        left_out.others += usize::from(is_silent);
        !is_silent
    });
}

/// Reports whether a manifest is workload: only marks of it are judged, and an API server may refuse the rest.
fn is_workload(subject: &Subject) -> bool {
    subject.key().is_some_and(|key| key.kind.is_workload())
}

/// Reports whether a manifest has the fields by which it is an object of Gardener rather than a patch of one.
pub fn is_complete(subject: &Subject) -> bool {
    let Some(key) = subject.key() else {
        return false;
    };
    let fields: &[&str] = match key.kind {
        Kind::Shoot => &["/spec/region", "/spec/provider/type"],
        Kind::CloudProfile => &["/spec/type", "/spec/kubernetes", "/spec/machineTypes"],
        Kind::NamespacedCloudProfile => &["/spec/parent"],
        Kind::Seed => &["/spec/provider/type", "/spec/provider/region", "/spec/networks"],
        Kind::SecretBinding => &["/secretRef"],
        Kind::CredentialsBinding => &["/credentialsRef"],
        Kind::Quota => &["/spec/scope", "/spec/metrics"],
        Kind::ExposureClass => &["/handler"],
        _ => return false,
    };
    let document = subject.document();
    document.is_some_and(|it| fields.iter().all(|pointer| it.part(pointer).is_some()))
}
