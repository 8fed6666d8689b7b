// SPDX-License-Identifier: Apache-2.0
use crate::rules::shared::validation::Part;
use garden_gate_model::api::server_configuration::{self, ServerConfiguration};
use garden_gate_model::api::{ConfigMapData, Kind, ObjectKey};
use garden_gate_text::json::Json;

/// A configuration of the API server of a Shoot, in a ConfigMap.
#[derive(Debug)]
pub struct Purpose {
    /// The name in messages.
    pub name: &'static str,
    /// The path of the name of the ConfigMap in a Shoot.
    path: &'static [&'static str],
    /// The key in the ConfigMap.
    pub(super) data_key: &'static str,
    /// Its type.
    pub(super) configuration: &'static ServerConfiguration,
    /// Whether gardener-apiserver itself refuses a new reference to a ConfigMap that does not exist.
    pub(super) is_looked_up: bool,
}

/// The audit policy.
pub static AUDIT_POLICY: Purpose = Purpose {
    name: "audit policy",
    path: &[
        "spec",
        "kubernetes",
        "kubeAPIServer",
        "auditConfig",
        "auditPolicy",
        "configMapRef",
        "name",
    ],
    data_key: ConfigMapData::POLICY,
    configuration: &server_configuration::AUDIT_POLICY,
    is_looked_up: false,
};

/// Structured authentication.
pub static AUTHENTICATION: Purpose = Purpose {
    name: "authentication configuration",
    path: &["spec", "kubernetes", "kubeAPIServer", "structuredAuthentication", "configMapName"],
    data_key: ConfigMapData::CONFIG,
    configuration: &server_configuration::AUTHENTICATION,
    is_looked_up: true,
};

/// Structured authorization.
pub static AUTHORIZATION: Purpose = Purpose {
    name: "authorization configuration",
    path: &["spec", "kubernetes", "kubeAPIServer", "structuredAuthorization", "configMapName"],
    data_key: ConfigMapData::CONFIG,
    configuration: &server_configuration::AUTHORIZATION,
    is_looked_up: true,
};

impl Purpose {
    /// Returns the name of the ConfigMap, with its path; `None` if a Shoot names none.
    pub(crate) fn reference<'a>(&self, shoot: &Part<'a>) -> Option<Part<'a>> {
        let name = shoot.at(self.path)?;
        name.text().filter(|it| !it.is_empty())?;
        Some(name)
    }

    /// Returns the key of the ConfigMap of a Shoot in a namespace; `None` if it names none.
    pub fn config_map(&self, shoot: &Part<'_>, namespace: &str) -> Option<ObjectKey> {
        let name = self.reference(shoot)?.text()?;
        Some(ObjectKey::new(Kind::ConfigMap, namespace, name))
    }

    /// Reports whether the configuration names issuers of tokens.
    pub fn is_about_issuers(&self) -> bool {
        self.configuration.kind == "AuthenticationConfiguration"
    }

    /// Reports whether a ConfigMap has CEL expressions for this purpose.
    pub fn has_expressions(&self, data: &ConfigMapData) -> bool {
        // `expression`, `valueExpression`
        let text = data.get(self.data_key).unwrap_or_default();
        self.data_key == ConfigMapData::CONFIG && text.contains("xpression")
    }
}

/// Returns the ConfigMaps with configurations of the API server of an object, given its JSON.
pub fn config_maps_of(kind: Kind, namespace: &str, text: &str) -> Vec<ObjectKey> {
    if kind != Kind::Shoot {
        return Vec::new();
    }
    let json = Json::text(text).opened();
    let shoot = Part::whole(&json);
    let all = [&AUDIT_POLICY, &AUTHENTICATION, &AUTHORIZATION].into_iter();
    all.filter_map(|it| it.config_map(&shoot, namespace)).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn config_maps_are_those_of_shoots() {
        let server = r#"{"auditConfig": {"auditPolicy": {"configMapRef": {"name": "a"}}}, "structuredAuthorization": {"configMapName": "b"}}"#;
        let object = format!(r#"{{"spec": {{"kubernetes": {{"kubeAPIServer": {server}}}}}}}"#);
        let expected = ["a", "b"].map(|it| ObjectKey::new(Kind::ConfigMap, "garden-p", it));
        assert_eq!(config_maps_of(Kind::Shoot, "garden-p", &object), expected);
        assert!(config_maps_of(Kind::Seed, "garden-p", &object).is_empty());
    }

    #[rstest]
    #[case::expression(&AUTHENTICATION, "claimMappings: {uid: {expression: claims.sub}}", true)]
    #[case::value_expression(&AUTHENTICATION, "extra: [{valueExpression: claims.a}]", true)]
    #[case::no_expression(&AUTHENTICATION, "claimMappings: {username: {claim: sub}}", false)]
    #[case::audit_policy(&AUDIT_POLICY, "expression: a", false)]
    fn expressions_are_those_of_cel(
        #[case] purpose: &Purpose,
        #[case] text: &str,
        #[case] expected: bool,
    ) {
        let data = ConfigMapData::of(|_| Some(text.to_owned())).unwrap();
        assert_eq!(purpose.has_expressions(&data), expected);
    }
}
