use kube::api::ListParams;
use kube::{Api, Resource};
use serde::Serialize;

use super::LiveGarden;
use super::ask::failed;
use super::asker::Asker;
use super::cache::{Asked, Fresh, Key};
use super::object::Object;
use super::share::Share;
use crate::garden::GardenObject;
use crate::model::{Kind, Known};

type Listed = Result<Vec<GardenObject>, String>;

/// Answers to questions about what is listed each time.
#[derive(Debug)]
pub(super) struct Unwatched(Asked<Fresh<Listed>>);

impl Unwatched {
    pub(super) fn new(share: &Share) -> Self {
        Self(Asked::new(share.clone(), 0))
    }
}

impl LiveGarden {
    /// All objects of a kind of which only those with a label are of interest. So few requests need them that they are not
    /// watched but listed each time; and only their metadata, where nothing else is read.
    ///
    /// # Errors
    /// Why the API server cannot be asked, or what is wrong with what it says.
    pub async fn labelled(&self, asker: &Asker, kind: Kind) -> Result<Vec<GardenObject>, String> {
        let Known::Labelled { label, whole } = kind.known() else {
            return Err(format!("no {kind} is known by a label"));
        };
        let api: Api<Object> = Api::namespaced_with(self.client(), kind.home(), &kind);
        let ask = async move { Fresh(list(api, kind, label, whole).await) };
        let key = Key::of(&[kind.as_str().as_bytes()]);
        self.unwatched.0.get(key, asker, ask).await?.0
    }
}

async fn list(api: Api<Object>, kind: Kind, label: (&str, &str), whole: bool) -> Listed {
    let params = ListParams::default().labels(&format!("{}={}", label.0, label.1));
    let failed = |error| failed(kind, "list", &error);
    if whole {
        let list = api.list(&params).await.map_err(failed)?;
        return list.items.iter().map(|it| it.read(kind)).collect();
    }
    let list = api.list_metadata(&params).await.map_err(failed)?;
    let objects = list.items.iter().map(|it| reread(it, kind));
    objects.collect()
}

pub(super) fn reread(
    object: &(impl Resource + Serialize),
    kind: Kind,
) -> Result<GardenObject, String> {
    let object = Object::of(object).map_err(|error| error.to_string())?;
    object.read(kind)
}
