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
    let (Some(&least), Some(&greatest)) = (numbers.iter().min(), numbers.iter().max()) else {
        return String::new();
    };
    // Long solutions are spread out: some neighbours then share a line.
    let step = (greatest - least) / 40 + 1;
    let mut lines: BTreeMap<u32, usize> =
        (least..=greatest).step_by(step as usize).map(|first| (first, 0)).collect();
    for number in numbers {
        *lines.entry(number - (number - least) % step).or_insert(0) += 1;
    }
    let most = lines.values().copied().max().unwrap_or(1);
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
mod tests;
