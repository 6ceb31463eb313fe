// SPDX-License-Identifier: Apache-2.0
//! Pairs and zones: which cells a box looks at.
use super::pairs::*;
use super::*;

/// Cells of a level that hold the lower corners of its boxes which overlap a box.
pub(super) struct Span {
    pub(super) from: [i64; 3],
    pub(super) to: [i64; 3],
}

impl Coil {
    /// None: no box of the level can overlap.
    pub(super) fn span(&self, level: &Level, lo: &[f64; 3], hi: &[f64; 3]) -> Option<Span> {
        let mut s = Span { from: [0; 3], to: [0; 3] };
        for k in 0..self.axes {
            s.from[k] = (level.cell(k, lo[k] - self.origin[k]) - 1).max(0);
            s.to[k] = level.cell(k, hi[k] - self.origin[k]).min(level.high[k]);
            if s.from[k] > s.to[k] {
                return None;
            }
        }
        Some(s)
    }

    /// Hands the entries of a span on as runs, each entry once.
    pub(super) unsafe fn visit<F>(&self, level: &Level, s: &Span, mut run: F) -> Result<()>
    where
        F: FnMut(usize, usize) -> Result<()>,
    {
        if (0..3).any(|k| s.to[k] - s.from[k] >= level.dims[k]) {
            return run(level.entry, level.entry + level.n);
        }
        for z in s.from[2]..=s.to[2] {
            for y in s.from[1]..=s.to[1] {
                let first = level.number([s.from[0], y, z]);
                self.row(level, first, s.to[0] - s.from[0] + 1, &mut run)?;
            }
        }
        Ok(())
    }

    /// Entries of n cells from a number on.
    #[inline(always)]
    pub(super) unsafe fn row<F>(&self, level: &Level, first: i64, n: i64, run: &mut F) -> Result<()>
    where
        F: FnMut(usize, usize) -> Result<()>,
    {
        let starts = self.starts.as_ptr().add(level.start);
        let last = (first + n).min(level.cells);
        let (from, to) = (*starts.add(first as usize), *starts.add(last as usize));
        if from < to {
            run(from as usize, to as usize)?;
        }
        if first + n > level.cells {
            let to = *starts.add((first + n - level.cells) as usize) as usize;
            if to > level.entry {
                run(level.entry, to)?;
            }
        }
        Ok(())
    }

    pub(super) fn corners(&self, i: u32) -> ([f64; 3], [f64; 3]) {
        let b = &self.boxes;
        (each(|k| b.low(k, i)), each(|k| b.high(k, i)))
    }

    /// Pairs of the sorted boxes [from, to) of a level, with later ones of it and with coarser ones.
    #[inline(always)]
    pub(super) unsafe fn search<T: Test>(
        &self,
        index: usize,
        from: usize,
        to: usize,
        pairs: &mut Pairs,
    ) -> Result<()> {
        const ROWS: [[i64; 2]; 4] = [[1, 0], [-1, 1], [0, 1], [1, 1]];
        let level = &self.levels[index];
        let (rows, e) = (if self.axes == 3 { 4 } else { 1 }, &self.entries);
        let (mut cell, mut n_runs, mut most) = (i64::MAX, 0, 0u64);
        let mut runs = [(0usize, 0usize); 12];
        for s in from..to {
            let own = *e.cell.get_unchecked(s) as i64;
            if own != cell {
                cell = own;
                n_runs = 0;
                most = 0;
                let mut add = |a: usize, b: usize| {
                    runs[n_runs] = (a, b);
                    n_runs += 1;
                    most += (b - a + 7) as u64;
                    Ok(())
                };
                self.row(level, own, 2, &mut add)?;
                for [y, z] in &ROWS[..rows] {
                    let mut first = own - 1 + y * level.wind[1] + z * level.wind[2];
                    first += if first < 0 { level.cells } else { 0 };
                    first -= if first >= level.cells { level.cells } else { 0 };
                    self.row(level, first, 3, &mut add)?;
                }
            }
            let me = e.get(s);
            pairs.make_room(most)?;
            T::run(e, &me, s + 1, runs[0].1, pairs); // the first run holds s itself
            for &(a, b) in &runs[1..n_runs] {
                T::run(e, &me, a, b, pairs);
            }
        }
        for (l, coarse) in self.levels.iter().enumerate().skip(index + 1) {
            if coarse.n == 0 || coarse.down >> index & 1 == 1 {
                continue;
            }
            for s in from..to {
                self.look::<T>(s, l, pairs)?;
            }
        }
        Ok(())
    }

