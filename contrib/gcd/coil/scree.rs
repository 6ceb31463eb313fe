// SPDX-License-Identifier: MIT
//! The part of scree's ABI that a contact detection needs: abi.h, params.h, host.h, types.h and gcd.h.
//! Names and members as there, which say what they mean. `tests/cli/test_contrib.py` compares the
//! layouts with those of the installed headers.
#![allow(dead_code, non_camel_case_types)]
use std::os::raw::{c_char, c_void};

pub const SCREE_ABI_MAJOR: u32 = 0;
pub const SCREE_ABI_LOWEST_MINOR: u32 = 2;
pub const SCREE_OK: i32 = 0;
pub const SCREE_E_MEMORY: i32 = -2;
pub const SCREE_E_INTERNAL: i32 = -8;
pub const SCREE_KIND_GCD: u32 = 1;
pub const SCREE_DIMENSION_2: u32 = 1;
pub const SCREE_DIMENSION_3: u32 = 2;
pub const SCREE_TYPE_BOOL: u32 = 1;
pub const SCREE_TYPE_REAL: u32 = 4;
pub const SCREE_PARAM_LIVE: u32 = 1 << 2;
pub const SCREE_REGION_BALL: u32 = 2;

/// Constant data with pointers in it, which Rust lets threads share only with an `unsafe impl` of Sync.
#[repr(transparent)]
pub struct Constant<T>(pub T);
unsafe impl<T> Sync for Constant<T> {}

#[repr(C)]
pub struct scree_manifest {
    pub size: u32,
    pub major: u32,
    pub minor_needed: u32,
    pub n_plugins: u32,
    pub plugins: *const *const scree_plugin,
    pub digest: *const c_char,
}

#[repr(C)]
pub struct scree_plugin {
    pub size: u32,
    pub kind: u32,
    pub flags: u32,
    pub dimensions: u32,
    pub id: *const c_char,
    pub version: *const c_char,
    pub licence: *const c_char,
    pub help: *const c_char,
    pub summary: *const c_char,
    pub citation: *const c_char,
    pub config_size: u64,
    pub n_params: u32,
    pub n_fields: u32,
    pub params: *const *const scree_param,
    pub fields: *const c_void,
    pub needs: u64,
    pub provides: u64,
    pub ops: *const c_void,
    pub get_extension: Option<unsafe extern "C" fn(*const c_char) -> *const c_void>,
    pub n_uses: u32,
    pub reserved: u32,
    pub uses: *const *const c_void,
}

#[repr(C)]
pub struct scree_param {
    pub size: u32,
    pub r#type: u32,
    pub flags: u32,
    pub mixing: u32,
    pub offset: u64,
    pub name: *const c_char,
    pub unit: *const c_char,
    pub help: *const c_char,
    pub real_default: f64,
    pub real_min: f64,
    pub real_max: f64,
    pub int_default: i64,
    pub int_min: i64,
    pub int_max: i64,
    pub string_default: *const c_char,
    pub choices: *const c_void,
    pub n_choices: u32,
    pub length: u32,
    pub kind: u32,
    pub reserved: u32,
}

pub type scree_range_fn = unsafe extern "C" fn(*mut c_void, u64, u64, u32) -> i32;

#[repr(C)]
pub struct scree_host {
    pub size: u32,
    pub minor: u32,
    pub ctx: *mut c_void,
    pub lanes: u32,
    pub dimension: u32,
    pub n_materials: u32,
    pub reserved: u32,
    pub log: unsafe extern "C" fn(*mut c_void, i32, *const c_char),
    pub fail: unsafe extern "C" fn(*mut c_void, i32, *const c_char) -> i32,
    pub parallel_for:
        unsafe extern "C" fn(*mut c_void, u64, u64, u64, scree_range_fn, *mut c_void) -> i32,
    pub scratch: unsafe extern "C" fn(*mut c_void, u32, u64) -> *mut c_void,
    pub cancelled: unsafe extern "C" fn(*mut c_void) -> i32,
    // services that are not asked for here
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct scree_pair {
    pub a: u32,
    pub b: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct scree_boxes {
    pub size: u32,
    pub dimension: u32,
    pub n: u32,
    pub reserved: u32,
    pub lo: [*const f64; 3],
    pub hi: [*const f64; 3],
    pub centre: [*const f64; 3],
    pub radius: *const f64,
}

#[repr(C)]
pub struct scree_region {
    pub size: u32,
    pub r#type: u32,
    pub lo: [f64; 3],
    pub hi: [f64; 3],
    pub centre: [f64; 3],
    pub radius: f64,
}

#[repr(C)]
pub struct scree_pair_sink {
    pub size: u32,
    pub lane: u32,
    pub ctx: *mut c_void,
    pub reserve: unsafe extern "C" fn(*mut scree_pair_sink, u64, *mut *mut scree_pair) -> i32,
    pub commit: unsafe extern "C" fn(*mut scree_pair_sink, u64) -> i32,
}

#[repr(C)]
pub struct scree_index_sink {
    pub size: u32,
    pub lane: u32,
    pub ctx: *mut c_void,
    pub reserve: unsafe extern "C" fn(*mut scree_index_sink, u64, *mut *mut u32) -> i32,
    pub commit: unsafe extern "C" fn(*mut scree_index_sink, u64) -> i32,
}

#[repr(C)]
pub struct scree_gcd_ops {
    pub size: u32,
    pub reserved: u32,
    pub create: unsafe extern "C" fn(*const scree_host, *const c_void, *mut *mut c_void) -> i32,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub bytes: Option<unsafe extern "C" fn(*mut c_void) -> u64>,
    pub resized: Option<unsafe extern "C" fn(*mut c_void, u32, *const u32) -> i32>,
    pub init: unsafe extern "C" fn(*mut c_void, *const scree_boxes, u32) -> i32,
    pub step_init:
        unsafe extern "C" fn(*mut c_void, *const scree_boxes, *const u32, u32, *mut u64) -> i32,
    pub find_neighbors: unsafe extern "C" fn(*mut c_void, u64, u64, *mut scree_pair_sink) -> i32,
    pub find_objects:
        unsafe extern "C" fn(*mut c_void, *const scree_region, *mut scree_index_sink) -> i32,
}
