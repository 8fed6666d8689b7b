// SPDX-License-Identifier: Apache-2.0
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{StreamExt as _, stream};
use http::{Method, Request};
use http_body_util::Limited;
use kube::client::Body;
use kube::core::Status;
use kube::{Client, Resource as _};
use tower::{BoxError, service_fn};

use super::Connection;
use super::ask::is_name;
use super::error::{innermost, reason};
use super::object::Object;
use super::pages::RESPONSE_LIMIT;
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::UserInfo;

/// Maximum number of concurrent dry runs.
/// Each may occupy the API server and its webhooks for seconds.
const AT_A_TIME: usize = 8;
/// Number of consecutive requests without a response after which the remaining ones are skipped.
const MOST_SILENT: usize = 3;
/// Query of a dry run with strict field validation: unknown and duplicate fields are errors.
const QUERY: &str = "dryRun=All&fieldValidation=Strict";

/// Groups that the API server adds to all users to whom they apply.
const IMPLIED: [&str; 2] = ["system:authenticated", "system:unauthenticated"];

/// The requested operation on an object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Intent {
    /// Creation of this object, as JSON.
    Create(String),
    /// Replacement of the stored object by this one, as JSON with `resourceVersion`.
    Update(String),
    /// Deletion.
    Delete,
}

impl Intent {
    fn verb(&self) -> &'static str {
        match self {
            Intent::Create(_) => "create",
            Intent::Update(_) => "update",
            Intent::Delete => "delete",
        }
    }
}

/// The result of a dry run.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum DryRun {
    /// The API server would allow the operation.
    Allowed,
    /// The API server would refuse the operation.
    Refused {
        /// The HTTP status code.
        code: u16,
        /// The message of the API server.
        message: String,
    },
    /// The API server did not evaluate the object; the string is the reason.
    Unanswered(String),
}

impl Connection {
    /// Sends each request as a dry run, and returns the results in the same order.
    ///
    /// `user` is impersonated if it is set. `report` is called after each response.
    pub async fn dry_run(
        &self,
        requests: &[(ObjectKey, Intent)],
        user: Option<&UserInfo>,
        report: impl Fn() + Sync,
    ) -> Vec<DryRun> {
        let (client, report, silent) =
            (bounded(self.client.client()), &report, &AtomicUsize::default());
        let asked = stream::iter(requests).map(|(key, intent)| {
            let client = client.clone();
            async move {
                if silent.load(Ordering::Relaxed) >= MOST_SILENT {
                    let why = "it was not asked, as it had not answered before";
                    return DryRun::Unanswered(why.to_owned());
                }
                let answer = ask(client, key, intent, user).await;
                match &answer {
                    Err(_) => silent.fetch_add(1, Ordering::Relaxed),
                    Ok(_) => silent.swap(0, Ordering::Relaxed),
                };
                report();
                answer.unwrap_or_else(DryRun::Unanswered)
            }
        });
        asked.buffered(AT_A_TIME).collect().await
    }
}

/// Sends one request.
/// Fails with the reason if there is no response.
async fn ask(
    client: Client,
    key: &ObjectKey,
    intent: &Intent,
    user: Option<&UserInfo>,
) -> Result<DryRun, String> {
    let request = match request(key, intent, user) {
        Ok(request) => request,
        Err(why) => return Ok(DryRun::Unanswered(why)),
    };
    match client.request_text(request).await {
        Ok(_) => Ok(DryRun::Allowed),
        Err(kube::Error::Api(status)) => Ok(answer(key, intent, *status)),
        Err(error) => Err(innermost(&error)),
    }
}

fn request(
    key: &ObjectKey,
    intent: &Intent,
    user: Option<&UserInfo>,
) -> Result<Request<Vec<u8>>, String> {
    let ObjectKey { kind, namespace, name } = key;
    // Other namespaces must not alter the URL path.
    if kind.is_namespaced() != is_name(namespace) {
        return Err("the object is in no namespace that there can be".to_owned());
    }
    let namespace = kind.is_namespaced().then_some(namespace.as_str());
    let collection = Object::url_path(kind, namespace);
    let (method, path, body) = match intent {
        Intent::Create(object) => (Method::POST, collection, object.as_str()),
        _ if !is_name(name) => return Err("the object has no name that there can be".to_owned()),
        Intent::Update(object) => (Method::PUT, format!("{collection}/{name}"), object.as_str()),
        Intent::Delete => (Method::DELETE, format!("{collection}/{name}"), ""),
    };
    let mut request = Request::builder()
        .method(method)
        .uri(format!("{path}?{QUERY}"))
        .header("content-type", "application/json");
    if let Some(user) = user {
        request = request.header("impersonate-user", &user.username);
        let groups = user.groups.iter().filter(|it| !IMPLIED.contains(&it.as_str()));
        for group in groups {
            request = request.header("impersonate-group", group);
        }
    }
    request.body(body.as_bytes().to_vec()).map_err(|error| error.to_string())
}

/// Converts an error status.
///
/// Statuses that are not a verdict on the object are `Unanswered`:
/// missing permissions, conflicts and server errors.
fn answer(key: &ObjectKey, intent: &Intent, status: Status) -> DryRun {
    let says = || reason(&kube::Error::Api(Box::new(status.clone())));
    let resource = key.kind.resource();
    let may_not = format!("cannot {} resource \"{resource}\"", intent.verb());
    match status.code {
        401 | 409 | 429 | 500.. => DryRun::Unanswered(says()),
        403 if status.message.contains(&may_not) => DryRun::Unanswered(format!(
            "{}; who asks needs the verb {} on {}, for a dry run, too",
            says(),
            intent.verb(),
            key.kind.full_resource()
        )),
        403 if status.message.contains("cannot impersonate resource") => DryRun::Unanswered(says()),
        404 if is_about_the_object(key, &status) => DryRun::Unanswered(says()),
        code => DryRun::Refused { code, message: status.message.trim().to_owned() },
    }
}

/// Reports whether a 404 status concerns the object or its kind, rather than a dependency.
///
/// A dependency is, for example, the namespace.
fn is_about_the_object(key: &ObjectKey, status: &Status) -> bool {
    let details = status.details.as_ref();
    let about = details.map(|details| (details.kind.as_str(), details.name.as_str()));
    about.is_none_or(|(kind, name)| {
        name.is_empty() || (kind == key.kind.resource() && name == key.name)
    })
}

/// Returns a client that reads at most `RESPONSE_LIMIT` bytes of a response.
fn bounded(client: Client) -> Client {
    let namespace = client.default_namespace().to_owned();
    let most = usize::try_from(RESPONSE_LIMIT).unwrap_or(usize::MAX);
    let service = service_fn(move |request: Request<Body>| {
        let client = client.clone();
        async move {
            let response = client.send(request).await?;
            Ok::<_, BoxError>(response.map(|body| Limited::new(body, most)))
        }
    });
    Client::new(service, namespace)
}
