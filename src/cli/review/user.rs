//! The requesting user on the command line.

use clap::Args;

use crate::review::cluster::Live;
use garden_gate_core::policies::{OwnPolicy, PolicyCache};
use garden_gate_model::api::UserInfo;
use garden_gate_products::review::change_set::{AccessReviewer, Applier};

/// The requesting user of manifests.
#[derive(Args, Debug)]
#[command(next_help_heading = "Requesting user")]
pub(crate) struct RequestingUser {
    /// Requesting user of manifests.
    ///
    /// Without a user, required verbs are listed, but not checked. AdmissionReviews have their own user.
    #[arg(long = "as", value_name = "USER")]
    user: Option<String>,

    /// Group of the user; may be given several times.
    #[arg(long = "as-group", value_name = "GROUP")]
    groups: Vec<String>,
}

impl RequestingUser {
    /// Returns the requesting user.
    ///
    /// A named user is in `system:authenticated`, as behind an API server. Without a named user, stored values contain
    /// a placeholder.
    pub(crate) fn applier<'a>(
        &self,
        live: Option<&'a Live>,
        own_policies: Vec<OwnPolicy>,
    ) -> Applier<'a> {
        let name = self.user.as_deref().unwrap_or(Applier::UNNAMED);
        let standard = match self.user.as_deref() {
            None | Some("system:anonymous") => "system:unauthenticated",
            Some(_) => "system:authenticated",
        };
        let groups = self.groups.iter().map(String::as_str).chain([standard]);
        let user = UserInfo {
            username: name.to_owned(),
            groups: groups.map(str::to_owned).collect(),
            ..UserInfo::default()
        };
        Applier {
            user,
            is_named: self.user.is_some() || !self.groups.is_empty(),
            access: live.map(|it| it as &dyn AccessReviewer),
            policies: PolicyCache::default(),
            own_policies,
        }
    }
}
