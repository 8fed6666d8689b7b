// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kube::api::ListParams;
use kube::{Api, Client};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::asker::{Asker, Key};
use super::cache::{Answer, AnswerCache, Uncached};
use super::error::reason;
use super::object::Object;
use super::pages::{self, Pages, Part};
use super::share::Share;
use garden_gate_core::garden::{GardenObject, ObjectKey};
use garden_gate_model::api::{Kind, Retrieval};
use garden_gate_text::go::dns_subdomain_error;

/// Maximum number of concurrent requests.
///
/// Most concern nonexistent objects, since the watch shows the others.
const AT_A_TIME: usize = 8;
/// Cache size for about a thousand negative answers, in bytes.
const MOST_BYTES: u64 = 128 << 10;
/// Cache lifetime of negative answers: long enough for retries, short enough after a creation.
const ABSENT: Duration = Duration::from_secs(1);
/// Minimum interval between two lists of all Projects, regardless of the requested names.
const BETWEEN_LISTS: Duration = Duration::from_millis(100);

const PROJECT: Kind = Kind::Project;

/// The result of a lookup: the unparsed object, `None` if absent, or the reason for a failure.
type Found = Result<Option<Arc<Object>>, String>;
/// Maps namespaces to the Projects that own them.
#[derive(Debug, Default)]
struct Owners {
    by_namespace: BTreeMap<String, String>,
    /// The error of an unreadable Project, which may own any namespace.
    unreadable: Option<String>,
}
/// The last list of all Projects, with its start time.
type LastList = Arc<Mutex<Option<(Instant, Arc<Owners>)>>>;

/// Live lookups and their results.
#[derive(Debug)]
pub(super) struct Lookups {
    found: AnswerCache<Found>,
    /// Lookups of kinds that are not watched.
    ///
    /// They are never cached, since no watch would show a later creation.
    unwatched: AnswerCache<Uncached<Found>>,
    /// Used if the server cannot select Projects by namespace.
    owners: LastList,
}

impl Default for Lookups {
    fn default() -> Self {
        let share = Share::new(AT_A_TIME);
        Self {
            found: AnswerCache::new(share.clone(), MOST_BYTES),
            unwatched: AnswerCache::new(share, 0),
            owners: LastList::default(),
        }
    }
}

/// Found objects are not cached, since the watch shows them and their changes.
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

impl Lookups {
    /// The Project that owns `namespace`, as the API server knows it now; of several, the first by name.
    ///
    /// Uses the field selector of gardener-apiserver, or a list of all Projects if the selector is refused.
    /// The namespace's label is not sufficient: Gardener sets it some time after the Project is created.
    ///
    /// # Errors
    /// Why the API server cannot be asked, or what is wrong with the stored Project.
    pub(super) async fn project_of_namespace(
        &self,
        client: Client,
        asker: &Asker,
        namespace: &str,
    ) -> Result<Option<GardenObject>, String> {
        if !is_name(namespace) {
            return Ok(None);
        }
        let key = Key::of(&[PROJECT.as_str().as_bytes(), namespace.as_bytes()]);
        let ask = ask_for_project(client, Arc::clone(&self.owners), namespace.to_owned());
        let found = self.found.get(key, asker, ask).await??;
        found.map(|project| project.read(PROJECT)).transpose()
    }

    /// Returns the current state of an object of a kind that is watched or looked up live.
    ///
    /// # Errors
    /// As in [`Self::project_of_namespace`].
    pub(super) async fn object(
        &self,
        client: Client,
        asker: &Asker,
        key: &ObjectKey,
    ) -> Result<Option<GardenObject>, String> {
        let kind = key.kind;
        let is_watched = matches!(kind.known(), Retrieval::Watched | Retrieval::WatchedIfRead);
        if !is_watched && kind.known() != Retrieval::Asked {
            return Err(format!("no {kind} can be looked up by its name"));
        }
        let found = self.get(client, asker, key).await?;
        found.map(|object| object.read(kind)).transpose()
    }

    async fn get(&self, client: Client, asker: &Asker, key: &ObjectKey) -> Found {
        let ObjectKey { kind, namespace, name } = key;
        // Names come from users' objects. Objects with an invalid name cannot exist, and the name must not alter the
        // URL path.
        if !is_name(name) || kind.is_namespaced() != is_name(namespace) {
            return Ok(None);
        }
        let key = Key::of(&[kind.as_str(), namespace, name].map(str::as_bytes));
        let ask = get(client, *kind, (namespace.to_owned(), name.to_owned()));
        if kind.known() != Retrieval::Asked {
            return self.found.get(key, asker, ask).await?;
        }
        let ask = async move { Uncached(ask.await) };
        self.unwatched.get(key, asker, ask).await?.0
    }
}

