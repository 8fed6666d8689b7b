use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kube::api::ListParams;
use kube::{Api, Client};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::LiveGarden;
use super::asker::Asker;
use super::cache::{Answer, Asked, Fresh, Key};
use super::error::reason;
use super::object::Object;
use super::pages::{self, Pages, Part};
use super::share::Share;
use crate::garden::{GardenObject, ObjectKey};
use crate::model::{Kind, Known};

/// Requests at a time. Most are for what does not exist, which anybody can make up: the watch shows the rest.
const AT_A_TIME: usize = 8;
/// Room for a thousand answers that there is no such thing.
const MOST_BYTES: u64 = 128 << 10;
/// Long enough for a client that tries again and again, short enough for one that has just created what was missing.
const ABSENT: Duration = Duration::from_secs(1);
/// All of them are listed no more often than this, whatever names are made up.
const BETWEEN_LISTS: Duration = Duration::from_millis(100);

const PROJECT: Kind = Kind::Project;

/// The answer to a lookup: the object, unread; or that there is none; or why that cannot be known.
type Found = Result<Option<Arc<Object>>, String>;
/// Which Projects own namespaces.
#[derive(Debug, Default)]
struct Owners {
    by_namespace: BTreeMap<String, String>,
    /// What is wrong with one that cannot be read, which may own any.
    unreadable: Option<String>,
}
/// The last list of all Projects, and when it was begun.
type LastList = Arc<Mutex<Option<(Instant, Arc<Owners>)>>>;

/// Answers to lookups.
#[derive(Debug)]
pub(super) struct Lookups {
    found: Asked<Found>,
    /// Of kinds that are not watched: nothing will show what is made after it was asked for.
    unwatched: Asked<Fresh<Found>>,
    /// Where the server cannot select Projects by namespace.
    owners: LastList,
}

impl Default for Lookups {
    fn default() -> Self {
        let share = Share::new(AT_A_TIME);
        Self {
            found: Asked::new(share.clone(), MOST_BYTES),
            unwatched: Asked::new(share, 0),
            owners: LastList::default(),
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
        asker: &Asker,
        namespace: &str,
    ) -> Result<Option<GardenObject>, String> {
        if !is_name(namespace) {
            return Ok(None);
        }
        let key = Key::of(&[PROJECT.as_str().as_bytes(), namespace.as_bytes()]);
        let ask = ask_for_project(
            self.client(),
            Arc::clone(&self.lookups.owners),
            namespace.to_owned(),
        );
        let found = self.lookups.found.get(key, asker, ask).await??;
        found.map(|project| project.read(PROJECT)).transpose()
    }

    /// An object of a kind that is watched or asked for, as the API server knows it now.
    ///
    /// # Errors
    /// As in [`Self::project_of_namespace`].
    pub async fn object(
        &self,
        asker: &Asker,
        key: &ObjectKey,
    ) -> Result<Option<GardenObject>, String> {
        let kind = key.kind;
        if !matches!(kind.known(), Known::Watched | Known::Asked) {
            return Err(format!("no {kind} can be looked up by its name"));
        }
        let found = self.get(asker, key).await?;
        found.map(|object| object.read(kind)).transpose()
    }

    async fn get(&self, asker: &Asker, key: &ObjectKey) -> Found {
        let ObjectKey {
            kind,
            namespace,
            name,
        } = key;
        // Names come from users' objects. Nothing else can exist, and nothing else may get into a path.
        if !is_name(name) || kind.is_namespaced() != is_name(namespace) {
            return Ok(None);
        }
        let key = Key::of(&[kind.as_str(), namespace, name].map(str::as_bytes));
        let ask = get(
            self.client(),
            *kind,
            (namespace.to_owned(), name.to_owned()),
        );
        if kind.known() == Known::Watched {
            return self.lookups.found.get(key, asker, ask).await?;
        }
        let ask = async move { Fresh(ask.await) };
        self.lookups.unwatched.get(key, asker, ask).await?.0
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

/// Who owned which namespace at some moment after `asked`: all who have asked by the time a list begins share it.
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

/// The outer result is that of the request; the inner one tells that a Project was found which cannot be read.
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

/// Of several Projects with the same namespace, the first by name.
async fn list_owners(client: &Client) -> Result<Arc<Owners>, String> {
    let mut owners = Owners::default();
    let (client, params) = (client.clone(), ListParams::default());
    let mut pages = Pages::new(client, PROJECT, "", Part::Whole, params);
    while let Some(page) = pages.next().await.transpose() {
        let page = page.map_err(|error| failed(PROJECT, "list", &error))?;
        page.iter().for_each(|project| owners.add(project));
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

/// The namespace that a Project owns, if it does.
fn namespace_of(project: &Object) -> Result<Option<String>, String> {
    match project.read(PROJECT)? {
        GardenObject::Project(project) => Ok(project.spec.namespace.clone()),
        _ => Ok(None),
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

pub(super) fn failed(kind: Kind, verb: &str, error: &kube::Error) -> String {
    format!(
        "failed to {verb} {}: {}",
        kind.full_resource(),
        reason(error)
    )
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
