//! Which Klotski is meant: the spec of the text, and their canonical order.

use super::grid::BlockLayout;
use super::rules::{BlockBoard, KINDS, Metric, Uses};
use crate::error::{Result, usage};
use crate::puzzle::PuzzleSpec;

/// Fewer empty cells than this make no interesting layout.
const FEWEST_EMPTY: usize = 2;

/// One puzzle. Made by [`parse`](KlotskiVariant::parse), which refuses impossible combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KlotskiVariant {
    /// As in the text: a layout's name, `@` and a path, `all` or `all-2`.
    pub name: String,
    /// The layout whose pieces states have. Without one, `all` means all layouts on the usual board with
    /// one 2x2 block and at least two empty cells, and `all-2` those with exactly two.
    pub layout: Option<BlockLayout>,
    /// What tells the content of the layout's file from any other.
    pub content: Option<u64>,
    pub metric: Metric,
    /// Whether the solved layouts are the roots; otherwise the given layout is.
    pub from_goals: bool,
}

impl KlotskiVariant {
    /// Reads what follows `klotski:`.
    pub fn parse(spec: &PuzzleSpec<'_>) -> Result<Self> {
        spec.allow(0)?;
        let metric = Metric::ALL[spec.one_of(&Metric::NAMES, "metrics")?];
        let roots = spec.one_of(&["from-start", "from-goals"], "kinds of roots")?;
        let mut content = None;
        let layout = match (spec.subject, spec.file()) {
            ("", _) => return usage("the layout is missing"),
            ("all" | "all-2", _) => None,
            (_, Some(file)) => {
                file.only()?;
                let found = spec.read(&file)?;
                content = Some(found.hash);
                Some(BlockLayout::of_file(&file, &found)?)
            }
            (name, None) => Some(BlockLayout::of_name(name)?),
        };
        if layout.is_none() && spec.has_option("from-start") {
            return usage(format!(
                "`from-start` does not apply to `{}`, which has no start: its roots are all solved \
                 layouts",
                spec.subject
            ));
        }
        let from_goals = roots == 1 || layout.is_none();
        Ok(KlotskiVariant { name: spec.subject.to_owned(), layout, content, metric, from_goals })
    }

    /// The canonical text.
    pub fn text(&self) -> String {
        let mut text = format!("klotski:{}", self.name);
        if self.metric != Metric::Step {
            text += &format!(":{}", self.metric.name());
        }
        if self.from_goals && self.layout.is_some() {
            text += ":from-goals";
        }
        text
    }

    /// The puzzle in spec.
    pub fn title(&self) -> String {
        let Some(BlockLayout { board, .. }) = &self.layout else {
            let at_least = if self.name == "all" { "at least " } else { "" };
            return format!("Klotski, all layouts with {at_least}two empty cells");
        };
        let size = match *board == BlockBoard::USUAL {
            true => String::new(),
            false => format!(" ({} rows, {} columns)", board.rows, board.columns),
        };
        let roots = match self.from_goals {
            true => "distances to the nearest goal",
            false => "distances from the start",
        };
        format!("Klotski {}{size}, {roots}", self.name)
    }

    pub fn board(&self) -> BlockBoard {
        self.layout.as_ref().map_or(BlockBoard::USUAL, |layout| layout.board)
    }

    /// The layout that the puzzle is about, if it is about one.
    pub fn start(&self) -> Option<&[u8]> {
        self.layout.as_ref().map(|layout| &layout.cells[..])
    }

    /// How many pieces of each kind a state has.
    pub fn uses(&self) -> Uses {
        if let Some(cells) = self.start() {
            return count(cells).map(|count| count..=count);
        }
        let most_empty = if self.name == "all" { usize::MAX } else { FEWEST_EMPTY };
        let any = 0..=usize::MAX;
        [FEWEST_EMPTY..=most_empty, any.clone(), any.clone(), any, 1..=1]
    }
}

/// How many pieces of each kind are in a state.
pub(super) fn count(cells: &[u8]) -> [usize; KINDS] {
    let of_kind = |kind: usize| cells.iter().filter(|&&cell| usize::from(cell) == kind).count();
    std::array::from_fn(of_kind)
}
