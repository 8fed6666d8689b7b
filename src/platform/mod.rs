// SPDX-License-Identifier: Apache-2.0
//! Functions of the operating system that differ between Unix and Windows.
//!
//! `unix` and `windows` have the same functions; other modules compile for both without conditions.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{
    StopSignals, changed, copy_owner, create_private_directory, file_identity, hard_links,
    host_name, is_file, new_file_permissions, open_file_limit, open_to_write,
    open_without_blocking, private_file_permissions, raise_open_file_limit,
};
#[cfg(windows)]
pub(crate) use windows::{
    StopSignals, changed, copy_owner, create_private_directory, file_identity, hard_links,
    host_name, is_file, new_file_permissions, open_file_limit, open_to_write,
    open_without_blocking, private_file_permissions, raise_open_file_limit,
};
