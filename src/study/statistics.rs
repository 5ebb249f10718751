//! What the lengths of many solutions come to, and their histogram.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The widest bar of a histogram, in characters.
const WIDEST: usize = 50;
/// How many standard errors a 95 % confidence interval reaches to either side: Student's distribution
/// with one degree of freedom, two and so on; and the normal distribution.
const STUDENT_95: [f64; 5] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706];
const NORMAL_95: f64 = 1.959_964;

/// Numbers about a list of whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// How many there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval of the mean, by Student's distribution. `None` for a
    /// single number.
    pub ci95: Option<f64>,
    /// The one in the middle, or the mean of the two there.
    pub median: f64,
    /// The least.
    pub min: u32,
    /// The greatest.
    pub max: u32,
}

impl Statistics {
    /// The statistics of some numbers; `None` of none.
    pub fn of(numbers: &[u32]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let count = sorted.len();
        let n = count as f64;
        let mean = sorted.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
        let squares = sorted.iter().map(|&x| (f64::from(x) - mean).powi(2));
        let squares: f64 = squares.sum();
        let middle = (sorted[(count - 1) / 2], sorted[count / 2]);
        Some(Statistics {
            count,
            mean,
            ci95: (count > 1).then(|| student_95(count - 1) * (squares / (n - 1.0) / n).sqrt()),
            median: (f64::from(middle.0) + f64::from(middle.1)) / 2.0,
            min,
            max,
        })
    }
}

/// The quantile of Student's distribution for a 95 % interval: the first terms of its expansion in one
/// over the degrees of freedom, right to three digits from six of them on.
fn student_95(freedom: usize) -> f64 {
    if let Some(exact) = freedom.checked_sub(1).and_then(|at| STUDENT_95.get(at)) {
        return *exact;
    }
    let (z, n) = (NORMAL_95, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / n + second / n.powi(2) + third / n.powi(3)
}

/// How often each number is there, as lines with bars, from the least to the greatest.
pub fn histogram(numbers: &[u32]) -> String {
    let mut times = BTreeMap::new();
    for &number in numbers {
        *times.entry(number).or_insert(0usize) += 1;
    }
    let (Some(&least), Some(&greatest)) = (times.keys().next(), times.keys().next_back()) else {
        return String::new();
    };
    let most = times.values().copied().max().unwrap_or(1);
    // Long solutions are spread out: some neighbours then share a line.
    let step = (greatest - least) / 40 + 1;
    let mut lines: BTreeMap<u32, usize> = (least..=greatest)
        .step_by(step as usize)
        .map(|first| (first, 0))
        .collect();
    for (number, count) in times {
        *lines.entry(number - (number - least) % step).or_insert(0) += count;
    }
    let most = match step {
        1 => most,
        _ => lines.values().copied().max().unwrap_or(1),
    };
    let label = |first: u32| match step {
        1 => first.to_string(),
        _ => format!("{first}-{}", first + step - 1),
    };
    let width = label(greatest).len().max("moves".len());
    let digits = most.to_string().len().max("times".len());
    let mut text = format!("{:>width$}  {:>digits$}\n", "moves", "times");
    for (&first, &count) in &lines {
        let share = count * WIDEST;
        let bar = "#".repeat(share.div_ceil(most));
        let line = format!("{:>width$}  {count:>digits$}  {bar}", label(first));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against tables of Student's distribution.
    #[test]
    fn small_samples_have_wide_intervals() {
        let table = [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (6, 2.447),
            (9, 2.262),
            (30, 2.042),
        ];
        for (freedom, quantile) in table {
            let found = student_95(freedom);
            assert!((found - quantile).abs() < 0.004, "{freedom}: {found}");
        }
        assert!((student_95(100_000) - NORMAL_95).abs() < 1e-4);
    }

    #[test]
    fn small_lists_by_hand() {
        assert_eq!(Statistics::of(&[]), None);
        let one = Statistics::of(&[7]).unwrap();
        assert_eq!((one.mean, one.ci95, one.median), (7.0, None, 7.0));
        // Deviations -3, -1, 1, 3: variance 20 / 3, standard error sqrt(20 / 12).
        let four = Statistics::of(&[8, 2, 6, 4]).unwrap();
        assert_eq!(
            (four.min, four.max, four.median, four.mean),
            (2, 8, 5.0, 5.0)
        );
        let expected = 3.1824 * (20.0f64 / 12.0).sqrt();
        assert!((four.ci95.unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn bars_are_as_long_as_they_should_be() {
        let mut numbers = vec![12; 100];
        numbers.extend([10; 50]);
        numbers.push(13);
        let expected = format!(
            "moves  times\n   10     50  {}\n   11      0\n   12    100  {}\n   13      1  #\n",
            "#".repeat(25),
            "#".repeat(50)
        );
        assert_eq!(histogram(&numbers), expected);
        // However long solutions are, the histogram stays readable, and nothing is lost.
        let spread: Vec<u32> = (0..1000).collect();
        let lines = histogram(&spread);
        assert!(lines.lines().count() <= 42, "{lines}");
        let times = lines.lines().skip(1).map(|line| {
            let count = line.split_whitespace().nth(1).unwrap();
            count.parse::<usize>().unwrap()
        });
        assert_eq!(times.sum::<usize>(), 1000);
    }
}
