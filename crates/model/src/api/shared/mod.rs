// SPDX-License-Identifier: Apache-2.0
//! Fields and types that several kinds share.

pub(super) mod by_name;
pub(super) mod confirmation;
pub(super) mod extensions;
pub(super) mod machines;
pub(super) mod metadata;
pub(super) mod named;
pub(super) mod references;
pub(super) mod selector_check;
pub(super) mod selectors;
pub(super) mod status;
pub(super) mod taints;
pub(super) mod tolerated;
pub(super) mod toleration;
pub(super) mod toleration_form;
pub(super) mod user;
