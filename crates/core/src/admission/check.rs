// SPDX-License-Identifier: Apache-2.0
//! The code of rules, typed by the objects that they evaluate.

use super::{Change, Context, Findings, RuleHeader, Silence};
use garden_gate_model::api::{
    CloudProfile, Named, NamespacedCloudProfile, Project, Seed, Shoot, WebhookConfiguration,
    Workload,
};

/// The objects of a request: `new` is absent on DELETE, `old` on CREATE.
#[derive(Debug)]
pub(super) struct Pair<T> {
    pub new: Option<Box<T>>,
    pub old: Option<Box<T>>,
}

impl<T> Pair<T> {
    /// Changes both objects.
    pub(super) fn each(&mut self, mut change: impl FnMut(&mut T)) {
        for object in [&mut self.new, &mut self.old].into_iter().flatten() {
            change(object);
        }
    }
}

/// The stage of an evaluation at which a rule runs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stage {
    /// Evaluates the JSON text of the object before it is decoded.
    Written,
    /// Evaluates a new object as received, before mutation; also runs at `/mutate`.
    Received,
    /// Mutates the new object, given the stored one.
    Mutate,
    /// Fills in fields from the garden that a manifest may omit.
    /// In `review` and `audit`, also fills in the stored object.
    Fill,
    /// Evaluates the new object between two mutating rules, given the stored one; changes nothing.
    Between,
    /// Evaluates the object after mutation, and its deletion.
    Judge,
    /// Has no implementation: the forecast reports its findings with [`Rule::find`](super::Rule::find), and the plan those of
    /// workload.
    External,
    /// Evaluates the silences of an object after all other rules; skipped for objects without silences.
    Silences,
}

/// The implementation of a rule for objects of one type.
#[derive(Clone, Debug)]
pub enum Code<T> {
    /// Evaluates objects.
    Judge(fn(&Context<'_>, Change<'_, T>, &mut Findings)),
    /// Mutates the new object, given the stored one.
    Mutate(fn(&Context<'_>, &mut T, Option<&T>, &mut Findings)),
}

/// A type of object that rules evaluate.
pub(super) trait Checked: Sized {
    /// Returns the code of a rule, if it is for objects of this type.
    fn code(check: &Check) -> Option<&Code<Self>>;
}

macro_rules! checks {
    ($($type:ident),+) => {
        /// The implementation of a rule.
        ///
        /// Rules are synchronous and only see the [`Context`] and the typed objects of the request.
        #[derive(Clone, Debug)]
        pub enum Check {
            /// Evaluates the JSON text of the object.
            Written(fn(&Context<'_>, &mut Findings)),
            /// Does nothing.
            External,
            /// Evaluates silences, in the order of the finding ids, given all rules.
            Silences(fn(&Context<'_>, &[Silence<'_>], &[&'static RuleHeader], &mut Findings)),
            $(#[doc = concat!("Evaluates objects of type `", stringify!($type), "`.")] $type(Code<$type>)),+
        }

        $(impl Checked for $type {
            fn code(check: &Check) -> Option<&Code<Self>> {
                match check {
                    Check::$type(code) => Some(code),
                    _ => None,
                }
            }
        })+
    };
}
checks! {
    Shoot, Project, CloudProfile, NamespacedCloudProfile, Seed, WebhookConfiguration, Workload, Named
}

/// Returns the [`Check`] of a rule for the kinds in its scopes; its code must be for objects of their type.
///
/// A validating rule takes a [`Change`], or a `Write` or an `Update`: it is skipped if an object that it needs is absent.
macro_rules! check {
    (@all [$($kind:ident)+] $variant:ident $code:expr) => {{
        let [check, ..] =
            [$($crate::admission::check!(@ $kind $crate::admission::Code::$variant($code))),+];
        check
    }};
    (@ Shoot $code:expr) => { $crate::admission::Check::Shoot($code) };
    (@ Project $code:expr) => { $crate::admission::Check::Project($code) };
    (@ CloudProfile $code:expr) => { $crate::admission::Check::CloudProfile($code) };
    (@ NamespacedCloudProfile $code:expr) => { $crate::admission::Check::NamespacedCloudProfile($code) };
    (@ Seed $code:expr) => { $crate::admission::Check::Seed($code) };
    (@ ValidatingWebhookConfiguration $code:expr) => { $crate::admission::Check::WebhookConfiguration($code) };
    (@ MutatingWebhookConfiguration $code:expr) => { $crate::admission::Check::WebhookConfiguration($code) };
    (@ DaemonSet $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ Deployment $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ Pod $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ StatefulSet $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ ReplicaSet $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ ReplicationController $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ Job $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ CronJob $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ Service $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ Ingress $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ PersistentVolumeClaim $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ VolumeSnapshot $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ VolumeSnapshotContent $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ CustomResourceDefinition $code:expr) => { $crate::admission::Check::Workload($code) };
    (@ $kind:ident $code:expr) => { $crate::admission::Check::Named($code) };
    ($kinds:tt External) => { $crate::admission::Check::External };
    ($kinds:tt Written $code:expr) => { $crate::admission::Check::Written($code) };
    ($kinds:tt Silences $code:expr) => { $crate::admission::Check::Silences($code) };
    ($kinds:tt Mutate $code:expr) => { $crate::admission::check!(@all $kinds Mutate $code) };
    ($kinds:tt Fill $code:expr) => { $crate::admission::check!(@all $kinds Mutate $code) };
    ($kinds:tt $stage:ident $code:expr) => {
        $crate::admission::check!(@all $kinds Judge |context, change, findings| {
            if let Some(objects) = $crate::admission::FromChange::from_change(change) {
                $code(context, objects, findings);
            }
        })
    };
}
pub(crate) use check;
