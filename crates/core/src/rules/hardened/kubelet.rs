// SPDX-License-Identifier: Apache-2.0
use crate::rules::shared::lists::short;
use crate::rules::shared::validation::Part;

/// Configuration of all kubelets of a Shoot, or of those in one worker pool.
pub(super) struct Kubelet<'a> {
    /// The worker pool; `None` for all kubelets.
    pool: Option<Part<'a>>,
    /// The configuration.
    pub(super) settings: Part<'a>,
}

impl<'a> Kubelet<'a> {
    /// Returns the configurations in a Shoot, the common one first.
    pub(super) fn all(shoot: &Part<'a>) -> impl Iterator<Item = Self> + use<'a> {
        let common = shoot
            .at(&["spec", "kubernetes", "kubelet"])
            .map(|settings| Self { pool: None, settings });
        let pools = shoot.items_at(&["spec", "provider", "workers"]).into_iter();
        let own = pools.filter_map(|pool| {
            let settings = pool.at(&["kubernetes", "kubelet"])?;
            Some(Self { pool: Some(pool), settings })
        });
        common.into_iter().chain(own)
    }

    /// Returns the name in messages.
    pub(super) fn name(&self) -> String {
        match &self.pool {
            None => "the kubelets".to_owned(),
            Some(pool) => {
                let name = pool.text_at(&["name"]);
                format!("the kubelets of pool `{}`", short(&name))
            }
        }
    }
}
