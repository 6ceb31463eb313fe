// SPDX-License-Identifier: Apache-2.0
//! Global contact detection by grids wound onto a line, one per class of sizes. In Rust.
//!
//! Files    level.rs, pairs.rs, search.rs; here are state, boundary, manifest. The ABI is scree.rs of the
//!          installation: SCREE_RS=$(pkg-config --variable=rust scree).
//! Sources  [1] Allen, M. P. and Tildesley, D. J. (1989): Computer Simulation of Liquids, pages
//!          149-152 (cells, half stencil). [2] Ogarko, V. and Luding, S. (2012): Comput. Phys.
//!          Commun. 183, 931-936 (a grid per class of sizes). The winding is our own.
//!
//! Idea     Boxes whose largest sides are within a factor of `span` make a level. Its grid has
//!          cells of the largest of them, so that two boxes touch only if their lower corners are
//!          in the same or in neighbouring cells. Cell (x, y, z) has the number
//!
//!              x + A y + B z   modulo M,      A = nx,  B = nx ny,  M = nx ny nz
//!
//!          for any whole x, y, z: rows of cells wind round a torus as wire round a coil. A row
//!          of three neighbours is then three numbers in a row, at the ends of the grid too, and
//!          its boxes are next to each other in memory. With nx, ny, nz >= 3 the 27 neighbours of a
//!          cell have 27 numbers, so no pair of cells meets twice, however far space is beyond
//!          the grid: what lies on the same number from elsewhere only costs tests.
//!
//! Steps    1. Levels, by a histogram of the largest sides in quarter octaves.
//!          2. Per level: cells, and a counting sort by their numbers into arrays of floats
//!             relative to an origin. Rounding is monotone: boxes that touch still do.
//!          3. Pivots of 64 sorted boxes. A box is compared with the rest of its cell and of the
//!             next one, and with four rows of three cells (2D: one).
//!          4. Between levels, the cheaper of two: each small box looks into the coarse grid, up to
//!             27 cells; or each large one looks at the cells under it (walls).
//!          5. Boxes beyond 2^40 cells from the origin, or of no finite size: compared with all.
//!          With AVX2, which is looked for at run time, eight boxes are compared at a time and a
//!          table packs the hits; the plain loop finds the same ones.
//!
//! Cost     O(N), 28 bytes per box and 4 per cell, at most 4 N cells; grow only.
//! Limits   Sorting is serial. Boxes much longer on one axis make cells of their length.
#![allow(clippy::missing_safety_doc)]
mod level;
mod pairs;
mod search;
#[allow(dead_code, non_camel_case_types)]
mod scree {
    include!(env!("SCREE_RS"));
}

use pairs::Plain;
use scree::*;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::{mem, ptr};

const CLASSES: usize = 8192; // of sides: exponent and two bits of a double
const FEW: u32 = 48; // boxes that make no level of their own
const CHUNK: usize = 64; // sorted boxes per pivot
const FAR: f64 = 1099511627776.0; // [cells] 2^40: farther, the cell of a coordinate is not exact
const SLACK: f64 = 1.0 + 1.0 / 256.0; // cells are larger than boxes by more than that rounding
const ROOM: u64 = 4096; // pairs per reserve, at least

type Result<T> = std::result::Result<T, i32>;

/// The parameters that the scene sets.
#[repr(C)]
struct Config {
    span: f64, // [-]
    wide: i32, // 1: eight boxes at a time where the CPU can
    reserved: i32,
}

/// Boxes of similar size and their grid.
#[derive(Default)]
struct Level {
    n: usize,
    entry: usize, // its first one in the sorted arrays
    reach: f64,   // [m] largest side
    near: f64,    // [m] corners within it of the origin have a cell
    inverse: f64, // [1/m] of a cell's side
    min: [f64; 3],
    max: [f64; 3],  // [m] of lower corners, from the origin
    high: [i64; 3], // the last cell that they are in, the first is 0
    dims: [i64; 3],
    wind: [i64; 3], // numbers from a cell to the next one on an axis
    cells: i64,     // M
    start: usize,   // its part of Coil.starts, M + 1 of them
    down: u64,      // bit f: its boxes look at the cells of level f, not the other way round
}

/// Sorted boxes, level by level, then the far ones. Eight more than there are can be read.
#[derive(Default)]
struct Entries {
    lo: [Vec<f32>; 3],
    hi: [Vec<f32>; 3],
    slot: Vec<u32>,
    cell: Vec<u32>,
}