async fn get(client: Client, kind: Kind, (namespace, name): (String, String)) -> Found {
    match pages::get(&client, kind, &namespace, &name).await {
        Ok(object) => Ok(Some(Arc::new(object))),
        Err(error) if is_absent(&error, &name) => Ok(None),
        Err(error) => Err(failed(kind, "get", &error)),
    }
}

async fn ask_for_project(client: Client, last: LastList, namespace: String) -> Found {
    let asked = Instant::now();
    match select_project(&client, &namespace).await {
        Ok(found) => found,
        Err(kube::Error::Api(status)) if status.code == 400 => {
            let owners = owners_since(asked, &last, &client).await?;
            let Some(name) = owners.by_namespace.get(&namespace) else {
                return owners.unreadable.clone().map_or(Ok(None), Err);
            };
            let found = get(client, PROJECT, (String::new(), name.clone())).await?;
            Ok(found.filter(|project| owns(project, &namespace)))
        }
        Err(error) => Err(failed(PROJECT, "list", &error)),
    }
}

/// Returns the owners of namespaces at some time after `asked`.
/// All callers that arrive before a list starts share it.
async fn owners_since(
    asked: Instant,
    last: &Mutex<Option<(Instant, Arc<Owners>)>>,
    client: &Client,
) -> Result<Arc<Owners>, String> {
    let mut last = last.lock().await;
    if let Some((begun, owners)) = &*last {
        if *begun >= asked {
            return Ok(Arc::clone(owners));
        }
        sleep_until(*begun + BETWEEN_LISTS).await;
    }
    let begun = Instant::now();
    let owners = list_owners(client).await?;
    *last = Some((begun, Arc::clone(&owners)));
    Ok(owners)
}

/// Requests the Project of a namespace.
///
/// The inner result is an error if a matching Project is unreadable.
async fn select_project(client: &Client, namespace: &str) -> Result<Found, kube::Error> {
    let selected = ListParams::default().fields(&format!("spec.namespace={namespace}"));
    let mut pages = Pages::new(client.clone(), PROJECT, "", Part::Whole, selected);
    while let Some(page) = pages.next().await? {
        for project in page {
            match namespace_of(&project) {
                Ok(own) if own.as_deref() == Some(namespace) => {
                    return Ok(Ok(Some(Arc::new(project))));
                }
                Ok(_) => {}
                Err(why) => return Ok(Err(why)),
            }
        }
    }
    Ok(Ok(None))
}

/// Lists the owners of all namespaces; of several Projects with the same namespace, the first by name.
async fn list_owners(client: &Client) -> Result<Arc<Owners>, String> {
    let mut owners = Owners::default();
    let (client, params) = (client.clone(), ListParams::default());
    let mut pages = Pages::new(client, PROJECT, "", Part::Whole, params);
    while let Some(page) = pages.next().await.transpose() {
        for project in &page.map_err(|error| failed(PROJECT, "list", &error))? {
            owners.add(project);
        }
    }
    Ok(Arc::new(owners))
}

impl Owners {
    fn add(&mut self, project: &Object) {
        match namespace_of(project) {
            Ok(Some(namespace)) => {
                let name = project.key(PROJECT).name;
                self.by_namespace.entry(namespace).or_insert(name);
            }
            Ok(None) => {}
            Err(why) => self.unreadable = Some(why),
        }
    }
}

pub(super) fn api(client: Client, kind: Kind, namespace: &str) -> Api<Object> {
    if namespace.is_empty() {
        Api::all_with(client, &kind)
    } else {
        Api::namespaced_with(client, namespace, &kind)
    }
}

fn owns(project: &Object, namespace: &str) -> bool {
    namespace_of(project).is_ok_and(|own| own.as_deref() == Some(namespace))
}

/// Returns the namespace that a Project owns, if any.
fn namespace_of(project: &Object) -> Result<Option<String>, String> {
    match project.read(PROJECT)? {
        GardenObject::Project(project) => Ok(project.spec.namespace.clone()),
        _ => Ok(None),
    }
}

/// Reports whether the error means that the object is absent, not that the kind is not served.
pub(super) fn is_absent(error: &kube::Error, name: &str) -> bool {
    let kube::Error::Api(status) = error else {
        return false;
    };
    let details = status.details.as_ref();
    status.code == 404 && details.is_some_and(|details| details.name == name)
}

pub(super) fn failed(kind: Kind, verb: &str, error: &kube::Error) -> String {
    format!("failed to {verb} {}: {}", kind.full_resource(), reason(error))
}

/// Reports whether a string is a valid name of an object or namespace in Kubernetes.
pub(super) fn is_name(name: &str) -> bool {
    dns_subdomain_error(name).is_none()
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
        for name in ["", "../secrets", "a/b", "a?b", "A", "a b", "-a", "a.", "ä", &long] {
            assert!(!is_name(name), "{name}");
        }
    }
}
