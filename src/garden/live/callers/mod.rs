// SPDX-License-Identifier: Apache-2.0
//! Authentication and authorization of callers that present a bearer token of the API server.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::authentication::v1::{
    TokenReview, TokenReviewSpec, UserInfo as AuthenticatedUser,
};
use kube::api::PostParams;
use kube::{Api, Client};

use super::LiveClient;
use super::access::Accesses;
use super::asker::{Asker, Key, Users};
use super::cache::{Answer, AnswerCache};
use super::error::reason;
use super::share::Share;
use garden_gate_core::garden::AccessQuestion;
use garden_gate_model::api::UserInfo;

/// Maximum number of concurrent TokenReviews.
const AT_A_TIME: usize = 4;
/// Cache size for several hundred users, in bytes.
const MOST_BYTES: u64 = 512 << 10;
/// Cache lifetime of a valid token, which delays its revocation.
const VALID: Duration = Duration::from_secs(10);
/// Cache lifetime of an invalid token.
const INVALID: Duration = Duration::from_secs(5);

/// The users of an API server who call garden-gate.
///
/// Their questions have separate limits, so that they never delay those of reviews.
pub struct Callers {
    client: Arc<LiveClient>,
    tokens: AnswerCache<Authenticated>,
    accesses: Accesses,
    users: Users,
}

/// The user of a token, `None` if it is invalid, or the reason for a failure.
type Authenticated = Result<Option<Arc<UserInfo>>, String>;

/// An authenticated user.
#[derive(Clone, Debug)]
pub struct Caller {
    user: Arc<UserInfo>,
    peer: Option<IpAddr>,
}

impl Caller {
    /// Returns the name of the user.
    pub fn name(&self) -> &str {
        &self.user.username
    }

    /// Returns the groups of the user.
    pub fn groups(&self) -> &[String] {
        &self.user.groups
    }
}

impl std::fmt::Debug for Callers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callers").finish_non_exhaustive()
    }
}

impl Answer for Authenticated {
    fn lifetime(&self) -> Duration {
        match self {
            Ok(Some(_)) => VALID,
            Ok(None) => INVALID,
            Err(_) => Duration::ZERO,
        }
    }

    fn size(&self) -> usize {
        let Ok(Some(user)) = self else {
            return 0;
        };
        let extra = user.extra.iter().flat_map(|(key, values)| [key].into_iter().chain(values));
        let strings = [&user.username, &user.uid].into_iter().chain(&user.groups);
        let lengths = strings.chain(extra).map(|it| size_of::<String>() + it.len());
        lengths.sum()
    }
}

impl Callers {
    /// Creates the callers of the API server of `client`.
    pub fn new(client: Arc<LiveClient>) -> Self {
        Self {
            client,
            tokens: AnswerCache::new(Share::new(AT_A_TIME), MOST_BYTES),
            accesses: Accesses::default(),
            users: Users::default(),
        }
    }

    /// Returns the user of a token, by a TokenReview or its cached result; `None` if the token is invalid.
    ///
    /// Only a digest of the token is kept.
    ///
    /// # Errors
    /// Fails with the reason if the review fails.
    pub async fn authenticate(
        &self,
        peer: Option<IpAddr>,
        token: &str,
    ) -> Result<Option<Caller>, String> {
        let key = Key::of(&[token.as_bytes()]);
        let asker = self.users.asker_of(peer, key);
        let ask = review(self.client.client(), token.to_owned());
        let answer = self.tokens.get(key, &asker, ask).await?;
        let is_valid = answer.as_ref().map(Option::is_some).map_err(Clone::clone);
        self.users.answered(&asker, &is_valid);
        Ok(answer?.map(|user| Caller { user, peer }))
    }

    /// Reports whether a caller has a permission, by a SubjectAccessReview or its cached result.
    ///
    /// # Errors
    /// Fails with the reason if the review fails.
    pub async fn has_access(
        &self,
        caller: &Caller,
        question: &AccessQuestion,
    ) -> Result<bool, String> {
        let Caller { user, peer } = caller;
        let asker: Asker = self.users.asker(*peer, user);
        let client = self.client.client();
        let answer = self.accesses.get(client, &asker, user, question).await;
        self.users.answered(&asker, &answer);
        answer
    }
}

async fn review(client: Client, token: String) -> Authenticated {
    let api: Api<TokenReview> = Api::all(client);
    let review = TokenReview {
        spec: TokenReviewSpec { token: Some(token), ..TokenReviewSpec::default() },
        ..TokenReview::default()
    };
    let answer = api.create(&PostParams::default(), &review).await;
    match answer.map(|review| review.status.unwrap_or_default()) {
        Ok(status) => {
            let user = status
                .user
                .filter(|_| status.authenticated == Some(true))
                .map(user_info)
                .filter(|it| !it.username.is_empty());
            Ok(user.map(Arc::new))
        }
        Err(error) => Err(format!("failed to create a TokenReview: {}", reason(&error))),
    }
}

fn user_info(user: AuthenticatedUser) -> UserInfo {
    UserInfo {
        username: user.username.unwrap_or_default(),
        uid: user.uid.unwrap_or_default(),
        groups: user.groups.unwrap_or_default(),
        extra: user.extra.unwrap_or_default(),
    }
}