struct Coil {
    host: *const scree_host,
    axes: usize,
    quarters: usize, // classes in a level
    fast: bool,      // AVX2
    boxes: scree_boxes,
    origin: [f64; 3],
    count: Vec<u32>,     // [CLASSES] boxes
    largest: Vec<f64>,   // [CLASSES] [m] their largest side
    level_of: Vec<u8>,   // [CLASSES]
    classes: Vec<usize>, // those with boxes, ascending
    levels: Vec<Level>,
    starts: Vec<u32>,
    entries: Entries,
    regular: usize, // entries that are in a grid
    total: usize,
    pivots: Vec<(u32, u32)>, // first and last entry
    wide: usize,             // pivots from here on: one box that looks down
}

fn grow<T: Copy + Default>(v: &mut Vec<T>, n: usize) -> Result<()> {
    if n > v.len() {
        v.try_reserve(n - v.len()).map_err(|_| SCREE_E_MEMORY)?;
        v.resize(n, T::default());
    }
    Ok(())
}

impl scree_boxes {
    #[inline(always)]
    fn at(&self, corner: &[*const f64; 3], axis: usize, i: u32) -> f64 {
        unsafe { *corner[axis].add(i as usize) }
    }
    #[inline(always)]
    fn low(&self, axis: usize, i: u32) -> f64 {
        self.at(&self.lo, axis, i)
    }
    #[inline(always)]
    fn high(&self, axis: usize, i: u32) -> f64 {
        self.at(&self.hi, axis, i)
    }
    #[inline(always)]
    fn is_empty(&self, i: u32) -> bool {
        self.low(0, i) > self.high(0, i)
    }
    #[inline(always)]
    fn side(&self, i: u32) -> f64 {
        let s = each(|k| self.high(k, i) - self.low(k, i));
        let most = if s[0] > s[1] { s[0] } else { s[1] };
        if s[2] > most {
            s[2]
        } else {
            most
        }
    }
}

/// [f(0), f(1), f(2)]; map() of arrays is a call in older compilers.
#[inline(always)]
fn each<T>(f: impl Fn(usize) -> T) -> [T; 3] {
    [f(0), f(1), f(2)]
}

fn class_of(side: f64) -> usize {
    ((side.to_bits() >> 50) as usize).min(CLASSES - 1)
}

/// Where pairs go, many at a time.
struct Pairs {
    sink: *mut scree_pair_sink,
    out: *mut scree_pair,
    used: u64,
    room: u64,
}

fn check(code: i32) -> Result<()> {
    if code == SCREE_OK {
        Ok(())
    } else {
        Err(code)
    }
}

/// One box to compare with others.
struct Box1 {
    lo: [f32; 3],
    hi: [f32; 3],
    slot: u32,
}

/* ---- the boundary to C: no panic crosses it ---- */

unsafe fn guarded<F>(host: *const scree_host, f: F) -> i32
where
    F: FnOnce() -> Result<()>,
{
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(())) => SCREE_OK,
        Ok(Err(SCREE_E_MEMORY)) => fail(host, SCREE_E_MEMORY, "no memory for the grids\0"),
        Ok(Err(code)) => code, // the sink's, which has said why
        Err(_) => fail(host, SCREE_E_INTERNAL, "a panic: this is a bug of gcd/coil\0"),
    }
}

unsafe fn fail(host: *const scree_host, code: i32, text: &str) -> i32 {
    match (*host).fail {
        Some(fail) => fail((*host).ctx, code, text.as_ptr() as *const c_char),
        None => code,
    }
}

unsafe extern "C" fn create(
    host: *const scree_host,
    config: *const c_void,
    instance: *mut *mut c_void,
) -> i32 {
    guarded(host, || {
        let config = &*(config as *const Config);
        let mut coil = Coil {
            host,
            axes: (*host).dimension as usize,
            quarters: ((4.0 * config.span.log2()).round() as usize).max(1),
            fast: config.wide != 0
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("popcnt"),
            boxes: scree_boxes::EMPTY,
            origin: [0.0; 3],
            count: Vec::new(),
            largest: Vec::new(),
            level_of: Vec::new(),
            classes: Vec::new(),
            levels: Vec::new(),
            starts: Vec::new(),
            entries: Entries::default(),
            regular: 0,
            total: 0,
            pivots: Vec::new(),
            wide: 0,
        };
        grow(&mut coil.count, CLASSES)?;
        grow(&mut coil.largest, CLASSES)?;
        grow(&mut coil.level_of, CLASSES)?;
        coil.classes.try_reserve(CLASSES).map_err(|_| SCREE_E_MEMORY)?;
        *instance = Box::into_raw(Box::new(coil)) as *mut c_void;
        Ok(())
    })
}

