// SPDX-License-Identifier: Apache-2.0
//! The innermost loops: boxes compared with one, and pairs on their way out.
use super::*;
use std::arch::x86_64::*;

impl Pairs {
    /// Room for n pairs and the seven beyond them that a packed store may touch.
    pub(super) unsafe fn make_room(&mut self, n: u64) -> Result<()> {
        if self.room - self.used >= n + 8 {
            return Ok(());
        }
        self.finish()?;
        self.room = ROOM.max(n + 8);
        check((*self.sink).reserve.map_or(SCREE_E_INTERNAL, |f| f(self.sink, self.room, &mut self.out)))
    }
    pub(super) unsafe fn finish(&mut self) -> Result<()> {
        let n = mem::take(&mut self.used);
        self.room = 0;
        if n > 0 {
            check((*self.sink).commit.map_or(SCREE_E_INTERNAL, |f| f(self.sink, n)))
        } else {
            Ok(())
        }
    }
}

/// For each mask of eight hits: their places, packed.
static PACK: [[u32; 8]; 256] = pack();
const fn pack() -> [[u32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][n] = bit as u32;
                n += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
}

impl Entries {
    #[inline(always)]
    pub(super) fn get(&self, e: usize) -> Box1 {
        Box1 { lo: each(|k| self.lo[k][e]), hi: each(|k| self.hi[k][e]), slot: self.slot[e] }
    }

    /// Emits the entries [from, to) that overlap `me`; the sink has room for them.
    pub(super) unsafe fn test(&self, me: &Box1, from: usize, to: usize, pairs: &mut Pairs) {
        let mut out = pairs.out.add(pairs.used as usize);
        for e in from..to {
            let mut hit = true;
            for k in 0..3 {
                hit &= *self.lo[k].get_unchecked(e) <= me.hi[k];
                hit &= me.lo[k] <= *self.hi[k].get_unchecked(e);
            }
            *out = scree_pair { a: me.slot, b: *self.slot.get_unchecked(e) };
            out = out.add(hit as usize);
        }
        pairs.used = out.offset_from(pairs.out) as u64;
    }

    /// The same, eight at a time.
    #[inline]
    #[target_feature(enable = "avx,avx2,popcnt")]
    pub(super) unsafe fn test_avx2(&self, me: &Box1, from: usize, to: usize, pairs: &mut Pairs) {
        let low = [_mm256_set1_ps(me.lo[0]), _mm256_set1_ps(me.lo[1]), _mm256_set1_ps(me.lo[2])];
        let high = [_mm256_set1_ps(me.hi[0]), _mm256_set1_ps(me.hi[1]), _mm256_set1_ps(me.hi[2])];
        let own = _mm256_set1_epi32(me.slot as i32);
        let mut out = pairs.out.add(pairs.used as usize);
        let mut e = from;
        while e < to {
            let mut hit = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
            for k in 0..3 {
                let lo = _mm256_loadu_ps(self.lo[k].as_ptr().add(e));
                let hi = _mm256_loadu_ps(self.hi[k].as_ptr().add(e));
                hit = _mm256_and_ps(hit, _mm256_cmp_ps(lo, high[k], _CMP_LE_OQ));
                hit = _mm256_and_ps(hit, _mm256_cmp_ps(low[k], hi, _CMP_LE_OQ));
            }
            let valid = if to - e < 8 { (1u32 << (to - e)) - 1 } else { 255 };
            let mask = _mm256_movemask_ps(hit) as u32 & valid;
            let slots = _mm256_loadu_si256(self.slot.as_ptr().add(e) as *const __m256i);
            let place = _mm256_loadu_si256(PACK[mask as usize].as_ptr() as *const __m256i);
            let found = _mm256_permutevar8x32_epi32(slots, place);
            let (even, odd) =
                (_mm256_unpacklo_epi32(own, found), _mm256_unpackhi_epi32(own, found));
            let first = _mm256_permute2x128_si256(even, odd, 0x20);
            let second = _mm256_permute2x128_si256(even, odd, 0x31);
            _mm256_storeu_si256(out as *mut __m256i, first);
            _mm256_storeu_si256(out.add(4) as *mut __m256i, second);
            out = out.add(mask.count_ones() as usize);
            e += 8;
        }
        pairs.used = out.offset_from(pairs.out) as u64;
    }
}

/// Which loop compares boxes: a type each, so that the search around it is compiled for it.
pub(super) trait Test {
    unsafe fn run(e: &Entries, me: &Box1, from: usize, to: usize, pairs: &mut Pairs);
}
pub(super) struct Plain;
pub(super) struct Avx2;
impl Test for Plain {
    unsafe fn run(e: &Entries, me: &Box1, from: usize, to: usize, pairs: &mut Pairs) {
        e.test(me, from, to, pairs)
    }
}
impl Test for Avx2 {
    #[inline(always)]
    unsafe fn run(e: &Entries, me: &Box1, from: usize, to: usize, pairs: &mut Pairs) {
        e.test_avx2(me, from, to, pairs)
    }
}