    /// Pairs of the sorted box s with a level that is not its own.
    pub(super) unsafe fn look<T: Test>(
        &self,
        s: usize,
        level: usize,
        pairs: &mut Pairs,
    ) -> Result<()> {
        let (lo, hi) = self.corners(self.entries.slot[s]);
        let (level, me) = (&self.levels[level], self.entries.get(s));
        match self.span(level, &lo, &hi) {
            None => Ok(()),
            Some(span) => self.visit(level, &span, |a, b| {
                pairs.make_room((b - a + 7) as u64)?;
                T::run(&self.entries, &me, a, b, pairs);
                Ok(())
            }),
        }
    }

    #[inline(always)]
    pub(super) unsafe fn pivot<T: Test>(&self, p: usize, pairs: &mut Pairs) -> Result<()> {
        let (from, to) = (self.pivots[p].0 as usize, self.pivots[p].1 as usize);
        if from >= self.regular {
            // a far box: all that are before it
            let me = self.entries.get(from);
            pairs.make_room(from as u64 + 7)?;
            T::run(&self.entries, &me, 0, from, pairs);
            return Ok(());
        }
        let index = self.levels.partition_point(|l| l.entry <= from) - 1;
        if p < self.wide {
            return self.search::<T>(index, from, to, pairs);
        }
        for fine in 0..index {
            if self.levels[index].down >> fine & 1 == 1 && self.levels[fine].n > 0 {
                self.look::<T>(from, fine, pairs)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) unsafe fn find<T: Test>(
        &self,
        first: u64,
        last: u64,
        pairs: &mut Pairs,
    ) -> Result<()> {
        for p in first..last {
            self.pivot::<T>(p as usize, pairs)?;
        }
        pairs.finish()
    }

    #[target_feature(enable = "avx,avx2,popcnt")]
    pub(super) unsafe fn find_avx2(&self, first: u64, last: u64, pairs: &mut Pairs) -> Result<()> {
        self.find::<Avx2>(first, last, pairs)
    }

    pub(super) unsafe fn objects(
        &self,
        zone: &scree_zone,
        sink: *mut scree_index_sink,
    ) -> Result<()> {
        let mut emit = |from: usize, to: usize| {
            let mut out: *mut u32 = ptr::null_mut();
            let mut n = 0;
            check((*sink).reserve.map_or(SCREE_E_INTERNAL, |f| f(sink, (to - from) as u64, &mut out)))?;
            for &slot in &self.entries.slot[from..to] {
                *out.add(n) = slot;
                n += self.overlaps(zone, slot) as usize;
            }
            check((*sink).commit.map_or(SCREE_E_INTERNAL, |f| f(sink, n as u64)))
        };
        for level in self.levels.iter().filter(|l| l.n > 0) {
            if let Some(span) = self.span(level, &zone.lo, &zone.hi) {
                self.visit(level, &span, &mut emit)?;
            }
        }
        if self.total > self.regular {
            emit(self.regular, self.total)?;
        }
        Ok(())
    }

    /// Closed; further boxes are allowed, so the box around the zone does.
    pub(super) fn overlaps(&self, zone: &scree_zone, i: u32) -> bool {
        let (lo, hi) = self.corners(i);
        (0..3).all(|k| lo[k] <= zone.hi[k] && zone.lo[k] <= hi[k])
    }
}
