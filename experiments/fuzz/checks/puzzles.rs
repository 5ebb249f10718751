//! Texts that name puzzles.

use godnum::puzzle::Rules;
use godnum::puzzle::job_name;
use godnum::puzzles::registry;
use godnum::solve::solvers;
use godnum::space::AnySpace;

/// Reads a text; if it names a puzzle, asks it everything that costs little.
pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    // Files have targets of their own, and a path could name a device.
    if text.contains('@') {
        return;
    }
    if let Ok(puzzle) = registry::parse(text) {
        ask(&*puzzle);
    }
}

/// Asks a puzzle everything that costs little, and holds its answers to each other.
pub fn ask(puzzle: &dyn Rules) {
    let text = puzzle.text();
    let again = registry::parse(&text).unwrap_or_else(|e| panic!("{text} is refused: {e}"));
    assert_eq!(again.text(), text);
    assert_eq!(again.content(), puzzle.content());
    assert!(job_name(puzzle).len() < 250);
    assert!(!puzzle.title().is_empty() && !puzzle.metric().is_empty());
    let (states, classes) = (puzzle.totals().states, puzzle.totals().classes);
    if let (Some(states), Some(classes)) = (states, classes) {
        assert!(classes <= states && states <= classes * u128::from(puzzle.group_order()));
    }
    let _ = (puzzle.totals().existing, puzzle.growth(), puzzle.question());
    let _ = (puzzle.warning(), puzzle.tablebase());
    for relation in puzzle.relations() {
        for other in relation.others() {
            assert_eq!(&registry::parse(other).unwrap().text(), other);
        }
    }
    for solver in solvers(puzzle) {
        assert!(!solver.name().is_empty());
    }
    for state in [puzzle.start(), puzzle.root()].into_iter().flatten() {
        super::states::hold(puzzle, &state);
    }
    if let Some(space) = puzzle.space() {
        let universe = space.universe();
        let roots: Vec<u128> = match space {
            AnySpace::Narrow(space) => space.roots().into_iter().map(u128::from).collect(),
            AnySpace::Wide(space) => space.roots(),
        };
        assert!(!roots.is_empty() && roots.is_sorted_by(|a, b| a < b));
        assert!(roots.iter().all(|&root| root < universe));
    }
}

/// Reads the file of a puzzle of one kind; if it names one, asks that, and reads back the file that
/// it writes.
pub fn ask_file(kind: &str, name: &str, content: &[u8], options: &str) {
    let path = super::file(name, content);
    let text = format!("{kind}:@{}{options}", path.display());
    let Ok(puzzle) = registry::parse(&text) else {
        return;
    };
    ask(&*puzzle);
    let Some(written) = puzzle.file() else {
        return;
    };
    let copy = super::file(&format!("{name}-copy"), written.as_bytes());
    let copy = registry::parse(&format!("{kind}:@{}{options}", copy.display()));
    let copy = copy.unwrap_or_else(|e| panic!("{written}\nis refused: {e}"));
    assert_eq!(copy.file(), Some(written));
    assert_eq!(copy.totals().states, puzzle.totals().states);
}
