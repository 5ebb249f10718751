use super::*;
use crate::puzzles::registry;

fn levels(nodes: &[TreeNode]) -> Vec<usize> {
    let last = nodes.last().map_or(0, |node| node.level);
    (0..=last).map(|level| nodes.iter().filter(|node| node.level == level).count()).collect()
}

#[test]
fn trees_have_the_levels_of_enumerations() {
    for (text, expected) in [
        ("wrapslide:4x4:2", &[1, 1, 2, 10, 24, 28, 12][..]),
        ("tiles:2x2", &[1, 1, 2, 2, 2, 2, 2]),
        ("klotski:all", &[]),
    ] {
        let puzzle = registry::parse(text).unwrap();
        match of_classes(&*puzzle, 99) {
            Ok(nodes) => {
                let all: usize = levels(&nodes).iter().sum();
                assert_eq!(puzzle.totals().classes, Some(all as u128), "{text}");
                if text.starts_with("wrapslide") {
                    assert_eq!(levels(&nodes), expected);
                }
                for node in &nodes[1..] {
                    let parent = &nodes[node.parent.unwrap()];
                    assert_eq!(parent.level + 1, node.level);
                    assert_eq!(puzzle.apply(&parent.state, node.by.unwrap()), node.state);
                }
            }
            Err(error) => {
                assert!(expected.is_empty() && error.exit_code() == 3, "{text}: {error}");
            }
        }
    }
    let tiles = registry::parse("tiles:3x3").unwrap();
    let corner = tiles.root().unwrap();
    assert_eq!(levels(&of_moves(&*tiles, &corner, 4).unwrap()), [1, 2, 4, 8, 16]);
}
