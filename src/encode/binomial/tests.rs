//! Tests of the module above.

use super::*;

#[test]
fn known_coefficients() {
    assert_eq!(choose(0, 0), 1);
    assert_eq!(choose(4, 5), 0);
    assert_eq!(choose(36, 9), 94_143_280);
    assert_eq!(choose(64, 32), 1_832_624_140_942_590_534);
}

#[test]
fn known_multinomials() {
    assert_eq!(multinomial(&[]), Some(1));
    assert_eq!(multinomial(&[4, 4, 4]), Some(34_650));
    assert_eq!(multinomial(&[9, 9, 9]), Some(227_873_431_500));
    assert_eq!(multinomial(&[32, 32]), Some(choose(64, 32).into()));
    assert_eq!(multinomial(&[1; 34]), Some((1..=34).product()));
    assert_eq!(multinomial(&[1; 35]), None);
    assert_eq!(multinomial(&[100, 100]), None);
}

#[test]
fn two_letters_are_binomial() {
    for n in 0..=MAX_N {
        for k in 0..=n {
            assert_eq!(multinomial(&[k, n - k]), Some(choose(n, k).into()));
        }
    }
}
