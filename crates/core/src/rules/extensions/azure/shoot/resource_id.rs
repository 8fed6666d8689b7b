// SPDX-License-Identifier: Apache-2.0
//! Resource IDs of Azure. Source: `ParseResourceID` in `sdk/azcore/arm` of the Azure SDK for Go.

const SUBSCRIPTIONS: &str = "subscriptions";
const RESOURCE_GROUPS: &str = "resourceGroups";
const PROVIDERS: &str = "providers";
const TENANTS: &str = "tenants";
/// The namespace of subscriptions, resource groups, providers and tenants.
const BUILT_IN: &str = "Microsoft.Resources";

/// The ID of a resource, such as `/subscriptions/<id>/resourceGroups/<name>/providers/Microsoft.Network/ddosProtectionPlans/<name>`.
#[derive(Debug)]
pub(super) struct ResourceId<'a> {
    /// The subscription; empty if the ID names none.
    pub(super) subscription: &'a str,
    /// The resource group; empty if the ID names none.
    pub(super) resource_group: &'a str,
    /// The name of the resource; empty if the ID ends with a type.
    pub(super) name: &'a str,
    namespace: &'a str,
    /// The types of the resource and those above it in the namespace.
    types: Vec<&'a str>,
}

impl<'a> ResourceId<'a> {
    /// Parses an ID; returns `None` where the SDK returns an error.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let rest = text.strip_prefix('/')?;
        let parts: Vec<&str> = rest.split('/').filter(|it| !it.is_empty()).collect();
        let [first, _, ..] = parts.as_slice() else {
            return None;
        };
        if !is(first, SUBSCRIPTIONS) && !is(first, PROVIDERS) {
            return None;
        }
        let mut id = Self {
            subscription: "",
            resource_group: "",
            name: "",
            namespace: BUILT_IN,
            types: vec![TENANTS],
        };
        let mut rest = parts.as_slice();
        while !rest.is_empty() {
            let part = |index: usize| rest.get(index).copied();
            let count = match (part(0)?, part(1), part(2), part(3)) {
                (last, None, ..) => {
                    if is(last, SUBSCRIPTIONS)
                        || is(last, RESOURCE_GROUPS)
                        || id.is_built_in(RESOURCE_GROUPS)
                    {
                        return None;
                    }
                    id.append(last, "");
                    1
                }
                (key, Some(name), next, _)
                    if is(key, PROVIDERS) && next.is_none_or(|it| is(it, PROVIDERS)) =>
                {
                    if !id.is_built_in(SUBSCRIPTIONS) && !id.is_built_in(TENANTS) {
                        return None;
                    }
                    id.set(BUILT_IN, PROVIDERS, name);
                    2
                }
                (key, Some(namespace), Some(class), Some(name)) if is(key, PROVIDERS) => {
                    id.set(namespace, class, name);
                    4
                }
                (key, ..) if is(key, PROVIDERS) => return None,
                (class, Some(name), ..) => {
                    id.append(class, name);
                    2
                }
            };
            rest = rest.get(count..).unwrap_or_default();
        }
        Some(id)
    }

    /// Reports whether the resource is of a type that is not below another type, in any case.
    pub(super) fn is_of(&self, class: &str) -> bool {
        matches!(self.types.as_slice(), [only] if is(only, class))
    }

    /// Continues with a resource below.
    fn append(&mut self, class: &'a str, name: &'a str) {
        if is(class, RESOURCE_GROUPS) && self.is_built_in(SUBSCRIPTIONS) {
            self.set(BUILT_IN, RESOURCE_GROUPS, name);
        } else if is(class, SUBSCRIPTIONS) && self.is_built_in(TENANTS) {
            self.set(BUILT_IN, SUBSCRIPTIONS, name);
        } else {
            self.types.push(class);
            self.name = name;
        }
    }

    /// Continues with a resource of a type of a namespace.
    fn set(&mut self, namespace: &'a str, class: &'a str, name: &'a str) {
        self.namespace = namespace;
        self.types = vec![class];
        self.name = name;
        if self.is_built_in(SUBSCRIPTIONS) {
            self.subscription = name;
        }
        if self.is_built_in(RESOURCE_GROUPS) {
            self.resource_group = name;
        }
    }

    fn is_built_in(&self, class: &str) -> bool {
        self.namespace == BUILT_IN && self.types == [class]
    }
}

/// Compares parts, whose case does not matter.
fn is(part: &str, key: &str) -> bool {
    part.eq_ignore_ascii_case(key)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::ResourceId;

    #[rstest]
    #[case::plan(
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/ddosProtectionPlans/plan",
        Some(("s", "g", "plan"))
    )]
    #[case::lower_case("/SUBSCRIPTIONS/s/resourcegroups/g/x/y", Some(("s", "g", "y")))]
    #[case::empty_parts("//subscriptions//s/", Some(("s", "", "s")))]
    #[case::provider_of_subscription("/subscriptions/s/providers/P", Some(("s", "", "P")))]
    #[case::provider_of_tenant("/providers/P", Some(("", "", "P")))]
    #[case::providers_in_a_row("/providers/P/providers/Q/type/name", Some(("", "", "name")))]
    #[case::type_at_end("/subscriptions/s/type", Some(("s", "", "")))]
    #[case::group_below_group("/subscriptions/s/resourceGroups/g/resourceGroups/h", Some(("s", "g", "h")))]
    #[case::subscription_below_group("/subscriptions/s/resourceGroups/g/subscriptions/t", Some(("s", "g", "t")))]
    #[case::type_of_group("/subscriptions/s/resourceGroups/g/type", None)]
    #[case::provider_of_group("/subscriptions/s/resourceGroups/g/providers/P", None)]
    #[case::provider_and_type("/subscriptions/s/providers/P/type", None)]
    #[case::groups_at_end("/subscriptions/s/resourceGroups", None)]
    #[case::other_root("/resourceGroups/g", None)]
    #[case::no_slash("subscriptions/s", None)]
    #[case::one_part("/subscriptions", None)]
    #[case::empty("", None)]
    fn parsing(#[case] text: &str, #[case] expected: Option<(&str, &str, &str)>) {
        let id = ResourceId::parse(text);
        let found = id.map(|it| (it.subscription, it.resource_group, it.name));
        assert_eq!(found, expected);
    }

    #[test]
    fn types_below_others_differ() {
        let group = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/r";
        let is_group = |text: &str| {
            ResourceId::parse(text).is_some_and(|it| it.is_of("CapacityReservationGroups"))
        };
        assert!(is_group(group));
        assert!(!is_group(&format!("{group}/capacityReservations/x")));
        assert!(!is_group("/subscriptions/s/capacityReservationGroups/r"));
    }
}
