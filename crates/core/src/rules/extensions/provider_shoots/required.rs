// SPDX-License-Identifier: Apache-2.0
use serde::de::DeserializeOwned;

use crate::admission::{ErrorType, FieldPath, FindingKind, Findings};
use crate::rules::extensions::{Component, Failure};
use garden_gate_model::api::extensions::ConfigurationPlace;

/// A configuration in `spec.provider` that every Shoot of a provider has.
pub(crate) struct RequiredConfiguration {
    pub(crate) place: ConfigurationPlace,
    /// The name of the field, such as `infrastructureConfig`.
    pub(crate) name: &'static str,
    /// The error of a configuration that cannot be decoded.
    pub(crate) failure: Failure,
    /// The finding of a Shoot without the configuration.
    pub(crate) missing: &'static FindingKind,
    /// The error of a stored Shoot without the configuration.
    pub(crate) missing_in_stored: ErrorType,
    /// The message and the help for a new Shoot without the configuration.
    pub(crate) message: String,
    pub(crate) help: String,
}

impl RequiredConfiguration {
    /// Decodes the configuration of the new or the stored Shoot; that of the stored one leniently.
    pub(crate) fn decode<T: DeserializeOwned>(
        self,
        component: &Component<'_, '_>,
        is_stored: bool,
        findings: &mut Findings,
    ) -> Option<T> {
        let documents =
            if is_stored { component.old_documents() } else { component.new_documents() };
        match documents.at(self.place) {
            Some(document) if is_stored => {
                component.decode_leniently(document, &self.failure, findings)
            }
            Some(document) => component.decode(document, &self.failure, findings),
            None => {
                self.report_missing(is_stored, findings);
                None
            }
        }
    }

    fn report_missing(self, is_stored: bool, findings: &mut Findings) {
        let name = self.name;
        let (error, message, help) = if is_stored {
            (
                self.missing_in_stored,
                format!("the stored Shoot has no `{name}`, so it cannot be updated"),
                "only garden operators can repair it".to_owned(),
            )
        } else {
            (ErrorType::Required, self.message, self.help)
        };
        let place = FieldPath::new("spec.provider").child(name);
        findings.report(self.missing, error, place, message).help(help);
    }
}
