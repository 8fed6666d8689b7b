// SPDX-License-Identifier: Apache-2.0
//! The requesting user on the command line.

use std::sync::Arc;

use clap::Args;

use crate::review::cluster::Live;
use garden_gate_core::policies::OwnPolicy;
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
    /// Reports whether a user or a group is named.
    pub(super) fn is_named(&self) -> bool {
        self.user.is_some() || !self.groups.is_empty()
    }

    /// Returns the requesting user.
    pub(crate) fn applier<'a>(
        &self,
        live: Option<&'a Live>,
        own_policies: Arc<[OwnPolicy]>,
    ) -> Applier<'a> {
        Applier {
            access: live.map(|it| it as &dyn AccessReviewer),
            own_policies,
            ..Applier::new(self.user.as_deref(), &self.groups)
        }
    }
}
