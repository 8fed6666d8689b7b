use crate::admission::FieldPath;
use crate::rules::extensions::Cidr;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Networking;

/// The CIDRs of a Shoot.
pub(super) struct ShootCidrs<'a> {
    pub(super) nodes: Option<Cidr<'a>>,
    pub(super) pods: Option<Cidr<'a>>,
    pub(super) services: Option<Cidr<'a>>,
}

impl<'a> ShootCidrs<'a> {
    pub(super) fn of(networking: &'a Networking) -> Self {
        let cidr = |text: &'a Option<String>, field: &'static str| {
            let place = ReportedPath {
                own: FieldPath::new("networking").child(field),
                real: FieldPath::new("spec.networking").child(field),
            };
            text.as_ref().map(|text| Cidr::new(text, place))
        };
        Self {
            nodes: cidr(&networking.nodes, "nodes"),
            pods: cidr(&networking.pods, "pods"),
            services: cidr(&networking.services, "services"),
        }
    }
}
