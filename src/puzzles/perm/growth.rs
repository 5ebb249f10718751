//! How fast levels can grow, counted in states.
//!
//! The moves fall into *families*, such as the turns of two opposite faces, that commute with each other. A family
//! generates a small group; let c(j) of its members need j moves of the family. A shortest way is made of
//! such members, of another family each time.
//!
//! Give every state of level k >= 1 a family, one level after the other. Say that a state s of level k *comes
//! from* p by a family in j moves if p is in level k - j, is a root or has another family, and s is p after a
//! member that needs j moves. Every state comes from some p, whose family it gets: let q be a state of level
//! k - 1 next to s, by a move of the family F. If q is a root or has another family, s comes from q. Otherwise
//! q comes from some p by F in j moves, and s is p after a member of F that needs j + 1 moves: if it needed
//! fewer, s would be nearer than level k. So level k has at most
//!
//! C(1) |level k - 1| + C(2) |level k - 2| + ...
//!
//! states, where C(j) adds up the c(j) of all families but one, the one with the fewest; for level 0, of all.
//! All moves must be possible everywhere.

use std::collections::HashSet;

use super::frame::{CellFrame, Motion, Recodings};
use crate::puzzle::Growth;
use crate::text::pluralise;

/// The most moves that are put into families.
const MOST_MOVES: usize = 128;
/// The most members of the group of a family.
const MOST_MEMBERS: usize = 1024;

/// How fast levels can grow where every move is possible everywhere; `None` if there are too many moves.
pub(super) fn growth(frame: &CellFrame) -> Option<Growth> {
    let mut recodings = frame.recodings.clone();
    let identity = identity(frame, &mut recodings);
    let mut moves: Vec<&Motion> = Vec::new();
    for mv in &frame.moves {
        if *mv != identity && !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    if moves.len() > MOST_MOVES {
        return None;
    }
    // By family: its moves, and how many members of its group need 1, 2, ... of them.
    let mut families: Vec<(Vec<&Motion>, Vec<u128>)> = Vec::new();
    for mv in moves {
        let mut home = None;
        for (number, (members, _)) in families.iter().enumerate() {
            let mut commutes = |other: &&Motion| recodings.then(mv, other) == recodings.then(other, mv);
            if members.iter().all(&mut commutes) {
                let more: Vec<&Motion> = members.iter().copied().chain([mv]).collect();
                home = lengths(&identity, &more, &mut recodings).map(|lengths| (number, (more, lengths)));
            }
            if home.is_some() {
                break;
            }
        }
        match home {
            Some((number, family)) => families[number] = family,
            // The group of one move is small: its order is limited where powers are.
            None => {
                let alone = lengths(&identity, &[mv], &mut recodings)?;
                families.push((vec![mv], alone));
            }
        }
    }
    let longest = families.iter().map(|(_, lengths)| lengths.len()).max()?;
    let count = |lengths: &Vec<u128>, j: usize| lengths.get(j).copied().unwrap_or(0);
    let all = |j| families.iter().map(|(_, lengths)| count(lengths, j)).sum::<u128>();
    let fewest = |j| families.iter().map(|(_, lengths)| count(lengths, j)).min().unwrap_or(0);
    let roots: Vec<u128> = (0..longest).map(all).collect();
    let later: Vec<u128> = (0..longest).map(|j| all(j) - fewest(j)).collect();
    let kinds: Vec<String> =
        (1u32..).zip(&later).map(|(j, kinds)| format!("{kinds} with {}", pluralise(j, "move"))).collect();
    Some(Growth {
        roots,
        why: format!(
            "the moves fall into {} of moves that commute, and a shortest way changes from one to another \
             each time; what those of one group come to is one of few changes: {}; level 0 counts more, as \
             any group can come first",
            pluralise(families.len(), "group"),
            kinds.join(", ")
        ),
        later,
    })
}

fn identity(frame: &CellFrame, recodings: &mut Recodings) -> Motion {
    let mut steps = Vec::with_capacity(frame.cells);
    for track in &frame.tracks {
        let table = recodings.number(track.twisted(0));
        steps.extend((track.first..track.end()).map(|cell| (cell as u16, table)));
    }
    Motion { steps: steps.into() }
}

/// How many members of the group of some moves need 1, 2, ... of them; `None` if there are too many.
fn lengths(identity: &Motion, moves: &[&Motion], recodings: &mut Recodings) -> Option<Vec<u128>> {
    let mut seen = HashSet::from([identity.clone()]);
    let mut level = vec![identity.clone()];
    let mut lengths = Vec::new();
    loop {
        let mut next = Vec::new();
        for member in &level {
            for mv in moves {
                let product = recodings.then(member, mv);
                if seen.insert(product.clone()) {
                    next.push(product);
                }
            }
        }
        if seen.len() > MOST_MEMBERS {
            return None;
        }
        if next.is_empty() {
            return Some(lengths);
        }
        lengths.push(next.len() as u128);
        level = next;
    }
}
