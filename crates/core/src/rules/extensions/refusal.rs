// SPDX-License-Identifier: Apache-2.0
use super::component::Component;
use super::failure::{CommonFindings, Failure};
use crate::admission::{ErrorType, FieldPath, Findings};
use garden_gate_model::gardener::extensions::Refusal;

impl Component<'_, '_> {
    /// Reports the refusal of the extension's mutating webhook.
    pub(super) fn report(
        &self,
        refusal: &Refusal,
        common: CommonFindings,
        findings: &mut Findings,
    ) {
        match refusal {
            Refusal::Undecodable { place } => {
                let failure = Failure::without_field(common.undecodable);
                let documents = self.configurations.new.each(*place);
                for document in documents {
                    self.check(document, &failure, findings);
                }
            }
            Refusal::Panic { pointer, message } => {
                findings
                    .report(common.failure, ErrorType::Panic, FieldPath::root(), message.clone())
                    .at(&FieldPath::of_pointer(pointer));
            }
            Refusal::Denied { pointer, message } => {
                findings
                    .report(common.failure, ErrorType::Denied, FieldPath::root(), message.clone())
                    .at(&FieldPath::of_pointer(pointer));
            }
        }
    }
}
