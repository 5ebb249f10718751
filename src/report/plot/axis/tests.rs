//! Tests of the module above.

use super::*;

fn labels(axis: &Axis) -> Vec<&str> {
    axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
}

#[test]
fn steps_are_one_two_or_five() {
    for (number, size) in [
        (1.0, 1.0),
        (1.1, 2.0),
        (2.0, 2.0),
        (3.0, 5.0),
        (5.1, 10.0),
        (0.03, 0.05),
        (1000.0, 1000.0),
        (0.001, 0.001),
    ] {
        let step = TickStep::at_least(number).size();
        assert!((step / size - 1.0).abs() < 1e-9, "{number}: {step}");
    }
    assert_eq!(TickStep::whole(0.01).size(), 1.0);
}

#[test]
fn linear_axes_have_readable_numbers() {
    let small = Axis::linear(688.0, true);
    assert_eq!(labels(&small), ["0", "200", "400", "600", "800"]);
    let large = Axis::linear(43_378_324.0, true);
    assert_eq!(labels(&large), ["0", "10", "20", "30", "40", "50"]);
    assert_eq!(large.unit, 6);
    let shares = Axis::linear(2.3, false);
    assert_eq!(labels(&shares), ["0", "0.5", "1.0", "1.5", "2.0", "2.5"]);
    let thousands = Axis::linear(6_100.0, true);
    assert_eq!(labels(&thousands), ["0", "2,000", "4,000", "6,000", "8,000"]);
    let billions = Axis::linear(1.2e12, true);
    assert_eq!(labels(&billions), ["0", "0.5", "1.0", "1.5"]);
    assert_eq!(billions.unit, 12);
    // One thing is never a fraction of things.
    assert_eq!(labels(&Axis::linear(1.0, true)), ["0", "1"]);
    assert_eq!(labels(&Axis::linear(3.0, true)), ["0", "1", "2", "3"]);
    assert_eq!(large.place(50e6), 1.0);
    // As large as counts can be.
    assert!(Axis::linear(u128::MAX as f64, true).ticks.len() < 10);
}

#[test]
fn log_axes_have_powers_and_a_place_for_zero() {
    let axis = Axis::log(1.0, 43_378_324.0, false);
    assert_eq!(labels(&axis), ["1", "10", "10²", "10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸"]);
    assert_eq!(axis.place(1.0), 0.0);
    let zero = Axis::log(1.0, 1000.0, true);
    assert_eq!(labels(&zero), ["0", "1", "10", "10²", "10³"]);
    assert!(zero.place(1.0) > 0.0 && zero.place(0.0) == 0.0);
    assert!((zero.place(1000.0) - 1.0).abs() < 1e-12);
    let wide = Axis::log(1e-5, 1e12, false);
    let written = labels(&wide);
    assert_eq!(written[0], "10⁻⁵");
    assert!(written.iter().filter(|label| !label.is_empty()).count() <= 10);
    let short = Axis::log(30.0, 700.0, false);
    assert_eq!(labels(&short), ["10", "20", "50", "10²", "200", "500", "10³"]);
    assert_eq!(labels(&Axis::log(1.0, 1.0, false)), ["1", "2", "5", "10"]);
}

#[test]
fn whole_numbers_fit_the_axis() {
    assert_eq!(whole_ticks(0, 6, 600.0, 30.0), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(whole_ticks(0, 179, 600.0, 40.0).len(), 9);
    assert_eq!(whole_ticks(4, 4, 600.0, 30.0), [4]);
    assert_eq!(whole_ticks(1108, 1710, 600.0, 60.0)[0], 1200);
    assert!(whole_ticks(0, u32::MAX, 600.0, 80.0).len() < 10);
}
