// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use kube::Client;
use serde_json::Value;

use super::ask::{failed, is_absent, is_name};
use super::error::{innermost, reason};
use super::label_lookup::read_parts;
use super::name_lookup::ask_for_names;
use super::object::Object;
use super::pages;
use super::{Connection, LiveError};
use garden_gate_core::garden::texts::ShootFilter;
use garden_gate_core::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use garden_gate_model::api::{CORE_GROUP, ConfigMapData, Kind, Retrieval};
use garden_gate_text::json::Json;

/// Maximum number of pages, which ends the list even if the API server returns pages endlessly.
const MOST_PAGES: usize = 1_000_000;
/// Maximum attempts for a list.
///
/// Pages expire after some minutes; more attempts would probably fail, too.
const TRIES: usize = 3;
/// Maximum number of concurrent requests, for kinds and for single objects.
const AT_A_TIME: usize = 8;
/// Maximum number of namespaces that are listed one by one if the user cannot list the whole cluster.
const MOST_NAMESPACES: usize = 50;

/// The objects and kinds to load from a garden.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// Kinds of which all objects are parsed for lookups.
    pub kinds: BTreeSet<Kind>,
    /// Objects that are needed as a whole, as stored.
    pub wanted: BTreeSet<ObjectKey>,
    /// Kinds of which all objects are needed as a whole, as stored.
    pub whole: BTreeSet<Kind>,
    /// Shoots that are needed as a whole, as stored; `None` for none.
    pub shoots: Option<Arc<ShootFilter>>,
    /// Objects that are only checked for existence, by their metadata.
    pub names: BTreeSet<ObjectKey>,
    /// ConfigMaps whose values may configure API servers of Shoots.
    pub config_maps: BTreeSet<ObjectKey>,
    /// The namespaces to list if the user cannot list the whole cluster.
    pub namespaces: BTreeSet<String>,
}

/// A garden that was listed once from an API server.
#[derive(Debug)]
pub struct ListedGarden {
    /// The snapshot.
    ///
    /// Unlisted kinds are marked as unknown with the reason, and permissions are asked for.
    pub snapshot: Snapshot,
    /// The wanted objects that exist, as whole manifests.
    pub kept: HashMap<ObjectKey, Value>,
    /// The wanted objects whose existence is unknown, with the reasons.
    pub unknown: BTreeMap<ObjectKey, String>,
}

/// The listed objects of a kind.
#[derive(Debug, Default)]
struct Listed {
    objects: Vec<GardenObject>,
    kept: Vec<(ObjectKey, Value)>,
}

/// The reason why a request failed.
#[derive(Debug)]
enum Failure {
    /// The API server refused the request or returned an invalid response.
    Refused(String),
    /// The API server does not serve the kind.
    NotServed(String),
    /// The API server rejects the credentials.
    Unauthorized(String),
    /// The API server does not respond.
    Silent(String),
}

impl Failure {
    fn of(kind: Kind, verb: &str, error: &kube::Error) -> Self {
        match error {
            kube::Error::Api(status) if status.code == 401 => Self::Unauthorized(reason(error)),
            kube::Error::Api(status) if status.code == 404 => {
                Self::NotServed(failed(kind, verb, error))
            }
            kube::Error::Api(_) | kube::Error::SerdeError(_) => {
                Self::Refused(failed(kind, verb, error))
            }
            other => Self::Silent(innermost(other)),
        }
    }

    fn why(self, kind: Kind, verb: &str) -> String {
        match self {
            Self::Refused(why) | Self::NotServed(why) => why,
            Self::Unauthorized(why) | Self::Silent(why) => {
                format!("failed to {verb} {}: {why}", kind.full_resource())
            }
        }
    }
}

impl Connection {
    /// Lists each needed kind once, in pages, and parses the fields that rules read.
    ///
    /// `report` is called with the number of objects of every page.
    /// A kind that cannot be listed is unknown in the snapshot, except for the objects in `needs.namespaces`.
    ///
    /// # Errors
    /// Fails if the API server does not respond, rejects the credentials, or is not a garden cluster.
    pub async fn list(
        &self,
        needs: &Needs,
        report: impl Fn(usize) + Sync,
    ) -> Result<ListedGarden, LiveError> {
        let lister = &Lister { client: self.client.client(), needs, report: &report };
        let kinds = needs.kinds.iter().copied().filter(|kind| kind.known() != Retrieval::Never);
        let listed: Vec<_> = stream::iter(kinds)
            .map(|kind| async move { (kind, lister.kind(kind).await) })
            .buffered(AT_A_TIME)
            .collect()
            .await;
        self.fail_without_answers(&listed)?;
        Ok(lister.garden(listed).await)
    }

