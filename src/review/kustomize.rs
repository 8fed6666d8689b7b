// SPDX-License-Identifier: Apache-2.0
//! Kustomizations: which files are patches, and where manifests are completed before they are applied.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::repository::{absolute, boundary, shown};
use super::versions::STANDARD_INPUT;
use crate::files::{self, has_manifest_name};
use garden_gate_core::admission::Kind;
use garden_gate_core::garden::texts::mentioned;
use garden_gate_products::review::{Subject, is_complete};
use garden_gate_text::yaml::{self, Document};

/// File names that kustomize reads.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Fields with files and directories that kustomize renders.
const RENDERED: [&str; 3] = ["resources", "bases", "components"];
/// Fields with other sources of the objects that patches change.
const GENERATED: [&str; 3] = ["generators", "helmCharts", "helmChartInflationGenerator"];

/// Maximum number of kustomizations that are searched for the namespace of a file.
const MOST_RENDERING: usize = 100;

/// The kustomizations of a change, by absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Kustomizations {
    /// Rendered files and directories, with the directories of the kustomizations that list each.
    resources: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// The namespaces that kustomizations set, by directory.
    namespaces: BTreeMap<PathBuf, String>,
    /// Rendered files that have no names of manifests; the last component may be a symbolic link.
    other_resources: BTreeSet<PathBuf>,
    /// Patches of kustomizations that render objects, with the directory of one that lists each.
    patches: BTreeMap<PathBuf, PathBuf>,
}

/// A kustomization file: its directory, and the files that it lists.
#[derive(Clone, Debug)]
pub(crate) struct Kustomization {
    folder: PathBuf,
    /// The namespace that it sets.
    namespace: Option<String>,
    resources: Vec<PathBuf>,
    other_resources: Vec<PathBuf>,
    patches: Vec<PathBuf>,
    has_own_patches: bool,
}

impl Kustomization {
    /// Reads a kustomization; `None` for a file of another name.
    pub(crate) fn of(file: &Path, text: &str) -> Option<Self> {
        let name = file.file_name()?.to_str()?;
        if !NAMES.contains(&name) {
            return None;
        }
        let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = absolute(folder.unwrap_or(Path::new("."))).ok()?;
        let documents = yaml::parse_keeping_repeated(text).unwrap_or_default();
        let documents: Vec<Value> = documents.iter().map(Document::to_value).collect();
        let absolute = |paths: Vec<String>| -> Vec<PathBuf> {
            let paths = paths.iter();
            paths.filter_map(|it| absolute(&folder.join(it)).ok()).collect()
        };
        let rendered = RENDERED.iter().flat_map(|field| texts(&documents, field, ""));
        let rendered: Vec<String> = rendered.collect();
        let other_resources = rendered
            .iter()
            .map(|it| folder.join(it))
            .filter(|it| !has_manifest_name(it) && it.is_file())
            .filter_map(|it| Some(it.parent()?.canonicalize().ok()?.join(it.file_name()?)))
            .collect();
        let mut resources = absolute(rendered);
        resources.retain(|it| !folder.starts_with(it));
        // Patches of a kustomization without objects are never applied.
        let patches = if resources.is_empty() && !documents.iter().any(has_other_objects) {
            Vec::new()
        } else {
            absolute(patches(&documents))
        };
        let mut namespaces = documents.iter().filter_map(|it| it["namespace"].as_str());
        Some(Self {
            namespace: namespaces.next().map(str::to_owned),
            has_own_patches: documents.iter().any(has_own_patches),
            folder,
            resources,
            other_resources,
            patches,
        })
    }

    /// Returns why a kustomization is not judged: it contains patches of judged objects.
    pub(crate) fn why_left(&self) -> Option<String> {
        let build = build(&self.folder);
        let why = format!("contains patches of objects of Gardener, not judged; {build}");
        self.has_own_patches.then_some(why)
    }
}

/// Reports whether a kustomization patches objects that it does not list: generated ones, or those of another one.
fn has_other_objects(kustomization: &Value) -> bool {
    let mut generated = GENERATED.iter();
    kustomization["kind"] == "Component"
        || generated.any(|field| kustomization.get(field).is_some())
}

