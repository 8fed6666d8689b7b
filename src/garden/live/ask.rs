use std::sync::Arc;
use std::time::Duration;

use kube::Api;
use kube::api::ListParams;
use serde::de::DeserializeOwned;

use super::LiveGarden;
use super::cache::Asked;
use super::error::reason;
use super::kinds::{
    CLOUD_PROFILES, EXPOSURE_CLASSES, NAMESPACED_CLOUD_PROFILES, PROJECTS, SEEDS, WatchedKind,
};
use super::object::Object;
use crate::defaults;
use crate::model::{CloudProfile, ExposureClass, NamespacedCloudProfile, Project, Seed};

/// More are not missing at a time, unless somebody makes names up; then the oldest answers are forgotten.
const MOST_ANSWERS: usize = 1024;
/// Long enough for a client that tries again and again, short enough for one that has just created what was missing.
const ABSENT: Duration = Duration::from_secs(1);
/// How many Projects are listed at a time where the server cannot select them by namespace.
const PAGE: u32 = 500;

/// The answer to a lookup: the object, unread; or that there is none; or why that cannot be known.
type Found = Result<Option<Arc<Object>>, String>;

/// Answers to lookups, by kind, namespace and name; a Project's by the namespace that it owns.
#[derive(Debug)]
pub(super) struct Lookups(Asked<(&'static str, String, String), Found>);

impl Default for Lookups {
    fn default() -> Self {
        Self(Asked::new(MOST_ANSWERS))
    }
}

impl Lookups {
    async fn get(
        &self,
        key: &(&'static str, String, String),
        ask: impl Future<Output = Found>,
    ) -> Found {
        self.0.get(key, lifetime, ask).await?
    }
}

/// What was found is not kept, because the watch will show it and its changes.
fn lifetime(found: &Found) -> Duration {
    match found {
        Ok(None) => ABSENT,
        Ok(Some(_)) | Err(_) => Duration::ZERO,
    }
}

impl LiveGarden {
    /// The Project that owns `namespace`, defaulted, as the API server knows it now; of several, the first by name.
    ///
    /// Found by field selector, as gardener-apiserver offers one; where that is refused, in a list of all Projects. The label
    /// that Gardener puts on the namespace is no help: it is not there yet when a Project is new.
    ///
    /// # Errors
    /// Why the API server cannot be asked, or what is wrong with the stored Project.
    pub async fn project_of_namespace(
        &self,
        namespace: &str,
    ) -> Result<Option<Arc<Project>>, String> {
        if !is_name(namespace) {
            return Ok(None);
        }
        let key = (PROJECTS.kind, namespace.to_owned(), String::new());
        let found = self.lookups.get(&key, self.ask_for_project(namespace));
        read(&PROJECTS, found.await?, defaults::project)
    }

    /// The ExposureClass called `name`, as the API server knows it now.
    ///
    /// # Errors
    /// As in [`Self::project_of_namespace`].
    pub async fn exposure_class(&self, name: &str) -> Result<Option<Arc<ExposureClass>>, String> {
        let found = self.get(&EXPOSURE_CLASSES, "", name).await?;
        read(&EXPOSURE_CLASSES, found, |_| {})
    }

    /// The CloudProfile called `name`, defaulted, as the API server knows it now.
    ///
    /// # Errors
    /// As in [`Self::project_of_namespace`].
    pub async fn cloud_profile(&self, name: &str) -> Result<Option<Arc<CloudProfile>>, String> {
        let found = self.get(&CLOUD_PROFILES, "", name).await?;
        read(&CLOUD_PROFILES, found, defaults::cloud_profile)
    }

    /// The NamespacedCloudProfile called `name` in `namespace`, as the API server knows it now.
    ///
    /// # Errors
    /// As in [`Self::project_of_namespace`].
    pub async fn namespaced_cloud_profile(
        &self,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Arc<NamespacedCloudProfile>>, String> {
        let kind = &NAMESPACED_CLOUD_PROFILES;
        read(kind, self.get(kind, namespace, name).await?, |_| {})
    }

    /// The Seed called `name`, defaulted, as the API server knows it now.
    ///
    /// # Errors
    /// As in [`Self::project_of_namespace`].
    pub async fn seed(&self, name: &str) -> Result<Option<Arc<Seed>>, String> {
        let found = self.get(&SEEDS, "", name).await?;
        read(&SEEDS, found, defaults::seed)
    }

    async fn get(&self, kind: &'static WatchedKind, namespace: &str, name: &str) -> Found {
        // Names come from users' objects. Nothing else can exist, and nothing else may get into a path.
        if !is_name(name) || !(namespace.is_empty() || is_name(namespace)) {
            return Ok(None);
        }
        let key = (kind.kind, namespace.to_owned(), name.to_owned());
        let ask = async {
            match self.api(kind, namespace).get(name).await {
                Ok(object) => Ok(Some(Arc::new(object))),
                Err(error) if is_absent(&error, name) => Ok(None),
                Err(error) => Err(failed(kind, "get", &error)),
            }
        };
        self.lookups.get(&key, ask).await
    }

    async fn ask_for_project(&self, namespace: &str) -> Found {
        let selector = format!("spec.namespace={namespace}");
        let selected = ListParams::default().fields(&selector);
        match self.find_project(namespace, selected).await {
            Err(kube::Error::Api(status)) if status.code == 400 => {
                self.find_project(namespace, ListParams::default()).await
            }
            other => other,
        }
        .map_err(|error| failed(&PROJECTS, "list", &error))
    }

    async fn find_project(
        &self,
        namespace: &str,
        params: ListParams,
    ) -> Result<Option<Arc<Object>>, kube::Error> {
        let api = self.api(&PROJECTS, "");
        let mut params = params.limit(PAGE);
        loop {
            let page = api.list(&params).await?;
            let owner = page
                .items
                .into_iter()
                .find(|project| owns(project, namespace));
            if let Some(owner) = owner {
                return Ok(Some(Arc::new(owner)));
            }
            match page.metadata.continue_ {
                Some(token) if !token.is_empty() => params.continue_token = Some(token),
                _ => return Ok(None),
            }
        }
    }

    fn api(&self, kind: &'static WatchedKind, namespace: &str) -> Api<Object> {
        if namespace.is_empty() {
            Api::all_with(self.client(), &kind)
        } else {
            Api::namespaced_with(self.client(), namespace, &kind)
        }
    }
}

/// The object as a model, defaulted.
fn read<T: DeserializeOwned>(
    kind: &WatchedKind,
    found: Option<Arc<Object>>,
    default: fn(&mut T),
) -> Result<Option<Arc<T>>, String> {
    let Some(found) = found else {
        return Ok(None);
    };
    let mut object = found.read(kind)?;
    default(&mut object);
    Ok(Some(Arc::new(object)))
}

/// Whether a Project owns a namespace; one that cannot be read does not, and the watch has complained about it.
fn owns(project: &Object, namespace: &str) -> bool {
    let read: Result<Project, _> = project.read(&PROJECTS);
    read.is_ok_and(|project| project.spec.namespace.as_deref() == Some(namespace))
}

/// Whether the server says that there is no such object, rather than that it does not know the kind.
pub(super) fn is_absent(error: &kube::Error, name: &str) -> bool {
    let kube::Error::Api(status) = error else {
        return false;
    };
    let details = status.details.as_ref();
    status.code == 404 && details.is_some_and(|details| details.name == name)
}

fn failed(kind: &WatchedKind, verb: &str, error: &kube::Error) -> String {
    format!("failed to {verb} {}: {}", kind.resource(), reason(error))
}

/// Whether Kubernetes lets an object or namespace have this name.
pub(super) fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let inner = |byte: u8| allowed(byte) || byte == b'-' || byte == b'.';
    let ends = [name.bytes().next(), name.bytes().last()];
    name.len() <= 253
        && name.bytes().all(inner)
        && ends.into_iter().all(|end| end.is_some_and(allowed))
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn only_names_get_into_a_path() {
        for name in ["a", "garden-dev", "a.b", "0"] {
            assert!(is_name(name), "{name}");
        }
        let long = "a".repeat(254);
        for name in [
            "",
            "../secrets",
            "a/b",
            "a?b",
            "A",
            "a b",
            "-a",
            "a.",
            "ä",
            &long,
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
