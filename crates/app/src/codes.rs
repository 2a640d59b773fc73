//! One-time codes: uniform digits from the source of randomness.

use cabinet_domain::Randomness;

/// A code of so many digits, each value from all zeros to all nines equally likely.
pub fn draw(random: &dyn Randomness, digits: u8) -> String {
    let limit = 10_u64.pow(u32::from(digits));
    // Values past the last whole multiple would make the low codes likelier: they are drawn again.
    let whole = u64::MAX - u64::MAX % limit;
    loop {
        let mut bytes = [0_u8; 8];
        random.fill(&mut bytes);
        let value = u64::from_le_bytes(bytes);
        if value < whole {
            return format!("{:0width$}", value % limit, width = usize::from(digits));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngCore, SeedableRng, rngs::StdRng};
    use std::sync::Mutex;

    struct Seeded(Mutex<StdRng>);

    impl Randomness for Seeded {
        fn fill(&self, buffer: &mut [u8]) {
            self.0.lock().unwrap().fill_bytes(buffer);
        }
    }

    #[test]
    fn codes_are_uniform_with_their_leading_zeros() {
        let random = Seeded(Mutex::new(StdRng::seed_from_u64(7)));
        let mut counts = [0_u32; 10_000];
        for _ in 0..100_000 {
            let code = draw(&random, 4);
            assert_eq!(code.len(), 4);
            counts[code.parse::<usize>().unwrap()] += 1;
        }
        // Chi-square with 9999 degrees of freedom: mean 9999, deviation 141; five deviations either way.
        let chi_square: i64 = counts
            .iter()
            .map(|count| (i64::from(*count) - 10).pow(2))
            .sum::<i64>()
            / 10;
        assert!((9_292..10_706).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn the_length_is_a_setting() {
        let random = Seeded(Mutex::new(StdRng::seed_from_u64(7)));
        assert_eq!(draw(&random, 8).len(), 8);
    }
}
