//! The numbers of an observation while they are written.

/// A row that takes the numbers of an observation, by index; all are 0 before.
pub(super) trait Numbers {
    /// Sets a number that nothing else writes.
    fn set(&mut self, at: usize, value: f32);
    /// Sets consecutive numbers that nothing else writes.
    fn set_all(&mut self, at: usize, values: &[i32]);
    /// Adds to a number.
    fn add(&mut self, at: usize, value: f32);
}

impl Numbers for [f32] {
    #[inline(always)]
    fn set(&mut self, at: usize, value: f32) {
        self[at] = value;
    }

    #[inline(always)]
    fn set_all(&mut self, at: usize, values: &[i32]) {
        self[at..at + values.len()].iter_mut().zip(values).for_each(|(out, &value)| *out = value as f32);
    }

    #[inline(always)]
    fn add(&mut self, at: usize, value: f32) {
        self[at] += value;
    }
}

/// A row of the caller that remembers which of its numbers are not 0. So the next observation clears only these: rows
/// are large, mostly 0, and rarely in the cache.
#[derive(Debug)]
pub(super) struct TracedRow<'a> {
    row: &'a mut [f32],
    written: &'a mut Vec<u32>,
}

impl<'a> TracedRow<'a> {
    /// Clears a row in which only these numbers may be other than 0.
    pub fn clear(row: &'a mut [f32], written: &'a mut Vec<u32>) -> Self {
        for at in written.drain(..) {
            row[at as usize] = 0.0;
        }
        Self { row, written }
    }
}

impl Numbers for TracedRow<'_> {
    #[inline(always)]
    fn set(&mut self, at: usize, value: f32) {
        if value != 0.0 {
            self.row[at] = value;
            self.written.push(at as u32);
        }
    }

    #[inline(always)]
    fn set_all(&mut self, at: usize, values: &[i32]) {
        (at..).zip(values).for_each(|(at, &value)| self.set(at, value as f32));
    }

    #[inline(always)]
    fn add(&mut self, at: usize, value: f32) {
        self.row[at] += value;
        self.written.push(at as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traced_row_has_no_old_numbers() {
        let (mut written, mut row) = (Vec::new(), vec![0.0; 130]);
        let observations: [&[(usize, f32)]; 4] =
            [&[(0, 1.0), (63, 2.0), (129, 3.0)], &[(0, 1.0), (64, 4.0)], &[(5, 0.0)], &[(5, 2.0), (128, 1.0)]];
        for numbers in observations {
            let mut wanted = vec![0.0; 130];
            let mut traced = TracedRow::clear(&mut row, &mut written);
            for &(at, value) in numbers {
                traced.set(at, value);
                wanted.as_mut_slice().set(at, value);
            }
            traced.set_all(100, &[0, 3]);
            wanted.as_mut_slice().set_all(100, &[0, 3]);
            for value in [1.5, 1.0] {
                traced.add(7, value);
                wanted.as_mut_slice().add(7, value);
            }
            assert_eq!(row, wanted);
        }
    }
}