/// Reports whether a kustomization contains patches of judged objects.
fn has_own_patches(kustomization: &Value) -> bool {
    let items = ["patches", "patchesJson6902", "patchesStrategicMerge"]
        .iter()
        .filter_map(|it| kustomization[it].as_array());
    items.flatten().any(|item| {
        let patch = item["patch"].as_str().or(item.as_str());
        let target = item.pointer("/target/kind").and_then(Value::as_str);
        let mut kinds = Kind::ALL.iter().filter(|it| it.is_judged() && !it.is_of_shoot_cluster());
        let is_of_ours = |text: &str| mentioned(text).into_iter().any(Kind::is_judged);
        patch.is_some_and(|patch| {
            is_of_ours(patch) || target.is_some_and(|it| kinds.any(|kind| kind.as_str() == it))
        })
    })
}

/// Returns what to review instead of files that kustomize changes.
fn build(folder: &Path) -> String {
    let folder = match shown(folder) {
        folder if folder.is_empty() => ".".to_owned(),
        folder => folder,
    };
    format!("review the output of `kustomize build {folder}`")
}

/// Returns the files that a kustomization lists as patches.
fn patches(kustomization: &[Value]) -> Vec<String> {
    [
        texts(kustomization, "patches", "/path"),
        texts(kustomization, "patchesJson6902", "/path"),
        texts(kustomization, "patchesStrategicMerge", ""),
    ]
    .concat()
}

/// Returns the strings at `pointer` in the items of a field.
fn texts(documents: &[Value], field: &str, pointer: &str) -> Vec<String> {
    let items = documents.iter().filter_map(|it| it[field].as_array());
    let texts = items.flatten().filter_map(|item| item.pointer(pointer)?.as_str());
    texts.map(str::to_owned).collect()
}

impl Kustomizations {
    /// Reads the kustomizations in the directories of `paths` and above, up to the root of the repository.
    pub(crate) fn extend_above(&mut self, paths: &[PathBuf]) {
        for file in above(paths) {
            let bytes = file.is_file().then(|| files::read(&file).ok()).flatten();
            let text = bytes.and_then(|it| files::text(&file, it).ok());
            self.extend(text.and_then(|text| Kustomization::of(&file, &text)));
        }
    }

    /// Returns rendered files below `roots` that have no names of manifests.
    pub(crate) fn other_resources(&self, roots: &[PathBuf]) -> Vec<PathBuf> {
        let roots: Vec<PathBuf> = roots.iter().filter_map(|it| absolute(it).ok()).collect();
        let resources = self.other_resources.iter();
        let inside = resources.filter(|it| roots.iter().any(|root| it.starts_with(root)));
        inside.cloned().collect()
    }

    /// Returns why a manifest at an absolute path is not judged by itself: kustomize changes it, or changes another one by it.
    ///
    /// A complete object of Gardener is judged even if it is listed as a patch, since `kubectl apply` of its directory
    /// stores it.
    pub(crate) fn why_left(&self, subject: &Subject, place: &Path) -> Option<String> {
        // Standard input may be the output of kustomize.
        if &*subject.file == STANDARD_INPUT {
            return None;
        }
        let key = subject.key()?;
        let patched = self.patches.get(place).filter(|_| !is_complete(subject));
        if let Some(folder) = patched.filter(|_| !self.resources.contains_key(place)) {
            return Some(format!("is a kustomize patch, not judged; {}", build(folder)));
        }
        let folder = patched.or_else(|| self.rendering(place))?;
        let build = build(folder);
        is_partial(key.kind, subject).then(|| {
            format!("is part of an object and is completed by kustomize, not judged; {build}")
        })
    }

    /// Returns why a manifest without a namespace at an absolute path is not judged: kustomize sets it.
    pub(crate) fn why_unnamed(&self, place: &Path) -> Option<String> {
        let build = build(self.rendering(place)?);
        Some(format!("has no namespace and is completed by kustomize, not judged; {build}"))
    }