unsafe extern "C" fn destroy(instance: *mut c_void) {
    if !instance.is_null() {
        drop(Box::from_raw(instance as *mut Coil));
    }
}

unsafe extern "C" fn init(_instance: *mut c_void, _boxes: *const scree_boxes, _flags: u32) -> i32 {
    SCREE_OK
}

unsafe extern "C" fn step_init(
    instance: *mut c_void,
    boxes: *const scree_boxes,
    _moved: *const u32,
    _n_moved: u32,
    n_pivots: *mut u64,
) -> i32 {
    let coil = &mut *(instance as *mut Coil);
    guarded(coil.host, || {
        *n_pivots = coil.step(&*boxes)?;
        Ok(())
    })
}

unsafe extern "C" fn find_neighbors(
    instance: *mut c_void,
    first: u64,
    last: u64,
    sink: *mut scree_pair_sink,
) -> i32 {
    let coil = &*(instance as *const Coil);
    guarded(coil.host, || {
        let mut pairs = Pairs { sink, out: ptr::null_mut(), used: 0, room: 0 };
        if coil.fast {
            coil.find_avx2(first, last, &mut pairs)
        } else {
            coil.find::<Plain>(first, last, &mut pairs)
        }
    })
}

unsafe extern "C" fn find_objects(
    instance: *mut c_void,
    zone: *const scree_zone,
    sink: *mut scree_index_sink,
) -> i32 {
    let coil = &*(instance as *const Coil);
    guarded(coil.host, || coil.objects(&*zone, sink))
}

unsafe extern "C" fn bytes(instance: *mut c_void) -> u64 {
    let c = &*(instance as *const Coil);
    let e = &c.entries;
    let floats: usize = (0..3).map(|k| e.lo[k].capacity() + e.hi[k].capacity()).sum();
    let words =
        floats + e.slot.capacity() + e.cell.capacity() + c.starts.capacity() + c.count.capacity();
    let other = c.levels.capacity() * mem::size_of::<Level>()
        + c.level_of.capacity()
        + 8 * (c.largest.capacity() + c.classes.capacity());
    (mem::size_of::<Coil>() + 4 * words + other + 8 * c.pivots.capacity()) as u64
}

/* ---- what the host reads ---- */

macro_rules! text {
    ($text:expr) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

static SPAN: Constant<scree_param> = Constant(scree_param {
    r#type: SCREE_TYPE_REAL,
    flags: SCREE_PARAM_LIVE,
    name: text!("span"),
    unit: text!("-"),
    help: text!("largest side of a level over its smallest, rounded to quarter octaves"),
    real_default: 3.0,
    real_min: 1.2,
    real_max: 1e3,
    ..scree_param::EMPTY
});
static WIDE: Constant<scree_param> = Constant(scree_param {
    r#type: SCREE_TYPE_BOOL,
    flags: SCREE_PARAM_LIVE,
    offset: mem::size_of::<f64>() as u64,
    name: text!("wide"),
    help: text!("compare eight boxes at a time where the CPU can"),
    int_default: 1,
    int_max: 1,
    ..scree_param::EMPTY
});
static PARAMS: Constant<[&scree_param; 2]> = Constant([&SPAN.0, &WIDE.0]);

static OPS: Constant<scree_gcd_ops> = Constant(scree_gcd_ops {
    create: Some(create),
    destroy: Some(destroy),
    bytes: Some(bytes),
    init: Some(init),
    step_init: Some(step_init),
    find_neighbors: Some(find_neighbors),
    find_objects: Some(find_objects),
    ..scree_gcd_ops::EMPTY
});

static COIL: Constant<scree_plugin> = Constant(scree_plugin {
    kind: SCREE_KIND_GCD,
    dimensions: SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    id: text!("coil"),
    version: text!("0.1.0"),
    licence: text!("Apache-2.0"),
    help: text!("a grid per class of sizes, wound onto a line; in Rust"),
    summary: text!(
        "Boxes of similar size share a grid whose rows of cells run on into each other, so that \
         any space fits. Small boxes look into coarser grids, or few large ones into finer."
    ),
    citation: text!("Ogarko, V. and Luding, S. (2012): Comput. Phys. Commun. 183, 931-936"),
    config_size: mem::size_of::<Config>() as u64,
    n_params: 2,
    params: &PARAMS.0 as *const _ as *const *const scree_param,
    ops: &OPS.0 as *const _ as *const c_void,
    ..scree_plugin::EMPTY
});
static PLUGINS: Constant<[&scree_plugin; 1]> = Constant([&COIL.0]);

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
