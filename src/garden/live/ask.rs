use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kube::api::ListParams;
use kube::{Api, Client};

use super::LiveGarden;
use super::cache::{Answer, Asked, Key};
use super::error::reason;
use super::kinds::{KINDS, PROJECTS, WatchedKind};
use super::object::Object;
use super::share::Share;
use crate::garden::{GardenObject, ObjectKey};

/// Requests at a time. Most are for what does not exist, which anybody can make up: the watch shows the rest.
const AT_A_TIME: usize = 8;
/// Room for a thousand answers that there is no such thing.
const MOST_BYTES: u64 = 128 << 10;
/// Room for the Projects of the largest landscapes, each with two names.
const MOST_OWNER_BYTES: u64 = 2 << 20;
/// Long enough for a client that tries again and again, short enough for one that has just created what was missing.
const ABSENT: Duration = Duration::from_secs(1);
/// How many Projects are listed at a time where the server cannot select them by namespace.
const PAGE: u32 = 500;

/// The answer to a lookup: the object, unread; or that there is none; or why that cannot be known.
type Found = Result<Option<Arc<Object>>, String>;
/// By namespace, which Project owns it.
type Owners = Result<Arc<BTreeMap<String, String>>, String>;

/// Answers to lookups.
#[derive(Debug)]
pub(super) struct Lookups {
    found: Asked<Found>,
    /// Asked for where the server cannot select Projects by namespace, and once for all namespaces.
    owners: Asked<Owners>,
}

impl Default for Lookups {
    fn default() -> Self {
        Self {
            found: Asked::new(Share::new(AT_A_TIME), MOST_BYTES),
            owners: Asked::new(Share::new(1), MOST_OWNER_BYTES),
        }
    }
}

/// What was found is not kept, because the watch will show it and its changes.
impl Answer for Found {
    fn lifetime(&self) -> Duration {
        match self {
            Ok(None) => ABSENT,
            Ok(Some(_)) | Err(_) => Duration::ZERO,
        }
    }

    fn size(&self) -> usize {
        0
    }
}

impl Answer for Owners {
    fn lifetime(&self) -> Duration {
        match self {
            Ok(_) => ABSENT,
            Err(_) => Duration::ZERO,
        }
    }

    fn size(&self) -> usize {
        self.as_ref().map_or(0, |owners| owners.len() * 128)
    }
}

impl LiveGarden {
    /// The Project that owns `namespace`, as the API server knows it now; of several, the first by name.
    ///
    /// Found by field selector, as gardener-apiserver offers one; where that is refused, in a list of all Projects. The label
    /// that Gardener puts on the namespace is no help: it is not there yet when a Project is new.
    ///
    /// # Errors
    /// Why the API server cannot be asked, or what is wrong with the stored Project.
    pub async fn project_of_namespace(
        &self,
        namespace: &str,
    ) -> Result<Option<GardenObject>, String> {
        if !is_name(namespace) {
            return Ok(None);
        }
        let key = Key::of(&[PROJECTS.kind.as_bytes(), namespace.as_bytes()]);
        let ask = ask_for_project(
            self.client(),
            self.lookups.owners.clone(),
            namespace.to_owned(),
        );
        let found = self.lookups.found.get(key, false, ask).await??;
        found.map(|project| project.read(&PROJECTS)).transpose()
    }

    /// An object of a kind that is watched, or a WorkloadIdentity, as the API server knows it now.
    ///
    /// # Errors
    /// As in [`Self::project_of_namespace`].
    pub async fn object(&self, key: &ObjectKey) -> Result<Option<GardenObject>, String> {
        let (kind, namespace, name) = key;
        let watched = KINDS.into_iter().find(|watched| watched.kind == *kind);
        match watched {
            Some(watched) => {
                let found = self.get(watched, namespace, name).await?;
                found.map(|object| object.read(watched)).transpose()
            }
            None if *kind == "WorkloadIdentity" => {
                let found = self.workload_identity(namespace, name).await?;
                let found = found.map(Arc::unwrap_or_clone);
                Ok(found.map(GardenObject::WorkloadIdentity))
            }
            None => Err(format!("no {kind} can be looked up by its name")),
        }
    }

