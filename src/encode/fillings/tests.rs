//! Tests of the module above.

use super::*;

/// Lying and standing dominoes and single cells on a board of rows.
fn dominoes(rows: usize, columns: usize, singles: RangeInclusive<usize>) -> Vec<Piece> {
    let cells = 0..rows * columns;
    let any = 0..=usize::MAX;
    let lying = cells.clone().map(|c| (c % columns + 1 < columns).then_some(3 << c));
    let standing = cells.clone().map(|c| (c / columns + 1 < rows).then_some((1 | 1 << columns) << c));
    vec![
        Piece { covers: cells.map(|c| Some(1 << c)).collect(), uses: singles },
        Piece { covers: lying.collect(), uses: any.clone() },
        Piece { covers: standing.collect(), uses: any },
    ]
}

#[test]
fn known_numbers_of_tilings() {
    let tilings = |rows, columns, singles| {
        Fillings::new(rows * columns, &dominoes(rows, columns, singles)).unwrap().count()
    };
    assert_eq!(tilings(8, 8, 0..=0), 12_988_816);
    assert_eq!(tilings(2, 10, 0..=0), 89);
    assert_eq!(tilings(3, 3, 0..=0), 0);
    // Monomer-dimer coverings of the 3 x 3 and 4 x 4 squares.
    assert_eq!(tilings(3, 3, 0..=usize::MAX), 131);
    assert_eq!(tilings(4, 4, 0..=usize::MAX), 10_012);
    assert_eq!((0..=9).map(|k| tilings(3, 3, k..=k)).sum::<u64>(), 131);
}

#[test]
fn bijective_and_lexicographic() {
    for singles in [0..=usize::MAX, 2..=2, 3..=6] {
        let fillings = Fillings::new(12, &dominoes(3, 4, singles.clone())).unwrap();
        let mut previous = Vec::new();
        for rank in 0..fillings.count() {
            let mut word = Vec::new();
            let mut letters = [9; 12];
            fillings.unrank(rank, |cell, letter| {
                word.push(letter);
                letters[cell] = letter;
            });
            assert!(word > previous);
            let used = word.iter().filter(|&&letter| letter == 0).count();
            assert!(singles.contains(&used));
            assert_eq!(fillings.rank(|cell| letters[cell]), Some(rank));
            previous = word;
            let (mut place, mut sum) = (fillings.start(), 0);
            let mut steps = Vec::new();
            fillings.trace(fillings.first(), rank, |cell, letter, step| {
                assert_eq!((letters[cell], place, sum), (letter, step.node, step.start));
                let (next, more) = fillings.step(place, letter);
                (place, sum) = (next, sum + more);
                steps.push((cell, step));
                true
            });
            assert_eq!(sum, rank);
            // The first and the last filling with a step have the same pieces before it.
            for (number, &(cell, step)) in steps.iter().enumerate() {
                assert!((step.start..step.end).contains(&rank));
                for other in [step.start, step.end - 1] {
                    fillings.unrank(other, |at, letter| assert!(at >= cell || letters[at] == letter));
                }
                let mut later = Vec::new();
                fillings.trace(step, rank, |cell, _, step| {
                    later.push((cell, step));
                    true
                });
                assert_eq!(later, steps[number..]);
            }
        }
        let mut pieces = 0;
        fillings.unrank(fillings.count(), |_, _| pieces += 1);
        assert_eq!(pieces, 0);
    }
}

#[test]
fn what_is_no_filling_has_no_rank() {
    let fillings = Fillings::new(4, &dominoes(2, 2, 2..=2)).unwrap();
    assert_eq!(fillings.count(), 4);
    assert_eq!(fillings.rank(|_| 0), None);
    assert_eq!(fillings.rank(|_| 1), None);
    assert_eq!(fillings.rank(|_| 7), None);
    let none = Fillings::new(1, &dominoes(1, 1, 0..=0)).unwrap();
    assert_eq!((none.count(), none.rank(|_| 0)), (0, None));
    assert!(Fillings::new(65, &[]).is_none());
}

#[test]
fn the_largest_board() {
    let fillings = Fillings::new(64, &dominoes(8, 8, 0..=0)).unwrap();
    let mut letters = [9; 64];
    fillings.unrank(12_345_678, |cell, letter| letters[cell] = letter);
    assert_eq!(fillings.rank(|cell| letters[cell]), Some(12_345_678));
}
