//! Kustomizations: which files are patches, and where manifests are completed before they are applied.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::repository::{absolute, boundary, shown};
use super::subject::Subject;
use super::versions::STANDARD_INPUT;
use crate::admission::Kind;
use crate::files;
use crate::yaml;

/// File names that kustomize reads.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The kustomizations of a change, by absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Kustomizations {
    /// Directories with a kustomization.
    folders: HashSet<PathBuf>,
    /// Patches, with the directory of a kustomization that lists each.
    patches: HashMap<PathBuf, PathBuf>,
}

/// A kustomization file: its directory, and the patches that it lists.
#[derive(Clone, Debug)]
pub(crate) struct Kustomization {
    folder: PathBuf,
    patches: Vec<PathBuf>,
}

impl Kustomization {
    /// Reads a kustomization; `None` for a file of another name.
    pub(crate) fn of(file: &Path, text: &str) -> Option<Self> {
        let name = file.file_name()?.to_str()?;
        if !NAMES.contains(&name) {
            return None;
        }
        let place = absolute(file).ok()?;
        let folder = place.parent()?.to_owned();
        let documents = yaml::parse_keeping_repeated(text).unwrap_or_default();
        let listed = documents.iter().flat_map(|it| listed(&it.to_value()));
        let patches = listed.filter_map(|path| absolute(&folder.join(path)).ok());
        let patches = patches.collect();
        Some(Self { folder, patches })
    }
}

/// Returns the files that a kustomization lists as patches.
fn listed(kustomization: &Value) -> Vec<String> {
    let texts = |field: &str, pointer: &str| -> Vec<String> {
        let items = kustomization[field].as_array().into_iter().flatten();
        let texts = items.filter_map(|item| item.pointer(pointer)?.as_str());
        texts.map(str::to_owned).collect()
    };
    [
        texts("patches", "/path"),
        texts("patchesJson6902", "/path"),
        texts("patchesStrategicMerge", ""),
    ]
    .concat()
}

impl Kustomizations {
    /// Reads the kustomizations in the directories of `paths` and above, up to the root of the repository.
    pub(crate) fn extend_above(&mut self, paths: &[PathBuf]) {
        let mut read = HashSet::new();
        for path in paths {
            let (Ok(place), Ok(end)) = (absolute(path), boundary(path)) else {
                continue;
            };
            for folder in place.ancestors().filter(|it| it.is_dir()) {
                if !read.insert(folder.to_owned()) {
                    break;
                }
                for file in NAMES.map(|name| folder.join(name)) {
                    let bytes = file.is_file().then(|| files::read(&file).ok()).flatten();
                    let text = bytes.and_then(|it| String::from_utf8(it).ok());
                    self.extend(text.and_then(|text| Kustomization::of(&file, &text)));
                }
                if end.as_deref() == Some(folder) {
                    break;
                }
            }
        }
    }

    /// Returns why a manifest at an absolute path is not judged by itself: kustomize changes it, or changes another one by it.
    pub(crate) fn why_left(&self, subject: &Subject, place: &Path) -> Option<String> {
        if subject.has_patch_directive() {
            let message = "is a strategic merge patch, not judged; review the patched object";
            return Some(message.to_owned());
        }
        // Standard input may be the output of kustomize.
        if self.folders.is_empty() || &*subject.file == STANDARD_INPUT {
            return None;
        }
        let key = subject.key()?;
        let build = |folder: &Path| {
            let folder = match shown(folder) {
                folder if folder.is_empty() => ".".to_owned(),
                folder => folder,
            };
            format!("review the output of `kustomize build {folder}`")
        };
        if let Some(folder) = self.patches.get(place) {
            return Some(format!(
                "is a kustomize patch, not judged; {}",
                build(folder)
            ));
        }
        let folder = place.ancestors().find(|it| self.folders.contains(*it))?;
        let lacks_namespace = subject.lacks_namespace();
        let is_partial = lacks_namespace || is_partial(key.kind, subject);
        let what = match lacks_namespace {
            true => "has no namespace",
            false => "is part of an object",
        };
        is_partial.then(|| {
            format!(
                "{what} and is completed by kustomize, not judged; {}",
                build(folder)
            )
        })
    }
}

impl Extend<Kustomization> for Kustomizations {
    fn extend<T: IntoIterator<Item = Kustomization>>(&mut self, others: T) {
        for Kustomization { folder, patches } in others {
            let patches = patches.into_iter().map(|it| (it, folder.clone()));
            self.patches.extend(patches);
            self.folders.insert(folder);
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
        Kind::Deployment | Kind::DaemonSet => &["/spec/selector"],
        Kind::Pod => &["/spec/containers"],
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => &["/webhooks"],
        _ => return false,
    };
    let document = subject.document();
    document.is_some_and(|it| required.iter().all(|pointer| it.part(pointer).is_none()))
}
