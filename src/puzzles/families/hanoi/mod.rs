//! The Tower of Hanoi: discs of different sizes on pegs; a move takes the topmost disc of one peg to another
//! on which no smaller disc lies.
//!
//! # Texts
//! `hanoi:4:10` has four pegs and ten discs. Distances are those to the tower on the last peg, and the start
//! is the tower on the first, so one enumeration answers both questions that are asked: how many moves it
//! takes to move the tower (with three pegs 2^n - 1, with four the numbers of Frame and Stewart, as far as
//! they are proven), and how many the farthest state of all needs (with four pegs more than that from 15
//! discs on).
//!
//! Options say between which pegs a disc can move:
//! - `complete`, the default: any two;
//! - `linear`: neighbours in a row;
//! - `star`: the second peg and any other;
//! - `cyclic`: from each peg to the next, and from the last to the first, which makes the space directed.
//!
//! A state lists the pegs with their discs from the bottom up, `4 3/./2/1`; a move is named by its two pegs,
//! `AC`.
//!
//! | file | what it holds |
//! |---|---|
//! | `rules` | arrangements, moves, numbers of states |
//! | `space` | the index, up to an exchange of pegs, and neighbours: read its essay |

mod rules;
mod space;
#[cfg(test)]
mod tests;

use crate::engine::Totals;
use crate::error::{Result, usage};
use crate::puzzle::{
    Capabilities, Indexed, Instance, Kind, Move, Play, PuzzleSpec, Rules, Scramble, Setup, State,
};
use crate::random::Random;
use crate::space::{AnySpace, Space};
use rules::{Arrangement, HanoiRules};
use space::{HanoiSpace, MOST_DISCS, MOST_PEGS};

/// The family, for the registry.
pub const KIND: Kind = Kind {
    options: &Arrangement::NAMES,
    play: Play::Given("hanoi:4:5"),
    ..Kind::new(
        "hanoi",
        "hanoi:PEGS:DISCS[:ARRANGEMENT] with 3 to 8 pegs, 1 to 40 discs, ARRANGEMENT = complete, linear, star \
         or cyclic",
        "The Tower of Hanoi: distances to the tower on the last peg; it starts on the first.\n  complete: a \
         disc moves between any two pegs; linear: between neighbours in a row; star: between the second peg \
         and\n  any other; cyclic: from each peg to the next",
        &["hanoi:3:8", "hanoi:4:5", "hanoi:4:10", "hanoi:5:10", "hanoi:4:7:linear", "hanoi:3:5:cyclic"],
        |words| Ok(Box::new(Hanoi::parse(words)?)),
    )
};

/// One tower, with the table of its index.
pub struct Hanoi {
    rules: HanoiRules,
    space: HanoiSpace,
}

impl Hanoi {
    fn parse(words: &PuzzleSpec<'_>) -> Result<Hanoi> {
        words.allow(1)?;
        let arrangement = Arrangement::ALL[words.one_of(&Arrangement::NAMES, "arrangements")?];
        let number = |text: &str, what: &str, most: usize, least: usize| match text.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => usage(format!("`{text}` is not a number of {what} from {least} to {most}")),
        };
        let pegs = number(words.subject, "pegs", MOST_PEGS, 3)?;
        let discs = number(words.more.first().copied().unwrap_or_default(), "discs", MOST_DISCS, 1)?;
        let rules = HanoiRules { pegs, discs, arrangement };
        let Some(space) = HanoiSpace::new(rules) else {
            return usage(format!("{discs} discs on {pegs} pegs have more classes than fit into 64 bits"));
        };
        Ok(Hanoi { rules, space })
    }
}

/// The name of a peg.
fn letter(peg: usize) -> char {
    char::from(b'A' + peg as u8)
}

impl Rules for Hanoi {
    fn text(&self) -> String {
        let HanoiRules { pegs, discs, arrangement } = self.rules;
        match arrangement {
            Arrangement::Complete => format!("hanoi:{pegs}:{discs}"),
            _ => format!("hanoi:{pegs}:{discs}:{}", arrangement.name()),
        }
    }