    async fn get(&self, kind: &'static WatchedKind, namespace: &str, name: &str) -> Found {
        // Names come from users' objects. Nothing else can exist, and nothing else may get into a path.
        if !is_name(name) || !(namespace.is_empty() || is_name(namespace)) {
            return Ok(None);
        }
        let key = Key::of(&[kind.kind, namespace, name].map(str::as_bytes));
        let api = api(self.client(), kind, namespace);
        let ask = get(api, kind, name.to_owned());
        self.lookups.found.get(key, false, ask).await?
    }
}

async fn get(api: Api<Object>, kind: &'static WatchedKind, name: String) -> Found {
    match api.get(&name).await {
        Ok(object) => Ok(Some(Arc::new(object))),
        Err(error) if is_absent(&error, &name) => Ok(None),
        Err(error) => Err(failed(kind, "get", &error)),
    }
}

async fn ask_for_project(client: Client, owners: Asked<Owners>, namespace: String) -> Found {
    let projects = api(client, &PROJECTS, "");
    match select_project(&projects, &namespace).await {
        Ok(found) => Ok(found),
        Err(kube::Error::Api(status)) if status.code == 400 => {
            let key = Key::of(&[]);
            let owners = owners
                .get(key, false, list_owners(projects.clone()))
                .await??;
            let Some(name) = owners.get(&namespace) else {
                return Ok(None);
            };
            let found = get(projects, &PROJECTS, name.clone()).await?;
            Ok(found.filter(|project| owns(project, &namespace)))
        }
        Err(error) => Err(failed(&PROJECTS, "list", &error)),
    }
}

async fn select_project(
    projects: &Api<Object>,
    namespace: &str,
) -> Result<Option<Arc<Object>>, kube::Error> {
    let selected = ListParams::default().fields(&format!("spec.namespace={namespace}"));
    let mut params = selected.limit(PAGE);
    loop {
        let page = projects.list(&params).await?;
        let mut items = page.items.into_iter();
        if let Some(owner) = items.find(|project| owns(project, namespace)) {
            return Ok(Some(Arc::new(owner)));
        }
        match page.metadata.continue_ {
            Some(token) if !token.is_empty() => params.continue_token = Some(token),
            _ => return Ok(None),
        }
    }
}

/// Of several Projects with the same namespace, the first by name.
async fn list_owners(projects: Api<Object>) -> Owners {
    let mut owners = BTreeMap::new();
    let mut params = ListParams::default().limit(PAGE);
    loop {
        let page = projects.list(&params).await;
        let page = page.map_err(|error| failed(&PROJECTS, "list", &error))?;
        for project in &page.items {
            if let Some(namespace) = namespace_of(project) {
                let name = project.key(&PROJECTS).2;
                owners.entry(namespace).or_insert(name);
            }
        }
        match page.metadata.continue_ {
            Some(token) if !token.is_empty() => params.continue_token = Some(token),
            _ => return Ok(Arc::new(owners)),
        }
    }
}

fn api(client: Client, kind: &'static WatchedKind, namespace: &str) -> Api<Object> {
    if namespace.is_empty() {
        Api::all_with(client, &kind)
    } else {
        Api::namespaced_with(client, namespace, &kind)
    }
}

fn owns(project: &Object, namespace: &str) -> bool {
    namespace_of(project).as_deref() == Some(namespace)
}

/// The namespace that a Project owns; one that cannot be read owns none, and the watch has complained about it.
fn namespace_of(project: &Object) -> Option<String> {
    match project.read(&PROJECTS).ok()? {
        GardenObject::Project(project) => project.spec.namespace,
        _ => None,
    }
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
