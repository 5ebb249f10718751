//! Tests of the module above.

use super::*;

/// Against tables of Student's distribution.
#[test]
fn small_samples_have_wide_intervals() {
    let table =
        [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (9, 2.262), (30, 2.042)];
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
    assert_eq!((four.min, four.max, four.median, four.mean), (2, 8, 5.0, 5.0));
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
