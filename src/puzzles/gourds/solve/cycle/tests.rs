//! Tests of the module above.

use super::super::super::generate;
use super::*;

fn is_cycle(board: &HexBoard, ring: &Ring) -> bool {
    let near = |i| board.adjacent(ring.cell(i, 0).into(), ring.cell(i, 1).into());
    let cells = ring.cells.iter().fold(0u64, |set, cell| set | 1 << cell);
    ring.len() == board.size() && cells == board.all() && (0..ring.len()).all(near)
}

#[test]
fn every_small_proper_board_has_a_cycle_with_all_triangles_inside() {
    for cells in [3, 5, 7, 9, 11, 13] {
        for board in generate::all(cells).unwrap() {
            for seed in 0..3 {
                let ring = find(&board, seed).unwrap();
                assert!(is_cycle(&board, &ring), "{}", board.picture());
                let inside = triangles(&board, &ring);
                assert_eq!(inside.len(), cells - 2, "{}", board.picture());
                for [a, b, c] in inside.into_iter().map(|t| t.map(usize::from)) {
                    assert!(board.adjacent(a, b) && board.adjacent(b, c));
                    assert!(board.adjacent(a, c));
                }
            }
            // The boundary is a ring, too.
            let rim = boundary(&board);
            assert!(
                (0..rim.len()).all(|i| { board.adjacent(rim[i].into(), rim[(i + 1) % rim.len()].into()) })
            );
        }
    }
}

#[test]
fn large_random_boards_have_cycles() {
    for seed in 0..40 {
        for cells in [21, 37, 63] {
            let board = generate::random(cells, seed).unwrap();
            let ring = find(&board, seed).unwrap();
            assert!(is_cycle(&board, &ring));
            assert_eq!(triangles(&board, &ring).len(), cells - 2);
        }
    }
}

/// The search that is needed only where chance fails works by itself.
#[test]
fn the_depth_first_search_finds_cycles() {
    for board in generate::all(11).unwrap() {
        let ring = Ring::new(search(&board).unwrap());
        assert!(is_cycle(&board, &ring), "{}", board.picture());
        assert_eq!(triangles(&board, &ring).len(), 9);
    }
    let star = HexBoard::new(
        super::super::super::board::read_picture("...o.../o.o.o.o/.o.o.o./o.o.o.o/...o...").unwrap(),
    );
    assert_eq!(search(&star.unwrap()), None);
}

#[test]
fn seeds_give_different_cycles() {
    let board = generate::random(37, 1).unwrap();
    let rings = several(&board, 8);
    assert!(rings.len() > 4);
    assert_eq!(several(&board, 8), rings);
}
