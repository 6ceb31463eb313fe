// SPDX-License-Identifier: Apache-2.0
//! Levels: classes of sizes, cells, the counting sort.
use super::*;

impl Level {
    /// Cell of a coordinate from the origin; monotone, for all numbers. Below the first one: -1.
    #[inline(always)]
    pub(super) fn cell(&self, k: usize, x: f64) -> i64 {
        let t = (x - self.min[k]) * self.inverse;
        if t >= 0.0 {
            t.min(1e18) as i64
        } else {
            -1
        }
    }

    /// Cells and their numbers, from the corners and where most of space is [m].
    pub(super) fn lay(&mut self, axes: usize, spread: &[f64; 3]) {
        let wanted = 2.0 * self.n as f64;
        let mut side = (self.reach * SLACK).max(1e-290);
        for _ in 0..3 {
            let cells: f64 = (0..axes).map(|k| spread[k] / side + 1.0).product();
            if cells > wanted {
                side *= (cells / wanted).powf(1.0 / axes as f64);
            }
        }
        if self.reach > 0.0 {
            side = side.min(4.0 * self.reach * SLACK).max(1e-290);
        }
        self.inverse = 1.0 / side;
        self.dims = [1; 3];
        for k in 0..axes {
            self.high[k] = self.cell(k, self.max[k]);
            self.dims[k] = (self.high[k] + 1).max(3);
        }
        let most = (4 * self.n).max(27) as f64;
        while self.dims[0] as f64 * self.dims[1] as f64 * self.dims[2] as f64 > most {
            let widest = (0..axes).max_by_key(|&k| self.dims[k]).unwrap_or(0);
            if self.dims[widest] == 3 {
                break;
            }
            self.dims[widest] = (self.dims[widest] / 2).max(3);
        }
        self.wind = [1, self.dims[0], self.dims[0] * self.dims[1]];
        self.cells = self.wind[2] * self.dims[2];
    }

    #[inline(always)]
    pub(super) fn number(&self, cell: [i64; 3]) -> i64 {
        if (0..3).all(|k| cell[k] < self.dims[k]) {
            return cell[0] + cell[1] * self.wind[1] + cell[2] * self.wind[2];
        }
        (0..3).map(|k| cell[k] % self.cells * self.wind[k] % self.cells).sum::<i64>() % self.cells
    }
}

impl Coil {
    /// Where the middle of the boxes is, and how far most of them are apart, from a sample.
    pub(super) fn sample(&mut self) -> [f64; 3] {
        let (n, b) = (self.boxes.n, self.boxes);
        let step = (n / 32).max(1) as usize;
        let mut spread = [0.0; 3];
        for k in 0..self.axes {
            let mut x: Vec<f64> = Vec::new();
            if x.try_reserve(64).is_err() {
                return spread;
            }
            x.extend(
                (0..n).step_by(step).filter(|&i| !b.is_empty(i)).take(64).map(|i| b.low(k, i)),
            );
            x.sort_unstable_by(f64::total_cmp);
            if let Some(last) = x.len().checked_sub(1) {
                self.origin[k] = x[last / 2];
                let range = x[last - last / 10] - x[last / 10];
                spread[k] = if range < 1e290 { 1.25 * range } else { 1e290 };
            }
        }
        spread
    }

