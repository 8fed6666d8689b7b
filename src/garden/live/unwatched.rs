use std::sync::Arc;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{ApiResource, DynamicObject, GroupVersionKind, ListParams};
use kube::{Api, Client, Resource};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::LiveGarden;
use super::ask::{is_absent, is_name};
use super::cache::{Asked, Fresh, Key};
use super::error::reason;
use super::share::Share;
use crate::model::{DomainSecret, GARDEN_NAMESPACE, RegionConfig, WorkloadIdentity};

/// Answers to questions that are asked each time.
#[derive(Debug)]
pub(super) struct Unwatched {
    region_configs: Asked<Fresh<Result<Vec<Arc<RegionConfig>>, String>>>,
    default_domains: Asked<Fresh<Result<Vec<String>, String>>>,
    workload_identities: Asked<Fresh<Result<Option<Arc<WorkloadIdentity>>, String>>>,
}

impl Unwatched {
    pub(super) fn new(share: &Share) -> Self {
        Self {
            region_configs: Asked::new(share.clone(), 0),
            default_domains: Asked::new(share.clone(), 0),
            workload_identities: Asked::new(share.clone(), 0),
        }
    }
}

/// What so few requests need that it is not watched: it is asked for each time.
impl LiveGarden {
    /// The ConfigMaps with distances between regions, by name.
    ///
    /// # Errors
    /// Why the API server cannot be asked, or what is wrong with what it says.
    pub async fn region_configs(&self) -> Result<Vec<Arc<RegionConfig>>, String> {
        let client = self.client();
        let ask = async move { Fresh(region_configs(client).await) };
        let asked = &self.unwatched.region_configs;
        asked.get(Key::of(&[]), false, ask).await?.0
    }

    /// The default domains of the landscape. Of the Secrets only the metadata is asked for.
    ///
    /// # Errors
    /// As in [`Self::region_configs`].
    pub async fn default_domains(&self) -> Result<Vec<String>, String> {
        let client = self.client();
        let ask = async move { Fresh(default_domains(client).await) };
        let asked = &self.unwatched.default_domains;
        asked.get(Key::of(&[]), false, ask).await?.0
    }

    /// The WorkloadIdentity called `name` in `namespace`.
    ///
    /// # Errors
    /// As in [`Self::region_configs`].
    pub async fn workload_identity(
        &self,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Arc<WorkloadIdentity>>, String> {
        // Names come from users' objects. Nothing else can exist, and nothing else may get into a path.
        if !is_name(name) || !is_name(namespace) {
            return Ok(None);
        }
        let key = Key::of(&[namespace.as_bytes(), name.as_bytes()]);
        let (client, namespace) = (self.client(), namespace.to_owned());
        let name = name.to_owned();
        let ask = async move { Fresh(workload_identity(client, &namespace, &name).await) };
        let asked = &self.unwatched.workload_identities;
        asked.get(key, false, ask).await?.0
    }
}

async fn region_configs(client: Client) -> Result<Vec<Arc<RegionConfig>>, String> {
    let api: Api<ConfigMap> = Api::namespaced(client, GARDEN_NAMESPACE);
    let list = api.list(&labelled(RegionConfig::LABEL)).await;
    let list = list.map_err(|error| failed("list", "configmaps", &error))?;
    let configs = list.items.iter().map(|it| reread(it).map(Arc::new));
    let mut configs: Vec<Arc<RegionConfig>> = configs.collect::<Result<_, _>>()?;
    configs.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    Ok(configs)
}

async fn default_domains(client: Client) -> Result<Vec<String>, String> {
    let api: Api<Secret> = Api::namespaced(client, GARDEN_NAMESPACE);
    let list = api.list_metadata(&labelled(DomainSecret::LABEL)).await;
    let list = list.map_err(|error| failed("list", "secrets", &error))?;
    let mut domains = Vec::new();
    for secret in &list.items {
        let secret: DomainSecret = reread(secret)?;
        domains.extend(secret.domain()?.map(str::to_owned));
    }
    Ok(domains)
}

async fn workload_identity(
    client: Client,
    namespace: &str,
    name: &str,
) -> Result<Option<Arc<WorkloadIdentity>>, String> {
    let kind = GroupVersionKind::gvk("security.gardener.cloud", "v1alpha1", "WorkloadIdentity");
    let resource = ApiResource::from_gvk_with_plural(&kind, "workloadidentities");
    let api: Api<DynamicObject> = Api::namespaced_with(client, namespace, &resource);
    match api.get(name).await {
        Ok(object) => Ok(Some(Arc::new(reread(&object)?))),
        Err(error) if is_absent(&error, name) => Ok(None),
        Err(error) => Err(failed(
            "get",
            "workloadidentities.security.gardener.cloud",
            &error,
        )),
    }
}

fn labelled((label, value): (&str, &str)) -> ListParams {
    ListParams::default().labels(&format!("{label}={value}"))
}

/// An object as the model that rules know.
fn reread<T: DeserializeOwned>(object: &(impl Serialize + Resource)) -> Result<T, String> {
    let value = serde_json::to_value(object).map_err(|error| error.to_string())?;
    serde_json::from_value(value).map_err(|error| {
        let name = object.meta().name.as_deref().unwrap_or_default();
        format!("`{name}` does not have the shape of its kind: {error}")
    })
}

fn failed(verb: &str, what: &str, error: &kube::Error) -> String {
    format!("failed to {verb} {what}: {}", reason(error))
}
