// SPDX-License-Identifier: MIT
//! soft: a force law that is a spring and nothing else, f = -kn depth n.
//!
//! This is the smallest force law in Rust: copy it. The headers of scree say what each name of `scree` means;
//! `scree.rs` is written from them, and its sizes are checked by the compiler. No panic may cross the boundary: build
//! with `-C panic=abort`, or catch it.
use scree::*;
use std::os::raw::{c_char, c_void};
use std::slice::{from_raw_parts, from_raw_parts_mut};

#[allow(dead_code, non_camel_case_types)]
mod scree {
    include!(env!("SCREE_RS")); // SCREE_RS=$(pkg-config --variable=rust scree)
}

/// A string of C.
macro_rules! text {
    ($text:expr) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

/// The values of the scene. The host reads, checks and fills them by the table PARAMS below.
#[repr(C)]
struct Config {
    kn: f64, // [N/m]
}

/// An instance: what the law keeps from call to call.
struct Law {
    kn: f64, // [N/m]
}

/// Makes an instance.
unsafe extern "C" fn create(
    _host: *const scree_host,
    config: *const c_void,
    instance: *mut *mut c_void,
) -> i32 {
    let kn = (*(config as *const Config)).kn;
    *instance = Box::into_raw(Box::new(Law { kn })) as *mut c_void;
    SCREE_OK
}

unsafe extern "C" fn destroy(instance: *mut c_void) {
    if !instance.is_null() {
        drop(Box::from_raw(instance as *mut Law));
    }
}

/// Writes every output of every contact. Several threads call it at the same time with one
/// instance: it reads the instance only.
unsafe extern "C" fn compute(instance: *mut c_void, batch: *const scree_contact_batch) -> i32 {
    let kn = (*(instance as *const Law)).kn;
    let batch = &*batch;
    let n = batch.n as usize;
    let depth = from_raw_parts(batch.depth, n);
    for axis in 0..3 {
        let normal = from_raw_parts(batch.normal[axis], n); // from a to b
        let force = from_raw_parts_mut(batch.f[axis], n); // on a
        for c in 0..n {
            force[c] = -kn * overlap(depth[c]) * normal[c];
        }
    }
    let stored = from_raw_parts_mut(batch.stored, n);
    let lost = from_raw_parts_mut(batch.lost, n);
    for c in 0..n {
        stored[c] = 0.5 * kn * overlap(depth[c]) * overlap(depth[c]);
        lost[c] = 0.0; // a dashpot would write its heat [W] here
    }
    SCREE_OK
}

/// [m] 0 across a gap. A choice instead of a branch, so that the compiler can vectorise a loop.
#[inline(always)]
fn overlap(depth: f64) -> f64 {
    if depth > 0.0 {
        depth
    } else {
        0.0
    }
}

/// The largest slopes of the force, for the critical time step. All of *out is 0 on entry.
unsafe extern "C" fn stiffness(
    instance: *mut c_void,
    _query: *const scree_stiffness_query,
    out: *mut scree_stiffness,
) -> i32 {
    (*out).kn = (*(instance as *const Law)).kn; // the same for all bodies
    SCREE_OK
}

/* ---- what the host reads; EMPTY has the size of a struct, and else 0, null and None ---- */

/// kn: required, above 0, any unit of N/m in the scene.
static KN: Constant<scree_param> = Constant(scree_param {
    r#type: SCREE_TYPE_REAL,
    flags: SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN,
    offset: 0,
    name: text!("kn"),
    unit: text!("N/m"),
    help: text!("normal stiffness"),
    real_max: f64::INFINITY,
    ..scree_param::EMPTY
});
static PARAMS: Constant<[&scree_param; 1]> = Constant([&KN.0]);

/// Functions that are left out are optional ones; force.h says what that means.
static OPS: Constant<scree_force_ops> = Constant(scree_force_ops {
    create: Some(create),
    destroy: Some(destroy),
    compute: Some(compute),
    stiffness: Some(stiffness),
    ..scree_force_ops::EMPTY
});

static PLUGIN: Constant<scree_plugin> = Constant(scree_plugin {
    kind: SCREE_KIND_FORCE,
    dimensions: SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    id: text!("soft"),
    version: text!("0.1.0"),
    licence: text!("MIT"),
    help: text!("a normal spring without damping and friction"),
    summary: text!("The force on a is -kn depth n while the bodies overlap."),
    citation: text!("Cundall, Strack 1979, Geotechnique 29, 47"),
    config_size: std::mem::size_of::<Config>() as u64,
    n_params: 1,
    params: &PARAMS.0 as *const _ as *const *const scree_param,
    provides: (SCREE_OUT_STORED | SCREE_OUT_LOST) as u64, // depth and normal need no word
    ops: &OPS.0 as *const _ as *const c_void,
    ..scree_plugin::EMPTY
});
static PLUGINS: Constant<[&scree_plugin; 1]> = Constant([&PLUGIN.0]);

/// Major and digest of the ABI, which the host reads without loading the file.
#[used]
#[link_section = ".note.scree"]
static NOTE: Note = NOTE_OF_ABI;

/// The exported symbol.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static scree_plugin_v0: Constant<scree_manifest> = Constant(scree_manifest {
    major: SCREE_ABI_MAJOR,
    n_plugins: 1,
    plugins: &PLUGINS.0 as *const _ as *const *const scree_plugin,
    digest: SCREE_ABI_DIGEST,
    ..scree_manifest::EMPTY
});