    /// Groups the classes to levels.
    pub(super) fn classify(&mut self) -> Result<()> {
        for class in self.classes.drain(..) {
            self.count[class] = 0;
            self.largest[class] = 0.0;
        }
        for i in 0..self.boxes.n {
            if self.boxes.is_empty(i) {
                continue;
            }
            let side = self.boxes.side(i);
            let class = class_of(side);
            if self.count[class] == 0 {
                self.classes.push(class); // has room for all of them
            }
            self.count[class] += 1;
            self.largest[class] = self.largest[class].max(side);
        }
        self.classes.sort_unstable();
        self.levels.clear();
        self.levels.try_reserve(64).map_err(|_| SCREE_E_MEMORY)?;
        let (mut end, mut n) = (0, 0u32);
        for &class in &self.classes {
            let full = class >= end && n >= FEW && self.levels.len() < 62;
            if self.levels.is_empty() || full {
                let (min, max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
                self.levels.push(Level { min, max, ..Level::default() });
                n = 0;
            }
            if class >= end {
                end = class + self.quarters;
            }
            n += self.count[class];
            let last = self.levels.len() - 1;
            self.levels[last].reach = self.largest[class];
            self.level_of[class] = last as u8;
        }
        for level in &mut self.levels {
            let side = (level.reach * SLACK).max(1e-290);
            level.near = if side < 1e300 { FAR.min(1e300 / side) * side } else { 0.0 };
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn level_index(&self, i: u32) -> usize {
        match self.levels.len() {
            1 => 0,
            _ => self.level_of[class_of(self.boxes.side(i))] as usize,
        }
    }

    /// Lower corner of box i from the origin.
    #[inline(always)]
    pub(super) fn corner(&self, i: u32) -> [f64; 3] {
        each(|k| self.boxes.low(k, i) - self.origin[k])
    }

    /// Measures what the levels hold. Far boxes have no cell in a grid.
    pub(super) fn measure(&mut self) {
        for i in (0..self.boxes.n).filter(|&i| !self.boxes.is_empty(i)) {
            let (x, l) = (self.corner(i), self.level_index(i));
            let level = &mut self.levels[l];
            if is_near(&x, level.near) {
                level.n += 1;
                for k in 0..3 {
                    level.min[k] = if x[k] < level.min[k] { x[k] } else { level.min[k] };
                    level.max[k] = if x[k] > level.max[k] { x[k] } else { level.max[k] };
                }
            }
        }
    }

    /// Counting sort by level and cell.
    pub(super) fn sort(&mut self, spread: &[f64; 3]) -> Result<()> {
        let (b, axes) = (self.boxes, self.axes);
        let (mut cells, mut entry) = (0usize, 0usize);
        for level in &mut self.levels {
            level.entry = entry;
            level.start = cells;
            if level.n > 0 {
                level.lay(axes, spread);
                cells += level.cells as usize + 1;
            }
            entry += level.n;
        }
        self.regular = entry;
        grow(&mut self.starts, cells)?;
        self.starts[..cells].iter_mut().for_each(|s| *s = 0);
        let room = b.n as usize + 8;
        for k in 0..3 {
            grow(&mut self.entries.lo[k], room)?;
            grow(&mut self.entries.hi[k], room)?;
        }
        grow(&mut self.entries.slot, room)?;
        grow(&mut self.entries.cell, 2 * room)?;
        let mut keys = mem::take(&mut self.entries.cell); // its second half: the cell by slot
        for i in 0..b.n {
            keys[room + i as usize] = u32::MAX;
            if b.is_empty(i) {
                continue;
            }
            let (x, level) = (self.corner(i), &self.levels[self.level_index(i)]);
            if is_near(&x, level.near) {
                let number = level.number(each(|k| level.cell(k, x[k]))) as usize;
                keys[room + i as usize] = number as u32;
                self.starts[level.start + number] += 1;
            }
        }
        for level in &self.levels {
            let mut sum = level.entry as u32;
            if level.n > 0 {
                for s in &mut self.starts[level.start..=level.start + level.cells as usize] {
                    sum += mem::replace(s, sum);
                }
            }
        }
        let mut far = self.regular;
        for i in 0..b.n {
            let number = keys[room + i as usize];
            let e = if b.is_empty(i) {
                continue;
            } else if number == u32::MAX {
                far += 1;
                far - 1
            } else {
                let at = self.levels[self.level_index(i)].start + number as usize;
                self.starts[at] += 1;
                self.starts[at] as usize - 1
            };
            for k in 0..3 {
                self.entries.lo[k][e] = narrow(b.low(k, i) - self.origin[k]);
                self.entries.hi[k][e] = narrow(b.high(k, i) - self.origin[k]);
            }
            self.entries.slot[e] = i;
            keys[e] = number;
        }
        self.entries.cell = keys;
        self.total = far;
        // The scatter has moved each start to its end: move them back.
        for level in self.levels.iter().filter(|l| l.n > 0) {
            let starts = &mut self.starts[level.start..=level.start + level.cells as usize];
            starts.copy_within(0..level.cells as usize, 1);
            starts[0] = level.entry as u32;
        }
        Ok(())
    }
}

#[inline(always)]
pub(super) fn is_near(x: &[f64; 3], near: f64) -> bool {
    (x[0].abs() < near) & (x[1].abs() < near) & (x[2].abs() < near)
}

/// As a float, without an infinity: rounding and cutting are monotone.
#[inline(always)]
pub(super) fn narrow(x: f64) -> f32 {
    let x = if x > -3e38 { x } else { -3e38 };
    (if x < 3e38 { x } else { 3e38 }) as f32
}

impl Coil {
    /// Which of two levels looks at the other: whose rows of cells and boxes cost less [ns].
    pub(super) fn decide(&mut self) {
        const ROW: f64 = 6.0;
        for c in 1..self.levels.len() {
            let mut down = 0;
            for f in 0..c {
                let (coarse, fine) = (&self.levels[c], &self.levels[f]);
                if coarse.n == 0 || fine.n == 0 || coarse.n > fine.n / 4 {
                    continue;
                }
                let up = fine.n as f64 * 9.0 * ROW;
                let mut cost = 0.0;
                for s in coarse.entry..coarse.entry + coarse.n {
                    let (lo, hi) = self.corners(self.entries.slot[s]);
                    if let Some(span) = self.span(fine, &lo, &hi) {
                        let n = each(|k| (span.to[k] - span.from[k] + 1) as f64);
                        let all = fine.n as f64;
                        cost += (n[1] * n[2]).min(all) * ROW
                            + (n[0] * n[1] * n[2] / fine.cells as f64).min(1.0) * all / 4.0;
                    }
                    if cost > up {
                        break;
                    }
                }
                down |= u64::from(cost <= up) << f;
            }
            self.levels[c].down = down;
        }
    }

    pub(super) fn plan(&mut self) -> Result<()> {
        let count = self.total / CHUNK + 2 * self.levels.len() + self.total;
        self.pivots.clear();
        self.pivots.try_reserve(count).map_err(|_| SCREE_E_MEMORY)?;
        for l in &self.levels {
            let end = l.entry + l.n;
            for e in (l.entry..end).step_by(CHUNK) {
                self.pivots.push((e as u32, (e + CHUNK).min(end) as u32));
            }
        }
        self.wide = self.pivots.len();
        for l in self.levels.iter().filter(|l| l.down != 0) {
            for e in l.entry..l.entry + l.n {
                self.pivots.push((e as u32, e as u32 + 1));
            }
        }
        for e in self.regular..self.total {
            self.pivots.push((e as u32, e as u32 + 1));
        }
        Ok(())
    }

    pub(super) fn step(&mut self, boxes: &scree_boxes) -> Result<u64> {
        // Members, not the whole struct: that of an older host may be shorter.
        self.boxes = scree_boxes {
            dimension: boxes.dimension,
            n: boxes.n,
            lo: boxes.lo,
            hi: boxes.hi,
            centre: boxes.centre,
            radius: boxes.radius,
            ..scree_boxes::EMPTY
        };
        let spread = self.sample();
        self.classify()?;
        self.measure();
        self.sort(&spread)?;
        self.decide();
        self.plan()?;
        Ok(self.pivots.len() as u64)
    }
}