    /// Returns the directory of a kustomization that renders a file.
    fn rendering(&self, place: &Path) -> Option<&PathBuf> {
        let mut above = place.ancestors();
        above.find_map(|it| self.resources.get(it)?.first())
    }

    /// Returns the namespace of objects without one in a file at an absolute path.
    ///
    /// It is set by the kustomizations that render the file, directly or through others; `None` if they differ, or are too
    /// many.
    pub(crate) fn namespace(&self, place: &Path) -> Option<&str> {
        let (mut places, mut seen) = (vec![place], BTreeSet::new());
        let mut found = BTreeSet::new();
        while let Some(place) = places.pop() {
            let rendering = place.ancestors().filter_map(|it| self.resources.get(it));
            for folder in rendering.flatten().filter(|it| seen.insert(it.as_path())) {
                found.extend(self.namespaces.get(folder));
                places.push(folder);
            }
            if found.len() > 1 || seen.len() > MOST_RENDERING {
                return None;
            }
        }
        let mut found = found.into_iter();
        let namespace = found.next()?;
        found.next().is_none().then_some(namespace)
    }
}

/// Returns the possible kustomizations in the directories of `paths` and above, up to the root of the repository.
pub(crate) fn above(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders = BTreeSet::new();
    for path in paths {
        let (Ok(place), Ok(end)) = (absolute(path), boundary(path)) else {
            continue;
        };
        for folder in place.ancestors() {
            if !folders.insert(folder.to_owned()) || end.as_deref() == Some(folder) {
                break;
            }
        }
    }
    let files = folders.iter().flat_map(|it| NAMES.map(|name| it.join(name)));
    files.collect()
}

impl Extend<Kustomization> for Kustomizations {
    fn extend<T: IntoIterator<Item = Kustomization>>(&mut self, others: T) {
        for Kustomization { folder, namespace, resources, other_resources, patches, .. } in others {
            for resource in resources {
                let listing = self.resources.entry(resource).or_default();
                listing.insert(folder.clone());
            }
            self.other_resources.extend(other_resources);
            let patches = patches.into_iter();
            self.patches.extend(patches.map(|it| (it, folder.clone())));
            self.namespaces.extend(namespace.map(|it| (folder, it)));
        }
    }
}

/// Reports whether a manifest lacks all fields that every complete object of the kind has.
fn is_partial(kind: Kind, subject: &Subject) -> bool {
    let required: &[&str] = match kind {
        Kind::Shoot => &["/spec/region", "/spec/provider/type"],
        Kind::CloudProfile => &["/spec/type", "/spec/kubernetes"],
        Kind::NamespacedCloudProfile => &["/spec/parent"],
        Kind::Seed => &["/spec/provider"],
        Kind::SecretBinding => &["/secretRef"],
        Kind::CredentialsBinding => &["/credentialsRef"],
        Kind::Quota => &["/spec/scope", "/spec/metrics"],
        Kind::ExposureClass => &["/handler"],
        Kind::Deployment | Kind::DaemonSet | Kind::StatefulSet | Kind::ReplicaSet => {
            &["/spec/selector"]
        }
        Kind::Job | Kind::ReplicationController => &["/spec/template"],
        Kind::CronJob => &["/spec/jobTemplate", "/spec/schedule"],
        Kind::Service => &["/spec/ports", "/spec/selector", "/spec/type", "/spec/externalName"],
        Kind::Ingress => &["/spec/rules", "/spec/defaultBackend"],
        Kind::PersistentVolumeClaim => &["/spec/accessModes", "/spec/resources"],
        Kind::VolumeSnapshot | Kind::VolumeSnapshotContent => &["/spec/source"],
        Kind::CustomResourceDefinition => &["/spec/names"],
        Kind::Pod => &["/spec/containers"],
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => &["/webhooks"],
        _ => return false,
    };
    let document = subject.document();
    document.is_some_and(|it| required.iter().all(|pointer| it.part(pointer).is_none()))
}
