//! Tests of the module above.

use super::super::super::generate;
use super::super::cycle;
use super::*;

#[test]
fn every_ring_has_a_source_and_parts_are_odd() {
    for cells in [5, 7, 9, 11] {
        for board in generate::all(cells).unwrap() {
            for ring in cycle::several(&board, 4) {
                let splits: Vec<Split> = cycle::triangles(&board, &ring)
                    .into_iter()
                    .filter_map(|corners| Some(split(&ring, corners)?.1))
                    .collect();
                let mut sources = 0;
                for split in splits {
                    if let Split::Source([u, v, w]) = split {
                        sources += 1;
                        let [u, v, w] = [u, v, w].map(|cell| ring.place(cell));
                        assert_eq!((u + 1) % ring.len(), v);
                        assert_eq!(ring.stretch(v, w).len() % 2, 1);
                        assert_eq!(ring.stretch(w, u).len() % 2, 1);
                    }
                }
                assert!(sources > 0, "{}", board.picture());
            }
        }
    }
}
