//! Axes: where numbers go, and which of them are written down.

use crate::text::count;

/// About how many numbers stand at a linear axis, and at most how many at a logarithmic one.
const LINEAR_TICKS: f64 = 5.0;
const LOG_TICKS: i32 = 9;
/// From here on the numbers at a linear axis leave out thousands.
const LARGE: f64 = 1e7;
/// The share of a logarithmic axis that zero takes.
const ZERO_BAND: f64 = 0.07;

/// A step between ticks: 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickStep {
    mantissa: u32,
    exponent: i32,
}

impl TickStep {
    /// The least step that is not below a number greater than zero.
    pub fn at_least(number: f64) -> TickStep {
        let mut exponent = number.log10().floor() as i32;
        let mantissa = number / 10f64.powi(exponent);
        // Rounding must not turn 1 into 2.
        let mantissa = match mantissa - 1e-9 {
            ..=1.0 => 1,
            ..=2.0 => 2,
            ..=5.0 => 5,
            _ => {
                exponent += 1;
                1
            }
        };
        TickStep { mantissa, exponent }
    }

    /// The least whole step that is not below a number.
    pub fn whole(number: f64) -> TickStep {
        TickStep::at_least(number.max(1.0))
    }

    pub fn size(self) -> f64 {
        f64::from(self.mantissa) * 10f64.powi(self.exponent)
    }

    /// A multiple of it as text, in units of a power of ten.
    fn text(self, times: u64, unit: i32) -> String {
        let exponent = self.exponent - unit;
        let number = u128::from(times) * u128::from(self.mantissa);
        if exponent >= 0 {
            return count(number.saturating_mul(10u128.saturating_pow(exponent as u32)));
        }
        let decimals = exponent.unsigned_abs();
        let one = 10u128.saturating_pow(decimals);
        let (whole, rest) = (number / one, number % one);
        format!("{}.{rest:0>1$}", count(whole), decimals as usize)
    }
}

/// A number at an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it is: 0 at the lower end of the axis, 1 at the upper.
    pub at: f64,
    /// How it is written; nothing if there is only a mark.
    pub label: String,
}

/// The vertical axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    scale: Scale,
    /// Its numbers, ascending.
    pub ticks: Vec<Tick>,
    /// The power of ten that its numbers leave out.
    pub unit: i32,
}

#[derive(Clone, Debug, PartialEq)]
enum Scale {
    Linear {
        top: f64,
    },
    Log {
        low: i32,
        high: i32,
        /// The share of the axis below the lowest power of ten.
        band: f64,
    },
}

impl Axis {
    /// An axis from zero to at least `greatest`; `whole`: all numbers are whole.
    pub fn linear(greatest: f64, whole: bool) -> Axis {
        let step = match whole {
            true => TickStep::whole(greatest / LINEAR_TICKS),
            false => TickStep::at_least((greatest / LINEAR_TICKS).max(f64::MIN_POSITIVE)),
        };
        let steps = (greatest / step.size() - 1e-9).ceil().max(1.0);
        let top = steps * step.size();
        let unit = if top >= LARGE { (top.log10() / 3.0).floor() as i32 * 3 } else { 0 };
        let tick = |times: u64| Tick {
            at: times as f64 / steps,
            label: match times {
                0 => "0".into(),
                _ => step.text(times, unit),
            },
        };
        Axis { scale: Scale::Linear { top }, ticks: (0..=steps as u64).map(tick).collect(), unit }
    }

    /// An axis of powers of ten around the given numbers, with a place for zero below if `zero`.
    pub fn log(least: f64, greatest: f64, zero: bool) -> Axis {
        let low = (least.log10() + 1e-9).floor() as i32;
        let high = ((greatest.log10() - 1e-9).ceil() as i32).max(low + 1);
        let band = if zero { ZERO_BAND } else { 0.0 };
        let mut axis = Axis { scale: Scale::Log { low, high, band }, ticks: Vec::new(), unit: 0 };
        if zero {
            axis.mark(0.0, "0".into());
        }
        let every = (high - low) / LOG_TICKS + 1;
        for exponent in low..=high {
            let label = match (exponent - low) % every {
                0 => power(exponent),
                _ => String::new(),
            };
            axis.mark(10f64.powi(exponent), label);
            // A short axis needs numbers in between.
            if high - low <= 2 && exponent < high {
                for mantissa in [2, 5] {
                    let value = f64::from(mantissa) * 10f64.powi(exponent);
                    axis.mark(value, multiple(mantissa, exponent));
                }
            }
        }
        axis
    }

    fn mark(&mut self, value: f64, label: String) {
        let at = self.place(value);
        self.ticks.push(Tick { at, label });
    }

    /// Where a number goes: 0 at the lower end, 1 at the upper.
    pub fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear { top } => value / top,
            Scale::Log { .. } if value <= 0.0 => 0.0,
            Scale::Log { low, high, band } => {
                let share = (value.log10() - f64::from(low)) / f64::from(high - low);
                band + (1.0 - band) * share
            }
        }
    }
}

/// A power of ten, written with a small exponent.
pub fn power(exponent: i32) -> String {
    match exponent {
        0 => "1".into(),
        1 => "10".into(),
        _ => format!("10{}", superscript(exponent)),
    }
}

fn multiple(mantissa: u32, exponent: i32) -> String {
    match exponent {
        -4..6 => TickStep { mantissa, exponent }.text(1, 0),
        _ => format!("{mantissa} × {}", power(exponent)),
    }
}

/// A number as an exponent.
fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let small = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    number.to_string().chars().map(small).collect()
}

/// The whole numbers to write at the horizontal axis from `from` to `to`, which is `length` long: as many
/// as there is room for labels that are `wide`.
pub fn whole_ticks(from: u32, to: u32, length: f64, wide: f64) -> Vec<u32> {
    let room = (length / wide).floor().max(1.0);
    let step = TickStep::whole(f64::from(to - from) / room).size() as u64;
    let first = u64::from(from).div_ceil(step) * step;
    (first..=u64::from(to)).step_by(step as usize).map(|tick| tick as u32).collect()
}

#[cfg(test)]
mod tests;