    fn title(&self) -> String {
        let HanoiRules { pegs, discs, arrangement } = self.rules;
        let how = match arrangement {
            Arrangement::Complete => String::new(),
            _ => format!(", {}", arrangement.name()),
        };
        format!("Tower of Hanoi, {pegs} pegs, {}{how}", crate::text::pluralise(discs as u128, "disc"))
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        let HanoiRules { pegs, discs, .. } = self.rules;
        let towers: Vec<&str> = text.trim().split('/').collect();
        if towers.len() != pegs {
            return usage(format!("`{text}` does not list {pegs} pegs, with a slash between any two"));
        }
        let mut state = vec![u8::MAX; discs];
        for (peg, tower) in (0..).zip(&towers) {
            let mut below = discs + 1;
            for word in tower.split_whitespace().filter(|&word| word != ".") {
                let disc = word.parse().ok().filter(|disc| (1..=discs).contains(disc));
                let Some(disc) = disc else {
                    return usage(format!("`{word}` is not a disc from 1 to {discs}"));
                };
                if disc > below {
                    return usage(format!("disc {disc} cannot lie on the smaller disc {below}"));
                }
                if std::mem::replace(&mut state[disc - 1], peg) != u8::MAX {
                    return usage(format!("disc {disc} is there twice"));
                }
                below = disc;
            }
        }
        match state.iter().position(|&peg| peg == u8::MAX) {
            Some(missing) => usage(format!("disc {} is missing", missing + 1)),
            None => Ok(State(state)),
        }
    }

    fn print_state(&self, state: &State) -> String {
        let tower = |peg: usize| {
            let on_it = (0..self.rules.discs).rev().filter(|&disc| usize::from(state.0[disc]) == peg);
            let discs: Vec<_> = on_it.map(|disc| (disc + 1).to_string()).collect();
            if discs.is_empty() { ".".to_owned() } else { discs.join(" ") }
        };
        let towers: Vec<_> = (0..self.rules.pegs).map(tower).collect();
        towers.join("/")
    }

    fn draw(&self, state: &State, _colour: bool) -> String {
        let HanoiRules { pegs, discs, .. } = self.rules;
        // Wide towers are drawn as numbers.
        let bars = pegs * (2 * discs + 1) <= 120;
        let width = if bars { 2 * discs - 1 } else { 2 };
        let towers: Vec<Vec<usize>> = (0..pegs)
            .map(|peg| (0..discs).rev().filter(|&disc| usize::from(state.0[disc]) == peg).collect())
            .collect();
        let height = towers.iter().map(Vec::len).max().unwrap_or(0);
        let mut lines: Vec<String> = Vec::new();
        for row in (0..height).rev() {
            let cell = |tower: &Vec<usize>| match tower.get(row) {
                Some(disc) if bars => format!("{:^width$}", "=".repeat(2 * disc + 1)),
                Some(disc) => format!("{:>width$}", disc + 1),
                None => format!("{:^width$}", "|"),
            };
            lines.push(towers.iter().map(cell).collect::<Vec<_>>().join("  "));
        }
        let names: Vec<_> = (0..pegs).map(|peg| format!("{:^width$}", letter(peg))).collect();
        lines.push(names.join("  "));
        lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        self.rules.moves(&state.0)
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        let (from, to) = self.rules.pegs_of(mv);
        [letter(from), letter(to)].iter().collect()
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        State(self.rules.apply(&state.0, mv))
    }

    fn is_solved(&self, state: &State) -> bool {
        state.0 == self.rules.goal()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { index: Some(self), setup: Some(self), scramble: Some(self), ..Capabilities::default() }
    }
}

impl Indexed for Hanoi {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(&self.space))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        Some(self.space.index_of(&state.0).into())
    }

    fn state_of(&self, index: u128) -> Option<State> {
        let class = self.space.canonical(u64::try_from(index).ok()?)?;
        Some(State(self.space.state_of(class)))
    }

    fn group_order(&self) -> u64 {
        self.rules.group_order()
    }

    fn totals(&self) -> Totals {
        Totals { states: self.rules.states(), classes: self.rules.classes(), existing: None }
    }
}

impl Setup for Hanoi {
    fn start(&self) -> Option<State> {
        Some(State(self.rules.start()))
    }
}

impl Scramble for Hanoi {
    /// Each disc on any peg.
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        let peg = |_| random.place(self.rules.pegs) as u8;
        Ok(Instance::State(State((0..self.rules.discs).map(peg).collect())))
    }
}
