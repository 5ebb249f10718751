//! Which Klotski is meant: the words of the text, and their canonical order.

use super::grid::Layout;
use super::rules::{Board, KINDS, Metric, Uses};
use crate::error::{Error, Result};
use crate::puzzle::Words;

/// Fewer empty cells than this make no interesting layout.
const FEWEST_EMPTY: usize = 2;

/// Which layouts are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Those with the pieces of one layout.
    Layout {
        /// As in the text: a name, or `@` and a path.
        name: String,
        layout: Layout,
        /// What tells the file's content from any other.
        content: Option<u64>,
    },
    /// All on the usual board with one 2x2 block and at least two empty cells.
    All,
    /// Those of them with exactly two empty cells.
    AllTwo,
}

/// One puzzle. Made by [`parse`](Variant::parse), which refuses impossible combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    pub subject: Subject,
    pub metric: Metric,
    /// Whether the solved layouts are the roots; otherwise the given layout is.
    pub from_goals: bool,
}

impl Variant {
    /// Reads what follows `klotski:`.
    pub fn parse(words: &Words<'_>) -> Result<Self> {
        words.allow(0)?;
        let metric = Metric::ALL[words.one_of(&Metric::NAMES, "metrics")?];
        let roots = words.one_of(&["from-start", "from-goals"], "kinds of roots")?;
        let subject = match words.subject {
            "" => return Err(Error::Usage("the layout is missing".to_owned())),
            "all" => Subject::All,
            "all-2" => Subject::AllTwo,
            name => Subject::layout(name, words)?,
        };
        let is_layout = matches!(subject, Subject::Layout { .. });
        if !is_layout && words.given("from-start") {
            return Err(Error::Usage(format!(
                "`from-start` does not apply to `{}`, which has no start: its roots are all solved \
                 layouts",
                words.subject
            )));
        }
        Ok(Variant {
            subject,
            metric,
            from_goals: roots == 1 || !is_layout,
        })
    }

    /// The canonical text.
    pub fn text(&self) -> String {
        let (name, is_layout) = match &self.subject {
            Subject::Layout { name, .. } => (name.as_str(), true),
            Subject::All => ("all", false),
            Subject::AllTwo => ("all-2", false),
        };
        let mut text = format!("klotski:{name}");
        if self.metric != Metric::Step {
            text += &format!(":{}", self.metric.name());
        }
        if self.from_goals && is_layout {
            text += ":from-goals";
        }
        text
    }

    /// The puzzle in words.
    pub fn title(&self) -> String {
        match &self.subject {
            Subject::Layout { name, layout, .. } => {
                let board = match layout.board {
                    Board { rows, columns, .. } if layout.board != Board::USUAL => {
                        format!(" ({rows} rows, {columns} columns)")
                    }
                    _ => String::new(),
                };
                let roots = match self.from_goals {
                    true => "distances to the nearest goal",
                    false => "distances from the start",
                };
                format!("Klotski {name}{board}, {roots}")
            }
            Subject::All => "Klotski, all layouts with at least two empty cells".to_owned(),
            Subject::AllTwo => "Klotski, all layouts with two empty cells".to_owned(),
        }
    }

    pub fn board(&self) -> Board {
        match &self.subject {
            Subject::Layout { layout, .. } => layout.board,
            _ => Board::USUAL,
        }
    }

    /// The layout that the puzzle is about, if it is about one.
    pub fn start(&self) -> Option<&[u8]> {
        match &self.subject {
            Subject::Layout { layout, .. } => Some(&layout.cells),
            _ => None,
        }
    }

    /// How many pieces of each kind a state has.
    pub fn uses(&self) -> Uses {
        let any = 0..=usize::MAX;
        let empty = match &self.subject {
            Subject::Layout { layout, .. } => return exactly(&count(&layout.cells)),
            Subject::All => FEWEST_EMPTY..=usize::MAX,
            Subject::AllTwo => FEWEST_EMPTY..=FEWEST_EMPTY,
        };
        [empty, any.clone(), any.clone(), any, 1..=1]
    }
}

impl Subject {
    fn layout(name: &str, words: &Words<'_>) -> Result<Subject> {
        let Some(file) = words.file() else {
            return Ok(Subject::Layout {
                name: name.to_owned(),
                layout: Layout::of_name(name)?,
                content: None,
            });
        };
        file.only()?;
        let content = words.read(&file)?;
        Ok(Subject::Layout {
            name: name.to_owned(),
            layout: Layout::of_file(&file, &content)?,
            content: Some(content.hash),
        })
    }
}

/// How many pieces of each kind are in a state.
pub(super) fn count(cells: &[u8]) -> [usize; KINDS] {
    let mut counts = [0; KINDS];
    for &kind in cells {
        if let Some(count) = counts.get_mut(usize::from(kind)) {
            *count += 1;
        }
    }
    counts
}

fn exactly(counts: &[usize; KINDS]) -> Uses {
    counts.map(|count| count..=count)
}