    /// Fails if the credentials are rejected, or if no request was answered.
    ///
    /// Also fails if no kind of Gardener is served: the cluster is not a garden, but perhaps a Shoot.
    fn fail_without_answers(
        &self,
        listed: &[(Kind, Result<Listed, Failure>)],
    ) -> Result<(), LiveError> {
        let address = || self.address.clone();
        let mut is_silent = true;
        for (_, result) in listed {
            match result {
                Err(Failure::Unauthorized(why)) => {
                    let (address, why) = (address(), why.clone());
                    return Err(LiveError::Unauthorized { address, why });
                }
                Err(Failure::Silent(_)) => {}
                _ => is_silent = false,
            }
        }
        let mut of_gardener = listed.iter().filter(|(kind, _)| is_of_gardener(*kind));
        if let Some((kind, Err(Failure::NotServed(_)))) = of_gardener.next()
            && of_gardener.all(|(_, result)| matches!(result, Err(Failure::NotServed(_))))
        {
            let (address, resource) = (address(), kind.full_resource());
            return Err(LiveError::NotAGarden { address, resource });
        }
        match listed.first() {
            Some((_, Err(Failure::Silent(why)))) if is_silent => {
                Err(LiveError::Unreachable { address: address(), why: why.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// Lists the kinds of one garden.
struct Lister<'a, T> {
    client: Client,
    needs: &'a Needs,
    report: &'a T,
}

impl<T: Fn(usize) + Sync> Lister<'_, T> {
    async fn kind(&self, kind: Kind) -> Result<Listed, Failure> {
        self.list(kind, kind.home()).await
    }

    /// Lists a kind in a namespace.
    /// Restarts if pages expire before they are read.
    async fn list(&self, kind: Kind, namespace: &str) -> Result<Listed, Failure> {
        for _ in 0..TRIES {
            match self.pages(kind, namespace).await {
                Err(kube::Error::Api(status)) if status.code == 410 => {}
                Err(error) => return Err(Failure::of(kind, "list", &error)),
                Ok(listed) => return listed.map_err(Failure::Refused),
            }
        }
        let resource = kind.full_resource();
        let why = format!("failed to list {resource}: its pages expired {TRIES} times");
        Err(Failure::Refused(why))
    }

    async fn pages(
        &self,
        kind: Kind,
        namespace: &str,
    ) -> Result<Result<Listed, String>, kube::Error> {
        let mut pages = read_parts(self.client.clone(), kind, namespace);
        let is_whole = is_whole(kind);
        let mut listed = Listed::default();
        for _ in 0..MOST_PAGES {
            let Some(page) = pages.next().await? else {
                return Ok(Ok(listed));
            };
            (self.report)(page.len());
            for object in page {
                if is_whole {
                    self.keep(&object, kind, &mut listed);
                } else {
                    match object.read(kind) {
                        Ok(object) => listed.objects.push(object),
                        Err(why) => return Ok(Err(why)),
                    }
                }
            }
        }
        Ok(Err(format!("the list of {} does not end", kind.full_resource())))
    }

    fn keep(&self, object: &Object, kind: Kind, listed: &mut Listed) {
        let key = object.key(kind);
        let is_wanted = self.needs.wanted.contains(&key);
        let kept = object.keep_with_configuration(kind);
        let is_meant = || self.needs.shoots.as_ref().is_some_and(|shoots| shoots.takes(&kept));
        if is_wanted || self.needs.whole.contains(&kind) || is_meant() {
            let manifest =
                if is_wanted { object.manifest_with_managers(kind) } else { object.manifest(kind) };
            let manifest = Json::text(manifest.get()).to_value();
            listed.kept.push((key, manifest));
        }
        listed.objects.push(kept);
    }

    /// Combines the listed objects, and requests the remaining wanted objects.
    async fn garden(&self, listed: Vec<(Kind, Result<Listed, Failure>)>) -> ListedGarden {
        let mut snapshot = Snapshot::new(Knowledge::Everything).asking_for_verbs();
        for kind in Kind::ALL.iter().filter(|kind| is_withheld(**kind)) {
            snapshot.withhold(*kind, format!("{} were not listed", kind.full_resource()));
        }
        let mut garden = ListedGarden { snapshot, kept: HashMap::new(), unknown: BTreeMap::new() };
        let mut complete = BTreeSet::new();
        for (kind, result) in listed {
            match result {
                Ok(Listed { objects, kept }) => {
                    garden.snapshot.list(kind, objects);
                    garden.kept.extend(kept);
                    if is_whole(kind) {
                        complete.insert(kind);
                    }
                }
                Err(failure) => {
                    let is_refused = matches!(failure, Failure::Refused(_));
                    garden.snapshot.withhold(kind, failure.why(kind, "list"));
                    if is_refused {
                        self.show(kind, &mut garden).await;
                    }
                }
            }
        }
        self.ask_for_wanted(&complete, &mut garden).await;
        let Needs { names, config_maps, .. } = self.needs;
        let others = names.difference(config_maps).cloned().collect();
        for (key, answer) in ask_for_names(&self.client, &others).await {
            garden.snapshot.answer_named(key, answer);
        }
        let asked = config_maps.iter().map(|key| async move {
            let found = self.get(key).await;
            (key.clone(), found.and_then(|it| it.map(data).transpose()))
        });
        let mut answers = stream::iter(asked).buffered(AT_A_TIME);
        while let Some((key, answer)) = answers.next().await {
            garden.snapshot.answer_config_map(key, answer);
        }
        garden
    }

    /// Adds the visible objects of a kind that cannot be listed cluster-wide.
    ///
    /// These are the objects in `needs.namespaces`, and the Projects with the default names for these namespaces.
    async fn show(&self, kind: Kind, garden: &mut ListedGarden) {
        let namespaces =
            self.needs.namespaces.iter().filter(|it| is_name(it)).take(MOST_NAMESPACES);
        if kind == Kind::Project {
            for namespace in namespaces {
                let name = namespace.strip_prefix("garden-").unwrap_or(namespace);
                let key = ObjectKey::named(kind, name);
                if let Ok(Some(project)) = self.get(&key).await {
                    garden.snapshot.apply(project.keep(kind));
                }
            }
        } else if kind.is_namespaced() && kind.home().is_empty() {
            for namespace in namespaces {
                if let Ok(Listed { objects, kept }) = self.list(kind, namespace).await {
                    for it in objects {
                        garden.snapshot.apply(it);
                    }
                    garden.kept.extend(kept);
                }
            }
        }
    }

    /// Requests the wanted objects that no list contained, one by one.
    async fn ask_for_wanted(&self, complete: &BTreeSet<Kind>, garden: &mut ListedGarden) {
        let wanted = self.needs.wanted.iter();
        let missing = wanted.filter(|key| {
            let is_asked = !complete.contains(&key.kind) && !key.kind.is_outside_garden();
            is_asked && !garden.kept.contains_key(key)
        });
        // `garden.kept` changes in the loop.
        let missing: Vec<&ObjectKey> = missing.collect();
        let asked = stream::iter(missing).map(|key| async move { (key, self.get(key).await) });
        let mut answers = asked.buffered(AT_A_TIME);
        while let Some((key, answer)) = answers.next().await {
            match answer {
                Ok(Some(object)) => {
                    if key.kind.known() != Retrieval::Never {
                        garden.snapshot.apply(object.keep(key.kind));
                    }
                    let manifest = object.manifest_with_managers(key.kind);
                    let manifest = Json::text(manifest.get()).to_value();
                    garden.kept.insert(key.clone(), manifest);
                }
                Ok(None) => garden.snapshot = garden.snapshot.without([key.clone()]),
                Err(why) => {
                    garden.unknown.insert(key.clone(), why);
                }
            }
        }
    }

    async fn get(&self, key: &ObjectKey) -> Result<Option<Object>, String> {
        let ObjectKey { kind, namespace, name } = key;
        // Other names cannot exist, and names must not alter the URL path.
        if !is_name(name) || kind.is_namespaced() != is_name(namespace) {
            return Ok(None);
        }
        match pages::get(&self.client, *kind, namespace, name).await {
            Ok(object) => Ok(Some(object)),
            Err(error) if is_absent(&error, name) => Ok(None),
            Err(error) => Err(Failure::of(*kind, "get", &error).why(*kind, "get")),
        }
    }
}

/// Returns the values of a ConfigMap.
fn data(object: Object) -> Result<ConfigMapData, String> {
    let GardenObject::ConfigMap(config_map) = object.read(Kind::ConfigMap)? else {
        return Err(format!("{} is no ConfigMap", object.key(Kind::ConfigMap)));
    };
    let data = ConfigMapData::of(|key| config_map.data.get(key).cloned());
    data.ok_or_else(|| format!("{} is too large", object.key(Kind::ConfigMap)))
}

fn is_of_gardener(kind: Kind) -> bool {
    kind.api().0 == CORE_GROUP
}

/// Reports whether whole objects are listed instead of metadata.
fn is_whole(kind: Kind) -> bool {
    match kind.known() {
        Retrieval::Collected => false,
        Retrieval::Labelled { whole, .. } => whole,
        _ => true,
    }
}

/// Reports whether a kind that was not listed counts as unknown.
/// Kinds that only directories contain do not.
fn is_withheld(kind: Kind) -> bool {
    !matches!(
        kind.known(),
        Retrieval::Files | Retrieval::WatchedIfRead | Retrieval::Optional | Retrieval::Never
    )
}
